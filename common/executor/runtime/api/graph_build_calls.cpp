/// @file
/// The API of graphs: building one node by node.

#include "common/executor/include/executor/graphs.h"

#include "common/executor/runtime/api/call.hpp"
#include "common/executor/runtime/api/graph_nodes.hpp"
#include "common/executor/runtime/memory.hpp"

namespace ladder::executor {
namespace {

/// Adds a node that is made already.
cudaError_t add(const char* call, cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* needs,
                std::size_t count, Graph::Node made, Site site) {
  if (!node || !graph) return fail(cudaErrorInvalidValue, site, std::string(call) + ": no graph");
  for (std::size_t i = 0; i < count; ++i) {
    if (!needs[i] || needs[i]->graph != graph)
      return fail(cudaErrorInvalidValue, site,
                  std::string(call) + ": a dependency is not a node of this graph");
    made.needs.push_back(needs[i]->number);
  }
  graph->nodes.push_back(std::move(made));
  *node = graph->handle(static_cast<int>(graph->nodes.size()) - 1);
  return cudaSuccess;
}

}  // namespace
}  // namespace ladder::executor

using namespace ladder::executor;

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* needs,
                                   size_t count, const cudaKernelNodeParams* kernel, Site where) {
  const Site site = resolve(where);
  Task task;
  if (const cudaError_t error = kernel_node(kernel, site, task)) return error;
  return add("cudaGraphAddKernelNode", node, graph, needs, count,
             {std::move(task), {}, cudaGraphNodeTypeKernel}, site);
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* needs,
                                   size_t count, const cudaMemcpy3DParms* copy, Site where) {
  const Site site = resolve(where);
  Task task;
  if (const cudaError_t error = copy_node("cudaGraphAddMemcpyNode", copy, site, task)) return error;
  return add("cudaGraphAddMemcpyNode", node, graph, needs, count,
             {std::move(task), {}, cudaGraphNodeTypeMemcpy}, site);
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* needs,
                                     size_t count, void* to, const void* from, size_t bytes,
                                     cudaMemcpyKind kind, Site where) {
  const Site site = resolve(where);
  Task task;
  if (const cudaError_t error = line_copy_node("cudaGraphAddMemcpyNode1D", to, from, bytes, kind, site, task))
    return error;
  return add("cudaGraphAddMemcpyNode1D", node, graph, needs, count,
             {std::move(task), {}, cudaGraphNodeTypeMemcpy}, site);
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* needs,
                                   size_t count, const cudaMemsetParams* fill, Site where) {
  const Site site = resolve(where);
  Task task;
  if (const cudaError_t error = fill_node("cudaGraphAddMemsetNode", fill, site, task)) return error;
  return add("cudaGraphAddMemsetNode", node, graph, needs, count,
             {std::move(task), {}, cudaGraphNodeTypeMemset}, site);
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* needs,
                                 size_t count, const cudaHostNodeParams* host, Site where) {
  const Site site = resolve(where);
  Task task;
  if (const cudaError_t error = host_node(host, site, task)) return error;
  return add("cudaGraphAddHostNode", node, graph, needs, count, {std::move(task), {}, cudaGraphNodeTypeHost},
             site);
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* needs,
                                  size_t count, Site where) {
  const Site site = resolve(where);
  return add("cudaGraphAddEmptyNode", node, graph, needs, count,
             {{"an empty node", site, {}, {}}, {}, cudaGraphNodeTypeEmpty}, site);
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* needs,
                                       size_t count, cudaGraph_t child, Site where) {
  const Site site = resolve(where);
  if (!child || (child->order().empty() && !child->nodes.empty()))
    return fail(cudaErrorInvalidValue, site, "cudaGraphAddChildGraphNode: no graph that can run");
  return add(
      "cudaGraphAddChildGraphNode", node, graph, needs, count,
      {{"a child graph", site, {}, {}}, {}, cudaGraphNodeTypeGraph, std::make_shared<const Graph>(*child)},
      site);
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* needs,
                                     size_t count, cudaMemAllocNodeParams* allocation, Site where) {
  const Site site = resolve(where);
  if (!allocation) return remember(cudaErrorInvalidValue);
  allocation->dptr = DeviceMemory::get().allocate(allocation->bytesize, site);
  if (!allocation->dptr) return remember(cudaErrorMemoryAllocation);
  if (observer) observer->device_allocated(allocation->dptr, allocation->bytesize, site);
  return add("cudaGraphAddMemAllocNode", node, graph, needs, count,
             {{"a memory allocation node", site, {}, {}}, {}, cudaGraphNodeTypeMemAlloc}, site);
}

/// The memory stays: the graph may be launched again.
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* needs,
                                    size_t count, void* pointer, Site where) {
  const Site site = resolve(where);
  if (!DeviceMemory::get().contains(pointer))
    return fail(cudaErrorInvalidValue, site, "cudaGraphAddMemFreeNode: this is not device memory");
  return add("cudaGraphAddMemFreeNode", node, graph, needs, count,
             {{"a memory free node", site, {}, {}}, {}, cudaGraphNodeTypeMemFree}, site);
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, size_t count, Site site) {
  for (size_t i = 0; i < count; ++i) {
    if (!from[i] || !to[i] || from[i]->graph != graph || to[i]->graph != graph)
      return fail(cudaErrorInvalidValue, site, "cudaGraphAddDependencies: not two nodes of this graph");
    graph->nodes[static_cast<std::size_t>(to[i]->number)].needs.push_back(from[i]->number);
  }
  return cudaSuccess;
}
