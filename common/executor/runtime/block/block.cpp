#include "common/executor/runtime/block/block.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <numeric>

#include "common/executor/include/executor/atomics.h"
#include "common/executor/runtime/observer.hpp"
#include "common/executor/runtime/pages.hpp"
#include "common/executor/runtime/report.hpp"
#include "common/executor/runtime/symbols.hpp"

namespace ladder::executor {

// The variables behind threadIdx and its like; the header declares them const under these labels.
__thread uint3 thread_index __asm__("ladder_executor_thread_index");
__thread uint3 block_index __asm__("ladder_executor_block_index");
uint3 block_size __asm__("ladder_executor_block_size") = {1, 1, 1};
uint3 grid_size __asm__("ladder_executor_grid_size") = {1, 1, 1};
__thread unsigned atomics_in_a_row __asm__("ladder_executor_atomics");
constinit thread_local BlockRunner* current_runner = nullptr;

namespace {

/// 0: from the first up. 1: from the last down. Others mix.
unsigned order_setting() {
  static const auto order = static_cast<unsigned>(setting("LADDER_EXECUTOR_ORDER", 0, 0, 1000000));
  return order;
}

}  // namespace

Order::Order(std::uint64_t count) : count_(count) {
  const unsigned order = order_setting();
  if (order == 0 || count < 2) return;
  stride_ = order == 1 ? count - 1 : (2 * order + 1) % count;
  while (std::gcd(stride_, count) != 1) ++stride_;  // a step that meets each once
}

bool in_kernel() {
  return current_runner && current_runner->kernel();
}

std::string where_in_grid() {
  return "block " + to_string(block_index) + ", thread " + to_string(thread_index);
}

BlockRunner::BlockRunner() {
  ready_.reserve(2 * max_threads);
  prepare_dynamic_shared(page_size());
}

// ---------------------------------------------------------------- a block

void BlockRunner::run(const Kernel& kernel, std::uint64_t index, GridBarrier* grid) {
  prepare(kernel, index, grid);
  if (observer) observer->block_begins(*this, kernel, index);
  Fiber* first = idle_fiber();
  current_fiber_ = first;
  if (!outside_.stack) outside_ = first_stack();
  switch_fiber(&outside_, first);
  if (observer) observer->block_ends(*this);
  kernel_ = nullptr;
  progress.store(progress.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

void BlockRunner::prepare(const Kernel& kernel, std::uint64_t index, GridBarrier* grid) {
  grid_ = grid;
  count_ = live_ = kernel.threads();
  next_ = at_barrier_ = at_grid_barrier_ = current_ = 0;
  phase_ = 0;
  votes_[0] = voters_[0] = 0;
  yielding_ = false;
  ready_.clear();
  ready_head_ = 0;
  order_ = Order(count_);
  next_index_ = {0, 0, 0};
  block_index = {static_cast<unsigned>(index % kernel.grid.x),
                 static_cast<unsigned>(index / kernel.grid.x % kernel.grid.y),
                 static_cast<unsigned>(index / kernel.grid.x / kernel.grid.y)};
  for (unsigned t = 0; t < count_; ++t) threads_[t] = {nullptr, State::unstarted};
  for (unsigned w = 0; w * 32 < count_; ++w) {
    warps_[w].exited = warps_[w].converging = 0;
    warps_[w].meetings.clear();
  }
  tiles_.clear();
  if (any_copies_) copies_ = {};
  any_copies_ = false;
  prepare_dynamic_shared(kernel.shared_bytes);
  poison_static_shared(first_contents_);
  kernel_ = &kernel;
}

/// The array's end touches a guard page: the first byte too far is an error. Its contents begin as NaN.
void BlockRunner::prepare_dynamic_shared(std::size_t bytes) {
  const std::size_t needed = (bytes + 15) / 16 * 16;
  if (needed > dynamic_capacity_) {
    if (dynamic_memory_) munmap(dynamic_memory_, dynamic_capacity_ + 2 * page_size());
    dynamic_capacity_ = whole_pages(needed);
    void* memory = mmap(nullptr, dynamic_capacity_ + 2 * page_size(), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
      fatal({}, std::string("no memory for dynamic shared memory: ") + std::strerror(errno));
    dynamic_memory_ = static_cast<char*>(memory);
    mprotect(dynamic_memory_, page_size(), PROT_NONE);
    mprotect(dynamic_memory_ + page_size() + dynamic_capacity_, page_size(), PROT_NONE);
  }
  dynamic_ = dynamic_memory_ + page_size() + dynamic_capacity_ - needed;
  std::memset(dynamic_, first_contents_, needed);
}

bool BlockRunner::in_dynamic_guard(const void* address) const {
  const auto* p = static_cast<const char*>(address);
  return p >= dynamic_memory_ && p < dynamic_memory_ + dynamic_capacity_ + 2 * page_size();
}

bool BlockRunner::in_stack_guard(const void* address) const {
  const auto* p = static_cast<const char*>(address);
  return current_fiber_ && p >= current_fiber_->stack - page_size() && p < current_fiber_->stack;
}

uint3 BlockRunner::index_of(unsigned thread) const {
  const dim3 size = kernel_->block;
  return {thread % size.x, thread / size.x % size.y, thread / size.x / size.y};
}

// ---------------------------------------------------------------- threads and fibers

void BlockRunner::fiber_entry() {
  announce_arrival(nullptr);
  current_runner->fiber_loop();
}

void BlockRunner::fiber_loop() {
  for (;;) {
    // Threads that can go on come first: a warp finishes its shuffles before the next one starts, on 32
    // stacks.
    while (next_ < count_ && (!any_ready() || yielding_)) {
      start_thread();
      try {
        kernel_->body->run();
      } catch (...) {
        fatal(kernel_->site, "kernel " + kernel_->name +
                                 " throws an exception; CUDA has none in kernels\n    in " + where_in_grid());
      }
      end_thread();
    }
    Fiber* const me = current_fiber_;
    if (any_ready()) {
      idle_.push_back(me);
      switch_to(me, threads_[pop_ready()].fiber);
    } else if (next_ == count_) {
      if (live_ > 0) report_stuck();
      idle_.push_back(me);
      switch_fiber(me, &outside_);
    }
  }
}

void BlockRunner::start_thread() {
  yielding_ = false;
  current_ = static_cast<unsigned>(order_[next_++]);
  if (order_.ascending()) {
    thread_index = next_index_;
    const dim3 size = kernel_->block;
    if (++next_index_.x == size.x) {
      next_index_.x = 0;
      if (++next_index_.y == size.y) {
        next_index_.y = 0;
        ++next_index_.z;
      }
    }
  } else {
    thread_index = index_of(current_);
  }
  atomics_in_a_row = 0;
  threads_[current_].state = State::running;
  if (observer) observer->thread_starts(current_);
}

/// Exited threads hold nobody up: neither a barrier nor a warp operation waits for them.
void BlockRunner::end_thread() {
  threads_[current_].state = State::exited;
  --live_;
  Warp& warp = warps_[current_ / 32];
  warp.exited |= 1u << (current_ % 32);
  if (observer) observer->thread_exits(current_);
  if (!warp.meetings.empty()) release_meetings_without(current_);
  release_converged_if_stuck(current_ / 32);
  if (!tiles_.empty()) pass_tiles_without(current_);
  if (live_ == 0) return;
  if (at_barrier_ == live_) {
    release_barrier();
  } else if (at_grid_barrier_ == live_) {
    // The thread that arrived first stands for the block.
    for (unsigned t = 0; t < count_; ++t) {
      if (threads_[t].state != State::at_grid_barrier) continue;
      arrive_at_grid_barrier(static_cast<const Wait*>(threads_[t].fiber->wait)->site);
      break;
    }
    release_all(State::at_grid_barrier);
  }
}

void BlockRunner::abandon_thread() {
  end_thread();
  restart_fiber(current_fiber_, fiber_entry);
  leave_for(current_fiber_);
}

/// Lets others run; returns when the caller's turn comes again.
void BlockRunner::park(State state, Wait& wait) {
  const unsigned me = current_;
  Fiber* const fiber = current_fiber_;
  wait.index = thread_index;
  fiber->wait = &wait;
  threads_[me].fiber = fiber;
  if (threads_[me].state == State::running) threads_[me].state = state;
  release_converged_if_stuck(me / 32);
  if (yielding_ && next_ < count_) {
    switch_to(fiber, idle_fiber());
  } else if (any_ready()) {
    yielding_ = false;
    const unsigned next = pop_ready();
    if (next != me) switch_to(fiber, threads_[next].fiber);
  } else if (next_ < count_) {
    switch_to(fiber, idle_fiber());
  } else {
    report_stuck();
  }
  current_ = me;
  thread_index = wait.index;
  threads_[me].state = State::running;
  if (observer) observer->thread_resumes(me);
}

void BlockRunner::switch_to(Fiber* from, Fiber* to) {
  current_fiber_ = to;
  switch_fiber(from, to);
}

Fiber* BlockRunner::idle_fiber() {
  if (idle_.empty()) {
    // Memory for a block's stacks can take long on a machine with many cores: that is no kernel that stands
    // still.
    progress.store(progress.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    return take_fiber(fiber_entry);
  }
  Fiber* fiber = idle_.back();
  idle_.pop_back();
  return fiber;
}

void BlockRunner::give_back_stacks() {
  for (Fiber* fiber : idle_) give_fiber(fiber);
  idle_.clear();
}

unsigned BlockRunner::pop_ready() {
  const unsigned thread = ready_[ready_head_++];
  if (ready_head_ == ready_.size()) {
    ready_.clear();
    ready_head_ = 0;
  }
  return thread;
}

void BlockRunner::make_ready(unsigned thread) {
  threads_[thread].state = State::ready;
  ready_.push_back(static_cast<std::uint16_t>(thread));
}

void BlockRunner::yield() {
  atomics_in_a_row = 0;
  Wait wait;
  if (observer) observer->thread_pauses(current_, Pause::yield, {});
  if (grid_) grid_->yield();
  threads_[current_].fiber = current_fiber_;
  // A spinning lane may wait for lanes of its own warp: they no longer wait for it.
  if (warps_[current_ / 32].converging) release_converged(current_ / 32);
  make_ready(current_);
  yielding_ = true;
  park(State::ready, wait);
}

}  // namespace ladder::executor
