#pragma once
/// @file
/// Graphs: captured from streams, or built node by node. Launching one puts its nodes behind what the stream
/// has.

#include "executor/launch.h"
#include "executor/pitched_memory.h"
#include "executor/pools.h"
#include "executor/streams.h"

enum cudaStreamCaptureMode {
  cudaStreamCaptureModeGlobal = 0,
  cudaStreamCaptureModeThreadLocal = 1,
  cudaStreamCaptureModeRelaxed = 2,
};
enum cudaStreamCaptureStatus {
  cudaStreamCaptureStatusNone = 0,
  cudaStreamCaptureStatusActive = 1,
  cudaStreamCaptureStatusInvalidated = 2,
};
enum cudaGraphNodeType {
  cudaGraphNodeTypeKernel = 0,
  cudaGraphNodeTypeMemcpy = 1,
  cudaGraphNodeTypeMemset = 2,
  cudaGraphNodeTypeHost = 3,
  cudaGraphNodeTypeGraph = 4,
  cudaGraphNodeTypeEmpty = 5,
  cudaGraphNodeTypeMemAlloc = 10,
  cudaGraphNodeTypeMemFree = 11,
};
enum cudaGraphExecUpdateResult {
  cudaGraphExecUpdateSuccess = 0,
  cudaGraphExecUpdateError = 1,
  cudaGraphExecUpdateErrorTopologyChanged = 2,
  cudaGraphExecUpdateErrorNodeTypeChanged = 3,
};
enum cudaGraphInstantiateFlags {
  cudaGraphInstantiateFlagAutoFreeOnLaunch = 1,
  cudaGraphInstantiateFlagUpload = 2,
  cudaGraphInstantiateFlagUseNodePriority = 8,
};
enum cudaGraphDebugDotFlags { cudaGraphDebugDotFlagsVerbose = 1 };

namespace ladder::executor {
struct GraphNode;
}
using cudaGraphNode_t = ladder::executor::GraphNode*;

struct cudaKernelNodeParams {
  void* func;
  dim3 gridDim, blockDim;
  unsigned sharedMemBytes;
  void** kernelParams;
  void** extra;
};
struct cudaMemsetParams {
  void* dst;
  size_t pitch;
  unsigned value, elementSize;
  size_t width, height;
};
struct cudaHostNodeParams {
  cudaHostFn_t fn;
  void* userData;
};
struct cudaMemAllocNodeParams {
  cudaMemPoolProps poolProps;
  const cudaMemAccessDesc* accessDescs;
  size_t accessDescCount, bytesize;
  void* dptr;
};
struct cudaGraphExecUpdateResultInfo {
  cudaGraphExecUpdateResult result;
  cudaGraphNode_t errorNode, errorFromNode;
};
struct cudaGraphEdgeData {
  unsigned char from_port, to_port, type, reserved[5];
};

// ---------------------------------------------------------------- capturing

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode, LADDER_EXECUTOR_SITE);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph, LADDER_EXECUTOR_SITE);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status);
inline cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode*) {
  return cudaSuccess;
}

// ---------------------------------------------------------------- building

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned flags);
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* needs,
                                   size_t count, const cudaKernelNodeParams* kernel, LADDER_EXECUTOR_SITE);
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* needs,
                                   size_t count, const cudaMemcpy3DParms* copy, LADDER_EXECUTOR_SITE);
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* needs,
                                     size_t count, void* to, const void* from, size_t bytes,
                                     cudaMemcpyKind kind, LADDER_EXECUTOR_SITE);
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* needs,
                                   size_t count, const cudaMemsetParams* fill, LADDER_EXECUTOR_SITE);
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* needs,
                                 size_t count, const cudaHostNodeParams* host, LADDER_EXECUTOR_SITE);
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* needs,
                                  size_t count, LADDER_EXECUTOR_SITE);
/// A copy of `child` as one node.
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* needs,
                                       size_t count, cudaGraph_t child, LADDER_EXECUTOR_SITE);
/// Memory that belongs to the graph: its address is in allocation->dptr at once.
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* needs,
                                     size_t count, cudaMemAllocNodeParams* allocation, LADDER_EXECUTOR_SITE);
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* needs,
                                    size_t count, void* pointer, LADDER_EXECUTOR_SITE);
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                     const cudaGraphNode_t* to, size_t count, LADDER_EXECUTOR_SITE);
inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                            const cudaGraphNode_t* to, const cudaGraphEdgeData*, size_t count,
                                            LADDER_EXECUTOR_SITE) {
  return cudaGraphAddDependencies(graph, from, to, count, site);
}

// ---------------------------------------------------------------- looking at one

/// With `nodes` null only the count is returned.
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count);
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count);
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, size_t* count);
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* needs, size_t* count);
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type);
cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph);
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* found, cudaGraphNode_t node, cudaGraph_t clone);
inline cudaError_t cudaGraphDebugDotPrint(cudaGraph_t, const char*, unsigned) {
  return cudaSuccess;
}

// ---------------------------------------------------------------- running

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags = 0,
                                 LADDER_EXECUTOR_SITE);
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, cudaGraphNode_t*,
                                        char*, size_t, LADDER_EXECUTOR_SITE) {
  return cudaGraphInstantiate(executable, graph, 0, site);
}
inline cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                                 unsigned long long flags = 0, LADDER_EXECUTOR_SITE) {
  return cudaGraphInstantiate(executable, graph, flags, site);
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream, LADDER_EXECUTOR_SITE);
inline cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) {
  return cudaSuccess;
}

// Changing one: of a graph for its next instantiation, of an executable for its next launch
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* kernel,
                                         LADDER_EXECUTOR_SITE);
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* kernel, LADDER_EXECUTOR_SITE);
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* copy,
                                         LADDER_EXECUTOR_SITE);
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* copy, LADDER_EXECUTOR_SITE);
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from, size_t bytes,
                                           cudaMemcpyKind kind, LADDER_EXECUTOR_SITE);
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node, void* to,
                                               const void* from, size_t bytes, cudaMemcpyKind kind,
                                               LADDER_EXECUTOR_SITE);
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemsetParams* fill, LADDER_EXECUTOR_SITE);
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                           const cudaHostNodeParams* host, LADDER_EXECUTOR_SITE);
/// Takes over the nodes of `graph`, which must be built the same way.
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* result, LADDER_EXECUTOR_SITE);
inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph, cudaGraphNode_t* node,
                                       cudaGraphExecUpdateResult* result, LADDER_EXECUTOR_SITE) {
  cudaGraphExecUpdateResultInfo info{};
  const cudaError_t error = cudaGraphExecUpdate(executable, graph, &info, site);
  if (node) *node = info.errorNode;
  if (result) *result = info.result;
  return error;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable);
