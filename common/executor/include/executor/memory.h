#pragma once
/// @file
/// Memory and copies. Device memory is not host memory here either: the host may not read it.

#include <type_traits>

#include "executor/site.h"
#include "executor/types.h"

namespace ladder::executor {

enum class HostMemory { pinned, managed };

cudaError_t allocate_device(void** pointer, size_t bytes, Site site);
/// The memory is there at once; others may use it when the stream has come there.
cudaError_t allocate_in_stream(void** pointer, size_t bytes, cudaStream_t stream, Site site);
/// Memory of a harness, which messages call by its name: "A (16 doubles)". @param name lives as long as the
/// program
inline cudaError_t allocate_named(void** pointer, size_t bytes, const char* name) {
  return allocate_device(pointer, bytes, {name, memory_name});
}
cudaError_t allocate_host(void** pointer, size_t bytes, HostMemory kind, Site site);
/// @param to_symbol which way; `kind` only says where `other` lies
cudaError_t copy_symbol(bool to_symbol, const void* symbol, size_t symbol_bytes, const void* other,
                        size_t bytes, size_t offset, cudaMemcpyKind kind, cudaStream_t stream, bool wait,
                        Site site);
/// Makes a __device__ variable known as device memory. @return its address.
void* register_symbol(const void* symbol, size_t bytes);

/// While it lives, calls of this thread are reported at another line: that of the caller of a wrapper.
class CallSite {
 public:
  CallSite(const char* file, int line);
  ~CallSite();
  CallSite(const CallSite&) = delete;
  CallSite& operator=(const CallSite&) = delete;

 private:
  Site before_;
};

}  // namespace ladder::executor

template <class T>
cudaError_t cudaMalloc(T** pointer, size_t bytes, LADDER_EXECUTOR_SITE) {
  return ladder::executor::allocate_device(reinterpret_cast<void**>(pointer), bytes, site);
}
template <class T>
cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaStream_t stream, LADDER_EXECUTOR_SITE) {
  return ladder::executor::allocate_in_stream(reinterpret_cast<void**>(pointer), bytes, stream, site);
}
template <class T>
cudaError_t cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height, LADDER_EXECUTOR_SITE) {
  *pitch = (width + 511) / 512 * 512;
  return ladder::executor::allocate_device(reinterpret_cast<void**>(pointer), *pitch * height, site);
}
template <class T>
cudaError_t cudaMallocHost(T** pointer, size_t bytes, unsigned = 0, LADDER_EXECUTOR_SITE) {
  return ladder::executor::allocate_host(reinterpret_cast<void**>(pointer), bytes,
                                         ladder::executor::HostMemory::pinned, site);
}
template <class T>
cudaError_t cudaHostAlloc(T** pointer, size_t bytes, unsigned, LADDER_EXECUTOR_SITE) {
  return cudaMallocHost(pointer, bytes, 0, site);
}
template <class T>
cudaError_t cudaMallocManaged(T** pointer, size_t bytes, unsigned = cudaMemAttachGlobal,
                              LADDER_EXECUTOR_SITE) {
  return ladder::executor::allocate_host(reinterpret_cast<void**>(pointer), bytes,
                                         ladder::executor::HostMemory::managed, site);
}

cudaError_t cudaFree(void* pointer, LADDER_EXECUTOR_SITE);
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream, LADDER_EXECUTOR_SITE);
cudaError_t cudaFreeHost(void* pointer, LADDER_EXECUTOR_SITE);
cudaError_t cudaHostRegister(void* pointer, size_t bytes, unsigned flags, LADDER_EXECUTOR_SITE);
cudaError_t cudaHostUnregister(void* pointer, LADDER_EXECUTOR_SITE);
template <class T>
cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned = 0) {
  *device = static_cast<T*>(host);  // one address space, as on every 64-bit GPU
  return cudaSuccess;
}
cudaError_t cudaHostGetFlags(unsigned* flags, void* host);

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, LADDER_EXECUTOR_SITE);
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream = nullptr, LADDER_EXECUTOR_SITE);
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                         size_t height, cudaMemcpyKind kind, LADDER_EXECUTOR_SITE);
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream = nullptr,
                              LADDER_EXECUTOR_SITE);
inline cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, size_t bytes, LADDER_EXECUTOR_SITE) {
  return cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice, site);
}
inline cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, size_t bytes,
                                       cudaStream_t stream = nullptr, LADDER_EXECUTOR_SITE) {
  return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream, site);
}
cudaError_t cudaMemset(void* to, int value, size_t bytes, LADDER_EXECUTOR_SITE);
cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream = nullptr,
                            LADDER_EXECUTOR_SITE);
cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height,
                         LADDER_EXECUTOR_SITE);
cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream = nullptr, LADDER_EXECUTOR_SITE);
cudaError_t cudaMemGetInfo(size_t* free, size_t* total);

enum cudaMemoryType {
  cudaMemoryTypeUnregistered = 0,
  cudaMemoryTypeHost = 1,
  cudaMemoryTypeDevice = 2,
  cudaMemoryTypeManaged = 3,
};
struct cudaPointerAttributes {
  cudaMemoryType type;
  int device;
  void* devicePointer;
  void* hostPointer;
};
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer);

// __device__ and __constant__ variables, by the variable itself
namespace ladder::executor {
template <class T>
constexpr bool is_variable = !std::is_same_v<std::remove_extent_t<std::remove_reference_t<T>>, const char>;
}
#define LADDER_EXECUTOR_VARIABLE(T)               \
  static_assert(ladder::executor::is_variable<T>, \
                "the executor has no symbols by name: pass the variable itself, not a string")
template <class T>
cudaError_t cudaMemcpyToSymbol(T& symbol, const void* from, size_t bytes, size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice, LADDER_EXECUTOR_SITE) {
  LADDER_EXECUTOR_VARIABLE(T);
  return ladder::executor::copy_symbol(true, &symbol, sizeof symbol, from, bytes, offset, kind, nullptr, true,
                                       site);
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(T& symbol, const void* from, size_t bytes, size_t offset = 0,
                                    cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                    cudaStream_t stream = nullptr, LADDER_EXECUTOR_SITE) {
  LADDER_EXECUTOR_VARIABLE(T);
  return ladder::executor::copy_symbol(true, &symbol, sizeof symbol, from, bytes, offset, kind, stream, false,
                                       site);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void* to, T& symbol, size_t bytes, size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost, LADDER_EXECUTOR_SITE) {
  LADDER_EXECUTOR_VARIABLE(T);
  return ladder::executor::copy_symbol(false, &symbol, sizeof symbol, to, bytes, offset, kind, nullptr, true,
                                       site);
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void* to, T& symbol, size_t bytes, size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                      cudaStream_t stream = nullptr, LADDER_EXECUTOR_SITE) {
  LADDER_EXECUTOR_VARIABLE(T);
  return ladder::executor::copy_symbol(false, &symbol, sizeof symbol, to, bytes, offset, kind, stream, false,
                                       site);
}
template <class P, class T>
cudaError_t cudaGetSymbolAddress(P** pointer, T& symbol) {
  LADDER_EXECUTOR_VARIABLE(T);
  *pointer = static_cast<P*>(ladder::executor::register_symbol(&symbol, sizeof symbol));
  return cudaSuccess;
}
template <class T>
cudaError_t cudaGetSymbolSize(size_t* bytes, T&) {
  LADDER_EXECUTOR_VARIABLE(T);
  *bytes = sizeof(T);
  return cudaSuccess;
}
#undef LADDER_EXECUTOR_VARIABLE
