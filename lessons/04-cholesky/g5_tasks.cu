/// @file
/// g5: CPU and GPU together. In g4 one thread issues every call, and waits for each diagonal tile in turn.
/// Here the units are those of c1: a block, or a column of the border. To finish a unit, to update a column
/// of the border by it and to copy it down are OpenMP tasks. While one thread waits for a diagonal tile and
/// factorises it, the others issue calls, each with a handle and pinned memory of its own. What changes a
/// unit goes into the unit's stream, so one event per unit is enough. The next diagonal tile is copied to the
/// host before the other updates of its unit. Source: work C, "OpenMP threads correspond to the streams",
/// potrf as early as possible.

#include <omp.h>

#include <algorithm>
#include <vector>

#include "common/device/cublas.hpp"
#include "common/device/pinned_pool.hpp"
#include "device_memory.hpp"
#include "pinned_slots.hpp"
#include "tiles.hpp"
#include "units.hpp"

namespace cholesky {
namespace {

constexpr int unit_streams = 48;   // for units, in turn
constexpr int result_streams = 8;  // for units in flight to the host: nothing on the device waits for them
constexpr int stream_count = unit_streams + result_streams;
constexpr int slot_count = 8;  // of a thread: tiles in flight at a time

void record(const ladder::Event& event, cudaStream_t stream) {
  ladder::check(cudaEventRecord(event.get(), stream));
}

constexpr double one = 1, minus_one = -1;

/// One factorisation, A = L L^T in place: what its tasks share, and what they do.
struct Factorisation {
  const Problem& p;
  const int s = p.s;
  const std::size_t elements = std::size_t(s) * s, bytes = tile_bytes(p);
  // First the handles: they take memory of the device, too.
  const int team = omp_get_max_threads();
  const ladder::PooledPinnedBuffer<double> pinned{team * (1 + slot_count) * elements};
  std::vector<Worker> workers = workers_of_team();
  const ladder::DeviceBuffer<double> dL = memory_for_tiles();
  const Units units{p};
  const std::vector<ladder::Stream> streams{stream_count};
  const std::vector<ladder::Event> finished = events(units.count());  // of each unit: L's values are there
  std::vector<char> copied = std::vector<char>(units.count());        // no bools, which share bytes
  Team run{workers};

  std::vector<Worker> workers_of_team() const {
    std::vector<Worker> all;
    for (int i = 0; i < team; ++i)
      all.emplace_back(pinned.get() + i * (1 + slot_count) * elements, elements, slot_count, elements);
    return all;
  }
  ladder::DeviceBuffer<double> memory_for_tiles() const {
    require_device_memory(p, p.tiles * bytes);
    return ladder::DeviceBuffer<double>(p.tiles * elements);
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

  /// What comes into stream q from now on waits until unit u is finished.
  void wait(int q, int u) const {
    // TASK, 1 line: No wait is needed where u was finished in that stream.
    ladder::task();  // Delete this line when you start.
    static_cast<void>(q), static_cast<void>(u);
  }
  void copy_up(Worker& w, int u) const {
    for (int t = units.first_tile(u); t < units.end_tile(u); ++t) {
      Slot& slot = w.slots.next();
      std::copy_n(tile(p, t), elements, slot.memory);
      ladder::check(cudaMemcpyAsync(on_device(t), slot.memory, bytes, cudaMemcpyHostToDevice, stream_of(u)));
      record(slot.used, stream_of(u));
    }
  }
  void copy_down(Worker& w, int u) const {
    const int q = unit_streams + u % result_streams;
    wait(q, u);
    for (int t = units.first_tile(u); t < units.end_tile(u); ++t) {
      Slot& slot = w.slots.next();
      ladder::check(
          cudaMemcpyAsync(slot.memory, on_device(t), bytes, cudaMemcpyDeviceToHost, streams[q].get()));
      record(slot.used, streams[q].get());
      slot.goes_to = tile(p, t);
      slot.elements = elements;
    }
  }
  /// c -= t b^T
  void update_tile(Worker& w, int t, int b, int c, cudaStream_t stream) const {
    if (t == b)
      ladder::check(cublasDsyrk(w.blas(stream), CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, s, s, &minus_one,
                                on_device(t), s, &one, on_device(c), s));
    else
      ladder::check(cublasDgemm(w.blas(stream), CUBLAS_OP_N, CUBLAS_OP_T, s, s, s, &minus_one, on_device(t),
                                s, on_device(b), s, &one, on_device(c), s));
  }
  /// The first half of (4), which is in two so that other calls can come between them: column k's diagonal
  /// tile is copied into the worker's slot `diagonal`.
  void read_diagonal(Worker& w, int k, cudaStream_t stream) const {
    // TASK, 3 lines: The copy, and when the slot has it.
    static_cast<void>(w), static_cast<void>(k), static_cast<void>(stream);
  }
  /// The second half: factorised on the host, and back to the device. A bad pivot stops the team.
  void factorise_diagonal(Worker& w, int k, cudaStream_t stream) {
    // TASK, 5 lines: Wait for that copy and for nothing else, factorise, and copy the factor back. When it
    //  fails: run.stop with what info becomes.
    static_cast<void>(w), static_cast<void>(k), static_cast<void>(stream);
  }
  /// The task that finishes unit u.
  void finish(Worker& w, int u) {
    // TASK, 20 lines: Its columns in turn, each updating those after it in the unit. As soon as the next
    //  column's diagonal tile is updated it is read; the other updates run while the host factorises. Then
    //  finished is recorded. After a bad pivot (run.stopped) nothing more is issued.
    static_cast<void>(w), static_cast<void>(u);
  }
  /// The task that updates column j of the border by unit u, which is finished.
  void update_border(Worker& w, int u, int j) const {
    // TASK, 5 lines: In the stream of that column.
    static_cast<void>(w), static_cast<void>(u), static_cast<void>(j);
  }
  /// A unit is copied up by the first task that changes it.
  void need(Worker& w, int u) {
    if (!copied[u]) copy_up(w, u);
    copied[u] = true;
  }

  /// @return what `info` becomes.
  int factorise() {
    const std::vector<char> tokens(units.count());  // for depend
    const char* const token = tokens.data();
#pragma omp parallel num_threads(team)
#pragma omp single
    for (int u = 0; u < units.count(); ++u) {
#pragma omp task depend(inout : token[u])
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
    return run.end();
  }
};

}  // namespace

/// Solves A x = b; the triangular solves on the CPU, by parts.
void tasks(const Problem& p) {
  *p.info = Factorisation{p}.factorise();
  if (*p.info == 0) solve_by_parts(p);
}

}  // namespace cholesky
