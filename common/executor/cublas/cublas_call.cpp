#include "common/executor/cublas/cublas_call.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "common/executor/runtime/memory.hpp"

namespace ladder::executor {
namespace {

/// What this thread's last cublasSetStream asked for, until its next call: 0 is no handle's number.
thread_local unsigned long prepared = 0;
thread_local cudaStream_t prepared_stream = nullptr;

}  // namespace

void set_stream(cublasContext* context, cudaStream_t stream) {
  context->stream = stream;
  prepared = stream ? context->number : 0;  // none: its holder returns it so, the next one sets another
  prepared_stream = stream;
  // Threads that share a handle without taking turns do so by chance at this point: they get the chance.
  if (context->thread.exchange(std::this_thread::get_id()) != std::this_thread::get_id())
    std::this_thread::sleep_for(std::chrono::microseconds(50));
}

void add_touches(std::vector<TouchedMemory>& touches, const MatrixArea& area, bool write) {
  if (!observer || area.rows <= 0) return;
  const auto* const begin = static_cast<const char*>(area.begin);
  const auto add = [&](int row, int column, int rows, int columns) {
    const std::size_t at =
        static_cast<std::size_t>(column) * static_cast<std::size_t>(area.ld) + static_cast<std::size_t>(row);
    const std::size_t count = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
    touches.push_back({begin + at * area.element, count * area.element, write});
  };
  if (area.part == Part::whole && area.ld == area.rows) return add(0, 0, area.rows, area.columns);
  for (int j = 0; j < area.columns; ++j) {
    if (area.part == Part::whole) add(0, j, area.rows, 1);
    if (area.part == Part::lower) add(j, j, area.rows - j, 1);
    if (area.part == Part::upper) add(0, j, j + 1, 1);
  }
}

void notify_touches(const std::vector<TouchedMemory>& touches) {
  if (observer) observer->operation_touches(touches);
}

void Call::require(bool condition, const std::string& problem) {
  if (condition || status != CUBLAS_STATUS_SUCCESS) return;
  status = CUBLAS_STATUS_INVALID_VALUE;
  fail(cudaErrorInvalidValue, site, std::string(name) + ": " + problem);
}

void Call::require_leading(const char* what, int ld, int rows) {
  require(ld >= std::max(1, rows), "the leading dimension of " + std::string(what) + " is " +
                                       std::to_string(ld) + "; its columns have " + std::to_string(rows) +
                                       " elements (column-major)");
}

void Call::require_matrix(const char* what, const void* pointer, int rows, int columns, int ld,
                          std::size_t element) {
  require_leading(what, ld, rows);
  if (rows == 0 || columns == 0) return;
  const std::string matrix = std::string(what) + ", " + std::to_string(rows) + " x " +
                             std::to_string(columns) + " with leading dimension " + std::to_string(ld) + ",";
  require_device(matrix.c_str(), pointer,
                 (static_cast<std::size_t>(columns - 1) * static_cast<std::size_t>(ld) +
                  static_cast<std::size_t>(rows)) *
                     element);
}

void Call::require_vector(const char* what, const void* pointer, int n, int step, std::size_t element) {
  if (n <= 0) return;
  require_device(what, pointer,
                 (static_cast<std::size_t>(n - 1) * static_cast<std::size_t>(std::abs(step)) + 1) * element);
}

void Call::require_device(const char* what, const void* pointer, std::size_t bytes) {
  DeviceMemory& memory = DeviceMemory::get();
  if (memory.find_host(pointer) || memory.find_symbol(pointer)) return;
  require(memory.contains(pointer), std::string(what) + " is not in device memory");
  if (status != CUBLAS_STATUS_SUCCESS) return;
  const std::string object(what);
  const auto nearest = memory.find(pointer);
  require(nearest.has_value(), object + " is in memory that was never allocated");
  if (!nearest) return;
  const std::string owner = memory_text(nearest->bytes, nearest->site);
  require(nearest->live, object + " is in memory that was freed: " + owner);
  const auto* const first = static_cast<const char*>(pointer);
  const char* const last = nearest->begin + nearest->bytes;
  require(first >= nearest->begin, object + " begins before " + owner);
  require(first + bytes <= last,
          object + " ends " + std::to_string(first + bytes - last) + " bytes after " + owner);
}

Call begin(const char* name, cublasContext* context, std::initializer_list<int> sizes, Site where) {
  Call call{name, resolve(where)};
  if (!context) {
    call.status = CUBLAS_STATUS_NOT_INITIALIZED;
    fail(cudaErrorInvalidValue, call.site, std::string(name) + ": the handle was not created");
    return call;
  }
  call.stream = context->stream;
  if (begin_call(name, call.stream, call.site) != cudaSuccess) call.status = CUBLAS_STATUS_NOT_INITIALIZED;
  call.require(
      std::exchange(prepared, 0) != context->number || call.stream == prepared_stream,
      "another thread set another stream after this one did, and the call would go there: a handle is "
      "for one thread at a time");
  for (const int size : sizes) call.require(size >= 0, "a size is negative");
  return call;
}

cublasStatus_t submit(const Call& call, int m, int n, int count, std::function<void()> work) {
  if (call.status != CUBLAS_STATUS_SUCCESS || m == 0 || n == 0 || count == 0) return call.status;
  ladder_event event = trace_event(LADDER_KERNEL, call.name);
  event.grid[0] = static_cast<std::uint32_t>(m);
  event.grid[1] = static_cast<std::uint32_t>(n);
  event.grid[2] = static_cast<std::uint32_t>(count);
  if (!Schedule::get().capturing(call.stream)) Schedule::get().record_launch(call.name);
  const cudaError_t error =
      Schedule::get().submit(call.stream, {call.name, call.site, std::move(work), event, call.touches});
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

cublasStatus_t submit_and_wait(const Call& call, const cublasContext* context, int n,
                               std::function<void()> work) {
  const cublasStatus_t status = submit(call, n, 1, 1, std::move(work));
  if (status != CUBLAS_STATUS_SUCCESS || context->mode == CUBLAS_POINTER_MODE_DEVICE) return status;
  return Schedule::get().finish_stream(call.stream, call.site) == cudaSuccess
             ? status
             : CUBLAS_STATUS_EXECUTION_FAILED;
}

const char* why_failed(cublasStatus_t status) {
  return status == CUBLAS_STATUS_INVALID_VALUE ? why_failed(cudaErrorInvalidValue) : "";
}

}  // namespace ladder::executor
