#pragma once
/// @file
/// The names that a kernel's source has for memory.

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "common/trace/oclgrind_plugin/oclgrind.hpp"

namespace ladder::oclgrind_plugin {

/// Where an address lies.
struct Location {
  std::string object;       ///< the kernel's parameter or local array; "" when it lies in none
  std::int64_t offset = 0;  ///< negative before its beginning
  std::uint64_t size = 0;
};

/// What the parameters and local arrays of the running kernel are.
class Objects {
 public:
  void kernel_begins(const oclgrind::Context* context, const oclgrind::Kernel* kernel);
  /// Local arrays have their places only when a group has begun; they are the same in each.
  void group_begins(const oclgrind::WorkGroup* group);
  Location find(bool local, std::uint64_t address) const;

 private:
  struct Object {
    std::string name;
    std::uint64_t size = 0;
  };
  const oclgrind::Memory* memory_ = nullptr;
  const oclgrind::Kernel* kernel_ = nullptr;
  std::map<std::size_t, Object> buffers_, arrays_;  ///< by the number in the address
  bool has_arrays_ = false;
  mutable std::mutex mutex_;
};

}  // namespace ladder::oclgrind_plugin
