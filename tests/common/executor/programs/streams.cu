/// @file
/// Order of streams: what waits for what, and what does not. Also for nvcc; "late" lines hold for the
/// executor only, where work that nobody waits for has not been done yet.

#include <atomic>
#include <cstdio>
#include <vector>

#include "common/device/cuda.hpp"

namespace {

using ladder::check;
constexpr int n = 64;
constexpr std::size_t bytes = n * sizeof(double);

__global__ void fill(double* x, double value) {
  x[threadIdx.x] = value;
}
__global__ void add(double* x, const double* y) {
  x[threadIdx.x] += y[threadIdx.x];
}

struct Setup {
  ladder::DeviceBuffer<double> a{n}, b{n};
  ladder::PinnedBuffer<double> p{n};
  ladder::Stream s{cudaStreamNonBlocking}, t{cudaStreamNonBlocking};
  ladder::Event e;
  Setup() {
    fill<<<1, n>>>(a.get(), 1);
    fill<<<1, n>>>(b.get(), 2);
    check(cudaDeviceSynchronize());
    p[5] = -1;
  }
};

void report(const char* name, bool right) {
  std::printf("%s %s\n", right ? "OK" : "WRONG", name);
}

void missing_wait() {
  Setup x;
  fill<<<1, n, 0, x.s.get()>>>(x.a.get(), 7);
  check(cudaMemcpyAsync(x.p.get(), x.a.get(), bytes, cudaMemcpyDeviceToHost, x.s.get()));
  report("late: read before the wait", x.p[5] == -1);
  check(cudaStreamSynchronize(x.s.get()));
  report("read after the wait", x.p[5] == 7);
}

void two_streams() {
  Setup x;
  fill<<<1, n, 0, x.s.get()>>>(x.a.get(), 7);
  check(cudaMemcpyAsync(x.p.get(), x.a.get(), bytes, cudaMemcpyDeviceToHost, x.t.get()));
  check(cudaStreamSynchronize(x.t.get()));
  report("late: two streams without an event", x.p[5] == 1);

  fill<<<1, n, 0, x.s.get()>>>(x.a.get(), 8);
  check(cudaEventRecord(x.e.get(), x.s.get()));
  fill<<<1, n, 0, x.s.get()>>>(x.a.get(), 9);  // after the event: nobody waits for it
  check(cudaStreamWaitEvent(x.t.get(), x.e.get()));
  check(cudaMemcpyAsync(x.p.get(), x.a.get(), bytes, cudaMemcpyDeviceToHost, x.t.get()));
  check(cudaStreamSynchronize(x.t.get()));
  report("two streams with an event", x.p[5] == 8 || x.p[5] == 9);
}

void default_stream() {
  Setup x;
  ladder::Stream blocking;
  fill<<<1, n, 0, blocking.get()>>>(x.a.get(), 3);
  fill<<<1, n>>>(x.b.get(), 4);                            // waits for the blocking stream
  add<<<1, n, 0, blocking.get()>>>(x.a.get(), x.b.get());  // waits for the default stream
  check(cudaMemcpyAsync(x.p.get(), x.a.get(), bytes, cudaMemcpyDeviceToHost, blocking.get()));
  check(cudaStreamSynchronize(blocking.get()));
  report("default stream", x.p[5] == 7);
}

void pageable() {
  Setup x;
  std::vector<double> host(n, 0.0);
  fill<<<1, n, 0, x.s.get()>>>(x.a.get(), 5);
  check(cudaMemcpyAsync(host.data(), x.a.get(), bytes, cudaMemcpyDeviceToHost, x.s.get()));
  report("pageable copies wait", host[5] == 5);
}

void events() {
  Setup x;
  ladder::Event begin, end;
  check(cudaEventRecord(begin.get(), x.s.get()));
  fill<<<1, n, 0, x.s.get()>>>(x.a.get(), 5);
  check(cudaEventRecord(end.get(), x.s.get()));
  check(cudaEventSynchronize(end.get()));
  float ms = -1;
  check(cudaEventElapsedTime(&ms, begin.get(), end.get()));
  ladder::Event without(cudaEventDisableTiming);
  check(cudaEventRecord(without.get(), x.s.get()));
  check(cudaEventSynchronize(without.get()));
  const bool refused =
      cudaEventElapsedTime(&ms, begin.get(), without.get()) == cudaErrorInvalidResourceHandle;
  static_cast<void>(cudaGetLastError());
  report("events", ms >= 0 && ms < 10000 && refused);
}

/// Nobody waits: the work starts by itself, or because somebody asks.
void polling() {
  Setup x;
  std::atomic<int> done{0};
  fill<<<1, n, 0, x.s.get()>>>(x.a.get(), 6);
  check(cudaLaunchHostFunc(
      x.s.get(), [](void* flag) { *static_cast<std::atomic<int>*>(flag) = 1; }, &done));
  while (done == 0) {
  }
  fill<<<1, n, 0, x.s.get()>>>(x.a.get(), 7);
  check(cudaEventRecord(x.e.get(), x.s.get()));
  int asked = 0;
  while (cudaEventQuery(x.e.get()) == cudaErrorNotReady) ++asked;
  while (cudaStreamQuery(x.s.get()) == cudaErrorNotReady) ++asked;
  double value = 0;
  check(cudaMemcpy(&value, x.a.get(), sizeof value, cudaMemcpyDeviceToHost));
  report("polling", value == 7);
}

/// Two branches that an event forks and another joins; the graph runs three times.
void graph() {
  Setup x;
  ladder::Event fork(cudaEventDisableTiming), join(cudaEventDisableTiming);
  check(cudaStreamBeginCapture(x.s.get(), cudaStreamCaptureModeGlobal));
  fill<<<1, n, 0, x.s.get()>>>(x.b.get(), 10);
  check(cudaEventRecord(fork.get(), x.s.get()));
  check(cudaStreamWaitEvent(x.t.get(), fork.get()));
  add<<<1, n, 0, x.t.get()>>>(x.a.get(), x.b.get());
  check(cudaEventRecord(join.get(), x.t.get()));
  check(cudaStreamWaitEvent(x.s.get(), join.get()));
  check(cudaMemcpyAsync(x.p.get(), x.a.get(), bytes, cudaMemcpyDeviceToHost, x.s.get()));
  cudaGraph_t captured;
  cudaGraphExec_t executable;
  check(cudaStreamEndCapture(x.s.get(), &captured));
  check(cudaGraphInstantiate(&executable, captured, 0));
  check(cudaGraphDestroy(captured));
  check(cudaStreamSynchronize(x.t.get()));
  report("capture runs nothing", x.p[5] == -1);
  for (int i = 0; i < 3; ++i) check(cudaGraphLaunch(executable, x.s.get()));
  check(cudaStreamSynchronize(x.s.get()));
  report("graph", x.p[5] == 31);
  check(cudaGraphExecDestroy(executable));
}

/// More than the executor queues; a stream that is destroyed with work in it.
void many() {
  Setup x;
  cudaStream_t stream;
  check(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -1));
  fill<<<1, n, 0, stream>>>(x.a.get(), 0);
  fill<<<1, n, 0, stream>>>(x.b.get(), 1);
  for (int i = 0; i < 3000; ++i) add<<<1, n, 0, stream>>>(x.a.get(), x.b.get());
  check(cudaMemcpyAsync(x.p.get(), x.a.get(), bytes, cudaMemcpyDeviceToHost, stream));
  check(cudaStreamDestroy(stream));
  check(cudaDeviceSynchronize());
  report("many operations", x.p[5] == 3000);
}

}  // namespace

int main() {
  missing_wait();
  two_streams();
  default_stream();
  pageable();
  events();
  polling();
  graph();
  many();
  check(cudaGetLastError());
}
