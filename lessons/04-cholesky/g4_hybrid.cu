/// @file
/// g4: processor and GPU together. In g3 one thread asks for everything, tile by tile, and waits for each diagonal
/// tile. Here the units are those of c1: a block, or a column of the border. To finish a unit, to take it from a column
/// of the border and to fetch it are tasks; what changes a unit first brings it. A call is for as many tiles as it can
/// take. While one thread waits for a diagonal tile and factorises it, the others feed the GPU, each with a handle and
/// pinned memory of its own. What changes a unit stands in the unit's stream, so that a call has to wait for one unit
/// only, the one that it reads. The tiles below a diagonal are solved by one launch (solve_tiles.cuh), and x on the
/// device, which has L (solve_on_device.cuh).
/// Source: work C, "OpenMP threads correspond to the streams; copies and compute are asynchronous".

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <set>
#include <vector>

#include "common/device/cublas.hpp"
#include "device_memory.hpp"
#include "solve_on_device.cuh"
#include "solve_tiles.cuh"
#include "tiles.hpp"

namespace cholesky {
namespace {

constexpr int unit_streams = 48;   // for units, in turn
constexpr int result_streams = 8;  // for units on their way home: nothing on the device waits for them
constexpr int stream_count = unit_streams + result_streams;
// Bytes of pinned memory that all threads share, before the limits below: to pin it takes longer than to copy to it.
constexpr std::size_t least_pinned = 16 << 20;

/// Pinned room for tiles that are on their way to the device, or to the host.
struct Slot {
  double* room;
  ladder::Event used{cudaEventDisableTiming};  // its copies are done
  double* goes_to = nullptr;                   // where on the host its content goes then; null: nowhere
  std::size_t elements = 0;                    // that go there
};

/// What a thread of the team has: a handle, and pinned memory.
class Worker {
 public:
  /// @param room  elements of one tile, and then of so many slots
  Worker(double* room, std::size_t of_tile, int slot_count, std::size_t of_slot) : diagonal_slot{room} {
    for (int i = 0; i < slot_count; ++i) slots_.push_back({room + of_tile + i * of_slot});
  }
  /// A slot for the next copy.
  Slot& next_slot() {
    Slot& slot = slots_[++copies_ % slots_.size()];
    deliver(slot);
    return slot;
  }
  /// Waits until the slot's last copy is done, and delivers what came.
  static void deliver(Slot& slot) {
    ladder::check(cudaEventSynchronize(slot.used.get()));
    if (slot.goes_to) std::copy_n(slot.room, slot.elements, slot.goes_to);
    slot.goes_to = nullptr;
  }
  void deliver_all() {
    for (Slot& slot : slots_) deliver(slot);
  }
  /// The handle, for calls into that stream.
  cublasHandle_t blas(cudaStream_t stream) const {
    ladder::check(cublasSetStream(blas_.get(), stream));
    return blas_.get();
  }
  Slot diagonal_slot;  // apart: who waits for a diagonal tile should not wait for what the others carry

 private:
  std::vector<Slot> slots_;
  ladder::Cublas blas_;
  std::size_t copies_ = 0;
};

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
  const std::size_t pinned_bytes = std::max(least_pinned, p.tiles * bytes / 128);
  const int slot_count = std::clamp(int(pinned_bytes / (team * bytes)), 4, 8);  // of a thread
  const int slot_tiles = std::clamp(int(pinned_bytes / (team * slot_count * bytes)), 1, 16);
  const std::size_t of_worker = (1 + slot_count * slot_tiles) * elements;
  const ladder::PinnedBuffer<double> pinned(team * of_worker);
  std::vector<Worker> workers;
  for (int i = 0; i < team; ++i)
    workers.emplace_back(pinned.get() + i * of_worker, elements, slot_count, slot_tiles * elements);
  require_device_memory(p, p.tiles * bytes + solve_bytes(p));
  const ladder::DeviceBuffer<double> dL(p.tiles * elements);
  const auto on_device = [&](int t) { return dL.get() + t * elements; };
  // Unit u has tile columns unit[u], …, unit[u + 1] - 1: a block, or one column of the border.
  const int blocks = p.parts - 1, border = p.part_start[blocks];
  std::vector<int> unit(p.part_start, p.part_start + blocks);
  for (int k = border; k <= p.tile_columns; ++k) unit.push_back(k);
  const int units = int(unit.size()) - 1;
  const auto unit_of = [&](int k) { return blocks + k - border; };  // a column of the border
  const std::vector<ladder::Stream> streams(stream_count);
  // Of a unit's stream; several units may share one.
  const auto number = [](int u) { return u % unit_streams; };
  const auto stream_of = [&](int u) { return streams[number(u)].get(); };
  std::vector<ladder::Event> finished;  // of each unit: L's values are there
  for (int u = 0; u < units; ++u) finished.emplace_back(cudaEventDisableTiming);
  // Of unit u and stream q, at u * stream_count + q: the stream waits for the unit already.
  std::vector<std::atomic<bool>> waited(std::size_t(units) * stream_count);
  // In the default stream: all others wait for it. Most tiles are zero at first; only the others are copied.
  ladder::check(cudaMemsetAsync(dL.get(), 0, dL.bytes()));

  std::atomic<int> info{0};
  std::atomic<bool> stop{false};
  std::exception_ptr error;
  // What a task does, by the worker of its thread; no exception may leave a task.
  const auto run = [&](auto&& work) {
    if (stop) return;
    try {
      work(workers[omp_get_thread_num()]);
    } catch (...) {
      if (!stop.exchange(true)) error = std::current_exception();
    }
  };
  // TASK, 6 lines: What must wait. What comes into stream q from now on waits until unit u is finished: not if it was
  //  finished in that stream, and once only, since a stream's calls stand behind the waits that are there. When may
  //  waited be set, so that another thread may rely on it?
  const auto wait = [&](int q, int u) { static_cast<void>(q), static_cast<void>(u); };
  static_cast<void>(waited);
  // TASK, 26 lines: The copies, between tile(p, t) and on_device(t). A unit's tiles lie one behind the other: up to
  //  slot_tiles of them go at once through the worker's next slot, and used is recorded behind the copy. bring is in
  //  the unit's stream and leaves out tiles of zeros (is_zero), which the device has already. fetch is in one of the
  //  result streams, which must wait for the unit. It does not wait for its copies itself: goes_to says where so many
  //  elements go later.
  const auto bring = [&](Worker&, int) { ladder::task(); };
  const auto fetch = [&](Worker&, int) {};
  static_cast<void>(bytes), static_cast<void>(wait);
  // TASK, 18 lines: (4) and (5) of column k, in a stream. factorise_diagonal has the worker's diagonal_slot, from
  //  which the last factor may still be on its way. It is the one that waits, for its copy alone; the factor goes back
  //  to the device, and home with its column. When it fails: info and stop, if nobody has stopped yet. solve_below
  //  solves all tiles below, which lie one behind the other, by one call of solve_tiles.
  const auto factorise_diagonal = [&](Worker&, int, cudaStream_t) {};
  const auto solve_below = [&](int, cudaStream_t) {};
  // TASK, 11 lines: (6), what column k does to column j: tile b of k stands in row j; b and the tiles below it change
  //  the tiles of j in their own rows. Where rows of k follow each other as they do in j, their tiles lie one behind
  //  the other in both columns: one call of cublasDgemmStridedBatched, which takes b for all of them. A diagonal tile
  //  may be updated whole.
  const auto update = [&](Worker&, int /*k*/, int /*b*/, cudaStream_t) {};
  static_cast<void>(one), static_cast<void>(minus_one), static_cast<void>(on_device);
  // TASK, 15 lines: What the tasks do. finish: unit u's columns, one after the other, each changing those behind it in
  //  the unit; then finished is recorded, but not after a bad pivot. take: what unit u, which is finished, does to
  //  column j of the border, in the stream of that column.
  const auto finish = [&](Worker&, int) {};
  const auto take = [&](Worker&, int, int) {};
  static_cast<void>(factorise_diagonal), static_cast<void>(solve_below), static_cast<void>(update);

  // The order of the baseline, as tasks. A unit is brought by the first task that changes it, and fetched when the
  // border has taken from it: before, the fetches would stand in front of what the border takes. A block waits until
  // the one `window` before it is on its way home: else all would be brought and finished before the border takes, and
  // link and GPU would wait for each other.
  const int window = 2 * team;
  std::vector<char> brought(units, false);    // no vector of bool, whose elements share bytes
  const std::vector<char> tokens(units + 1);  // for depend; the last one is nobody's
  const char* const token = tokens.data();
  const auto need = [&](Worker& w, int u) {
    if (!brought[u]) bring(w, u);
    brought[u] = true;
  };
#pragma omp parallel num_threads(team)
#pragma omp single
  for (int u = 0; u < units; ++u) {
    const int before = u < blocks && u >= window ? u - window : units;
#pragma omp task depend(inout : token[u]) depend(in : token[before])
    run([&](Worker& w) {
      need(w, u);
      finish(w, u);
    });
    std::set<int> rows;  // below the unit
    for (int t = p.column_start[unit[u]]; t < p.column_start[unit[u + 1]]; ++t)
      if (p.tile_row[t] >= unit[u + 1]) rows.insert(p.tile_row[t]);
    for (const int j : rows)
#pragma omp task depend(in : token[u]) depend(inout : token[unit_of(j)])
      run([&](Worker& w) {
        need(w, unit_of(j));
        take(w, u, j);
      });
#pragma omp task depend(inout : token[u])
    run([&](Worker& w) { fetch(w, u); });
  }
  if (!stop)
    for (Worker& w : workers) w.deliver_all();
  // Also after a bad pivot: nothing may run any more when the memory goes. The first error says more than later ones.
  const cudaError_t ended = cudaDeviceSynchronize();
  if (error) std::rethrow_exception(error);
  ladder::check(ended);
  if (info == 0) solve_on_device(p, dL.get(), stream_of(0));
  return info;
}

}  // namespace

/// Solves A x = b; the triangular solves on the device, which has L.
void hybrid(const Problem& p) {
  *p.info = factorise_and_solve(p);
}

}  // namespace cholesky
