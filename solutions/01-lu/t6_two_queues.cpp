/// @file
/// t6: look-ahead without priorities. In t1 all compute units but a few wait while a panel is eliminated.
/// Here the columns that the next block needs change along with this one's, panel by panel. All others change
/// in a second queue, in as many pieces as the block has panels: one while each panel is eliminated. Before:
/// t1, one thing after another. Source: none.

#include <algorithm>

#include "block_commands.hpp"
#include "common/device/opencl.hpp"
#include "problem.hpp"

namespace lu {
namespace {

namespace cl = ladder::cl;
using cl::check;

/// A block: its columns `begin` to `end` - 1, and those of the next one, which end before `window`.
struct Block {
  int begin, end, window;
};

/// @return an event that comes when all that `queue` has got so far is done. The queue begins with it now.
cl::Event mark(cl_command_queue queue) {
  cl_event event = nullptr;
  check(clEnqueueMarkerWithWaitList(queue, 0, nullptr, &event));
  cl::Event done{event};
  check(clFlush(queue));
  return done;
}

/// What `queue` gets from now on begins after the event.
void wait_for(cl_command_queue queue, const cl::Event& event) {
  const cl_event waits_for = event.get();
  check(clEnqueueBarrierWithWaitList(queue, 1, &waits_for, nullptr));
}

/// Piece `piece` of `pieces` of the product that a block subtracts from the columns on the right of its
/// window. The first piece has the columns of one block at least: the block after next needs them first.
void update_piece(const Commands& commands, cl_command_queue queue, const Problem& p, const Block& block,
                  int piece, int pieces) {
  const int size = block.end - block.begin, columns = p.n - block.window;
  const int width = std::max(size, (columns / pieces / update_columns + 1) * update_columns);
  const int from = std::min(p.n, block.window + piece * width), to = std::min(p.n, from + width);
  commands.update(queue, block.begin, size, block.end, from, to);
}

void factorise(const Problem& p) {
  const cl_command_queue panels = cl::queue();
  if (p.n == 0) {  // OpenCL knows no empty ranges
    constexpr int zero = 0;
    check(clEnqueueFillBuffer(panels, cl::memory(p.info), &zero, sizeof zero, 0, sizeof zero, 0, nullptr,
                              nullptr));
    return;
  }
  const Commands commands(p);
  const cl_command_queue rest = commands.other_queue();
  const int block = commands.block();
  commands.clear(panels);
  Block before{};  // the block on the left of this one
  for (int begin = 0; begin < p.n; begin += block) {
    const int end = std::min(begin + block, p.n);
    const Block now{begin, end, std::min(end + block, p.n)};
    const int pieces = (end - begin + panel_columns - 1) / panel_columns;
    for (int j = begin; j < end; j += panel_columns) {
      const int next = std::min(j + panel_columns, end);
      // BEGIN SOLUTION Into the queue `panels`: eliminate the panel at j. Into `rest`: the piece of the
      //  product of the block `before`, if there is one, that begins when this panel does, and not sooner.
      //  Into `panels` again: what the panel means for all columns from `begin` to `now.window` - 1. From
      //  which of these is the block before still to be subtracted?
      //| [[maybe_unused]] before, rest, pieces, next;
      //| ladder::task();  // Delete this line when you start.
      const cl::Event may_begin = mark(panels);
      commands.eliminate(panels, j);
      if (begin > 0) {
        wait_for(rest, may_begin);
        update_piece(commands, rest, p, before, (j - begin) / panel_columns, pieces);
        if (j == begin) wait_for(panels, mark(rest));
      }
      commands.permute_and_solve(panels, j, begin, now.window);
      commands.update(panels, j, panel_columns, next, next, now.window);
      // END SOLUTION
    }
    // BEGIN SOLUTION Into `rest`, when the block is eliminated: rows move in all columns but `begin` to
    //  `now.window` - 1, and the block's rows of U are solved for on the right of these.
    wait_for(rest, mark(panels));
    commands.permute_others(rest, begin, end, now.window);
    commands.solve(rest, begin, now.window);
    // END SOLUTION
    before = now;
  }
  // BEGIN SOLUTION The caller waits for the queue `panels` only.
  wait_for(panels, mark(rest));
  // END SOLUTION
  commands.wait_and_check(panels);
}

}  // namespace

/// PA = LU of a matrix on the device; while a panel is eliminated, all that the next ones do not need
/// changes.
/// @throws ladder::Error when a call of OpenCL fails, or a message between work-groups does not come in time.
void two_queues(const Problem& p) {
  factorise(p);
}

}  // namespace lu
