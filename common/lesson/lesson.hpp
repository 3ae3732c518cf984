#pragma once
/// @file
/// What a lesson's contract is made of. Light on purpose: steps, workers and judges all include it.

#include <cstddef>
#include <stdexcept>
#include <string>

namespace ladder {

/// Whether an array of a problem is read, written, or both; or memory for the step's own use, which holds anything before
/// the call and is not looked at after it.
enum class Role { in, out, inout, work };
constexpr bool is_input(Role role) {
  return role == Role::in || role == Role::inout;
}
constexpr bool is_output(Role role) {
  return role == Role::out || role == Role::inout;
}

/// What a student does with a step.
enum class Kind {
  required,       ///< R: written by every student
  stretch,        ///< S: for those who want more
  demonstration,  ///< D: given whole; predict, run, explain
};

/// Where the arrays of a problem are when a step is called.
enum class Data {
  host,      ///< in host memory: the step's transfers count
  resident,  ///< in device memory before and after the call
};

/// A number that a step's idea exists to move, as a ratio to the necessary amount.
struct Target {
  const char* metric = "";      ///< a name of common/trace/metrics.hpp; empty: no target
  const char* relation = "<=";  ///< "<=" or ">="
  double bound = 0;             ///< bound of measured / necessary
  const char* necessary = "";   ///< the formula of the necessary amount, in words: "4 n^3 + 8 n^2 bytes"
  int size = 0;                 ///< the stated size, chosen so that the idea shows
};

/// A bound on time, as a ratio to a peer that runs in the same session.
struct TimeBound {
  const char* peer = "";  ///< "baseline", a library as tables name it, "" for none
  double ratio = 0;       ///< time of the peer / time of the step must be at least this
  int size = 0;           ///< problem size of the measurement on a processor or the executor
};

/// What no program that solves a problem can do without, whatever its algorithm: lower bounds, so that a time below what a
/// device needs for them is suspicious, and by which the percent of a ceiling is told.
struct Work {
  double fp64 = 0, fp32 = 0, integer = 0;  ///< operations; a multiply-add is two
  double bytes = 0;  ///< of device memory: inputs read once, outputs written once, for one pass
  double passes =
      1;  ///< times that all of it has to go through, as a transform does for each of its iterations
  const char* formula = "";  ///< the same in words: "2 n^3 FP64 operations, 24 n^2 bytes"
  const char* none = "";     ///< why there is no model: "CPU and GPU share the work"
};

/// One rung: a row of a lesson's table.
struct Step {
  const char* file;  ///< "g2_shared_tiles.cu": track, number and idea
  const char* idea;  ///< one sentence
  Kind kind = Kind::required;
  Data data = Data::host;
  double hours = 1;     ///< what a student needs
  int lines = 10;       ///< lines that a student writes
  Target targets[3]{};  ///< the numbers, each judged for itself; those without a metric are none
  TimeBound time{};
  int ranks = 1;  ///< processes; more than one: started by mpirun
  double correctness_points = 4;
  double target_points = 4;  ///< of all targets, in equal shares
  double time_points = 0;
  const char* hints[2] = {"", ""};  ///< two static levels, for the metric

  /// The first number; of a row that is to judge one of them (rows_of_targets), that one.
  constexpr const Target& target() const { return targets[0]; }
};

/// Sizes that the rungs of a GPU are timed at, the same for all of them; 0: none.
struct DeviceSizes {
  int usual = 0;
  int further = 0;  ///< timed too, by those whose call is short there
  int small =
      0;  ///< on a device that has no memory for the usual one, and of a rung whose call is long there
};

/// A lesson's table: the one place where its steps are listed.
struct Lesson {
  const char* name;  ///< folder: "03-dgemm"
  const char* title;
  const char* source;  ///< the work behind it
  const Step* steps;
  std::size_t count;
  DeviceSizes on_device{};
  const Step* begin() const { return steps; }
  const Step* end() const { return steps + count; }
};

/// An error that a step, or a checked call in it, reports. The text says what, where and what to do.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Thrown by task(): the step has not been written yet.
struct NotStarted : std::logic_error {
  NotStarted() : std::logic_error("not started") {}
};

/// Marks a step that has not been started. Delete the call when you write the step.
[[noreturn]] inline void task() {
  throw NotStarted();
}

}  // namespace ladder
