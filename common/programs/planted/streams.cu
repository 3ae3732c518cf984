/// @file
/// Planted mistakes: work in streams that nothing orders.

#include <cuda_runtime.h>

#include "planted.hpp"

namespace {

constexpr int n = 256;
constexpr size_t bytes = n * sizeof(double);

__global__ void scale(double* y, const double* x) {
  y[threadIdx.x] = 2 * x[threadIdx.x];  // here: scale
}

/// Two streams, two arrays on the device, one that is pinned on the host.
struct Frame {
  cudaStream_t first, second;
  cudaEvent_t done;
  double *dx, *dy, *host;

  explicit Frame(unsigned flags = cudaStreamDefault) {
    cudaStreamCreateWithFlags(&first, flags);
    cudaStreamCreateWithFlags(&second, flags);
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    cudaMalloc(&dx, bytes);  // here: frame-dx
    cudaMalloc(&dy, bytes);
    cudaMallocHost(&host, bytes);
    for (int i = 0; i < n; ++i) host[i] = i;
    cudaMemcpy(dx, host, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(dy, host, bytes, cudaMemcpyHostToDevice);
  }
  ~Frame() {
    cudaDeviceSynchronize();
    cudaFree(dx);
    cudaFree(dy);
    cudaFreeHost(host);
    cudaEventDestroy(done);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
  }
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;

  void second_waits_for_first() {
    cudaEventRecord(done, first);
    cudaStreamWaitEvent(second, done, 0);
  }
};

void read_too_early(bool right) {
  Frame f;
  cudaMemcpyAsync(f.host, f.dx, bytes, cudaMemcpyDeviceToHost, f.first);  // here: copy-to-host
  if (right) cudaStreamSynchronize(f.first);
  std::printf("%g\n", f.host[5]);  // here: early-read
}

void overwritten_too_early(bool right) {
  Frame f;
  cudaMemcpyAsync(f.dx, f.host, bytes, cudaMemcpyHostToDevice, f.first);  // here: copy-from-host
  if (right) cudaStreamSynchronize(f.first);
  f.host[7] = -1;  // here: early-write
}

void kernel_result_read_too_early(bool right) {
  Frame f;
  scale<<<1, n, 0, f.first>>>(f.host, f.dx);  // here: kernel-writes-pinned
  if (right) cudaStreamSynchronize(f.first);
  std::printf("%g\n", f.host[5]);  // here: early-kernel-read
}

void event_waited_for_too_early(bool right) {
  Frame f;
  if (!right) cudaEventRecord(f.done, f.first);
  cudaMemcpyAsync(f.host, f.dx, bytes, cudaMemcpyDeviceToHost, f.first);  // here: copy-behind-event
  if (right) cudaEventRecord(f.done, f.first);
  cudaEventSynchronize(f.done);
  std::printf("%g\n", f.host[9]);  // here: early-event-read
}

/// What is read after a wait goes on where what was read before it ends.
void second_half_read_too_early(bool right) {
  Frame f;
  cudaMemcpyAsync(f.host, f.dx, bytes / 2, cudaMemcpyDeviceToHost, f.first);
  cudaMemcpyAsync(f.host + n / 2, f.dx, bytes / 2, cudaMemcpyDeviceToHost, f.second);  // here: second-half
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    if (i == 0) cudaStreamSynchronize(f.first);
    if (i == n / 2 && right) cudaStreamSynchronize(f.second);
    sum += f.host[i];  // here: early-half-read
  }
  std::printf("%d\n", sum >= 0);  // the sum depends on when the copy comes
}

void kernels_of_two_streams(bool right) {
  Frame f;
  scale<<<1, n, 0, f.first>>>(f.dy, f.dx);  // here: producer
  if (right) f.second_waits_for_first();
  scale<<<1, n, 0, f.second>>>(f.dx, f.dy);  // here: consumer
}

__global__ void add_one(double* sum, bool right) {
  if (right)
    atomicAdd(sum + threadIdx.x, 1);
  else
    sum[threadIdx.x] += 1;
}
void sum_of_two_streams(bool right) {
  Frame f;
  add_one<<<1, n, 0, f.first>>>(f.dx, right);   // here: first-sum
  add_one<<<1, n, 0, f.second>>>(f.dx, right);  // here: second-sum
}

void copy_of_another_stream(bool right) {
  Frame f;
  scale<<<1, n, 0, f.first>>>(f.dy, f.dx);  // here: copied-producer
  if (right) f.second_waits_for_first();
  cudaMemcpyAsync(f.host, f.dy, bytes, cudaMemcpyDeviceToHost, f.second);  // here: other-copy
}

void event_before_the_kernel(bool right) {
  Frame f;
  if (!right) f.second_waits_for_first();
  scale<<<1, n, 0, f.first>>>(f.dy, f.dx);  // here: late-producer
  if (right) f.second_waits_for_first();
  cudaMemsetAsync(f.dy, 0, bytes, f.second);  // here: early-memset
}

void non_blocking_stream(bool right) {
  Frame f(cudaStreamNonBlocking);
  scale<<<1, n, 0, f.first>>>(f.dy, f.dx);  // here: non-blocking-kernel
  if (right) cudaStreamSynchronize(f.first);
  cudaMemcpy(f.host, f.dy, bytes, cudaMemcpyDeviceToHost);  // here: default-copy
}

void freed_in_another_stream(bool right) {
  Frame f;
  double* scratch;
  cudaMallocAsync(&scratch, bytes, f.first);
  scale<<<1, n, 0, f.first>>>(scratch, f.dx);  // here: scratch-kernel
  if (right) f.second_waits_for_first();
  cudaFreeAsync(scratch, f.second);  // here: early-free
}

/// The host waits for the stream that uses the memory, before it frees it in the stream that allocates it.
void allocated_in_another_stream(bool right) {
  Frame f;
  double* scratch;
  cudaMallocAsync(&scratch, bytes, f.first);  // here: pool-allocation
  if (right) f.second_waits_for_first();
  scale<<<1, n, 0, f.second>>>(scratch, f.dx);  // here: use-elsewhere
  cudaStreamSynchronize(f.second);
  cudaFreeAsync(scratch, f.first);
}

void filled_in_another_stream(bool right) {
  Frame f(cudaStreamNonBlocking);
  double* scratch;
  cudaMallocAsync(&scratch, bytes, f.first);  // here: pool-of-first
  if (right) cudaStreamSynchronize(f.first);
  cudaMemsetAsync(scratch, 0, bytes, f.second);  // here: fill-elsewhere
  cudaDeviceSynchronize();
  cudaFree(scratch);
}

void managed_read_too_early(bool right) {
  Frame f;
  double* managed;
  cudaMallocManaged(&managed, bytes);
  for (int i = 0; i < n; ++i) managed[i] = i;
  scale<<<1, n>>>(managed, f.dx);  // here: managed-kernel
  if (right) cudaDeviceSynchronize();
  const double seen = managed[3];  // here: managed-read
  std::printf("%g\n", seen);
  cudaDeviceSynchronize();
  cudaFree(managed);
}

/// What the default stream has got before another stream exists has no order with it either.
void stream_made_after_the_kernel(bool right) {
  double *dx, *dy;
  cudaMalloc(&dx, bytes);
  cudaMalloc(&dy, bytes);
  cudaMemset(dx, 0, bytes);
  scale<<<1, n>>>(dy, dx);  // here: kernel-before-the-stream
  cudaStream_t late;
  cudaStreamCreateWithFlags(&late, cudaStreamNonBlocking);
  if (right) cudaDeviceSynchronize();
  cudaMemsetAsync(dy, 0, bytes, late);  // here: late-stream
  cudaDeviceSynchronize();
  cudaStreamDestroy(late);
  cudaFree(dx);
  cudaFree(dy);
}

const planted::Case cases[] = {
    {"read-too-early", read_too_early},
    {"sum-of-two-streams", sum_of_two_streams},
    {"overwritten-too-early", overwritten_too_early},
    {"kernel-result-read-too-early", kernel_result_read_too_early},
    {"stream-made-after-the-kernel", stream_made_after_the_kernel},
    {"event-waited-for-too-early", event_waited_for_too_early},
    {"second-half-read-too-early", second_half_read_too_early},
    {"kernels-of-two-streams", kernels_of_two_streams},
    {"copy-of-another-stream", copy_of_another_stream},
    {"event-before-the-kernel", event_before_the_kernel},
    {"non-blocking-stream", non_blocking_stream},
    {"freed-in-another-stream", freed_in_another_stream},
    {"allocated-in-another-stream", allocated_in_another_stream},
    {"filled-in-another-stream", filled_in_another_stream},
    {"managed-read-too-early", managed_read_too_early},
};

}  // namespace

int main(int argc, char** argv) {
  return planted::run(cases, argc, argv);
}
