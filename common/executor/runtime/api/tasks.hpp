#pragma once
/// @file
/// Copies, fills and kernels as tasks, for streams and for graphs: checked, and not yet in any order.

#include "common/executor/include/executor/graphs.h"
#include "common/executor/runtime/schedule.hpp"

namespace ladder::executor {

/// Rows of bytes, and slices of rows.
struct Area {
  std::size_t pitch, slice;  ///< from a row, a slice to the next
  std::size_t width, height, depth;

  static Area line(std::size_t bytes) { return {bytes, bytes, bytes, 1, 1}; }
  static Area rows(std::size_t pitch, std::size_t width, std::size_t height) {
    return {pitch, pitch * height, width, height, 1};
  }
  std::size_t bytes() const { return width * height * depth; }
  /// From the first byte to the last one.
  std::size_t extent() const { return (depth - 1) * slice + (height - 1) * pitch + width; }
};

struct CopyTask {
  Task task;
  bool pageable = false;    ///< one side is memory of the host that CUDA does not know
  bool host_waits = false;  ///< the call returns when it is done
};

cudaError_t copy_task(const char* call, void* to, const Area& target, const void* from, const Area& source,
                      cudaMemcpyKind kind, bool synchronous, Site site, CopyTask& result);
/// Puts a copy into its stream; returns when it is done where the call has to.
cudaError_t submit_copy(cudaStream_t stream, CopyTask made);
/// The sides of a copy in three dimensions. @return an error when it uses arrays
cudaError_t box_copy_task(const char* call, const cudaMemcpy3DParms& copy, bool synchronous, Site site,
                          CopyTask& result);
/// @param element bytes of `value`: 1, 2 or 4
cudaError_t fill_task(const char* call, void* to, const Area& area, unsigned value, std::size_t element,
                      Site site, Task& task);
/// A kernel by its address. Copies the arguments.
cudaError_t kernel_task(const cudaKernelNodeParams& kernel, Site site, Task& task);

}  // namespace ladder::executor
