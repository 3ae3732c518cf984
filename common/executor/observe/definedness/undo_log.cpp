#include "common/executor/observe/definedness/undo_log.hpp"

#include <algorithm>
#include <cstring>

namespace ladder::executor {

UndoLog::UndoLog() : entries_(std::make_unique_for_overwrite<Entry[]>(capacity)) {}

void UndoLog::add(const void* address, unsigned size) {
  if (!complete()) return;
  Entry& entry = entries_[next_++];
  entry.address = static_cast<char*>(const_cast<void*>(address));
  entry.size = size;
  std::memcpy(entry.bytes, address, size);
}

void UndoLog::roll_back() const {
  for (std::size_t i = next_; i-- > 0;) std::memcpy(entries_[i].address, entries_[i].bytes, entries_[i].size);
}

std::vector<std::pair<const char*, char>> UndoLog::current_bytes() const {
  std::vector<std::pair<const char*, char>> all;
  for (std::size_t i = 0; i < next_; ++i)
    for (unsigned byte = 0; byte < entries_[i].size; ++byte)
      all.emplace_back(entries_[i].address + byte, entries_[i].address[byte]);
  std::ranges::sort(all);
  const auto repeated = std::ranges::unique(all);
  all.erase(repeated.begin(), repeated.end());
  return all;
}

}  // namespace ladder::executor
