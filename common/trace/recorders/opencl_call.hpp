#pragma once
/// @file
/// Shared by the wrappers of the OpenCL layer: pass a call on, record it when it succeeded.

#include "common/trace/recorders/opencl_state.hpp"

namespace ladder::opencl_layer {

/// Puts the wrappers of queues, kernels, order and waits into the layer's table.
void wrap_commands(cl_icd_dispatch& table);
/// Puts the wrappers of copies and fills into the layer's table.
void wrap_copies(cl_icd_dispatch& table);
/// Puts the wrappers of memory and maps into the layer's table.
void wrap_memory(cl_icd_dispatch& table);

/// Elements of a region of three dimensions.
inline std::uint64_t volume(const size_t* region) {
  return std::uint64_t{region[0]} * region[1] * region[2];
}

/// Bytes of a region of an image.
inline std::uint64_t image_bytes(cl_mem image, const size_t* region) {
  size_t element = 0;
  below.clGetImageInfo(image, CL_IMAGE_ELEMENT_SIZE, sizeof element, &element, nullptr);
  return volume(region) * element;
}

/// Makes an enqueue call with an event of ours, and records it.
/// @param enqueue called with the place for the event
/// @param event called after success; says what was enqueued
template <class Enqueue, class MakeEvent>
cl_int command(Call call, cl_event* wanted, Enqueue&& enqueue, MakeEvent&& event) {
  if (!ladder_sink_active()) return enqueue(wanted);
  cl_event own = nullptr;
  call.begin = now();
  const cl_int code = enqueue(&own);
  if (code != CL_SUCCESS || !own) return code;
  if (wanted) {
    below.clRetainEvent(own);  // one reference for the application, one for us until the run ends
    *wanted = own;
  }
  state().add_command(call, event(), own);
  return code;
}

/// The same for calls that move nothing but order other commands.
template <class Enqueue>
cl_int marker(Call call, cl_event* wanted, bool barrier, bool all, Enqueue&& enqueue) {
  const cl_int code = enqueue(wanted);
  if (code != CL_SUCCESS || !ladder_sink_active()) return code;
  call.begin = now();
  if (wanted) below.clRetainEvent(*wanted);
  state().add_marker(call, barrier, all, wanted ? *wanted : nullptr);
  return code;
}

}  // namespace ladder::opencl_layer
