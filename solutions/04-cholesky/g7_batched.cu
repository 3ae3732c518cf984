/// @file
/// g7: batches. In g3 every solve and every update is a launch; in g6 a launch is all solves of a column, or
/// what one column does to another. Here columns that do not touch make a level, and a level is a few
/// launches: all of its solves at once, then its updates, so many at once as change different tiles. x is
/// solved by levels, too (solve_on_device.cuh). Source: work C multiplies tiles "in a loop, each call in its
/// own stream"; batches came to cuBLAS with 4.1.

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "common/device/cublas.hpp"
#include "common/device/pinned_pool.hpp"
#include "device_memory.hpp"
#include "solve_on_device.cuh"
#include "tiles.hpp"

namespace cholesky {
namespace {

/// Calls of one batch: tiles on the device, by their pointers.
struct Batch {
  std::vector<double*> A, B, C;
  std::size_t size() const { return A.size(); }
};

/// Brings the pointers of batches to the device, a twentieth of L's bytes at most.
class Table {
 public:
  Table(std::size_t pointers, const ladder::Stream& stream)
      : stream_(stream), host_(pointers), device_(pointers) {}

  /// Calls `launch(A, B, C, count)` with lists on the device for all of the batch, in pieces where it is too
  /// large.
  template <class Launch>
  void each(const Batch& batch, Launch&& launch) {
    const std::size_t most = host_.size() / 3;
    for (std::size_t first = 0; first < batch.size(); first += most) {
      const std::size_t count = std::min(most, batch.size() - first);
      if (used_ + 3 * count > host_.size()) {  // from the beginning again, when nobody reads there any more
        ladder::check(cudaStreamSynchronize(stream_.get()));
        used_ = 0;
      }
      std::array<double**, 3> lists{};
      int i = 0;
      for (const auto* list : {&batch.A, &batch.B, &batch.C}) {
        lists[i] = device_.get() + used_ + i * count;
        if (!list->empty()) std::copy_n(list->begin() + first, count, host_.get() + used_ + i * count);
        ++i;
      }
      const std::size_t pointers = (batch.C.empty() ? 2 : 3) * count;
      ladder::check(cudaMemcpyAsync(lists[0], host_.get() + used_, pointers * sizeof(double*),
                                    cudaMemcpyHostToDevice, stream_.get()));
      used_ += pointers;
      launch(lists[0], lists[1], lists[2], int(count));
    }
  }

 private:
  const ladder::Stream& stream_;
  ladder::PooledPinnedBuffer<double*> host_;
  ladder::DeviceBuffer<double*> device_;
  std::size_t used_ = 0;
};

/// Bytes of the table on the device.
std::size_t table_bytes(const Problem& p) {
  return std::max<std::size_t>(p.tiles * tile_bytes(p) / 20, 768) / sizeof(double*) * sizeof(double*);
}

/// A = L L^T in place; L stays in dL, too. @return what `info` becomes.
int factorise(const Problem& p, const ladder::DeviceBuffer<double>& dL, const ladder::Stream& stream,
              const ladder::Cublas& blas) {
  const double one = 1, minus_one = -1;
  const int s = p.s;
  const std::size_t elements = std::size_t(s) * s, bytes = tile_bytes(p);
  const auto on_device = [&](int t) { return dL.get() + t * elements; };
  Table table(table_bytes(p) / sizeof(double*), stream);
  const std::vector<std::vector<int>> levels = levels_of(p);
  std::size_t widest = 0;
  for (const auto& level : levels) widest = std::max(widest, level.size());
  const ladder::PooledPinnedBuffer<double> diagonals(widest * elements);

  ladder::check(cudaMemcpyAsync(dL.get(), p.L, dL.bytes(), cudaMemcpyHostToDevice, stream.get()));
  for (const std::vector<int>& level : levels) {
    const int columns = int(level.size());
    // The diagonal tiles of the level: to the host, (4) by all threads, and back.
    for (int i = 0; i < columns; ++i)
      ladder::check(cudaMemcpyAsync(diagonals.get() + i * elements, on_device(p.column_start[level[i]]),
                                    bytes, cudaMemcpyDeviceToHost, stream.get()));
    ladder::check(cudaStreamSynchronize(stream.get()));
    std::vector<int> bad(columns, 0);
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < columns; ++i) bad[i] = factorise_tile(diagonals.get() + i * elements, s);
    for (int i = 0; i < columns; ++i)
      if (bad[i]) return info_of(p, level[i], bad[i]);
    for (int i = 0; i < columns; ++i)
      ladder::check(cudaMemcpyAsync(on_device(p.column_start[level[i]]), diagonals.get() + i * elements,
                                    bytes, cudaMemcpyHostToDevice, stream.get()));

    // BEGIN SOLUTION The level's solves as one batch. Its updates as rounds, each a batch: in a round no two
    //  updates change the same tile, and there are as few rounds as can be. A diagonal tile may be updated
    //  whole.
    //| ladder::task();  // Delete this line when you start.
    Batch solves;
    std::vector<Batch> rounds;
    std::map<int, std::size_t> updates_of;  // a tile: how many it has in this level so far
    for (const int k : level) {
      const int diagonal = p.column_start[k], end = p.column_start[k + 1];
      for (int t = diagonal + 1; t < end; ++t) {
        solves.A.push_back(on_device(diagonal));
        solves.B.push_back(on_device(t));
      }
      for (int u = diagonal + 1; u < end; ++u)
        for (int t = u; t < end; ++t) {
          const int c = find(p, p.tile_row[t], p.tile_row[u]);
          const std::size_t round = updates_of[c]++;
          if (round == rounds.size()) rounds.emplace_back();
          rounds[round].A.push_back(on_device(t));
          rounds[round].B.push_back(on_device(u));
          rounds[round].C.push_back(on_device(c));
        }
    }
    // END SOLUTION
    // BEGIN SOLUTION Their launches: table.each brings the lists to the device.
    //| static_cast<void>(one), static_cast<void>(minus_one);
    table.each(solves, [&](double** A, double** B, double**, int count) {
      ladder::check(cublasDtrsmBatched(blas.get(), CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T,
                                       CUBLAS_DIAG_NON_UNIT, s, s, &one, A, s, B, s, count));
    });
    for (const Batch& round : rounds)
      table.each(round, [&](double** A, double** B, double** C, int count) {
        ladder::check(cublasDgemmBatched(blas.get(), CUBLAS_OP_N, CUBLAS_OP_T, s, s, s, &minus_one, A, s, B,
                                         s, &one, C, s, count));
      });
    // END SOLUTION
  }
  ladder::check(cudaMemcpyAsync(p.L, dL.get(), dL.bytes(), cudaMemcpyDeviceToHost, stream.get()));
  ladder::check(cudaStreamSynchronize(stream.get()));
  return 0;
}

}  // namespace

/// Solves A x = b on the device.
void batched(const Problem& p) {
  const std::size_t L_bytes = p.tiles * tile_bytes(p);
  const ladder::Stream stream(cudaStreamNonBlocking);
  const ladder::Cublas blas(stream.get());  // first: it takes memory of the device, too
  require_device_memory(p, L_bytes + std::max(table_bytes(p), solve_bytes(p)));  // not both at the same time
  const ladder::DeviceBuffer<double> dL(L_bytes / sizeof(double));
  *p.info = factorise(p, dL, stream, blas);
  if (*p.info == 0) solve_on_device(p, dL.get(), stream.get());
}

}  // namespace cholesky
