/// @file
/// OpenCL layer: copies and fills of buffers and images.

#include "common/trace/recorders/opencl_call.hpp"

namespace ladder::opencl_layer {
namespace {

cl_int CL_API_CALL read_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                               size_t size, void* host, cl_uint count, const cl_event* list,
                               cl_event* event) {
  state().mark_read(buffer);
  return command(
      {queue, count, list, blocking == CL_TRUE}, event,
      [&](cl_event* own) {
        return below.clEnqueueReadBuffer(queue, buffer, blocking, offset, size, host, count, list, own);
      },
      [&] { return make_event(LADDER_D2H, size, state().host_flags(host)); });
}

cl_int CL_API_CALL write_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                                size_t size, const void* host, cl_uint count, const cl_event* list,
                                cl_event* event) {
  return command(
      {queue, count, list, blocking == CL_TRUE}, event,
      [&](cl_event* own) {
        return below.clEnqueueWriteBuffer(queue, buffer, blocking, offset, size, host, count, list, own);
      },
      [&] { return make_event(LADDER_H2D, size, state().host_flags(host)); });
}

cl_int CL_API_CALL read_rect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                             const size_t* buffer_origin, const size_t* host_origin, const size_t* region,
                             size_t buffer_row, size_t buffer_slice, size_t host_row, size_t host_slice,
                             void* host, cl_uint count, const cl_event* list, cl_event* event) {
  state().mark_read(buffer);
  return command(
      {queue, count, list, blocking == CL_TRUE}, event,
      [&](cl_event* own) {
        return below.clEnqueueReadBufferRect(queue, buffer, blocking, buffer_origin, host_origin, region,
                                             buffer_row, buffer_slice, host_row, host_slice, host, count,
                                             list, own);
      },
      [&] { return make_event(LADDER_D2H, volume(region), state().host_flags(host)); });
}

cl_int CL_API_CALL write_rect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                              const size_t* buffer_origin, const size_t* host_origin, const size_t* region,
                              size_t buffer_row, size_t buffer_slice, size_t host_row, size_t host_slice,
                              const void* host, cl_uint count, const cl_event* list, cl_event* event) {
  return command(
      {queue, count, list, blocking == CL_TRUE}, event,
      [&](cl_event* own) {
        return below.clEnqueueWriteBufferRect(queue, buffer, blocking, buffer_origin, host_origin, region,
                                              buffer_row, buffer_slice, host_row, host_slice, host, count,
                                              list, own);
      },
      [&] { return make_event(LADDER_H2D, volume(region), state().host_flags(host)); });
}

cl_int CL_API_CALL copy_buffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
                               size_t to_offset, size_t size, cl_uint count, const cl_event* list,
                               cl_event* event) {
  return command(
      {queue, count, list}, event,
      [&](cl_event* own) {
        return below.clEnqueueCopyBuffer(queue, from, to, from_offset, to_offset, size, count, list, own);
      },
      [&] { return make_event(LADDER_D2D, size); });
}

cl_int CL_API_CALL copy_rect(cl_command_queue queue, cl_mem from, cl_mem to, const size_t* from_origin,
                             const size_t* to_origin, const size_t* region, size_t from_row,
                             size_t from_slice, size_t to_row, size_t to_slice, cl_uint count,
                             const cl_event* list, cl_event* event) {
  return command(
      {queue, count, list}, event,
      [&](cl_event* own) {
        return below.clEnqueueCopyBufferRect(queue, from, to, from_origin, to_origin, region, from_row,
                                             from_slice, to_row, to_slice, count, list, own);
      },
      [&] { return make_event(LADDER_D2D, volume(region)); });
}

cl_int CL_API_CALL fill_buffer(cl_command_queue queue, cl_mem buffer, const void* pattern,
                               size_t pattern_size, size_t offset, size_t size, cl_uint count,
                               const cl_event* list, cl_event* event) {
  return command(
      {queue, count, list}, event,
      [&](cl_event* own) {
        return below.clEnqueueFillBuffer(queue, buffer, pattern, pattern_size, offset, size, count, list,
                                         own);
      },
      [&] { return make_event(LADDER_FILL, size); });
}

cl_int CL_API_CALL read_image(cl_command_queue queue, cl_mem image, cl_bool blocking, const size_t* origin,
                              const size_t* region, size_t row, size_t slice, void* host, cl_uint count,
                              const cl_event* list, cl_event* event) {
  state().mark_read(image);
  return command(
      {queue, count, list, blocking == CL_TRUE}, event,
      [&](cl_event* own) {
        return below.clEnqueueReadImage(queue, image, blocking, origin, region, row, slice, host, count, list,
                                        own);
      },
      [&] { return make_event(LADDER_D2H, image_bytes(image, region), state().host_flags(host)); });
}

cl_int CL_API_CALL write_image(cl_command_queue queue, cl_mem image, cl_bool blocking, const size_t* origin,
                               const size_t* region, size_t row, size_t slice, const void* host,
                               cl_uint count, const cl_event* list, cl_event* event) {
  return command(
      {queue, count, list, blocking == CL_TRUE}, event,
      [&](cl_event* own) {
        return below.clEnqueueWriteImage(queue, image, blocking, origin, region, row, slice, host, count,
                                         list, own);
      },
      [&] { return make_event(LADDER_H2D, image_bytes(image, region), state().host_flags(host)); });
}

cl_int CL_API_CALL migrate(cl_command_queue queue, cl_uint objects, const cl_mem* list_of_objects,
                           cl_mem_migration_flags flags, cl_uint count, const cl_event* list,
                           cl_event* event) {
  return command(
      {queue, count, list}, event,
      [&](cl_event* own) {
        return below.clEnqueueMigrateMemObjects(queue, objects, list_of_objects, flags, count, list, own);
      },
      [&] {
        std::uint64_t bytes = 0;
        for (cl_uint i = 0; i < objects && !(flags & CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED); ++i) {
          size_t size = 0;
          below.clGetMemObjectInfo(list_of_objects[i], CL_MEM_SIZE, sizeof size, &size, nullptr);
          bytes += size;
        }
        return make_event(flags & CL_MIGRATE_MEM_OBJECT_HOST ? LADDER_D2H : LADDER_H2D, bytes, LADDER_WHOLE,
                          "migrate");
      });
}

}  // namespace

void wrap_copies(cl_icd_dispatch& table) {
  table.clEnqueueReadBuffer = read_buffer;
  table.clEnqueueWriteBuffer = write_buffer;
  table.clEnqueueReadBufferRect = read_rect;
  table.clEnqueueWriteBufferRect = write_rect;
  table.clEnqueueCopyBuffer = copy_buffer;
  table.clEnqueueCopyBufferRect = copy_rect;
  table.clEnqueueFillBuffer = fill_buffer;
  table.clEnqueueReadImage = read_image;
  table.clEnqueueWriteImage = write_image;
  table.clEnqueueMigrateMemObjects = migrate;
}

}  // namespace ladder::opencl_layer
