#pragma once
/// @file
/// What was written where, to recognise races in which all write the same value.

#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace ladder::oclgrind_plugin {

/// Bytes that were written since clear().
class Written {
 public:
  void store(std::uint64_t address, std::size_t size, const std::uint8_t* data);
  /// Whether everything that was written to the element which holds this byte was the same.
  bool same(std::uint64_t address) const;
  void clear() { bytes_.clear(); }

 private:
  struct Byte {
    std::uint8_t value = 0;
    bool differs = false;
    std::uint64_t element = 0;  ///< where the store that wrote it began
    std::size_t size = 0;       ///< bytes of that store
  };
  std::unordered_map<std::uint64_t, Byte> bytes_;
};

}  // namespace ladder::oclgrind_plugin
