#pragma once
/// @file
/// What a judge finds: its records, and the result of a step that they add up to. result_json.hpp has them as
/// results.jsonl and documents have them.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/base/statistics.hpp"
#include "common/base/test_kind.hpp"
#include "common/base/verdict.hpp"

namespace ladder::model {

/// More than a message: heading and text.
using Details = std::vector<std::pair<std::string, std::string>>;

/// A class of test cases.
struct CaseClass {
  std::string name{};
  int passed = 0, of = 0;
};

/// The case that a verdict is about: its place among the step's, and its name.
struct FailedCase {
  std::size_t index = 0;
  std::string name{};
};

/// The largest error of a result.
struct ResultError {
  std::string measure{};
  std::optional<double> value{};  ///< nothing: not finite
  double bound = 0;
  std::string second_measure{};  ///< the source's own, shown in addition
  std::optional<double> second_value{};
};

/// One number of a row: its bound, what was measured, and its own verdict.
struct Target {
  std::string metric{}, relation{};
  double bound = 0;
  std::optional<double> measured{};  ///< ratio to the necessary amount
  std::optional<double> below{};     ///< that of the rung below, for comparison
  std::string necessary{};           ///< the formula of the necessary amount
  std::optional<double> amount{}, necessary_amount{};
  Verdict verdict = Verdict::not_run;
  std::optional<bool> met{};  ///< nothing: neither met nor missed, the reason says why
  std::string reason{};
  std::optional<double> points{}, max_points{};
};

/// What a call took.
struct Energy {
  std::optional<double> joules{};  ///< a call; nothing: not readable, the reason says why
  int calls = 0;
  std::optional<double> seconds{}, in_calls{};  ///< of the whole run; of these the step's
  std::string source{}, reason{};
};

/// The parts of a call's time.
struct TimeParts {
  double wake = 0, step = 0, synchronise = 0, answer = 0;
};

/// The ceiling that a rung's row names as its own.
struct Roof {
  std::string ceiling{};
  double seconds = 0;
};

/// What the problem asks for at least, and how long that takes at the ceiling that binds.
struct Work {
  std::string formula{}, ceiling{}, unit{};
  std::optional<double> amount{}, seconds{}, floor{};
  std::optional<double> fp64{}, bytes{};
  std::optional<Roof> roof{};
  std::string reason{};  ///< why it is not known
};

/// The same call by the clock of its device.
struct DeviceTime {
  std::optional<double> median{}, low{}, high{};
  std::optional<int> runs{};
  std::optional<double> kernels{};
  std::optional<std::map<std::string, double>> peers{};  ///< of libraries
  std::string reason{};                                  ///< why it is not known
};

/// A step's time, and the times of its peers. Seconds.
struct Time {
  Interval seconds{};
  std::map<std::string, int> problem{};
  std::string size_name{};  ///< "class A"
  std::string content{};    ///< "repeats": each call had the same
  std::optional<Interval> noise{}, baseline{};
  std::map<std::string, Interval> peers{};
  double foreign_load = 0;
  std::optional<TimeParts> parts{};
  std::optional<double> after{};
  Work work{};
  std::optional<DeviceTime> device{};
};

/// Times with their ratios, peer / step.
struct Timing {
  Time time{};
  std::map<std::string, double> ratio{};
  std::map<std::string, Interval> ratio_interval{};
};

/// What the idea of a rung gains on a GPU: its time, and that of the program without the idea, measured in
/// turns. Seconds.
struct Gain {
  std::string over{};                  ///< "g3_tile", "g3_tile.no_tile"
  std::string clock{};                 ///< "call", "device"
  std::vector<std::string> kernels{};  ///< of the device's time that of these alone; none: all of it
  std::map<std::string, int> problem{};
  std::string size_name{};                                ///< "class A"
  std::optional<Interval> seconds{}, without{}, ratio{};  ///< ratio: without / with, of pairs
  std::string reason{};                                   ///< why it is not known
};

/// What a record and a step's result have in common.
struct Judgement {
  std::string device{}, data{};
  Verdict verdict = Verdict::not_run;
  std::string message{};
  Details details{};
  std::vector<CaseClass> cases{};
  std::optional<FailedCase> failed_case{};
  std::optional<ResultError> error{};
  std::vector<Target> targets{};
  std::vector<std::string> unconfined{};  ///< what its worker could do all the same
  std::optional<Time> time{};
  std::map<std::string, double> ratio{};
  std::map<std::string, Interval> ratio_interval{};
  std::optional<Timing> further{};  ///< once more, at a further size
  std::optional<Gain> gain{};
  std::optional<Energy> energy{};
  std::optional<double> points{}, max_points{}, processor{};
};

/// Whose record it is.
struct Subject {
  std::string lesson{}, step{}, tree{}, mutant{}, backend{};
};

/// The record of one kind of test.
struct Record : Subject, Judgement {
  TestKind kind = TestKind::correctness;
  std::optional<std::uint64_t> seed{};
  std::string key{};
  std::optional<Timing> again{};  ///< a second timing session, of workers started again
};

/// What a judge is at.
struct Progress : Subject {
  TestKind kind = TestKind::correctness;
  std::string text{};
  double done = 0, of = 0;
};

/// What became of one kind of test.
struct KindResult {
  TestKind kind = TestKind::correctness;
  Verdict verdict = Verdict::not_run;
  std::string message{};
  std::optional<double> points{}, max_points{};
};

/// A step's result.
struct StepResult : Judgement {
  std::string lesson{}, name{}, file{}, kind{}, tree{}, mutant{}, source{}, backend{};
  std::vector<KindResult> kinds{};
  std::string build_output{};
};

}  // namespace ladder::model
