/// @file
/// Graphs built node by node, changed and launched again; kernels by their address. Also for nvcc.

#include <cstdio>
#include <vector>

#include "common/device/cuda.hpp"

namespace {

using ladder::check;

constexpr int count = 256;

void report(const char* name, bool right) {
  std::printf("%s %s\n", right ? "OK" : "WRONG", name);
}

__global__ void scale(const int* from, int* to, int factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = from[i] * factor;
}

__global__ void add(int* to, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] += value;
}

cudaMemcpy3DParms line(void* to, const void* from, cudaMemcpyKind kind) {
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(const_cast<void*>(from), count * sizeof(int), count, 1);
  copy.dstPtr = make_cudaPitchedPtr(to, count * sizeof(int), count, 1);
  copy.extent = make_cudaExtent(count * sizeof(int), 1, 1);
  copy.kind = kind;
  return copy;
}

/// copy in -> scale -> add -> copy out, and a host node behind it. Later nodes are added first.
void built_by_hand() {
  std::vector<int> from(count), to(count, -1);
  for (int i = 0; i < count; ++i) from[i] = i;
  ladder::DeviceBuffer<int> a(count), b(count);
  cudaGraph_t graph;
  check(cudaGraphCreate(&graph, 0));

  int *pa = a.get(), *pb = b.get(), factor = 3, value = 5;
  void* scale_arguments[] = {&pa, &pb, &factor};
  cudaKernelNodeParams scaling = {};
  scaling.func = (void*)scale;
  scaling.gridDim = dim3(4);
  scaling.blockDim = dim3(64);
  scaling.kernelParams = scale_arguments;
  void* add_arguments[] = {&pb, &value};
  cudaKernelNodeParams adding = scaling;
  adding.func = reinterpret_cast<void*>(add);
  adding.kernelParams = add_arguments;
  int calls = 0;
  cudaHostNodeParams counting = {};
  counting.fn = [](void* data) { ++*static_cast<int*>(data); };
  counting.userData = &calls;

  cudaGraphNode_t in, scaled, added, out, host, cleared;
  const cudaMemcpy3DParms copy_in = line(pa, from.data(), cudaMemcpyHostToDevice);
  check(cudaGraphAddKernelNode(&scaled, graph, nullptr, 0, &scaling));
  check(cudaGraphAddMemcpyNode(&in, graph, nullptr, 0, &copy_in));
  check(cudaGraphAddKernelNode(&added, graph, &scaled, 1, &adding));
  check(cudaGraphAddMemcpyNode1D(&out, graph, &added, 1, to.data(), pb, count * sizeof(int),
                                 cudaMemcpyDeviceToHost));
  check(cudaGraphAddHostNode(&host, graph, &out, 1, &counting));
  cudaMemsetParams clearing = {};
  clearing.dst = pb;
  clearing.elementSize = 4;
  clearing.width = count;
  clearing.height = 1;
  clearing.value = 7;
  check(cudaGraphAddMemsetNode(&cleared, graph, nullptr, 0, &clearing));
  const cudaGraphNode_t before[] = {in, cleared}, after[] = {scaled, scaled};
#if CUDART_VERSION >= 13000
  check(cudaGraphAddDependencies(graph, before, after, nullptr, 2));
#else
  check(cudaGraphAddDependencies(graph, before, after, 2));
#endif
  std::size_t nodes = 0, roots = 0;
  check(cudaGraphGetNodes(graph, nullptr, &nodes));
  check(cudaGraphGetRootNodes(graph, nullptr, &roots));
  cudaGraphNodeType type;
  check(cudaGraphNodeGetType(host, &type));
  report("nodes", nodes == 6 && roots == 2 && type == cudaGraphNodeTypeHost);

  cudaGraphExec_t executable;
  check(cudaGraphInstantiate(&executable, graph, 0));
  ladder::Stream stream;
  const auto launch_and_check = [&](int f, int v) {
    check(cudaGraphLaunch(executable, stream.get()));
    check(cudaStreamSynchronize(stream.get()));
    bool right = true;
    for (int i = 0; i < count; ++i) right = right && to[i] == i * f + v;
    return right;
  };
  report("built", launch_and_check(3, 5) && launch_and_check(3, 5) && calls == 2);

  factor = 10;  // the node has its own copy of the arguments
  report("arguments are copied", launch_and_check(3, 5));
  check(cudaGraphExecKernelNodeSetParams(executable, scaled, &scaling));
  report("changed", launch_and_check(10, 5));
  value = 6;
  check(cudaGraphKernelNodeSetParams(added, &adding));
  cudaGraphExecUpdateResultInfo info;
  check(cudaGraphExecUpdate(executable, graph, &info));
  // What the executable alone was given is gone: the graph still multiplies by 3.
  report("updated", info.result == cudaGraphExecUpdateSuccess && launch_and_check(3, 6));

  cudaGraphNode_t last;
  check(cudaGraphAddEmptyNode(&last, graph, &host, 1));
  report("another shape", cudaGraphExecUpdate(executable, graph, &info) == cudaErrorGraphExecUpdateFailure);
  static_cast<void>(cudaGetLastError());
  check(cudaGraphExecDestroy(executable));
  check(cudaGraphDestroy(graph));
}

void child_graph() {
  ladder::DeviceBuffer<int> x(count);
  check(cudaMemset(x.get(), 0, x.bytes()));
  ladder::Stream stream;
  cudaGraph_t child, parent;
  check(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeGlobal));
  add<<<4, 64, 0, stream.get()>>>(x.get(), 1);
  add<<<4, 64, 0, stream.get()>>>(x.get(), 2);
  check(cudaStreamEndCapture(stream.get(), &child));
  check(cudaGraphCreate(&parent, 0));
  cudaGraphNode_t first, second;
  check(cudaGraphAddChildGraphNode(&first, parent, nullptr, 0, child));
  check(cudaGraphAddChildGraphNode(&second, parent, &first, 1, child));
  cudaGraphExec_t executable;
  check(cudaGraphInstantiate(&executable, parent, 0));
  check(cudaGraphLaunch(executable, stream.get()));
  check(cudaStreamSynchronize(stream.get()));
  int value = 0;
  check(cudaMemcpy(&value, x.get() + 17, sizeof value, cudaMemcpyDeviceToHost));
  report("child graph", value == 6);
  check(cudaGraphExecDestroy(executable));
  check(cudaGraphDestroy(parent));
  check(cudaGraphDestroy(child));
}

void by_address() {
  ladder::DeviceBuffer<int> x(count);
  check(cudaMemset(x.get(), 0, x.bytes()));
  void* kernel = (void*)add;
  int *px = x.get(), four = 4;
  void* arguments[] = {&px, &four};
  check(cudaLaunchKernel(kernel, dim3(4), dim3(64), arguments, 0, nullptr));
  cudaLaunchConfig_t configuration = {};
  configuration.gridDim = dim3(4);
  configuration.blockDim = dim3(64);
  check(cudaLaunchKernelEx(&configuration, add, px, 5));
  int value = 0;
  check(cudaMemcpy(&value, px + 100, sizeof value, cudaMemcpyDeviceToHost));
  report("by address", value == 9);
}

}  // namespace

int main() {
  built_by_hand();
  child_graph();
  by_address();
}
