#pragma once
/// @file
/// Device memory: an address range of its own that the host cannot touch, and the host memory that copies
/// know.

#include <cstddef>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "common/executor/include/executor/memory.h"

namespace ladder::executor {

/// What every byte of device memory holds until it is written: numbers are NaN or -1, so that it shows.
constexpr unsigned char first_contents = 0xFF;

/// One cudaMalloc.
struct Allocation {
  char* begin = nullptr;  ///< what the program got; its end touches a guard page
  std::size_t bytes = 0;
  char* pages = nullptr;  ///< where its pages begin
  std::size_t page_bytes = 0;
  Site site{}, freed{};
  bool live = true;
};

/// Host memory that the program asked CUDA for or registered.
struct HostRange {
  std::size_t bytes;
  HostMemory kind;
  bool registered;  ///< cudaHostRegister: the program owns it
  Site site;
};

/// Pinned or managed memory that the program has freed.
struct FreedHostRange {
  HostRange range;
  Site freed;
  const char* name() const { return range.kind == HostMemory::managed ? "managed memory" : "pinned memory"; }
};

/// All memory of the device. Addresses are never used twice, so that a pointer to freed memory stays an
/// error.
class DeviceMemory {
 public:
  static DeviceMemory& get();

  /// @return null when there is not enough memory.
  void* allocate(std::size_t bytes, Site site);
  /// @return the allocation that began at `pointer`; nothing when none alive did.
  std::optional<Allocation> release(void* pointer, Site site);
  /// Whether an address is one of the device's, allocated or not.
  bool contains(const void* pointer) const;
  /// The allocation that holds the address, dead or alive; or the nearest one for an address outside of all.
  /// @param wait false in signal handlers: nothing is found when another thread holds the lock
  std::optional<Allocation> find(const void* pointer, bool wait = true) const;
  std::size_t used() const;
  std::size_t total() const { return total_; }

  /// Lets this process touch device memory, or no longer: while kernels and copies run. Calls nest.
  void open();
  void close();

  /// Pages of the host. @return null when there is not enough memory
  static void* allocate_host(std::size_t bytes);
  /// Closes them: using them is then an error. The last ones that were freed are remembered.
  void free_host(void* pointer, const HostRange& range, Site site);
  /// @param wait as find()'s
  std::optional<FreedHostRange> find_freed_host(const void* pointer, bool wait = true) const;
  void add_host(void* pointer, HostRange range);
  std::optional<HostRange> remove_host(void* pointer);
  /// The range that holds the address.
  std::optional<HostRange> find_host(const void* pointer) const;
  void add_symbol(const void* symbol, std::size_t bytes);
  /// Bytes from the address to the end of its __device__ variable, when cudaGetSymbolAddress was asked for
  /// it.
  std::optional<std::size_t> find_symbol(const void* pointer) const;

 private:
  DeviceMemory();
  void protect(const Allocation& allocation, int protection) const;

  mutable std::mutex mutex_;
  char *range_ = nullptr, *range_end_ = nullptr, *next_ = nullptr;
  std::size_t total_ = 0, used_ = 0;
  int open_ = 0;
  std::map<const char*, Allocation> allocations_;  // by begin
  std::vector<const char*> dead_;                  // oldest first
  std::map<const char*, HostRange> host_;
  std::map<const char*, FreedHostRange> freed_host_;
  std::deque<char*> freed_host_order_;  // oldest first
  std::size_t freed_host_bytes_ = 0;
  std::map<const char*, std::size_t> symbols_;
};

/// Device memory may be touched while it lives.
class DeviceAccess {
 public:
  DeviceAccess() { DeviceMemory::get().open(); }
  ~DeviceAccess() { DeviceMemory::get().close(); }
  DeviceAccess(const DeviceAccess&) = delete;
  DeviceAccess& operator=(const DeviceAccess&) = delete;
};

}  // namespace ladder::executor
