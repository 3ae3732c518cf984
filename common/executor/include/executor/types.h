#pragma once
/// @file
/// Handles and flags of the runtime API, with CUDA's values.

#include <stddef.h>

#include "executor/errors.h"

enum cudaMemcpyKind {
  cudaMemcpyHostToHost = 0,
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3,
  cudaMemcpyDefault = 4,
};

namespace ladder::executor {
struct Stream;
struct Event;
struct Graph;
struct GraphExecutable;
}  // namespace ladder::executor

using cudaStream_t = ladder::executor::Stream*;
using cudaEvent_t = ladder::executor::Event*;
using cudaGraph_t = ladder::executor::Graph*;
using cudaGraphExec_t = ladder::executor::GraphExecutable*;

#define cudaStreamDefault 0x00
#define cudaStreamNonBlocking 0x01
/// The default stream by its names. There is one: per-thread default streams need --default-stream
/// per-thread.
#define cudaStreamLegacy (static_cast<cudaStream_t>(nullptr))
#define cudaEventDefault 0x00
#define cudaEventBlockingSync 0x01
#define cudaEventDisableTiming 0x02
#define cudaEventInterprocess 0x04
#define cudaEventRecordDefault 0x00
#define cudaEventRecordExternal 0x01
#define cudaEventWaitDefault 0x00
#define cudaEventWaitExternal 0x01
#define cudaHostAllocDefault 0x00
#define cudaHostAllocPortable 0x01
#define cudaHostAllocMapped 0x02
#define cudaHostAllocWriteCombined 0x04
#define cudaHostRegisterDefault 0x00
#define cudaHostRegisterPortable 0x01
#define cudaHostRegisterMapped 0x02
#define cudaHostRegisterIoMemory 0x04
#define cudaHostRegisterReadOnly 0x08
#define cudaMemAttachGlobal 0x01
#define cudaMemAttachHost 0x02
#define cudaMemAttachSingle 0x04
#define cudaDeviceScheduleAuto 0x00
#define cudaDeviceScheduleSpin 0x01
#define cudaDeviceScheduleYield 0x02
#define cudaDeviceScheduleBlockingSync 0x04
#define cudaDeviceBlockingSync 0x04
#define cudaDeviceScheduleMask 0x07
#define cudaDeviceMapHost 0x08
#define cudaDeviceLmemResizeToMax 0x10
