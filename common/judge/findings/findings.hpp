#pragma once
/// @file
/// How a step is watched for findings, and how findings become feedback.

#include <functional>
#include <string>
#include <vector>

#include "common/judge/session/session.hpp"
#include "common/judge/test_report.hpp"
#include "common/lesson/rung.hpp"

namespace ladder {

/// How a step is watched: by the executor's observed mode, or by a simulator.
struct Watch {
  /// What a CPU step is watched for: "races"; where that is impossible, the verdict does not suffer.
  std::string looks_for{};
  bool possible = true;  ///< whether there is anything to watch: CPU steps have no kernels
  std::string skip{};    ///< why it cannot be watched here; empty: it can
  Launch launch{};
  /// Reads the findings of all calls from a file in the worker's folder, after its end. Empty: each call
  /// returns an observation.
  std::function<Observation(const std::string& log)> read_log{};
  std::string log{};     ///< name of that file
  std::string record{};  ///< name of a file with counters in the same folder; empty: there is none
  std::size_t largest = 256 * 1024;  ///< bytes of all arrays of a case: watching is slow
  int repetitions = 1;               ///< of each small case: the order of threads varies
};

/// All watches by which this machine looks for findings of the step.
std::vector<Watch> watches_of(const PlannedStep& step, const Step& row);

/// Adds a note that a watch of a CPU step could not run. The verdict does not change.
void tell_unwatched(const Watch& watch, const std::string& why, TestReport& report);

/// How the kernels of this step are watched here.
/// @param counters  count, too, even where that takes extra time: a simulator counts only on request
Watch watch_of(const PlannedStep& step, const Step& row, bool counters = false);

/// The findings of a watch that has a log; the session ends.
Observation read_log(const Watch& watch, Session& session);

/// A few words for what was found, with its line: "race in shared memory, line 23". Empty without an error.
std::string headline(const Observation& observation, const PlannedStep& step);

/// Adds what errors and warnings say as details: what happened, what it means, and a question. Nothing for
/// none.
/// @param label  the case: "n = 64"
void explain_findings(const Observation& observation, const std::string& label, const PlannedStep& step,
                      TestReport& report);

/// The same of notes, which explain a wrong result and are nothing to worry about in a right one.
void explain_notes(const Observation& observation, const std::string& label, const PlannedStep& step,
                   TestReport& report);

/// Makes the findings the verdict: WRONG for errors; warnings become details.
/// @param label  the case: "n = 64"
/// @return whether there was an error
bool judge_observation(const Observation& observation, const std::string& label, const PlannedStep& step,
                       TestReport& report);

/// Describes how a failed step ended: by the finding that is the cause; if there is none, by the failure
/// itself, and then what was found before.
/// @param failure  what is known without the findings
Failure told_end(const Failure& failure, const Observation& observation, const PlannedStep& step);

/// A failure of an observed run whose record names a finding. If the finding ended the step, it is WRONG, and
/// the message is the finding, not the end of the process. Otherwise the message says how the step ended, and
/// then what was found before.
/// @return false when the failure has no such record
bool judge_fault(const Failure& failure, const std::string& label, const PlannedStep& step,
                 TestReport& report);

}  // namespace ladder
