/// @file
/// g4: processor and GPU together. In g3 one thread asked for everything, and waited for each diagonal tile. Here
/// calls are tasks, as in c1, and the threads that run them each have streams, a handle and pinned memory of their
/// own. While one thread waits for the next diagonal tile and factorises it, the others feed the GPU; tiles come
/// and go under all that.
/// Source: work C, "OpenMP threads correspond to the streams; copies and compute are asynchronous".

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <vector>

#include "common/device/cublas.hpp"
#include "device_memory.hpp"
#include "tiles.hpp"

namespace cholesky {
namespace {

/// Pinned room for a tile that is on its way to the device, or to the host.
struct Slot {
  explicit Slot(std::size_t elements) : room(elements) {}
  ladder::PinnedBuffer<double> room;
  ladder::Event used{cudaEventDisableTiming};  // its copy is done
  double* goes_to = nullptr;                   // where on the host it goes then; null: nowhere
};

/// What a thread of the team has: streams, a handle, and pinned memory.
class Worker {
 public:
  Worker(std::size_t elements, int slot_count) : diagonal_slot(elements), streams_(16) {
    for (int i = 0; i < slot_count; ++i) slots_.emplace_back(elements);
  }
  /// The stream for the next call. They take turns, so that calls wait for each other only where they say so.
  const ladder::Stream& next_stream() { return streams_[++calls_ % streams_.size()]; }
  /// A slot for the next copy: waits until its last copy is done, and delivers what came.
  Slot& next_slot() {
    Slot& slot = slots_[++copies_ % slots_.size()];
    deliver(slot);
    return slot;
  }
  /// The handle, for calls into that stream.
  cublasHandle_t blas(const ladder::Stream& stream) {
    ladder::check(cublasSetStream(blas_.get(), stream.get()));
    return blas_.get();
  }
  void deliver_all() {
    for (Slot& slot : slots_) deliver(slot);
  }
  // For diagonal tiles alone: the thread waits for one, and should not wait for what stands before it.
  ladder::Stream diagonal_stream;
  Slot diagonal_slot;

 private:
  static void deliver(Slot& slot) {
    ladder::check(cudaEventSynchronize(slot.used.get()));
    if (slot.goes_to) std::copy_n(slot.room.get(), slot.room.size(), slot.goes_to);
    slot.goes_to = nullptr;
  }
  std::vector<ladder::Stream> streams_;
  ladder::Cublas blas_;
  std::vector<Slot> slots_;
  std::size_t calls_ = 0, copies_ = 0;
};

void wait(const ladder::Stream& stream, const ladder::Event& event) {
  ladder::check(cudaStreamWaitEvent(stream.get(), event.get(), 0));
}
void record(const ladder::Event& event, const ladder::Stream& stream) {
  ladder::check(cudaEventRecord(event.get(), stream.get()));
}

/// A = L L^T in place. @return what `info` becomes.
int factorise(const Problem& p) {
  const double one = 1, minus_one = -1;
  const int s = p.s;
  const std::size_t elements = std::size_t(s) * s, bytes = tile_bytes(p);
  require_device_memory(p, p.tiles * bytes);
  const ladder::DeviceBuffer<double> dL(p.tiles * elements);
  const auto on_device = [&](int t) { return dL.get() + t * elements; };
  std::vector<ladder::Event> changed;  // of each tile: the last call or copy that changed it
  for (int t = 0; t < p.tiles; ++t) changed.emplace_back(cudaEventDisableTiming);
  const int team = omp_get_max_threads();
  std::vector<Worker> workers;
  // A tenth of L's bytes is pinned, at least four tiles a thread.
  for (int i = 0; i < team; ++i) workers.emplace_back(elements, std::max(4, p.tiles / (10 * team)));

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
  // BEGIN SOLUTION What the tasks do. The event of a tile, changed, says when it was changed last: whoever reads or
  //  changes the tile on the device lets its stream wait for that, and whoever changes it records it again. Every
  //  call goes to the worker's next stream. bring and fetch go through its next slot, and record used behind the
  //  copy; fetch does not wait for it, goes_to says where the content goes later. factorise_diagonal has a stream
  //  and a slot for itself, and is the one that waits; the factor goes to p.L and back to the device. When it
  //  fails: info and stop, if nobody has stopped yet.
  //| const auto bring = [&](Worker&, int) { ladder::task(); };
  //| const auto factorise_diagonal = [&](Worker&, int) {};
  //| const auto solve_below = [&](Worker&, int, int) {};
  //| const auto fetch = [&](Worker&, int) {};
  //| const auto update = [&](Worker&, int, int, int) {};
  //| static_cast<void>(one), static_cast<void>(minus_one), static_cast<void>(bytes);
  //| static_cast<void>(on_device);
  const auto bring = [&](Worker& w, int t) {
    Slot& slot = w.next_slot();
    const ladder::Stream& stream = w.next_stream();
    std::copy_n(tile(p, t), elements, slot.room.get());
    ladder::check(
        cudaMemcpyAsync(on_device(t), slot.room.get(), bytes, cudaMemcpyHostToDevice, stream.get()));
    record(slot.used, stream);
    record(changed[t], stream);
  };
  const auto factorise_diagonal = [&](Worker& w, int k) {
    const int t = p.column_start[k];
    Slot& slot = w.diagonal_slot;
    const ladder::Stream& stream = w.diagonal_stream;
    wait(stream, changed[t]);
    ladder::check(
        cudaMemcpyAsync(slot.room.get(), on_device(t), bytes, cudaMemcpyDeviceToHost, stream.get()));
    ladder::check(cudaStreamSynchronize(stream.get()));
    if (const int row = factorise_tile(slot.room.get(), s)) {
      if (!stop.exchange(true)) info = info_of(p, k, row);
      return;
    }
    std::copy_n(slot.room.get(), elements, tile(p, t));
    ladder::check(
        cudaMemcpyAsync(on_device(t), slot.room.get(), bytes, cudaMemcpyHostToDevice, stream.get()));
    record(changed[t], stream);
  };
  const auto solve_below = [&](Worker& w, int diagonal, int t) {
    const ladder::Stream& stream = w.next_stream();
    wait(stream, changed[diagonal]);
    wait(stream, changed[t]);
    ladder::check(cublasDtrsm(w.blas(stream), CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T,
                              CUBLAS_DIAG_NON_UNIT, s, s, &one, on_device(diagonal), s, on_device(t), s));
    record(changed[t], stream);
  };
  const auto fetch = [&](Worker& w, int t) {
    Slot& slot = w.next_slot();
    const ladder::Stream& stream = w.next_stream();
    wait(stream, changed[t]);
    ladder::check(
        cudaMemcpyAsync(slot.room.get(), on_device(t), bytes, cudaMemcpyDeviceToHost, stream.get()));
    record(slot.used, stream);
    slot.goes_to = tile(p, t);
  };
  const auto update = [&](Worker& w, int t, int u, int c) {
    const ladder::Stream& stream = w.next_stream();
    for (const int touched : {t, u, c}) wait(stream, changed[touched]);
    if (t == u)
      ladder::check(cublasDsyrk(w.blas(stream), CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, s, s, &minus_one,
                                on_device(t), s, &one, on_device(c), s));
    else
      ladder::check(cublasDgemm(w.blas(stream), CUBLAS_OP_N, CUBLAS_OP_T, s, s, s, &minus_one, on_device(t),
                                s, on_device(u), s, &one, on_device(c), s));
    record(changed[c], stream);
  };
  // END SOLUTION

  // As in c1; a tile is brought shortly before its first use, and fetched as soon as it is solved.
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

/// Solves A x = b; the triangular solves on the processor.
void hybrid(const Problem& p) {
  *p.info = factorise(p);
  if (*p.info == 0) solve(p);
}

}  // namespace cholesky
