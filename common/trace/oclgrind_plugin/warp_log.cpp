#include "common/trace/oclgrind_plugin/warp_log.hpp"

namespace ladder::oclgrind_plugin {
namespace {

constexpr std::size_t max_kept = 500'000;  // executions of a warp between two barriers: 130 MB

bool same(const Place& a, const Place& b) {
  return a.action == b.action && a.size == b.size;
}

}  // namespace

WarpLog::Entry& WarpLog::entry_of(const llvm::Instruction* raw, const Place& place) {
  const auto at = [this](int index) -> Entry& { return entries_[static_cast<std::size_t>(index)]; };
  if (last_ >= 0 && at(last_).raw == raw && same(at(last_).place, place)) return at(last_);
  const auto [found, is_new] = first_.try_emplace(raw, static_cast<int>(entries_.size()));
  last_ = found->second;
  while (!is_new && !same(at(last_).place, place)) {
    if (at(last_).next < 0) at(last_).next = static_cast<int>(entries_.size());
    last_ = at(last_).next;
    if (last_ == static_cast<int>(entries_.size())) break;
  }
  if (last_ == static_cast<int>(entries_.size())) entries_.push_back({raw, place, {}, {}, 0, -1});
  return at(last_);
}

bool WarpLog::add(const llvm::Instruction* raw, const Place& place, unsigned lane, std::uint64_t value) {
  Entry& entry = entry_of(raw, place);
  const std::size_t k = entry.executed[lane];
  if (k == entry.used) {
    if (kept_ == max_kept) return false;
    ++kept_;
    if (entry.used++ == entry.executions.size()) entry.executions.emplace_back();
    entry.executions[k].mask = 0;
  }
  ++entry.executed[lane];
  entry.executions[k].mask |= 1u << lane;
  entry.executions[k].value[lane] = value;
  return true;
}

void WarpLog::flush(const std::function<void(const Place&, const Execution&)>& show) {
  for (Entry& entry : entries_) {
    for (std::size_t k = 0; k < entry.used; ++k) show(entry.place, entry.executions[k]);
    entry.used = 0;
    entry.executed.fill(0);
  }
  kept_ = 0;
}

}  // namespace ladder::oclgrind_plugin
