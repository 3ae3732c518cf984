/// @file
/// The API of streams, events and host functions.

#include <sched.h>

#include "common/executor/runtime/api/call.hpp"
#include "common/executor/runtime/assertions.hpp"
#include "common/executor/runtime/block/block.hpp"

namespace ladder::executor {

cudaError_t begin_call(const char* call, Site site) {
  if (in_kernel())
    fatal(resolve(site), std::string(call) + " is called in a kernel: only the host may\n    in kernel " +
                             current_runner->kernel()->name + ", " + where_in_grid());
  if (Schedule::in_host_function())
    return fail(cudaErrorNotPermitted, site,
                std::string(call) + " is called by a host function of a stream: CUDA forbids it");
  return remember(device_error());
}

cudaError_t begin_call(const char* call, const Stream* stream, Site site) {
  if (const cudaError_t error = begin_call(call, site)) return error;
  if (Schedule::get().known(stream)) return cudaSuccess;
  return fail(cudaErrorInvalidResourceHandle, site,
              std::string(call) + ": the stream was not created, or is destroyed");
}

cudaError_t begin_call(const char* call, const Event* event, Site site) {
  if (const cudaError_t error = begin_call(call, site)) return error;
  if (Schedule::get().known(event)) return cudaSuccess;
  return fail(cudaErrorInvalidResourceHandle, site,
              std::string(call) + ": the event was not created, or is destroyed");
}

}  // namespace ladder::executor

using namespace ladder::executor;

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  if (const cudaError_t error = begin_call("cudaStreamCreate", {})) return error;
  if (!stream || (flags != cudaStreamDefault && flags != cudaStreamNonBlocking))
    return remember(cudaErrorInvalidValue);
  *stream = Schedule::get().create_stream(flags, priority);
  return cudaSuccess;
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least) *least = 0;
  if (greatest) *greatest = -5;
  return cudaSuccess;
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  if (const cudaError_t error = begin_call("cudaStreamGetPriority", stream, {})) return error;
  *priority = stream ? stream->priority : 0;
  return cudaSuccess;
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  if (const cudaError_t error = begin_call("cudaStreamGetFlags", stream, {})) return error;
  *flags = stream ? stream->flags : cudaStreamDefault;
  return cudaSuccess;
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  if (const cudaError_t error = begin_call("cudaStreamGetId", stream, {})) return error;
  *id = stream ? stream->number : 0;
  return cudaSuccess;
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  *device = 0;
  return begin_call("cudaStreamGetDevice", stream, {});
}

cudaStream_t ladder::executor::per_thread_stream() {
  static thread_local cudaStream_t const stream = Schedule::get().create_stream(cudaStreamDefault, 0);
  return stream;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream, Site site) {
  if (const cudaError_t error = begin_call("cudaStreamDestroy", stream, site)) return error;
  return remember(Schedule::get().destroy_stream(stream, site));
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream, Site site) {
  if (const cudaError_t error = begin_call("cudaStreamSynchronize", stream, site)) return error;
  if (const cudaError_t error = Schedule::get().finish_stream(stream, site)) return error;
  return remember(device_error());
}

cudaError_t cudaStreamQuery(cudaStream_t stream, Site site) {
  if (const cudaError_t error = begin_call("cudaStreamQuery", stream, site)) return error;
  if (Schedule::get().poll_stream(stream)) return remember(device_error());
  sched_yield();
  return cudaErrorNotReady;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned, Site site) {
  if (const cudaError_t error = begin_call("cudaStreamWaitEvent", stream, site)) return error;
  if (const cudaError_t error = begin_call("cudaStreamWaitEvent", event, site)) return error;
  return remember(Schedule::get().wait_event(stream, event, site));
}

cudaError_t cudaDeviceSynchronize(Site site) {
  if (const cudaError_t error = begin_call("cudaDeviceSynchronize", site)) return error;
  if (const cudaError_t error = Schedule::get().refuse_while_capturing("cudaDeviceSynchronize", site))
    return error;
  Schedule::get().finish_all("cudaDeviceSynchronize");
  return remember(device_error());
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data, Site site) {
  if (const cudaError_t error = begin_call("cudaLaunchHostFunc", stream, site)) return error;
  if (!function) return remember(cudaErrorInvalidValue);
  auto work = [function, data] { Schedule::get().run_host_function([&] { function(data); }); };
  return Schedule::get().submit(stream, {"cudaLaunchHostFunc", resolve(site), work, {}});
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned,
                                  Site site) {
  if (const cudaError_t error = begin_call("cudaStreamAddCallback", stream, site)) return error;
  if (!callback) return remember(cudaErrorInvalidValue);
  auto work = [=] { Schedule::get().run_host_function([&] { callback(stream, cudaSuccess, data); }); };
  return Schedule::get().submit(stream, {"cudaStreamAddCallback", resolve(site), work, {}});
}

// ---------------------------------------------------------------- events

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  if (const cudaError_t error = begin_call("cudaEventCreate", {})) return error;
  if (!event) return remember(cudaErrorInvalidValue);
  *event = Schedule::get().create_event(flags);
  return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  if (const cudaError_t error = begin_call("cudaEventDestroy", event, {})) return error;
  return remember(Schedule::get().destroy_event(event));
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream, Site site) {
  if (const cudaError_t error = begin_call("cudaEventRecord", event, site)) return error;
  if (const cudaError_t error = begin_call("cudaEventRecord", stream, site)) return error;
  return Schedule::get().record_event(event, stream, resolve(site));
}

cudaError_t cudaEventSynchronize(cudaEvent_t event, Site site) {
  if (const cudaError_t error = begin_call("cudaEventSynchronize", event, site)) return error;
  if (const cudaError_t error = Schedule::get().finish_event(event, site)) return error;
  return remember(device_error());
}

cudaError_t cudaEventQuery(cudaEvent_t event, Site site) {
  if (const cudaError_t error = begin_call("cudaEventQuery", event, site)) return error;
  if (Schedule::get().poll_event(event)) return remember(device_error());
  sched_yield();
  return cudaErrorNotReady;
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end, Site site) {
  if (const cudaError_t error = begin_call("cudaEventElapsedTime", begin, site)) return error;
  if (const cudaError_t error = begin_call("cudaEventElapsedTime", end, site)) return error;
  return remember(Schedule::get().elapsed(milliseconds, begin, end, site));
}
