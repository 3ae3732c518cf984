/// @file
/// An ICD-loader layer (OPENCL_LAYERS=libladder-trace-opencl.so): sits between an OpenCL program and its
/// runtime and records what the program asks for. See cl_layer.h of Khronos for the interface.
///
/// Each wrapper passes the call on first and records it when it succeeded. What is not wrapped passes
/// untouched.

#include <CL/cl_layer.h>
#ifndef CL_LAYER_NAME  // headers of Ubuntu 22.04
#define CL_LAYER_NAME 0x4241
#endif

#include <cstring>

#include "common/trace/recorders/opencl_call.hpp"

#define LADDER_EXPORT __attribute__((visibility("default")))

extern "C" LADDER_EXPORT CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info what, size_t size,
                                                                        void* value, size_t* size_out) {
  constexpr cl_layer_api_version version = CL_LAYER_API_VERSION_100;
  constexpr char name[] = "GPU Ladder trace";
  const void* answer = what == CL_LAYER_API_VERSION ? static_cast<const void*>(&version) : name;
  const size_t bytes = what == CL_LAYER_API_VERSION ? sizeof version : sizeof name;
  if (what != CL_LAYER_API_VERSION && what != CL_LAYER_NAME) return CL_INVALID_VALUE;
  if (value && size < bytes) return CL_INVALID_VALUE;
  if (value) std::memcpy(value, answer, bytes);
  if (size_out) *size_out = bytes;
  return CL_SUCCESS;
}

extern "C" LADDER_EXPORT CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint count,
                                                                     const cl_icd_dispatch* target,
                                                                     cl_uint* count_out,
                                                                     const cl_icd_dispatch** layer_out) {
  using namespace ladder::opencl_layer;
  constexpr cl_uint ours = sizeof(cl_icd_dispatch) / sizeof(void*);
  static cl_icd_dispatch layer;
  // A loader with a shorter table is older than functions that are wrapped here.
  if (!target || !count_out || !layer_out || count < ours) return CL_INVALID_VALUE;
  below = layer = *target;
  wrap_commands(layer);
  wrap_copies(layer);
  wrap_memory(layer);
  *count_out = ours;
  *layer_out = &layer;
  ladder_sink_attach("opencl", [] { state().flush(); });
  return CL_SUCCESS;
}
