/// @file
/// The API of graphs: changing the nodes of one that was built, or instantiated, already.

#include "common/executor/include/executor/graphs.h"

#include "common/executor/runtime/api/call.hpp"
#include "common/executor/runtime/api/graph_nodes.hpp"

namespace ladder::executor {
namespace {

Graph* graph_of(cudaGraphNode_t node) {
  return node ? node->graph : nullptr;
}

Graph* graph_of(cudaGraphExec_t executable) {
  return executable ? &executable->graph : nullptr;
}

/// Puts another task into a node. @param graph the node's own, or what was instantiated from it
/// @param make writes the task: error make(site, task)
template <class Make>
cudaError_t change(const char* call, Graph* graph, cudaGraphNode_t node, cudaGraphNodeType type, Site site,
                   Make make) {
  if (!graph || !node) return remember(cudaErrorInvalidValue);
  Task task;
  if (const cudaError_t error = make(resolve(site), task)) return error;
  const auto number = static_cast<std::size_t>(node->number);
  if (number >= graph->nodes.size() || graph->nodes[number].type != type)
    return fail(cudaErrorInvalidValue, site, std::string(call) + ": the node is of another type");
  graph->nodes[number].task = std::move(task);
  return cudaSuccess;
}

cudaError_t change_kernel(const char* call, Graph* graph, cudaGraphNode_t node,
                          const cudaKernelNodeParams* kernel, Site site) {
  return change(call, graph, node, cudaGraphNodeTypeKernel, site,
                [&](Site at, Task& task) { return kernel_node(kernel, at, task); });
}

cudaError_t change_copy(const char* call, Graph* graph, cudaGraphNode_t node, const cudaMemcpy3DParms* copy,
                        Site site) {
  return change(call, graph, node, cudaGraphNodeTypeMemcpy, site,
                [&](Site at, Task& task) { return copy_node(call, copy, at, task); });
}

cudaError_t change_line_copy(const char* call, Graph* graph, cudaGraphNode_t node, void* to, const void* from,
                             std::size_t bytes, cudaMemcpyKind kind, Site site) {
  return change(call, graph, node, cudaGraphNodeTypeMemcpy, site,
                [&](Site at, Task& task) { return line_copy_node(call, to, from, bytes, kind, at, task); });
}

}  // namespace
}  // namespace ladder::executor

using namespace ladder::executor;

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* kernel,
                                         Site site) {
  return change_kernel("cudaGraphKernelNodeSetParams", graph_of(node), node, kernel, site);
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* kernel, Site site) {
  return change_kernel("cudaGraphExecKernelNodeSetParams", graph_of(executable), node, kernel, site);
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* copy, Site site) {
  return change_copy("cudaGraphMemcpyNodeSetParams", graph_of(node), node, copy, site);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* copy, Site site) {
  return change_copy("cudaGraphExecMemcpyNodeSetParams", graph_of(executable), node, copy, site);
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from, size_t bytes,
                                           cudaMemcpyKind kind, Site site) {
  return change_line_copy("cudaGraphMemcpyNodeSetParams1D", graph_of(node), node, to, from, bytes, kind,
                          site);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node, void* to,
                                               const void* from, size_t bytes, cudaMemcpyKind kind,
                                               Site site) {
  return change_line_copy("cudaGraphExecMemcpyNodeSetParams1D", graph_of(executable), node, to, from, bytes,
                          kind, site);
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemsetParams* fill, Site site) {
  const char* call = "cudaGraphExecMemsetNodeSetParams";
  return change(call, graph_of(executable), node, cudaGraphNodeTypeMemset, site,
                [&](Site at, Task& task) { return fill_node(call, fill, at, task); });
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                           const cudaHostNodeParams* host, Site site) {
  return change("cudaGraphExecHostNodeSetParams", graph_of(executable), node, cudaGraphNodeTypeHost, site,
                [&](Site at, Task& task) { return host_node(host, at, task); });
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* result, Site) {
  if (!executable || !graph || !result) return remember(cudaErrorInvalidValue);
  *result = {cudaGraphExecUpdateSuccess, nullptr, nullptr};
  std::vector<Graph::Node>& old = executable->graph.nodes;
  bool same = old.size() == graph->nodes.size();
  for (std::size_t i = 0; same && i < old.size(); ++i)
    same = old[i].needs == graph->nodes[i].needs && old[i].type == graph->nodes[i].type;
  if (!same) {
    result->result = cudaGraphExecUpdateErrorTopologyChanged;
    return remember(cudaErrorGraphExecUpdateFailure);
  }
  executable->graph = *graph;
  return cudaSuccess;
}
