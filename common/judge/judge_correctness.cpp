/// @file
/// The kind of test that verifies results.

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "common/base/text/numbers.hpp"
#include "common/judge/each_step.hpp"
#include "common/judge/failure_minimizer.hpp"
#include "common/judge/findings/findings.hpp"
#include "common/judge/judge.hpp"
#include "common/judge/shown_case.hpp"
#include "common/judge/target_rules.hpp"

namespace ladder {

namespace {

using namespace detail;

/// The cases in which to look for an explanation, one after the other: the one that went wrong, and the first
/// one of its class, since a sanitizer forgets accesses that are long ago. If that one is too large to be
/// watched, a smaller one, since mistakes of threads show there, too.
std::vector<const Case*> explaining_cases(const Watch& watch, const std::vector<Case>& cases,
                                          std::size_t failed) {
  const bool sanitizer = !watch.looks_for.empty();
  if (cases[failed].shape.bytes() <= 4 * watch.largest) {
    const auto first = std::ranges::find(cases, cases[failed].group, &Case::group);
    if (sanitizer && first->refused.empty() && &*first != &cases[failed]) return {&cases[failed], &*first};
    return {&cases[failed]};
  }
  if (!sanitizer) {
    const auto small = std::ranges::find_if(cases, [&](const Case& one) {
      return one.group == cases[failed].group && one.refused.empty() &&
             one.shape.bytes() <= 4 * watch.largest;
    });
    if (small == cases.end()) return {};
    return {&*small};
  }
  const Case* best = nullptr;
  for (const Case& one : cases)
    if (one.refused.empty() && one.shape.bytes() <= watch.largest &&
        (!best || one.shape.bytes() > best->shape.bytes()))
      best = &one;
  if (!best) return {};
  return {best};
}

/// Whether the case is one that a student has asked for to look at its numbers.
bool shows_everything() {
  return plan().size > 0 && plan().size <= max_shown_size;
}

/// Seconds of processor time without a finished block or passed barrier. A case for correctness is small:
/// what takes longer on one of its blocks does not end.
constexpr const char* usual_patience = "5";

/// Of a case that is known not to end, for its place: what watches a loop that accesses memory keeps that
/// many accesses, and then leaves it to itself, where it is interrupted.
constexpr const char *short_patience = "2", *few_accesses = "1000000";

/// The executor ends a kernel that makes no progress, or passes that many barriers and ends no block. A plan
/// may name another patience: each second of it is one of a processor, and tests have endless steps.
void be_impatient(Launch& launch, const char* barriers, const char* patience = usual_patience) {
  if (!plan().environment.contains("LADDER_EXECUTOR_TIMEOUT"))
    launch.environment["LADDER_EXECUTOR_TIMEOUT"] = patience;
  launch.environment["LADDER_EXECUTOR_BARRIERS"] = barriers;
}

/// What a watch finds in that case.
/// @param endless  the case is known not to end
Observation observe_case(const PlannedStep& step, const Watch& watch, const Case& one, std::size_t index,
                         bool endless = false) {
  Observation seen;
  try {
    Launch launch = watch.launch;
    launch.ranks = ranks_of(step, one);
    if (endless) {  // it is known by now
      be_impatient(launch, "1000", short_patience);
      launch.environment["LADDER_EXECUTOR_OBSERVE_LIMIT"] = few_accesses;
    }
    if (shows_everything()) launch.environment["LADDER_EXECUTOR_OBSERVE_ACCESSES"] = "2000";
    Session session(launch);
    for (int i = 0; i < watch.repetitions && seen.findings_of("error") == 0; ++i) {
      const Outcome outcome = run_case(session, step, one, index);
      if (outcome.observation) seen = *outcome.observation;
    }
    if (watch.read_log) seen = read_log(watch, session);
  } catch (const Failure& failure) {
    if (failure.observation) seen = *failure.observation;
  }
  return seen;
}

/// Runs a case that went wrong once more under each watch: the findings are the explanation.
/// @return what was found
Observation explain_case(const PlannedStep& step, const Step& row, const std::vector<Case>& cases,
                         std::size_t failed, TestReport& report, bool endless = false) {
  Observation seen;
  for (const Watch& watch : watches_of(step, row)) {
    if (!watch.possible || !watch.skip.empty()) continue;
    std::string label = cases[failed].label;
    for (const Case* one : explaining_cases(watch, cases, failed)) {
      seen = observe_case(step, watch, *one, static_cast<std::size_t>(one - cases.data()), endless);
      if (seen.findings_of("error") > 0) {
        label = one->label;
        break;
      }
      if (one != &cases[failed]) seen = {};  // another case, in which nothing is wrong
    }
    explain_findings(seen, label, step, report);
    explain_notes(seen, label, step, report);
    if (seen.findings_of("error") > 0) break;  // the other watches would report the same again
  }
  report.close_headings();
  return seen;
}

/// One step on all its cases.
class CorrectnessTest {
 public:
  CorrectnessTest(const Judged& suite, const PlannedStep& step, const Step& row, TestReport& report)
      : suite_(suite), step_(step), row_(row), sheet_(report), cases_(problems_of(suite, row)) {
    for (std::size_t i = 0; i < cases_.size(); ++i)
      if (is_wanted(i)) sheet_.expect(cases_[i].group);
  }

  void run() {
    try {
      judge_cases();
      tell_printed();
    } catch (const Failure& failure) {
      stop(failure);
    }
    sheet_.name_classes();
    const double share = sheet_.verdict() == Verdict::pass ? 1.0 : partial_share(sheet_);
    sheet_.points(row_.points.correctness * share, row_.points.correctness);
  }

 private:
  static bool is_wanted(std::size_t index) {
    return plan().only_case < 0 || index == static_cast<std::size_t>(plan().only_case);
  }

  /// The executor's own message names the line and the thread: it comes before the judge's limit.
  bool ends_endless_kernels() const {
    return step_.backend == "executor" && plan().limits.call_seconds >= 2 * std::atof(usual_patience);
  }

  void judge_cases() {
    Launch launch = launch_of(step_, row_.data);
    if (ends_endless_kernels()) be_impatient(launch, "100000");
    auto session = std::make_unique<Session>(launch);
    for (current_ = 0; current_ < cases_.size(); ++current_) {
      if (failed_ && suffices(step_, text_of(sheet_.message(), sheet_.details()))) return;
      const Case& one = cases_[current_];
      if (failed_groups_.contains(one.group) || !is_wanted(current_)) continue;
      if (const int ranks = ranks_of(step_, one); ranks != launch.ranks) {
        launch.ranks = ranks;
        session = std::make_unique<Session>(launch);
      }
      sheet_.progress(one.label + " (" + one.group + ")", static_cast<int>(current_),
                      static_cast<int>(cases_.size()));
      judge_case(*session, one);
    }
  }

  void judge_case(Session& session, const Case& one) {
    AnyInstance instance(one.shape);
    Random random = random_of_case(step_.step, current_);
    one.fill(instance, random);
    try {
      session.call(instance);
    } catch (const Failure& failure) {
      if (!one.refused.empty() && failure.threw) return pass(one);
      label_ = one.label + ": ";
      sheet_.failed_case(current_, one.label);
      throw;
    }
    const Check check = one.refused.empty() ? one.verify(instance) : Check{.wrong = one.refused};
    const Printed printed = session.printed();
    sheet_.keep_worst(check);
    if (check.right()) {
      pass(one);
      show_right(one, instance, printed);
    } else {
      failed_groups_.insert(one.group);
      if (!failed_) describe(one, check, instance, printed);
    }
  }

  /// A right case is shown when it was asked for; what it prints is never dropped in silence.
  void show_right(const Case& one, const AnyInstance& instance, const Printed& printed) {
    printed_lines_ += printed.lines;
    if (!plan().states_problem() || failed_) return;
    Observation seen;
    const Watch watch = watch_of(step_, row_);
    if (shows_everything() && watch.possible && watch.skip.empty() && watch.launch.observed)
      seen = observe_case(step_, watch, one, current_);
    show(one, instance, printed, seen);
  }

  /// Of a step that is right everywhere.
  void tell_printed() {
    if (printed_lines_ == 0 || plan().states_problem() || sheet_.verdict() != Verdict::pass ||
        plan().verb != "check")
      return;
    sheet_.detail("Printed", fmt::format("{} in all {} cases together. Those of one small case: {} --size 2",
                                         counted(printed_lines_, "line"), cases_.size(), again(step_)));
  }

  /// @param known  what the report says already
  Observation explain(const std::string& known, TestReport& report, bool endless = false) {
    if (cases_.empty() || suffices(step_, known)) return {};
    return explain_case(step_, row_, cases_, current_, report, endless);
  }

  void pass(const Case& one) {
    sheet_.case_passed(one.group);
    if (!failed_) right_.push_back(one);
  }

  /// The first wrong case is the one that the feedback is about. What is known of the cause comes first, and
  /// a question belongs to one cause: the first one that is known closes its heading.
  void describe(const Case& one, const Check& check, const AnyInstance& instance, const Printed& printed) {
    failed_ = true;
    sheet_.failed_case(current_, one.label);
    const std::string untouched = one.refused.empty() ? instance.untouched() : "";
    const std::string before = right_.empty() ? "" : right_.back().label + ": right.  ";
    const bool none = !untouched.empty() && nothing_comes_back(one);
    sheet_.set(
        Verdict::wrong,
        before + one.label + ": " +
            (none ? untouched + " as before the call: no result came back; " + check.wrong : check.wrong));
    const Observation seen = explain(text_of(sheet_.message(), check.details), sheet_);
    const bool explained = sheet_.has_detail("What happened");
    if (none) sheet_.close("What happened");  // the message has it
    if (!none && !untouched.empty()) explain_old_values();
    if (!none) explain_places(one, instance);
    if (sheet_.has_detail("Think")) sheet_.close("Think");
    for (const auto& [heading, text] : check.details) sheet_.detail(heading, text);
    if (suite_.advise) suite_.advise(row_, right_, one, instance, sheet_);
    show(one, instance, printed, seen);
    if (explained || plan().states_problem() || plan().only_case >= 0 || is_mutant(step_))
      sheet_.detail("Next", "again: " + again(step_));
    else
      report_minimized(minimize_failure(suite_, step_, row_, one.shape.bytes()), one.label, step_, sheet_);
  }

  void explain_old_values() {
    sheet_.detail(
        "What happened",
        "Before the call the outputs are full of NaN. With zeros instead of NaN the result differs: "
        "the rung computes with what was there.");
    sheet_.set_cause("old-values");
    sheet_.detail("Think",
                  "Who gives these elements their first value, and when is that over for all of them?");
  }

  /// Where the right values are.
  void explain_places(const Case& one, const AnyInstance& instance) {
    std::optional<Compared> result = one.compared ? one.compared(instance) : std::nullopt;
    if (!result) return;
    for (const ArrayShape& array : one.shape.arrays) result->element_bytes.push_back(array.element);
    const auto found = displaced(*result);
    if (!found) return;
    sheet_.detail("Where it is", found->what);
    sheet_.set_cause("displaced");
    sheet_.detail("Think", found->question);
  }

  /// What the step itself has said, and a small problem's numbers.
  void show(const Case& one, const AnyInstance& instance, const Printed& printed, const Observation& seen) {
    if (shows_everything()) {
      show_numbers(one, instance, sheet_);
      show_accesses(seen, step_, sheet_);
    }
    if (const std::string text = printed_text(printed); !text.empty()) sheet_.detail("Printed", text);
  }

  /// Whether outputs that look untouched really are: adding to NaN leaves NaN, too. On zeros, untouched
  /// outputs stay zeros.
  bool nothing_comes_back(const Case& one) {
    Launch launch = launch_of(step_, row_.data);
    launch.ranks = ranks_of(step_, one);
    AnyInstance instance(one.shape);
    Random random = random_of_case(step_.step, current_);
    one.fill(instance, random);
    instance.exchange().poison = std::byte{0};
    try {
      Session(launch).call(instance);
    } catch (const Failure&) {
      return true;  // a failure on zeros says nothing
    }
    return !instance.untouched().empty();
  }

  void stop(const Failure& failure) {
    const bool ended = failure.verdict == Verdict::crashed || failure.verdict == Verdict::timeout;
    const std::string label = ended ? label_ : "";
    if (sheet_.verdict() == Verdict::wrong && failure.verdict == Verdict::crashed)
      return tell_later_crash(failure);  // the wrong result came first and is simpler to understand
    Failure told = failure;
    const bool endless = failure.verdict == Verdict::timeout && failure.died_by_itself;
    if (failure.verdict == Verdict::crashed || endless)
      told = told_end(failure, explain(failure.message, sheet_, endless), step_);
    told.message = label + told.message;
    sheet_.set(told);
    if (failure.verdict != Verdict::not_started) sheet_.detail("Next", "again: " + again(step_));
  }

  void tell_later_crash(const Failure& failure) {
    TestReport unseen(step_, TestKind::correctness);
    const Observation seen = explain(sheet_.message() + failure.message, unseen);
    std::string text = label_ + told_end(failure, seen, step_).message;
    for (const auto& [heading, more] : unseen.details())
      if (heading == "What happened") text += ". " + more;
    sheet_.detail("Then", text);
  }

  const Judged& suite_;
  const PlannedStep& step_;
  const Step& row_;
  TestReport& sheet_;
  const std::vector<Case> cases_;
  std::size_t current_ = 0;
  std::string label_;  // "n = 64: " of a call that failed
  bool failed_ = false;
  std::size_t printed_lines_ = 0;  // in all cases
  std::vector<Case> right_;        // before the first failure
  std::set<std::string> failed_groups_;
};

}  // namespace

void judge_correctness(const Judged& suite) {
  const auto judge = [&](const PlannedStep& step, const Step& row, TestReport& report) {
    CorrectnessTest(suite, step, row, report).run();
  };
  for_each_step(table_of(suite), TestKind::correctness, judge);
}

}  // namespace ladder
