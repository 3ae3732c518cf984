#include "common/tool/progress.hpp"

#include <fmt/format.h>

#include <set>

#include <cstdint>
#include <fstream>

#include "common/base/json_file.hpp"
#include "common/base/numbers.hpp"
#include "common/base/verdict.hpp"
#include "common/report/results.hpp"
#include "common/report/table.hpp"
#include "common/tool/names.hpp"
#include "common/grade/sha256.hpp"

namespace ladder {

using nlohmann::json;

Progress::Progress(const Context& context) : context_(context) {
  last_ = read_json(context.state_folder() / "state.json");
  if (!last_.is_object()) last_ = json::object();
}

void Progress::take(const json& result) {
  const std::string lesson = result.value("lesson", ""), name = result.value("name", ""),
                    verdict = result.value("verdict", "");
  const bool judged = verdict != "NOT RUN" && (verdict != "SKIPPED" || report::is_done(result));
  if (result.value("tree", "") != "lessons" || !judged) return;
  const std::string source = read_text(context_.root / "lessons" / lesson / result.value("file", ""));
  json entry = {{"verdict", verdict},
                {"message", result.value("message", "")},
                {"source", sha256(source)},
                {"seed", context_.seed},
                {"device", result.value("device", "")}};
  for (const char* field : {"points", "max_points"})
    if (result.contains(field)) entry[field] = result[field];
  const std::string path = lesson + "/" + name;  // as StepEntry::path()
  last_[path] = entry;
  entry["step"] = path;
  entry["time"] = std::time(nullptr);
  history_ += report::dump(entry) + "\n";
}

void Progress::save() const {
  if (history_.empty()) return;
  try {
    write_text(context_.state_folder() / "state.json", report::dump(last_, 1));
    std::ofstream(context_.state_folder() / "history.jsonl", std::ios::app) << history_;
  } catch (const UsageError&) {
  }
}

std::string Progress::state(const StepEntry& step) const {
  if (step.row.is_object() && step.kind() == "D") return "given";
  const std::string source = read_text(source_of(context_.root, "lessons", step));
  if (source.empty()) return "no file";
  const json entry = last_.value(step.path(), json::object());
  const std::string verdict = entry.value("verdict", "");
  if (!verdict.empty() && entry.value("source", "") == sha256(source))
    return verdict == "NOT STARTED" ? "not started" : verdict;
  if (source.find("ladder::task()") != std::string::npos) return "not started";
  return verdict.empty() || verdict == "NOT STARTED" ? "not checked" : "changed since " + verdict;
}

bool Progress::done(const StepEntry& step) const {
  const std::string now = state(step);
  return now == "PASS" || now == "SKIPPED";
}

std::string feedback_block(const std::string& heading, const std::string& text, std::size_t width) {
  constexpr std::size_t indent = 17;
  std::string out;
  // Lines that the judge made line up (a table of requests) keep their breaks.
  const auto lines = report::wrapped(text, width > indent + 30 ? width - indent : 30);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string left = i == 0 ? heading : "";
    const std::size_t used = report::columns(left);
    out += left + std::string(used < indent - 1 ? indent - used : 1, ' ') + lines[i] + "\n";
  }
  return out;
}

std::string feedback(const Context& context, const json& step) {
  const std::string verdict = step.value("verdict", "");
  std::string text = context.terminal.bold(report::label(step)) + " " + step.value("file", "") + "  " +
                     context.terminal.verdict(verdict);
  if (const std::string message = step.value("message", ""); !message.empty()) text += "  " + message;
  if (step.contains("max_points"))
    text += fmt::format("   {:.2g}/{:.2g} points", step.value("points", 0.0), step.value("max_points", 0.0));
  const auto width = static_cast<std::size_t>(context.terminal.width());
  std::string out;
  for (const std::string& line : report::wrapped(text, width)) out += line + "\n";
  const std::string device = step.value("device", "");
  if (!device.empty() && device != "cpu" && (verdict != "SKIPPED" || report::is_done(step)))
    out += context.terminal.dim(feedback_block("On", device, width));
  for (const json& target : step.value("targets", json::array()))
    if (const std::string why = target.value("reason", "");
        !why.empty() && step.value("message", "").find(why) == std::string::npos)
      out += feedback_block(target.value("verdict", "") == "INCONCLUSIVE" ? "Open" : "Not measured",
                            target.value("metric", "") + ": " + why, width);
  for (const json& block : step.value("details", json::array()))
    if (block.is_array() && block.size() == 2 && block[0].is_string() && block[1].is_string())
      out += feedback_block(block[0], block[1], width);
  return out;
}

namespace {

int right_but_unmeasured(const json& document) {
  int count = 0;
  for (const json& lesson : document["lessons"])
    for (const json& step : lesson.value("steps", json::array()))
      count += step.value("verdict", "") == "SKIPPED" && report::is_done(step);
  return count;
}

}  // namespace

std::string summary(const json& document) {
  const json counts = report::counts(document);
  int all = 0;
  std::string parts;
  for (const auto& verdict : verdict_names)
    if (const int n = counts.value(std::string(verdict), 0); n > 0) {
      all += n;
      parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ", n, verdict);
    }
  std::string text =
      fmt::format("{}: {}.  Seed {}.", counted(all, "step"), parts.empty() ? "nothing judged" : parts,
                  document.value("seed", std::uint64_t{0}));
  if (const int right = right_but_unmeasured(document); right > 0)
    text += fmt::format("\n{} of the SKIPPED {} right, with a number that could not be measured here.", right,
                        right == 1 ? "is" : "are");
  std::set<std::string> all_gaps;
  for (const json& lesson : document["lessons"]) all_gaps.insert(report::gaps(lesson));
  all_gaps.erase("");
  if (!all_gaps.empty()) text += fmt::format("\nNot confined: steps {}.", fmt::join(all_gaps, "; "));
  for (const json& lesson : document["lessons"])
    for (const json& problem : lesson.value("problems", json::array()))
      text += "\nproblem: " + problem.get<std::string>();
  return text;
}

}  // namespace ladder
