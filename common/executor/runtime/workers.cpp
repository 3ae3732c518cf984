#include "common/executor/runtime/workers.hpp"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "common/executor/runtime/fault.hpp"
#include "common/executor/runtime/report.hpp"

namespace ladder::executor {

extern uint3 block_size __asm__("ladder_executor_block_size");
extern uint3 grid_size __asm__("ladder_executor_grid_size");

namespace {

using Clock = std::chrono::steady_clock;

/// Processors that this process may use, at most 32: a block of waiting threads needs 128 MiB of address space for its
/// stacks, and that counts in limits. Or LADDER_EXECUTOR_THREADS.
unsigned usual_workers() {
  static const unsigned count = [] {
    cpu_set_t set;
    CPU_ZERO(&set);
    const int processors = sched_getaffinity(0, sizeof set, &set) == 0 ? std::min(CPU_COUNT(&set), 32) : 1;
    return static_cast<unsigned>(setting("LADDER_EXECUTOR_THREADS", processors, 1, 1024));
  }();
  return count;
}

/// Makes the blocks of a cooperative launch wait for each other; each runs on its own thread of the machine.
class CooperativeBarrier final : public GridBarrier {
 public:
  explicit CooperativeBarrier(const Kernel& kernel) : kernel_(kernel), blocks_(kernel.blocks()) {}

  void arrive(Site site) override {
    std::unique_lock lock(mutex_);
    site_ = site;
    ++waiting_;
    check_stuck();
    if (waiting_ == blocks_) {
      waiting_ = 0;
      ++phase_;
      passed_.notify_all();
      return;
    }
    const auto phase = phase_;
    passed_.wait(lock, [&] { return phase_ != phase; });
  }

  void leave() {
    std::lock_guard lock(mutex_);
    ++left_;
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
  Site site_;
};

/// The pool. Its threads sleep between launches.
class Workers {
 public:
  void run(const Kernel& kernel) {
    block_size = kernel.block;
    grid_size = kernel.grid;
    CooperativeBarrier barrier(kernel);
    const std::uint64_t blocks = kernel.blocks();
    const std::uint64_t wanted =
        kernel.cooperative ? blocks : std::min<std::uint64_t>(blocks, usual_workers());
    std::unique_lock lock(mutex_);
    while (workers_.size() < wanted) start_worker();
    kernel_ = &kernel;
    barrier_ = kernel.cooperative ? &barrier : nullptr;
    order_ = Order(blocks);
    next_block_ = 0;
    tickets_ = running_ = wanted;
    for (std::uint64_t i = 0; i < wanted; ++i) work_.notify_one();
    wait_for_end(lock);
  }

 private:
  struct Worker {
    pthread_t thread;
    BlockRunner runner;
    bool busy = false;
  };

  void start_worker() {
    auto* worker = new Worker;  // lives as long as the process, as its thread does
    workers_.push_back(worker);
    std::thread thread([this, worker] { work(*worker); });
    worker->thread = thread.native_handle();
    thread.detach();
  }

  void work(Worker& me) {
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
      for (std::uint64_t position; (position = next_block_.fetch_add(1)) < kernel.blocks();) {
        me.runner.run(kernel, order[position], barrier);
        if (barrier) barrier->leave();
      }
      if (barrier) me.runner.give_back_stacks();
      lock.lock();
      me.busy = false;
      if (--running_ == 0) ended_.notify_all();
    }
  }

  /// The time limit begins anew with every sign of progress, so that a long kernel is no error. On a busy machine
  /// the kernel's own processor time counts: it is not to blame for what others take. Up to ten times the limit.
  void wait_for_end(std::unique_lock<std::mutex>& lock) {
    const auto limit = std::chrono::duration<double>(timeout_seconds());
    std::uint64_t seen = progress();
    auto since = Clock::now();
    double used_before = processor_seconds();
    while (running_ > 0) {
      ended_.wait_for(lock, std::chrono::milliseconds(250));
      if (running_ == 0) break;
      const auto waited = Clock::now() - since;
      if (const std::uint64_t now = progress(); now != seen) {
        seen = now;
        since = Clock::now();
        used_before = processor_seconds();
      } else if (waited >= 10 * limit ||
                 (waited >= limit && processor_seconds() - used_before >= 0.9 * limit.count())) {
        report_timeout(lock);
      }
    }
  }

  /// Of all threads of the pool.
  double processor_seconds() const {
    double sum = 0;
    for (const Worker* worker : workers_) {
      clockid_t clock;
      timespec used{};
      if (pthread_getcpuclockid(worker->thread, &clock) == 0 && clock_gettime(clock, &used) == 0)
        sum += static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
    }
    return sum;
  }

  std::uint64_t progress() const {
    std::uint64_t sum = 0;
    for (const Worker* worker : workers_) sum += worker->runner.progress.load(std::memory_order_relaxed);
    return sum;
  }

  /// The thread itself says where it is; one that waits for other blocks is not the one to blame, so all are asked.
  [[noreturn]] void report_timeout(std::unique_lock<std::mutex>& lock) {
    std::vector<pthread_t> busy;
    for (const Worker* worker : workers_)
      if (worker->busy) busy.push_back(worker->thread);
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
  std::vector<Worker*> workers_;
  const Kernel* kernel_ = nullptr;
  CooperativeBarrier* barrier_ = nullptr;
  Order order_;
  std::atomic<std::uint64_t> next_block_{0};
  std::uint64_t tickets_ = 0, running_ = 0;
};

}  // namespace

void run_grid(const Kernel& kernel) {
  static Workers* const workers = new Workers;  // never destroyed: its threads outlive static objects
  workers->run(kernel);
}

int timeout_signal() {
  return SIGRTMIN + 9;
}

long timeout_seconds() {
  static const long seconds = setting("LADDER_EXECUTOR_TIMEOUT", 20, 1, 1000000);
  return seconds;
}

}  // namespace ladder::executor
