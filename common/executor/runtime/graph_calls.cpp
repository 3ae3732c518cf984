/// @file
/// The API of graphs: capturing, building, changing and launching them.

#include "common/executor/include/executor/graphs.h"

#include "common/executor/runtime/call.hpp"
#include "common/executor/runtime/memory.hpp"
#include "common/executor/runtime/tasks.hpp"

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

namespace {

/// Adds a node that is made already.
cudaError_t add(const char* call, cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* needs,
                std::size_t count, Graph::Node made, Site site) {
  if (!node || !graph) return fail(cudaErrorInvalidValue, site, std::string(call) + ": no graph");
  for (std::size_t i = 0; i < count; ++i) {
    if (!needs[i] || needs[i]->graph != graph)
      return fail(cudaErrorInvalidValue, site, std::string(call) + ": a dependency is no node of this graph");
    made.needs.push_back(needs[i]->number);
  }
  graph->nodes.push_back(std::move(made));
  *node = graph->handle(static_cast<int>(graph->nodes.size()) - 1);
  return cudaSuccess;
}

cudaError_t make_copy(const char* call, const cudaMemcpy3DParms* copy, Site site, Task& task) {
  if (!copy) return remember(cudaErrorInvalidValue);
  CopyTask made;
  if (const cudaError_t error = box_task(call, *copy, false, site, made)) return error;
  task = std::move(made.task);
  return cudaSuccess;
}

cudaError_t make_line_copy(const char* call, void* to, const void* from, std::size_t bytes,
                           cudaMemcpyKind kind, Site site, Task& task) {
  CopyTask made;
  const Area line = Area::line(bytes);
  if (const cudaError_t error = copy_task(call, to, line, from, line, kind, false, site, made)) return error;
  task = std::move(made.task);
  return cudaSuccess;
}

cudaError_t make_fill(const char* call, const cudaMemsetParams* p, Site site, Task& task) {
  if (!p || (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4))
    return fail(cudaErrorInvalidValue, site, std::string(call) + ": elementSize is 1, 2 or 4");
  const std::size_t width = p->width * p->elementSize;
  const Area area = Area::rows(p->height > 1 ? p->pitch : width, width, p->height);
  return fill_task(call, p->dst, area, p->value, p->elementSize, site, task);
}

cudaError_t make_host(const cudaHostNodeParams* p, Site site, Task& task) {
  if (!p || !p->fn) return remember(cudaErrorInvalidValue);
  const cudaHostNodeParams host = *p;
  task = {"a host node",
          site,
          [host] { Schedule::get().run_host_function([&] { host.fn(host.userData); }); },
          {}};
  return cudaSuccess;
}

/// Puts another task into a node. @param nodes of a graph, or of what was instantiated from it
cudaError_t change(const char* call, std::vector<Graph::Node>& nodes, cudaGraphNode_t node,
                   cudaGraphNodeType type, Task task, Site site) {
  const auto number = static_cast<std::size_t>(node->number);
  if (number >= nodes.size() || nodes[number].type != type)
    return fail(cudaErrorInvalidValue, site, std::string(call) + ": the node is of another type");
  nodes[number].task = std::move(task);
  return cudaSuccess;
}

/// Writes handles, or tells only how many there are.
template <class Numbers>
cudaError_t give_nodes(Graph& graph, const Numbers& numbers, cudaGraphNode_t* nodes, std::size_t* count) {
  if (nodes)
    for (std::size_t i = 0; i < std::min(*count, numbers.size()); ++i) nodes[i] = graph.handle(numbers[i]);
  *count = nodes ? std::min(*count, numbers.size()) : numbers.size();
  return cudaSuccess;
}

}  // namespace
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

// ---------------------------------------------------------------- building

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned) {
  if (const cudaError_t error = begin_call("cudaGraphCreate", {})) return error;
  if (!graph) return remember(cudaErrorInvalidValue);
  *graph = new Graph;
  return cudaSuccess;
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* needs,
                                   size_t count, const cudaKernelNodeParams* kernel, Site where) {
  const Site site = resolve(where);
  Task task;
  if (!kernel) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = kernel_task(*kernel, site, task)) return error;
  return add("cudaGraphAddKernelNode", node, graph, needs, count,
             {std::move(task), {}, cudaGraphNodeTypeKernel}, site);
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* needs,
                                   size_t count, const cudaMemcpy3DParms* copy, Site where) {
  const Site site = resolve(where);
  Task task;
  if (const cudaError_t error = make_copy("cudaGraphAddMemcpyNode", copy, site, task)) return error;
  return add("cudaGraphAddMemcpyNode", node, graph, needs, count,
             {std::move(task), {}, cudaGraphNodeTypeMemcpy}, site);
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* needs,
                                     size_t count, void* to, const void* from, size_t bytes,
                                     cudaMemcpyKind kind, Site where) {
  const Site site = resolve(where);
  Task task;
  if (const cudaError_t error = make_line_copy("cudaGraphAddMemcpyNode1D", to, from, bytes, kind, site, task))
    return error;
  return add("cudaGraphAddMemcpyNode1D", node, graph, needs, count,
             {std::move(task), {}, cudaGraphNodeTypeMemcpy}, site);
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* needs,
                                   size_t count, const cudaMemsetParams* fill, Site where) {
  const Site site = resolve(where);
  Task task;
  if (const cudaError_t error = make_fill("cudaGraphAddMemsetNode", fill, site, task)) return error;
  return add("cudaGraphAddMemsetNode", node, graph, needs, count,
             {std::move(task), {}, cudaGraphNodeTypeMemset}, site);
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* needs,
                                 size_t count, const cudaHostNodeParams* host, Site where) {
  const Site site = resolve(where);
  Task task;
  if (const cudaError_t error = make_host(host, site, task)) return error;
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
    return fail(cudaErrorInvalidValue, site, "cudaGraphAddMemFreeNode: this is no memory of the device");
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

// ---------------------------------------------------------------- looking at one

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  if (!graph || !count) return remember(cudaErrorInvalidValue);
  std::vector<int> numbers;
  for (std::size_t i = 0; i < graph->nodes.size(); ++i) numbers.push_back(static_cast<int>(i));
  return give_nodes(*graph, numbers, nodes, count);
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  if (!graph || !count) return remember(cudaErrorInvalidValue);
  std::vector<int> numbers;
  for (std::size_t i = 0; i < graph->nodes.size(); ++i)
    if (graph->nodes[i].needs.empty()) numbers.push_back(static_cast<int>(i));
  return give_nodes(*graph, numbers, nodes, count);
}

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, size_t* count) {
  if (!graph || !count) return remember(cudaErrorInvalidValue);
  std::size_t edges = 0;
  for (std::size_t i = 0; i < graph->nodes.size(); ++i) {
    for (const int need : graph->nodes[i].needs) {
      if (from && to && edges < *count) {
        from[edges] = graph->handle(need);
        to[edges] = graph->handle(static_cast<int>(i));
      }
      ++edges;
    }
  }
  *count = from && to ? std::min(*count, edges) : edges;
  return cudaSuccess;
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* needs, size_t* count) {
  if (!node || !count) return remember(cudaErrorInvalidValue);
  const auto& numbers = node->graph->nodes[static_cast<std::size_t>(node->number)].needs;
  return give_nodes(*node->graph, numbers, needs, count);
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  if (!node || !type) return remember(cudaErrorInvalidValue);
  *type = node->graph->nodes[static_cast<std::size_t>(node->number)].type;
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
                "cudaGraphInstantiate: nodes of the graph wait for each other in a circle");
  *executable = new GraphExecutable{*graph, std::move(order)};
  return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream, Site site) {
  if (const cudaError_t error = begin_call("cudaGraphLaunch", stream, site)) return error;
  if (!executable)
    return fail(cudaErrorInvalidValue, site, "cudaGraphLaunch: the graph was not instantiated");
  return Schedule::get().launch_graph(*executable, stream, resolve(site));
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* kernel,
                                         Site site) {
  Task task;
  if (!node || !kernel) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = kernel_task(*kernel, resolve(site), task)) return error;
  return change("cudaGraphKernelNodeSetParams", node->graph->nodes, node, cudaGraphNodeTypeKernel,
                std::move(task), site);
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* kernel, Site site) {
  Task task;
  if (!executable || !node || !kernel) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = kernel_task(*kernel, resolve(site), task)) return error;
  return change("cudaGraphExecKernelNodeSetParams", executable->graph.nodes, node, cudaGraphNodeTypeKernel,
                std::move(task), site);
}

cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* copy, Site site) {
  Task task;
  if (!node) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = make_copy("cudaGraphMemcpyNodeSetParams", copy, resolve(site), task))
    return error;
  return change("cudaGraphMemcpyNodeSetParams", node->graph->nodes, node, cudaGraphNodeTypeMemcpy,
                std::move(task), site);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* copy, Site site) {
  Task task;
  if (!executable || !node) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = make_copy("cudaGraphExecMemcpyNodeSetParams", copy, resolve(site), task))
    return error;
  return change("cudaGraphExecMemcpyNodeSetParams", executable->graph.nodes, node, cudaGraphNodeTypeMemcpy,
                std::move(task), site);
}

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from, size_t bytes,
                                           cudaMemcpyKind kind, Site site) {
  const char* call = "cudaGraphMemcpyNodeSetParams1D";
  Task task;
  if (!node) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = make_line_copy(call, to, from, bytes, kind, resolve(site), task))
    return error;
  return change(call, node->graph->nodes, node, cudaGraphNodeTypeMemcpy, std::move(task), site);
}

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node, void* to,
                                               const void* from, size_t bytes, cudaMemcpyKind kind,
                                               Site site) {
  const char* call = "cudaGraphExecMemcpyNodeSetParams1D";
  Task task;
  if (!executable || !node) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = make_line_copy(call, to, from, bytes, kind, resolve(site), task))
    return error;
  return change(call, executable->graph.nodes, node, cudaGraphNodeTypeMemcpy, std::move(task), site);
}

cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemsetParams* fill, Site site) {
  Task task;
  if (!executable || !node) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = make_fill("cudaGraphExecMemsetNodeSetParams", fill, resolve(site), task))
    return error;
  return change("cudaGraphExecMemsetNodeSetParams", executable->graph.nodes, node, cudaGraphNodeTypeMemset,
                std::move(task), site);
}

cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                           const cudaHostNodeParams* host, Site site) {
  Task task;
  if (!executable || !node) return remember(cudaErrorInvalidValue);
  if (const cudaError_t error = make_host(host, resolve(site), task)) return error;
  return change("cudaGraphExecHostNodeSetParams", executable->graph.nodes, node, cudaGraphNodeTypeHost,
                std::move(task), site);
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

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete graph;
  return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  delete executable;  // what was launched from it has its own copies
  return cudaSuccess;
}
