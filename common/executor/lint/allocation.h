#pragma once
/// @file
/// Allocation on either side. Not in cuda_runtime.h, which is precompiled: of two functions that differ in
/// their side alone clang keeps one there, and would say that a host may not call operator new.

#include <new>

__device__ void* operator new(size_t);
__device__ void* operator new[](size_t);
__device__ void* operator new(size_t, const std::nothrow_t&) noexcept;
__device__ void* operator new[](size_t, const std::nothrow_t&) noexcept;
__device__ inline void* operator new(size_t, void* place) noexcept {
  return place;
}
__device__ inline void* operator new[](size_t, void* place) noexcept {
  return place;
}
__device__ void operator delete(void*) noexcept;
__device__ void operator delete[](void*) noexcept;
__device__ void operator delete(void*, const std::nothrow_t&) noexcept;
__device__ void operator delete[](void*, const std::nothrow_t&) noexcept;
__device__ inline void operator delete(void*, void*) noexcept {}
__device__ inline void operator delete[](void*, void*) noexcept {}
__device__ void operator delete(void*, size_t) noexcept;
__device__ void operator delete[](void*, size_t) noexcept;
// Declared again, for the host.
void* operator new(std::size_t);
void* operator new[](std::size_t);
void* operator new(std::size_t, const std::nothrow_t&) noexcept;
void* operator new[](std::size_t, const std::nothrow_t&) noexcept;
void operator delete(void*) noexcept;
void operator delete[](void*) noexcept;
void operator delete(void*, size_t) noexcept;
void operator delete[](void*, size_t) noexcept;
void operator delete(void*, const std::nothrow_t&) noexcept;
void operator delete[](void*, const std::nothrow_t&) noexcept;
