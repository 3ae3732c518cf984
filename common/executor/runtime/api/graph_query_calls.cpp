/// @file
/// The API of graphs: queries of their contents.

#include "common/executor/include/executor/graphs.h"

#include "common/executor/runtime/api/call.hpp"

namespace ladder::executor {
namespace {

/// Writes handles, or only their number.
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
