#include "common/executor/observe/counters/block_replay.hpp"

#include <algorithm>
#include <new>

#include "common/executor/observe/event_dispatcher.hpp"
#include "common/executor/runtime/report.hpp"

namespace ladder::executor {
namespace {

/// A thread with this number of entries (2 MiB) waits until the rest of its warp has caught up.
constexpr std::size_t long_log = std::size_t{1} << 18;
/// Entries of a block's logs (at most 1 GiB): a block that exceeds this has warps that never all stop. Fewer
/// where few accesses are wanted: a loop that does not end is soon left to itself then.
std::size_t max_logged() {
  constexpr std::size_t min = std::size_t{1} << 20, max = std::size_t{1} << 27;
  static const std::size_t entries =
      std::clamp(static_cast<std::size_t>(std::min<std::uint64_t>(max_accesses(), max)) * 8, min, max);
  return entries;
}

std::uint32_t lanes_of(unsigned threads, unsigned warp) {
  const unsigned lanes = threads - 32 * warp;
  return lanes >= 32 ? 0xFFFFFFFFu : (1u << lanes) - 1;
}

}  // namespace

void BlockReplay::block_begins(BlockRunner& runner, const RequestContext& launch, std::uint64_t index) {
  const unsigned pool_thread = context_.pool_thread;
  context_ = launch;
  context_.pool_thread = pool_thread;
  context_.block = index;
  runner_ = &runner;
  observing_ = true;
  const unsigned threads = launch.kernel->threads();
  warps_used_ = (threads + 31) / 32;
  skipped_.block_begins();
  for (unsigned w = 0; w < warps_used_; ++w) {
    Warp& warp = warps_[w];
    warp.live = lanes_of(threads, w);
    warp.stopped = warp.going_on = 0;
    warp.meetings.fill(0);
    warp.depth.fill(0);
    warp.position.fill(0);
    for (auto& callers : warp.callers) callers.clear();
  }
  // Shared memory and stacks have moved, allocations may have gone.
  recorder.forget_places();
  if (!launch.kernel->cooperative) {
    if (!undo_log_) undo_log_ = std::make_unique<UndoLog>();
    undo_log_->clear();
    recorder.undo_log = undo_log_.get();
  }
  ++totals_.observed_blocks;
  results_before_ = totals_.results;
  accesses_before_ = totals_.accesses;
}

void BlockReplay::block_ends() {
  if (totals_.results == results_before_) {
    ++totals_.idle_blocks;
    totals_.idle_accesses += totals_.accesses - accesses_before_;
  }
  observing_ = false;
  recorder.next = nullptr;
  recorder.undo_log = nullptr;
}

void BlockReplay::run_thread(unsigned thread) {
  Warp& warp = warps_[thread / 32];
  const unsigned lane = thread % 32;
  if (!warp.memory) {
    if (unused_.empty()) unused_.push_back(std::make_unique<LogMemory>());
    warp.memory = std::move(unused_.back());
    unused_.pop_back();
    for (unsigned i = 0; i < 32; ++i) warp.log[i] = warp.memory->log(i);
  }
  warp.stopped &= ~(1u << lane);
  warp.going_on &= ~(1u << lane);
  running_ = thread;
  recorder.next = warp.log[lane].next;
  recorder.limit = warp.log[lane].end - 3;
  recorder.stack_end = runner_->stack_end();
}

/// The running thread's log ends here for now.
void BlockReplay::stop_log(unsigned thread) {
  if (recorder.open_store) close_store(recorder);
  warps_[thread / 32].log[thread % 32].next = recorder.next;
  recorder.next = nullptr;
}

void BlockReplay::stop_thread(unsigned thread) {
  stop_log(thread);
  warps_[thread / 32].stopped |= 1u << (thread % 32);
}

void BlockReplay::thread_starts(unsigned thread) {
  run_thread(thread);
}

void BlockReplay::thread_resumes(unsigned thread) {
  run_thread(thread);
}

void BlockReplay::thread_pauses(unsigned thread, Pause why) {
  stop_thread(thread);
  Warp& warp = warps_[thread / 32];
  // Lanes that meet in parts of the warp, or wait in a loop, have more to come that others may share with
  // them.
  if (why == Pause::yield || why == Pause::warp) warp.going_on |= 1u << (thread % 32);
  if (warp.stopped == warp.live) replay(thread / 32);
}

void BlockReplay::thread_exits(unsigned thread) {
  stop_log(thread);
  skipped_.thread_exits(thread);
  Warp& warp = warps_[thread / 32];
  warp.live &= ~(1u << (thread % 32));
  if (warp.stopped == warp.live) replay(thread / 32);
}

void BlockReplay::replay(unsigned number) {
  Warp& warp = warps_[number];
  if (!warp.memory) return;
  const std::uint64_t before = totals_.accesses;
  Replay(warp, number, context_, totals_, skipped_).run();
  if (!add_accesses(totals_.accesses - before) && !ending_) return stop_observing();
  for (const LaneLog& log : warp.log)
    if (log.next != log.begin) return;
  unused_.push_back(std::move(warp.memory));
}

void BlockReplay::barrier_passed(unsigned live, unsigned threads, Site site) {
  skipped_.barrier_passed(live, threads, site);
  ++context_.interval;
  ++totals_.barriers;
  totals_.most_barriers = std::max(totals_.most_barriers, std::uint64_t{context_.interval});
  release_all();
}

void BlockReplay::grid_barrier_passed(Site site) {
  ++context_.grid_interval;
  totals_.grid_barriers = std::max(totals_.grid_barriers, std::uint64_t{context_.grid_interval});
  unsigned live = 0;
  for (unsigned w = 0; w < warps_used_; ++w)
    live += static_cast<unsigned>(__builtin_popcount(warps_[w].live));
  skipped_.barrier_passed(live, context_.kernel->threads(), site, true);
  release_all();
}

/// All will go on, so no warp has stopped until all its lanes have again.
void BlockReplay::release_all() {
  for (unsigned w = 0; w < warps_used_; ++w) warps_[w].stopped = 0;
}

/// The lanes' logs may not be replayed yet, when others of the warp were not among them: the meeting goes
/// into the logs.
void BlockReplay::warp_met(unsigned number, std::uint32_t arrived) {
  ++totals_.warp_barriers;
  Warp& warp = warps_[number];
  warp.stopped &= ~arrived;
  if (!warp.memory) {
    for (unsigned lane = 0; lane < 32; ++lane) warp.meetings[lane] += arrived >> lane & 1;
    return;
  }
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (!(arrived >> lane & 1)) continue;
    LaneLog& log = warp.log[lane];
    if (log.next >= log.end - 3) log = warp.memory->enlarged(lane, log);
    *log.next++ = entry(Kind::meeting, 0);
  }
}

void BlockReplay::note_object(const Object& object) {
  if (object.space == Space::shared && object.begin != runner_->dynamic_shared())
    totals_.shared_variables[object.begin] = static_cast<std::size_t>(object.end - object.begin);
}

std::size_t BlockReplay::logged() const {
  std::size_t sum = 0;
  for (unsigned w = 0; w < warps_used_; ++w)
    if (warps_[w].memory)
      for (const LaneLog& log : warps_[w].log) sum += static_cast<std::size_t>(log.next - log.begin);
  return sum;
}

bool BlockReplay::make_room() {
  Warp& warp = warps_[running_ / 32];
  LaneLog& log = warp.log[running_ % 32];
  log.next = recorder.next;
  if (static_cast<std::size_t>(log.next - log.begin) >= long_log) {
    if (logged() > max_logged()) {
      stop_observing();
      return false;
    }
    const unsigned me = running_;
    runner_->yield();
    running_ = me;
    if (!observing_) return false;
    if (recorder.next < recorder.limit) return true;
  }
  close_store(recorder);
  log.next = recorder.next;
  try {
    log = warp.memory->enlarged(running_ % 32, log);
  } catch (const std::bad_alloc&) {  // as if so much was recorded that nothing more is
    stop_observing();
    return false;
  }
  recorder.next = log.next;
  recorder.limit = log.end - 3;
  return true;
}

void BlockReplay::give_up() {
  observing_ = false;
  recorder.next = recorder.open_store = nullptr;
  recorder.undo_log = nullptr;
  for (unsigned w = 0; w < warps_used_; ++w) warps_[w].memory.reset();
  --totals_.observed_blocks;
  ++runner_->progress;  // the rest runs much faster: its time limit starts again
}

void BlockReplay::replay_all() {
  if (!observing_ || ending_) return;
  ending_ = true;
  if (recorder.next) stop_thread(running_);
  for (unsigned w = 0; w < warps_used_; ++w) {
    warps_[w].going_on = 0;
    replay(w);
  }
}

}  // namespace ladder::executor
