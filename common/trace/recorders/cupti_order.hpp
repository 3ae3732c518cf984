#pragma once
/// @file
/// What CUPTI reports comes late and in any order. This part puts it into the order of the program and finds
/// out what waited for what. Knows no CUPTI, so that it is tested without a GPU.

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "common/base/event.h"

namespace ladder::cuda_recorder {

/// A stream or an event of CUDA: its context and its number in it.
using Handle = std::pair<std::uint32_t, std::uint32_t>;

/// One record of CUPTI, without its format.
struct Activity {
  enum class Kind {
    operation,     ///< kernel, copy or fill: event
    event_record,  ///< cudaEventRecord: stream, cuda_event
    stream_wait,   ///< cudaStreamWaitEvent: stream, cuda_event
    wait_stream,   ///< host waits: cudaStreamSynchronize
    wait_event,    ///< cudaEventSynchronize
    wait_all,      ///< cudaDeviceSynchronize
    memory,        ///< allocation or release: event
  };
  Kind kind = Kind::operation;
  std::uint32_t correlation = 0;  ///< number of the call that asked for it: grows with the program's calls
  Handle stream{}, cuda_event{};
  std::uint32_t graph = 0;  ///< not 0: a node of a graph launch
  bool waits = false;       ///< the copy's call returned only after the copy
  ladder_event event{};     ///< operation, memory: all of it. Waits: begin and end.
};

/// A call of the program, from the runtime's API records.
struct ApiCall {
  std::uint64_t begin = 0, end = 0;
  std::uint32_t thread = 0;
};

/// How streams are to one another; lives as long as the process.
struct Streams {
  std::set<Handle> null;  ///< the legacy default streams: wait for all blocking ones and these for them
  std::set<Handle> non_blocking;  ///< made with cudaStreamNonBlocking
};

/// Records the activities of one run through ladder_sink_record, in the order of the program's calls.
void record_in_order(std::vector<Activity> activities, const std::map<std::uint32_t, ApiCall>& calls,
                     const Streams& streams);

}  // namespace ladder::cuda_recorder
