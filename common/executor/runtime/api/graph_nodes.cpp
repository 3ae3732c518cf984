#include "common/executor/runtime/api/graph_nodes.hpp"

#include "common/executor/runtime/api/call.hpp"

namespace ladder::executor {

cudaError_t kernel_node(const cudaKernelNodeParams* kernel, Site site, Task& task) {
  if (!kernel) return remember(cudaErrorInvalidValue);
  return kernel_task(*kernel, site, task);
}

cudaError_t copy_node(const char* call, const cudaMemcpy3DParms* copy, Site site, Task& task) {
  if (!copy) return remember(cudaErrorInvalidValue);
  CopyTask made;
  if (const cudaError_t error = box_copy_task(call, *copy, false, site, made)) return error;
  task = std::move(made.task);
  return cudaSuccess;
}

cudaError_t line_copy_node(const char* call, void* to, const void* from, std::size_t bytes,
                           cudaMemcpyKind kind, Site site, Task& task) {
  CopyTask made;
  const Area line = Area::line(bytes);
  if (const cudaError_t error = copy_task(call, to, line, from, line, kind, false, site, made)) return error;
  task = std::move(made.task);
  return cudaSuccess;
}

cudaError_t fill_node(const char* call, const cudaMemsetParams* p, Site site, Task& task) {
  if (!p || (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4))
    return fail(cudaErrorInvalidValue, site, std::string(call) + ": elementSize is 1, 2 or 4");
  const std::size_t width = p->width * p->elementSize;
  const Area area = Area::rows(p->height > 1 ? p->pitch : width, width, p->height);
  return fill_task(call, p->dst, area, p->value, p->elementSize, site, task);
}

cudaError_t host_node(const cudaHostNodeParams* p, Site site, Task& task) {
  if (!p || !p->fn) return remember(cudaErrorInvalidValue);
  const cudaHostNodeParams host = *p;
  task = {"a host node",
          site,
          [host] { Schedule::get().run_host_function([&] { host.fn(host.userData); }); },
          {}};
  return cudaSuccess;
}

}  // namespace ladder::executor
