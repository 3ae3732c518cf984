/// @file
/// Takes a trace of a few calls and prints it: kind, name, bytes, flags, stream, launch, dependencies.
/// Executor only.

#include <cstdio>
#include <map>
#include <vector>

#include "common/base/event.h"
#include "common/device/cuda.hpp"

namespace {

using ladder::check;
constexpr int n = 64;

__global__ void fill(double* x, double value) {
  x[threadIdx.x] = value;
}
__global__ void add(double* x, const double* y) {
  x[threadIdx.x] += y[threadIdx.x];
}

void print_trace() {
  const ladder_event* events;
  const uint64_t(*deps)[2];
  std::size_t count, dep_count;
  ladder_sink_drain(&events, &count, &deps, &dep_count);
  constexpr const char* kinds[] = {"?",    "kernel", "h2d",  "d2h",   "d2d",
                                   "fill", "launch", "wait", "alloc", "free"};
  for (std::size_t i = 0; i < count; ++i) {
    const ladder_event& e = events[i];
    std::printf("%d %s %s bytes %d flags %d stream %d grid %u block %u shared %u timed %d after",
                static_cast<int>(e.id), kinds[e.kind], e.name, static_cast<int>(e.bytes),
                static_cast<int>(e.flags), static_cast<int>(e.stream), e.grid[0], e.block[0], e.shared_bytes,
                e.end > 0 && e.end >= e.begin);
    for (std::size_t k = 0; k < dep_count; ++k)
      if (deps[k][0] == e.id) std::printf(" %d", static_cast<int>(deps[k][1]));
    std::printf("\n");
  }
}

void plain() {
  std::vector<double> host(n, 1.0);
  ladder::DeviceBuffer<double> a(n), b(n);
  check(cudaMemcpy(a.get(), host.data(), a.bytes(), cudaMemcpyHostToDevice));
  fill<<<2, 32, 16>>>(b.get(), 2);
  check(cudaMemset(b.get(), 0, 8));
  check(cudaMemcpy(a.get(), b.get(), 8, cudaMemcpyDeviceToDevice));
  check(cudaDeviceSynchronize());
}

void streams() {
  ladder::DeviceBuffer<double> a(n);
  ladder::PinnedBuffer<double> p(n);
  ladder::Stream s(cudaStreamNonBlocking), t(cudaStreamNonBlocking);
  ladder::Event e(cudaEventDisableTiming);
  check(cudaDeviceSynchronize());
  ladder_sink_start();
  fill<<<1, n, 0, s.get()>>>(a.get(), 2);
  check(cudaEventRecord(e.get(), s.get()));
  check(cudaStreamWaitEvent(t.get(), e.get()));
  add<<<1, n, 0, s.get()>>>(a.get(), a.get());
  check(cudaMemcpyAsync(p.get(), a.get(), p.bytes(), cudaMemcpyDeviceToHost, t.get()));
  check(cudaStreamSynchronize(t.get()));
  fill<<<1, n, 0, s.get()>>>(a.get(), 3);
  check(cudaDeviceSynchronize());
  print_trace();
}

void graph() {
  ladder::DeviceBuffer<double> a(n);
  ladder::Stream s;
  check(cudaStreamBeginCapture(s.get(), cudaStreamCaptureModeGlobal));
  fill<<<1, n, 0, s.get()>>>(a.get(), 3);
  const auto chosen = add;  // has the name of the kernel in a trace, not that of the variable
  chosen<<<1, n, 0, s.get()>>>(a.get(), a.get());
  cudaGraph_t captured;
  cudaGraphExec_t executable;
  check(cudaStreamEndCapture(s.get(), &captured));
  check(cudaGraphInstantiate(&executable, captured, 0));
  ladder_sink_start();
  check(cudaGraphLaunch(executable, s.get()));
  check(cudaStreamSynchronize(s.get()));
  print_trace();
}

}  // namespace

int main() {
  std::printf("recorders %s\n", ladder_sink_recorders());
  ladder_sink_start();
  plain();
  print_trace();
  std::printf("streams\n");
  streams();
  std::printf("graph\n");
  graph();
}
