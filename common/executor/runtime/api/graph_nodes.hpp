#pragma once
/// @file
/// What the nodes of a graph do, as tasks made from the parameters of the API.

#include "common/executor/runtime/api/tasks.hpp"

namespace ladder::executor {

/// The task that a node of each kind is. `call`: the API's, for messages. Null parameters are
/// cudaErrorInvalidValue.
cudaError_t kernel_node(const cudaKernelNodeParams* kernel, Site site, Task& task);
cudaError_t copy_node(const char* call, const cudaMemcpy3DParms* copy, Site site, Task& task);
cudaError_t line_copy_node(const char* call, void* to, const void* from, std::size_t bytes,
                           cudaMemcpyKind kind, Site site, Task& task);
cudaError_t fill_node(const char* call, const cudaMemsetParams* fill, Site site, Task& task);
cudaError_t host_node(const cudaHostNodeParams* host, Site site, Task& task);

}  // namespace ladder::executor
