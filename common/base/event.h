#pragma once
/** @file
 * One record of what a step did to its device, and the sink that all recorders write to.
 *
 * Plain C: the OpenCL layer, the CUPTI injection, the MPI interposer and the executor are separate shared
 * objects (or C++ of other compilers), and all hand their events to the one libladder-sink.so of the process.
 */
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What happened. Copies, fills and kernels are operations of a stream; the others are calls of the host. */
enum ladder_event_kind {
  LADDER_KERNEL = 1, /**< a kernel ran: grid, block */
  LADDER_H2D,        /**< copy to the device: bytes */
  LADDER_D2H,        /**< copy to the host: bytes */
  LADDER_D2D,        /**< copy on the device: bytes */
  LADDER_FILL,       /**< memset, fill buffer: bytes */
  LADDER_LAUNCH,     /**< the host called for a launch: one for a kernel, one for a whole graph */
  LADDER_WAIT,       /**< the host waited for the device */
  LADDER_ALLOC,      /**< device memory allocated: bytes */
  LADDER_FREE,       /**< device memory freed: bytes */
  LADDER_HOST,       /**< work on the host that belongs to the chain (scope object of common/device) */
  LADDER_SEND,       /**< bytes sent to another rank: bytes, peer */
  LADDER_RECEIVE     /**< bytes received: bytes, peer */
};

enum ladder_event_flag {
  LADDER_PAGEABLE = 1, /**< the host side of the copy is pageable memory */
  LADDER_BLOCKING = 2, /**< the call returned only when the operation was done */
  LADDER_WHOLE = 4     /**< mapped, managed or host-pointer memory, counted as a whole */
};

/** A run that reaches one of these is cut there by the sink and refused by the judge: it can't be counted. */
enum ladder_trace_limit { LADDER_MOST_EVENTS = 2000000, LADDER_MOST_DEPENDENCIES = 8000000 };

/** One event. begin and end in nanoseconds of one clock a recorder; 0 when not measured. */
struct ladder_event {
  uint32_t kind;
  uint32_t flags;
  uint64_t id; /**< given by the sink, from 1 */
  uint64_t bytes;
  int32_t device;
  int32_t peer;    /**< rank of the other side; -1: none */
  uint64_t stream; /**< any stable number; 0: default stream or host */
  uint64_t begin, end;
  uint32_t grid[3], block[3]; /**< block 1 x 1 x 1 when the runtime chose it: then grid counts work-items */
  uint32_t shared_bytes, registers;
  char name[64];
};

/** A recorder says that it is there.
 * @param flush waits for the device and records what is late; may be null. Called at a start, where what is
 * late belongs to no run and is dropped, and at a drain. */
void ladder_sink_attach(const char* recorder, void (*flush)(void));
/** The recorders that attached, separated by commas; "" if none. */
const char* ladder_sink_recorders(void);
/** Recording starts (or goes on) only between start and drain. */
void ladder_sink_start(void);
/** 1 while recording. */
int ladder_sink_active(void);
/** Adds an event.
 * @param deps ids of the events that had to end before this one may begin, recorded explicitly: the one
 * before it in an in-order stream, waited events. The sink adds the order of the calling thread: an event
 * comes after the last LADDER_WAIT and LADDER_HOST of its thread (not in a flush, which runs after the fact).
 * @return its id; 0 if not recording. */
uint64_t ladder_sink_record(const struct ladder_event* event, const uint64_t* deps, size_t dep_count);
/** Sets the times of an event that has been recorded. */
void ladder_sink_times(uint64_t id, uint64_t begin, uint64_t end);
/** Flushes the recorders, stops recording and hands the events over, deps as pairs (event, dependency). Call
 * it directly after the step, before the harness itself waits or copies. The memory belongs to the sink and
 * lives until the next start. */
void ladder_sink_drain(const struct ladder_event** events, size_t* count, const uint64_t (**deps)[2],
                       size_t* dep_count);

#ifdef __cplusplus
}
#endif
