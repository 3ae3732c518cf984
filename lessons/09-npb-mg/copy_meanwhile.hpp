#pragma once
/// @file
/// Given, for g6: copies of u of a level, at once or while other kernels run.

#include "common/device/cuda.hpp"
#include "problem.hpp"

namespace npb_mg {

/// In r of a level a copy of its u.
inline void copy_u(const Level& level, cudaStream_t stream) {
  ladder::check(cudaMemcpyAsync(level.r, level.u, level.grid.elements() * sizeof(double),
                                cudaMemcpyDeviceToDevice, stream));
}

/// That copy, made in a stream of its own while the kernels of other levels run.
class CopyMeanwhile {
 public:
  /// It begins when what the default stream has got so far is done.
  explicit CopyMeanwhile(const Level& level) {
    ladder::check(cudaEventRecord(event_.get()));
    ladder::check(cudaStreamWaitEvent(stream_.get(), event_.get()));
    copy_u(level, stream_.get());
    ladder::check(cudaEventRecord(event_.get(), stream_.get()));
  }

  /// What the default stream gets from now on begins when the copy is there.
  void let_kernels_wait() const { ladder::check(cudaStreamWaitEvent(nullptr, event_.get())); }

 private:
  ladder::Stream stream_{cudaStreamNonBlocking};
  ladder::Event event_{cudaEventDisableTiming};
};

}  // namespace npb_mg
