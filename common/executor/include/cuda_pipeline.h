#pragma once
/// @file
/// Asynchronous copies of one thread.

#include "cuda_pipeline_primitives.h"

namespace nvcuda::experimental {

/// The batches of the calling thread.
class pipeline {
 public:
  void commit() { ladder::executor::commit_async_copies(); }
  template <unsigned Prior>
  LADDER_EXECUTOR_INLINE void wait_prior() {
    ladder::executor::end_async_copies_but(Prior);
  }
  LADDER_EXECUTOR_INLINE void commit_and_wait() {
    commit();
    wait_prior<0>();
  }
};

template <class T>
LADDER_EXECUTOR_INLINE void memcpy_async(T& to, const T& from, pipeline&) {
  ladder::executor::begin_async_copy(&to, &from, sizeof(T));
}

}  // namespace nvcuda::experimental
