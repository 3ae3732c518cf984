/// @file
/// The API of memory in three dimensions.

#include "common/executor/include/executor/pitched_memory.h"
#include "common/executor/runtime/api/call.hpp"
#include "common/executor/runtime/api/tasks.hpp"

namespace ladder::executor {
namespace {

/// A row of cudaMalloc3D and cudaMallocPitch begins at a multiple of this.
constexpr std::size_t row_alignment = 512;

char* first_byte(const cudaPitchedPtr& memory, const cudaPos& begin) {
  return static_cast<char*>(memory.ptr) + begin.z * memory.pitch * memory.ysize + begin.y * memory.pitch +
         begin.x;
}

Area area_of(const cudaPitchedPtr& memory, const cudaExtent& extent) {
  return {memory.pitch, memory.pitch * memory.ysize, extent.width, extent.height, extent.depth};
}

}  // namespace

cudaError_t box_copy_task(const char* call, const cudaMemcpy3DParms& p, bool synchronous, Site site,
                          CopyTask& result) {
  if (p.srcArray || p.dstArray)
    return fail(cudaErrorNotSupported, site, std::string(call) + ": the executor has no CUDA arrays");
  return copy_task(call, first_byte(p.dstPtr, p.dstPos), area_of(p.dstPtr, p.extent),
                   first_byte(p.srcPtr, p.srcPos), area_of(p.srcPtr, p.extent), p.kind, synchronous, site,
                   result);
}

namespace {

cudaError_t copy_box(const char* call, const cudaMemcpy3DParms* p, cudaStream_t stream, bool synchronous,
                     Site where) {
  const Site site = resolve(where);
  if (const cudaError_t error = begin_call(call, stream, site)) return error;
  if (!p) return remember(cudaErrorInvalidValue);
  if (p->extent.width * p->extent.height * p->extent.depth == 0) return cudaSuccess;
  if (synchronous)
    if (const cudaError_t error = Schedule::get().refuse_while_capturing(call, site)) return error;
  CopyTask made;
  if (const cudaError_t error = box_copy_task(call, *p, synchronous, site, made)) return error;
  return submit_copy(stream, std::move(made));
}

cudaError_t fill_box(const char* call, const cudaPitchedPtr& to, int value, const cudaExtent& extent,
                     cudaStream_t stream, Site where) {
  const Site site = resolve(where);
  if (const cudaError_t error = begin_call(call, stream, site)) return error;
  const Area area = area_of(to, extent);
  if (area.bytes() == 0) return cudaSuccess;
  Task task;
  if (const cudaError_t error = fill_task(call, to.ptr, area, static_cast<unsigned>(value), 1, site, task))
    return error;
  return Schedule::get().submit(stream, std::move(task));
}

}  // namespace
}  // namespace ladder::executor

using namespace ladder::executor;

cudaError_t cudaMalloc3D(cudaPitchedPtr* memory, cudaExtent extent, Site site) {
  if (!memory) return remember(cudaErrorInvalidValue);
  const std::size_t pitch = (extent.width + row_alignment - 1) / row_alignment * row_alignment;
  *memory = {nullptr, pitch, extent.width, extent.height};
  return allocate_device(&memory->ptr, pitch * extent.height * extent.depth, site);
}
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* copy, Site site) {
  return copy_box("cudaMemcpy3D", copy, nullptr, true, site);
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* copy, cudaStream_t stream, Site site) {
  return copy_box("cudaMemcpy3DAsync", copy, stream, false, site);
}
cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent, Site site) {
  return fill_box("cudaMemset3D", to, value, extent, nullptr, site);
}
cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent, cudaStream_t stream,
                              Site site) {
  return fill_box("cudaMemset3DAsync", to, value, extent, stream, site);
}
