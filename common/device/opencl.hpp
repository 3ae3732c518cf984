#pragma once
/// @file
/// What an OpenCL step may use: checked calls, and handles that release themselves.
///
/// The calls that a lesson teaches (clEnqueueWriteBuffer, clEnqueueNDRangeKernel, …) stay visible in the
/// steps. What is here only owns things and turns error codes into exceptions that name the caller's line.

#define CL_TARGET_OPENCL_VERSION 120  // what PoCL, NVIDIA and Oclgrind have in common
#include <CL/cl.h>

#include <cstddef>
#include <source_location>
#include <string>
#include <type_traits>

#include "common/base/error.hpp"
#include "common/device/handle.hpp"

namespace ladder::cl {

using Where = std::source_location;

/// @return the name of an error code: "CL_INVALID_KERNEL_ARGS".
const char* error_name(cl_int code);

/// Checks what an OpenCL call returned.
/// @throws ladder::Error with file and line of the caller, the code's name and what usually causes it.
void check(cl_int code, Where where = Where::current());

/// The device that all steps of this process use: LADDER_OPENCL_DEVICE ("platform:device", both from 0), or
/// the first GPU, or the first device of any kind.
/// @throws ladder::Error if there is none, or if it has no double precision.
cl_device_id device();

/// @return the device's name, as its platform gives it.
std::string name(cl_device_id device);

/// @param wanted  work-items, a power of two
/// @return that many, or a half, a quarter, …: as many as a work-group on device() may have.
std::size_t group_items(std::size_t wanted);

/// The one context of the process, opened when it is first needed.
cl_context context();

/// The one in-order queue of the process that resident problems are copied in. A step with such a problem
/// enqueues its work here, or lets this queue wait for it: the caller of the step waits for this queue.
cl_command_queue queue();

/// @return the memory of the device that a pointer of a resident problem stands for: the pointer is its
/// handle.
inline cl_mem memory(const void* array) {
  return static_cast<cl_mem>(const_cast<void*>(array));
}

/// An in-order command queue on device().
struct Queue : Handle<cl_command_queue, clReleaseCommandQueue> {
  /// @throws ladder::Error when the device refuses it; likewise below.
  explicit Queue(Where where = Where::current());
};

/// Memory of the device.
struct Buffer : Handle<cl_mem, clReleaseMemObject> {
  /// @param flags  CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, …
  /// @param bytes  at least 1: OpenCL has no empty buffers
  Buffer(cl_mem_flags flags, std::size_t bytes, Where where = Where::current());
};

/// Kernels as text, and where the text stands: errors in a kernel then name the line in the step's own file.
struct Source {
  /// Converts by intention, so that a text is a source where it is declared.
  Source(const char* kernels, Where line = Where::current()) : text(kernels), where(line) {}
  const char* text;  ///< OpenCL C
  Where where;       ///< its first line
};

namespace details {

/// Static variables end after main, when OpenCL may have ended already.
inline void keep(cl_program) {}

}  // namespace details

/// A program, built for device(). Building takes long: keep it in a `static const` variable of the step. It
/// is never released.
struct Program : Handle<cl_program, details::keep> {
  /// @throws ladder::Error with the build log if the text does not compile.
  explicit Program(const Source& source, const std::string& options = "", Where where = Where::current());
};

/// One kernel of a program. It holds its arguments, so each call of a step makes its own.
struct Kernel : Handle<cl_kernel, clReleaseKernel> {
  /// @param name  the kernel's, as in the program
  /// @throws ladder::Error also when it requires work-groups (reqd_work_group_size) that are larger than
  /// device() allows
  Kernel(const Program& program, const char* name, Where where = Where::current());
};

/// An event that a clEnqueue… call returned.
struct Event : Handle<cl_event, clReleaseEvent> {
  /// Takes the event over.
  explicit Event(cl_event event) : Handle(event) {}
};

/// A kernel, and the line that sets its arguments.
struct KernelAt {
  /// Converts by intention: the place of the conversion is the caller's line.
  KernelAt(const Kernel& called, Where line = Where::current()) : kernel(called.get()), where(line) {}
  cl_kernel kernel;  ///< not owned
  Where where;       ///< what errors name
};

/// Sets the arguments of a kernel from the first on: clSetKernelArg for each, checked. A Buffer is passed as
/// its cl_mem; a scalar must have the size that the kernel declares (int, double).
template <class... Arguments>
void set_arguments(KernelAt at, const Arguments&... arguments) {
  cl_uint index = 0;
  const auto set = [&](const auto& argument) {
    if constexpr (std::is_same_v<std::decay_t<decltype(argument)>, Buffer>) {
      const cl_mem memory = argument.get();
      check(clSetKernelArg(at.kernel, index++, sizeof memory, &memory), at.where);
    } else {
      static_assert(std::is_trivially_copyable_v<std::decay_t<decltype(argument)>>,
                    "pass a Buffer or a scalar");
      check(clSetKernelArg(at.kernel, index++, sizeof argument, &argument), at.where);
    }
  };
  (set(arguments), ...);
}

}  // namespace ladder::cl
