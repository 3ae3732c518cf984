/// @file
/// An OpenCL layer that changes nothing and leaves a mark: with it probe-opencl finds out whether the loader
/// takes layers. Asking the loader for its version would not help: Khronos' loader can be built without them.

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl_layer.h>
#ifndef CL_LAYER_NAME  // headers of Ubuntu 22.04
#define CL_LAYER_NAME 0x4241
#endif

#include <cstdlib>
#include <cstring>

extern "C" CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info what, size_t size, void* value,
                                                          size_t* needed) {
  const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
  const char name[] = "ladder-probe";
  const void* from = what == CL_LAYER_API_VERSION ? static_cast<const void*>(&version) : name;
  const size_t length = what == CL_LAYER_API_VERSION ? sizeof version : sizeof name;
  if (what != CL_LAYER_API_VERSION && what != CL_LAYER_NAME) return CL_INVALID_VALUE;
  if (value && size < length) return CL_INVALID_VALUE;
  if (value) std::memcpy(value, from, length);
  if (needed) *needed = length;
  return CL_SUCCESS;
}

extern "C" CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint entries, const cl_icd_dispatch* target,
                                                       cl_uint* entries_returned,
                                                       const cl_icd_dispatch** dispatch) {
  setenv("LADDER_PROBE_LAYER", "loaded", 1);
  *entries_returned = entries;
  *dispatch = target;
  return CL_SUCCESS;
}
