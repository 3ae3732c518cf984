// verdict CRASHED
// must another thread set another stream after this one did
// must a handle is for one thread at a time
// not two streams
// All threads share one cuBLAS handle: between cublasSetStream and the call another thread may set another stream.
#include <omp.h>

#include <algorithm>
#include <vector>

#include "common/device/cublas.hpp"
#include "device_memory.hpp"
#include "pinned_slots.hpp"
#include "tiles.hpp"
#include "units.hpp"

namespace cholesky {
namespace {

constexpr int stream_count = 32, slot_count = 8;

int factorise(const Problem& p) {
  const double one = 1, minus_one = -1;
  const int s = p.s;
  const size_t elements = size_t(s) * s, bytes = tile_bytes(p);
  const int team = omp_get_max_threads();
  ladder::PinnedBuffer<double> pinned(team * (1 + slot_count) * elements);
  std::vector<Worker> workers;
  for (int i = 0; i < team; ++i)
    workers.emplace_back(pinned.get() + i * (1 + slot_count) * elements, elements, slot_count, elements);
  require_device_memory(p, p.tiles * bytes);
  ladder::DeviceBuffer<double> dL(p.tiles * elements);
  ladder::Cublas blas;
  Units units(p);
  std::vector<ladder::Stream> streams(stream_count);
  std::vector<ladder::Event> finished(units.count());
  Team run(workers);
  auto on_device = [&](int t) { return dL.get() + t * elements; };
  auto stream_of = [&](int u) { return streams[u % stream_count].get(); };
  auto update = [&](int t, int b, int c, cudaStream_t stream) {
    ladder::check(cublasSetStream(blas.get(), stream));
    ladder::check(cublasDgemm(blas.get(), CUBLAS_OP_N, CUBLAS_OP_T, s, s, s, &minus_one, on_device(t), s,
                              on_device(b), s, &one, on_device(c), s));
  };
  std::vector<char> copied(units.count(), false), tokens(units.count());
  char* token = tokens.data();
  auto copy_up = [&](Worker& w, int u) {
    if (copied[u]) return;
    copied[u] = true;
    for (int t = units.first_tile(u); t < units.end_tile(u); ++t) {
      Slot& slot = w.slots.next();
      std::copy_n(tile(p, t), elements, slot.memory);
      ladder::check(cudaMemcpyAsync(on_device(t), slot.memory, bytes, cudaMemcpyHostToDevice, stream_of(u)));
      ladder::check(cudaEventRecord(slot.used.get(), stream_of(u)));
    }
  };
  auto finish = [&](Worker& w, int u) {
    cudaStream_t stream = stream_of(u);
    for (int k = units.first(u); k < units.end(u); ++k) {
      int first = p.column_start[k], end = p.column_start[k + 1];
      ladder::check(cudaMemcpyAsync(w.diagonal.memory, on_device(first), bytes, cudaMemcpyDeviceToHost, stream));
      ladder::check(cudaStreamSynchronize(stream));
      if (int row = factorise_tile(w.diagonal.memory, s)) return run.stop(info_of(p, k, row));
      ladder::check(cudaMemcpyAsync(on_device(first), w.diagonal.memory, bytes, cudaMemcpyHostToDevice, stream));
      for (int t = first + 1; t < end; ++t) {
        ladder::check(cublasSetStream(blas.get(), stream));
        ladder::check(cublasDtrsm(blas.get(), CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T,
                                  CUBLAS_DIAG_NON_UNIT, s, s, &one, on_device(first), s, on_device(t), s));
      }
      for (int b = first + 1; b < end && p.tile_row[b] < units.end(u); ++b)
        for (int t = b; t < end; ++t) update(t, b, find(p, p.tile_row[t], p.tile_row[b]), stream);
      ladder::check(cudaStreamSynchronize(stream));  // the slot of the diagonal tile is free
    }
    ladder::check(cudaEventRecord(finished[u].get(), stream));
  };
  auto update_border = [&](int u, int j) {
    cudaStream_t stream = stream_of(units.of(j));
    ladder::check(cudaStreamWaitEvent(stream, finished[u].get(), 0));
    for (int k = units.first(u); k < units.end(u); ++k)
      if (int b = find(p, j, k); b >= 0)
        for (int t = b; t < p.column_start[k + 1]; ++t) update(t, b, find(p, p.tile_row[t], j), stream);
  };
  auto copy_down = [&](Worker& w, int u) {
    for (int t = units.first_tile(u); t < units.end_tile(u); ++t) {
      Slot& slot = w.slots.next();
      ladder::check(cudaMemcpyAsync(slot.memory, on_device(t), bytes, cudaMemcpyDeviceToHost, stream_of(u)));
      ladder::check(cudaEventRecord(slot.used.get(), stream_of(u)));
      slot.goes_to = tile(p, t);
      slot.elements = elements;
    }
  };
#pragma omp parallel num_threads(team)
#pragma omp single
  for (int u = 0; u < units.count(); ++u) {
#pragma omp task depend(inout : token[u])
    run([&](Worker& w) {
      copy_up(w, u);
      finish(w, u);
    });
    for (int j : units.rows_below(u))
#pragma omp task depend(in : token[u]) depend(inout : token[units.of(j)])
      run([&](Worker& w) {
        copy_up(w, units.of(j));
        update_border(u, j);
      });
#pragma omp task depend(inout : token[u])
    run([&](Worker& w) { copy_down(w, u); });
  }
  return run.end();
}

}  // namespace

void tasks(const Problem& p) {
  *p.info = factorise(p);
  if (*p.info == 0) solve_by_parts(p);
}

}  // namespace cholesky
