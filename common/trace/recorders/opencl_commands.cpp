/// @file
/// OpenCL layer: queues, kernels, order and waits.

#include <cstdint>
#include <cstring>

#include "common/trace/recorders/opencl_call.hpp"

namespace ladder::opencl_layer {
namespace {

// --- queues

cl_command_queue CL_API_CALL create_queue(cl_context context, cl_device_id device,
                                          cl_command_queue_properties properties, cl_int* error) {
  cl_command_queue queue =
      below.clCreateCommandQueue(context, device, properties | CL_QUEUE_PROFILING_ENABLE, error);
  if (queue) state().add_queue(queue, device, properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  return queue;
}

cl_command_queue CL_API_CALL create_queue_with_properties(cl_context context, cl_device_id device,
                                                          const cl_queue_properties* properties,
                                                          cl_int* error) {
  std::vector<cl_queue_properties> list;
  cl_queue_properties mode = 0;
  for (const cl_queue_properties* p = properties; p && *p; p += 2) {
    if (p[0] == CL_QUEUE_PROPERTIES)
      mode = p[1];
    else
      list.insert(list.end(), {p[0], p[1]});
  }
  list.insert(list.end(), {CL_QUEUE_PROPERTIES, mode | CL_QUEUE_PROFILING_ENABLE, 0});
  cl_command_queue queue = below.clCreateCommandQueueWithProperties(context, device, list.data(), error);
  if (queue) state().add_queue(queue, device, mode & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  return queue;
}

// --- kernels

std::uint32_t narrow(std::uint64_t value) {
  return value > 0xffffffffu ? 0xffffffffu : static_cast<std::uint32_t>(value);
}

ladder_event kernel_event(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t* global,
                          const size_t* local) {
  ladder_event event = make_event(LADDER_KERNEL, 0, 0, state().kernel_name(kernel).c_str());
  cl_device_id device = nullptr;
  below.clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, nullptr);
  cl_ulong local_bytes = 0;
  below.clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof local_bytes, &local_bytes,
                                 nullptr);
  event.shared_bytes = narrow(local_bytes);
  for (cl_uint i = 0; i < 3; ++i) event.grid[i] = event.block[i] = 1;
  // Sizes that do not divide (allowed since OpenCL 2.0) would count work-items that never run: then the grid
  // counts work-items, as where the runtime chose the size.
  bool divides = local != nullptr && global != nullptr;
  for (cl_uint i = 0; divides && i < dimensions; ++i) divides = local[i] > 0 && global[i] % local[i] == 0;
  for (cl_uint i = 0; global && i < dimensions; ++i) {
    event.block[i] = divides ? narrow(local[i]) : 1;
    event.grid[i] = narrow(global[i] / event.block[i]);
  }
  return event;
}

cl_int CL_API_CALL launch(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t* offset,
                          const size_t* global, const size_t* local, cl_uint count, const cl_event* list,
                          cl_event* event) {
  return command(
      {queue, count, list}, event,
      [&](cl_event* own) {
        return below.clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global, local, count, list,
                                            own);
      },
      [&] { return kernel_event(queue, kernel, dimensions, global, local); });
}

cl_int CL_API_CALL launch_task(cl_command_queue queue, cl_kernel kernel, cl_uint count, const cl_event* list,
                               cl_event* event) {
  constexpr size_t one = 1;
  return command(
      {queue, count, list}, event,
      [&](cl_event* own) { return below.clEnqueueTask(queue, kernel, count, list, own); },
      [&] { return kernel_event(queue, kernel, 1, &one, &one); });
}

// --- order and waits

cl_int CL_API_CALL enqueue_marker(cl_command_queue queue, cl_event* event) {
  return marker({queue}, event, false, true,
                [&](cl_event* own) { return below.clEnqueueMarker(queue, own); });
}

cl_int CL_API_CALL enqueue_marker_list(cl_command_queue queue, cl_uint count, const cl_event* list,
                                       cl_event* event) {
  return marker({queue, count, list}, event, false, true,
                [&](cl_event* own) { return below.clEnqueueMarkerWithWaitList(queue, count, list, own); });
}

cl_int CL_API_CALL enqueue_barrier(cl_command_queue queue) {
  return marker({queue}, nullptr, true, true, [&](cl_event*) { return below.clEnqueueBarrier(queue); });
}

cl_int CL_API_CALL enqueue_barrier_list(cl_command_queue queue, cl_uint count, const cl_event* list,
                                        cl_event* event) {
  return marker({queue, count, list}, event, true, true,
                [&](cl_event* own) { return below.clEnqueueBarrierWithWaitList(queue, count, list, own); });
}

cl_int CL_API_CALL enqueue_wait(cl_command_queue queue, cl_uint count, const cl_event* list) {
  return marker({queue, count, list}, nullptr, true, false,
                [&](cl_event*) { return below.clEnqueueWaitForEvents(queue, count, list); });
}

cl_int CL_API_CALL finish(cl_command_queue queue) {
  const std::uint64_t begin = now();
  const cl_int code = below.clFinish(queue);
  if (code == CL_SUCCESS && ladder_sink_active()) state().add_wait("clFinish", begin, queue);
  return code;
}

cl_int CL_API_CALL wait_for_events(cl_uint count, const cl_event* list) {
  const std::uint64_t begin = now();
  const cl_int code = below.clWaitForEvents(count, list);
  if (code == CL_SUCCESS && ladder_sink_active()) state().add_wait("clWaitForEvents", begin, count, list);
  return code;
}

cl_int CL_API_CALL event_info(cl_event event, cl_event_info what, size_t size, void* value,
                              size_t* size_out) {
  const cl_int code = below.clGetEventInfo(event, what, size, value, size_out);
  if (code != CL_SUCCESS || what != CL_EVENT_COMMAND_EXECUTION_STATUS || !value || !ladder_sink_active())
    return code;
  cl_int status = CL_QUEUED;
  std::memcpy(&status, value, sizeof status);
  if (status == CL_COMPLETE) state().add_learned("clGetEventInfo", event);
  return code;
}

}  // namespace

void wrap_commands(cl_icd_dispatch& table) {
  table.clCreateCommandQueue = create_queue;
  table.clCreateCommandQueueWithProperties = create_queue_with_properties;
  table.clEnqueueNDRangeKernel = launch;
  table.clEnqueueTask = launch_task;
  table.clEnqueueMarker = enqueue_marker;
  table.clEnqueueMarkerWithWaitList = enqueue_marker_list;
  table.clEnqueueBarrier = enqueue_barrier;
  table.clEnqueueBarrierWithWaitList = enqueue_barrier_list;
  table.clEnqueueWaitForEvents = enqueue_wait;
  table.clFinish = finish;
  table.clWaitForEvents = wait_for_events;
  table.clGetEventInfo = event_info;
}

}  // namespace ladder::opencl_layer
