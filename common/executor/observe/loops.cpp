#include "common/executor/observe/loops.hpp"

#include <algorithm>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/executor/observe/disassembly.hpp"
#include "common/executor/runtime/symbols.hpp"

namespace ladder::executor {
namespace {

using Ends = std::unordered_map<std::uint32_t, std::uint32_t>;

/// Ends of the loops of a function, by where the hooks of the blocks that they begin with return to.
Ends loops_between(std::uintptr_t begin, std::uintptr_t end) {
  std::vector<std::uintptr_t> blocks;                           // where their hooks return to, in order
  std::vector<std::pair<std::uintptr_t, std::uintptr_t>> back;  // jumps: from, to
  each_instruction(begin, end, [&](const Instruction& instruction) {
    if (instruction.begins_block()) blocks.push_back(instruction.next);
    if (const auto to = instruction.jumps_to(); to >= begin && to <= instruction.address)
      back.emplace_back(instruction.address, to);
    return true;
  });
  Ends ends;
  for (const auto& [from, to] : back)
    if (const auto block = std::ranges::upper_bound(blocks, to); block != blocks.end() && *block <= from) {
      std::uint32_t& last = ends[static_cast<std::uint32_t>(*block - program_base())];
      last = std::max(last, static_cast<std::uint32_t>(from - program_base()));
    }
  return ends;
}

}  // namespace

std::uint32_t end_of_loop(std::uint32_t code) {
  static std::mutex mutex;
  static auto* const known = new std::unordered_map<std::uintptr_t, Ends>;  // by the begin of the function
  std::lock_guard lock(mutex);
  const auto [begin, end] = function_around(program_base() + code);
  const auto [found, is_new] = known->try_emplace(begin);
  if (is_new) found->second = loops_between(begin, end);
  const auto last = found->second.find(code);
  return last == found->second.end() ? code : last->second;
}

}  // namespace ladder::executor
