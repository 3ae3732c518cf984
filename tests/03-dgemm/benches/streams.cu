/// @file
/// How near is 03/g7 to its bound, and how much of the copies is hidden? Measurements on a GPU; no test.
///
///     ninja -C build benches/03-dgemm/streams && build/benches/03-dgemm/streams 16384 5
///
/// It prints the medians of
///   compute    g5 with the matrices on the device
///   transfer   A and B to the device and C back, pinned, both ways at the same time
///   g7         from pageable host memory to pageable host memory, allocations and the host's copies included
/// then g7's share of max(transfer, compute). The overlap is measured by the device in one more call: the
/// time in which a copy and a kernel both ran, over the shorter of the times in which one ran.

#include <cupti.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace dgemm {
void async_copies(const Problem& p);
void streams(const Problem& p);
}  // namespace dgemm

namespace {

using ladder::check;

double median_of(int runs, const std::function<void()>& work) {
  std::vector<double> seconds;
  for (int run = 0; run <= runs; ++run) {  // the first one is to warm up
    const auto begin = std::chrono::steady_clock::now();
    work();
    check(cudaDeviceSynchronize());
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    if (run > 0) seconds.push_back(took.count());
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

/// Both ways at once, in pieces that go round in pinned memory.
void transfer(double* device, const ladder::PinnedBuffer<double>& up_from,
              const ladder::PinnedBuffer<double>& down_to, std::size_t elements) {
  const ladder::Stream up(cudaStreamNonBlocking), down(cudaStreamNonBlocking);
  const std::size_t piece = up_from.size();
  const auto copy = [&](std::size_t count, cudaMemcpyKind kind) {
    for (std::size_t at = 0; at < count; at += piece) {
      const std::size_t bytes = sizeof(double) * std::min(piece, count - at);
      if (kind == cudaMemcpyHostToDevice)
        check(cudaMemcpyAsync(device + at, up_from.get(), bytes, kind, up.get()));
      else
        check(cudaMemcpyAsync(down_to.get(), device + 2 * elements + at, bytes, kind, down.get()));
    }
  };
  copy(2 * elements, cudaMemcpyHostToDevice);
  copy(elements, cudaMemcpyDeviceToHost);
  check(cudaStreamSynchronize(up.get()));
  check(cudaStreamSynchronize(down.get()));
}

// ---------------------------------------------------------------- what ran when, by CUPTI

struct Interval {
  std::uint64_t begin, end;
};
std::vector<Interval> kernels, copies;

void CUPTIAPI give_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* most) {
  *size = std::size_t(8) << 20;
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, *size));
  *most = 0;
}

void CUPTIAPI take_buffer(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid) {
  CUpti_Activity* record = nullptr;
  while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
    if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
      const auto* kernel = reinterpret_cast<const CUpti_ActivityKernel9*>(record);
      kernels.push_back({kernel->start, kernel->end});
    } else if (record->kind == CUPTI_ACTIVITY_KIND_MEMCPY) {
      const auto* copy = reinterpret_cast<const CUpti_ActivityMemcpy5*>(record);
      copies.push_back({copy->start, copy->end});
    }
  }
  std::free(buffer);
}

/// Makes the intervals disjoint, in order. @return their length
double merge(std::vector<Interval>& all) {
  std::sort(all.begin(), all.end(), [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
  std::vector<Interval> merged;
  for (const Interval& one : all)
    if (merged.empty() || one.begin > merged.back().end)
      merged.push_back(one);
    else
      merged.back().end = std::max(merged.back().end, one.end);
  all = merged;
  double length = 0;
  for (const Interval& one : all) length += double(one.end - one.begin);
  return length;
}

/// Copies and kernels at the same time, over the shorter of them.
void print_overlap(const std::function<void()>& work) {
  cuptiActivityRegisterCallbacks(give_buffer, take_buffer);
  cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  cuptiActivityEnable(CUPTI_ACTIVITY_KIND_MEMCPY);
  work();
  check(cudaDeviceSynchronize());
  cuptiActivityFlushAll(1);
  const double of_kernels = merge(kernels), of_copies = merge(copies);
  double both = 0;
  for (std::size_t i = 0, j = 0; i < kernels.size() && j < copies.size();) {
    const auto begin = std::max(kernels[i].begin, copies[j].begin),
               end = std::min(kernels[i].end, copies[j].end);
    if (end > begin) both += double(end - begin);
    ++(kernels[i].end < copies[j].end ? i : j);
  }
  std::printf("on the device: kernels %.1f ms, copies %.1f ms, both %.1f ms: overlap %.3f of the shorter\n",
              of_kernels * 1e-6, of_copies * 1e-6, both * 1e-6, both / std::min(of_kernels, of_copies));
}

}  // namespace

int main(int count, char** words) {
  const int n = count > 1 ? std::atoi(words[1]) : 16384;
  const int runs = count > 2 ? std::atoi(words[2]) : 3;
  const std::size_t elements = std::size_t(n) * n;
  std::vector<double> A(elements), B(elements), C(elements);
  for (std::size_t e = 0; e < elements; ++e)
    A[e] = double(e % 1021) / 1021, B[e] = double(e % 1019) / 1019 - 0.5;
  dgemm::Problem p{n, n, n, n, n, n, A.data(), B.data(), C.data()};

  double compute = 0, both = 0;
  std::vector<double> row(n);
  {
    const ladder::DeviceBuffer<double> device(3 * elements);
    check(cudaMemcpy(device.get(), A.data(), sizeof(double) * elements, cudaMemcpyHostToDevice));
    check(cudaMemcpy(device.get() + elements, B.data(), sizeof(double) * elements, cudaMemcpyHostToDevice));
    dgemm::Problem resident = p;
    resident.A = device.get(), resident.B = device.get() + elements, resident.C = device.get() + 2 * elements;
    compute = median_of(runs, [&] { dgemm::async_copies(resident); });
    check(cudaMemcpy(row.data(), resident.C + elements - n, sizeof(double) * n, cudaMemcpyDeviceToHost));
    const ladder::PinnedBuffer<double> up_from(std::size_t(4) << 20), down_to(std::size_t(4) << 20);
    both = median_of(runs, [&] { transfer(device.get(), up_from, down_to, elements); });
  }
  const double g7 = median_of(runs, [&] { dgemm::streams(p); });
  double worst = 0;
  for (int j = 0; j < n; ++j) worst = std::max(worst, std::abs(row[j] - C[elements - n + j]));

  std::printf("n = %d, medians of %d: compute %.1f ms, transfer %.1f ms, g7 %.1f ms\n", n, runs,
              1e3 * compute, 1e3 * both, 1e3 * g7);
  std::printf("max(transfer, compute) / g7 = %.3f   (last row differs from g5's by %.1e)\n",
              std::max(compute, both) / g7, worst);
  print_overlap([&] { dgemm::streams(p); });
  return 0;
}
