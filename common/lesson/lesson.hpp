#pragma once
/// @file
/// What a lesson's problem.hpp is made of. Light on purpose: steps, workers and judges all include it.

#include <cstddef>
#include <stdexcept>

#include "common/base/error.hpp"

namespace ladder {

/// Whether an array of a problem is read, written, or both; or workspace for the step, whose contents are
/// undefined before the call and ignored after it. `out_on_device` is written, and stays in device memory
/// where the other arrays are on the host.
enum class Role { in, out, inout, work, out_on_device };
constexpr bool is_input(Role role) {
  return role == Role::in || role == Role::inout;
}
constexpr bool is_output(Role role) {
  return role == Role::out || role == Role::inout || role == Role::out_on_device;
}

/// Which rows of an array a rank has, or which columns: neighbours, or the first `width` of each `period`
/// (block-cyclic). In the rank's array they follow each other.
struct Cycle {
  std::size_t width = 0, period = 0;  ///< 0: all are neighbours
  /// Where the rank's row is in the whole array, counted from its first one on.
  constexpr std::size_t place(std::size_t own) const {
    return width == 0 ? own : own / width * period + own % width;
  }
  bool operator==(const Cycle&) const = default;
};

/// What a rank has of an array: `rows` times `columns` elements, from element `first` of the whole array on.
struct Block {
  std::size_t first = 0;  ///< in the whole array; in the rank's own one it is element 0
  std::size_t rows = 0, columns = 0;
  std::size_t ld = 0,
              own_ld = 0;  ///< elements from one row to the next, in the whole array and in the rank's
  Cycle row_cycle{}, column_cycle{};
  bool operator==(const Block&) const = default;
};

/// Thrown by task(): the step has not been written yet.
struct NotStarted : std::logic_error {
  NotStarted() : std::logic_error("not started") {}
};

/// What a thread of a kernel that calls task() leaves in the worker's output: a failed assertion with this as
/// its condition.
inline constexpr const char* task_in_kernel = "ladder::task()";

}  // namespace ladder

/// Of the executor, in programs that are linked with it: ends the thread that calls it, if that is one of a
/// kernel.
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

/// Marks a step that has not been started. Delete the call when you write the rung. In a kernel there are no
/// exceptions: there it is an assertion that fails, which the judge knows by its condition.
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
