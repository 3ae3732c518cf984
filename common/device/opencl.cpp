/// @file
/// The part of opencl.hpp that needs no template.

#include "common/device/opencl.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "common/base/files/whole_file.hpp"

namespace ladder::cl {
namespace {

struct ErrorText {
  cl_int code;
  const char* name;
  const char* cause;  ///< what usually causes it; "" where the name says it
};

constexpr ErrorText error_texts[] = {
    {CL_DEVICE_NOT_FOUND, "CL_DEVICE_NOT_FOUND", "the platform has no device of that kind"},
    {CL_DEVICE_NOT_AVAILABLE, "CL_DEVICE_NOT_AVAILABLE", ""},
    {CL_COMPILER_NOT_AVAILABLE, "CL_COMPILER_NOT_AVAILABLE", ""},
    {CL_MEM_OBJECT_ALLOCATION_FAILURE, "CL_MEM_OBJECT_ALLOCATION_FAILURE",
     "the device has not enough memory"},
    {CL_OUT_OF_RESOURCES, "CL_OUT_OF_RESOURCES",
     "too many registers or too much local memory, or a kernel accessed memory outside its buffers"},
    {CL_OUT_OF_HOST_MEMORY, "CL_OUT_OF_HOST_MEMORY", ""},
    {CL_PROFILING_INFO_NOT_AVAILABLE, "CL_PROFILING_INFO_NOT_AVAILABLE", ""},
    {CL_MEM_COPY_OVERLAP, "CL_MEM_COPY_OVERLAP", "source and destination are in one buffer and overlap"},
    {CL_BUILD_PROGRAM_FAILURE, "CL_BUILD_PROGRAM_FAILURE", "the kernels do not compile"},
    {CL_MAP_FAILURE, "CL_MAP_FAILURE", ""},
    {CL_MISALIGNED_SUB_BUFFER_OFFSET, "CL_MISALIGNED_SUB_BUFFER_OFFSET", ""},
    {CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST",
     "a command that this one waited for has failed"},
    {CL_INVALID_VALUE, "CL_INVALID_VALUE",
     "an argument is out of its range: for a copy, offset + size past the end of the buffer, size 0, or a "
     "null pointer"},
    {CL_INVALID_DEVICE, "CL_INVALID_DEVICE", ""},
    {CL_INVALID_CONTEXT, "CL_INVALID_CONTEXT", "objects of two contexts, or one that has been released"},
    {CL_INVALID_COMMAND_QUEUE, "CL_INVALID_COMMAND_QUEUE",
     "on some devices: a kernel before this call failed"},
    {CL_INVALID_MEM_OBJECT, "CL_INVALID_MEM_OBJECT", "not a buffer, or one that has been released"},
    {CL_INVALID_BINARY, "CL_INVALID_BINARY", ""},
    {CL_INVALID_BUILD_OPTIONS, "CL_INVALID_BUILD_OPTIONS", ""},
    {CL_INVALID_PROGRAM, "CL_INVALID_PROGRAM", ""},
    {CL_INVALID_PROGRAM_EXECUTABLE, "CL_INVALID_PROGRAM_EXECUTABLE", ""},
    {CL_INVALID_KERNEL_NAME, "CL_INVALID_KERNEL_NAME", "the program has no kernel of this name"},
    {CL_INVALID_KERNEL, "CL_INVALID_KERNEL", ""},
    {CL_INVALID_ARG_INDEX, "CL_INVALID_ARG_INDEX", "the kernel has fewer arguments"},
    {CL_INVALID_ARG_VALUE, "CL_INVALID_ARG_VALUE",
     "a buffer where the kernel declares a scalar, or the reverse"},
    {CL_INVALID_ARG_SIZE, "CL_INVALID_ARG_SIZE",
     "the value's type is not the one that the kernel declares (size_t for int, float for double)"},
    {CL_INVALID_KERNEL_ARGS, "CL_INVALID_KERNEL_ARGS", "an argument of the kernel has not been set"},
    {CL_INVALID_WORK_DIMENSION, "CL_INVALID_WORK_DIMENSION", "1, 2 or 3 are possible"},
    {CL_INVALID_WORK_GROUP_SIZE, "CL_INVALID_WORK_GROUP_SIZE",
     "the global size is no multiple of the local size, or a work-group is larger than the device allows"},
    {CL_INVALID_WORK_ITEM_SIZE, "CL_INVALID_WORK_ITEM_SIZE", ""},
    {CL_INVALID_GLOBAL_OFFSET, "CL_INVALID_GLOBAL_OFFSET", ""},
    {CL_INVALID_EVENT_WAIT_LIST, "CL_INVALID_EVENT_WAIT_LIST", ""},
    {CL_INVALID_EVENT, "CL_INVALID_EVENT", ""},
    {CL_INVALID_OPERATION, "CL_INVALID_OPERATION", ""},
    {CL_INVALID_BUFFER_SIZE, "CL_INVALID_BUFFER_SIZE",
     "size 0, or more than the device can hold in one buffer"},
    {CL_INVALID_GLOBAL_WORK_SIZE, "CL_INVALID_GLOBAL_WORK_SIZE",
     "a global size of 0: launch nothing in that case"},
    {-1001, "CL_PLATFORM_NOT_FOUND_KHR", "no OpenCL platform is installed"},
};

const ErrorText* find_error(cl_int code) {
  for (const ErrorText& text : error_texts)
    if (text.code == code) return &text;
  return nullptr;
}

std::string place(const Where& where) {
  return std::string(where.file_name()) + ":" + std::to_string(where.line()) + ": ";
}

std::string device_text(cl_device_id device, cl_device_info what) {
  std::size_t size = 0;
  check(clGetDeviceInfo(device, what, 0, nullptr, &size));
  std::string text(size, '\0');
  check(clGetDeviceInfo(device, what, size, text.data(), nullptr));
  while (!text.empty() && text.back() == '\0') text.pop_back();
  return text;
}

struct Candidate {
  std::string index;  ///< "platform:device"
  cl_device_id id;
  cl_device_type type;
};

/// All devices of all platforms.
std::vector<Candidate> candidates() {
  std::vector<Candidate> found;
  cl_uint platform_count = 0;
  if (clGetPlatformIDs(0, nullptr, &platform_count) != CL_SUCCESS)
    return found;  // the loader's way to say "none"
  std::vector<cl_platform_id> platforms(platform_count);
  check(clGetPlatformIDs(platform_count, platforms.data(), nullptr));
  for (cl_uint p = 0; p < platform_count; ++p) {
    cl_uint count = 0;
    if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS) continue;
    std::vector<cl_device_id> ids(count);
    check(clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, count, ids.data(), nullptr));
    for (cl_uint d = 0; d < count; ++d) {
      cl_device_type type = 0;
      check(clGetDeviceInfo(ids[d], CL_DEVICE_TYPE, sizeof type, &type, nullptr));
      found.push_back({std::to_string(p) + ":" + std::to_string(d), ids[d], type});
    }
  }
  return found;
}

const Candidate& choose(const std::vector<Candidate>& all) {
  if (all.empty())
    throw Error("There is no OpenCL device. Install a platform (Debian: pocl-opencl-icd) and try again.");
  const char* wish = std::getenv("LADDER_OPENCL_DEVICE");
  if (wish && *wish) {
    std::string names;
    for (const Candidate& candidate : all) {
      if (candidate.index == wish) return candidate;
      names += (names.empty() ? "" : ", ") + candidate.index + " (" + name(candidate.id) + ")";
    }
    throw Error("LADDER_OPENCL_DEVICE=" + std::string(wish) +
                ": there is no such device. There are: " + names);
  }
  for (const Candidate& candidate : all)
    if (candidate.type & CL_DEVICE_TYPE_GPU) return candidate;
  return all.front();
}

/// The text of a program, moved down to its line in the step's file: every compiler then
/// names that line, those that know no #line (Oclgrind) too.
std::string with_line(const Source& source) {
  const std::size_t line = source.where.line();
  const std::string empty_lines(line > 2 ? line - 2 : 0, '\n');
  return empty_lines + "#line " + std::to_string(line) + " \"" + source.where.file_name() + "\"\n" +
         source.text;
}

std::string build_log(cl_program program) {
  std::size_t size = 0;
  if (clGetProgramBuildInfo(program, device(), CL_PROGRAM_BUILD_LOG, 0, nullptr, &size) != CL_SUCCESS)
    return "";
  std::string log(size, '\0');
  clGetProgramBuildInfo(program, device(), CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
  return log.c_str();  // without the closing zero
}

/// A program as a file, for a device that keeps none itself: a simulator compiles unrolled kernels for
/// seconds, and a rung is started many times.
class KeptProgram {
 public:
  /// @param options  of its build
  KeptProgram(const std::string& text, const std::string& options) {
    const char* const folder = std::getenv("LADDER_KEPT_PROGRAMS");
    if (!folder || !*folder) return;
    text_ = options + "\n" + text;
    file_ = std::filesystem::path(folder) / std::to_string(std::hash<std::string>()(text_));
  }

  /// @return the program, to be built; null where there is none. A file that holds no program is removed.
  cl_program load() const {
    if (file_.empty()) return nullptr;
    const std::optional<std::string> found = whole_file(file_);
    if (!found) return nullptr;
    cl_int code = CL_INVALID_BINARY;
    cl_program program = nullptr;
    if (found->starts_with(text_)) {  // else it is of another program with this hash
      const std::size_t bytes = found->size() - text_.size();
      const auto* binary = reinterpret_cast<const unsigned char*>(found->data() + text_.size());
      const cl_device_id id = device();
      program = clCreateProgramWithBinary(context(), 1, &id, &bytes, &binary, nullptr, &code);
    }
    std::error_code ignored;
    if (code != CL_SUCCESS) std::filesystem::remove(file_, ignored);
    return code == CL_SUCCESS ? program : nullptr;
  }

  /// Keeps a program that was built from its source. Without room for it the next one is built again.
  void store(cl_program program) const {
    std::size_t bytes = 0;
    if (file_.empty() || std::filesystem::exists(file_) ||
        clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, nullptr) != CL_SUCCESS)
      return;
    std::string binary(bytes, '\0');
    char* start = binary.data();
    if (clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof start, &start, nullptr) != CL_SUCCESS) return;
    std::error_code ignored;
    std::filesystem::create_directories(file_.parent_path(), ignored);
    const std::filesystem::path mine = file_.string() + "." + std::to_string(::getpid());
    if (std::ofstream(mine, std::ios::binary) << text_ << binary << std::flush)
      std::filesystem::rename(mine, file_, ignored);  // whole or not at all
  }

 private:
  std::string text_;
  std::filesystem::path file_;
};

/// CL_DEVICE_MAX_WORK_GROUP_SIZE of device().
std::size_t largest_group() {
  std::size_t items = 0;
  check(clGetDeviceInfo(device(), CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof items, &items, nullptr));
  return items;
}

/// A launch would only say CL_INVALID_WORK_GROUP_SIZE. CL_KERNEL_WORK_GROUP_SIZE is not asked: NVIDIA's
/// driver answers 256 for kernels that require 512 and run with 512.
void check_required_group(cl_kernel kernel, const char* kernel_name, Where where) {
  std::size_t required[3] = {};
  check(clGetKernelWorkGroupInfo(kernel, device(), CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof required,
                                 required, nullptr),
        where);
  const std::size_t items = required[0] * required[1] * required[2], allowed = largest_group();
  if (items > allowed)
    throw Error(place(where) + "the kernel \"" + kernel_name + "\" needs work-groups of " +
                std::to_string(items) + " work-items, and the OpenCL device " + name(device()) + " allows " +
                std::to_string(allowed) + ". Choose another device with LADDER_OPENCL_DEVICE.");
}

/// Makes an object with a function that reports its error through its last parameter.
template <class Create, class... Arguments>
auto created(Where where, Create create, Arguments... arguments) {
  cl_int code = CL_SUCCESS;
  const auto object = create(arguments..., &code);
  check(code, where);
  return object;
}

}  // namespace

const char* error_name(cl_int code) {
  if (code == CL_SUCCESS) return "CL_SUCCESS";
  const ErrorText* text = find_error(code);
  return text ? text->name : "unknown OpenCL error";
}

void check(cl_int code, Where where) {
  if (code == CL_SUCCESS) return;
  const ErrorText* text = find_error(code);
  std::string message = place(where) + error_name(code) + " (" + std::to_string(code) + ")";
  if (text && *text->cause) message += std::string(": ") + text->cause;
  if (code == CL_INVALID_WORK_GROUP_SIZE)
    message += " (" + name(device()) + ": at most " + std::to_string(largest_group()) + " work-items)";
  throw Error(message);
}

cl_device_id device() {
  static const cl_device_id chosen = [] {
    // PoCL compiles a kernel again for each work-group size that it meets, and takes the size from the range
    // when the step leaves it open: ranges that shrink by one would be compiled again in every launch, 40 ms
    // each time.
    setenv("POCL_WORK_GROUP_SPECIALIZATION", "0", 0);
    const std::vector<Candidate> all = candidates();
    const Candidate& candidate = choose(all);
    if (device_text(candidate.id, CL_DEVICE_EXTENSIONS).find("cl_khr_fp64") == std::string::npos)
      throw Error("The OpenCL device " + candidate.index + " (" + name(candidate.id) +
                  ") has no double precision (cl_khr_fp64). Choose another one with LADDER_OPENCL_DEVICE.");
    return candidate.id;
  }();
  return chosen;
}

std::string name(cl_device_id device) {
  return device_text(device, CL_DEVICE_NAME);
}

std::size_t group_items(std::size_t wanted) {
  static const std::size_t allowed = largest_group();
  while (wanted > allowed && wanted > 1) wanted /= 2;
  return wanted;
}

cl_context context() {
  // Never released: programs in static variables of the steps need it until the process ends.
  static const cl_context the_context = [] {
    const cl_device_id id = device();
    return created(Where::current(), clCreateContext, nullptr, cl_uint(1), &id, nullptr, nullptr);
  }();
  return the_context;
}

cl_command_queue queue() {
  // Never released, like the context.
  static const cl_command_queue the_queue =
      created(Where::current(), clCreateCommandQueue, context(), device(), cl_command_queue_properties(0));
  return the_queue;
}

Queue::Queue(Where where)
    : Handle(created(where, clCreateCommandQueue, context(), device(), cl_command_queue_properties(0))) {}

Buffer::Buffer(cl_mem_flags flags, std::size_t bytes, Where where)
    : Handle(created(where, clCreateBuffer, context(), flags, bytes, nullptr)) {}

Program::Program(const Source& source, const std::string& options, Where where)
    : Handle([&] {
        const std::string text = with_line(source);
        if (const cl_program kept = KeptProgram(text, options).load()) return kept;
        const char* start = text.c_str();
        return created(where, clCreateProgramWithSource, context(), cl_uint(1), &start, nullptr);
      }()) {
  const cl_device_id id = device();
  const cl_int code = clBuildProgram(get(), 1, &id, ("-cl-std=CL1.2 " + options).c_str(), nullptr, nullptr);
  if (code == CL_BUILD_PROGRAM_FAILURE)
    throw Error(place(where) + "the kernels do not compile:\n" + build_log(get()));
  check(code, where);
  KeptProgram(with_line(source), options).store(get());
}

Kernel::Kernel(const Program& program, const char* name, Where where)
    : Handle([&] {
        cl_int code = CL_SUCCESS;
        const cl_kernel kernel = clCreateKernel(program.get(), name, &code);
        if (code == CL_INVALID_KERNEL_NAME)
          throw Error(place(where) + "the program has no kernel \"" + name + "\"");
        check(code, where);
        return kernel;
      }()) {
  check_required_group(get(), name, where);
}

}  // namespace ladder::cl

/// Takes the place of PoCL's own function: its drivers are libraries, and find the program's functions first.
/// PoCL compiles a kernel in several versions: with an offset or without, for small ranges or large. PoCL 4
/// and 5 count the launches that use a version, but a launch that ends is subtracted from whichever version
/// comes first in the list. With one kernel in two queues that may be the other launch's. The count then
/// falls below 0, and an assertion ends a right program. PoCL 3 counts up too often for that; PoCL 6
/// remembers the version. The counts only say which of more than 128 versions may be unloaded. So nothing is
/// counted down here, and all versions stay loaded.
extern "C" void pocl_release_dlhandle_cache(void*) {}
