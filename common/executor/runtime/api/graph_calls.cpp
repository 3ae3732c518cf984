/// @file
/// The API of graphs: capturing, copying, launching and destroying them.

#include "common/executor/include/executor/graphs.h"

#include "common/executor/runtime/api/call.hpp"

namespace ladder::executor {

cudaGraphNode_t Graph::handle(int number) {
  if (handles.all.size() < nodes.size()) handles.all.resize(nodes.size());
  auto& made = handles.all[static_cast<std::size_t>(number)];
  if (!made) made = std::make_unique<GraphNode>(GraphNode{this, number});
  return made.get();
}

/// Again and again the nodes whose needs have run. Of several the first one: the order of building.
std::vector<int> Graph::order() const {
  std::vector<int> result;
  std::vector<bool> done(nodes.size(), false);
  for (bool found = true; found && result.size() < nodes.size();) {
    found = false;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      bool can_run = !done[i];
      for (const int need : nodes[i].needs) can_run = can_run && done[static_cast<std::size_t>(need)];
      if (!can_run) continue;
      done[i] = found = true;
      result.push_back(static_cast<int>(i));
    }
  }
  if (result.size() < nodes.size()) result.clear();
  return result;
}

}  // namespace ladder::executor

using namespace ladder::executor;

// ---------------------------------------------------------------- capturing

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode, Site site) {
  if (const cudaError_t error = begin_call("cudaStreamBeginCapture", stream, site)) return error;
  return Schedule::get().begin_capture(stream, mode, site);
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph, Site site) {
  if (const cudaError_t error = begin_call("cudaStreamEndCapture", stream, site)) return error;
  return Schedule::get().end_capture(stream, graph, site);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  if (const cudaError_t error = begin_call("cudaStreamIsCapturing", stream, {})) return error;
  *status = Schedule::get().capturing(stream) ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  return cudaSuccess;
}

// ---------------------------------------------------------------- one graph

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned) {
  if (const cudaError_t error = begin_call("cudaGraphCreate", {})) return error;
  if (!graph) return remember(cudaErrorInvalidValue);
  *graph = new Graph;
  return cudaSuccess;
}

cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
  if (!clone || !graph) return remember(cudaErrorInvalidValue);
  *clone = new Graph(*graph);
  return cudaSuccess;
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* found, cudaGraphNode_t node, cudaGraph_t clone) {
  if (!found || !node || !clone || static_cast<std::size_t>(node->number) >= clone->nodes.size())
    return remember(cudaErrorInvalidValue);
  *found = clone->handle(node->number);
  return cudaSuccess;
}

// ---------------------------------------------------------------- running

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long,
                                 Site site) {
  if (const cudaError_t error = begin_call("cudaGraphInstantiate", site)) return error;
  if (!executable || !graph) return remember(cudaErrorInvalidValue);
  std::vector<int> order = graph->order();
  if (order.empty() && !graph->nodes.empty())
    return fail(cudaErrorInvalidValue, site,
                "cudaGraphInstantiate: the dependencies of its nodes form a cycle");
  *executable = new GraphExecutable{*graph, std::move(order)};
  return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream, Site site) {
  if (const cudaError_t error = begin_call("cudaGraphLaunch", stream, site)) return error;
  if (!executable)
    return fail(cudaErrorInvalidValue, site, "cudaGraphLaunch: the graph was not instantiated");
  return Schedule::get().launch_graph(*executable, stream, resolve(site));
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete graph;
  return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  delete executable;  // what was launched from it has its own copies
  return cudaSuccess;
}
