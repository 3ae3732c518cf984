#pragma once
/// @file
/// The objects that kernels access, with the detectors' data for each.

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "common/executor/include/executor/memory.h"
#include "common/executor/observe/counters/request.hpp"
#include "common/executor/observe/races/shadow_memory.hpp"
#include "common/executor/runtime/block/block.hpp"

namespace ladder::executor {

class DefinedBytes;
struct DataVariable;

/// The kind of the object, in addition to its space.
enum class ObjectKind : std::uint8_t {
  device,
  pinned,
  managed,
  variable,
  static_shared,
  dynamic_shared,
  other
};

/// An object with its shadow memory. All Objects of the observed mode are of this type.
struct TrackedObject : Object {
  ObjectKind kind = ObjectKind::other;
  Site made{};                         ///< allocations: the line that called for it
  unsigned nth_at_line = 0;            ///< number of earlier allocations at that line
  std::uint64_t leak_counts_from = 0;  ///< the record in which it was made
  std::uintptr_t key = 0;  ///< variables: offset in thread-local memory, or address less the program's base
  std::string symbol;      ///< variables: mangled name
  const std::string* kernel = nullptr;    ///< static_shared: SharedVariable::kernel
  ShadowRegion cells;                     ///< who accessed it
  std::shared_ptr<DefinedBytes> defined;  ///< device memory: what has a value; null: all

  std::size_t bytes() const { return static_cast<std::size_t>(end - begin); }
};

inline TrackedObject& tracked(const Object& object) {
  return const_cast<TrackedObject&>(static_cast<const TrackedObject&>(object));
}

/// An address among static shared variables where the running kernel has none.
struct OutsideShared {
  const TrackedObject* there;    ///< another kernel's variable; null: nobody's
  const TrackedObject* nearest;  ///< of those that the kernel has; null when it has none
};

/// All objects of the process. Any thread may call it.
class Objects {
 public:
  static Objects& get();

  TrackedObject& add_device(const void* begin, std::size_t bytes, Site site);
  TrackedObject& add_host(const void* begin, std::size_t bytes, HostMemory kind, Site site);
  /// Freed objects can still be found until the launch ends.
  void remove(const void* begin);
  void launch_begins();

  /// For the block that the calling CPU thread runs; null when the address is in no object that a kernel may
  /// access.
  TrackedObject* find(const void* address);
  /// Nothing when the address lies elsewhere, or in a shared variable that the kernel has.
  std::optional<OutsideShared> outside_shared(const void* address);
  /// An allocation, or a variable of the device.
  TrackedObject* find_allocation(const void* address);
  /// Pinned or managed memory that contains the address; fast.
  TrackedObject* find_host(const void* address);
  /// Pinned or managed memory that ends shortly before the address, or begins shortly after it.
  TrackedObject* near_host(const void* address);
  /// Allocations of the device that are alive, by address.
  std::vector<TrackedObject*> device_allocations();

 private:
  TrackedObject& add(const void* begin, std::size_t bytes, Space space, ObjectKind kind, Site site);
  TrackedObject* find_shared(const void* address, const BlockRunner& runner);
  TrackedObject* find_variable(const void* address);
  TrackedObject* variable(const DataVariable& data);

  std::mutex mutex_;
  std::map<const char*, std::unique_ptr<TrackedObject>> allocations_, variables_;
  std::vector<std::unique_ptr<TrackedObject>> removed_;
  std::map<std::pair<std::string, int>, unsigned> made_at_;
  std::uint64_t allocations_made_ = 0;
};

}  // namespace ladder::executor
