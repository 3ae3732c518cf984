/// @file
/// g3: many streams. In g2 every call waits for the one before it. Here each tile belongs to a stream, and
/// events say for each call what it must wait for: the tiles that it reads. What has nothing to do with it
/// goes on. A wait takes the host 1 us on an H100's machine, so the tiles of a row share a stream: of the two
/// tiles that an update reads, one is in its own row and needs no wait. Source: work C, "independent tiles in
/// several streams".

#include <vector>

#include "common/device/cublas.hpp"
#include "device_memory.hpp"
#include "tiles.hpp"

namespace cholesky {
namespace {

constexpr int stream_count = 16;

/// A = L L^T in place. @return what `info` becomes.
int factorise(const Problem& p) {
  const double one = 1, minus_one = -1;
  const int s = p.s;
  const std::size_t elements = std::size_t(s) * s, bytes = tile_bytes(p);
  require_device_memory(p, p.tiles * bytes);
  const ladder::DeviceBuffer<double> dL(p.tiles * elements);
  const auto on_device = [&](int t) { return dL.get() + t * elements; };
  // Streams that the default stream waits for, and they for it: cudaMemcpy, before and after, is in order
  // with all of them.
  const std::vector<ladder::Stream> streams(stream_count);
  std::vector<ladder::Event> finished;  // of each tile: L's values are there
  for (int t = 0; t < p.tiles; ++t) finished.emplace_back(cudaEventDisableTiming);
  std::vector<bool> waited(std::size_t(p.tiles) * stream_count, false);  // of a tile and a stream: it does
  const ladder::Cublas blas;
  // What changes tile t is in its stream, that of its row: in order, whoever asks for it.
  const auto number = [&](int t) { return p.tile_row[t] % stream_count; };
  const auto stream_of = [&](int t) { return streams[number(t)].get(); };
  const auto record = [&](int t) { ladder::check(cudaEventRecord(finished[t].get(), stream_of(t))); };
  const auto blas_for = [&](int t) {  // for a call that changes tile t
    ladder::check(cublasSetStream(blas.get(), stream_of(t)));
    return blas.get();
  };
  // TASK, 6 lines: The next call that changes tile t goes into its stream, and waits until tile a is
  //  finished. One wait per stream and tile is enough: what comes into a stream later comes after the wait.
  //  No wait is needed where a was finished in that same stream.
  const auto wait = [&]([[maybe_unused]] int t, [[maybe_unused]] int a) { ladder::task(); };

  ladder::check(cudaMemcpy(dL.get(), p.L, dL.bytes(), cudaMemcpyHostToDevice));
  for (int k = 0; k < p.tile_columns; ++k) {
    const int diagonal = p.column_start[k], end = p.column_start[k + 1];
    // TASK, 10 lines: The diagonal tile to the host and back, in its stream: the host waits for that one
    //  only. It is finished when it is back.
    ladder::task();  // Delete this line when you start.
    // TASK, 17 lines: (5) and (6) as in g2. Before each call: whose finish does it wait for? After which
    //  calls is a tile finished?
  }
  ladder::check(cudaMemcpy(p.L, dL.get(), dL.bytes(), cudaMemcpyDeviceToHost));
  return 0;
}

}  // namespace

/// Solves A x = b; the triangular solves on the processor, by parts.
void many_streams(const Problem& p) {
  *p.info = factorise(p);
  if (*p.info == 0) solve_by_parts(p);
}

}  // namespace cholesky
