/// @file
/// g4: pinned memory. In g3 nothing is computed until all of L is on the device, and nothing leaves before
/// all of it is computed: cudaMemcpy with pageable memory makes the host wait while the driver copies through
/// pinned memory of its own. Here L itself is pinned during the call: the device reads and writes it, and the
/// host goes on. A column of tiles comes just before its first change and leaves when it is finished; copies
/// up and copies down have a stream each and run next to the calls. Source: work C, "copies and compute are
/// asynchronous".

#include <vector>

#include "common/device/cublas.hpp"
#include "device_memory.hpp"
#include "pinned_range.hpp"
#include "tiles.hpp"

namespace cholesky {
namespace {

constexpr int stream_count = 16;

void record(const ladder::Event& event, const ladder::Stream& stream) {
  ladder::check(cudaEventRecord(event.get(), stream.get()));
}

/// What comes into the stream from now on waits for the event.
void wait_for(const ladder::Event& event, const ladder::Stream& stream) {
  ladder::check(cudaStreamWaitEvent(stream.get(), event.get(), 0));
}

constexpr double one = 1, minus_one = -1;

/// One factorisation, A = L L^T in place: what is on the device and in flight, and its steps.
struct Factorisation {
  const Problem& p;
  const int s = p.s;
  const std::size_t elements = std::size_t(s) * s, bytes = tile_bytes(p);
  const ladder::DeviceBuffer<double> dL = memory_for_tiles();
  const PinnedRange pinned{p.L, dL.bytes()};
  const std::vector<ladder::Stream> streams{stream_count};
  const ladder::Stream up{}, down{};
  const std::vector<ladder::Event> finished = events(p.tiles);  // of each tile: L's values are there
  // Of each tile and stream: the stream waits for the tile.
  std::vector<bool> waited = std::vector<bool>(std::size_t(p.tiles) * stream_count);
  const std::vector<ladder::Event> arrived = events(p.tile_columns);  // of each column: A's values are there
  std::vector<bool> copied = std::vector<bool>(p.tile_columns);       // its copy up is in the queue
  // Of each column and stream: the stream waits for the column.
  std::vector<bool> expected = std::vector<bool>(std::size_t(p.tile_columns) * stream_count);
  const ladder::Cublas blas{};

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
  int number(int t) const { return p.tile_row[t] % stream_count; }
  const ladder::Stream& stream_of(int t) const { return streams[number(t)]; }
  /// For a call that changes tile t.
  cublasHandle_t blas_for(int t) const {
    ladder::check(cublasSetStream(blas.get(), stream_of(t).get()));
    return blas.get();
  }
  /// What changes tile t from now on waits until tile a is finished: as in g3.
  void wait(int t, int a) {
    const std::size_t told = std::size_t(a) * stream_count + number(t);
    if (number(a) == number(t) || waited[told]) return;
    wait_for(finished[a], stream_of(t));
    waited[told] = true;
  }
  /// Brings column k to the device before tile t of it is changed.
  void copy_up(int k, int t) {
    // TASK, 10 lines: Column k to the device, once, in the stream `up`: its tiles lie one after another, and
    //  one copy brings them all. Then the stream of tile t, which is one of them and is to be changed, waits
    //  until the column has arrived, also once.
    ladder::task();
    static_cast<void>(k), static_cast<void>(t);
  }
  /// Brings column k of L to the host.
  void copy_down(int k) const {
    // TASK, 5 lines: The tiles below the diagonal tile of column k, when they are finished, to the host: one
    //  copy in the stream `down`. The host does not wait, and has the diagonal tile.
    static_cast<void>(k);
  }
  /// (4) for column k, on the host. @return 0, or the row of the tile with a bad pivot.
  int factorise_diagonal(int k) const {
    const int diagonal = p.column_start[k];
    // TASK, 6 lines: The diagonal tile to the host and back, as in g3.
    ladder::task();  // Delete this line when you start.
    record(finished[diagonal], stream_of(diagonal));
    return 0;
  }
  /// (5) for the tiles of column k below its diagonal tile, which is finished.
  void solve_column(int k) {
    const int diagonal = p.column_start[k], end = p.column_start[k + 1];
    for (int t = diagonal + 1; t < end; ++t) {
      copy_up(k, t);
      wait(t, diagonal);
      ladder::check(cublasDtrsm(blas_for(t), CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T,
                                CUBLAS_DIAG_NON_UNIT, s, s, &one, on_device(diagonal), s, on_device(t), s));
      record(finished[t], stream_of(t));
    }
  }
  /// (6): column k's products are subtracted from the columns after it.
  void update_columns(int k) {
    const int diagonal = p.column_start[k], end = p.column_start[k + 1];
    for (int u = diagonal + 1; u < end; ++u)
      for (int t = u; t < end; ++t) {
        const int c = find(p, p.tile_row[t], p.tile_row[u]);
        copy_up(p.tile_row[u], c);
        wait(c, u);  // t is in the row of c, and so in its stream
        if (t == u)
          ladder::check(cublasDsyrk(blas_for(c), CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, s, s, &minus_one,
                                    on_device(t), s, &one, on_device(c), s));
        else
          ladder::check(cublasDgemm(blas_for(c), CUBLAS_OP_N, CUBLAS_OP_T, s, s, s, &minus_one, on_device(t),
                                    s, on_device(u), s, &one, on_device(c), s));
      }
  }

  /// @return what `info` becomes.
  int factorise() {
    int info = 0;
    for (int k = 0; k < p.tile_columns; ++k) {
      copy_up(k, p.column_start[k]);
      if (const int row = factorise_diagonal(k)) {
        info = info_of(p, k, row);
        break;
      }
      solve_column(k);
      update_columns(k);
      copy_down(k);
    }
    ladder::check(cudaDeviceSynchronize());  // nothing may run any more when the memory goes
    return info;
  }
};

}  // namespace

/// Solves A x = b; the triangular solves on the CPU, by parts.
void pinned_copies(const Problem& p) {
  *p.info = Factorisation{p}.factorise();
  if (*p.info == 0) solve_by_parts(p);
}

}  // namespace cholesky
