#include "common/report/results/results.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ctime>
#include <optional>
#include <set>
#include <utility>

#include "common/base/files/json_fields.hpp"
#include "common/base/text/step_name.hpp"

namespace ladder::report {
namespace {

using model::KindResult;
using model::Record;
using model::StepResult;
using nlohmann::json;

/// Two records of one kind: it is unknown which is the judge's.
bool appears_twice(const std::vector<Record>& records, TestKind kind) {
  return std::count_if(records.begin(), records.end(), [&](const Record& r) { return r.kind == kind; }) > 1;
}

const Record* find_kind(const std::vector<Record>& records, TestKind kind) {
  const auto found =
      std::find_if(records.begin(), records.end(), [&](const Record& r) { return r.kind == kind; });
  return found == records.end() ? nullptr : &*found;
}

/// The last record that has it counts.
template <class Field>
void take(Field& field, const Field& recorded) {
  if (!json_fields::is_empty(recorded)) field = recorded;
}

void add(std::optional<double>& sum, const std::optional<double>& recorded) {
  if (recorded) sum = sum.value_or(0) + *recorded;
}

/// Fields of a record that go into the step's result as they are.
void take(StepResult& step, const Record& record) {
  take(step.device, record.device);
  take(step.cases, record.cases);
  take(step.failed_case, record.failed_case);
  take(step.error, record.error);
  take(step.time, record.time);
  take(step.ratio, record.ratio);
  take(step.ratio_interval, record.ratio_interval);
  take(step.further, record.further);
  take(step.gain, record.gain);
  take(step.energy, record.energy);
  step.targets.insert(step.targets.end(), record.targets.begin(), record.targets.end());
  for (const std::string& gap : record.unconfined)
    if (std::find(step.unconfined.begin(), step.unconfined.end(), gap) == step.unconfined.end())
      step.unconfined.push_back(gap);
  add(step.points, record.points);
  add(step.max_points, record.max_points);
  add(step.processor, record.processor);
}

/// The kinds that say why a step got its verdict, in their order. A wrong step has one cause, and it is
/// reported once: kinds with a better verdict explain nothing, and others with the same verdict would only
/// repeat it in other words. Only what was found in a step explains more than its wrong numbers at a target.
std::vector<const KindResult*> decisive(const StepResult& step) {
  std::vector<const KindResult*> all, first;
  for (const KindResult& kind : step.kinds) {
    if (step.verdict < Verdict::not_started)
      all.push_back(&kind);
    else if (kind.verdict == step.verdict &&
             (first.empty() || (first[0]->kind == TestKind::targets && kind.kind == TestKind::findings &&
                                kind.message != first[0]->message)))
      first = {&kind};
  }
  return first.empty() ? all : first;
}

std::string message_of(const std::vector<const KindResult*>& kinds) {
  std::string text;
  for (const KindResult* kind : kinds) {
    if (kind->message.empty() || text.find(kind->message) != std::string::npos) continue;
    text += (text.empty() ? "" : text.back() == '.' ? "  " : "; ") + kind->message;
  }
  return text;
}

model::Details details_of(const std::vector<const KindResult*>& kinds, const std::vector<Record>& records) {
  model::Details details;
  for (const KindResult* kind : kinds)
    if (const Record* record = find_kind(records, kind->kind); record && record->verdict == kind->verdict)
      for (const auto& detail : record->details)
        if (std::find(details.begin(), details.end(), detail) == details.end()) details.push_back(detail);
  return details;
}

/// A number is worth points only where nothing is wrong with the program that it was measured of: a kernel
/// with a race, or with a barrier that not all threads reach, has none for its sectors.
void take_measured_points(StepResult& step) {
  const auto found = [](const KindResult& kind) {
    return kind.kind == TestKind::findings && kind.verdict >= Verdict::wrong &&
           kind.verdict <= Verdict::rejected;
  };
  if (std::none_of(step.kinds.begin(), step.kinds.end(), found)) return;
  for (KindResult& kind : step.kinds)
    if ((kind.kind == TestKind::targets || kind.kind == TestKind::time) && kind.points) {
      step.points = step.points.value_or(0) - *kind.points;
      kind.points = 0;
    }
  for (model::Target& target : step.targets) target.points = 0;
}

}  // namespace

StepResult merge(StepResult step, const std::vector<Record>& records, const std::vector<TestKind>& planned,
                 const std::string& why_not) {
  step.verdict = Verdict::pass;
  for (const TestKind kind : planned) {
    KindResult& seen = step.kinds.emplace_back(KindResult{kind, Verdict::not_run, why_not});
    if (appears_twice(records, kind)) {
      // The judge writes one record per kind. Of two records it is unknown which is the judge's, so neither
      // counts.
      seen.verdict = Verdict::rejected;
      seen.message = std::string("two records came of its ") + to_string(kind) +
                     ": the rung, or something next to it, writes results";
    } else if (const Record* record = find_kind(records, kind)) {
      seen = {kind, record->verdict, record->message, record->points, record->max_points};
      take(step, *record);
    }
    step.verdict = worse(step.verdict, seen.verdict);
  }
  take_measured_points(step);
  step.message = message_of(decisive(step));
  step.details = details_of(decisive(step), records);
  return step;
}

StepResult decided(StepResult step, Verdict verdict, const std::string& message,
                   const model::Details& details) {
  step.verdict = verdict;
  step.message = message;
  step.details = details;
  return step;
}

std::string now() {
  char text[32];
  const std::time_t clock = std::time(nullptr);
  std::tm utc{};
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&clock, &utc));
  return text;
}

model::Document document(const std::string& verb, std::uint64_t seed,
                         std::vector<model::LessonResults> lessons) {
  return {.verb = verb, .date = now(), .seed = seed, .lessons = std::move(lessons)};
}

bool is_done(const StepResult& step) {
  if (step.verdict != Verdict::skipped) return step.verdict == Verdict::pass;
  return std::any_of(step.kinds.begin(), step.kinds.end(), [](const KindResult& kind) {
    return kind.kind == TestKind::correctness && kind.verdict == Verdict::pass;
  });
}

bool is_twin(const StepResult& step) {
  return step.backend == "executor" && has_twin(step.name);
}

bool all_passed(const model::Document& document, bool strict, Undecided undecided) {
  const auto passes = [&](const model::DocumentStep& step) {
    if (!step.judged || step.verdict == Verdict::pass) return step.judged;
    if (step.verdict == Verdict::inconclusive && undecided == Undecided::fails) return false;
    return !strict && (step.verdict == Verdict::skipped || step.verdict == Verdict::inconclusive);
  };
  return std::all_of(
      document.lessons.begin(), document.lessons.end(), [&](const model::LessonResults& lesson) {
        return lesson.problems.empty() && std::all_of(lesson.steps.begin(), lesson.steps.end(), passes);
      });
}

std::string gaps(const std::vector<StepResult>& steps) {
  std::set<std::string> all;
  for (const StepResult& step : steps) all.insert(step.unconfined.begin(), step.unconfined.end());
  return fmt::format("{}", fmt::join(all, "; "));
}

std::string label(const StepResult& step) {
  return rung_of(step.lesson, step.name);
}

std::string dump(const json& value, int indent) {
  return value.dump(indent, ' ', false, json::error_handler_t::replace);
}

}  // namespace ladder::report
