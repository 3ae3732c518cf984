/// @file
/// g7: a graph. The launches of 32 pivots are recorded once; one call then launches them all, and the device goes from
/// kernel to kernel without the host. When a launch costs so little, what the kernel does counts: one for two pivots,
/// which every block finds for itself, in two columns that the kernel before has left apart.
/// Before: g6, whose host made three launches a pivot. Source: none.

#include <algorithm>

#include "common/device/cuda.hpp"
#include "common/device/cuda_graph.hpp"
#include "gauss.hpp"
#include "two_pivots.cuh"

namespace gauss {
namespace {

constexpr int pivots_a_graph = 32;

/// Before the first pivot.
__global__ void __launch_bounds__(most_threads) begin(Problem p, double2* columns) {  // n
  leave_first_columns(p, columns);
}

/// Takes two pivots: numbers k and k + 1 of those that this graph takes.
/// @tparam most  threads that a block may have: the fewer, the more registers has each
template <int most>
__global__ void __launch_bounds__(most)
    next_pivots(Problem p, int k, const int* taken,  // 1, by the graphs before this one
                int* row_of, double2* columns) {     // n; 2 x n
  // TASK, 2 lines: Let i be the number of this kernel's first pivot, for all threads, and return when there is none.
  const int i = 0;
  take_pivots(p, i, row_of, columns);
}

/// The last kernel of a graph. For one thread.
__global__ void count(int* taken) {
  // TASK, 1 line: Let the next graph begin where this one ends. Why not in one of the kernels above?
}

/// After the last pivot.
__global__ void __launch_bounds__(most_threads) finish(Problem p, const int* row_of) {  // n
  finish_second_rows(p, row_of);
}

/// For one block.
__global__ void __launch_bounds__(usual_threads) substitute(Problem p, const int* row_of) {  // n
  back_substitute(p, row_of);
}

}  // namespace

/// Solves A x = b with partial pivoting, with the grid that the problem imposes on the elimination, or its own.
/// @throws ladder::Error when the device refuses a call.
void graph(const Problem& p) {
  const ladder::Stream stream;  // the default stream cannot be captured
  ladder::check(cudaMemsetAsync(p.info, 0, sizeof *p.info, stream.get()));
  if (p.n == 0) return;
  const int threads = p.threads > 0 ? p.threads : usual_threads;
  const int blocks = p.blocks > 0 ? p.blocks : std::min(p.n, usual_blocks());
  const auto kernel = threads > usual_threads ? next_pivots<most_threads> : next_pivots<usual_threads>;
  const ladder::DeviceBuffer<int> taken(1), row_of(p.n);
  const ladder::DeviceBuffer<double2> columns(2 * std::size_t(p.n));
  ladder::check(cudaMemsetAsync(taken.get(), 0, sizeof(int), stream.get()));
  begin<<<blocks, threads, 0, stream.get()>>>(p, columns.get());
  ladder::check(cudaGetLastError());
  // TASK, 15 lines: Capture pivots_a_graph pivots and the counting, make a graph of them, and launch it as often as all
  //  pivots need.
  //  Between cudaStreamBeginCapture and cudaStreamEndCapture launches into the stream are recorded and do not run.
  //  cudaGraphInstantiate makes from what was captured what cudaGraphLaunch wants. ladder::Graph and ladder::GraphExec
  //  own the two.
  ladder::task();  // Delete this line when you start.
  finish<<<blocks, threads, 0, stream.get()>>>(p, row_of.get());
  ladder::check(cudaGetLastError());
  substitute<<<1, usual_threads, 0, stream.get()>>>(p, row_of.get());
  ladder::check(cudaGetLastError());
}

}  // namespace gauss
