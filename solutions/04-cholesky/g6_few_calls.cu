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
constexpr int result_streams = 8;  // for units in flight to the host: nothing on the device waits for them
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

constexpr double one = 1, minus_one = -1;

/// Pinned memory of a thread: one diagonal tile, then slots of several tiles each.
struct PinnedShare {
  std::size_t elements = 0;  ///< of a tile
  int slots = 0, slot_tiles = 0;
  std::size_t all() const { return (1 + slots * slot_tiles) * elements; }
};
PinnedShare pinned_share(const Problem& p, int team) {
  const std::size_t bytes = tile_bytes(p), pinned_bytes = std::max(min_pinned, p.tiles * bytes / 128);
  const int slots = std::clamp(int(pinned_bytes / (team * bytes)), 4, 8);
  return {std::size_t(p.s) * p.s, slots, std::clamp(int(pinned_bytes / (team * slots * bytes)), 1, 16)};
}

/// One factorisation, A = L L^T in place, and then x: what its tasks share, and what they do. As in g5 are
/// wait, read_diagonal, factorise_diagonal and need.
struct Factorisation {
  const Problem& p;
  const int s = p.s;
  const std::size_t elements = std::size_t(s) * s, bytes = tile_bytes(p);
  // First the handles: they take memory of the device, too.
  const int team = omp_get_max_threads();
  const PinnedShare share = pinned_share(p, team);
  const ladder::PooledPinnedBuffer<double> pinned{team * share.all()};
  std::vector<Worker> workers = workers_of_team();
  const ladder::DeviceBuffer<double> dL = zeroed_tiles();
  const Units units{p};
  const std::vector<ladder::Stream> streams{stream_count};
  const std::vector<ladder::Event> finished = events(units.count());  // of each unit: L's values are there
  std::vector<char> copied = std::vector<char>(units.count());        // no bools, which share bytes
  Team run{workers};

  std::vector<Worker> workers_of_team() const {
    std::vector<Worker> all;
    for (int i = 0; i < team; ++i)
      all.emplace_back(pinned.get() + i * share.all(), elements, share.slots, share.slot_tiles * elements);
    return all;
  }
  /// Most tiles are zero at first; only the others are copied.
  ladder::DeviceBuffer<double> zeroed_tiles() const {
    require_device_memory(p, p.tiles * bytes + solve_bytes(p));
    ladder::DeviceBuffer<double> tiles(p.tiles * elements);
    // In the default stream: all others wait for it.
    ladder::check(cudaMemsetAsync(tiles.get(), 0, tiles.bytes()));
    return tiles;
  }
  static std::vector<ladder::Event> events(int count) {
    std::vector<ladder::Event> all;
    for (int i = 0; i < count; ++i) all.emplace_back(cudaEventDisableTiming);
    return all;
  }
  double* on_device(int t) const { return dL.get() + t * elements; }
  /// Of a unit's stream; several units may share one.
  static int number(int u) { return u % unit_streams; }
  cudaStream_t stream_of(int u) const { return streams[number(u)].get(); }

  void wait(int q, int u) const {
    if (q != number(u)) ladder::check(cudaStreamWaitEvent(streams[q].get(), finished[u].get(), 0));
  }
  /// A unit's tiles lie one after the other: up to share.slot_tiles of them go at once through the worker's
  /// next slot. Tiles of zeros are left out (is_zero): the device has them.
  void copy_up(Worker& w, int u) const {
    // BEGIN SOLUTION From tile(p, t) to on_device(t), for as many tiles as there are without one of zeros.
    //| ladder::task();  // Delete this line when you start.
    //| static_cast<void>(w), static_cast<void>(u);
    const int end = units.end_tile(u);
    for (int t = units.first_tile(u), count; t < end; t += std::max(1, count)) {
      count = 0;
      while (count < share.slot_tiles && t + count < end && !is_zero(tile(p, t + count), elements)) ++count;
      if (count == 0) continue;
      Slot& slot = w.slots.next();
      std::copy_n(tile(p, t), count * elements, slot.memory);
      ladder::check(
          cudaMemcpyAsync(on_device(t), slot.memory, count * bytes, cudaMemcpyHostToDevice, stream_of(u)));
      record(slot.used, stream_of(u));
    }
    // END SOLUTION
  }
  void copy_down(Worker& w, int u) const {
    // BEGIN SOLUTION g5's, for several tiles at a time.
    //| static_cast<void>(w), static_cast<void>(u);
    const int q = unit_streams + u % result_streams, end = units.end_tile(u);
    wait(q, u);
    for (int t = units.first_tile(u), count; t < end; t += count) {
      count = std::min(share.slot_tiles, end - t);
      Slot& slot = w.slots.next();
      ladder::check(cudaMemcpyAsync(slot.memory, on_device(t), count * bytes, cudaMemcpyDeviceToHost,
                                    streams[q].get()));
      record(slot.used, streams[q].get());
      slot.goes_to = tile(p, t);
      slot.elements = count * elements;
    }
    // END SOLUTION
  }
  void read_diagonal(Worker& w, int k, cudaStream_t stream) const {
    ladder::check(cudaMemcpyAsync(w.diagonal.memory, on_device(p.column_start[k]), bytes,
                                  cudaMemcpyDeviceToHost, stream));
    record(w.diagonal.used, stream);
  }
  void factorise_diagonal(Worker& w, int k, cudaStream_t stream) {
    ladder::check(cudaEventSynchronize(w.diagonal.used.get()));
    if (const int row = factorise_tile(w.diagonal.memory, s)) return run.stop(info_of(p, k, row));
    ladder::check(cudaMemcpyAsync(on_device(p.column_start[k]), w.diagonal.memory, bytes,
                                  cudaMemcpyHostToDevice, stream));
    record(w.diagonal.used, stream);
  }
  /// (6), what column k does to column j: tile b of k is in row j; b and the tiles below it change the tiles
  /// of j in their own rows. A diagonal tile may be updated whole.
  void update(Worker& w, int k, int b, cudaStream_t stream) const {
    // BEGIN SOLUTION Where rows of k follow each other as they do in j, their tiles lie one after the other
    //  in both columns: one call of cublasDgemmStridedBatched, with b for all of them (its stride is 0).
    //| static_cast<void>(w), static_cast<void>(k), static_cast<void>(b), static_cast<void>(stream);
    const int j = p.tile_row[b], end = p.column_start[k + 1];
    for (int t = b, count; t < end; t += count) {
      const int c = find(p, p.tile_row[t], j);
      count = 1;
      while (t + count < end && p.tile_row[t + count] == p.tile_row[c + count]) ++count;
      ladder::check(cublasDgemmStridedBatched(w.blas(stream), CUBLAS_OP_N, CUBLAS_OP_T, s, s, s, &minus_one,
                                              on_device(t), s, elements, on_device(b), s, 0, &one,
                                              on_device(c), s, elements, count));
    }
    // END SOLUTION
  }
  /// The task that finishes unit u.
  void finish(Worker& w, int u) {
    // BEGIN SOLUTION As in g5. All tiles below the diagonal tile, which lie one after the other, are one
    //  call of solve_tiles; what a column does to another is update. The column after k comes first, and is
    //  read before the rest.
    //| static_cast<void>(w), static_cast<void>(u);
    const cudaStream_t stream = stream_of(u);
    deliver(w.diagonal);  // the last factor of another unit may still be in flight to the device
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
    // END SOLUTION
  }
  /// The task that updates column j of the border by unit u, which is finished.
  void update_border(Worker& w, int u, int j) const {
    // BEGIN SOLUTION As in g5, by update.
    //| static_cast<void>(w), static_cast<void>(u), static_cast<void>(j);
    wait(number(units.of(j)), u);
    for (int k = units.first(u); k < units.end(u); ++k)
      if (const int b = find(p, j, k); b >= 0) update(w, k, b, stream_of(units.of(j)));
    // END SOLUTION
  }
  void need(Worker& w, int u) {
    if (!copied[u]) copy_up(w, u);
    copied[u] = true;
  }

  /// @return what `info` becomes.
  int factorise_and_solve() {
    // A unit is copied up by the first task that changes it, and down when the border has been updated by it:
    // before, the copies would come before the updates. A block waits until the one `window` before it is on
    // its way to the host: else all would be copied and finished before the border is updated, and copies and
    // calls would wait for each other.
    const int window = 2 * team;
    const std::vector<char> tokens(units.count() + 1);  // for depend; the last one is nobody's
    const char* const token = tokens.data();
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
};

}  // namespace

/// Solves A x = b; the triangular solves on the device, which has L.
void few_calls(const Problem& p) {
  *p.info = Factorisation{p}.factorise_and_solve();
}

}  // namespace cholesky
