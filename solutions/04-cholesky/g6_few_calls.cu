/// @file
/// g6: few calls. In g5 every tile has calls of its own, and a call for one small tile takes the GPU no
/// longer than it takes a thread to issue it. Here a call is for as many tiles as it can take: all tiles
/// below a diagonal tile are solved by one launch (solve_tiles.cuh), and column k updates column j by one
/// strided batch for each run of rows that follow each other. Copies are for several tiles, too, and leave
/// out tiles of zeros. A window keeps copies and calls even. x is solved on the device, which has L
/// (solve_on_device.cuh). Source: work C issues each tile's calls apart; batches came to cuBLAS with 4.1.

#include <omp.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "common/device/cublas.hpp"
#include "common/device/pinned_pool.hpp"
#include "device_memory.hpp"
#include "pinned_slots.hpp"
#include "solve_on_device.cuh"
#include "solve_tiles.cuh"
#include "tiles.hpp"
#include "units.hpp"

namespace cholesky {
namespace {

constexpr int unit_streams = 48;   // for units, in turn
constexpr int result_streams = 8;  // for units on their way to the host: nothing on the device waits for them
constexpr int stream_count = unit_streams + result_streams;
// Bytes of pinned memory that all threads share, before the limits below: to pin it takes longer than to copy
// to it.
constexpr std::size_t min_pinned = 16 << 20;

void record(const ladder::Event& event, cudaStream_t stream) {
  ladder::check(cudaEventRecord(event.get(), stream));
}

/// Whether all elements are zero: equal to the one before them, and the first is.
bool is_zero(const double* first, std::size_t count) {
  return *first == 0 && std::memcmp(first, first + 1, (count - 1) * sizeof *first) == 0;
}

/// A = L L^T in place, then x. @return what `info` becomes.
int factorise_and_solve(const Problem& p) {
  const double one = 1, minus_one = -1;
  const int s = p.s;
  const std::size_t elements = std::size_t(s) * s, bytes = tile_bytes(p);
  // First the handles: they take memory of the device, too.
  const int team = omp_get_max_threads();
  const std::size_t pinned_bytes = std::max(min_pinned, p.tiles * bytes / 128);
  const int slot_count = std::clamp(int(pinned_bytes / (team * bytes)), 4, 8);  // of a thread
  const int slot_tiles = std::clamp(int(pinned_bytes / (team * slot_count * bytes)), 1, 16);
  const std::size_t of_worker = (1 + slot_count * slot_tiles) * elements;
  const ladder::PooledPinnedBuffer<double> pinned(team * of_worker);
  std::vector<Worker> workers;
  for (int i = 0; i < team; ++i)
    workers.emplace_back(pinned.get() + i * of_worker, elements, slot_count, slot_tiles * elements);
  require_device_memory(p, p.tiles * bytes + solve_bytes(p));
  const ladder::DeviceBuffer<double> dL(p.tiles * elements);
  const auto on_device = [&](int t) { return dL.get() + t * elements; };
  const Units units(p);
  const std::vector<ladder::Stream> streams(stream_count);
  // Of a unit's stream; several units may share one.
  const auto number = [](int u) { return u % unit_streams; };
  const auto stream_of = [&](int u) { return streams[number(u)].get(); };
  std::vector<ladder::Event> finished;  // of each unit: L's values are there
  for (int u = 0; u < units.count(); ++u) finished.emplace_back(cudaEventDisableTiming);
  Team run(workers);
  // In the default stream: all others wait for it. Most tiles are zero at first; only the others are copied.
  ladder::check(cudaMemsetAsync(dL.get(), 0, dL.bytes()));

  const auto wait = [&](int q, int u) {  // as in g5
    if (q != number(u)) ladder::check(cudaStreamWaitEvent(streams[q].get(), finished[u].get(), 0));
  };
  // BEGIN SOLUTION The copies of a unit, between tile(p, t) and on_device(t). A unit's tiles lie one after the other: up
  //  to slot_tiles of them go at once through the worker's next slot. copy_up leaves out tiles of zeros
  //  (is_zero), which the device has already. copy_down is g5's, for several tiles.
  //| const auto copy_up = [&](Worker&, [[maybe_unused]] int u) { ladder::task(); };
  //| const auto copy_down = [&](Worker&, int /*u*/) {};
  const auto copy_up = [&](Worker& w, int u) {
    const int end = units.end_tile(u);
    for (int t = units.first_tile(u), count; t < end; t += std::max(1, count)) {
      count = 0;
      while (count < slot_tiles && t + count < end && !is_zero(tile(p, t + count), elements)) ++count;
      if (count == 0) continue;
      Slot& slot = w.slots.next();
      std::copy_n(tile(p, t), count * elements, slot.memory);
      ladder::check(
          cudaMemcpyAsync(on_device(t), slot.memory, count * bytes, cudaMemcpyHostToDevice, stream_of(u)));
      record(slot.used, stream_of(u));
    }
  };
  const auto copy_down = [&](Worker& w, int u) {
    const int q = unit_streams + u % result_streams, end = units.end_tile(u);
    wait(q, u);
    for (int t = units.first_tile(u), count; t < end; t += count) {
      count = std::min(slot_tiles, end - t);
      Slot& slot = w.slots.next();
      ladder::check(cudaMemcpyAsync(slot.memory, on_device(t), count * bytes, cudaMemcpyDeviceToHost,
                                    streams[q].get()));
      record(slot.used, streams[q].get());
      slot.goes_to = tile(p, t);
      slot.elements = count * elements;
    }
  };
  // END SOLUTION
  const auto read_diagonal = [&](Worker& w, int k, cudaStream_t stream) {  // as in g5
    ladder::check(cudaMemcpyAsync(w.diagonal.memory, on_device(p.column_start[k]), bytes,
                                  cudaMemcpyDeviceToHost, stream));
    record(w.diagonal.used, stream);
  };
  const auto factorise_diagonal = [&](Worker& w, int k, cudaStream_t stream) {  // as in g5
    ladder::check(cudaEventSynchronize(w.diagonal.used.get()));
    if (const int row = factorise_tile(w.diagonal.memory, s)) return run.stop(info_of(p, k, row));
    ladder::check(cudaMemcpyAsync(on_device(p.column_start[k]), w.diagonal.memory, bytes,
                                  cudaMemcpyHostToDevice, stream));
    record(w.diagonal.used, stream);
  };
  // BEGIN SOLUTION (6), what column k does to column j: tile b of k is in row j; b and the tiles below it change
  //  the tiles of j in their own rows. Where rows of k follow each other as they do in j, their tiles lie one
  //  after the other in both columns: one call of cublasDgemmStridedBatched, with b for all of them (its
  //  stride is 0). A diagonal tile may be updated whole.
  //| const auto update = [&](Worker&, int /*k*/, int /*b*/, cudaStream_t) {};
  const auto update = [&](Worker& w, int k, int b, cudaStream_t stream) {
    const int j = p.tile_row[b], end = p.column_start[k + 1];
    for (int t = b, count; t < end; t += count) {
      const int c = find(p, p.tile_row[t], j);
      count = 1;
      while (t + count < end && p.tile_row[t + count] == p.tile_row[c + count]) ++count;
      ladder::check(cublasDgemmStridedBatched(w.blas(stream), CUBLAS_OP_N, CUBLAS_OP_T, s, s, s, &minus_one,
                                              on_device(t), s, elements, on_device(b), s, 0, &one,
                                              on_device(c), s, elements, count));
    }
  };
  // END SOLUTION
  // BEGIN SOLUTION The tasks of g5. All tiles below the diagonal tile, which lie one after the other, are one call of
  //  solve_tiles; what a column does to another is update. The column after k comes first, and is read before
  //  the rest.
  //| const auto finish = [&](Worker&, int /*u*/) {};
  //| const auto update_border = [&](Worker&, int /*u*/, int /*j*/) {};
  const auto finish = [&](Worker& w, int u) {
    const cudaStream_t stream = stream_of(u);
    deliver(w.diagonal);  // the last factor of another unit may still be on its way to the device
    read_diagonal(w, units.first(u), stream);
    for (int k = units.first(u); k < units.end(u); ++k) {
      factorise_diagonal(w, k, stream);
      if (run.stopped()) return;
      const int diagonal = p.column_start[k], end = p.column_start[k + 1];
      solve_tiles(on_device(diagonal), on_device(diagonal + 1), end - diagonal - 1, s, stream);
      const int next = find(p, k + 1, k);
      if (k + 1 < units.end(u)) {
        if (next >= 0) update(w, k, next, stream);
        read_diagonal(w, k + 1, stream);
      }
      for (int b = diagonal + 1; b < end && p.tile_row[b] < units.end(u); ++b)
        if (b != next) update(w, k, b, stream);
    }
    record(finished[u], stream);
  };
  const auto update_border = [&](Worker& w, int u, int j) {
    wait(number(units.of(j)), u);
    for (int k = units.first(u); k < units.end(u); ++k)
      if (const int b = find(p, j, k); b >= 0) update(w, k, b, stream_of(units.of(j)));
  };
  // END SOLUTION

  // A unit is copied up by the first task that changes it, and down when the border has been updated by it:
  // before, the copies would come before the updates. A block waits until the one `window` before it is on
  // its way to the host: else all would be copied and finished before the border is updated, and copies and
  // calls would wait for each other.
  const int window = 2 * team;
  std::vector<char> copied(units.count(), false);     // no vector of bool, whose elements share bytes
  const std::vector<char> tokens(units.count() + 1);  // for depend; the last one is nobody's
  const char* const token = tokens.data();
  const auto need = [&](Worker& w, int u) {
    if (!copied[u]) copy_up(w, u);
    copied[u] = true;
  };
#pragma omp parallel num_threads(team)
#pragma omp single
  for (int u = 0; u < units.count(); ++u) {
    const int before = u < units.blocks() && u >= window ? u - window : units.count();
#pragma omp task depend(inout : token[u]) depend(in : token[before])
    run([&](Worker& w) {
      need(w, u);
      finish(w, u);
    });
    for (const int j : units.rows_below(u))
#pragma omp task depend(in : token[u]) depend(inout : token[units.of(j)])
      run([&](Worker& w) {
        need(w, units.of(j));
        update_border(w, u, j);
      });
#pragma omp task depend(inout : token[u])
    run([&](Worker& w) { copy_down(w, u); });
  }
  const int info = run.end();
  if (info == 0) solve_on_device(p, dL.get(), stream_of(0));
  return info;
}

}  // namespace

/// Solves A x = b; the triangular solves on the device, which has L.
void few_calls(const Problem& p) {
  *p.info = factorise_and_solve(p);
}

}  // namespace cholesky
