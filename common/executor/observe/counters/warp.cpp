#include "common/executor/observe/counters/warp.hpp"

#include <algorithm>
#include <cstring>

#include "common/executor/observe/addresses/address_lookup.hpp"
#include "common/executor/observe/kernel_values.hpp"

namespace ladder::executor {
namespace {

constexpr std::size_t first_words = 512;

/// Calls f(lane) for each lane of the mask.
template <class Function>
inline void each(std::uint32_t mask, Function f) {
  if (mask == 0xFFFFFFFFu) {
    for (unsigned lane = 0; lane < 32; ++lane) f(lane);
  } else {
    for (; mask; mask &= mask - 1) f(static_cast<unsigned>(__builtin_ctz(mask)));
  }
}

Operation operation_of(Kind kind) {
  switch (kind) {
    case Kind::load:
    case Kind::atomic_load:
      return Operation::load;
    case Kind::store:
    case Kind::atomic_store:
      return Operation::store;
    case Kind::copy:
      return Operation::copy;
    case Kind::fence:
      return Operation::fence;
    default:
      return Operation::atomic;
  }
}

/// The object of a logged address: the hook has looked it up before, so that it is mostly cached.
const Object& object_of(std::uint64_t address, Word word) {
  const auto* pointer = reinterpret_cast<const char*>(address);
  const Recorder::Place& place = recorder.place(code_of(word));
  if (place.object && pointer >= place.begin && pointer < place.end) return *place.object;
  return *object_at(pointer, size_of(word), operation_of(kind_of(word)), code_of(word));
}

}  // namespace

LogMemory::LogMemory() {
  size_.fill(first_words);
  for (auto& words : words_) words = std::make_unique_for_overwrite<Word[]>(first_words);
}

LaneLog LogMemory::enlarged(unsigned lane, const LaneLog& log) {
  auto words = std::make_unique_for_overwrite<Word[]>(2 * size_[lane]);
  const auto used = static_cast<std::size_t>(log.next - log.begin);
  std::memcpy(words.get(), log.begin, used * sizeof(Word));
  words_[lane] = std::move(words);
  size_[lane] *= 2;
  LaneLog result = this->log(lane);
  result.next += used;
  return result;
}

void Replay::run() {
  for (unsigned lane = 0; lane < 32; ++lane) {
    at_[lane] = warp_.log[lane].begin;
    if (warp_.log[lane].begin != warp_.log[lane].next)
      open_ |= 1u << lane;
    else if (warp_.going_on >> lane & 1)
      waiting_ = true;
  }
  while (open_ && !waiting_) step(next_group());
  keep_rest();
}

/// Lanes that execute the next entry together.
std::uint32_t Replay::next_group() {
  const auto lead = static_cast<unsigned>(__builtin_ctz(open_));
  const Word word = *at_[lead];
  Word differs = 0;
  each(open_,
       [&](unsigned lane) { differs |= (*at_[lane] ^ word) | (warp_.depth[lane] ^ warp_.depth[lead]); });
  if (!differs) return open_;
  std::uint64_t first = ~std::uint64_t{0};
  unsigned chosen = lead;
  each(open_, [&](unsigned lane) {
    if (const std::uint64_t t = turn(lane); t < first) {
      first = t;
      chosen = lane;
    }
  });
  std::uint32_t group = 0;
  each(open_, [&](unsigned lane) {
    if (*at_[lane] == *at_[chosen] && warp_.depth[lane] == warp_.depth[chosen]) group |= 1u << lane;
  });
  return group;
}

/// Smaller turns go first. A call has the turn of the calling code, not of the function.
std::uint64_t Replay::turn(unsigned lane) {
  if (turn_[lane]) return turn_[lane];
  const Word word = *at_[lane];
  if (kind_of(word) == Kind::meeting) return 0;
  const std::uint32_t position = warp_.position[lane];
  const std::uint32_t code = kind_of(word) == Kind::call && position ? position : code_of(word);
  if (!flow_ || !flow_->holds(code)) flow_ = &ControlFlow::around(code);
  const std::uint32_t place = flow_->turn(kind_of(word) == Kind::block ? position : 0, code);
  return turn_[lane] = std::uint64_t{~warp_.depth[lane]} << 32 | place;
}

void Replay::step(std::uint32_t group) {
  const auto lead = static_cast<unsigned>(__builtin_ctz(group));
  const Word word = *at_[lead];
  const Kind kind = kind_of(word);
  switch (kind) {
    case Kind::block: {
      SiteBlock& block = totals_.blocks.at(code_of(word));
      const auto lanes = static_cast<unsigned>(__builtin_popcount(group));
      ++block.warps;
      block.lanes += lanes;
      if (const std::uint32_t branch = warp_.parted[lead]; branch && lanes < 32)
        branch_at(branch).idle += 32 - lanes;
      break;
    }
    case Kind::branch:
      skipped_.ran(code_of(word), group & ~warp_.live, group & warp_.live);
      branch(word, group);
      break;
    case Kind::call:
      each(group, [&](unsigned lane) {
        ++warp_.depth[lane];
        warp_.callers[lane].push_back(warp_.position[lane]);
      });
      break;
    case Kind::leave:
      each(group, [&](unsigned lane) { leave(lane); });
      break;
    case Kind::meeting:
      each(group, [&](unsigned lane) { ++warp_.meetings[lane]; });
      break;
    default:
      skipped_.ran(code_of(word), group & ~warp_.live, group & warp_.live);
      request(word, group);
  }
  if (kind != Kind::meeting && kind != Kind::leave)
    each(group, [&](unsigned lane) { warp_.position[lane] = code_of(word); });
  advance(group, words_of(kind));
}

void Replay::leave(unsigned lane) {
  --warp_.depth[lane];
  std::vector<std::uint32_t>& callers = warp_.callers[lane];
  if (callers.empty()) return;  // of a function that was called before the kernel began
  warp_.position[lane] = callers.back();
  callers.pop_back();
}

/// A comparison is the branch of its block when the next entry is another block.
void Replay::branch(Word word, std::uint32_t group) {
  Word target = 0;
  bool jump = true, divergent = false;
  each(group, [&](unsigned lane) {
    const Word* next = at_[lane] + 1;
    if (next == warp_.log[lane].next || kind_of(*next) != Kind::block) {
      jump = false;
    } else {
      divergent |= target != 0 && target != *next;
      target = *next;
    }
  });
  if (!jump) return;
  SiteBranches& site = branch_at(code_of(word));
  ++site.executed;
  site.divergent += divergent;
  if (divergent) each(group, [&](unsigned lane) { warp_.parted[lane] = code_of(word); });
}

SiteBranches& Replay::branch_at(std::uint32_t code) {
  SiteBranches& site = totals_.branches.at(code);
  site.code = code;
  return site;
}

void Replay::request(Word word, std::uint32_t group) {
  const Kind kind = kind_of(word);
  Request request{context_};
  request.warp = number_;
  request.code = code_of(word);
  request.operation = operation_of(kind);
  request.atomic = kind >= Kind::atomic_load;
  request.is_volatile = word & volatile_access;
  request.ordering = ordering_of(word);
  request.size = static_cast<std::uint8_t>(size_of(word));
  request.mask = group;
  request.meetings = warp_.meetings.data();
  if (kind == Kind::fence) {
    static const Object nowhere;
    request.object = &nowhere;
    finding_detectors().add(request);
    return;
  }
  Addresses addresses;
  addresses.mask = group;
  addresses.size = request.size;
  if (group != 0xFFFFFFFFu)
    addresses.lane.fill(address_of(at_[static_cast<unsigned>(__builtin_ctz(group))][1]));
  each(group, [&](unsigned lane) { addresses.lane[lane] = address_of(at_[lane][1]); });
  std::array<std::uint16_t, 32> undefined;
  if (is_read(kind)) {
    each(group,
         [&](unsigned lane) { undefined[lane] = static_cast<std::uint16_t>(at_[lane][1] >> address_bits); });
    request.undefined = undefined.data();
  }
  std::array<std::uint64_t, 32> values;
  if (kind >= Kind::store) {
    each(group, [&](unsigned lane) { values[lane] = at_[lane][2]; });
    request.value = values.data();
  }
  request.object = &object_of(addresses.first(), word);
  request.space = request.object->space;
  request.address = addresses.lane.data();
  if (kind == Kind::copy)
    return finding_detectors().add(request);  // what it writes is counted when it has arrived
  totals_.accesses += static_cast<unsigned>(__builtin_popcount(group));
  totals_.results += request.operation != Operation::load && request.space != Space::shared;
  // A copy loads and stores at one code address, and its pointers may be to different memory.
  const unsigned what = static_cast<unsigned>(request.operation) << 4 | static_cast<unsigned>(request.space);
  SiteCounters& site = totals_.sites.at(std::uint64_t{request.code} << 8 | what);
  if (site.requests == 0) {
    site.code = request.code;
    site.space = request.space;
    site.operation = request.operation;
    site.size = request.size;
  }
  site.count(request, addresses);
  KernelValues::get().add(request);
  finding_detectors().add(request);
}

void Replay::advance(std::uint32_t group, std::size_t words) {
  each(group, [&](unsigned lane) {
    at_[lane] += words;
    turn_[lane] = 0;
    if (at_[lane] == warp_.log[lane].next) {
      open_ &= ~(1u << lane);
      waiting_ |= warp_.going_on >> lane & 1;
    }
  });
}

/// What was not replayed moves to the front of its log.
void Replay::keep_rest() {
  for (unsigned lane = 0; lane < 32; ++lane) {
    LaneLog& log = warp_.log[lane];
    const auto rest = static_cast<std::size_t>(log.next - at_[lane]);
    if (rest > 0) std::memmove(log.begin, at_[lane], rest * sizeof(Word));
    log.next = log.begin + rest;
  }
}

}  // namespace ladder::executor
