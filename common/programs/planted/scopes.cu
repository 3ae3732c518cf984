/// @file
/// Planted mistakes: fences that are missing or in the wrong place, atomics and fences that reach one block
/// only.

#include <cuda_runtime.h>

#include <cuda/atomic>

#include "planted.hpp"

namespace {

using planted::Array;

/// A sum that every block adds to, its lock, and which fences the blocks use.
void locked(void (*kernel)(double*, int*, bool), bool right) {
  Array<double> sum(1);
  Array<int> lock(1, 0);
  kernel<<<4, 32>>>(sum.get(), lock.get(), right);
  sum.at(0);
}

__global__ void no_fence_after_lock(double* sum, int* lock, bool right) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  if (right) __threadfence();
  *sum += 1;  // here: after-lock
  __threadfence();
  atomicExch(lock, 0);
}
void fence_after_lock_missing(bool right) {
  locked(no_fence_after_lock, right);
}

__global__ void no_fence_before_unlock(double* sum, int* lock, bool right) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *sum += 1;  // here: before-unlock
  if (right) __threadfence();
  atomicExch(lock, 0);
}
void fence_before_unlock_missing(bool right) {
  locked(no_fence_before_unlock, right);
}

/// Only the first block forgets a fence: whether it comes first or last is chance.
__global__ void one_forgets(double* sum, int* lock, bool right) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  if (right || blockIdx.x > 0) __threadfence();
  *sum += 1;  // here: one-forgets
  __threadfence();
  atomicExch(lock, 0);
}
void fence_missing_in_one_block(bool right) {
  locked(one_forgets, right);
}

__global__ void exchange_lock(double* sum, int* lock, bool right) {
  if (threadIdx.x != 0) return;
  while (atomicExch(lock, 1) != 0) {
  }
  if (right) __threadfence();
  *sum += 1;  // here: exchange-lock
  __threadfence();
  atomicExch(lock, 0);
}
void fence_after_exchange_missing(bool right) {
  locked(exchange_lock, right);
}

__global__ void lock_in_a_block(double* sum, int* lock, bool right) {
  if (threadIdx.x % 32 != 0) return;
  while (atomicCAS_block(lock, 0, 1) != 0) {
  }
  __threadfence_block();
  *sum += 1;  // here: in-a-block
  if (right) __threadfence_block();
  atomicExch_block(lock, 0);
}
void fence_missing_inside_a_block(bool right) {
  Array<double> sum(1);
  Array<int> lock(1, 0);
  lock_in_a_block<<<1, 64>>>(sum.get(), lock.get(), right);
  sum.at(0);
}

__global__ void narrow_fence(double* sum, int* lock, bool right) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  if (right)
    __threadfence();
  else
    __threadfence_block();
  *sum += 1;  // here: narrow-fence
  __threadfence();
  atomicExch(lock, 0);
}
void fence_of_the_block_in_a_lock(bool right) {
  locked(narrow_fence, right);
}

__global__ void narrow_lock(double* sum, int* lock, bool right) {
  if (threadIdx.x != 0) return;
  while ((right ? atomicCAS(lock, 0, 1) : atomicCAS_block(lock, 0, 1)) != 0) {  // here: narrow-lock
  }
  __threadfence();
  *sum += 1;
  __threadfence();
  if (right)
    atomicExch(lock, 0);
  else
    atomicExch_block(lock, 0);  // here: narrow-unlock
}
void lock_of_the_block(bool right) {
  locked(narrow_lock, right);
}

__global__ void relaxed_unlock(double* sum, int* lock, bool right) {
  if (threadIdx.x != 0) return;
  cuda::atomic_ref<int, cuda::thread_scope_device> taken(*lock);
  while (taken.exchange(1, cuda::memory_order_acquire) != 0) {
  }
  *sum += 1;  // here: relaxed-unlock
  taken.store(0, right ? cuda::memory_order_release : cuda::memory_order_relaxed);
}
void unlock_without_order(bool right) {
  locked(relaxed_unlock, right);
}

__global__ void count_for_all(int* n, bool right) {
  if (right)
    atomicAdd(n, 1);
  else
    atomicAdd_block(n, 1);  // here: block-count
}
void count_of_the_block(bool right) {
  Array<int> n(1, 0);
  count_for_all<<<8, 32>>>(n.get(), right);
  n.at(0);
}

template <cuda::thread_scope scope>
__global__ void object_count(int* n) {
  cuda::atomic_ref<int, scope> count(*n);
  count.fetch_add(1, cuda::memory_order_relaxed);  // here: object-count
}
void count_by_a_narrow_object(bool right) {
  Array<int> n(1, 0);
  if (right)
    object_count<cuda::thread_scope_device><<<8, 32>>>(n.get());
  else
    object_count<cuda::thread_scope_block><<<8, 32>>>(n.get());
  n.at(0);
}

/// Block 0 writes and raises a flag; block 1 waits for it and reads.
void message(void (*kernel)(double*, int*, bool), bool right) {
  Array<double> data(2);
  Array<int> flag(1, 0);
  double* dx = data.get();
  int* raised = flag.get();
  void* arguments[] = {&dx, &raised, &right};
  cudaLaunchCooperativeKernel(kernel, dim3(2), dim3(32), arguments, 0, nullptr);
  data.at(1);
}

__global__ void narrow_message(double* data, int* flag, bool right) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    data[0] = 7;  // here: narrow-write
    if (right)
      __threadfence();
    else
      __threadfence_block();
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
    data[1] = data[0];  // here: narrow-read
  }
}
void fence_of_the_block_in_a_message(bool right) {
  message(narrow_message, right);
}

__global__ void narrow_flag(double* data, int* flag, bool right) {
  if (threadIdx.x != 0) return;
  cuda::atomic_ref<int, cuda::thread_scope_device> wide(*flag);
  cuda::atomic_ref<int, cuda::thread_scope_block> narrow(*flag);
  if (blockIdx.x == 0) {
    data[0] = 7;  // here: flag-write
    if (right)
      wide.store(1, cuda::memory_order_release);
    else
      narrow.store(1, cuda::memory_order_release);
  } else {
    while ((right ? wide.load(cuda::memory_order_acquire) : narrow.load(cuda::memory_order_acquire)) == 0) {
    }
    data[1] = data[0];  // here: flag-read
  }
}
void flag_of_the_block(bool right) {
  message(narrow_flag, right);
}

__global__ void early_fence(double* data, int* flag, bool right) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    if (!right) __threadfence();
    data[0] = 7;  // here: early-fence-write
    if (right) __threadfence();
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
    data[1] = data[0];  // here: early-fence-read
  }
}
void fence_before_the_write(bool right) {
  message(early_fence, right);
}

__global__ void written_late(double* data, int* flag, bool right) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    if (right) data[0] = 7;
    __threadfence();
    atomicExch(flag, 1);
    if (!right) data[0] = 7;  // here: late-write
  } else {
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
    data[1] = data[0];  // here: late-read
  }
}
void written_after_the_flag(bool right) {
  message(written_late, right);
}

const planted::Case cases[] = {
    {"fence-after-lock-missing", fence_after_lock_missing},
    {"fence-before-unlock-missing", fence_before_unlock_missing},
    {"fence-missing-in-one-block", fence_missing_in_one_block},
    {"fence-after-exchange-missing", fence_after_exchange_missing},
    {"fence-missing-inside-a-block", fence_missing_inside_a_block},
    {"fence-of-the-block-in-a-lock", fence_of_the_block_in_a_lock},
    {"lock-of-the-block", lock_of_the_block},
    {"unlock-without-order", unlock_without_order},
    {"count-of-the-block", count_of_the_block},
    {"count-by-a-narrow-object", count_by_a_narrow_object},
    {"fence-of-the-block-in-a-message", fence_of_the_block_in_a_message},
    {"flag-of-the-block", flag_of_the_block},
    {"fence-before-the-write", fence_before_the_write},
    {"written-after-the-flag", written_after_the_flag},
};

}  // namespace

int main(int argc, char** argv) {
  return planted::run(cases, argc, argv);
}
