/// @file
/// OpenCL layer: memory, mapped memory, shared virtual memory.

#include "common/trace/recorders/opencl_call.hpp"

namespace ladder::opencl_layer {
namespace {

// --- memory

cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, size_t size, void* host,
                                 cl_int* error) {
  cl_mem memory = below.clCreateBuffer(context, flags, size, host, error);
  if (memory) state().add_memory(memory, size, flags, context, true);
  return memory;
}

cl_mem CL_API_CALL create_buffer_with_properties(cl_context context, const cl_mem_properties* properties,
                                                 cl_mem_flags flags, size_t size, void* host, cl_int* error) {
  cl_mem memory = below.clCreateBufferWithProperties(context, properties, flags, size, host, error);
  if (memory) state().add_memory(memory, size, flags, context, true);
  return memory;
}

void add_image(cl_context context, cl_mem_flags flags, cl_mem image) {
  size_t bytes = 0;
  if (image && below.clGetMemObjectInfo(image, CL_MEM_SIZE, sizeof bytes, &bytes, nullptr) == CL_SUCCESS)
    state().add_memory(image, bytes, flags, context, true);
}

cl_mem CL_API_CALL create_image(cl_context context, cl_mem_flags flags, const cl_image_format* format,
                                const cl_image_desc* description, void* host, cl_int* error) {
  cl_mem image = below.clCreateImage(context, flags, format, description, host, error);
  add_image(context, flags, image);
  return image;
}

cl_mem CL_API_CALL create_image_with_properties(cl_context context, const cl_mem_properties* properties,
                                                cl_mem_flags flags, const cl_image_format* format,
                                                const cl_image_desc* description, void* host, cl_int* error) {
  cl_mem image =
      below.clCreateImageWithProperties(context, properties, flags, format, description, host, error);
  add_image(context, flags, image);
  return image;
}

cl_int CL_API_CALL retain_memory(cl_mem memory) {
  const cl_int code = below.clRetainMemObject(memory);
  if (code == CL_SUCCESS) state().retain_memory(memory);
  return code;
}

cl_int CL_API_CALL release_memory(cl_mem memory) {
  // Before the call: afterwards another thread may get the same handle for a new buffer.
  state().release_memory(memory);
  return below.clReleaseMemObject(memory);
}

cl_int CL_API_CALL release_kernel(cl_kernel kernel) {
  state().forget_kernel(kernel);
  return below.clReleaseKernel(kernel);
}

void* CL_API_CALL svm_alloc(cl_context context, cl_svm_mem_flags flags, size_t size, cl_uint alignment) {
  void* address = below.clSVMAlloc(context, flags, size, alignment);
  if (!address) return address;
  // Fine-grained memory is moved by the hardware whenever either side touches it: the whole counts once each
  // way.
  const cl_mem_flags as_buffer = flags & CL_MEM_SVM_FINE_GRAIN_BUFFER ? CL_MEM_USE_HOST_PTR : 0;
  state().add_memory(address, size, as_buffer, context, true);
  state().add_svm(address, size);
  return address;
}

void CL_API_CALL svm_free(cl_context context, void* address) {
  state().release_memory(address);
  state().remove_svm(address);
  below.clSVMFree(context, address);
}

// --- mapped memory: the whole mapped region counts, to the host when it is mapped for reading, back when
// written -----

constexpr cl_map_flags for_writing = CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;

cl_int map(const Call& call, cl_event* event, const void* handle, cl_map_flags flags, std::uint64_t bytes,
           const auto& enqueue) {
  const std::uint32_t event_flags =
      LADDER_WHOLE | (state().is_pinned(handle) ? 0u : unsigned{LADDER_PAGEABLE});
  // CL_MAP_WRITE shows the application the old content too: it may write only some of it.
  if (!(flags & (CL_MAP_READ | CL_MAP_WRITE))) return marker(call, event, false, false, enqueue);
  state().mark_read(handle);
  return command(call, event, enqueue, [&] { return make_event(LADDER_D2H, bytes, event_flags, "map"); });
}

cl_int unmap(const Call& call, cl_event* event, const void* handle, const void* address,
             const auto& enqueue) {
  const Mapping mapping = state().take_mapping(handle, address);
  if (!(mapping.flags & for_writing)) return marker(call, event, false, false, enqueue);
  const std::uint32_t event_flags = LADDER_WHOLE | (mapping.pinned ? 0u : unsigned{LADDER_PAGEABLE});
  return command(call, event, enqueue,
                 [&] { return make_event(LADDER_H2D, mapping.bytes, event_flags, "unmap"); });
}

void* CL_API_CALL map_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, cl_map_flags flags,
                             size_t offset, size_t size, cl_uint count, const cl_event* list, cl_event* event,
                             cl_int* error) {
  void* address = nullptr;
  const cl_int code =
      map({queue, count, list, blocking == CL_TRUE}, event, buffer, flags, size, [&](cl_event* own) {
        cl_int result = CL_SUCCESS;
        address =
            below.clEnqueueMapBuffer(queue, buffer, blocking, flags, offset, size, count, list, own, &result);
        return result;
      });
  if (error) *error = code;
  if (code == CL_SUCCESS) state().add_mapping(buffer, address, {size, flags, state().is_pinned(buffer)});
  return address;
}

void* CL_API_CALL map_image(cl_command_queue queue, cl_mem image, cl_bool blocking, cl_map_flags flags,
                            const size_t* origin, const size_t* region, size_t* row, size_t* slice,
                            cl_uint count, const cl_event* list, cl_event* event, cl_int* error) {
  void* address = nullptr;
  const std::uint64_t bytes = image_bytes(image, region);
  const cl_int code =
      map({queue, count, list, blocking == CL_TRUE}, event, image, flags, bytes, [&](cl_event* own) {
        cl_int result = CL_SUCCESS;
        address = below.clEnqueueMapImage(queue, image, blocking, flags, origin, region, row, slice, count,
                                          list, own, &result);
        return result;
      });
  if (error) *error = code;
  if (code == CL_SUCCESS) state().add_mapping(image, address, {bytes, flags, state().is_pinned(image)});
  return address;
}

cl_int CL_API_CALL unmap_memory(cl_command_queue queue, cl_mem memory, void* address, cl_uint count,
                                const cl_event* list, cl_event* event) {
  return unmap({queue, count, list}, event, memory, address, [&](cl_event* own) {
    return below.clEnqueueUnmapMemObject(queue, memory, address, count, list, own);
  });
}

cl_int CL_API_CALL svm_map(cl_command_queue queue, cl_bool blocking, cl_map_flags flags, void* address,
                           size_t size, cl_uint count, const cl_event* list, cl_event* event) {
  const cl_int code =
      map({queue, count, list, blocking == CL_TRUE}, event, address, flags, size, [&](cl_event* own) {
        return below.clEnqueueSVMMap(queue, blocking, flags, address, size, count, list, own);
      });
  if (code == CL_SUCCESS) state().add_mapping(address, address, {size, flags, false});
  return code;
}

cl_int CL_API_CALL svm_unmap(cl_command_queue queue, void* address, cl_uint count, const cl_event* list,
                             cl_event* event) {
  return unmap({queue, count, list}, event, address, address,
               [&](cl_event* own) { return below.clEnqueueSVMUnmap(queue, address, count, list, own); });
}

cl_int CL_API_CALL svm_copy(cl_command_queue queue, cl_bool blocking, void* to, const void* from, size_t size,
                            cl_uint count, const cl_event* list, cl_event* event) {
  const bool to_device = state().is_svm(to), from_device = state().is_svm(from);
  const ladder_event_kind kind = to_device ? (from_device ? LADDER_D2D : LADDER_H2D) : LADDER_D2H;
  return command(
      {queue, count, list, blocking == CL_TRUE}, event,
      [&](cl_event* own) {
        return below.clEnqueueSVMMemcpy(queue, blocking, to, from, size, count, list, own);
      },
      [&] {
        const std::uint32_t flags =
            kind == LADDER_D2D ? 0 : state().host_flags(kind == LADDER_H2D ? from : to);
        return make_event(kind, size, flags);
      });
}

cl_int CL_API_CALL svm_fill(cl_command_queue queue, void* address, const void* pattern, size_t pattern_size,
                            size_t size, cl_uint count, const cl_event* list, cl_event* event) {
  return command(
      {queue, count, list}, event,
      [&](cl_event* own) {
        return below.clEnqueueSVMMemFill(queue, address, pattern, pattern_size, size, count, list, own);
      },
      [&] { return make_event(LADDER_FILL, size); });
}

}  // namespace

void wrap_memory(cl_icd_dispatch& table) {
  table.clCreateBuffer = create_buffer;
  table.clCreateBufferWithProperties = create_buffer_with_properties;
  table.clCreateImage = create_image;
  table.clCreateImageWithProperties = create_image_with_properties;
  table.clRetainMemObject = retain_memory;
  table.clReleaseMemObject = release_memory;
  table.clReleaseKernel = release_kernel;
  table.clSVMAlloc = svm_alloc;
  table.clSVMFree = svm_free;
  table.clEnqueueMapBuffer = map_buffer;
  table.clEnqueueMapImage = map_image;
  table.clEnqueueUnmapMemObject = unmap_memory;
  table.clEnqueueSVMMap = svm_map;
  table.clEnqueueSVMUnmap = svm_unmap;
  table.clEnqueueSVMMemcpy = svm_copy;
  table.clEnqueueSVMMemFill = svm_fill;
}

}  // namespace ladder::opencl_layer
