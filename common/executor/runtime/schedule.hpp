#pragma once
/// @file
/// Streams as a graph of operations that wait for each other, and when they run: as late as CUDA allows.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_set>
#include <vector>

#include "common/executor/include/executor/graphs.h"
#include "common/executor/include/executor/streams.h"
#include "common/executor/runtime/observer.hpp"
#include "common/executor/runtime/recorder.hpp"

namespace ladder::executor {

/// Work for a stream.
struct Task {
  const char* call;  ///< "cudaMemcpyAsync"
  Site site;
  std::function<void()> work;               ///< empty: only a place in the order
  std::optional<ladder_event> event;        ///< for the trace
  std::vector<TouchedMemory> touches = {};  ///< for the observer
  bool host_waits = false;                  ///< for the observer
};

/// A queued task.
struct Operation {
  Task task;
  std::vector<std::shared_ptr<Operation>> needs;  ///< what must be done before; empty once done
  TraceIds trace;                                 ///< its own event, or those it stands for
  std::uint64_t id = 0;                           ///< 1, 2, … in the order of queueing
  bool done = false;
  std::uint64_t finished = 0;  ///< trace_clock()
};
using OperationPointer = std::shared_ptr<Operation>;

/// A handle of a node; its graph owns it.
struct GraphNode {
  Graph* graph;
  int number;
};

/// A graph that is captured or built node by node.
struct Graph {
  struct Node {
    Task task;
    std::vector<int> needs;
    cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
    std::shared_ptr<const Graph> child = {};  ///< runs in the node's place
  };
  /// Handles that were handed out, by number of the node. A copy of a graph has none yet.
  struct Handles {
    std::vector<std::unique_ptr<GraphNode>> all;
    Handles() = default;
    Handles(const Handles&) {}
    Handles& operator=(const Handles&) { return *this; }
  };
  std::vector<Node> nodes;
  Handles handles = {};

  cudaGraphNode_t handle(int number);
  /// Numbers of the nodes in an order in which they may run; empty when they form a cycle.
  std::vector<int> order() const;
};
struct GraphExecutable {
  Graph graph;
  std::vector<int> order;
};

/// A capture that is going on.
struct Capture {
  Graph graph;
  Stream* origin;
  cudaStreamCaptureMode mode;
  bool broken = false;
};

struct Stream {
  unsigned flags = 0;
  int priority = 0;
  std::uint64_t number = 0;  ///< for the trace; 0: the default stream
  OperationPointer last;
  std::shared_ptr<Capture> capture;
  std::vector<int> captured_last;  ///< nodes that the next one waits for
  bool blocking() const { return !(flags & cudaStreamNonBlocking); }
};

struct Event {
  unsigned flags = 0;
  OperationPointer recorded;
  std::shared_ptr<Capture> capture;
  std::vector<int> captured;
};

/// Runs operations when the host waits for them, when 1024 are queued, or by itself after a millisecond
/// without a new one. One operation runs at a time; what must wait for nothing may still run in any order,
/// and the order is unkind.
class Schedule {
 public:
  static Schedule& get();

  Stream* create_stream(unsigned flags, int priority);
  cudaError_t destroy_stream(Stream* stream, Site site);
  Event* create_event(unsigned flags);
  cudaError_t destroy_event(Event* event);
  bool known(const Stream* stream) const;
  bool known(const Event* event) const;

  /// Appends the task to the stream, or to the graph that it captures.
  /// @param[out] operation the queued operation; null when captured
  cudaError_t submit(Stream* stream, Task task, OperationPointer* operation = nullptr);
  cudaError_t record_event(Event* event, Stream* stream, Site site);
  cudaError_t wait_event(Stream* stream, Event* event, Site site);
  cudaError_t launch_graph(const GraphExecutable& executable, Stream* stream, Site site);

  cudaError_t begin_capture(Stream* stream, cudaStreamCaptureMode mode, Site site);
  cudaError_t end_capture(Stream* stream, Graph** graph, Site site);
  bool capturing(const Stream* stream) const;
  /// Fails a call that may not be made while a stream captures.
  cudaError_t refuse_while_capturing(const char* call, Site site);

  /// Runs the operation and what it needs. @param wait how the trace calls this wait of the host; null: it is
  /// none
  void finish(const OperationPointer& operation, const char* wait);
  cudaError_t finish_stream(Stream* stream, Site site);
  cudaError_t finish_event(Event* event, Site site);
  /// Runs everything. Streams that were created last go first: a program that relies on another order fails.
  void finish_all(const char* wait);
  /// Whether all is done; if not, it starts now while the caller goes on.
  bool poll_stream(Stream* stream);
  bool poll_event(Event* event);
  cudaError_t elapsed(float* milliseconds, Event* begin, Event* end, Site site);
  /// Records a call of the host that launches, in the order of the host's program.
  void record_launch(const std::string& name);
  void record_memory(ladder_event_kind kind, std::uint64_t bytes);

  /// Whether the caller is a function that a stream runs on the host: it may not call CUDA.
  static bool in_host_function();
  void run_host_function(const std::function<void()>& function);

 private:
  using Lock = std::unique_lock<std::mutex>;

  Schedule();
  Stream& stream_of(Stream* stream) { return stream ? *stream : default_stream_; }
  std::vector<OperationPointer> predecessors(const Stream& stream) const;
  OperationPointer queue(Stream& stream, Task task, const std::vector<OperationPointer>& before);
  cudaError_t capture_node(Stream& stream, Task task);
  std::vector<OperationPointer> queue_graph(Stream& stream, const Graph& graph, const std::vector<int>& order,
                                            const std::vector<OperationPointer>& before);
  bool any_capture(bool global_only) const;
  void after_queueing(Lock& lock);
  void finish(Lock& lock, const std::vector<OperationPointer>& targets);
  void execute(Lock& lock, const OperationPointer& operation);
  std::vector<OperationPointer> everything() const;
  std::vector<OperationPointer> last_of_streams() const;
  /// Records that the host has waited since `begin`. What the thread calls next comes after it: the sink sees
  /// to that.
  void record_wait(const char* name, const std::vector<OperationPointer>& targets, std::uint64_t begin);
  static void notify_waited(const std::vector<OperationPointer>& targets);
  bool poll(const char* call, const OperationPointer& operation);
  void poke();
  void run_starter();

  mutable std::mutex mutex_;
  std::condition_variable changed_, queued_work_;
  Stream default_stream_;
  std::vector<Stream*> streams_;  // in the order of creation
  std::unordered_set<Event*> events_;
  std::deque<OperationPointer> pending_;  // queued and perhaps done
  std::size_t queued_ = 0;                // not done
  std::uint64_t streams_made_ = 0, operations_made_ = 0;
  bool executing_ = false, starter_sleeps_ = true;
  std::chrono::steady_clock::time_point start_at_;
};

/// The call that put the operation there which this thread runs now; an empty one outside of operations.
Site current_operation_site();

}  // namespace ladder::executor
