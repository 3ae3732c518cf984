/// @file
/// Putting kernels into streams, and what the device can hold.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>

#include "common/executor/include/executor/functions.h"
#include "common/executor/runtime/api/call.hpp"
#include "common/executor/runtime/api/device_properties.hpp"
#include "common/executor/runtime/api/tasks.hpp"
#include "common/executor/runtime/memory.hpp"
#include "common/executor/runtime/observer.hpp"
#include "common/executor/runtime/symbols.hpp"
#include "common/executor/runtime/thread_pool.hpp"

namespace ladder::executor {
namespace {

/// Dynamic shared memory that cudaFuncSetAttribute allowed. A launch with <<<>>> does not always show which
/// function it calls, so one permission counts for all of them.
std::atomic<std::size_t> allowed_dynamic{model::shared_per_block};

std::string text_of(dim3 size) {
  return to_string(static_cast<uint3>(size));
}

/// Why a launch cannot be; empty when it can.
std::string problem_with(const Configuration& c, const void* function, cudaError_t& code) {
  const std::uint64_t threads = std::uint64_t{c.block.x} * c.block.y * c.block.z;
  code = cudaErrorInvalidConfiguration;
  if (threads == 0) return "a block of " + text_of(c.block) + " threads is empty";
  if (c.block.x > 1024 || c.block.y > 1024 || c.block.z > 64 || threads > max_threads)
    return "a block of " + text_of(c.block) + " = " + std::to_string(threads) +
           " threads is too large: at most 1024, and 64 in z";
  if (c.grid.x == 0 || c.grid.y == 0 || c.grid.z == 0)
    return "a grid of " + text_of(c.grid) + " blocks is empty";
  if (c.grid.x > 2147483647u || c.grid.y > 65535 || c.grid.z > 65535)
    return "a grid of " + text_of(c.grid) + " blocks is too large: at most 2147483647 in x, 65535 in y and z";
  code = cudaErrorInvalidValue;
  if (const unsigned bound = launch_bound(function); bound > 0 && threads > bound)
    return "a block of " + text_of(c.block) + " = " + std::to_string(threads) +
           " threads is too large for a kernel with __launch_bounds__(" + std::to_string(bound) + ")";
  if (c.shared_bytes > allowed_dynamic)
    return std::to_string(c.shared_bytes) +
           " bytes of dynamic shared memory: more than 49152 need cudaFuncSetAttribute";
  return {};
}

std::string problem_with_cooperative(const Configuration& c, const void* function, cudaError_t& code) {
  int blocks = 0;
  resident_blocks(&blocks, function, static_cast<int>(c.block.x * c.block.y * c.block.z), c.shared_bytes);
  const std::uint64_t max =
      static_cast<std::uint64_t>(blocks) * static_cast<unsigned>(visible_multiprocessors().count);
  const std::uint64_t requested = std::uint64_t{c.grid.x} * c.grid.y * c.grid.z;
  code = cudaErrorCooperativeLaunchTooLarge;
  if (requested <= max) return {};
  return "a cooperative launch of " + std::to_string(requested) + " blocks: this device holds " +
         std::to_string(max) + " of them at once (" + std::to_string(visible_multiprocessors().count) +
         " multiprocessors of " + std::to_string(blocks) + ")";
}

/// nvcc refuses such a kernel when it compiles it.
void check_static_shared() {
  static std::once_flag once;
  std::call_once(once, [] {
    if (const std::string problem = kernel_with_too_much_shared(model::shared_per_block); !problem.empty())
      fatal({}, problem);
  });
}

ladder_event kernel_event(const Kernel& kernel) {
  ladder_event event = trace_event(LADDER_KERNEL, kernel.name);
  const dim3 grid = kernel.grid, block = kernel.block;
  const std::uint32_t sizes[2][3] = {{grid.x, grid.y, grid.z}, {block.x, block.y, block.z}};
  for (int i = 0; i < 3; ++i) {
    event.grid[i] = sizes[0][i];
    event.block[i] = sizes[1][i];
  }
  event.shared_bytes = static_cast<std::uint32_t>(kernel.shared_bytes);
  return event;
}

}  // namespace

/// Of the launch that this thread of the host is about to make.
static thread_local std::vector<const void*> launch_pointers;

void check_pointers(const char* name, Site site, const void* const* pointers, int count) {
  if (observer) launch_pointers.assign(pointers, pointers + count);
  const DeviceMemory& memory = DeviceMemory::get();
  for (int i = 0; i < count; ++i) {
    const void* pointer = pointers[i];
    if (!pointer || memory.contains(pointer) || memory.find_host(pointer) || memory.find_symbol(pointer))
      continue;
    if (const auto freed = memory.find_freed_host(pointer))
      fatal(resolve(site), "argument " + std::to_string(i + 1) + " of kernel " + (name ? name : "launch") +
                               " points to " + freed->name() + " that was freed at " +
                               to_string(freed->freed));
    fatal(resolve(site), "argument " + std::to_string(i + 1) + " of kernel " + (name ? name : "launch") +
                             " is a pointer to host memory (" + to_string(pointer) +
                             "), which a GPU cannot reach: pass device memory from cudaMalloc");
  }
}

namespace {

/// A kernel as a task, when the device can run it.
cudaError_t make_kernel(const std::string& name, Site site, const Configuration& c,
                        std::unique_ptr<const KernelBody> body, bool cooperative, const void* function,
                        Task& task) {
  cudaError_t code = cudaSuccess;
  std::string problem = problem_with(c, function, code);
  if (problem.empty() && cooperative) problem = problem_with_cooperative(c, function, code);
  if (!problem.empty()) return fail(code, site, "kernel " + name + " cannot be launched: " + problem);
  check_static_shared();
  auto kernel = std::make_shared<Kernel>(
      Kernel{name, site, c.grid, c.block, c.shared_bytes, std::move(body), cooperative, {}});
  kernel->pointers.swap(launch_pointers);
  task = {"a kernel launch", site, [kernel] { run_grid(*kernel); }, kernel_event(*kernel)};
  return cudaSuccess;
}

}  // namespace

cudaError_t enqueue_kernel(const char* called, Site where, const Configuration& c, const KernelBody* owned,
                           bool cooperative, const void* function) {
  std::unique_ptr<const KernelBody> body(owned);
  const Site site = resolve(where);
  const std::string name = called ? called : kernel_name(function);
  if (in_kernel()) fatal(site, "kernel " + name + " is launched by a kernel: not supported by the executor");
  if (const cudaError_t error = begin_call("a kernel launch", c.stream, site)) return error;
  Task task;
  if (const cudaError_t error = make_kernel(name, site, c, std::move(body), cooperative, function, task))
    return error;
  if (!Schedule::get().capturing(c.stream)) Schedule::get().record_launch(name);
  return Schedule::get().submit(c.stream, std::move(task));
}

void leave_error(cudaError_t error) {
  if (error != cudaSuccess && observer) observer->launch_left_error();
}

// ---------------------------------------------------------------- kernels by their address

namespace {

struct KnownKernels {
  std::mutex mutex;
  std::map<const void*, KnownKernel> by_address;
};
KnownKernels& known_kernels() {
  static auto* const all = new KnownKernels;
  return *all;
}

KnownKernel known(const void* function, Site site) {
  KnownKernels& all = known_kernels();
  std::lock_guard lock(all.mutex);
  const auto found = all.by_address.find(function);
  if (found == all.by_address.end())
    fatal(resolve(site), "the executor does not know the kernel at " + to_string(function) + " (" +
                             kernel_name(function) +
                             "): write (void*)kernel in the file that defines it, or pass the kernel itself");
  return found->second;
}

}  // namespace

void know_kernel(const void* function, const KnownKernel& kernel) {
  KnownKernels& all = known_kernels();
  std::lock_guard lock(all.mutex);
  all.by_address[function] = kernel;
}

cudaError_t launch_known(const void* function, Site site, const Configuration& configuration,
                         void** arguments, bool cooperative) {
  const KnownKernel kernel = known(function, site);
  kernel.check(nullptr, site, arguments);
  return enqueue_kernel(nullptr, site, configuration, kernel.body(function, arguments), cooperative,
                        function);
}

cudaError_t kernel_task(const cudaKernelNodeParams& p, Site site, Task& task) {
  const KnownKernel kernel = known(p.func, site);
  if (p.extra)
    return fail(cudaErrorNotSupported, site, "a kernel node: the executor takes kernelParams only");
  kernel.check(nullptr, site, p.kernelParams);
  std::unique_ptr<const KernelBody> body(kernel.body(p.func, p.kernelParams));
  return make_kernel(kernel_name(p.func), site, {p.gridDim, p.blockDim, p.sharedMemBytes, nullptr},
                     std::move(body), false, p.func, task);
}

bool is_cooperative(const cudaLaunchConfig_t& configuration, Site site) {
  bool cooperative = false;
  for (unsigned i = 0; i < configuration.numAttrs; ++i) {
    const cudaLaunchAttribute& attribute = configuration.attrs[i];
    const auto& cluster = attribute.val.clusterDim;
    if (attribute.id == cudaLaunchAttributeCooperative) cooperative = attribute.val.cooperative != 0;
    if (attribute.id == cudaLaunchAttributeClusterDimension && cluster.x * cluster.y * cluster.z > 1)
      fatal(resolve(site), "a launch in clusters of blocks: the executor has no clusters");
  }
  return cooperative;
}

cudaError_t set_function_attribute(const void*, cudaFuncAttribute attribute, int value, Site site) {
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
  if (value < 0 || static_cast<std::size_t>(value) > visible_shared_per_block())
    return fail(cudaErrorInvalidValue, site,
                std::to_string(value) + " bytes of dynamic shared memory: at most " +
                    std::to_string(visible_shared_per_block()));
  if (static_cast<std::size_t>(value) > allowed_dynamic) allowed_dynamic = static_cast<std::size_t>(value);
  return cudaSuccess;
}

/// A GPU's limit also depends on the registers, which the executor does not have.
static int max_threads_of(const void* function) {
  const unsigned bound = launch_bound(function);
  return static_cast<int>(bound > 0 ? std::min(bound, max_threads) : max_threads);
}

cudaError_t function_attributes(cudaFuncAttributes* attributes, const void* function) {
  *attributes = {};
  attributes->sharedSizeBytes = static_shared_bytes(function);
  attributes->maxThreadsPerBlock = max_threads_of(function);
  attributes->ptxVersion = attributes->binaryVersion = 90;
  attributes->maxDynamicSharedSizeBytes = static_cast<int>(allowed_dynamic);
  return cudaSuccess;
}

cudaError_t resident_blocks(int* blocks, const void* function, int block_size, std::size_t dynamic_shared) {
  if (block_size <= 0 || block_size > static_cast<int>(max_threads)) {
    *blocks = 0;
    return remember(cudaErrorInvalidValue);
  }
  if (block_size > max_threads_of(function)) {
    *blocks = 0;
    return cudaSuccess;
  }
  const int warps = (block_size + 31) / 32;
  const std::size_t shared =
      static_shared_bytes(function) + dynamic_shared + model::reserved_shared_per_block;
  const auto by_shared = static_cast<int>(visible_multiprocessors().shared / shared);
  *blocks =
      std::min({visible_multiprocessors().blocks, visible_multiprocessors().threads / 32 / warps, by_shared});
  return cudaSuccess;
}

/// The block size with the most resident threads; of equal ones the largest, as CUDA does.
cudaError_t best_block_size(int* grid, int* block, const void* function,
                            std::size_t (*bytes_of)(const void*, int), const void* argument, int limit) {
  const int max = max_threads_of(function), largest = limit > 0 ? std::min(limit, max) : max;
  int best = 0;
  for (int size = (largest + 31) / 32 * 32; size >= 32; size -= 32) {
    int blocks = 0;
    const int threads = std::min(size, largest);
    resident_blocks(&blocks, function, threads, bytes_of(argument, threads));
    if (blocks * threads <= best) continue;
    best = blocks * threads;
    *block = threads;
    *grid = blocks * visible_multiprocessors().count;
  }
  return best > 0 ? cudaSuccess : remember(cudaErrorInvalidValue);
}

cudaError_t available_dynamic_shared(std::size_t* bytes, const void* function, int blocks) {
  if (blocks <= 0 || blocks > visible_multiprocessors().blocks) return remember(cudaErrorInvalidValue);
  const std::size_t share = visible_multiprocessors().shared / static_cast<std::size_t>(blocks);
  const std::size_t fixed = static_shared_bytes(function) + model::reserved_shared_per_block;
  *bytes = share > fixed ? std::min(share - fixed, model::shared_per_block_optin) : 0;
  return cudaSuccess;
}

cudaError_t function_name(const char** name, const void* function) {
  static std::mutex mutex;
  static std::set<std::string> names;  // they live as long as the process
  std::lock_guard lock(mutex);
  *name = names.insert(kernel_name(function)).first->c_str();
  return cudaSuccess;
}

}  // namespace ladder::executor
