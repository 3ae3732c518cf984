// verdict PASS
// must right in all
// must 0 pageable_bytes
// not Nothing orders
// No slots: a pinned copy of all of L; each tile goes up and down in the stream that changes it.
#include <cstring>
#include <vector>

#include "common/device/cublas.hpp"
#include "device_memory.hpp"
#include "tiles.hpp"

namespace cholesky {
namespace {

constexpr int N = 16;

class Tiles {
 public:
  explicit Tiles(const Problem& p)
      : p_(p), s_(p.s), elements_(size_t(p.s) * p.s), host_(p.tiles * elements_), device_(p.tiles * elements_),
        streams_(N), ready_(p.tiles), there_(p.tiles, 0) {
    memcpy(host_.get(), p.L, host_.bytes());
  }
  ~Tiles() { cudaDeviceSynchronize(); }  // also after a bad pivot: host_ goes next

  cudaStream_t stream(int t) const { return streams_[t % N].get(); }
  double* host(int t) const { return host_.get() + t * elements_; }
  double* device(int t) const { return device_.get() + t * elements_; }

  void up(int t) {
    if (there_[t]) return;
    there_[t] = 1;
    ladder::check(cudaMemcpyAsync(device(t), host(t), elements_ * 8, cudaMemcpyHostToDevice, stream(t)));
  }
  void down(int t) {
    ladder::check(cudaMemcpyAsync(host(t), device(t), elements_ * 8, cudaMemcpyDeviceToHost, stream(t)));
  }
  void finished(int t) { ladder::check(cudaEventRecord(ready_[t].get(), stream(t))); }
  void wait(int t, int other) { ladder::check(cudaStreamWaitEvent(stream(t), ready_[other].get(), 0)); }
  cublasHandle_t blas(int t) {
    up(t);
    ladder::check(cublasSetStream(blas_.get(), stream(t)));
    return blas_.get();
  }

  int factorise(int k) {
    int t = p_.column_start[k];
    up(t);
    down(t);
    ladder::check(cudaStreamSynchronize(stream(t)));
    if (int row = factorise_tile(host(t), s_)) return info_of(p_, k, row);
    ladder::check(cudaMemcpyAsync(device(t), host(t), elements_ * 8, cudaMemcpyHostToDevice, stream(t)));
    finished(t);
    return 0;
  }
  void column(int k) {
    const double one = 1, minus_one = -1;
    int first = p_.column_start[k], end = p_.column_start[k + 1];
    for (int t = first + 1; t < end; ++t) {
      cublasHandle_t h = blas(t);
      wait(t, first);
      ladder::check(cublasDtrsm(h, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T, CUBLAS_DIAG_NON_UNIT, s_,
                                s_, &one, device(first), s_, device(t), s_));
      finished(t);
      down(t);
    }
    for (int t = first + 1; t < end; ++t)
      for (int u = first + 1; u <= t; ++u) {
        int c = find(p_, p_.tile_row[t], p_.tile_row[u]);
        cublasHandle_t h = blas(c);
        wait(c, t);
        wait(c, u);
        ladder::check(cublasDgemm(h, CUBLAS_OP_N, CUBLAS_OP_T, s_, s_, s_, &minus_one, device(t), s_, device(u), s_,
                                  &one, device(c), s_));
      }
  }
  void deliver() {
    ladder::check(cudaDeviceSynchronize());
    memcpy(p_.L, host_.get(), host_.bytes());
  }

 private:
  const Problem& p_;
  int s_;
  size_t elements_;
  ladder::PinnedBuffer<double> host_;
  ladder::DeviceBuffer<double> device_;
  std::vector<ladder::Stream> streams_;
  std::vector<ladder::Event> ready_;
  std::vector<char> there_;
  ladder::Cublas blas_;
};

int factorise(const Problem& p) {
  require_device_memory(p, p.tiles * tile_bytes(p));
  Tiles tiles(p);
  for (int k = 0; k < p.tile_columns; ++k) {
    if (int info = tiles.factorise(k)) return info;
    tiles.column(k);
  }
  tiles.deliver();
  return 0;
}

}  // namespace

void pinned_copies(const Problem& p) {
  *p.info = factorise(p);
  if (*p.info == 0) solve_by_parts(p);
}

}  // namespace cholesky
