#include "common/tool/standing/progress.hpp"

#include <cstdint>
#include <cstdlib>
#include <ctime>

#include "common/base/usage_error.hpp"
#include "common/base/verdict.hpp"
#include "common/grade/sha256.hpp"
#include "common/model/student_json.hpp"
#include "common/report/results/results.hpp"
#include "common/report/results/shown_verdict.hpp"
#include "common/tool/core/student_state.hpp"

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

}  // namespace ladder
