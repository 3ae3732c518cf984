#pragma once
/// @file
/// Owners for CUDA graphs: what cudaStreamEndCapture and cudaGraphInstantiate give.

#include <cuda_runtime.h>

#include "common/device/handle.hpp"

namespace ladder {

/// Owns a graph: a list of work with its order.
struct Graph : Handle<cudaGraph_t, cudaGraphDestroy> {
  /// Takes over what cudaStreamEndCapture or cudaGraphCreate gave.
  explicit Graph(cudaGraph_t graph) : Handle(graph) {}
};

/// Owns a graph that is ready to be launched. It does not need the graph that it was made from any more.
struct GraphExec : Handle<cudaGraphExec_t, cudaGraphExecDestroy> {
  /// Takes over what cudaGraphInstantiate gave.
  explicit GraphExec(cudaGraphExec_t executable) : Handle(executable) {}
};

}  // namespace ladder
