/// @file
/// Mistakes that people make, each next to the same code without it: mistakes <name> right|wrong.
/// "// here: <name>" marks the line that the message must name.

#include <cooperative_groups.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#include <cuda_runtime.h>
#include <cuda/barrier>

#include "common/device/cuda.hpp"
#include "common/device/tensor.hpp"

#undef NDEBUG  // a release build would leave the assertion out
#include <cassert>

namespace {

namespace cg = cooperative_groups;
namespace tensor = ladder::tensor;
constexpr int n = 4096;

struct Memory {
  double *A, *B;
  std::vector<double> host = std::vector<double>(n, 1.0);
  Memory() {
    cudaMalloc(&A, n * sizeof(double));  // here: allocation
    cudaMalloc(&B, n * sizeof(double));
    cudaMemcpy(A, host.data(), n * sizeof(double), cudaMemcpyHostToDevice);
    cudaMemcpy(B, host.data(), n * sizeof(double), cudaMemcpyHostToDevice);
  }
  double first_of_A() {
    cudaMemcpy(host.data(), A, n * sizeof(double), cudaMemcpyDeviceToHost);
    return host[0];
  }
};

bool print(double value) {
  return std::printf("%g\n", value) > 0;
}

__global__ void fill(double* x, double value) {
  x[threadIdx.x] = value;
}

// ---------------------------------------------------------------- memory

__global__ void guarded(double* x, int count, bool right) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (right ? i < count : i <= count) x[i] = i;  // here: past-the-end
}
void past_the_end(Memory& m, bool right) {
  guarded<<<17, 256>>>(m.A, n, right);
}

/// Each block writes behind the end, the first one last.
__global__ void each_behind(double* x, int count, bool right) {
  double sum = 1;
  for (int i = 0; blockIdx.x == 0 && i < 20000000; ++i) sum = sum * 0.5 + x[0];
  if (!right) x[count + blockIdx.x * 8] = sum;  // here: every-block
}
void every_block(Memory& m, bool right) {
  each_behind<<<4, 1>>>(m.A, n, right);
}

__global__ void left_neighbour(double* x, const double* y, bool right) {
  const int i = threadIdx.x;
  if (i > 0 || !right) x[i] = y[i - 1];  // here: before-the-begin
}
void before_the_begin(Memory& m, bool right) {
  left_neighbour<<<1, 64>>>(m.A, m.B, right);
}

void host_reads_device(Memory& m, bool right) {
  print(right ? m.first_of_A() : m.A[3]);  // here: host-reads-device
}

void used_after_free(Memory& m, bool right) {
  double* x;
  cudaMalloc(&x, 4096);
  if (!right) cudaFree(x);  // here: freed
  fill<<<1, 64>>>(x, 7);
  cudaDeviceSynchronize();
  if (right) cudaFree(x);
  fill<<<1, 64>>>(m.A, 7);
}

void freed_twice(Memory&, bool right) {
  double* x;
  cudaMalloc(&x, 4096);
  cudaFree(x);
  if (right) return;
  cudaFree(x);  // here: freed-twice
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}

void thrown(Memory&, bool right) {
  double* x;
  cudaMalloc(&x, 4096);
  cudaFree(x);
  if (right) return;
  try {
    ladder::check(cudaFree(x));
  } catch (const ladder::Error& error) {
    std::printf("threw %s\n", error.what());
  }
  cudaGetLastError();
}

__global__ void dereference(const double* x, double* y) {
  y[0] = x[0];  // here: null-pointer
}
void null_pointer(Memory& m, bool right) {
  dereference<<<1, 1>>>(right ? m.B : nullptr, m.A);
}

void host_pointer_argument(Memory& m, bool right) {
  fill<<<1, 64>>>(right ? m.A : m.host.data(), 7);  // here: host-pointer-argument
}

__global__ void pairs(double2* y, const double* x, int first) {
  y[threadIdx.x] = reinterpret_cast<const double2*>(x + first)[threadIdx.x];  // here: misaligned-vector
}
void misaligned_vector(Memory& m, bool right) {
  pairs<<<1, 1>>>(reinterpret_cast<double2*>(m.B), m.A, right ? 2 : 1);
}

void wrong_direction(Memory& m, bool right) {
  double x = 0;
  if (right)
    cudaMemcpy(&x, m.A, sizeof x, cudaMemcpyDeviceToHost);
  else if (cudaMemcpy(&x, m.A, sizeof x, cudaMemcpyHostToDevice) != cudaSuccess)  // here: wrong-direction
    std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}

void copy_too_long(Memory& m, bool right) {
  const size_t bytes = n * sizeof(double) + (right ? 0 : 8);
  std::vector<double> x(n + 1);
  if (cudaMemcpy(m.A, x.data(), bytes, cudaMemcpyHostToDevice) != cudaSuccess)  // here: copy-too-long
    std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}

// ---------------------------------------------------------------- shared memory

__global__ void reversed(double* x) {
  extern __shared__ double s[];
  s[threadIdx.x] = 1;  // here: dynamic-shared-too-short
  __syncthreads();
  x[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}
void dynamic_shared_too_short(Memory& m, bool right) {
  reversed<<<1, 64, (right ? 64 : 32) * sizeof(double)>>>(m.A);
}

void too_much_dynamic_shared(Memory& m, bool right) {
  if (right) cudaFuncSetAttribute(reversed, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024);
  reversed<<<1, 64, 64 * 1024>>>(m.A);  // here: too-much-dynamic-shared
  if (!right) std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}

__global__ void halves(double* x, bool right) {
  __shared__ double s[64];
  if (threadIdx.x > 0 || right) s[threadIdx.x] = 1;
  __syncthreads();
  x[threadIdx.x] = s[63 - threadIdx.x];
}
void uninitialised_shared(Memory& m, bool right) {
  fill<<<1, 1>>>(m.B, 0);
  halves<<<8, 64>>>(m.A, right);
  m.first_of_A();
  print(m.host[63]);
}

__global__ void neighbours(double* x, bool right) {
  __shared__ double s[256];
  s[threadIdx.x] = threadIdx.x;
  if (right) __syncthreads();
  x[threadIdx.x] = s[(threadIdx.x + 1) % 256];
}
void first_barrier_missing(Memory& m, bool right) {
  neighbours<<<1, 256>>>(m.A, right);
  print(m.first_of_A());
}

void uninitialised_device(Memory&, bool right) {
  double *x, first;
  cudaMalloc(&x, 1000);
  if (right) cudaMemset(x, 0, 1000);
  cudaMemcpy(&first, x, sizeof first, cudaMemcpyDeviceToHost);
  print(first);
}

// ---------------------------------------------------------------- barriers and warps

__global__ void branches(double* x, bool right) {
  if (right) {
    __syncthreads();
  } else if (threadIdx.x < 32) {
    __syncthreads();
  } else {
    x[0] = 1;
    __syncthreads();  // here: barrier-in-a-branch
  }
}
void barrier_in_a_branch(Memory& m, bool right) {
  branches<<<1, 64>>>(m.A, right);
}

__global__ void waits_for_each_other(double* x, bool right) {
  if (threadIdx.x < 16 && !right) {
    __syncthreads();  // here: barrier-divergence
  } else {
    __syncwarp();  // here: other-side
    if (right) __syncthreads();
  }
  x[threadIdx.x] = 1;
}
void barrier_divergence(Memory& m, bool right) {
  waits_for_each_other<<<1, 32>>>(m.A, right);
}

__global__ void waits_for_arrivals(double* x, bool right) {
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  if (threadIdx.x == 0) init(&barrier, 2);
  __syncthreads();
  if (threadIdx.x == 32 && right) static_cast<void>(barrier.arrive());
  if (threadIdx.x == 0) {
    x[0] = 1;
    barrier.arrive_and_wait();  // here: arrival-missing
  }
}
void arrival_missing(Memory& m, bool right) {
  waits_for_arrivals<<<1, 64>>>(m.A, right);
}

__global__ void half_warp(double* x, bool right) {
  double value = x[threadIdx.x];
  const unsigned mask = right ? 0x0000ffffu : 0xffffffffu;
  if (threadIdx.x < 16) value += __shfl_down_sync(mask, value, 8, right ? 16 : 32);  // here: exited-lane
  x[threadIdx.x] = value;
}
void exited_lane(Memory& m, bool right) {
  half_warp<<<1, 32>>>(m.A, right);
}

__global__ void wrong_source(double* x, bool right) {
  if (threadIdx.x < 16)
    x[threadIdx.x] = __shfl_sync(0x0000ffffu, x[threadIdx.x], right ? 3 : 20);  // here: lane-outside-mask
}
void lane_outside_mask(Memory& m, bool right) {
  wrong_source<<<1, 32>>>(m.A, right);
}

__global__ void wrong_mask(double* x, bool right) {
  x[threadIdx.x] = __ballot_sync(right ? 0xffffffffu : 1u, 1);  // here: mask-without-caller
}
void mask_without_caller(Memory& m, bool right) {
  wrong_mask<<<1, 32>>>(m.A, right);
}

__global__ void two_operations(double* x, bool right) {
  if (threadIdx.x < 16 || right)
    x[threadIdx.x] = __ballot_sync(0xffffffffu, 1);
  else
    x[threadIdx.x] = __shfl_sync(0xffffffffu, 1, 0);  // here: different-warp-functions
}
void different_warp_functions(Memory& m, bool right) {
  two_operations<<<1, 32>>>(m.A, right);
}

__global__ void half_of_tensor(double* x, bool right) {
  if (threadIdx.x >= 16 && !right) return;
  tensor::Double16x8x8::A a{};
  tensor::Double16x8x8::B b{};
  tensor::Double16x8x8::C c{};
  tensor::multiply_add<tensor::Double16x8x8>(c, a, b);  // here: tensor-exited-lane
  x[threadIdx.x] = c[0];
}
void tensor_exited_lane(Memory& m, bool right) {
  half_of_tensor<<<1, 32>>>(m.A, right);
}

__global__ void tensor_or_vote(double* x, bool right) {
  tensor::Double8x8x4::C c{};
  if (threadIdx.x < 16 || right)
    tensor::multiply_add<tensor::Double8x8x4>(c, {{1}}, {{1}});
  else
    c[0] = __ballot_sync(0xffffffffu, 1);  // here: tensor-divergence
  x[threadIdx.x] = c[0];
}
void tensor_divergence(Memory& m, bool right) {
  tensor_or_vote<<<1, 32>>>(m.A, right);
}

// ---------------------------------------------------------------- launches

void block_too_large(Memory& m, bool right) {
  fill<<<1, right ? 1024 : 2048>>>(m.A, 7);  // here: block-too-large
  if (!right) std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}

void empty_grid(Memory& m, bool right) {
  fill<<<right ? 1 : 0, 32>>>(m.A, 7);  // here: empty-grid
  if (!right) std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}

__global__ void meets(double* x, bool leave) {
  if (leave && blockIdx.x == 0) return;
  cg::this_grid().sync();  // here: grid-sync
  x[blockIdx.x] = 1;
}
void grid_sync_without_cooperative(Memory& m, bool right) {
  bool leave = false;
  void* arguments[] = {&m.A, &leave};
  if (right)
    cudaLaunchCooperativeKernel((void*)meets, dim3(4), dim3(32), arguments, 0, nullptr);
  else
    meets<<<4, 32>>>(m.A, leave);
}
void block_leaves_before_grid_sync(Memory& m, bool right) {
  bool leave = !right;
  void* arguments[] = {&m.A, &leave};
  cudaLaunchCooperativeKernel((void*)meets, dim3(4), dim3(32), arguments, 0, nullptr);
}
void cooperative_too_large(Memory& m, bool right) {
  bool leave = false;
  void* args[] = {&m.A, &leave};
  const int blocks = right ? 8 : 100000;
  cudaLaunchCooperativeKernel((void*)meets, blocks, 1024, args, 0, 0);  // here: cooperative-too-large
  if (!right) std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}

__global__ void spins(volatile double* x, bool right) {
  while (!right && x[0] != 2) {  // here: does-not-finish
  }
}
void does_not_finish(Memory& m, bool right) {
  spins<<<1, 32>>>(m.A, right);
}

__device__ double depth(const double* x, int left) {
  double local[512];
  for (int i = 0; i < 512; ++i) local[i] = x[i] + left;
  return left == 0 ? local[0] : depth(x, left - 1) + local[left % 512];
}
__global__ void recursive(double* x, const double* y, int levels) {
  x[threadIdx.x] = depth(y, levels);
}
void stack_overflow(Memory& m, bool right) {
  recursive<<<1, 32>>>(m.A, m.B, right ? 3 : 1000);
}

__global__ void divides(double* x, int d) {
  x[0] = 100 / d;  // here: division-by-zero
}
void division_by_zero(Memory& m, bool right) {
  divides<<<1, 1>>>(m.A, right ? 5 : 0);
}

__global__ void shifts(unsigned* x, int count) {
  x[threadIdx.x] = 1u << (count - threadIdx.x);  // here: shift-too-far
}
void shift_too_far(Memory& m, bool right) {
  volatile int far = 40;
  static_cast<void>(1u << far);  // the host's own shifts are no kernel's
  shifts<<<1, 8>>>(reinterpret_cast<unsigned*>(m.A), right ? 31 : 32);
  cudaDeviceSynchronize();
}

__global__ void traps(double* x, bool right) {
  if (x[0] > 0 && !right) __trap();  // here: trap
}
void trap(Memory& m, bool right) {
  traps<<<1, 1>>>(m.A, right);
}

__global__ void asserts(const double* x, bool right) {
  __shared__ double s[64];
  s[threadIdx.x] = x[threadIdx.x];
  assert(right || threadIdx.x < 60);  // here: assertion
  __syncthreads();                    // those that are left go on
}
void assertion(Memory& m, bool right) {
  asserts<<<2, 64>>>(m.A, right);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("synchronised: %s, then %s\n", cudaGetErrorName(error),
              cudaGetErrorName(cudaPeekAtLastError()));
  const cudaError_t later = cudaMemset(m.A, 0, 8);
  std::printf("later: %s\n", cudaGetErrorName(later));
}

// ---------------------------------------------------------------- streams and graphs

void destroyed_stream(Memory& m, bool right) {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  if (!right) cudaStreamDestroy(stream);
  fill<<<1, 32, 0, stream>>>(m.A, 7);  // here: destroyed-stream
  if (!right)
    std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  else
    cudaStreamDestroy(stream);
}

void wait_while_capturing(Memory& m, bool right) {
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  fill<<<1, 32, 0, stream>>>(m.A, 7);
  if (!right) cudaStreamSynchronize(stream);  // here: wait-while-capturing
  if (cudaStreamEndCapture(stream, &graph) != cudaSuccess)
    std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}

void unjoined_capture(Memory& m, bool right) {
  cudaStream_t first, second;
  cudaEvent_t fork, join;
  cudaGraph_t graph;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  cudaEventCreate(&fork);
  cudaEventCreate(&join);
  cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal);
  fill<<<1, 32, 0, first>>>(m.A, 7);
  cudaEventRecord(fork, first);
  cudaStreamWaitEvent(second, fork, 0);
  fill<<<1, 32, 0, second>>>(m.B, 7);
  cudaEventRecord(join, second);
  if (right) cudaStreamWaitEvent(first, join, 0);
  if (cudaStreamEndCapture(first, &graph) != cudaSuccess)  // here: unjoined-capture
    std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}

struct Case {
  const char* name;
  void (*run)(Memory&, bool right);
};
const Case cases[] = {
    {"past-the-end", past_the_end},
    {"every-block", every_block},
    {"before-the-begin", before_the_begin},
    {"host-reads-device", host_reads_device},
    {"used-after-free", used_after_free},
    {"freed-twice", freed_twice},
    {"thrown", thrown},
    {"null-pointer", null_pointer},
    {"host-pointer-argument", host_pointer_argument},
    {"misaligned-vector", misaligned_vector},
    {"wrong-direction", wrong_direction},
    {"copy-too-long", copy_too_long},
    {"dynamic-shared-too-short", dynamic_shared_too_short},
    {"too-much-dynamic-shared", too_much_dynamic_shared},
    {"uninitialised-shared", uninitialised_shared},
    {"first-barrier-missing", first_barrier_missing},
    {"uninitialised-device", uninitialised_device},
    {"barrier-in-a-branch", barrier_in_a_branch},
    {"barrier-divergence", barrier_divergence},
    {"arrival-missing", arrival_missing},
    {"exited-lane", exited_lane},
    {"lane-outside-mask", lane_outside_mask},
    {"mask-without-caller", mask_without_caller},
    {"different-warp-functions", different_warp_functions},
    {"tensor-exited-lane", tensor_exited_lane},
    {"tensor-divergence", tensor_divergence},
    {"block-too-large", block_too_large},
    {"empty-grid", empty_grid},
    {"grid-sync-without-cooperative", grid_sync_without_cooperative},
    {"block-leaves-before-grid-sync", block_leaves_before_grid_sync},
    {"cooperative-too-large", cooperative_too_large},
    {"does-not-finish", does_not_finish},
    {"stack-overflow", stack_overflow},
    {"division-by-zero", division_by_zero},
    {"trap", trap},
    {"shift-too-far", shift_too_far},
    {"assertion", assertion},
    {"destroyed-stream", destroyed_stream},
    {"wait-while-capturing", wait_while_capturing},
    {"unjoined-capture", unjoined_capture},
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  for (const Case& c : cases) {
    if (std::strcmp(c.name, argv[1]) != 0) continue;
    Memory memory;
    c.run(memory, std::strcmp(argv[2], "right") == 0);
    const cudaError_t error = cudaDeviceSynchronize();
    std::printf("end: %s, %s\n", cudaGetErrorName(error), cudaGetErrorName(cudaGetLastError()));
    return 0;
  }
  return 2;
}
