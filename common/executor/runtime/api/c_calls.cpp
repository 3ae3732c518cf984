/// @file
/// Names without C++ decoration, for the C sources of a program: CUDA's are those of C, ours are not.

#include "common/executor/include/executor/device.h"
#include "common/executor/include/executor/memory.h"
#include "common/executor/include/executor/streams.h"

/// A C source has no place in the program that a message could name.
#define LADDER_C_NAME(NAME) __asm__(#NAME)

namespace ladder::executor::c {

cudaError_t set_device(int device) LADDER_C_NAME(cudaSetDevice);
cudaError_t get_device(int* device) LADDER_C_NAME(cudaGetDevice);
cudaError_t count_devices(int* count) LADDER_C_NAME(cudaGetDeviceCount);
cudaError_t synchronise() LADDER_C_NAME(cudaDeviceSynchronize);
cudaError_t reset() LADDER_C_NAME(cudaDeviceReset);
cudaError_t allocate(void** pointer, size_t bytes) LADDER_C_NAME(cudaMalloc);
cudaError_t release(void* pointer) LADDER_C_NAME(cudaFree);
cudaError_t copy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) LADDER_C_NAME(cudaMemcpy);
cudaError_t fill(void* to, int value, size_t bytes) LADDER_C_NAME(cudaMemset);
cudaError_t last_error() LADDER_C_NAME(cudaGetLastError);
const char* error_text(cudaError_t error) LADDER_C_NAME(cudaGetErrorString);

cudaError_t set_device(int device) {
  return cudaSetDevice(device);
}
cudaError_t get_device(int* device) {
  return cudaGetDevice(device);
}
cudaError_t count_devices(int* count) {
  return cudaGetDeviceCount(count);
}
cudaError_t synchronise() {
  return cudaDeviceSynchronize(Site{});
}
cudaError_t reset() {
  return cudaDeviceReset(Site{});
}
cudaError_t allocate(void** pointer, size_t bytes) {
  return cudaMalloc(pointer, bytes, Site{});
}
cudaError_t release(void* pointer) {
  return cudaFree(pointer, Site{});
}
cudaError_t copy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return cudaMemcpy(to, from, bytes, kind, Site{});
}
cudaError_t fill(void* to, int value, size_t bytes) {
  return cudaMemset(to, value, bytes, Site{});
}
cudaError_t last_error() {
  return cudaGetLastError();
}
const char* error_text(cudaError_t error) {
  return cudaGetErrorString(error);
}

}  // namespace ladder::executor::c
