/// @file
/// Memory in other ways: the device's heap, boxes, pools, advice. Also for nvcc.

#include <cstdio>
#include <vector>

#include "common/device/cuda.hpp"

namespace {

using ladder::check;

void report(const char* name, bool right) {
  std::printf("%s %s\n", right ? "OK" : "WRONG", name);
}

// ---------------------------------------------------------------- malloc and new in kernels

struct Node {
  int value;
  Node* next;
  __device__ Node(int v, Node* n) : value{v}, next{n} {}
  __device__ ~Node() { value = -1; }
};

__device__ Node* lists[64];

__global__ void build() {
  Node* head = nullptr;
  for (int i = 0; i < 4; ++i) head = new Node(static_cast<int>(threadIdx.x) * 10 + i, head);
  lists[threadIdx.x] = head;
}

__global__ void add_up(int* sums) {
  int sum = 0;
  for (Node* node = lists[threadIdx.x]; node;) {
    Node* next = node->next;
    sum += node->value;
    delete node;
    node = next;
  }
  int* copy = static_cast<int*>(malloc(3 * sizeof(int)));
  copy[2] = sum;
  sums[threadIdx.x] = copy[2];
  free(copy);
}

__global__ void too_much(int* result) {
  *result = malloc(size_t{1} << 40) == nullptr;
}

void heap() {
  check(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20));
  std::size_t size = 0;
  check(cudaDeviceGetLimit(&size, cudaLimitMallocHeapSize));
  ladder::DeviceBuffer<int> sums(64);
  build<<<1, 64>>>();
  add_up<<<1, 64>>>(sums.get());
  std::vector<int> values(64);
  check(cudaMemcpy(values.data(), sums.get(), sums.bytes(), cudaMemcpyDeviceToHost));
  bool right = size >= 16 << 20;
  for (int i = 0; i < 64; ++i) right = right && values[i] == 40 * i + 6;
  report("heap", right);
  too_much<<<1, 1>>>(sums.get());
  check(cudaMemcpy(values.data(), sums.get(), sizeof(int), cudaMemcpyDeviceToHost));
  report("heap is full", values[0] == 1);
}

// ---------------------------------------------------------------- boxes

/// A box of 4 x 3 x 2 inside one of 6 x 5 x 4 goes into another one, and back.
void boxes() {
  const int width = 6, height = 5, depth = 4;
  std::vector<int> from(width * height * depth), to(width * height * depth, -1);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<int>(i);
  cudaPitchedPtr device;
  check(cudaMalloc3D(&device, make_cudaExtent(width * sizeof(int), height, depth)));
  check(cudaMemset3D(device, 0, make_cudaExtent(width * sizeof(int), height, depth)));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(from.data(), width * sizeof(int), width, height);
  copy.srcPos = make_cudaPos(sizeof(int), 1, 1);
  copy.dstPtr = device;
  copy.dstPos = make_cudaPos(2 * sizeof(int), 2, 2);
  copy.extent = make_cudaExtent(4 * sizeof(int), 3, 2);
  copy.kind = cudaMemcpyHostToDevice;
  check(cudaMemcpy3D(&copy));
  copy = {};
  copy.srcPtr = device;
  copy.dstPtr = make_cudaPitchedPtr(to.data(), width * sizeof(int), width, height);
  copy.extent = make_cudaExtent(width * sizeof(int), height, depth);
  copy.kind = cudaMemcpyDeviceToHost;
  check(cudaMemcpy3DAsync(&copy, nullptr));
  check(cudaDeviceSynchronize());
  bool right = true;
  for (int z = 0; z < depth; ++z)
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const bool inside = x >= 2 && y >= 2 && z >= 2 && y < 5 && z < 4;
        const int expected = inside ? ((z - 1) * height + y - 1) * width + x - 1 : 0;
        right = right && to[(z * height + y) * width + x] == expected;
      }
  report("boxes", right && device.pitch % 32 == 0);
  check(cudaFree(device.ptr));
}

// ---------------------------------------------------------------- pools and advice

void pools() {
  cudaMemPool_t pool;
  check(cudaDeviceGetDefaultMemPool(&pool, 0));
  unsigned long long threshold = 12345, back = 0;
  check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  check(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &back));
  int* memory;
  ladder::Stream stream;
  check(cudaMallocFromPoolAsync(&memory, 64, pool, stream.get()));
  check(cudaFreeAsync(memory, stream.get()));
  check(cudaStreamSynchronize(stream.get()));
  report("pools", back == 12345);

  int* managed;
  check(cudaMallocManaged(&managed, 4096));
  cudaMemLocation location = {};
  location.type = cudaMemLocationTypeDevice;
#if CUDART_VERSION >= 13000
  check(cudaMemAdvise(managed, 4096, cudaMemAdviseSetReadMostly, location));
  check(cudaMemPrefetchAsync(managed, 4096, location, 0, stream.get()));
#endif
  check(cudaStreamSynchronize(stream.get()));
  check(cudaFree(managed));
  report("advice", true);
}

// ---------------------------------------------------------------- questions

__global__ void kernel(int* p) {
  extern __shared__ int memory[];
  memory[threadIdx.x] = 0;
  p[threadIdx.x] = memory[threadIdx.x];
}

void questions() {
  int mode = -1, overlap = -1, grid = 0, block = 0;
  check(cudaDeviceGetAttribute(&mode, cudaDevAttrComputeMode, 0));
  check(cudaDeviceGetAttribute(&overlap, cudaDevAttrGpuOverlap, 0));
  check(cudaOccupancyMaxPotentialBlockSizeVariableSMem(
      &grid, &block, kernel, [](int threads) { return static_cast<std::size_t>(threads) * sizeof(int); }));
  std::size_t left = 0;
  check(cudaOccupancyAvailableDynamicSMemPerBlock(&left, kernel, 2, 128));
  report("questions", mode == cudaComputeModeDefault && overlap == 1 && block >= 32 && left > 16384);
  report("names",
         std::string(cudaGetErrorName(cudaErrorAssert)) == "cudaErrorAssert" &&
             std::string(cudaGetErrorString(cudaErrorNoDevice)) == "no CUDA-capable device is detected");
}

}  // namespace

int main() {
  heap();
  boxes();
  pools();
  questions();
}
