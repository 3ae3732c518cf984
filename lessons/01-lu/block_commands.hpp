#pragma once
/// @file
/// Given, for t6: the kernels of a blocked factorisation, each enqueued by a function into a queue. Source:
/// none.

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "block_kernels.hpp"
#include "common/device/opencl.hpp"
#include "message_panel.hpp"
#include "problem.hpp"

namespace lu {
namespace details {

/// How a matrix is factorised.
struct Plan {
  Device device;
  bool together;  ///< the work-groups of eliminate_panel run at the same time, and a work-item has one row
  int items;      ///< of a work-group of eliminate_panel
  int few_rows;   ///< panels of at most this many rows have work-groups of few_items
  int few_items;
  int block;  ///< columns that change the rest of A together
};

/// Only of NVIDIA's work-groups it is known that they go on while others wait; and all must be there at once.
inline Plan plan_of(int n) {
  constexpr int items = 512, few_items = 256;
  const Device device = device_of_step();
  if (device.capability >= 80 && n <= items * device.units)
    return {.device = device,
            .together = true,
            .items = items,
            .few_rows = std::min(2048, few_items * device.units),
            .few_items = few_items,
            .block = n <= 4096 ? 128 : 256};
  const int few = int(ladder::cl::group_items(128));
  return {.device = device, .together = false, .items = few, .few_rows = 0, .few_items = few, .block = 64};
}

constexpr std::size_t chunks(std::size_t count, std::size_t size) {
  return (count + size - 1) / size;
}

/// A program, compiled at the first call: many n share it.
inline const ladder::cl::Program& program(const ladder::cl::Source& source, const std::string& options) {
  static std::map<std::pair<const ladder::cl::Source*, std::string>, ladder::cl::Program> kept;
  return kept.try_emplace({&source, options}, source, options).first->second;
}

/// eliminate_panel for panels of at most `rows` rows.
inline const ladder::cl::Program& panel_program(const Plan& plan, std::size_t rows, int items) {
  const char* const at_once = chunks(rows, items) > std::size_t(items) / 32 ? "2" : "1";
  return program(plan.together ? panel_of_groups : panel_of_one_group,
                 "-DITEMS=" + std::to_string(items) + " -DAT_ONCE=" + at_once);
}

/// What is made once for all matrices with n rows that follow each other: memory of the device besides A.
struct Workspace {
  int n;
  Plan plan;
  std::size_t space_bytes, moves_bytes;
  ladder::cl::Buffer space, moves;  // what eliminate_panel works in; the rows that it moves
  const ladder::cl::Program &panel, &few_rows_panel, &rest;

  explicit Workspace(int n)
      : n(n),
        plan(plan_of(n)),
        space_bytes(plan.together ? mail_bytes(chunks(n, plan.few_items)) : rows_bytes(n)),
        moves_bytes(chunks(n, panel_columns) * (1 + 4 * panel_columns) * sizeof(int)),
        space(CL_MEM_READ_WRITE, space_bytes),
        moves(CL_MEM_READ_WRITE, moves_bytes),
        panel(panel_program(plan, n, plan.items)),
        few_rows_panel(panel_program(plan, plan.few_rows, plan.few_items)),
        rest(program(block_kernels, macros_of(plan.device) + " -DBLOCK=" + std::to_string(plan.block) +
                                        " -DSTRIP=" + std::to_string(strip_of(plan.device)))) {}
};

/// That of the last matrix, if it had the same order; else a new one replaces it. A program that factorises
/// many sizes then needs no more memory than the largest does.
inline const Workspace& workspace(int n) {
  // Never released: OpenCL may end before static objects do.
  static std::optional<Workspace>& last = *new std::optional<Workspace>;
  if (!last || last->n != n) last.emplace(n);
  return *last;
}

}  // namespace details

/// Enqueues the kernels for one matrix. Columns are `from`, …, `to` - 1; ranges may be empty. All begin at
/// multiples of 32.
class Commands {
 public:
  /// The first matrix with n rows takes longer: kernels are compiled, and memory allocated.
  explicit Commands(const Problem& p)
      : n_(p.n),
        work_(details::workspace(p.n)),
        A_(ladder::cl::memory(p.A)),
        pivot_(ladder::cl::memory(p.pivot)),
        info_(ladder::cl::memory(p.info)) {}

  /// @return columns of a block, a multiple of 32
  int block() const { return work_.plan.block; }
  /// @return a queue besides that of the caller, the same for all matrices
  cl_command_queue other_queue() const {
    static const ladder::cl::Queue& queue = *new ladder::cl::Queue;  // never released, as the workspace
    return queue.get();
  }

  /// What eliminate_panel finds: no row has moved, no message is in the mail.
  void clear(cl_command_queue queue) const {
    constexpr int zero = 0;
    const auto fill = [&](const ladder::cl::Buffer& memory, std::size_t bytes) {
      ladder::cl::check(
          clEnqueueFillBuffer(queue, memory.get(), &zero, sizeof zero, 0, bytes, 0, nullptr, nullptr));
    };
    fill(work_.moves, work_.moves_bytes);
    if (work_.plan.together) fill(work_.space, work_.space_bytes);
  }

  /// Eliminates the panel at row and column j. Its own columns are done then.
  void eliminate(cl_command_queue queue, int j) const {
    const bool few = n_ - j <= work_.plan.few_rows;
    const int items = few ? work_.plan.few_items : work_.plan.items;
    const ladder::cl::Kernel& panel = few ? few_rows_panel_ : panel_;
    ladder::cl::set_arguments(panel, A_, work_.space, work_.moves, pivot_, info_, n_, j);
    launch(queue, panel, work_.plan.together ? details::chunks(n_ - j, items) : 1, items);
  }

  /// Rows move as in the panel at j, in the columns given. On the right of the panel, its rows are then
  /// solved with its L11.
  void permute_and_solve(cl_command_queue queue, int j, int from, int to) const {
    ladder::cl::set_arguments(permute_, A_, work_.moves, n_, j, from, to);
    launch(queue, permute_, details::chunks(to - from, strip_columns), strip_columns, 1, strip_lines);
  }

  /// Rows move as in all panels of the block from `begin` to `end` - 1, in all columns but `begin`, …, `kept`
  /// - 1.
  void permute_others(cl_command_queue queue, int begin, int end, int kept) const {
    ladder::cl::set_arguments(permute_block_, A_, work_.moves, n_, begin, end, kept);
    launch(queue, permute_block_, details::chunks(n_, strip_columns), strip_columns, 1, strip_lines);
  }

  /// Waits for all that `queue` has got so far. @throws ladder::Error when a message between work-groups has
  /// not come in time.
  void wait_and_check(cl_command_queue queue) const {
    if (work_.plan.together) throw_if_late(queue, work_.space);
  }

  /// Solves the rows of a whole block that begins at `begin` with its L11, in all columns from `from` on.
  void solve(cl_command_queue queue, int begin, int from) const {
    if (from >= n_) return;
    const int strip = strip_of(work_.plan.device);
    ladder::cl::set_arguments(solve_, A_, n_, begin, from);
    launch(queue, solve_, details::chunks(n_ - from, strip), strip, 1, strip_lines);
  }

  /// The rows from `row` on lose, in the columns given, the product of `depth` columns from j on and their
  /// rows.
  void update(cl_command_queue queue, int j, int depth, int row, int from, int to) const {
    if (row >= n_ || from >= to) return;
    ladder::cl::set_arguments(update_, A_, n_, j, depth, row, from, to);
    launch(queue, update_, details::chunks(to - from, update_columns), update_items,
           details::chunks(n_ - row, update_rows));
  }

 private:
  int n_;
  const details::Workspace& work_;
  cl_mem A_, pivot_, info_;
  ladder::cl::Kernel panel_{work_.panel, "eliminate_panel"},
      few_rows_panel_{work_.few_rows_panel, "eliminate_panel"}, permute_{work_.rest, "permute_and_solve"},
      permute_block_{work_.rest, "permute_block"}, solve_{work_.rest, "solve_block"},
      update_{work_.rest, "update_trailing"};

  static void launch(cl_command_queue queue, const ladder::cl::Kernel& kernel, std::size_t groups_x,
                     std::size_t items_x, std::size_t groups_y = 1, std::size_t items_y = 1) {
    const std::size_t range[] = {groups_x * items_x, groups_y * items_y}, group[] = {items_x, items_y};
    ladder::cl::check(
        clEnqueueNDRangeKernel(queue, kernel.get(), 2, nullptr, range, group, 0, nullptr, nullptr));
  }
};

}  // namespace lu
