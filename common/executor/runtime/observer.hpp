#pragma once
/// @file
/// What the runtime reports to an observer: the observed mode's library installs an Observer, plain programs
/// have none.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/executor/include/executor/memory.h"
#include "common/executor/include/executor/site.h"
#include "common/executor/include/executor/vectors.h"
#include "common/executor/include/executor/warp.h"

namespace ladder::executor {

struct Kernel;
class BlockRunner;

/// Memory that an operation of a stream reads or writes on its own: copies, fills, calls of cuBLAS. What
/// kernels touch is seen access by access.
struct TouchedMemory {
  const void* begin;
  std::size_t bytes;
  bool write;
};

/// Something put into a stream, or into a graph that is launched: also marks that only order others.
struct QueuedOperation {
  std::uint64_t id;                    ///< 1, 2, … in the order of the host's program
  const char* call;                    ///< "cudaMemcpyAsync", "a kernel launch", "cudaEventRecord", …
  Site site;                           ///< the host's line
  std::uint64_t stream;                ///< 0: the default stream; others by creation
  std::vector<std::uint64_t> after;    ///< operations that it must wait for, done ones too
  std::vector<TouchedMemory> touches;  ///< copies, fills and calls of cuBLAS
  bool host_waits;                     ///< the call returns when it is done
};

/// Why a thread of a kernel does not run.
enum class Pause : unsigned char { barrier, grid_barrier, warp, yield };

/// Hooks of the runtime. All have empty bodies: an observer overrides those that it needs.
///
/// What concerns a block comes from the thread of the machine that runs it (`current_runner` is set); blocks
/// of a cooperative launch, or with LADDER_EXECUTOR_THREADS above 1 any blocks, run at the same time. Calls
/// of the host come from the host's threads, one at a time where they concern the queue.
class Observer {
 public:
  virtual ~Observer() = default;

  // ---- kernels: on the thread that executes the queue; one kernel at a time
  virtual void launch_begins(const Kernel&) {}
  virtual void launch_ends(const Kernel&) {}

  // ---- one block, by its number in the grid
  virtual void block_begins(BlockRunner&, const Kernel&, std::uint64_t /*index*/) {}
  virtual void block_ends(BlockRunner&) {}

  // ---- threads of the block, by their number in it
  virtual void thread_starts(unsigned /*thread*/) {}
  /// It waits from here on; another one runs next.
  virtual void thread_pauses(unsigned /*thread*/, Pause, Site) {}
  virtual void thread_resumes(unsigned /*thread*/) {}
  virtual void thread_exits(unsigned /*thread*/) {}

  // ---- what threads wait for together
  /// All threads that have not exited are at the barrier and will go on. `live` says how many those are
  virtual void barrier_passed(unsigned /*live*/, unsigned /*threads*/, Site) {}
  /// One barrier was reached from two lines of source.
  virtual void barrier_of_two_sites(Site, Site) {}
  /// The lanes `arrived` of the warp have met; `mask` is what they asked for.
  virtual void warp_met(unsigned /*warp*/, unsigned /*mask*/, unsigned /*arrived*/, WarpOperation, Site) {}
  /// A shuffle of the running thread reads a lane that does not take part.
  virtual void undefined_shuffle(int /*lane*/, unsigned /*mask*/, Site) {}
  /// The block has arrived at the grid's barrier, and waits; then all blocks go on.
  virtual void grid_barrier_reached(Site) {}
  virtual void grid_barrier_passed(Site) {}

  // ---- objects that threads of a block synchronise through: cuda::barrier, pipelines, tiles of several
  // warps
  /// What the thread did until now is done for every thread that acquires the object later.
  virtual void object_released(unsigned /*thread*/, const void* /*object*/) {}
  virtual void object_acquired(unsigned /*thread*/, const void* /*object*/) {}

  // ---- memory, when the host's program calls for it
  virtual void device_allocated(const void*, std::size_t /*bytes*/, Site) {}
  /// Called before the memory is freed; with cudaFreeAsync when the stream gets there.
  virtual void device_freed(const void*, Site) {}
  /// cudaMallocHost, cudaMallocManaged, cudaHostRegister.
  virtual void host_allocated(const void*, std::size_t /*bytes*/, HostMemory, bool /*registered*/, Site) {}
  virtual void host_freed(const void*, Site) {}
  /// A __device__ or __constant__ variable that a call was asked about.
  virtual void symbol_known(const void*, std::size_t /*bytes*/) {}

  // ---- streams
  virtual void operation_queued(const QueuedOperation&) {}
  /// On the thread that executes the queue; launch_begins() and launch_ends() lie between.
  virtual void operation_begins(std::uint64_t /*id*/) {}
  virtual void operation_ends(std::uint64_t /*id*/) {}
  /// Additional memory that the running operation touches, known only from pointers in device memory.
  virtual void operation_touches(const std::vector<TouchedMemory>&) {}
  /// The host has waited for these, and for all that they waited for: synchronise, query that said yes,
  /// blocking copy.
  virtual void host_waited(const std::vector<std::uint64_t>& /*ids*/) {}
  /// The host has waited for everything, also for work of streams that are destroyed.
  virtual void host_waited_for_all() {}
  virtual void stream_created(std::uint64_t /*stream*/, Site) {}
  virtual void stream_destroyed(std::uint64_t /*stream*/, Site) {}
  virtual void event_created(const void*, Site) {}
  virtual void event_destroyed(const void*, Site) {}

  // ---- the end
  /// A call failed: its message is on the standard error output.
  virtual void call_failed(int /*code*/, Site, const std::string& /*message*/) {}
  /// The call that has failed last was a launch by <<<>>>, which returns nothing: its error waits until
  /// the program asks.
  virtual void launch_left_error() {}
  /// The program asks for the last error.
  virtual void error_asked() {}
  /// The process is about to end with an error: the kernel's, when in_kernel(). May come from a signal
  /// handler. `message` is "what" and details, as printed
  virtual void fault(Site, const std::string& /*message*/) {}
  /// A kernel's thread reads or writes a value of `bytes` at no multiple of them; fault() follows where this
  /// returns. `code` is where in the program: the site may be that of a structure, for its copy
  virtual void misaligned(const void*, std::size_t /*bytes*/, bool /*write*/, Site, const void* /*code*/) {}
};

/// Runs all that is queued and waits for it.
void finish_queue();

/// Null in plain mode. Set once, before main.
extern constinit Observer* observer;

}  // namespace ladder::executor
