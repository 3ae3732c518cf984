/// @file
/// Graphs: capturing what streams are asked to do, and launching it.

#include <algorithm>
#include <string_view>

#include "common/executor/runtime/report.hpp"
#include "common/executor/runtime/schedule.hpp"

namespace ladder::executor {
namespace {

cudaGraphNodeType type_of(const Task& task) {
  const std::string_view call = task.call;
  if (call == "a kernel launch" || call.starts_with("cublas")) return cudaGraphNodeTypeKernel;
  if (call.starts_with("cudaMemcpy")) return cudaGraphNodeTypeMemcpy;
  if (call.starts_with("cudaMemset")) return cudaGraphNodeTypeMemset;
  if (call == "cudaLaunchHostFunc" || call == "cudaStreamAddCallback") return cudaGraphNodeTypeHost;
  return cudaGraphNodeTypeEmpty;
}

}  // namespace

bool Schedule::any_capture(bool global_only) const {
  return std::ranges::any_of(streams_, [&](const Stream* stream) {
    return stream->capture && (!global_only || stream->capture->mode == cudaStreamCaptureModeGlobal);
  });
}

bool Schedule::capturing(const Stream* stream) const {
  Lock lock(mutex_);
  return stream && stream->capture;
}

cudaError_t Schedule::refuse_while_capturing(const char* call, Site site) {
  {
    Lock lock(mutex_);
    if (!any_capture(true)) return cudaSuccess;
    for (Stream* stream : streams_)
      if (stream->capture) stream->capture->broken = true;
  }
  return fail(cudaErrorStreamCaptureUnsupported, site,
              std::string(call) + " is not allowed while a stream captures a graph");
}

cudaError_t Schedule::begin_capture(Stream* stream, cudaStreamCaptureMode mode, Site site) {
  Lock lock(mutex_);
  if (!stream || stream->capture) {
    lock.unlock();
    return fail(
        stream ? cudaErrorStreamCaptureUnmatched : cudaErrorStreamCaptureUnsupported, site,
        stream ? "the stream is already capturing" : "the default stream cannot capture: create a stream");
  }
  stream->capture = std::make_shared<Capture>(Capture{{}, stream, mode});
  stream->captured_last.clear();
  return cudaSuccess;
}

cudaError_t Schedule::capture_node(Stream& stream, Task task) {
  Graph& graph = stream.capture->graph;
  const cudaGraphNodeType type = type_of(task);
  graph.nodes.push_back({std::move(task), stream.captured_last, type});
  stream.captured_last = {static_cast<int>(graph.nodes.size()) - 1};
  return cudaSuccess;
}

cudaError_t Schedule::end_capture(Stream* stream, Graph** graph, Site site) {
  *graph = nullptr;
  Lock lock(mutex_);
  if (!stream || !stream->capture || stream->capture->origin != stream) {
    lock.unlock();
    return fail(cudaErrorStreamCaptureUnmatched, site, "this stream did not begin a capture");
  }
  const std::shared_ptr<Capture> capture = stream->capture;
  // Everything must lead to the last nodes of this stream: walk back from them.
  std::vector<bool> joined(capture->graph.nodes.size(), false);
  for (const int node : stream->captured_last) joined[static_cast<std::size_t>(node)] = true;
  for (std::size_t node = joined.size(); node-- > 0;)
    if (joined[node])
      for (const int need : capture->graph.nodes[node].needs) joined[static_cast<std::size_t>(need)] = true;
  const bool unjoined = std::ranges::find(joined, false) != joined.end();
  for (Stream* other : streams_)
    if (other->capture == capture) other->capture = nullptr;
  for (Event* event : events_)
    if (event->capture == capture) event->capture = nullptr;
  lock.unlock();
  if (capture->broken) return remember(cudaErrorStreamCaptureInvalidated);
  if (unjoined)
    return fail(cudaErrorStreamCaptureUnjoined, site,
                "another stream joined the capture and was not joined back: record an event in it and let "
                "this stream "
                "wait for it");
  *graph = new Graph(std::move(capture->graph));
  return cudaSuccess;
}

/// @return the graph's operations; its first ones wait for `before`
std::vector<OperationPointer> Schedule::queue_graph(Stream& stream, const Graph& graph,
                                                    const std::vector<int>& order,
                                                    const std::vector<OperationPointer>& before) {
  std::vector<OperationPointer> operations(graph.nodes.size());
  for (const int number : order) {
    const Graph::Node& node = graph.nodes[static_cast<std::size_t>(number)];
    std::vector<OperationPointer> needs;
    for (const int need : node.needs) needs.push_back(operations[static_cast<std::size_t>(need)]);
    if (node.needs.empty()) needs = before;
    if (node.child) needs = queue_graph(stream, *node.child, node.child->order(), needs);
    operations[static_cast<std::size_t>(number)] = queue(stream, node.task, needs);
  }
  return operations;
}

cudaError_t Schedule::launch_graph(const GraphExecutable& executable, Stream* handle, Site site) {
  Lock lock(mutex_);
  Stream& stream = stream_of(handle);
  if (stream.capture) {
    lock.unlock();
    return fail(cudaErrorNotSupported, site, "a graph that is launched while a stream captures another one");
  }
  if (tracing()) record(trace_event(LADDER_LAUNCH, "graph"), {});
  const std::vector<OperationPointer> before = predecessors(stream);
  std::vector<OperationPointer> operations = queue_graph(stream, executable.graph, executable.order, before);
  operations.insert(operations.end(), before.begin(), before.end());
  stream.last = queue(stream, {"cudaGraphLaunch", site, {}, {}}, operations);
  after_queueing(lock);
  return cudaSuccess;
}

}  // namespace ladder::executor
