#include "common/trace/oclgrind_plugin/written.hpp"

namespace ladder::oclgrind_plugin {

void Written::store(std::uint64_t address, std::size_t size, const std::uint8_t* data) {
  for (std::size_t i = 0; i < size; ++i) {
    const auto [found, is_new] = bytes_.try_emplace(address + i, Byte{data[i], false, address, size});
    if (!is_new) found->second.differs |= found->second.value != data[i];
  }
}

bool Written::same(std::uint64_t address) const {
  const auto found = bytes_.find(address);
  if (found == bytes_.end()) return false;
  // The lowest byte of 1.0 and 2.0 is the same: the whole element counts.
  const Byte& here = found->second;
  for (std::size_t i = 0; i < here.size; ++i)
    if (const auto byte = bytes_.find(here.element + i); byte == bytes_.end() || byte->second.differs)
      return false;
  return true;
}

}  // namespace ladder::oclgrind_plugin
