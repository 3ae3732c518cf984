#pragma once
/// @file
/// What the OpenCL layer remembers between calls: order within queues, events, memory. Not seen outside the
/// layer.

#include <CL/cl_icd.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/base/event.h"

namespace ladder::opencl_layer {

using Ids = std::vector<std::uint64_t>;

/// The functions below the layer.
extern cl_icd_dispatch below;

/// Nanoseconds of the host's steady clock; the device's times are moved to it.
std::uint64_t now();

ladder_event make_event(ladder_event_kind kind, std::uint64_t bytes = 0, std::uint32_t flags = 0,
                        const char* name = "");

/// One enqueue call, as the application made it.
struct Call {
  cl_command_queue queue;
  cl_uint wait_count = 0;
  const cl_event* wait_list = nullptr;
  bool blocking = false;
  std::uint64_t begin = 0;  ///< when it was made
};

/// A buffer, an image or shared virtual memory.
struct Memory {
  std::uint64_t bytes = 0;
  cl_mem_flags flags = 0;
  int device = 0;
  int references = 1;
  bool allocated = false;  ///< in this run: only then its end is an event
  bool read_back = false;  ///< the application has asked for its content
};

/// A region that the application has mapped.
struct Mapping {
  std::uint64_t bytes = 0;
  cl_map_flags flags = 0;
  bool pinned = false;
};

/// All state of the layer. Thread safe.
class State {
 public:
  void add_queue(cl_command_queue queue, cl_device_id device, bool out_of_order);

  /// Records a command that has been enqueued, and the wait when it was blocking. @param own the command's
  /// event; this object becomes its owner.
  void add_command(const Call& call, ladder_event event, cl_event own);
  /// A command that moves nothing: its event stands for what it waits for. @param barrier later commands of
  /// the queue wait for it too. @param all an empty list means everything before.
  void add_marker(const Call& call, bool barrier, bool all, cl_event own);

  /// The host has waited for events, or for all of a queue, since `begin`.
  void add_wait(const char* name, std::uint64_t begin, cl_uint count, const cl_event* events);
  void add_wait(const char* name, std::uint64_t begin, cl_command_queue queue);
  /// The host has asked and learned that an event is complete: as good as a wait, but only the first time.
  void add_learned(const char* name, cl_event event);

  void add_memory(const void* handle, std::uint64_t bytes, cl_mem_flags flags, cl_context context,
                  bool counts);
  void retain_memory(const void* handle);
  void release_memory(const void* handle);
  void mark_read(const void* handle);
  void add_svm(const void* address, std::uint64_t bytes);
  void remove_svm(const void* address);
  bool is_svm(const void* address);

  void add_mapping(const void* handle, const void* address, Mapping mapping);
  Mapping take_mapping(const void* handle, const void* address);
  /// Pageable unless the address lies in a mapped region of a CL_MEM_ALLOC_HOST_PTR buffer.
  std::uint32_t host_flags(const void* address);
  bool is_pinned(const void* handle);

  int device_of(cl_command_queue queue);
  std::string kernel_name(cl_kernel kernel);
  void forget_kernel(cl_kernel kernel);

  /// Gives every recorded command its times and forgets the run.
  void flush();

 private:
  struct Queue {
    std::uint64_t stream = 0;
    int device = 0;
    bool out_of_order = false;
    Ids before;         // what the next command waits for: the last one, or the last barrier's
    Ids since_barrier;  // out of order only
  };
  struct Known {
    Ids ids;
    bool learned = false;
  };
  struct Pending {
    std::uint64_t id;
    cl_event event;
    std::uint64_t called;
    int device;
  };

  Ids dependencies(const Call& call);
  Ids all_of(const Queue& queue) const;
  void record_wait(const char* name, std::uint64_t begin, const Ids& ids);
  void harvest(const Pending& pending);
  int device_index(cl_device_id device);
  int device_index(cl_context context);

  std::mutex mutex_;
  std::vector<cl_device_id> devices_;
  std::map<int, std::int64_t> clock_offset_;  // host clock - device clock; only used in a flush
  std::unordered_map<cl_command_queue, Queue> queues_;
  std::uint64_t streams_ = 0;
  std::unordered_map<cl_event, Known> events_;
  std::vector<Pending> pending_;
  std::vector<cl_event> owned_;  // events of markers
  std::unordered_map<const void*, Memory> memory_;
  std::map<const void*, std::uint64_t> svm_;
  std::map<std::pair<const void*, const void*>, std::vector<Mapping>> mappings_;
  std::unordered_map<cl_kernel, std::string> kernels_;
};

/// Never destroyed: programs release objects in static destructors.
State& state();

}  // namespace ladder::opencl_layer
