/// @file
/// A program with known transfers, launches and waits, to be run on a GPU under the CUDA recorder. Prints the
/// metrics, one a line; with an argument also writes the trace there, as Trace Event JSON.

#include <cuda_runtime.h>

#include <cstdio>
#include <fstream>

#include "common/device/cuda.hpp"
#include "common/trace/metrics.hpp"
#include "tests/common/trace/traces.hpp"

namespace {

constexpr int n = 1 << 20;
constexpr std::size_t bytes = n * sizeof(float);

__global__ void twice(float* a) {
  __shared__ float tile[256];
  tile[threadIdx.x] = a[blockIdx.x * 256 + threadIdx.x];
  a[blockIdx.x * 256 + threadIdx.x] = 2 * tile[threadIdx.x];
}

/// One stream: a blocking copy each way, a kernel, a fill. Waits: 2.
void one_stream(float* a, std::vector<float>& host) {
  ladder::check(cudaMemcpy(a, host.data(), bytes, cudaMemcpyHostToDevice));
  twice<<<n / 256, 256>>>(a);
  ladder::check(cudaMemsetAsync(a, 0, bytes / 2));
  ladder::check(cudaMemcpy(host.data(), a, bytes, cudaMemcpyDeviceToHost));
}

/// Two streams tied by an event, pinned memory. Waits: 1.
void two_streams(float* a, float* pinned, cudaStream_t first, cudaStream_t second, cudaEvent_t event) {
  ladder::check(cudaMemcpyAsync(a, pinned, bytes, cudaMemcpyHostToDevice, first));
  ladder::check(cudaEventRecord(event, first));
  ladder::check(cudaStreamWaitEvent(second, event));
  twice<<<n / 256, 256, 0, second>>>(a);
  ladder::check(cudaMemcpyAsync(pinned, a, bytes, cudaMemcpyDeviceToHost, second));
  ladder::check(cudaStreamSynchronize(second));
}

/// A graph of three kernels, launched twice. Waits: 1.
void graph(float* a, cudaGraphExec_t executable, cudaStream_t stream) {
  for (int i = 0; i < 2; ++i) ladder::check(cudaGraphLaunch(executable, stream));
  ladder::check(cudaStreamSynchronize(stream));
}

cudaGraphExec_t make_graph(float* a, cudaStream_t stream) {
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  ladder::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  for (int i = 0; i < 3; ++i) twice<<<n / 256, 256, 0, stream>>>(a);
  ladder::check(cudaStreamEndCapture(stream, &graph));
  ladder::check(cudaGraphInstantiate(&executable, graph, 0));
  return executable;
}

}  // namespace

int main(int argc, char** argv) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::puts("no GPU");
    return 77;
  }
  std::vector<float> host(n, 1.0f);
  float *a = nullptr, *pinned = nullptr;
  cudaStream_t first, second;
  cudaEvent_t event;
  ladder::check(cudaMalloc(&a, bytes));
  ladder::check(cudaMallocHost(&pinned, bytes));
  ladder::check(cudaStreamCreate(&first));
  ladder::check(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  ladder::check(cudaEventCreate(&event));
  cudaGraphExec_t executable = make_graph(a, first);
  twice<<<n / 256, 256>>>(a);  // before the recording: must not be in it
  const ladder::Trace trace = ladder::test::record([&] {
    float* extra = nullptr;
    ladder::check(cudaMalloc(&extra, 12345));
    one_stream(a, host);
    two_streams(a, pinned, first, second, event);
    graph(a, executable, first);
    ladder::check(cudaFree(extra));
    twice<<<n / 256, 256>>>(
        a);  // not waited for: the drain takes it all the same, and its wait is not the program's
  });
  ladder::check(cudaDeviceSynchronize());
  std::printf("recorders %s\n", trace.recorders.c_str());
  for (const char* name : {"bytes_to_device", "bytes_to_host", "pageable_bytes", "launches", "kernels",
                           "waits", "peak_device_bytes", "work_items"})
    std::printf("%s %.0f\n", name, ladder::metric(name, trace));
  using ladder::test::nth;
  const bool tied = ladder::test::depends(trace, nth(trace, LADDER_KERNEL, 1), nth(trace, LADDER_H2D, 1));
  std::printf("name %s\n", nth(trace, LADDER_KERNEL).name.c_str());
  std::printf("tied %d\nshared %u\nchain %.3f\noverlap %.3f\n", tied, nth(trace, LADDER_KERNEL).shared_bytes,
              ladder::metric("chain", trace), ladder::metric("overlap", trace));
  for (const auto& e : trace.events)
    std::printf("# %llu %s %s %.0f stream %llu %llu..%llu\n", (unsigned long long)e.id,
                std::string(ladder::name_of(e.kind)).c_str(), e.name.c_str(), e.bytes,
                (unsigned long long)e.stream, (unsigned long long)e.begin, (unsigned long long)e.end);
  if (argc > 1) std::ofstream(argv[1]) << trace.to_json();
}
