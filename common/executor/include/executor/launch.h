#pragma once
/// @file
/// Launching kernels: what the rewriter makes of kernel<<<...>>>(...), and the calls that take a kernel.

#include <type_traits>
#include <utility>

#include "executor/site.h"
#include "executor/streams.h"
#include "executor/types.h"
#include "executor/vectors.h"

namespace ladder::executor {

/// The four parts between <<< and >>>.
struct Configuration {
  dim3 grid, block;
  size_t shared_bytes;
  cudaStream_t stream;
};

inline Configuration configure(dim3 grid, dim3 block, size_t shared_bytes = 0,
                               cudaStream_t stream = nullptr) {
  return {grid, block, shared_bytes, stream};
}

/// A kernel with its arguments: run() does the work of one thread.
struct KernelBody {
  virtual ~KernelBody() = default;
  virtual void run() const = 0;
};

/// Puts a kernel into its stream. Owns `body` from here on.
/// @param name null: found from the address of the function
/// @param function address of the kernel where it is known, for its static shared memory; else null
cudaError_t enqueue_kernel(const char* name, Site site, const Configuration& configuration,
                           const KernelBody* body, bool cooperative, const void* function = nullptr);

template <class Function>
struct FunctionBody final : KernelBody {
  Function function;
  explicit FunctionBody(Function f) : function(std::move(f)) {}
  void run() const override { function(); }
};

template <class... Arguments>
constexpr bool plain_data = (std::is_trivially_destructible_v<Arguments> && ...);

/// Ends the program when a pointer leads to memory of the host that a device cannot reach.
void check_pointers(const char* name, Site site, const void* const* pointers, int count);

/// The address that an argument hands to a kernel; null when it is no pointer to data.
template <class T>
const void* data_pointer(const T& argument) {
  if constexpr (std::is_pointer_v<T> && !std::is_function_v<std::remove_pointer_t<T>>)
    return const_cast<const void*>(static_cast<const volatile void*>(argument));
  else
    return nullptr;
}

/// The name of a kernel that a variable points to. @return text that stays
const char* name_of(const void* kernel);

/// kernel<<<configuration>>>(arguments): the arguments are evaluated now and copied for every thread.
template <class Call, class... Arguments>
void launch(const char* name, Site site, Call call, const Configuration& configuration,
            Arguments... arguments) {
  static_assert(
      plain_data<Arguments...>,
      "a kernel's arguments are copied byte by byte to the device: pass a pointer and a size, no container");
  const void* const pointers[] = {data_pointer(arguments)..., nullptr};
  check_pointers(name, site, pointers, sizeof...(arguments));
  auto thread = [=] { call(arguments...); };
  static_cast<void>(
      enqueue_kernel(name, site, configuration, new FunctionBody<decltype(thread)>(thread), false));
}

/// A kernel and its arguments, read from cudaLaunchKernel's array of pointers.
template <class... Parameters>
struct PackedCall {
  template <size_t... I>
  static const KernelBody* body(void (*kernel)(Parameters...), void** arguments, std::index_sequence<I...>) {
    auto thread = [kernel, copies = Copies<I...>(arguments)] { copies.call(kernel); };
    return new FunctionBody<decltype(thread)>(thread);
  }
  template <size_t... I>
  static void check(const char* name, Site site, [[maybe_unused]] void** arguments,
                    std::index_sequence<I...>) {
    const void* const pointers[] = {
        data_pointer(*static_cast<std::remove_cv_t<Parameters>*>(arguments[I]))..., nullptr};
    check_pointers(name, site, pointers, sizeof...(Parameters));
  }

 private:
  template <size_t I, class T>
  struct Copy {
    std::remove_cv_t<T> value;
  };
  template <class>
  struct CopiesOf;
  template <size_t... I>
  struct CopiesOf<std::index_sequence<I...>> : Copy<I, Parameters>... {
    explicit CopiesOf([[maybe_unused]] void** arguments)
        : Copy<I, Parameters>{*static_cast<std::remove_cv_t<Parameters>*>(arguments[I])}... {}
    void call(void (*kernel)(Parameters...)) const {
      kernel(static_cast<const Copy<I, Parameters>&>(*this).value...);
    }
  };
  template <size_t... I>
  using Copies = CopiesOf<std::index_sequence<I...>>;
};

template <class... Parameters>
cudaError_t launch_packed(void (*kernel)(Parameters...), const char* name, Site site,
                          const Configuration& configuration, void** arguments, bool cooperative) {
  const auto indices = std::index_sequence_for<Parameters...>();
  PackedCall<Parameters...>::check(name, site, arguments, indices);
  return enqueue_kernel(name, site, configuration,
                        PackedCall<Parameters...>::body(kernel, arguments, indices), cooperative,
                        reinterpret_cast<const void*>(kernel));
}

/// How to launch a kernel of which only the address is known.
struct KnownKernel {
  const KernelBody* (*body)(const void* function, void** arguments);
  void (*check)(const char* name, Site site, void** arguments);
};
void know_kernel(const void* function, const KnownKernel& kernel);
/// Launches a kernel by its address. An address that kernel_address() was not asked for is a fatal error.
cudaError_t launch_known(const void* function, Site site, const Configuration& configuration,
                         void** arguments, bool cooperative);

/// What `(void*)kernel` becomes: the address, after which the kernel can be launched by it.
template <class... Parameters>
void* kernel_address(void (*kernel)(Parameters...)) {
  const auto body = [](const void* function, void** arguments) {
    return PackedCall<Parameters...>::body(
        reinterpret_cast<void (*)(Parameters...)>(const_cast<void*>(function)), arguments,
        std::index_sequence_for<Parameters...>());
  };
  const auto check = [](const char* name, Site site, void** arguments) {
    PackedCall<Parameters...>::check(name, site, arguments, std::index_sequence_for<Parameters...>());
  };
  know_kernel(reinterpret_cast<const void*>(kernel), {body, check});
  return reinterpret_cast<void*>(kernel);
}

}  // namespace ladder::executor

template <class... Parameters>
cudaError_t cudaLaunchKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block, void** arguments,
                             size_t shared_bytes = 0, cudaStream_t stream = nullptr, LADDER_EXECUTOR_SITE) {
  return ladder::executor::launch_packed(kernel, nullptr, site, {grid, block, shared_bytes, stream},
                                         arguments, false);
}

/// All blocks are on the device at once, so that grid.sync() can wait for all of them.
template <class... Parameters>
cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block,
                                        void** arguments, size_t shared_bytes = 0,
                                        cudaStream_t stream = nullptr, LADDER_EXECUTOR_SITE) {
  return ladder::executor::launch_packed(kernel, nullptr, site, {grid, block, shared_bytes, stream},
                                         arguments, true);
}

inline cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                    size_t shared_bytes = 0, cudaStream_t stream = nullptr,
                                    LADDER_EXECUTOR_SITE) {
  return ladder::executor::launch_known(kernel, site, {grid, block, shared_bytes, stream}, arguments, false);
}
inline cudaError_t cudaLaunchCooperativeKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                               size_t shared_bytes = 0, cudaStream_t stream = nullptr,
                                               LADDER_EXECUTOR_SITE) {
  return ladder::executor::launch_known(kernel, site, {grid, block, shared_bytes, stream}, arguments, true);
}

// ---------------------------------------------------------------- launches with attributes

enum cudaLaunchAttributeID {
  cudaLaunchAttributeIgnore = 0,
  cudaLaunchAttributeAccessPolicyWindow = 1,
  cudaLaunchAttributeCooperative = 2,
  cudaLaunchAttributeSynchronizationPolicy = 3,
  cudaLaunchAttributeClusterDimension = 4,
  cudaLaunchAttributeProgrammaticStreamSerialization = 6,
  cudaLaunchAttributePriority = 8,
};
enum cudaSynchronizationPolicy {
  cudaSyncPolicyAuto = 1,
  cudaSyncPolicySpin = 2,
  cudaSyncPolicyYield = 3,
  cudaSyncPolicyBlockingSync = 4,
};
union cudaLaunchAttributeValue {
  char pad[64];
  cudaAccessPolicyWindow accessPolicyWindow;
  int cooperative;
  cudaSynchronizationPolicy syncPolicy;
  struct {
    unsigned x, y, z;
  } clusterDim;
  int programmaticStreamSerializationAllowed;
  int priority;
};
struct cudaLaunchAttribute {
  cudaLaunchAttributeID id;
  cudaLaunchAttributeValue val;
};
struct cudaLaunchConfig_t {
  dim3 gridDim, blockDim;
  size_t dynamicSmemBytes;
  cudaStream_t stream;
  cudaLaunchAttribute* attrs;
  unsigned numAttrs;
};

// The attributes of streams are the same; they are hints for caches and schedulers, which the executor has not.
using cudaStreamAttrID = cudaLaunchAttributeID;
using cudaStreamAttrValue = cudaLaunchAttributeValue;
#define cudaStreamAttributeAccessPolicyWindow cudaLaunchAttributeAccessPolicyWindow
#define cudaStreamAttributeSynchronizationPolicy cudaLaunchAttributeSynchronizationPolicy
#define cudaStreamAttributePriority cudaLaunchAttributePriority
inline cudaError_t cudaStreamSetAttribute(cudaStream_t, cudaStreamAttrID, const cudaStreamAttrValue*) {
  return cudaSuccess;
}
inline cudaError_t cudaStreamGetAttribute(cudaStream_t, cudaStreamAttrID, cudaStreamAttrValue* value) {
  *value = {};
  return cudaSuccess;
}

namespace ladder::executor {

/// Whether the launch is cooperative. A cluster of more than one block is a fatal error.
bool is_cooperative(const cudaLaunchConfig_t& configuration, Site site);

/// The site behind the arguments of a variadic call cannot have a default: it stands in the first one.
struct LaunchConfiguration {
  const cudaLaunchConfig_t* value;
  Site site;
  LaunchConfiguration(const cudaLaunchConfig_t* value, LADDER_EXECUTOR_SITE) : value(value), site(site) {}
};

template <class T>
struct Unchanged {
  using type = T;
};

}  // namespace ladder::executor

template <class... Parameters>
cudaError_t cudaLaunchKernelEx(ladder::executor::LaunchConfiguration configuration,
                               void (*kernel)(Parameters...),
                               typename ladder::executor::Unchanged<Parameters>::type... arguments) {
  const cudaLaunchConfig_t& c = *configuration.value;
  void* addresses[] = {const_cast<void*>(static_cast<const void*>(&arguments))..., nullptr};
  return ladder::executor::launch_packed(kernel, nullptr, configuration.site,
                                         {c.gridDim, c.blockDim, c.dynamicSmemBytes, c.stream}, addresses,
                                         ladder::executor::is_cooperative(c, configuration.site));
}
inline cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* c, const void* kernel, void** arguments,
                                       LADDER_EXECUTOR_SITE) {
  return ladder::executor::launch_known(kernel, site,
                                        {c->gridDim, c->blockDim, c->dynamicSmemBytes, c->stream}, arguments,
                                        ladder::executor::is_cooperative(*c, site));
}

// A kernel that may begin before the one in front of it has ended: here it never does.
inline void cudaGridDependencySynchronize() {}
inline void cudaTriggerProgrammaticLaunchCompletion() {}
