#include "common/executor/observe/races/releases.hpp"

#include <algorithm>

namespace ladder::executor {
namespace {

/// Chains over several threads are rare: a launch examines this many atomics for them, and then calls what it
/// finds a race.
constexpr std::uint64_t max_steps = 200'000;
constexpr std::size_t max_searched = 1000;

bool reaches(unsigned scope, bool one_block) {
  if (scope & ordering::thread_scope) return false;
  return one_block || !(scope & ordering::block_scope);
}

/// Whether the block or the warp has met between the two.
bool met(std::uint32_t interval, std::uint32_t meetings, bool one_warp, const ThreadTime& later) {
  return interval < later.interval || (one_warp && meetings < later.meetings);
}
bool one_warp(const ThreadTime& a, const ThreadTime& b) {
  return a.thread / 32 == b.thread / 32;
}
/// In one block.
bool follows(const ThreadTime& a, const ThreadTime& b) {
  if (a.thread == b.thread) return a.position <= b.position;
  return met(a.interval, a.meetings, one_warp(a, b), b);
}

bool comes_after(const Releases::Event& release, const ThreadTime& a) {
  return release.at.thread == a.thread ? a.position < release.at.position
                                       : met(a.interval, a.meetings, one_warp(a, release.at), release.at);
}

bool sees(const Releases::Event& acquire, const Releases::Event& release) {
  return acquire.reads && (acquire.number == 0 || release.number == 0 || acquire.number > release.number);
}

}  // namespace

void Releases::begin_launch() {
  fences_.clear();
  releases_.clear();
  object_releases_.clear();
  events_.clear();
  writes_.clear();
  new_events_.clear();
  last_event_.fill(0);
  fences_of_block_ = nullptr;
  steps_left_ = max_steps;
}

void Releases::begin_block() {
  last_fence_.fill(0);
  last_wide_fence_.fill(0);
  fences_of_block_ = nullptr;
}

void Releases::fence(const ThreadTime& at, std::uint32_t lanes, unsigned ordering) {
  if (!fences_of_block_) fences_of_block_ = &fences_[at.block];
  const bool wide = reaches(ordering, false);
  const auto warp = static_cast<std::uint16_t>(at.thread / 32);
  fences_of_block_->push_back({at.position, at.interval, at.meetings, lanes, warp, wide});
  const auto place = static_cast<std::uint32_t>(fences_of_block_->size());
  for (; lanes != 0; lanes &= lanes - 1) {
    const unsigned thread = warp * 32u + static_cast<unsigned>(std::countr_zero(lanes));
    last_fence_[thread] = place;
    if (wide) last_wide_fence_[thread] = place;
  }
}

/// A thread that waits does the same again and again: as one event it began with the first and saw what the
/// last one saw.
bool Releases::repeats_last(const Event& event) {
  const std::uint32_t place = last_event_[event.at.thread];
  if (place == 0) return false;
  Event& last = new_events_[place - 1];
  if (last.address != event.address || last.code != event.code || last.changed || event.changed) return false;
  if (last.at.interval != event.at.interval || last.at.meetings != event.at.meetings) return false;
  if (last.fence != event.fence || last.wide_fence != event.wide_fence) return false;
  if (event.writes && (event.ordering & ordering::releases)) return false;
  last.number = event.number;
  return true;
}

void Releases::add(Event event) {
  const unsigned thread = event.at.thread;
  event.fence = last_fence_[thread];
  event.wide_fence = last_wide_fence_[thread];
  if (repeats_last(event)) return;
  new_events_.push_back(event);
  last_event_[thread] = static_cast<std::uint32_t>(new_events_.size());
  if (!event.writes || !event.synchronises) return;
  (event.by_object ? object_releases_ : releases_)[event.at.block].push_back(event);
  events_.try_emplace(event.address);
}

/// Only what happened at released addresses is kept; all others would fill the memory.
void Releases::close_interval() {
  for (const Event& event : new_events_) {
    const auto found = events_.find(event.address);
    if (found == events_.end()) continue;
    found->second[event.at.block].push_back(event);
    const bool exchange = event.ordering & ordering::exchanges;
    if (event.writes && (exchange ? event.changed : !event.reads))
      writes_[{event.address, event.at.block, event.at.thread}].push_back(event);
  }
  new_events_.clear();
  last_event_.fill(0);
}

const Releases::Events& Releases::events_at(std::uint64_t address, std::uint64_t block) const {
  static const Events none;
  const auto blocks = events_.find(address);
  if (blocks == events_.end()) return none;
  const auto found = blocks->second.find(block);
  return found == blocks->second.end() ? none : found->second;
}

/// Whether the thread has a fence after that position of its program, and then its block meets, or the warp,
/// before `until`; or, when `until` is of the same thread, before that.
bool Releases::fenced_between(const ThreadTime& thread, std::uint32_t after, const ThreadTime& until,
                              bool one_block) const {
  const auto fences = fences_.find(thread.block);
  if (fences == fences_.end()) return false;
  auto fence = std::ranges::upper_bound(fences->second, after, {}, &Fence::position);
  for (; fence != fences->second.end() && fence->interval <= until.interval; ++fence) {
    if (fence->warp != thread.thread / 32 || !(fence->lanes >> thread.thread % 32 & 1)) continue;
    if (!fence->wide && !one_block) continue;
    if (thread.thread == until.thread ? fence->position <= until.position
                                      : met(fence->interval, fence->meetings, one_warp(thread, until), until))
      return true;
  }
  return false;
}

/// Whether a thread that sees the release sees what was done at `a`.
bool Releases::covers(const Event& release, const ThreadTime& a, bool one_block) const {
  const bool own = release.at.thread == a.thread;
  if (!reaches(release.ordering, one_block) || !comes_after(release, a)) return false;
  if (release.ordering & ordering::releases) return true;
  const std::uint32_t place = one_block ? release.fence : release.wide_fence;
  if (place == 0) return false;
  const Fence& fence = fences_.at(a.block)[place - 1];
  if (own) return a.position < fence.position;
  ThreadTime fenced = release.at;
  fenced.interval = fence.interval;
  fenced.meetings = fence.meetings;
  return met(a.interval, a.meetings, one_warp(a, fenced), fenced) ||
         fenced_between(a, a.position, release.at, one_block);
}

// ---------------------------------------------------------------- locks

/// An exchange that changes the value acquires a free lock and releases a held one; a store releases.
Releases::CriticalSection Releases::critical_section(std::uint64_t address, const ThreadTime& at) const {
  CriticalSection critical_section;
  const auto writes = writes_.find({address, at.block, at.thread});
  if (writes == writes_.end()) return critical_section;
  for (const Event& event : writes->second) {
    if (event.at.position > at.position) {
      critical_section.released = &event;
      break;
    }
    const bool exchange = event.ordering & ordering::exchanges;
    critical_section.acquired = exchange && !critical_section.acquired ? &event : nullptr;
  }
  return critical_section;
}

/// A barrier in between counts as a fence.
std::optional<Disorder> Releases::fault_of(const CriticalSection& critical_section, const ThreadTime& at,
                                           bool one_block) const {
  const Event &acquired = *critical_section.acquired, *released = critical_section.released;
  if (!(acquired.ordering & ordering::acquires) && acquired.at.interval == at.interval &&
      !fenced_between(at, acquired.at.position, at, one_block))
    return Disorder{Unordered::no_fence_after_lock, acquired.code};
  if (released && !(released->ordering & ordering::releases) && released->at.interval == at.interval &&
      !fenced_between(at, at.position, released->at, one_block))
    return Disorder{Unordered::no_fence_before_unlock, released->code};
  return {};
}

/// Both threads hold a lock at that address during their accesses: either may have come first, so both
/// need both fences.
std::optional<Disorder> Releases::fault_of_lock(const Event& release, const ThreadTime& a,
                                                const ThreadTime& b) const {
  const CriticalSection of_a = critical_section(release.address, a),
                        of_b = critical_section(release.address, b);
  if (!of_a.acquired || !of_b.acquired) return {};
  const bool one_block = a.block == b.block;
  if (auto fault = fault_of(of_a, a, one_block)) return fault;
  return fault_of(of_b, b, one_block);
}

// ---------------------------------------------------------------- order

Disorder Releases::reason(const Event& release, const Event& acquire, const ThreadTime& a,
                          bool one_block) const {
  if (!reaches(release.ordering, one_block)) return {Unordered::atomic_of_block, release.code};
  if (!reaches(acquire.ordering, one_block)) return {Unordered::atomic_of_block, acquire.code};
  if (covers(release, a, true)) return {Unordered::fence_of_block, release.code};
  return {Unordered::fence_too_early, release.code};
}

/// @param why  set when the two threads synchronise, but not well enough
bool Releases::before(const ThreadTime& a, const ThreadTime& b, std::optional<Disorder>& why) const {
  if (const auto released = releases_.find(a.block); released != releases_.end()) {
    const Events& all = released->second;
    auto next = all.begin();
    // Lanes that have met may be replayed the other way round: a few are all looked at.
    if (all.size() > max_searched)
      next =
          std::ranges::upper_bound(all, a.position, {}, [](const Event& event) { return event.at.position; });
    for (; next != all.end(); ++next)
      if (seen(*next, a, b, why)) return true;
  }
  const auto released = object_releases_.find(a.block);
  return released != object_releases_.end() &&
         std::ranges::any_of(released->second, [&](const Event& event) { return seen(event, a, b, why); });
}

/// Whether the release comes after `a` and is seen before `b`. The last atomic before `b` is the most likely
/// one.
bool Releases::seen(const Event& release, const ThreadTime& a, const ThreadTime& b,
                    std::optional<Disorder>& why) const {
  const bool one_block = a.block == b.block;
  if (!comes_after(release, a)) return false;
  const bool covered = covers(release, a, one_block);
  const Events& events = events_at(release.address, b.block);
  for (auto acquire = events.rbegin(); acquire != events.rend(); ++acquire) {
    if (!sees(*acquire, release) || !follows(acquire->at, b)) continue;
    if (!covered || !reaches(acquire->ordering, one_block)) {
      if (!why) why = reason(release, *acquire, a, one_block);
      return false;
    }
    const auto fault = fault_of_lock(release, a, b);
    if (fault) why = fault;
    return !fault;
  }
  return false;
}

/// Whether `a` comes before `b` by what other threads have passed on.
bool Releases::before_by_others(const ThreadTime& a, const ThreadTime& b) {
  std::vector<ThreadTime> reached{a};
  std::map<std::pair<std::uint64_t, std::uint16_t>, std::uint32_t> earliest;  // position, by block and thread
  const auto pass_on = [&](const Event& release, const ThreadTime& from) {
    const bool in_block = covers(release, from, true), everywhere = covers(release, from, false);
    if (!in_block) return false;
    for (const auto& [block, events] : events_.at(release.address))
      for (const Event& acquire : events) {
        if (steps_left_ == 0) return false;
        --steps_left_;
        const bool one_block = block == from.block;
        if (!(one_block || everywhere) || !reaches(acquire.ordering, one_block)) continue;
        if (!sees(acquire, release)) continue;
        if (block == b.block && follows(acquire.at, b)) return true;
        const auto [known, added] = earliest.try_emplace({block, acquire.at.thread}, acquire.at.position);
        if (!added && known->second <= acquire.at.position) continue;
        known->second = acquire.at.position;
        reached.push_back(acquire.at);
      }
    return false;
  };
  while (!reached.empty()) {
    const ThreadTime from = reached.back();
    reached.pop_back();
    for (const ByBlock* all : {&releases_, &object_releases_}) {
      const auto released = all->find(from.block);
      if (released == all->end()) continue;
      for (const Event& release : released->second)
        if (pass_on(release, from)) return true;
    }
  }
  return false;
}

std::optional<Disorder> Releases::disorder(const ThreadTime& a, const ThreadTime& b) {
  if (releases_.empty() && object_releases_.empty()) return Disorder{};
  std::optional<Disorder> why;
  if (before(a, b, why) || before(b, a, why)) return {};
  const bool lock = why && why->why >= Unordered::no_fence_after_lock;
  if (!lock && (before_by_others(a, b) || before_by_others(b, a))) return {};
  return why ? why : Disorder{};
}

}  // namespace ladder::executor
