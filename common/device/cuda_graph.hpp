#pragma once
/// @file
/// Owners for CUDA graphs: what cudaStreamEndCapture and cudaGraphInstantiate give.

#include <cuda_runtime.h>

#include <utility>

namespace ladder {

/// Owns a graph: a list of work with its order.
class Graph {
 public:
  /// Takes over what cudaStreamEndCapture or cudaGraphCreate gave.
  explicit Graph(cudaGraph_t graph) : graph_(graph) {}
  ~Graph() {
    if (graph_) cudaGraphDestroy(graph_);
  }
  Graph(Graph&& other) noexcept : graph_(std::exchange(other.graph_, nullptr)) {}
  Graph& operator=(Graph&& other) noexcept {
    std::swap(graph_, other.graph_);
    return *this;
  }

  cudaGraph_t get() const { return graph_; }  ///< the handle

 private:
  cudaGraph_t graph_ = nullptr;
};

/// Owns a graph that is ready to be launched. It does not need the graph that it was made from any more.
class GraphExec {
 public:
  /// Takes over what cudaGraphInstantiate gave.
  explicit GraphExec(cudaGraphExec_t executable) : executable_(executable) {}
  ~GraphExec() {
    if (executable_) cudaGraphExecDestroy(executable_);
  }
  GraphExec(GraphExec&& other) noexcept : executable_(std::exchange(other.executable_, nullptr)) {}
  GraphExec& operator=(GraphExec&& other) noexcept {
    std::swap(executable_, other.executable_);
    return *this;
  }

  cudaGraphExec_t get() const { return executable_; }  ///< the handle

 private:
  cudaGraphExec_t executable_ = nullptr;
};

}  // namespace ladder
