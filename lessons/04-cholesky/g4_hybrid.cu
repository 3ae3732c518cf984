/// @file
/// g4: processor and GPU together. In g3 one thread asked for everything, and waited for each diagonal tile. Here
/// calls are tasks, as c1 has them for the border: while one thread waits for a diagonal tile and factorises it, the
/// others feed the GPU, each with a handle and pinned memory of its own; tiles come and go under all that. They share
/// the streams. A tile's stream is that of its row, so that an update has to wait for one tile only, that of another row.
/// Source: work C, "OpenMP threads correspond to the streams; copies and compute are asynchronous".

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <vector>

#include "common/device/cublas.hpp"
#include "device_memory.hpp"
#include "tiles.hpp"

namespace cholesky {
namespace {

constexpr int row_streams = 20;      // for tiles below the diagonal, by their rows
constexpr int diagonal_streams = 8;  // for diagonal tiles: a thread waits for one, not for what else is to do
constexpr int result_streams = 4;    // for tiles on their way home: nothing on the device waits for them
constexpr int stream_count = row_streams + diagonal_streams + result_streams;
// Bytes of pinned memory, of all threads: to pin it takes longer than to copy to it.
constexpr std::size_t least_pinned = 16 << 20;

/// Pinned room for a tile that is on its way to the device, or to the host.
struct Slot {
  double* room;
  ladder::Event used{cudaEventDisableTiming};  // its copies are done
  double* goes_to = nullptr;                   // where on the host it goes then; null: nowhere
};

/// What a thread of the team has: a handle, and pinned memory.
class Worker {
 public:
  Worker(double* room, std::size_t elements, int slot_count) : diagonal_slot{room}, elements_(elements) {
    for (int i = 1; i < slot_count; ++i) slots_.push_back({room + i * elements});
  }
  /// A slot for the next copy.
  Slot& next_slot() {
    Slot& slot = slots_[++copies_ % slots_.size()];
    deliver(slot);
    return slot;
  }
  /// Waits until the slot's last copy is done, and delivers what came.
  void deliver(Slot& slot) const {
    ladder::check(cudaEventSynchronize(slot.used.get()));
    if (slot.goes_to) std::copy_n(slot.room, elements_, slot.goes_to);
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
  std::size_t elements_;
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

/// A = L L^T in place. @return what `info` becomes.
int factorise(const Problem& p) {
  const double one = 1, minus_one = -1;
  const int s = p.s;
  const std::size_t elements = std::size_t(s) * s, bytes = tile_bytes(p);
  require_device_memory(p, p.tiles * bytes);
  const ladder::DeviceBuffer<double> dL(p.tiles * elements);
  const auto on_device = [&](int t) { return dL.get() + t * elements; };
  const std::vector<ladder::Stream> streams(stream_count);
  std::vector<int> number(p.tiles);  // of a tile's stream: what changes the tile stands there, in order
  for (int k = 0; k < p.tile_columns; ++k) {
    for (int t = p.column_start[k]; t < p.column_start[k + 1]; ++t) number[t] = p.tile_row[t] % row_streams;
    number[p.column_start[k]] = row_streams + k % diagonal_streams;
  }
  const auto stream_of = [&](int t) { return streams[number[t]].get(); };
  std::vector<ladder::Event> finished;  // of each tile: L's values are there
  for (int t = 0; t < p.tiles; ++t) finished.emplace_back(cudaEventDisableTiming);
  std::vector<std::atomic<bool>> waited(std::size_t(p.tiles) *
                                        stream_count);  // a tile, a stream: it waits already
  const int team = omp_get_max_threads();
  const std::size_t pinned_bytes = std::max(least_pinned, p.tiles * bytes / 64);
  const int slot_count = std::clamp(int(pinned_bytes / (team * bytes)), 4, 16);  // of a thread
  const ladder::PinnedBuffer<double> pinned(team * slot_count * elements);
  std::vector<Worker> workers;
  for (int i = 0; i < team; ++i)
    workers.emplace_back(pinned.get() + i * slot_count * elements, elements, slot_count);

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
  // TASK What must wait. What comes into stream q from now on waits until tile a is finished: not if a was
  //  solved in that stream, and once only, since a stream's calls stand behind the waits that are there. When may
  //  waited be set, so that another thread may rely on it?
  const auto wait = [&](int q, int a) { static_cast<void>(q), static_cast<void>(a); };
  static_cast<void>(waited);
  // TASK What the tasks do. All that touches a tile goes into the tile's stream: what changes it is in order
  //  there, and needs no event. A solve waits for the diagonal tile, an update for the tiles that it reads; who
  //  finishes a tile records it, once. bring and fetch go through the worker's next slot, and record used behind
  //  the copy; fetch does not wait for it, goes_to says where the content goes later. factorise_diagonal has a
  //  slot for itself, and is the one that waits, for its copy alone; the factor goes to p.L and back to the
  //  device. When it fails: info and stop, if nobody has stopped yet.
  const auto bring = [&](Worker&, int) { ladder::task(); };
  const auto factorise_diagonal = [&](Worker&, int) {};
  const auto solve_below = [&](Worker&, int, int) {};
  const auto fetch = [&](Worker&, int) {};
  const auto update = [&](Worker&, int, int, int) {};
  static_cast<void>(one), static_cast<void>(minus_one), static_cast<void>(bytes), static_cast<void>(wait);
  static_cast<void>(on_device);

  // The baseline's loops, as tasks; a tile is brought shortly before its first use, and fetched as soon as it is solved.
  std::vector<bool> brought(p.tiles, false);
  const auto need = [&](int t) {
    double* const L = tile(p, t);
    if (brought[t]) return;
    brought[t] = true;
#pragma omp task depend(inout : L[0])
    run([&](Worker& w) { bring(w, t); });
  };
#pragma omp parallel num_threads(team)
#pragma omp single
  for (int k = 0; k < p.tile_columns; ++k) {
    const int diagonal = p.column_start[k], end = p.column_start[k + 1];
    const double* const L11 = tile(p, diagonal);
    need(diagonal);
#pragma omp task depend(inout : L11[0])
    run([&](Worker& w) { factorise_diagonal(w, k); });
    for (int t = diagonal + 1; t < end; ++t) {
      const double* const L21 = tile(p, t);
      need(t);
#pragma omp task depend(in : L11[0]) depend(inout : L21[0])
      run([&](Worker& w) { solve_below(w, diagonal, t); });
    }
    for (int u = diagonal + 1; u < end; ++u)
      for (int t = u; t < end; ++t) {
        const int c = find(p, p.tile_row[t], p.tile_row[u]);
        const double *const A = tile(p, t), *const B = tile(p, u), *const C = tile(p, c);
        need(c);
#pragma omp task depend(in : A[0], B[0]) depend(inout : C[0])
        run([&](Worker& w) { update(w, t, u, c); });
      }
    for (int t = diagonal + 1; t < end; ++t) {
      const double* const L21 = tile(p, t);
#pragma omp task depend(in : L21[0])
      run([&](Worker& w) { fetch(w, t); });
    }
  }
  // Also after a bad pivot: nothing may run any more when the memory goes.
  for (Worker& w : workers) w.deliver_all();
  ladder::check(cudaDeviceSynchronize());
  if (error) std::rethrow_exception(error);
  return info;
}

}  // namespace

/// Solves A x = b; the triangular solves on the processor, by parts.
void hybrid(const Problem& p) {
  *p.info = factorise(p);
  if (*p.info == 0) solve_by_parts(p);
}

}  // namespace cholesky
