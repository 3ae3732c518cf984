#include "common/executor/runtime/thread_pool.hpp"

#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "common/executor/runtime/block/repeated_state.hpp"
#include "common/executor/runtime/device_heap.hpp"
#include "common/executor/runtime/fault.hpp"
#include "common/executor/runtime/observer.hpp"
#include "common/executor/runtime/pages.hpp"
#include "common/executor/runtime/report.hpp"

namespace ladder::executor {

extern uint3 launched_block_size __asm__("ladder_executor_block_size");
extern uint3 launched_grid_size __asm__("ladder_executor_grid_size");

namespace {

using Clock = std::chrono::steady_clock;

/// Processors that this process may use, at most 32. Or LADDER_EXECUTOR_THREADS.
unsigned default_thread_count() {
  static const unsigned count = [] {
    cpu_set_t set;
    CPU_ZERO(&set);
    const int processors = sched_getaffinity(0, sizeof set, &set) == 0 ? std::min(CPU_COUNT(&set), 32) : 1;
    // With an observer, blocks run one after the other unless set otherwise: the record is then reproducible.
    return static_cast<unsigned>(setting("LADDER_EXECUTOR_THREADS", observer ? 1 : processors, 1, 1024));
  }();
  return count;
}

/// Bytes of thread-local variables of the program and its libraries; shared arrays are such variables.
std::size_t thread_local_bytes() {
  std::size_t sum = 0;
  dl_iterate_phdr(
      [](dl_phdr_info* loaded, std::size_t, void* bytes) {
        for (int i = 0; i < loaded->dlpi_phnum; ++i)
          if (loaded->dlpi_phdr[i].p_type == PT_TLS)
            *static_cast<std::size_t*>(bytes) += loaded->dlpi_phdr[i].p_memsz;
        return 0;
      },
      &sum);
  return sum;
}

/// The C library takes a thread's thread-local variables from its stack: each thread of the process, whoever
/// starts it, gets a stack that is larger by as much.
[[maybe_unused]] const bool stacks_are_larger = [] {
  pthread_attr_t usual;
  std::size_t bytes = 0;
  if (pthread_getattr_default_np(&usual) != 0) return false;
  const bool set = pthread_attr_getstacksize(&usual, &bytes) == 0 &&
                   pthread_attr_setstacksize(&usual, whole_pages(bytes + thread_local_bytes())) == 0 &&
                   pthread_setattr_default_np(&usual) == 0;
  pthread_attr_destroy(&usual);
  return set;
}();

/// Barriers that blocks may pass in that time without an end of any of them: LADDER_EXECUTOR_BARRIERS; 0: any
/// number.
std::uint64_t max_barriers() {
  static const auto limit =
      static_cast<std::uint64_t>(setting("LADDER_EXECUTOR_BARRIERS", 0, 0, 1'000'000'000));
  return limit;
}

/// Lets one of several blocks run at a time, in their order: what is observed is then the same each time.
class Turns {
 public:
  explicit Turns(std::uint64_t blocks) : runs_(observer ? blocks : 0, true) {}

  void begin(std::unique_lock<std::mutex>& lock, std::uint64_t block) {
    if (observer) wait(lock, block);
  }
  /// The block whose turn it is waits, or has left: the next one's turn comes. @return that block
  std::uint64_t stop() {
    const std::uint64_t me = turn_;
    if (observer) {
      runs_[me] = false;
      pass();
    }
    return me;
  }
  /// All go on, the first one first: nobody has left when all waited.
  void release() {
    if (!observer) return;
    runs_.assign(runs_.size(), true);
    turn_ = runs_.size() - 1;
    pass();
  }
  void yield(std::unique_lock<std::mutex>& lock) {
    if (!observer) return;
    const std::uint64_t me = turn_;
    pass();
    wait(lock, me);
  }
  void wait(std::unique_lock<std::mutex>& lock, std::uint64_t block) {
    changed_.wait(lock, [&] { return turn_ == block; });
  }

 private:
  void pass() {
    for (std::size_t i = 1; i <= runs_.size(); ++i) {
      const std::uint64_t next = (turn_ + i) % runs_.size();
      if (!runs_[next]) continue;
      turn_ = next;
      break;
    }
    changed_.notify_all();
  }

  std::vector<bool> runs_;  // neither waits for the grid nor has left
  std::uint64_t turn_ = 0;
  std::condition_variable changed_;
};

/// Makes the blocks of a cooperative launch wait for each other; each runs on its own thread of the machine.
class CooperativeBarrier final : public GridBarrier {
 public:
  explicit CooperativeBarrier(const Kernel& kernel)
      : kernel_(kernel), blocks_(kernel.blocks()), turns_(kernel.cooperative ? blocks_ : 0) {}

  void begin(std::uint64_t block) {
    std::unique_lock lock(mutex_);
    turns_.begin(lock, block);
  }

  void yield() override {
    std::unique_lock lock(mutex_);
    turns_.yield(lock);
  }

  void arrive(Site site) override {
    std::unique_lock lock(mutex_);
    site_ = site;
    ++waiting_;
    check_stuck();
    const std::uint64_t me = turns_.stop();
    if (waiting_ == blocks_) {
      waiting_ = 0;
      ++phase_;
      turns_.release();
      passed_.notify_all();
    } else {
      passed_.wait(lock, [this, phase = phase_] { return phase_ != phase; });
    }
    turns_.begin(lock, me);
  }

  void leave() {
    std::lock_guard lock(mutex_);
    ++left_;
    turns_.stop();
    check_stuck();
  }

 private:
  void check_stuck() const {
    if (left_ == 0 || waiting_ == 0 || waiting_ + left_ < blocks_) return;
    fatal(site_, "grid.sync() waits for " + std::to_string(left_) + " of " + std::to_string(blocks_) +
                     " blocks that have left the kernel\n    in kernel " + kernel_.name + " launched at " +
                     to_string(kernel_.site));
  }

  const Kernel& kernel_;
  const std::uint64_t blocks_;
  std::mutex mutex_;
  std::condition_variable passed_;
  std::uint64_t waiting_ = 0, left_ = 0, phase_ = 0;
  Turns turns_;
  Site site_;
};

/// The pool. Its threads sleep between launches.
class ThreadPool {
 public:
  void run(const Kernel& kernel) {
    launched_block_size = kernel.block;
    launched_grid_size = kernel.grid;
    CooperativeBarrier barrier(kernel);
    const std::uint64_t blocks = kernel.blocks();
    const std::uint64_t wanted =
        kernel.cooperative ? blocks : std::min<std::uint64_t>(blocks, default_thread_count());
    std::unique_lock lock(mutex_);
    while (threads_.size() < wanted) start_thread();
    kernel_ = &kernel;
    barrier_ = kernel.cooperative ? &barrier : nullptr;
    order_ = Order(blocks);
    next_block_ = 0;
    first_error_ = BlockRunner::no_position;
    tickets_ = running_ = wanted;
    for (std::uint64_t i = 0; i < wanted; ++i) work_.notify_one();
    wait_for_end(lock);
  }

  /// let_earlier_blocks_end() of a block at that position.
  void let_earlier_end(std::uint64_t position) {
    for (std::uint64_t first = first_error_;
         position < first && !first_error_.compare_exchange_weak(first, position);) {
    }
    const auto earlier_runs = [&] {
      return std::any_of(threads_.begin(), threads_.end(), [&](const PoolThread* pool_thread) {
        return pool_thread->runner.position < position;
      });
    };
    for (int ms = 0; ms < 5000 && earlier_runs(); ++ms) usleep(1000);
    while (first_error_ < position) pause();
  }

 private:
  struct PoolThread {
    pthread_t thread;
    BlockRunner runner;
    bool busy = false;
    bool spare = false;  // there for the blocks of cooperative launches
  };

  void start_thread() {
    auto* pool_thread = new PoolThread;  // lives as long as the process, as its thread does
    pool_thread->spare = threads_.size() >= default_thread_count();
    threads_.push_back(pool_thread);
    try {
      std::thread thread([this, pool_thread] { work(*pool_thread); });
      pool_thread->thread = thread.native_handle();
      thread.detach();
    } catch (const std::system_error& error) {
      fatal({}, "no thread for block " + std::to_string(threads_.size()) +
                    " of those that run at the same time: " + error.code().message() +
                    ". Raise the limit of processes or of memory (ulimit -u, ulimit -v), or let fewer run: "
                    "LADDER_EXECUTOR_THREADS=1, or a cooperative grid of fewer blocks");
    }
  }

  void work(PoolThread& me) {
    current_runner = &me.runner;
    prepare_thread_for_faults();
    std::unique_lock lock(mutex_);
    for (;;) {
      work_.wait(lock, [this] { return tickets_ > 0; });
      --tickets_;
      me.busy = true;
      const Kernel& kernel = *kernel_;
      CooperativeBarrier* barrier = barrier_;
      const Order order = order_;
      lock.unlock();
      for (;;) {
        me.runner.position = next_block_.load();  // before it takes one, so that it is not overlooked
        const std::uint64_t position = me.runner.position = next_block_.fetch_add(1);
        if (position >= kernel.blocks()) break;
        if (barrier) barrier->begin(order[position]);
        me.runner.run(kernel, order[position], barrier);
        ++blocks_ended_;
        if (barrier) barrier->leave();
      }
      me.runner.position = BlockRunner::no_position;
      // A later launch may wake any worker. If each kept the stacks of a block, memory maps would run out.
      if (barrier || me.spare) me.runner.give_back_stacks();
      lock.lock();
      me.busy = false;
      if (--running_ == 0) ended_.notify_all();
    }
  }

  /// Whether no thread that runs a block can get out of its loop; waiting for others is not running.
  bool all_in_endless_loops(std::unique_lock<std::mutex>& lock) {
    std::vector<pthread_t> busy;
    for (const PoolThread* pool_thread : threads_)
      if (pool_thread->busy) busy.push_back(pool_thread->thread);
    if (kernel_->cooperative || busy.empty()) return false;
    lock.unlock();
    const bool all = std::ranges::all_of(busy, is_in_endless_loop);
    lock.lock();
    return all && running_ > 0;
  }

  /// Since when there was no sign of progress, by the clock and in processor time.
  struct Standstill {
    std::uint64_t seen = 0;
    Clock::time_point since = Clock::now();
    double used_before = 0;
  };
  /// @return whether there was progress since the last look
  bool has_progressed(Standstill& still, std::uint64_t progress_now) const {
    if (progress_now == still.seen) return false;
    still = {progress_now, Clock::now(), processor_seconds()};
    return true;
  }
  bool lasts(const Standstill& still, std::chrono::duration<double> limit) const {
    return Clock::now() - still.since >= limit &&
           processor_seconds() - still.used_before >= 0.9 * limit.count();
  }

  /// The time limit restarts with every sign of progress, so that a long kernel is no error. On a busy
  /// machine the kernel's own processor time counts: it is not to blame for what others take. Up to ten times
  /// the limit.
  void wait_for_end(std::unique_lock<std::mutex>& lock) {
    const auto limit = std::chrono::duration<double>(timeout_seconds());
    const auto suspicious = std::min(limit, std::chrono::duration<double>(5));
    bool looked_at = false;
    Standstill still{progress(), Clock::now(), processor_seconds()}, same_blocks = still;
    same_blocks.seen = blocks_ended_;
    std::uint64_t barriers_before = progress();
    while (running_ > 0) {
      ended_.wait_for(lock, std::chrono::milliseconds(250));
      if (running_ == 0) break;
      if (has_progressed(same_blocks, blocks_ended_)) barriers_before = progress();
      if (max_barriers() > 0 && progress() - barriers_before > max_barriers() && lasts(same_blocks, limit)) {
        passes_barriers = true;
        report_timeout(lock, timeout_seconds());
      }
      if (has_progressed(still, progress())) {
        looked_at = false;
      } else if (!looked_at && lasts(still, suspicious)) {
        looked_at = true;
        if (all_in_endless_loops(lock)) report_timeout(lock, static_cast<long>(suspicious.count()));
      } else if (Clock::now() - still.since >= 10 * limit || lasts(still, limit)) {
        report_timeout(lock, timeout_seconds());
      }
    }
  }

  /// Of all threads of the pool.
  double processor_seconds() const {
    double sum = 0;
    for (const PoolThread* pool_thread : threads_) {
      clockid_t clock;
      timespec used{};
      if (pthread_getcpuclockid(pool_thread->thread, &clock) == 0 && clock_gettime(clock, &used) == 0)
        sum += static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
    }
    return sum;
  }

  std::uint64_t progress() const {
    std::uint64_t sum = 0;
    for (const PoolThread* pool_thread : threads_)
      sum += pool_thread->runner.progress.load(std::memory_order_relaxed);
    return sum;
  }

  /// The thread itself says where it is; one that waits for other blocks is not the one to blame, so all are
  /// asked.
  /// @param seconds  without a sign of progress
  [[noreturn]] void report_timeout(std::unique_lock<std::mutex>& lock, long seconds) {
    seconds_without_progress = seconds;
    std::vector<pthread_t> busy;
    for (const PoolThread* pool_thread : threads_)
      if (pool_thread->busy) busy.push_back(pool_thread->thread);
    const Kernel& kernel = *kernel_;
    lock.unlock();
    for (const pthread_t thread : busy) {
      pthread_kill(thread, timeout_signal());
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
    std::this_thread::sleep_for(std::chrono::seconds(10));
    fatal(kernel.site, "kernel " + kernel.name + " does not finish");
  }

  std::mutex mutex_;
  std::condition_variable work_, ended_;
  std::vector<PoolThread*> threads_;
  const Kernel* kernel_ = nullptr;
  CooperativeBarrier* barrier_ = nullptr;
  Order order_;
  std::atomic<std::uint64_t> next_block_{0}, first_error_{BlockRunner::no_position};
  std::atomic<std::uint64_t> blocks_ended_{0};  // of all launches
  std::uint64_t tickets_ = 0, running_ = 0;
};

ThreadPool& pool() {
  static ThreadPool* const thread_pool =
      new ThreadPool;  // never destroyed: its threads outlive static objects
  return *thread_pool;
}

}  // namespace

void let_earlier_blocks_end() {
  if (in_kernel() && !current_runner->kernel()->cooperative) pool().let_earlier_end(current_runner->position);
}

void run_grid(const Kernel& kernel) {
  if (observer) observer->launch_begins(kernel);
  pool().run(kernel);
  if (!observer) return;
  observer->launch_ends(kernel);
  DeviceHeap::get().launch_ends();
}

long seconds_without_progress = 0;
bool passes_barriers = false;

int timeout_signal() {
  return SIGRTMIN + 9;
}

long timeout_seconds() {
  static const long seconds = setting("LADDER_EXECUTOR_TIMEOUT", 20, 1, 1000000);
  return seconds;
}

}  // namespace ladder::executor
