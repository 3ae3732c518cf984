#include "common/tool/student/progress.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <set>

#include "common/base/text/numbers.hpp"
#include "common/base/text/points_text.hpp"
#include "common/base/text/text.hpp"
#include "common/base/usage_error.hpp"
#include "common/base/verdict.hpp"
#include "common/grade/sha256.hpp"
#include "common/model/student_json.hpp"
#include "common/report/results/results.hpp"
#include "common/report/results/shown_verdict.hpp"
#include "common/report/text/table.hpp"
#include "common/tool/core/student_state.hpp"
#include "common/tool/judging/missed_text.hpp"
#include "common/tool/student/assignment.hpp"

namespace ladder {

using nlohmann::json;

namespace {

double verdict_time(const json& entry) {
  const json time = entry.value("time", json());
  return time.is_number() ? time.get<double>() : 0;
}

/// Verdicts as they are now; when their file is lost or broken, the history has them. The later one counts:
/// lines of another machine come after those that were written here meanwhile.
json last_verdicts(const std::filesystem::path& folder) {
  json last = read_state_file(folder / "state.json");
  if (!last.empty()) return last;
  for (json entry : read_history(folder / "history.jsonl")) {
    const std::string path = entry["step"];
    entry.erase("step");
    if (verdict_time(entry) >= verdict_time(last.value(path, json::object()))) last[path] = std::move(entry);
  }
  return last;
}

/// @param step  judged now
model::KeptVerdict kept_of(const model::StepResult& step, std::uint64_t seed) {
  model::KeptVerdict kept;
  kept.verdict = step.verdict, kept.message = step.message, kept.source = step.source;
  kept.device = step.device, kept.seed = seed, kept.time = std::time(nullptr);
  kept.points = step.points, kept.max_points = step.max_points;
  kept.remark = report::short_remark_of(step);
  if (const char* host = std::getenv("LADDER_HOST")) kept.host = host;  // of --remote
  kept.backend = step.backend, kept.data = step.data;
  kept.details = step.details, kept.cases = step.cases, kept.targets = step.targets;
  return kept;
}

model::KeptTimes times_of(const model::StepResult& step) {
  return {step.time, step.ratio, step.ratio_interval};
}

LastVerdict last_verdict_of(const model::KeptVerdict& kept) {
  model::StepResult result;
  result.verdict = *kept.verdict, result.message = kept.message, result.source = kept.source;
  result.device = kept.device, result.backend = kept.backend, result.data = kept.data;
  result.points = kept.points, result.max_points = kept.max_points;
  result.details = kept.details, result.cases = kept.cases, result.targets = kept.targets;
  const model::KeptTimes timed = kept.timed.value_or(model::KeptTimes{});
  result.time = timed.time, result.ratio = timed.ratio, result.ratio_interval = timed.ratio_interval;
  return {result, static_cast<std::time_t>(kept.time), kept.remark};
}

}  // namespace

Progress::Progress(const Context& context)
    : context_(context), last_(last_verdicts(context.state_folder())) {}

void Progress::take(const model::StepResult& step) {
  const bool judged =
      step.verdict != Verdict::not_run && (step.verdict != Verdict::skipped || report::is_done(step));
  if (step.tree != "lessons" || !judged) return;
  const std::string path = step.lesson + "/" + step.name;  // as StepEntry::path()
  model::KeptVerdict kept = kept_of(step, context_.seed);
  model::HistoryEntry entry = kept;
  entry.step = path;
  history_ += report::dump(to_json(entry)) + "\n";
  // check takes no times: those of the same file stay.
  if (step.time)
    kept.timed = times_of(step);
  else if (const auto before = kept_at(path); before && before->source == kept.source)
    kept.timed = before->timed;
  last_[path] = fresh_[path] = to_json(kept);
}

void Progress::take_times(const model::StepResult& step) {
  const std::string path = step.lesson + "/" + step.name;
  std::optional<model::KeptVerdict> kept = kept_at(path);
  const bool timed = step.time || !step.ratio.empty() || !step.ratio_interval.empty();
  if (step.tree != "lessons" || !timed || !kept || kept->source != step.source) return;
  kept->timed = times_of(step);
  last_[path] = fresh_[path] = to_json(*kept);
}

void Progress::save() {
  if (fresh_.empty()) return;
  const std::filesystem::path folder = context_.state_folder();
  // First what cannot be computed again: the other file can be made from it.
  if (!history_.empty()) append_history(folder / "history.jsonl", history_);
  json all = last_verdicts(folder);
  all.update(fresh_);
  try {
    write_text(folder / "state.json", report::dump(all, 1) + "\n");
  } catch (const UsageError&) {
  }
  history_.clear();
  fresh_ = json::object();
}

std::optional<model::KeptVerdict> Progress::kept_at(const std::string& path) const {
  return model::kept_verdict_from_json(last_.value(path, json()));
}

std::optional<LastVerdict> Progress::last(const StepEntry& step) const {
  const auto kept = kept_at(step.path());
  return kept ? std::optional(last_verdict_of(*kept)) : std::nullopt;
}

std::optional<LastVerdict> Progress::last_of_present(const StepEntry& step) const {
  const std::optional<LastVerdict> found = last(step);
  const bool same =
      found && found->result.source == sha256(read_text(source_of(context_.root, "lessons", step)));
  return same ? found : std::nullopt;
}

std::string Progress::state(const StepEntry& step) const {
  if (step.row.is_object() && step.kind() == "D") return "given";
  const std::string source = read_text(source_of(context_.root, "lessons", step));
  if (source.empty()) return "no file";
  const std::optional<LastVerdict> found = last(step);
  const bool is_judged = found && found->result.verdict != Verdict::not_started;
  const std::string verdict(is_judged ? name(found->result.verdict) : "");
  if (found && found->result.source == sha256(source)) return is_judged ? verdict : "not started";
  if (source.find("ladder::task()") != std::string::npos) return "not started";
  return is_judged ? "changed since " + verdict : "not checked";
}

std::string Progress::shown_state(const StepEntry& step) const {
  const std::string now = state(step);
  if (now == "changed since SKIPPED") return "changed since PASS";
  if (now != "SKIPPED") return now;
  const std::string remark = last(step)->remark;
  return "PASS, " + (remark.empty() ? "not all was measured" : remark);
}

bool Progress::done(const StepEntry& step) const {
  const std::string now = state(step);
  return now == "PASS" || now == "SKIPPED";
}

bool Progress::is_begun(const StepEntry& step) const {
  const std::string now = state(step);
  return now != "not started" && now != "no file" && now != "given";
}

bool Progress::left_to_do(const StepEntry& step) const {
  const std::string now = state(step);
  return now != "given" && now != "no file" && !done(step);
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

namespace {

/// What asks for a text that a person reads: alone at home there is none.
bool is_for_a_course(const std::string& text) {
  return text.find("notes.md") != std::string::npos;
}

}  // namespace

std::string feedback(const Context& context, const model::StepResult& step) {
  const std::string verdict = report::shown_verdict(step), remark = report::remark_of(step);
  std::string text = context.terminal.bold(report::label(step)) + " " + step.file + "  " +
                     context.terminal.verdict(verdict) + (remark.empty() ? "" : ", " + remark);
  const std::string missed = missed_message(step);
  if (const std::string message = missed.empty() ? report::shown_message(step) : missed; !message.empty())
    text += "  " + message;
  if (step.max_points && missed.empty())
    text += fmt::format("   {} points", points_text(step.points.value_or(0), *step.max_points, "/"));
  const auto width = static_cast<std::size_t>(context.terminal.width());
  std::string out;
  for (const std::string& line : report::wrapped(text, width)) out += line + "\n";
  for (const auto& [heading, numbers] : missed_numbers(step)) out += feedback_block(heading, numbers, width);
  if (!step.device.empty() && step.device != "cpu" && verdict != "SKIPPED")
    out += context.terminal.dim(feedback_block("On", step.device, width));
  for (const model::Target& target : step.targets)
    if (!target.reason.empty() && step.message.find(target.reason) == std::string::npos)
      out += feedback_block(target.verdict == Verdict::inconclusive ? "Open" : "Not measured",
                            target.metric + ": " + target.reason, width);
  static const std::set<std::string> of_learners = {"check", "watch", "profile", "diff", "bench"};
  const bool people_read =
      !of_learners.contains(context.options.verb) || course_of_handout(context.root).has_value();
  for (const auto& [heading, block] : step.details)
    if (people_read || !is_for_a_course(block)) {
      std::string words = block;
      if (!people_read) replace_all(words, ": a person looks at it", "");
      out += feedback_block(heading, words, width);
    }
  return out;
}

namespace {

using Steps = std::vector<model::StepResult>;

/// The steps of which that is true.
int count_of(const Steps& steps, bool (*is)(const model::StepResult&)) {
  return static_cast<int>(std::count_if(steps.begin(), steps.end(), is));
}

bool is_right_twin(const model::StepResult& step) {
  return step.verdict == Verdict::pass && report::is_twin(step);
}

/// PASS with a remark.
bool has_gap(const model::StepResult& step) {
  return step.verdict == Verdict::skipped && report::is_done(step);
}

/// "81 PASS (1 of them with a number that could not be measured here), 2 SKIPPED"
std::string counts_text(const Steps& steps, int& all) {
  std::map<Verdict, int> counts;
  for (const model::StepResult& step : steps) ++counts[step.verdict];
  const int gaps = count_of(steps, has_gap);
  counts[Verdict::pass] += gaps;
  counts[Verdict::skipped] -= gaps;
  std::string parts;
  for (const auto& [verdict, n] : counts) {
    if (n == 0) continue;
    all += n;
    parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ", n, name(verdict));
    if (verdict == Verdict::pass && gaps > 0)
      parts += fmt::format(" ({} of them with a number that could not be measured here)", gaps);
  }
  return parts;
}

/// Which rungs have a remark, and which could not be decided, and why: a line for each reason.
std::string reasons_text(const Steps& steps) {
  std::string text;
  for (const auto& [remark, labels] : report::labels_by(steps, report::remark_of))
    text += fmt::format("\nPASS, {}: {}.", remark, fmt::join(labels, ", "));
  for (const auto& [why, labels] : report::labels_by(steps, report::why_open))
    text += fmt::format("\nINCONCLUSIVE, {}: {}. Neither met nor missed, and no failure.", why,
                        fmt::join(labels, ", "));
  return text;
}

}  // namespace

std::string summary(const model::Document& document) {
  int all = 0;
  Steps steps;
  for (const model::LessonResults& lesson : document.lessons) {
    steps.insert(steps.end(), lesson.steps.begin(), lesson.steps.end());
  }
  const std::string parts = counts_text(steps, all);
  std::string text = fmt::format("{}: {}.  Seed {}.", counted(all, "rung"),
                                 parts.empty() ? "nothing judged" : parts, document.seed.value_or(0));
  text += reasons_text(steps);
  if (const int twins = count_of(steps, is_right_twin); twins > 0)
    text += fmt::format("\n{} of the PASS {} by a twin: the executor emulates what a GPU does otherwise.",
                        twins, twins == 1 ? "is" : "are");
  if (const std::string could = report::gaps(steps); !could.empty())
    text += fmt::format("\nNot confined: rungs {}.", could);
  for (const model::LessonResults& lesson : document.lessons)
    for (const std::string& problem : lesson.problems) text += "\nproblem: " + problem;
  return text;
}

}  // namespace ladder
