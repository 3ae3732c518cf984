#include "common/executor/observe/counters/control_flow.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <set>

#include "common/executor/observe/counters/disassembly.hpp"
#include "common/executor/runtime/symbols.hpp"

namespace ladder::executor {

const ControlFlow& ControlFlow::around(std::uint32_t place) {
  static std::mutex mutex;
  static auto* const known = new std::map<std::uintptr_t, std::unique_ptr<const ControlFlow>>;
  std::lock_guard lock(mutex);
  const std::uintptr_t base = program_base();
  // The hook's call, not what it returns to: that may be another function.
  auto [begin, end] = function_around(base + place - 1);
  if (begin == end) begin = base + place - 1, end = base + place;  // no function is known: no order in it
  std::unique_ptr<const ControlFlow>& flow = (*known)[begin];
  if (!flow)
    flow.reset(
        new ControlFlow(static_cast<std::uint32_t>(begin - base), static_cast<std::uint32_t>(end - base)));
  return *flow;
}

std::uint32_t ControlFlow::turn(std::uint32_t from, std::uint32_t to) const {
  const Block& there = blocks_[block_of_[to - 1 - begin_]];
  if (!holds(from)) return there.turn;
  const Block& here = blocks_[block_of_[from - 1 - begin_]];
  if (there.turn > here.turn || (there.turn == here.turn && to > from)) return there.turn;
  for (int inner = here.loop; inner != none; inner = loops_[inner].outer)
    for (int other = there.loop; other != none; other = loops_[other].outer)
      if (inner == other) return loops_[inner].next_round;
  return there.turn;
}

ControlFlow::ControlFlow(std::uint32_t begin, std::uint32_t end) : begin_(begin) {
  read(begin, end);
  std::vector<std::size_t> all(blocks_.size());
  for (std::size_t b = 0; b < all.size(); ++b) all[b] = b;
  nest(all, none);
  put_in_order(all, none);
}

void ControlFlow::read(std::uint32_t begin, std::uint32_t end) {
  struct Jump {
    std::uint32_t next, to;
    bool leaves, inside;  ///< `to` is in the function
  };
  const std::uintptr_t base = program_base();
  const auto offset = [&](std::uintptr_t address) { return static_cast<std::uint32_t>(address - base); };
  std::vector<Jump> jumps;
  std::set<std::uint32_t> begins{begin};
  each_instruction(base + begin, base + end, [&](const Instruction& i) {
    const std::uintptr_t to = i.jumps_to();
    if (!to && !i.leaves()) return true;
    const bool inside = to >= base + begin && to < base + end;
    jumps.push_back({offset(i.next), offset(to), i.leaves(), inside});
    begins.insert(offset(i.next));
    if (inside) begins.insert(offset(to));
    return true;
  });
  // Block b is from at[b] to at[b + 1].
  std::vector<std::uint32_t> at(begins.begin(), begins.lower_bound(end));
  blocks_.resize(at.size());
  at.push_back(end);
  for (std::size_t b = 0; b < blocks_.size(); ++b)
    block_of_.resize(at[b + 1] - begin, static_cast<std::uint32_t>(b));
  auto jump = jumps.begin();
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    while (jump != jumps.end() && jump->next < at[b + 1]) ++jump;
    const bool jumps_at_end = jump != jumps.end() && jump->next == at[b + 1];
    if (jumps_at_end && jump->inside) blocks_[b].next.push_back(block_of_[jump->to - begin]);
    if (!(jumps_at_end && jump->leaves) && b + 1 < blocks_.size()) blocks_[b].next.push_back(b + 1);
  }
  // Code that is never reached, like the padding after a jump, leads nowhere.
  std::vector<bool> met = reached(0, &Block::next, std::vector<bool>(blocks_.size(), true));
  met[0] = true;
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    if (!met[b]) blocks_[b].next.clear();
    for (const std::size_t to : blocks_[b].next) blocks_[to].before.push_back(b);
  }
}

/// Marks what can be reached from a block along `edges` without leaving the blocks that are `inside`; itself
/// only when it is in a cycle.
std::vector<bool> ControlFlow::reached(std::size_t from, std::vector<std::size_t> Block::*edges,
                                       const std::vector<bool>& inside) const {
  std::vector<bool> seen(blocks_.size());
  std::vector<std::size_t> open{from};
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    for (const std::size_t b : blocks_[at].*edges)
      if (inside[b] && !seen[b]) seen[b] = true, open.push_back(b);
  }
  return seen;
}

/// Finds the loops within some blocks. Each loop has a jump back, and so a block that is reached from a later
/// one.
void ControlFlow::nest(const std::vector<std::size_t>& some, int outer) {
  std::vector<bool> inside(blocks_.size());
  for (const std::size_t b : some) inside[b] = true;
  for (const std::size_t first : some) {
    const auto& before = blocks_[first].before;
    const auto from_behind = [&](std::size_t b) { return inside[b] && b >= first; };
    if (blocks_[first].loop != outer || std::none_of(before.begin(), before.end(), from_behind)) continue;
    const auto forth = reached(first, &Block::next, inside), back = reached(first, &Block::before, inside);
    if (!forth[first]) continue;
    const int number = static_cast<int>(loops_.size());
    Loop loop{.outer = outer, .members = {}, .entered = std::vector<bool>(blocks_.size())};
    std::vector<std::size_t> rest;
    const auto outside = [&](std::size_t b) { return !(forth[b] && back[b]); };
    for (const std::size_t b : some) {
      if (outside(b)) continue;
      loop.members.push_back(b);
      blocks_[b].loop = number;
      const auto& ways = blocks_[b].before;
      loop.entered[b] = b == 0 || std::any_of(ways.begin(), ways.end(), outside);
      if (!loop.entered[b]) rest.push_back(b);
    }
    if (rest.size() == loop.members.size()) {  // nothing leads there
      loop.entered[rest.front()] = true;
      rest.erase(rest.begin());
    }
    loops_.push_back(std::move(loop));
    nest(rest, number);
  }
}

/// The item of a loop that contains a block: the block itself, or an inner loop. Loops are numbered after the
/// blocks.
std::size_t ControlFlow::item_of(std::size_t block, int loop) const {
  int inner = blocks_[block].loop;
  if (inner == loop) return block;
  while (loops_[inner].outer != loop) inner = loops_[inner].outer;
  return blocks_.size() + static_cast<std::size_t>(inner);
}

/// Orders the blocks of a loop, or of the whole function: among those whose predecessors are all ordered, the
/// first in the code comes next. The edges back to where the loop is entered do not count.
void ControlFlow::put_in_order(const std::vector<std::size_t>& some, int loop) {
  std::map<std::size_t, std::size_t> waits_for;          // by item: the number of edges to it
  std::map<std::size_t, std::vector<std::size_t>> next;  // by item
  std::map<std::size_t, std::size_t> first;              // block of an item
  std::vector<bool> inside(blocks_.size());
  for (const std::size_t b : some) {
    inside[b] = true;
    first.try_emplace(item_of(b, loop), b);
  }
  for (const std::size_t b : some)
    for (const std::size_t to : blocks_[b].next) {
      if (!inside[to] || (loop != none && loops_[loop].entered[to])) continue;
      const std::size_t here = item_of(b, loop), there = item_of(to, loop);
      if (here == there) continue;
      next[here].push_back(there);
      ++waits_for[there];
    }
  std::set<std::pair<std::size_t, std::size_t>> ready;  // first block, item
  for (const auto& [item, block] : first)
    if (waits_for.count(item) == 0) ready.emplace(block, item);
  while (!ready.empty()) {
    const std::size_t item = ready.begin()->second;
    ready.erase(ready.begin());
    if (item < blocks_.size())
      blocks_[item].turn = ++turns_;
    else
      put_in_order(loops_[item - blocks_.size()].members, static_cast<int>(item - blocks_.size()));
    for (const std::size_t there : next[item])
      if (--waits_for[there] == 0) ready.emplace(first[there], there);
  }
  if (loop != none) loops_[loop].next_round = ++turns_;
}

}  // namespace ladder::executor
