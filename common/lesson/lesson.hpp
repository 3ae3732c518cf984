#pragma once
/// @file
/// What a lesson's contract is made of. Light on purpose: steps, workers and judges all include it.

#include <cstddef>
#include <stdexcept>
#include <string>

#include "common/base/error.hpp"

namespace ladder {

/// Whether an array of a problem is read, written, or both; or workspace for the step, whose contents are undefined before
/// the call and ignored after it.
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
  demonstration,  ///< D: given complete; predict, run, explain
};

/// Where the arrays of a problem are when a step is called.
enum class Data {
  host,      ///< in host memory: the step's transfers count
  resident,  ///< in device memory before and after the call
};

/// A necessary amount as a function, with the type of the problem erased; amount<f> makes it from a function of the contract.
/// @param given  the lesson's Problem as the judge has filled it, with the judge's own arrays
/// @param ranks  processes of the step
using Amount = double (*)(const void* given, int ranks);

template <auto function>
struct AmountOf;
template <class Problem, double (*function)(const Problem& given, int ranks)>
struct AmountOf<function> {
  static double of(const void* given, int ranks) {
    return function(*static_cast<const Problem*>(given), ranks);
  }
};

/// A function of the contract, `double (*)(const Problem& given, int ranks)`, as an Amount: `.amount = amount<row_sectors>`.
template <auto function>
inline constexpr Amount amount = AmountOf<function>::of;

/// The necessary amount of numbers that are judged as they are: a count that should be one or none, a share.
inline double as_it_is(const void*, int) {
  return 1;
}

/// A number that a step's idea is to change, as a ratio to the necessary amount.
struct Target {
  const char* metric = "";      ///< a name of common/trace/metrics.hpp; empty: no target
  const char* relation = "<=";  ///< "<=" or ">="
  double bound = 0;             ///< bound of measured / necessary
  const char* necessary = "";   ///< the formula of the necessary amount, in words: "4 n^3 + 8 n^2 bytes"
  Amount amount = nullptr;      ///< the same as a function
  int size = 0;                 ///< the stated size, chosen so that the idea shows
  bool restricted = false;      ///< on a problem that gives the step less: little device memory, a given grid
  /// Of a metric that counts work: what no program of the contract can do without, and why. Less is REVIEW.
  Amount floor = nullptr;
  const char* proof = "";
  /// What makes the necessary amount the reference's own: a program that needs less is cleverer, PASS with a remark. Empty: it is
  /// the floor.
  const char* own_cost = "";
};

/// A bound on time, as a ratio to a peer that runs in the same session.
struct TimeBound {
  const char* peer = "";  ///< "baseline", a library as tables name it, "" for none
  double ratio = 0;       ///< time of the peer / time of the step must be at least this
  int size = 0;           ///< problem size of the measurement on the CPU or the executor
};

/// The work that every program for a problem must do, whatever its algorithm: lower bounds. A time below what a device
/// needs for them is suspicious. The percent of a ceiling is computed from them.
struct Work {
  double fp64 = 0, fp32 = 0, integer = 0;  ///< operations; a multiply-add is two
  double bytes = 0;  ///< of device memory: inputs read once, outputs written once, for one pass
  /// How often all of these bytes must be read or written, as a transform does in each of its iterations.
  double passes = 1;
  const char* formula = "";  ///< the same in words: "2 n^3 FP64 operations, 24 n^2 bytes"
  const char* none = "";     ///< why there is no model: "CPU and GPU share the work"
};

/// One rung: a row of a lesson's table.
struct Step {
  const char* file;  ///< "g2_shared_tiles.cu": track, number and idea
  const char* was =
      "";  ///< "g1_tiles": what the rung was called before, where it was renamed or moved; no ending
  const char* idea;  ///< one sentence
  Kind kind = Kind::required;
  Data data = Data::host;
  double hours = 1;     ///< what a student needs
  Target targets[3]{};  ///< the numbers, each judged by itself; unused entries have no metric
  TimeBound time{};
  int ranks = 1;              ///< processes; more than one: started by mpirun
  const char* no_model = "";  ///< why the lesson's model of work does not apply to this step; empty: it does
  /// Tensor cores can do its FP64 operations; false: its ceiling is the vector units'.
  bool matrix_products = true;
  /// Bytes that its own plan moves per FP64 operation of the lesson's model, where these are its ceiling; 0: they are not.
  double bytes_per_flop = 0;
  const char* why_long = "";   ///< why it has more new lines than a rung should have; empty: it has not
  const void* asks = nullptr;  ///< what only this lesson asks of its steps; made by ladder::asks
  double correctness_points = 4;
  double target_points = 4;  ///< of all targets, in equal shares
  double time_points = 0;
  const char* hints[2] = {"", ""};  ///< two static levels, for the metric

  /// The first number.
  constexpr const Target& target() const { return targets[0]; }
  /// Where it runs: c, m, g or t.
  constexpr char track() const { return file[0]; }
};

/// What only this lesson asks of a step: `.asks = ladder::asks<Asks{.pivots = true}>`, where Asks is a type of the contract.
template <auto value>
inline constexpr auto asked = value;
template <auto value>
inline constexpr const void* asks = &asked<value>;

/// What a row asks; the default of the contract's Asks when it says nothing.
template <class Asks>
constexpr Asks asks_of(const Step& row) {
  return row.asks == nullptr ? Asks{} : *static_cast<const Asks*>(row.asks);
}

/// Sizes that the rungs of a GPU are timed at, the same for all of them; 0: none.
struct DeviceSizes {
  int usual = 0;
  int further = 0;  ///< a second size, for rungs whose call is short there
  int small = 0;  ///< for a device without memory for the usual size, and for a rung whose call is long there
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

/// A value in an answer of a lesson's page, computed by the lesson's own functions: tests/NN-name/answers.hpp.
struct Answer {
  const char* name;  ///< "g2.sectors": the page has <!-- = g2.sectors -->5,120<!-- . -->
  double value;
  int decimals =
      0;  ///< digits after the point; a number without them is written with commas between thousands
};

/// Thrown by task(): the step has not been written yet.
struct NotStarted : std::logic_error {
  NotStarted() : std::logic_error("not started") {}
};

/// What a thread of a kernel that calls task() leaves in the worker's output: a failed assertion with this as its condition.
inline constexpr const char* task_in_kernel = "ladder::task()";

}  // namespace ladder

/// Of the executor, in programs that are linked with it: ends the thread that calls it, if that is one of a kernel.
extern "C" [[gnu::weak]] void ladder_task_reached(const char* file, int line);

// nvcc, and clang where it checks host and device rules; not the executor, which is one side only.
#if (defined(__CUDACC__) || defined(__CUDA__)) && (!defined(LADDER_EXECUTOR) || defined(LADDER_EXECUTOR_LINT))
#define LADDER_TWO_SIDES
#define LADDER_HOST_DEVICE __host__ __device__
/// What a failed assert() calls in a kernel: CUDA's own function.
extern "C" __device__ void __assertfail(const char* condition, const char* file, unsigned line,
                                        const char* function, std::size_t bytes_a_character);
#else
#define LADDER_HOST_DEVICE
#endif

namespace ladder {

/// Marks a step that has not been started. Delete the call when you write the step. In a kernel there are no exceptions: there
/// it is an assertion that fails, which the judge knows by its condition.
[[noreturn]] LADDER_HOST_DEVICE inline void task([[maybe_unused]] const char* file = __builtin_FILE(),
                                                 [[maybe_unused]] int line = __builtin_LINE()) {
#if defined(LADDER_TWO_SIDES) && defined(__CUDA_ARCH__)
  __assertfail(task_in_kernel, file, unsigned(line), "", 1);
  __builtin_unreachable();
#else
  if (ladder_task_reached) ladder_task_reached(file, line);
  throw NotStarted();
#endif
}

}  // namespace ladder
