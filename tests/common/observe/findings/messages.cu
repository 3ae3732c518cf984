/// @file
/// Threads that tell others what they have written, each in a correct way: nothing may be found. Also for
/// nvcc.

#include "synchronised.hpp"

namespace {

using namespace synchronised;

void messages(const char* name, void (*kernel)(Memory)) {
  report(name, run(kernel, true)[1] == blocks);
}

/// Each block waits for the one before it, by volatile flags.
__global__ void volatile_flags(Memory m) {
  volatile int* const flags = m.flags;
  if (threadIdx.x != 0) return;
  const int b = blockIdx.x;
  while (b > 0 && flags[b - 1] == 0) {
  }
  __threadfence();
  *m.sum += 1;
  __threadfence();
  flags[b] = 1;
}
/// The same without a fence of the reader, as NVIDIA's samples do it, and for all threads of the block.
__global__ void whole_blocks(Memory m) {
  const int b = blockIdx.x, t = threadIdx.x;
  if (t == 0)
    while (b > 0 && atomicAdd(&m.flags[b - 1], 0) == 0) {
    }
  __syncthreads();
  m.data[t] += 1;
  __threadfence();
  __syncthreads();
  if (t == 0) {
    *m.sum += 1;
    __threadfence();
    atomicExch(&m.flags[b], 1);
  }
}
/// A warp writes together, one lane announces it; one lane sees that, the warp reads.
__global__ void warps(Memory m) {
  const int b = blockIdx.x, t = threadIdx.x;
  if (t >= 32) return;
  if (t == 0) {
    while (b > 0 && atomicAdd(&m.flags[b - 1], 0) == 0) {
    }
    __threadfence();
  }
  __syncwarp();
  m.data[32 * b + t] = 1 + (b > 0 ? m.data[32 * (b - 1) + (t + 1) % 32] : 0);
  __syncwarp();
  if (t == 0) {
    *m.sum += 1;
    __threadfence();
    atomicExch(&m.flags[b], 1);
  }
}
/// Lane 0 passes what it saw to the others of its warp by a shuffle.
__global__ void shuffled(Memory m) {
  const int b = blockIdx.x, t = threadIdx.x;
  if (t >= 32) return;
  int seen = b == 0;
  while (__shfl_sync(0xffffffffu, seen, 0) == 0)
    if (t == 0) seen = atomicAdd(&m.flags[b - 1], 0);
  m.data[32 * b + t] = 1 + (b > 0 ? m.data[32 * (b - 1) + (t + 1) % 32] : 0);
  __threadfence();
  __syncwarp();
  if (t == 0) {
    *m.sum += 1;
    __threadfence();
    atomicExch(&m.flags[b], 1);
  }
}
__global__ void objects(Memory m) {
  if (threadIdx.x != 0) return;
  const int b = blockIdx.x;
  cuda::atomic_ref<int, cuda::thread_scope_device> own(m.flags[b]), other(m.flags[b > 0 ? b - 1 : 0]);
  if (b > 0) other.wait(0, cuda::memory_order_acquire);
  *m.sum += 1;
  own.fetch_add(1, cuda::memory_order_release);
}
/// Block 0 tells block 1, which tells the others: these read what block 0 wrote.
__global__ void passed_on(Memory m) {
  if (threadIdx.x != 0) return;
  const int b = blockIdx.x;
  if (b == 0) m.data[0] = 1;
  while (b > 0 && atomicAdd(&m.flags[b == 1 ? 0 : 1], 0) == 0) {
  }
  __threadfence();
  if (b > 1) m.data[b] = m.data[0];
  if (b < 2) atomicExch(&m.flags[b], 1);
  atomicAdd(m.sum, 1);
}
/// From warp to warp inside the block with its scope, from there to the other block with the device's.
__global__ void passed_on_inside(Memory m) {
  const int b = blockIdx.x, t = threadIdx.x;
  if (b == 0 && t == 0) {
    m.data[0] = 1;
    __threadfence_block();
    atomicExch_block(&m.flags[0], 1);
  } else if (b == 0 && t == 32) {
    while (atomicAdd_block(&m.flags[0], 0) == 0) {
    }
    __threadfence();
    atomicExch(&m.flags[1], 1);
  } else if (b > 0 && t == 0) {
    while (atomicAdd(&m.flags[1], 0) == 0) {
    }
    __threadfence();
    m.data[b] = m.data[0];
  }
  if (t == 0) atomicAdd(m.sum, 1);
}
/// The last block adds up.
__global__ void tickets(Memory m) {
  __shared__ bool last;
  const int b = blockIdx.x, t = threadIdx.x;
  m.data[b * threads + t] = 1;
  __threadfence();
  __syncthreads();
  if (t == 0) last = atomicAdd(&m.flags[0], 1) == blocks - 1;
  __syncthreads();
  if (!last || t != 0) return;
  for (int i = 0; i < blocks * threads; ++i) *m.sum += m.data[i];
  *m.sum /= threads;
}
__global__ void tickets_of_one_fence(Memory m) {
  __shared__ bool last;
  const int b = blockIdx.x, t = threadIdx.x;
  m.data[b * threads + t] = 1;
  __syncthreads();
  if (t == 0) {
    __threadfence();
    last = atomicInc(reinterpret_cast<unsigned*>(&m.flags[0]), blocks - 1) == blocks - 1;
  }
  __syncthreads();
  if (!last || t != 0) return;
  for (int i = 0; i < blocks * threads; ++i) *m.sum += m.data[i];
  *m.sum /= threads;
}
/// A barrier of the grid, made by hand and used twice.
__global__ void barriers(Memory m) {
  const int b = blockIdx.x, t = threadIdx.x;
  for (int round = 1; round <= 2; ++round) {
    m.data[b * threads + t] = round == 1 ? 1 : m.data[b * threads + t] + 1;
    __syncthreads();
    if (t == 0) {
      __threadfence();
      atomicAdd(&m.flags[0], 1);
      while (atomicAdd(&m.flags[0], 0) < 2 * blocks * round - blocks) {
      }
      __threadfence();
    }
    __syncthreads();
    const int other = m.data[(b + 1) % blocks * threads + t];
    if (other != round) atomicExch(m.lock, 1);
    __syncthreads();
    if (t == 0) {
      __threadfence();
      atomicAdd(&m.flags[0], 1);
      while (atomicAdd(&m.flags[0], 0) < 2 * blocks * round) {
      }
      __threadfence();
    }
    __syncthreads();
  }
  if (t == 0) atomicAdd(m.sum, 1);
}
/// There and back: the same flag says that a datum has been written, and that it has been read.
__global__ void there_and_back(Memory m) {
  if (threadIdx.x != 0 || blockIdx.x > 1) return;
  for (int i = 1; i <= 4; ++i) {
    const bool sends = blockIdx.x == 0;
    while (atomicAdd(&m.flags[0], 0) != (sends ? 0 : 1)) {
    }
    __threadfence();
    if (sends)
      m.data[0] = i;
    else
      *m.sum = m.data[0];
    __threadfence();
    atomicExch(&m.flags[0], sends ? 1 : 0);
  }
}

}  // namespace

int main() {
  messages("volatile flags", volatile_flags);
  messages("whole blocks", whole_blocks);
  messages("warps", warps);
  messages("shuffled", shuffled);
  messages("objects", objects);
  messages("passed on", passed_on);
  messages("passed on inside", passed_on_inside);
  messages("tickets of all fences", tickets);
  messages("tickets of one fence", tickets_of_one_fence);
  messages("barriers", barriers);
  messages("there and back", there_and_back);
}
