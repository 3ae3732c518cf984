#pragma once
/// @file
/// malloc, free and new in kernels: the rewriter puts these names where a device function says so.

#include <stddef.h>

#include "executor/site.h"

namespace ladder::executor {

void* device_malloc(size_t bytes, Site site = Site::here());
void device_free(void* pointer, Site site = Site::here());
/// Memory for `new` in a device function; null when the heap is full.
void* device_new(size_t bytes, const Site& site);

/// `new (ladder::executor::DeviceNew{line}) T` takes memory of the device's heap.
struct DeviceNew {
  Site site = Site::here();
};

}  // namespace ladder::executor

// noexcept: the compiler then expects null, and calls no constructor for it.
inline void* operator new(size_t bytes, ladder::executor::DeviceNew where) noexcept {
  return ladder::executor::device_new(bytes, where.site);
}
inline void* operator new[](size_t bytes, ladder::executor::DeviceNew where) noexcept {
  return ladder::executor::device_new(bytes, where.site);
}
inline void operator delete(void* pointer, ladder::executor::DeviceNew where) noexcept {
  ladder::executor::device_free(pointer, where.site);
}
inline void operator delete[](void* pointer, ladder::executor::DeviceNew where) noexcept {
  ladder::executor::device_free(pointer, where.site);
}
