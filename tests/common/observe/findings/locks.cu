/// @file
/// Threads that take turns by locks, each in a correct way: nothing may be found. Also for nvcc.

#include <cuda/semaphore>

#include "synchronised.hpp"

namespace {

using namespace synchronised;

/// Every thread, or one of each block, has added 1.
void sums(const char* name, void (*kernel)(Memory), int expected) {
  for (const bool together : {false, true}) report(name, run(kernel, together)[1] == expected);
}

__global__ void by_compare_and_swap(Memory m) {
  for (bool done = false; !done;) {
    if (atomicCAS(m.lock, 0, 1) != 0) continue;
    __threadfence();
    ++*m.sum;
    __threadfence();
    atomicExch(m.lock, 0);
    done = true;
  }
}
__global__ void by_exchange(Memory m) {
  if (threadIdx.x % 32 != 0) return;
  while (atomicExch(m.lock, 1) != 0) {
  }
  __threadfence();
  *m.sum += 32;
  __threadfence();
  atomicExch(m.lock, 0);
}
__global__ void given_back_by_a_store(Memory m) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(m.lock, 0, 1) != 0) {
  }
  __threadfence();
  *m.sum += threads;
  __threadfence();
  *static_cast<volatile int*>(m.lock) = 0;
}
__global__ void given_back_by_subtraction(Memory m) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(m.lock, 0, 1) != 0) __nanosleep(20);
  __threadfence_system();
  *m.sum += threads;
  __threadfence_system();
  atomicSub(m.lock, 1);
}
__global__ void by_an_object(Memory m) {
  if (threadIdx.x % 32 != 0) return;
  cuda::atomic_ref<int, cuda::thread_scope_device> lock(*m.lock);
  while (lock.exchange(1, cuda::memory_order_acquire) != 0) {
  }
  *m.sum += 32;
  lock.store(0, cuda::memory_order_release);
}
__global__ void by_a_comparing_object(Memory m) {
  if (threadIdx.x % 32 != 0) return;
  cuda::atomic_ref<int, cuda::thread_scope_device> lock(*m.lock);
  int free = 0;
  while (!lock.compare_exchange_weak(free, 1, cuda::memory_order_acquire, cuda::memory_order_relaxed))
    free = 0;
  *m.sum += 32;
  lock.fetch_sub(1, cuda::memory_order_release);
}
__global__ void by_fences_of_objects(Memory m) {
  if (threadIdx.x % 32 != 0) return;
  cuda::atomic_ref<int> lock(*m.lock);
  while (lock.exchange(1, cuda::memory_order_relaxed) != 0) {
  }
  cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
  *m.sum += 32;
  cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
  lock.store(0, cuda::memory_order_relaxed);
}
__device__ cuda::binary_semaphore<cuda::thread_scope_device> only_one{1};
__global__ void by_a_semaphore(Memory m) {
  if (threadIdx.x % 32 != 0) return;
  only_one.acquire();
  *m.sum += 32;
  only_one.release();
}
__global__ void by_tickets(Memory m) {
  if (threadIdx.x % 32 != 0) return;
  const int mine = atomicAdd(m.lock, 1);
  while (atomicAdd(&m.flags[0], 0) != mine) {
  }
  __threadfence();
  *m.sum += 32;
  __threadfence();
  atomicAdd(&m.flags[0], 1);
}
__global__ void for_a_whole_block(Memory m) {
  if (threadIdx.x == 0) {
    while (atomicCAS(m.lock, 0, 1) != 0) {
    }
    __threadfence();
  }
  __syncthreads();
  m.data[threadIdx.x] += blockIdx.x;
  if (threadIdx.x == 0) *m.sum += threads;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicExch(m.lock, 0);
  }
}
__global__ void with_fences_of_all(Memory m) {
  if (threadIdx.x == 0)
    while (atomicCAS(m.lock, 0, 1) != 0) {
    }
  __syncthreads();
  __threadfence();
  m.data[threadIdx.x] += blockIdx.x;
  if (threadIdx.x == 0) *m.sum += threads;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) atomicExch(m.lock, 0);
}
/// A lock for each datum, taken again and again, with work outside it.
__global__ void one_of_many(Memory m) {
  if (threadIdx.x % 32 != 0) return;
  int own = 0;
  for (int i = 0; i < 32; ++i) {
    const int bucket = (i + blockIdx.x) % 8;
    while (atomicCAS(&m.flags[bucket], 0, 1) != 0) {
    }
    __threadfence();
    m.data[bucket] += 1;
    __threadfence();
    atomicExch(&m.flags[bucket], 0);
    ++own;
  }
  atomicAdd(m.sum, own);
}
/// A thread that does not get the lock does something else.
__global__ void or_not_at_all(Memory m) {
  if (threadIdx.x % 32 != 0) return;
  if (atomicCAS(m.lock, 0, 1) == 0) {
    __threadfence();
    m.data[0] += 1;
    __threadfence();
    atomicExch(m.lock, 0);
  } else {
    atomicAdd(&m.data[1], 1);
  }
  atomicAdd(m.sum, 32);
}
/// The scope of a block is enough for a lock and a counter of the block.
__global__ void of_each_block(Memory m) {
  if (threadIdx.x % 32 == 0) {
    int* const lock = &m.flags[blockIdx.x];
    while (atomicCAS_block(lock, 0, 1) != 0) {
    }
    __threadfence_block();
    m.data[blockIdx.x] += 32;
    __threadfence_block();
    atomicExch_block(lock, 0);
  }
  atomicAdd_block(&m.data[64 + blockIdx.x], 1);
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  atomicAdd_block(&count, 1);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(m.sum, m.data[blockIdx.x] + m.data[64 + blockIdx.x] + count);
}

}  // namespace

int main() {
  const int all = blocks * threads;
  sums("compare and swap", by_compare_and_swap, all);
  sums("exchange", by_exchange, all);
  sums("a store gives back", given_back_by_a_store, all);
  sums("a subtraction gives back", given_back_by_subtraction, all);
  sums("object", by_an_object, all);
  sums("comparing object", by_a_comparing_object, all);
  sums("fences of objects", by_fences_of_objects, all);
  sums("semaphore", by_a_semaphore, all);
  sums("tickets", by_tickets, all);
  sums("a whole block", for_a_whole_block, all);
  sums("fences of all", with_fences_of_all, all);
  sums("one of many", one_of_many, 2 * blocks * 32);
  sums("or not at all", or_not_at_all, all);
  sums("of each block", of_each_block, 3 * all);
}
