/// @file
/// g4: processor and GPU together. In g3 one thread asks for everything, tile by tile, and waits for each diagonal tile.
/// Here the unit is a tile column: to bring it, to finish it, to take it from another column and to fetch it are tasks, as
/// c1 has them for the border, and a call is for as many of its tiles as can be. While one thread waits for a diagonal
/// tile and factorises it, the others feed the GPU, each with a handle and pinned memory of its own. What changes a
/// column stands in the column's stream, so that an update has to wait for one column only, the one that it reads.
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

constexpr int column_streams = 48;  // for tile columns, in turn
constexpr int result_streams = 8;   // for columns on their way home: nothing on the device waits for them
constexpr int stream_count = column_streams + result_streams;
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
  require_device_memory(p, p.tiles * (bytes + 2 * sizeof(double*)));
  const ladder::DeviceBuffer<double> dL(p.tiles * elements);
  const auto on_device = [&](int t) { return dL.get() + t * elements; };
  const std::vector<ladder::Stream> streams(stream_count);
  const auto number = [](int k) { return k % column_streams; };
  const auto stream_of = [&](int k) { return streams[number(k)].get(); };
  std::vector<ladder::Event> finished;  // of each tile column: L's values are there
  for (int k = 0; k < p.tile_columns; ++k) finished.emplace_back(cudaEventDisableTiming);
  // A column, a stream: it waits already.
  std::vector<std::atomic<bool>> waited(std::size_t(p.tile_columns) * stream_count);
  const int team = omp_get_max_threads();
  const std::size_t pinned_bytes = std::max(least_pinned, p.tiles * bytes / 64);
  const int slot_count = std::clamp(int(pinned_bytes / (team * bytes)), 4, 16);  // of a thread
  const ladder::PinnedBuffer<double> pinned(team * slot_count * elements);
  std::vector<Worker> workers;
  for (int i = 0; i < team; ++i)
    workers.emplace_back(pinned.get() + i * slot_count * elements, elements, slot_count);

  // For batches: of each tile its column's diagonal tile, and itself.
  const ladder::PinnedBuffer<double*> lists(2 * std::size_t(p.tiles));
  for (int k = 0; k < p.tile_columns; ++k)
    for (int t = p.column_start[k]; t < p.column_start[k + 1]; ++t) {
      lists.get()[t] = on_device(p.column_start[k]);
      lists.get()[p.tiles + t] = on_device(t);
    }
  const ladder::DeviceBuffer<double*> dlists(2 * std::size_t(p.tiles));
  double** const diagonal_of = dlists.get();
  double** const itself = dlists.get() + p.tiles;
  // In the default stream: all others wait for it. Most tiles are zero at first; only the others are copied.
  ladder::check(cudaMemcpyAsync(dlists.get(), lists.get(), dlists.bytes(), cudaMemcpyHostToDevice));
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
  // BEGIN SOLUTION What must wait. What comes into stream q from now on waits until column k is finished: not if it was
  //  finished in that stream, and once only, since a stream's calls stand behind the waits that are there. When may
  //  waited be set, so that another thread may rely on it?
  //| const auto wait = [&](int q, int k) { static_cast<void>(q), static_cast<void>(k); };
  //| static_cast<void>(waited);
  const auto wait = [&](int q, int k) {
    std::atomic<bool>& there = waited[std::size_t(k) * stream_count + q];
    if (q == number(k) || there) return;
    ladder::check(cudaStreamWaitEvent(streams[q].get(), finished[k].get(), 0));
    there = true;  // only now: another thread's call must come behind the wait
  };
  // END SOLUTION
  // BEGIN SOLUTION What the tasks do. All that changes a column goes into the column's stream: it is in order there, and
  //  needs no event. bring and fetch send each tile through the worker's next slot, and record used behind the copy;
  //  fetch does not wait for it, goes_to says where the content goes later.
  //| const auto bring = [&](Worker&, int) { ladder::task(); };
  //| const auto fetch = [&](Worker&, int) {};
  //| static_cast<void>(bytes), static_cast<void>(wait);
  const auto bring = [&](Worker& w, int k) {
    for (int t = p.column_start[k]; t < p.column_start[k + 1]; ++t) {
      if (is_zero(tile(p, t), elements)) continue;
      Slot& slot = w.next_slot();
      std::copy_n(tile(p, t), elements, slot.room);
      ladder::check(cudaMemcpyAsync(on_device(t), slot.room, bytes, cudaMemcpyHostToDevice, stream_of(k)));
      record(slot.used, stream_of(k));
    }
  };
  const auto fetch = [&](Worker& w, int k) {
    const int q = column_streams + k % result_streams;
    wait(q, k);
    for (int t = p.column_start[k] + 1; t < p.column_start[k + 1]; ++t) {
      Slot& slot = w.next_slot();
      ladder::check(
          cudaMemcpyAsync(slot.room, on_device(t), bytes, cudaMemcpyDeviceToHost, streams[q].get()));
      record(slot.used, streams[q].get());
      slot.goes_to = tile(p, t);
    }
  };
  // END SOLUTION
  // BEGIN SOLUTION To finish column k: factorise has a slot for its diagonal tile, and is the one that waits, for its copy
  //  alone; the factor goes to p.L and back to the device. When it fails: info and stop, if nobody has stopped yet.
  //  solve_below solves all tiles below by one call, and records that the column is finished.
  //| const auto factorise_diagonal = [&](Worker&, int) {};
  //| const auto solve_below = [&](Worker&, int) {};
  //| static_cast<void>(one), static_cast<void>(diagonal_of), static_cast<void>(itself);
  const auto factorise_diagonal = [&](Worker& w, int k) {
    const int t = p.column_start[k];
    Slot& slot = w.diagonal_slot;
    w.deliver(slot);  // the last factor may still be on its way to the device
    ladder::check(cudaMemcpyAsync(slot.room, on_device(t), bytes, cudaMemcpyDeviceToHost, stream_of(k)));
    record(slot.used, stream_of(k));
    ladder::check(cudaEventSynchronize(slot.used.get()));
    if (const int row = factorise_tile(slot.room, s)) {
      if (!stop.exchange(true)) info = info_of(p, k, row);
      return;
    }
    std::copy_n(slot.room, elements, tile(p, t));
    ladder::check(cudaMemcpyAsync(on_device(t), slot.room, bytes, cudaMemcpyHostToDevice, stream_of(k)));
    record(slot.used, stream_of(k));
  };
  const auto solve_below = [&](Worker& w, int k) {
    const int first = p.column_start[k] + 1, count = p.column_start[k + 1] - first;
    ladder::check(cublasDtrsmBatched(w.blas(stream_of(k)), CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER,
                                     CUBLAS_OP_T, CUBLAS_DIAG_NON_UNIT, s, s, &one, diagonal_of + first, s,
                                     itself + first, s, count));
    record(finished[k], stream_of(k));
  };
  // END SOLUTION
  // BEGIN SOLUTION (6) of column k for column j, the row of tile u: tiles u and below of k change the same rows of j. Where
  //  rows of k follow each other as they do in j, their tiles lie one behind the other in both: one call of
  //  cublasDgemmStridedBatched, that takes u for all of them. A diagonal tile may be updated whole.
  //| const auto update = [&](Worker&, int, int) {};
  //| static_cast<void>(minus_one), static_cast<void>(on_device);
  const auto update = [&](Worker& w, int k, int u) {
    const int j = p.tile_row[u], end = p.column_start[k + 1];
    wait(number(j), k);
    for (int t = u, count; t < end; t += count) {
      const int c = find(p, p.tile_row[t], j);
      count = 1;
      while (t + count < end && p.tile_row[t + count] == p.tile_row[c + count]) ++count;
      ladder::check(cublasDgemmStridedBatched(w.blas(stream_of(j)), CUBLAS_OP_N, CUBLAS_OP_T, s, s, s,
                                              &minus_one, on_device(t), s, elements, on_device(u), s, 0, &one,
                                              on_device(c), s, elements, count));
    }
  };
  // END SOLUTION

  // The baseline's loops, as tasks; a column is brought shortly before its first use, and fetched as soon as it is finished.
  std::vector<bool> brought(p.tile_columns, false);
  const auto need = [&](int k) {
    const double* const L11 = tile(p, p.column_start[k]);
    if (brought[k]) return;
    brought[k] = true;
#pragma omp task depend(inout : L11[0])
    run([&](Worker& w) { bring(w, k); });
  };
#pragma omp parallel num_threads(team)
#pragma omp single
  for (int k = 0; k < p.tile_columns; ++k) {
    const int diagonal = p.column_start[k], end = p.column_start[k + 1];
    const double* const L11 = tile(p, diagonal);  // for the whole column
    need(k);
#pragma omp task depend(inout : L11[0])
    run([&](Worker& w) {
      factorise_diagonal(w, k);
      if (end > diagonal + 1 && !stop) solve_below(w, k);
    });
    for (int u = diagonal + 1; u < end; ++u) {
      const int j = p.tile_row[u];
      const double* const L22 = tile(p, p.column_start[j]);
      need(j);
#pragma omp task depend(in : L11[0]) depend(inout : L22[0])
      run([&](Worker& w) { update(w, k, u); });
    }
    if (end > diagonal + 1) {
#pragma omp task depend(in : L11[0])
      run([&](Worker& w) { fetch(w, k); });
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
