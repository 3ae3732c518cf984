#include "common/executor/runtime/device_heap.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "common/executor/include/executor/heap.h"
#include "common/executor/runtime/block/block.hpp"
#include "common/executor/runtime/memory.hpp"
#include "common/executor/runtime/observer.hpp"
#include "common/executor/runtime/report.hpp"

namespace ladder::executor {
namespace {

constexpr std::size_t alignment = 16;
/// Between pieces: what is written past the end of one does not reach the next.
constexpr std::size_t gap = 16;

std::size_t rounded(std::size_t bytes) {
  return (bytes + alignment - 1) / alignment * alignment;
}

}  // namespace

DeviceHeap& DeviceHeap::get() {
  static DeviceHeap* const heap =
      new DeviceHeap;  // never destroyed: threads of the pool outlive static objects
  return *heap;
}

/// A freed piece of the same size, else the next untouched bytes. Pieces are neither split nor joined:
/// kernels take many pieces of few sizes.
void* DeviceHeap::allocate(std::size_t bytes, Site site) {
  std::lock_guard lock(mutex_);
  if (bytes == 0 || bytes > size_) return nullptr;
  if (!memory_) memory_ = static_cast<char*>(DeviceMemory::get().allocate(size_, site));
  if (!memory_) return nullptr;
  const std::size_t needed = rounded(bytes);
  std::size_t offset = untouched_;
  if (std::vector<std::size_t>& free = free_[needed]; !free.empty()) {
    offset = free.back();
    free.pop_back();
  } else {
    if (needed > size_ - std::min(size_, offset)) return nullptr;
    untouched_ += needed + gap;
  }
  std::memset(memory_ + offset, first_contents, needed);
  pieces_[offset] = {memory_ + offset, bytes, site};
  if (observer) observer->device_allocated(memory_ + offset, bytes, site);
  return memory_ + offset;
}

bool DeviceHeap::release(void* pointer) {
  std::lock_guard lock(mutex_);
  if (!memory_) return false;
  const auto found = pieces_.find(static_cast<std::size_t>(static_cast<char*>(pointer) - memory_));
  if (found == pieces_.end()) return false;
  std::memset(pointer, first_contents, found->second.bytes);
  if (observer)
    freed_.push_back(found->second);
  else
    free_[rounded(found->second.bytes)].push_back(found->first);
  pieces_.erase(found);
  return true;
}

void DeviceHeap::launch_ends() {
  std::lock_guard lock(mutex_);
  for (const Piece& piece : freed_) {
    observer->device_freed(piece.begin, piece.site);
    free_[rounded(piece.bytes)].push_back(static_cast<std::size_t>(piece.begin - memory_));
  }
  freed_.clear();
}

bool DeviceHeap::contains(const void* pointer) const {
  const auto* address = static_cast<const char*>(pointer);
  const char* memory = memory_;
  return memory && address >= memory && address < memory + size_;
}

std::optional<DeviceHeap::Piece> DeviceHeap::find(const void* pointer) const {
  if (!contains(pointer)) return {};
  const auto* address = static_cast<const char*>(pointer);
  std::lock_guard lock(mutex_);
  auto after = pieces_.upper_bound(static_cast<std::size_t>(address - memory_));
  if (after == pieces_.begin()) return {};
  const Piece& piece = std::prev(after)->second;
  if (address >= piece.begin + piece.bytes) return {};
  return piece;
}

std::size_t DeviceHeap::size() const {
  std::lock_guard lock(mutex_);
  return size_;
}

bool DeviceHeap::resize(std::size_t bytes) {
  std::lock_guard lock(mutex_);
  if (memory_) return bytes == size_;
  size_ = bytes;
  return true;
}

// ---------------------------------------------------------------- what kernels call

void* device_malloc(std::size_t bytes, Site site) {
  return in_kernel() ? DeviceHeap::get().allocate(bytes, site) : std::malloc(bytes);
}

void device_free(void* pointer, Site site) {
  if (!pointer) return;
  if (!DeviceHeap::get().contains(pointer)) {
    if (!in_kernel()) return std::free(pointer);
    fatal(site, "free in a kernel: " + to_string(pointer) +
                    " did not come from malloc in a kernel\n    in kernel " + current_runner->kernel()->name +
                    ", " + where_in_grid());
  }
  if (!DeviceHeap::get().release(pointer))
    fatal(site,
          "free in a kernel: " + to_string(pointer) +
              " is not the beginning of a piece of the heap, or was freed already" +
              (in_kernel() ? "\n    in kernel " + current_runner->kernel()->name + ", " + where_in_grid()
                           : ""));
}

void* device_new(std::size_t bytes, const Site& site) {
  if (!in_kernel()) return ::operator new(bytes);
  return DeviceHeap::get().allocate(bytes ? bytes : 1, site);
}

}  // namespace ladder::executor

namespace {

/// `delete` in a kernel is the same word as on the host: the address shows whose memory it is.
void release(void* pointer) noexcept {
  if (pointer && ladder::executor::in_kernel() && ladder::executor::DeviceHeap::get().contains(pointer))
    ladder::executor::device_free(pointer, {});
  else
    std::free(pointer);
}

void* allocate(std::size_t bytes) {
  void* memory = std::malloc(bytes ? bytes : 1);
  if (!memory) throw std::bad_alloc();
  return memory;
}

}  // namespace

// Both replaced, so that tools that watch them see a pair.
void* operator new(std::size_t bytes) {
  return allocate(bytes);
}
void* operator new[](std::size_t bytes) {
  return allocate(bytes);
}
void operator delete(void* pointer) noexcept {
  release(pointer);
}
void operator delete[](void* pointer) noexcept {
  release(pointer);
}
void operator delete(void* pointer, std::size_t) noexcept {
  release(pointer);
}
void operator delete[](void* pointer, std::size_t) noexcept {
  release(pointer);
}
