#pragma once
/// @file
/// One block of a kernel: its threads, where they wait, and what they share.

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "common/executor/include/executor/async_copy.h"
#include "common/executor/include/executor/barrier.h"
#include "common/executor/include/executor/launch.h"
#include "common/executor/include/executor/threads.h"
#include "common/executor/include/executor/warp.h"
#include "common/executor/runtime/block/fiber.hpp"

namespace ladder::executor {

constexpr unsigned max_threads = 1024;

/// A launch: what to run, and in how many blocks and threads.
struct Kernel {
  std::string name;
  Site site;
  dim3 grid, block;
  std::size_t shared_bytes;
  std::unique_ptr<const KernelBody> body;
  bool cooperative;
  /// Arguments by position, null when no pointer to data; for the observer.
  std::vector<const void*> pointers = {};

  std::uint64_t blocks() const { return std::uint64_t{grid.x} * grid.y * grid.z; }
  unsigned threads() const { return block.x * block.y * block.z; }
};

/// The order in which threads or blocks start: LADDER_EXECUTOR_ORDER.
class Order {
 public:
  explicit Order(std::uint64_t count = 1);
  bool ascending() const { return stride_ == 1; }
  std::uint64_t operator[](std::uint64_t position) const {
    if (stride_ == 1) return position;
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(position) * stride_ + count_ - 1) %
                                      count_);
  }

 private:
  std::uint64_t count_, stride_ = 1;
};

/// Where the blocks of a cooperative launch wait for each other.
class GridBarrier {
 public:
  virtual ~GridBarrier() = default;
  virtual void arrive(Site site) = 0;
  /// A thread of the caller's block waits in a loop, perhaps for another block.
  virtual void yield() = 0;
};

/// Runs one block after the other on one thread of the machine; that thread's thread-local memory is the
/// shared memory.
///
/// A kernel thread starts on whatever fiber is free and runs to its end; only when it has to wait, another
/// fiber goes on with the threads that have not started. Fibers never change to another thread of the
/// machine, or the addresses of thread-local variables that the compiler keeps in registers would be wrong.
class BlockRunner {
 public:
  BlockRunner();
  BlockRunner(const BlockRunner&) = delete;
  BlockRunner& operator=(const BlockRunner&) = delete;

  /// Runs block number `index` of the kernel to its end.
  void run(const Kernel& kernel, std::uint64_t index, GridBarrier* grid);
  /// What every byte of shared memory holds when a block begins; 0xFF, NaN, if this is not called.
  void begin_shared_with(unsigned char byte) { first_contents_ = byte; }
  /// The same for undefined values.
  unsigned char first_contents() const { return first_contents_; }
  /// Hands back the stacks; call it when many runners were used and few will be.
  void give_back_stacks();

  // What threads of the kernel call
  void barrier(Site site);
  int vote(Vote vote, bool predicate, Site site);
  void grid_barrier(Site site);
  WarpValues exchange(WarpOperation operation, unsigned mask, std::uint64_t value, Site site);
  void yield();
  /// Waits until wake(object).
  void wait_at(const void* object, Site site);
  void wake(const void* object);
  unsigned converge(Site site);
  /// Ends the running thread in the middle of its kernel. Nothing on its stack is destroyed.
  [[noreturn]] void abandon_thread();
  TileValues exchange_in_tile(unsigned first, unsigned count, std::uint64_t value, Site site);
  std::vector<AsyncCopy>& async_copies() {
    any_copies_ = true;
    return copies_[current_].all;
  }
  unsigned& async_groups() { return copies_[current_].groups; }
  unsigned current_thread() const { return current_; }
  int lane() const { return static_cast<int>(current_ % 32); }
  void* dynamic_shared() const { return dynamic_; }

  // For messages, also from signal handlers
  const Kernel* kernel() const { return kernel_; }
  bool in_dynamic_guard(const void* address) const;
  std::ptrdiff_t dynamic_offset(const void* address) const {
    return static_cast<const char*>(address) - dynamic_;
  }
  bool in_stack_guard(const void* address) const;
  /// One past the stack that runs now.
  const char* stack_end() const { return current_fiber_->stack + stack_bytes(); }

  /// Goes up with each finished block, each barrier that was passed and each new stack: the sign that a
  /// kernel makes progress.
  std::atomic<std::uint64_t> progress{0};
  /// The position of its block in the order of the launch. It may be too low for a moment, never too high.
  std::atomic<std::uint64_t> position{no_position};
  static constexpr std::uint64_t no_position = ~std::uint64_t{0};

 private:
  enum class State : std::uint8_t {
    unstarted,
    ready,
    running,
    at_barrier,
    at_grid_barrier,
    at_warp,
    at_object,   ///< cuda::barrier, or a tile of several warps
    converging,  ///< until no other thread of its warp can run
    exited
  };

  /// What a waiting thread waits for; lies on its own stack.
  struct Wait {
    Site site;
    unsigned mask = 0;
    WarpOperation operation{};
    const void* object = nullptr;
    uint3 index{};
  };
  struct Thread {
    Fiber* fiber;
    State state;
  };
  /// A warp operation that is going on. Two sets of values: a fast lane may be at the next operation already.
  struct Meeting {
    unsigned mask = 0, arrived = 0, passed = 0;
    WarpOperation operation{};
    Site site{};
    unsigned present[2] = {};
    std::uint64_t value[2][32];
  };
  struct Warp {
    unsigned exited = 0, converging = 0;
    unsigned converged[32];         // for each lane those that it was released with
    std::vector<Meeting> meetings;  // one a mask
  };

  /// Threads first ... first + count - 1 that exchange values. Two sets: a fast one may be at the next
  /// exchange already.
  struct TileMeeting {
    unsigned first, count, arrived = 0, passed = 0;
    std::vector<std::uint64_t> value[2];
    std::vector<bool> present[2];
  };
  /// What a thread copies asynchronously.
  struct Copies {
    std::vector<AsyncCopy> all;
    unsigned groups = 0;  // committed
  };

  void prepare(const Kernel& kernel, std::uint64_t index, GridBarrier* grid);
  void prepare_dynamic_shared(std::size_t bytes);
  static void fiber_entry();
  void fiber_loop();
  void start_thread();
  void end_thread();
  uint3 index_of(unsigned thread) const;

  void park(State state, Wait& wait);
  void switch_to(Fiber* from, Fiber* to);
  Fiber* idle_fiber();
  bool any_ready() const { return ready_head_ < ready_.size(); }
  unsigned pop_ready();
  void make_ready(unsigned thread);

  void release_barrier();
  void arrive_at_grid_barrier(Site site);
  void release_all(State waiting);
  unsigned alive_lanes(unsigned warp) const;
  bool goes_first(unsigned warp);
  void make_room(unsigned threads);
  void release_meeting(unsigned warp, Meeting& meeting);
  void release_meetings_without(unsigned thread);
  void note_second_site(Site site);
  bool warp_can_run(unsigned warp) const;
  void release_converged(unsigned warp);
  void release_converged_if_stuck(unsigned warp) {
    if (warps_[warp].converging && !warp_can_run(warp)) release_converged(warp);
  }
  void pass_tile(TileMeeting& tile);
  void pass_tiles_without(unsigned thread);
  [[noreturn]] void report_stuck();
  std::string describe_wait(State state, const Wait* wait) const;

  const Kernel* kernel_ = nullptr;
  GridBarrier* grid_ = nullptr;
  unsigned count_ = 0, next_ = 0, live_ = 0;  // threads: all, started, not exited
  unsigned at_barrier_ = 0, at_grid_barrier_ = 0;
  unsigned current_ = 0;
  Order order_;
  uint3 next_index_{};     // threadIdx of the next to start, when they start in ascending order
  bool yielding_ = false;  // the next to run is a thread that has not started
  Site first_site_{};      // of the first thread at the barrier
  unsigned phase_ = 0;     // of votes
  int votes_[2] = {}, voters_[2] = {};
  Fiber* current_fiber_ = nullptr;
  Fiber outside_{};  // stack of run(), always on the same thread
  std::vector<std::uint16_t> ready_;
  std::size_t ready_head_ = 0;
  unsigned favoured_ = 0, times_favoured_ = 0;  // the warp that went first last, and how often in a row
  std::vector<Fiber*> idle_;
  std::array<Thread, max_threads> threads_;
  std::array<Warp, max_threads / 32> warps_;
  std::deque<TileMeeting> tiles_;
  std::array<Copies, max_threads> copies_;
  bool any_copies_ = false;
  unsigned char first_contents_ = 0xFF;  // of shared memory
  char* dynamic_ = nullptr;              // ends at the guard page
  char* dynamic_memory_ = nullptr;
  std::size_t dynamic_capacity_ = 0;
};

/// The runner of this thread of the machine; null outside the pool. A kernel runs on it when kernel() is not
/// null.
extern constinit thread_local BlockRunner* current_runner;

/// Whether the caller is a thread of a kernel.
bool in_kernel();

/// The block's and thread's indices, to print: "block (0,0,0), thread (1,0,0)".
std::string where_in_grid();

}  // namespace ladder::executor
