#pragma once
/// @file
/// Asynchronous copies of one thread, in batches.

#include "cuda_runtime.h"
#include "executor/async_copy.h"

/// Begins to copy 4, 8 or 16 bytes to shared memory; the last `zeros` of them become 0.
LADDER_EXECUTOR_INLINE void __pipeline_memcpy_async(void* to, const void* from, size_t bytes,
                                                    size_t zeros = 0) {
  if (zeros == 0) {
    ladder::executor::begin_async_copy(to, from, bytes);
    return;
  }
  alignas(16) char padded[16] = {};
  if (bytes > zeros) __builtin_memcpy(padded, from, bytes - zeros);
  ladder::executor::begin_async_copy(to, padded, bytes);
}
/// Ends the batch.
inline void __pipeline_commit() {
  ladder::executor::commit_async_copies();
}
/// Waits for all batches but the last `pending`.
LADDER_EXECUTOR_INLINE void __pipeline_wait_prior(size_t pending) {
  ladder::executor::end_async_copies_but(static_cast<unsigned>(pending));
}
