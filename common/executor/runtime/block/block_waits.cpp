/// @file
/// What the threads of a block wait for together: barriers of the block and the grid, and operations of a
/// warp.

#include <bit>

#include "common/executor/runtime/block/block.hpp"
#include "common/executor/runtime/observer.hpp"
#include "common/executor/runtime/report.hpp"

namespace ladder::executor {

// ---------------------------------------------------------------- barriers

void BlockRunner::barrier(Site site) {
  if (observer) observer->thread_pauses(current_, Pause::barrier, site);
  if (at_barrier_++ == 0)
    first_site_ = site;
  else if (site.line != first_site_.line)
    note_second_site(site);
  threads_[current_].state = State::at_barrier;
  threads_[current_].fiber = current_fiber_;
  if (at_barrier_ == live_) release_barrier();
  Wait wait{site};
  park(State::at_barrier, wait);
}

void BlockRunner::release_barrier() {
  progress.store(progress.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  if (observer) observer->barrier_passed(live_, count_, first_site_);
  voters_[phase_] = static_cast<int>(live_);
  phase_ ^= 1;
  votes_[phase_] = 0;
  at_barrier_ = 0;
  release_all(State::at_barrier);
}

void BlockRunner::release_all(State waiting) {
  if (waiting == State::at_grid_barrier) at_grid_barrier_ = 0;
  for (unsigned place = 0; place < count_; ++place) {
    const auto thread = static_cast<unsigned>(order_[place]);
    if (threads_[thread].state == waiting) make_ready(thread);
  }
}

int BlockRunner::vote(Vote vote, bool predicate, Site site) {
  const unsigned phase = phase_;
  votes_[phase] += predicate;
  barrier(site);
  switch (vote) {
    case Vote::count:
      return votes_[phase];
    case Vote::all:
      return votes_[phase] == voters_[phase];
    case Vote::any:
      return votes_[phase] > 0;
  }
  return 0;
}

void BlockRunner::grid_barrier(Site site) {
  if (!grid_)
    fatal(site, "grid.sync() in a kernel that was not started with cudaLaunchCooperativeKernel\n    kernel " +
                    kernel_->name + " launched at " + to_string(kernel_->site));
  if (observer) observer->thread_pauses(current_, Pause::grid_barrier, site);
  ++at_grid_barrier_;
  threads_[current_].state = State::at_grid_barrier;
  threads_[current_].fiber = current_fiber_;
  if (at_grid_barrier_ == live_) {
    arrive_at_grid_barrier(site);
    progress.store(progress.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    release_all(State::at_grid_barrier);
  }
  Wait wait{site};
  park(State::at_grid_barrier, wait);
}

void BlockRunner::arrive_at_grid_barrier(Site site) {
  if (observer) observer->grid_barrier_reached(site);
  grid_->arrive(site);
  if (observer) observer->grid_barrier_passed(site);
}

// ---------------------------------------------------------------- warps

unsigned BlockRunner::alive_lanes(unsigned warp) const {
  const unsigned lanes = count_ - warp * 32;
  return (lanes >= 32 ? 0xffffffffu : (1u << lanes) - 1) & ~warps_[warp].exited;
}

WarpValues BlockRunner::exchange(WarpOperation operation, unsigned mask, std::uint64_t value, Site site) {
  const unsigned me = current_, warp_number = me / 32, own = 1u << (me % 32);
  if (!(mask & own))
    fatal(site, "lane " + std::to_string(me % 32) +
                    " calls a warp function with a mask that leaves it out\n    in kernel " + kernel_->name +
                    ", " + where_in_grid());
  std::vector<Meeting>& meetings = warps_[warp_number].meetings;
  std::size_t at = 0;
  while (at < meetings.size() && meetings[at].mask != mask) ++at;
  if (at == meetings.size()) meetings.emplace_back().mask = mask;
  Meeting& meeting = meetings[at];
  if (meeting.arrived == 0) {
    meeting.operation = operation;
    meeting.site = site;
  } else if (meeting.operation != operation) {
    fatal(site, "threads of one warp meet in different warp functions\n    the others wait at " +
                    to_string(meeting.site) + "\n    in kernel " + kernel_->name + ", " + where_in_grid());
  }
  if (observer) observer->thread_pauses(me, Pause::warp, site);
  const unsigned set = meeting.passed & 1;
  meeting.value[set][me % 32] = value;
  meeting.arrived |= own;
  const bool complete = meeting.arrived == (mask & alive_lanes(warp_number));
  if (complete && meeting.arrived == own) {  // alone: nobody to wait for
    meeting.arrived = 0;
    meeting.present[set] = own;
    ++meeting.passed;
    if (observer) {
      observer->warp_met(warp_number, mask, own, operation, site);
      observer->thread_resumes(me);
    }
  } else {
    threads_[me].state = State::at_warp;
    threads_[me].fiber = current_fiber_;
    if (complete) release_meeting(warp_number, meeting);
    Wait wait{site, mask, operation};
    park(State::at_warp, wait);
  }
  // Not `meeting`: while this lane waited, another mask may have moved the list.
  return {meetings[at].value[set], meetings[at].present[set]};
}

/// A warp goes on before others that could run: its stacks are in the first cache, those of a whole block are
/// not. Now and then others come first, also threads that have not started: it may wait for them in a loop.
bool BlockRunner::goes_first(unsigned warp) {
  constexpr unsigned often = 256;
  if (warp != favoured_) {
    favoured_ = warp;
    times_favoured_ = 0;
  }
  if (++times_favoured_ < often) return true;
  times_favoured_ = 0;
  yielding_ = true;
  return false;
}

/// Room for that many threads at the head of those that are ready.
void BlockRunner::make_room(unsigned threads) {
  if (ready_head_ >= threads)
    ready_head_ -= threads;
  else
    ready_.insert(ready_.begin() + static_cast<std::ptrdiff_t>(ready_head_), threads, 0);
}

void BlockRunner::release_meeting(unsigned warp, Meeting& meeting) {
  if (observer) observer->warp_met(warp, meeting.mask, meeting.arrived, meeting.operation, meeting.site);
  meeting.present[meeting.passed & 1] = meeting.arrived;
  const bool first = goes_first(warp);
  if (first) make_room(static_cast<unsigned>(std::popcount(meeting.arrived)));
  std::size_t place = ready_head_;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (!(meeting.arrived >> lane & 1)) continue;
    const unsigned thread = warp * 32 + lane;
    if (first) {
      threads_[thread].state = State::ready;
      ready_[place++] = static_cast<std::uint16_t>(thread);
    } else {
      make_ready(thread);
    }
  }
  meeting.arrived = 0;
  ++meeting.passed;
}

void BlockRunner::release_meetings_without(unsigned thread) {
  const unsigned warp = thread / 32;
  for (Meeting& meeting : warps_[warp].meetings) {
    if (meeting.arrived && (meeting.mask >> (thread % 32) & 1) &&
        meeting.arrived == (meeting.mask & alive_lanes(warp)))
      release_meeting(warp, meeting);
  }
}

}  // namespace ladder::executor
