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

/// A = L L^T in place. @return what `info` becomes.
int factorise(const Problem& p) {
  const double one = 1, minus_one = -1;
  const int s = p.s;
  const std::size_t elements = std::size_t(s) * s, bytes = tile_bytes(p);
  require_device_memory(p, p.tiles * bytes);
  const PinnedRange pinned(p.L, p.tiles * bytes);
  const ladder::DeviceBuffer<double> dL(p.tiles * elements);
  const auto on_device = [&](int t) { return dL.get() + t * elements; };
  const std::vector<ladder::Stream> streams(stream_count);
  const ladder::Stream up, down;
  std::vector<ladder::Event> finished;  // of each tile: L's values are there
  for (int t = 0; t < p.tiles; ++t) finished.emplace_back(cudaEventDisableTiming);
  std::vector<bool> waited(std::size_t(p.tiles) * stream_count, false);  // of a tile and a stream: it does
  std::vector<ladder::Event> arrived;  // of each column: A's values are there
  for (int k = 0; k < p.tile_columns; ++k) arrived.emplace_back(cudaEventDisableTiming);
  std::vector<bool> copied(p.tile_columns, false);  // its copy up is in the queue
  std::vector<bool> expected(std::size_t(p.tile_columns) * stream_count, false);  // by a stream: it waits
  const ladder::Cublas blas;
  const auto number = [&](int t) { return p.tile_row[t] % stream_count; };
  const auto stream_of = [&](int t) -> const ladder::Stream& { return streams[number(t)]; };
  const auto blas_for = [&](int t) {  // for a call that changes tile t
    ladder::check(cublasSetStream(blas.get(), stream_of(t).get()));
    return blas.get();
  };
  const auto wait = [&](int t, int a) {  // as in g3
    const std::size_t told = std::size_t(a) * stream_count + number(t);
    if (number(a) == number(t) || waited[told]) return;
    wait_for(finished[a], stream_of(t));
    waited[told] = true;
  };
  // TASK, 12 lines: Column k to the device, once, in the stream `up`: its tiles lie one after another, and one copy
  //  brings them all. Then the stream of tile t, which is one of them and is to be changed, waits until the
  //  column has arrived, also once.
  const auto copy_up = [&](int /*k*/, [[maybe_unused]] int t) { ladder::task(); };
  // TASK, 7 lines: The tiles below the diagonal tile of column k, when they are finished, to the host: one copy in the
  //  stream `down`. The host does not wait, and has the diagonal tile.
  const auto copy_down = [&](int /*k*/) {};

  for (int k = 0; k < p.tile_columns; ++k) {
    const int diagonal = p.column_start[k], end = p.column_start[k + 1];
    copy_up(k, diagonal);
    // TASK, 9 lines: The diagonal tile to the host and back, as in g3.
    ladder::task();  // Delete this line when you start.
    record(finished[diagonal], stream_of(diagonal));
    for (int t = diagonal + 1; t < end; ++t) {
      copy_up(k, t);
      wait(t, diagonal);
      ladder::check(cublasDtrsm(blas_for(t), CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T,
                                CUBLAS_DIAG_NON_UNIT, s, s, &one, on_device(diagonal), s, on_device(t), s));
      record(finished[t], stream_of(t));
    }
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
    copy_down(k);
  }
  ladder::check(cudaDeviceSynchronize());  // L has all of its tiles, and is no longer pinned from here on
  return 0;
}

}  // namespace

/// Solves A x = b; the triangular solves on the CPU, by parts.
void pinned_copies(const Problem& p) {
  *p.info = factorise(p);
  if (*p.info == 0) solve_by_parts(p);
}

}  // namespace cholesky
