#pragma once
/// @file
/// Streams, events and host functions. What is queued really waits: a missing synchronisation shows.

#include "executor/site.h"
#include "executor/types.h"

using cudaHostFn_t = void (*)(void* data);
using cudaStreamCallback_t = void (*)(cudaStream_t stream, cudaError_t status, void* data);

cudaError_t cudaStreamCreate(cudaStream_t* stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority);
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest);
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority);
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags);
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id);
cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device);
cudaError_t cudaStreamDestroy(cudaStream_t stream, LADDER_EXECUTOR_SITE);
cudaError_t cudaStreamSynchronize(cudaStream_t stream, LADDER_EXECUTOR_SITE);
cudaError_t cudaStreamQuery(cudaStream_t stream, LADDER_EXECUTOR_SITE);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags = 0,
                                LADDER_EXECUTOR_SITE);
cudaError_t cudaDeviceSynchronize(LADDER_EXECUTOR_SITE);

/// Managed memory is the host's here: which stream it belongs to changes nothing.
template <class T>
cudaError_t cudaStreamAttachMemAsync(cudaStream_t, T*, size_t = 0, unsigned = cudaMemAttachSingle) {
  return cudaSuccess;
}

// Attributes are hints for caches and schedulers, which the executor has not.
enum cudaAccessProperty {
  cudaAccessPropertyNormal = 0,
  cudaAccessPropertyStreaming = 1,
  cudaAccessPropertyPersisting = 2,
};
struct cudaAccessPolicyWindow {
  void* base_ptr;
  size_t num_bytes;
  float hitRatio;
  cudaAccessProperty hitProp, missProp;
};

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data, LADDER_EXECUTOR_SITE);
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                  unsigned flags, LADDER_EXECUTOR_SITE);

cudaError_t cudaEventCreate(cudaEvent_t* event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags);
inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned flags) {
  return cudaEventCreateWithFlags(event, flags);
}
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr, LADDER_EXECUTOR_SITE);
inline cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned,
                                            LADDER_EXECUTOR_SITE) {
  return cudaEventRecord(event, stream, site);
}
cudaError_t cudaEventSynchronize(cudaEvent_t event, LADDER_EXECUTOR_SITE);
cudaError_t cudaEventQuery(cudaEvent_t event, LADDER_EXECUTOR_SITE);
/// Time between two events on this processor: never to be shown as a GPU's.
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end,
                                 LADDER_EXECUTOR_SITE);

namespace ladder::executor {
/// The calling thread's own default stream.
cudaStream_t per_thread_stream();
}  // namespace ladder::executor
#define cudaStreamPerThread (ladder::executor::per_thread_stream())
