/// @file
/// g4: pinned memory. In g3 nothing is computed until all of L is on the device, and nothing leaves before
/// all of it is computed: cudaMemcpy with pageable memory makes the host wait. Here tiles go through pinned
/// slots. A tile comes just before its first change and leaves as soon as it is finished; copies up and
/// copies down have a stream each and run next to the calls. Source: work C, "copies and compute are
/// asynchronous".

#include <algorithm>
#include <vector>

#include "common/device/cublas.hpp"
#include "device_memory.hpp"
#include "pinned_slots.hpp"
#include "tiles.hpp"

namespace cholesky {
namespace {

constexpr int stream_count = 16;
constexpr int slot_count = 32;  // tiles on their way at a time

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
  const ladder::DeviceBuffer<double> dL(p.tiles * elements);
  const ladder::PinnedBuffer<double> pinned((1 + slot_count) * elements);
  Slot diagonal_slot{pinned.get()};
  Slots slots(pinned.get() + elements, slot_count, elements);
  const auto on_device = [&](int t) { return dL.get() + t * elements; };
  const std::vector<ladder::Stream> streams(stream_count);
  const ladder::Stream up, down;
  std::vector<ladder::Event> finished;  // of each tile: L's values are there
  for (int t = 0; t < p.tiles; ++t) finished.emplace_back(cudaEventDisableTiming);
  std::vector<bool> waited(std::size_t(p.tiles) * stream_count, false);  // of a tile and a stream: it does
  std::vector<bool> copied(p.tiles, false);                              // its copy up is in the queue
  const ladder::Cublas blas;
  const auto number = [](int t) { return t % stream_count; };
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
  // BEGIN SOLUTION Tile t to the device, once, before its first change: through the next slot and the stream `up`. Its
  //  own stream waits for the copy.
  //| const auto copy_up = [&]([[maybe_unused]] int t) { ladder::task(); };
  const auto copy_up = [&](int t) {
    if (copied[t]) return;
    copied[t] = true;
    Slot& slot = slots.next();
    std::copy_n(tile(p, t), elements, slot.memory);
    ladder::check(cudaMemcpyAsync(on_device(t), slot.memory, bytes, cudaMemcpyHostToDevice, up.get()));
    record(slot.used, up);
    wait_for(slot.used, stream_of(t));
  };
  // END SOLUTION
  // BEGIN SOLUTION Tile t, which is finished, to the host: through the next slot and the stream `down`. Nobody waits here:
  //  goes_to and elements say where the slot's content goes later.
  //| const auto copy_down = [&]([[maybe_unused]] int t) {};
  const auto copy_down = [&](int t) {
    Slot& slot = slots.next();
    wait_for(finished[t], down);
    ladder::check(cudaMemcpyAsync(slot.memory, on_device(t), bytes, cudaMemcpyDeviceToHost, down.get()));
    record(slot.used, down);
    slot.goes_to = tile(p, t);
    slot.elements = elements;
  };
  // END SOLUTION

  for (int k = 0; k < p.tile_columns; ++k) {
    const int diagonal = p.column_start[k], end = p.column_start[k + 1];
    copy_up(diagonal);
    // BEGIN SOLUTION The diagonal tile to the host and back, through diagonal_slot: the host waits for that copy only,
    //  and has the factor then. The slot may still be in use by the column before.
    //| ladder::task();  // Delete this line when you start.
    deliver(diagonal_slot);
    ladder::check(cudaMemcpyAsync(diagonal_slot.memory, on_device(diagonal), bytes, cudaMemcpyDeviceToHost,
                                  stream_of(diagonal).get()));
    record(diagonal_slot.used, stream_of(diagonal));
    ladder::check(cudaEventSynchronize(diagonal_slot.used.get()));
    if (const int row = factorise_tile(diagonal_slot.memory, s)) {
      ladder::check(cudaDeviceSynchronize());  // nothing may run any more when the memory goes
      return info_of(p, k, row);
    }
    std::copy_n(diagonal_slot.memory, elements, tile(p, diagonal));
    ladder::check(cudaMemcpyAsync(on_device(diagonal), diagonal_slot.memory, bytes, cudaMemcpyHostToDevice,
                                  stream_of(diagonal).get()));
    record(diagonal_slot.used, stream_of(diagonal));
    // END SOLUTION
    record(finished[diagonal], stream_of(diagonal));
    for (int t = diagonal + 1; t < end; ++t) {
      copy_up(t);
      wait(t, diagonal);
      ladder::check(cublasDtrsm(blas_for(t), CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T,
                                CUBLAS_DIAG_NON_UNIT, s, s, &one, on_device(diagonal), s, on_device(t), s));
      record(finished[t], stream_of(t));
    }
    for (int u = diagonal + 1; u < end; ++u)
      for (int t = u; t < end; ++t) {
        const int c = find(p, p.tile_row[t], p.tile_row[u]);
        copy_up(c);
        wait(c, t);
        wait(c, u);
        if (t == u)
          ladder::check(cublasDsyrk(blas_for(c), CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, s, s, &minus_one,
                                    on_device(t), s, &one, on_device(c), s));
        else
          ladder::check(cublasDgemm(blas_for(c), CUBLAS_OP_N, CUBLAS_OP_T, s, s, s, &minus_one, on_device(t),
                                    s, on_device(u), s, &one, on_device(c), s));
      }
    for (int t = diagonal + 1; t < end; ++t) copy_down(t);
  }
  slots.deliver_all();
  deliver(diagonal_slot);  // its last way up, too
  return 0;
}

}  // namespace

/// Solves A x = b; the triangular solves on the CPU, by parts.
void pinned_copies(const Problem& p) {
  *p.info = factorise(p);
  if (*p.info == 0) solve_by_parts(p);
}

}  // namespace cholesky
