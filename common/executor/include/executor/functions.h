#pragma once
/// @file
/// What programs ask about kernels: attributes, and how many blocks of one are resident.

#include "executor/device.h"

enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9,
};
enum cudaSharedCarveout {
  cudaSharedmemCarveoutDefault = -1,
  cudaSharedmemCarveoutMaxL1 = 0,
  cudaSharedmemCarveoutMaxShared = 100,
};
struct cudaFuncAttributes {
  size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes,
      preferredShmemCarveout;
};
#define cudaOccupancyDefault 0x00
#define cudaOccupancyDisableCachingOverride 0x01

namespace ladder::executor {

cudaError_t set_function_attribute(const void* function, cudaFuncAttribute attribute, int value, Site site);
cudaError_t function_attributes(cudaFuncAttributes* attributes, const void* function);
cudaError_t resident_blocks(int* blocks, const void* function, int block_size, size_t dynamic_shared);
/// @param bytes_of dynamic shared memory of a block of this many threads, from `argument`
cudaError_t best_block_size(int* grid, int* block, const void* function,
                            size_t (*bytes_of)(const void* argument, int threads), const void* argument,
                            int limit);
cudaError_t available_dynamic_shared(size_t* bytes, const void* function, int blocks);
cudaError_t function_name(const char** name, const void* function);

template <class... Parameters>
const void* address_of(void (*kernel)(Parameters...)) {
  return reinterpret_cast<const void*>(kernel);
}
inline const void* address_of(const void* kernel) {
  return kernel;
}

}  // namespace ladder::executor

template <class Kernel>
cudaError_t cudaFuncSetAttribute(Kernel* kernel, cudaFuncAttribute attribute, int value,
                                 LADDER_EXECUTOR_SITE) {
  return ladder::executor::set_function_attribute(ladder::executor::address_of(kernel), attribute, value,
                                                  site);
}
template <class Kernel>
cudaError_t cudaFuncSetCacheConfig(Kernel*, cudaFuncCache) {
  return cudaSuccess;
}
template <class Kernel>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, Kernel* kernel) {
  return ladder::executor::function_attributes(attributes, ladder::executor::address_of(kernel));
}

/// Blocks of the kernel that fit on a multiprocessor, from threads, shared memory and the limit of 32 blocks.
/// Registers do not count: the executor does not know them.
template <class Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Kernel* kernel, int block_size,
                                                          size_t dynamic_shared) {
  return ladder::executor::resident_blocks(blocks, ladder::executor::address_of(kernel), block_size,
                                           dynamic_shared);
}
template <class Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, Kernel* kernel,
                                                                   int block_size, size_t dynamic_shared,
                                                                   unsigned) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, block_size, dynamic_shared);
}
template <class Kernel>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, Kernel* kernel,
                                               size_t dynamic_shared = 0, int limit = 0) {
  const auto bytes = [](const void* fixed, int) { return *static_cast<const size_t*>(fixed); };
  return ladder::executor::best_block_size(grid, block, ladder::executor::address_of(kernel), bytes,
                                           &dynamic_shared, limit);
}
template <class Kernel>
cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, Kernel* kernel,
                                                        size_t dynamic_shared = 0, int limit = 0,
                                                        unsigned = 0) {
  return cudaOccupancyMaxPotentialBlockSize(grid, block, kernel, dynamic_shared, limit);
}
/// The same, when dynamic shared memory depends on the size of the block: bytes_of(threads).
template <class BytesOf, class Kernel>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* grid, int* block, Kernel* kernel,
                                                           BytesOf bytes_of, int limit = 0) {
  const auto bytes = [](const void* function, int threads) -> size_t {
    return (*static_cast<const BytesOf*>(function))(threads);
  };
  return ladder::executor::best_block_size(grid, block, ladder::executor::address_of(kernel), bytes,
                                           &bytes_of, limit);
}
template <class BytesOf, class Kernel>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int* grid, int* block, Kernel* kernel,
                                                                    BytesOf bytes_of, int limit = 0,
                                                                    unsigned = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(grid, block, kernel, bytes_of, limit);
}
/// Dynamic shared memory that is left for each of `blocks` blocks.
template <class Kernel>
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, Kernel* kernel, int blocks, int) {
  return ladder::executor::available_dynamic_shared(bytes, ladder::executor::address_of(kernel), blocks);
}
template <class Kernel>
cudaError_t cudaFuncSetSharedMemConfig(Kernel*, cudaSharedMemConfig) {
  return cudaSuccess;
}
template <class Kernel>
cudaError_t cudaFuncGetName(const char** name, Kernel* kernel) {
  return ladder::executor::function_name(name, ladder::executor::address_of(kernel));
}
