#include "common/executor/runtime/memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "common/executor/runtime/fault.hpp"
#include "common/executor/runtime/observer.hpp"
#include "common/executor/runtime/pages.hpp"
#include "common/executor/runtime/report.hpp"

namespace ladder::executor {
namespace {

/// Of large allocations only so much at both ends is closed to the host: closing costs time for every page.
constexpr std::size_t closed_ends = 256 * 1024;
constexpr std::size_t max_freed_allocations = 4096;
/// From this size on memory is filled when it is touched: a program that allocates everything does not use
/// all of it.
constexpr std::size_t large = std::size_t{256} << 20;
constexpr std::size_t pattern_bytes = std::size_t{64} << 20;
constexpr std::size_t max_freed_host_bytes = std::size_t{1} << 30;

char* map(char* address, std::size_t bytes, int protection, int flags) {
  void* memory = mmap(address, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<char*>(memory);
}

/// A file in memory that holds what device memory holds at first; below 0 when the system gives none.
int pattern_file() {
  static const int file = [] {
    const int made = memfd_create("first contents", MFD_CLOEXEC);
    if (made < 0 || ftruncate(made, pattern_bytes) != 0) return -1;
    void* memory = mmap(nullptr, pattern_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, made, 0);
    if (memory == MAP_FAILED) return -1;
    std::memset(memory, first_contents, pattern_bytes);
    munmap(memory, pattern_bytes);
    return made;
  }();
  return file;
}

/// Every page is a private copy of the pattern's, made when it is written.
bool map_pattern(char* pages, std::size_t bytes) {
  if (pattern_file() < 0) return false;
  for (std::size_t at = 0; at < bytes; at += pattern_bytes)
    if (mmap(pages + at, std::min(pattern_bytes, bytes - at), PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_NORESERVE | MAP_FIXED, pattern_file(), 0) == MAP_FAILED)
      return false;
  return true;
}

/// Whether memory can be had at that address.
bool usable(char* address) {
  char* memory = map(address, page_size(), PROT_NONE, MAP_FIXED_NOREPLACE);
  if (memory) munmap(memory, page_size());
  return memory == address;
}

}  // namespace

DeviceMemory& DeviceMemory::get() {
  static DeviceMemory* const memory = new DeviceMemory;  // never destroyed: the pool outlives static objects
  return *memory;
}

DeviceMemory::DeviceMemory() {
  watch_faults();
  // Far from where programs and libraries lie, so that a device pointer is known by its look. Nothing is
  // reserved: nobody else takes addresses there. Systems with fewer address bits reserve a range wherever
  // there is one.
  std::size_t bytes = std::size_t{1} << 42;
  range_ = reinterpret_cast<char*>(0x500000000000);
  if (!usable(range_)) range_ = map(nullptr, bytes = std::size_t{1} << 36, PROT_NONE, 0);
  if (!range_) fatal({}, "no address range for device memory");
  range_end_ = range_ + bytes;
  next_ = range_ + (1 << 21);
  const auto physical =
      static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const auto limit = static_cast<std::size_t>(setting("LADDER_EXECUTOR_MEMORY", 6144, 1, 1 << 20)) << 20;
  total_ = std::min(limit, physical / 2);
}

void* DeviceMemory::allocate(std::size_t bytes, Site site) {
  std::lock_guard lock(mutex_);
  if (bytes > total_ - used_) return nullptr;
  const std::size_t page_bytes = whole_pages(bytes);
  if (page_bytes + page_size() > static_cast<std::size_t>(range_end_ - next_)) return nullptr;
  char* pages = next_;
  if (map(pages, page_bytes, PROT_READ | PROT_WRITE, MAP_FIXED) != pages) return nullptr;
  next_ += page_bytes + page_size();
  if (page_bytes < large || !map_pattern(pages, page_bytes)) std::memset(pages, first_contents, page_bytes);
  // The end touches the guard page. An observer checks the end itself, and needs the sectors of a GPU.
  const std::size_t alignment = observer ? 256 : 16;
  char* begin = pages + page_bytes - (bytes + alignment - 1) / alignment * alignment;
  const Allocation& allocation = allocations_[begin] = {begin, bytes, pages, page_bytes, site, {}, true};
  if (open_ == 0) protect(allocation, PROT_NONE);
  used_ += bytes;
  return begin;
}

std::optional<Allocation> DeviceMemory::release(void* pointer, Site site) {
  std::lock_guard lock(mutex_);
  const auto found = allocations_.find(static_cast<char*>(pointer));
  if (found == allocations_.end() || !found->second.live) return {};
  Allocation& allocation = found->second;
  allocation.live = false;
  allocation.freed = site;
  map(allocation.pages, allocation.page_bytes, PROT_NONE, MAP_FIXED);
  used_ -= allocation.bytes;
  const Allocation result = allocation;
  dead_.push_back(allocation.begin);
  if (dead_.size() > max_freed_allocations) {
    for (std::size_t i = 0; i < max_freed_allocations / 2; ++i) allocations_.erase(dead_[i]);
    dead_.erase(dead_.begin(), dead_.begin() + max_freed_allocations / 2);
  }
  return result;
}

bool DeviceMemory::contains(const void* pointer) const {
  return pointer >= range_ && pointer < range_end_;
}

std::optional<Allocation> DeviceMemory::find(const void* pointer, bool wait) const {
  std::unique_lock lock(mutex_, std::defer_lock);
  if (wait)
    lock.lock();
  else if (!lock.try_lock())
    return {};
  const auto* address = static_cast<const char*>(pointer);
  const auto after = allocations_.upper_bound(address);
  if (after == allocations_.begin()) {
    if (after == allocations_.end()) return {};
    return after->second;
  }
  const Allocation& before = std::prev(after)->second;
  const char* end = before.begin + before.bytes;
  // Between two of them: a step too far from one, or a step back from the other; the nearer one.
  const bool nearer_to_next =
      after != allocations_.end() && address >= end && after->first - address < address - end;
  return nearer_to_next ? after->second : before;
}

std::size_t DeviceMemory::used() const {
  std::lock_guard lock(mutex_);
  return used_;
}

void DeviceMemory::protect(const Allocation& allocation, int protection) const {
  if (observer || allocation.page_bytes <= 2 * closed_ends) {
    mprotect(allocation.pages, allocation.page_bytes, protection);
  } else {
    mprotect(allocation.pages, closed_ends, protection);
    mprotect(allocation.pages + allocation.page_bytes - closed_ends, closed_ends, protection);
  }
}

void DeviceMemory::open() {
  std::lock_guard lock(mutex_);
  if (open_++ > 0) return;
  for (const auto& [begin, allocation] : allocations_)
    if (allocation.live) protect(allocation, PROT_READ | PROT_WRITE);
}

void DeviceMemory::close() {
  std::lock_guard lock(mutex_);
  if (--open_ > 0) return;
  for (const auto& [begin, allocation] : allocations_)
    if (allocation.live) protect(allocation, PROT_NONE);
}

void* DeviceMemory::allocate_host(std::size_t bytes) {
  return map(nullptr, whole_pages(bytes), PROT_READ | PROT_WRITE, 0);
}

void DeviceMemory::free_host(void* pointer, const HostRange& range, Site site) {
  std::lock_guard lock(mutex_);
  auto* const begin = static_cast<char*>(pointer);
  map(begin, whole_pages(range.bytes), PROT_NONE, MAP_FIXED);
  freed_host_[begin] = {range, site};
  freed_host_order_.push_back(begin);
  freed_host_bytes_ += range.bytes;
  while (freed_host_bytes_ > max_freed_host_bytes || freed_host_order_.size() > max_freed_allocations) {
    const auto oldest = freed_host_.find(freed_host_order_.front());
    const std::size_t bytes = oldest->second.range.bytes;
    munmap(freed_host_order_.front(), whole_pages(bytes));
    freed_host_bytes_ -= bytes;
    freed_host_.erase(oldest);
    freed_host_order_.pop_front();
  }
}

std::optional<FreedHostRange> DeviceMemory::find_freed_host(const void* pointer, bool wait) const {
  std::unique_lock lock(mutex_, std::defer_lock);
  if (wait)
    lock.lock();
  else if (!lock.try_lock())
    return {};
  const auto* address = static_cast<const char*>(pointer);
  const auto after = freed_host_.upper_bound(address);
  if (after == freed_host_.begin()) return {};
  const auto& [begin, freed] = *std::prev(after);
  if (address >= begin + freed.range.bytes) return {};
  return freed;
}

void DeviceMemory::add_host(void* pointer, HostRange range) {
  std::lock_guard lock(mutex_);
  host_[static_cast<char*>(pointer)] = range;
}

std::optional<HostRange> DeviceMemory::remove_host(void* pointer) {
  std::lock_guard lock(mutex_);
  const auto found = host_.find(static_cast<char*>(pointer));
  if (found == host_.end()) return {};
  const HostRange range = found->second;
  host_.erase(found);
  return range;
}

std::optional<HostRange> DeviceMemory::find_host(const void* pointer) const {
  std::lock_guard lock(mutex_);
  const auto* address = static_cast<const char*>(pointer);
  const auto after = host_.upper_bound(address);
  if (after == host_.begin()) return {};
  const auto& [begin, range] = *std::prev(after);
  if (address >= begin + range.bytes) return {};
  return range;
}

void DeviceMemory::add_symbol(const void* symbol, std::size_t bytes) {
  std::lock_guard lock(mutex_);
  symbols_[static_cast<const char*>(symbol)] = bytes;
}

std::optional<std::size_t> DeviceMemory::find_symbol(const void* pointer) const {
  std::lock_guard lock(mutex_);
  const auto* address = static_cast<const char*>(pointer);
  const auto after = symbols_.upper_bound(address);
  if (after == symbols_.begin()) return {};
  const auto& [begin, bytes] = *std::prev(after);
  if (address >= begin + bytes) return {};
  return static_cast<std::size_t>(begin + bytes - address);
}

}  // namespace ladder::executor
