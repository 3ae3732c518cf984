#pragma once
/// @file
/// Launching kernels: what the rewriter makes of kernel<<<...>>>(...), and the calls that take a kernel.

#include <memory>
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

/// A launch by <<<>>> hands its error to nobody: cudaGetLastError() has it.
void leave_error(cudaError_t error);

template <class Function>
struct FunctionBody final : KernelBody {
  Function function;
  explicit FunctionBody(Function f) : function(std::move(f)) {}
  void run() const override { function(); }
};

/// Whether a class is handed to functions in registers or on the stack, not by its address (the Itanium C++
/// ABI).
template <class T>
constexpr bool passed_by_value =
    std::is_trivially_destructible_v<T> &&
    (std::is_trivially_copy_constructible_v<T> || !std::is_copy_constructible_v<T>)&&(
        std::is_trivially_move_constructible_v<T> ||
        !std::is_move_constructible_v<T>)&&(std::is_copy_constructible_v<T> ||
                                            std::is_move_constructible_v<T>);

template <class T, class = void>
constexpr bool has_allocator = false;
template <class T>
constexpr bool has_allocator<T, std::void_t<typename T::allocator_type>> = true;

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

/// The bytes of an argument. A device gets them as they are: no thread copies or destroys an object of a
/// class.
template <class T, bool = passed_by_value<T>&& std::is_copy_constructible_v<T>>
struct Bits {
  using Passed = std::remove_cv_t<T>;
  explicit Bits(const void* from) : value(*static_cast<const Passed*>(from)) {}
  const Bits& own() const { return *this; }
  const Passed& passed() const { return value; }
  Passed value;
};
template <class T>
struct Bits<T, false> {
  using Value = std::remove_cv_t<T>;
  /// A reference: as a caller hands over an object that it will destroy.
  using Passed = std::conditional_t<passed_by_value<T>, Value, Value&>;
  explicit Bits(const void* from) { __builtin_memcpy(bytes, from, sizeof(T)); }
  Bits own() const { return *this; }
  Passed&& passed() { return static_cast<Passed&&>(*reinterpret_cast<Value*>(bytes)); }
  alignas(T) unsigned char bytes[sizeof(T)];
};

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
    Bits<T> bits;
  };
  template <class>
  struct CopiesOf;
  template <size_t... I>
  struct CopiesOf<std::index_sequence<I...>> : Copy<I, Parameters>... {
    explicit CopiesOf([[maybe_unused]] void** arguments)
        : Copy<I, Parameters>{Bits<Parameters>(arguments[I])}... {}
    void call(void (*kernel)(Parameters...)) const {
      const auto function =
          reinterpret_cast<void (*)(typename Bits<Parameters>::Passed...)>(reinterpret_cast<void*>(kernel));
      function(static_cast<const Copy<I, Parameters>&>(*this).bits.own().passed()...);
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

// ---------------------------------------------------------------- kernel<<<...>>>(...)

/// A kernel whose parameters are known, and how it is to be launched.
template <class... Parameters>
struct Launcher {
  const char* name;
  Site site;
  void (*kernel)(Parameters...);
  Configuration configuration;

  /// The parameters are those of the kernel: the host converts the arguments to them, and destroys them.
  void launch(Parameters... parameters) const {
    static_assert((!std::is_reference_v<Parameters> && ...),
                  "a kernel's parameter is a reference: the device would get an address of the host");
    static_assert((!has_allocator<Parameters> && ...),
                  "a kernel's arguments are copied byte by byte to the device: pass a pointer and a size, no "
                  "container");
    void* addresses[] = {const_cast<void*>(static_cast<const volatile void*>(std::addressof(parameters)))...,
                         nullptr};
    leave_error(launch_packed(kernel, name, site, configuration, addresses, false));
  }
  void operator()(Parameters... parameters) const { launch(std::forward<Parameters>(parameters)...); }
};

template <class T>
struct Type {
  using type = T;
};

/// A kernel of which only the arguments can tell which one it is: an overloaded name, or a template.
/// @param exact  from the types of parameters to the kernel that has exactly these
/// @param call   calls the kernel
template <class Exact, class Call>
struct Chooser {
  const char* name;
  Site site;
  Exact exact;
  Call call;
  Configuration configuration;

  template <class... Arguments>
  void launch(Arguments&&... arguments) const {
    if constexpr (std::is_invocable_v<Exact, Type<std::decay_t<Arguments>>...>)
      Launcher<std::decay_t<Arguments>...>{name, site, exact(Type<std::decay_t<Arguments>>()...),
                                           configuration}
          .launch(std::forward<Arguments>(arguments)...);
    else
      launch_copies(std::forward<Arguments>(arguments)...);
  }
  template <class... Arguments>
  void operator()(Arguments&&... arguments) const {
    launch(std::forward<Arguments>(arguments)...);
  }

 private:
  template <class... Arguments>
  void launch_copies(Arguments... arguments) const {
    static_assert((std::is_trivially_destructible_v<Arguments> && ...),
                  "a kernel's arguments are copied byte by byte to the device: pass a pointer and a size, no "
                  "container");
    const void* const pointers[] = {data_pointer(arguments)..., nullptr};
    check_pointers(name, site, pointers, sizeof...(arguments));
    auto thread = [call = call, arguments...] { call(arguments...); };
    leave_error(enqueue_kernel(name, site, configuration, new FunctionBody<decltype(thread)>(thread), false));
  }
};

/// A kernel, and whether its name is that of a variable that points to it.
template <class... Parameters>
struct NamedKernel {
  void (*kernel)(Parameters...);
  bool variable;
};
template <class... Parameters>
NamedKernel<Parameters...> named_kernel(void (*kernel)(Parameters...), bool variable) {
  return {kernel, variable};
}
struct Tag {};
/// No function for a name that is overloaded, or a template's. @param tag makes that known late, and no error
template <class T, class Kernel>
auto as_kernel(T /*tag*/, Kernel&& kernel)
    -> decltype(named_kernel(static_cast<std::decay_t<Kernel>>(kernel), true)) {
  return named_kernel(static_cast<std::decay_t<Kernel>>(kernel),
                      !std::is_function_v<std::remove_reference_t<Kernel>>);
}

template <class... Parameters>
Launcher<Parameters...> launcher(Site site, const char* name, void (*kernel)(Parameters...),
                                 const Configuration& configuration) {
  return {name, site, kernel, configuration};
}
template <class Value, class Exact, class Call>
auto launcher(Site site, const char* name, Value value, Exact exact, Call call,
              const Configuration& configuration) {
  if constexpr (std::is_invocable_v<Value, Tag>) {
    const auto named = value(Tag());
    return launcher(site, named.variable ? name_of(reinterpret_cast<const void*>(named.kernel)) : name,
                    named.kernel, configuration);
  } else {
    return Chooser<Exact, Call>{name, site, exact, call, configuration};
  }
}
/// Of an expression that gives a kernel.
template <class... Parameters>
Launcher<Parameters...> launcher(Site site, void (*kernel)(Parameters...),
                                 const Configuration& configuration) {
  return {name_of(reinterpret_cast<const void*>(kernel)), site, kernel, configuration};
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

/// A kernel by its name, for launcher(): how it is printed, the kernel if the name means just one, the one
/// with certain parameters, and its call.
#define LADDER_EXECUTOR_NAMED(...) \
#__VA_ARGS__,                                                                                          \
      [&](auto executor_tag) -> decltype(::ladder::executor::as_kernel(executor_tag, __VA_ARGS__)) {     \
        return ::ladder::executor::as_kernel(executor_tag, __VA_ARGS__);                                 \
      },                                                                                                 \
      [&](auto... executor_types)                                                                        \
          -> decltype(static_cast<void (*)(typename decltype(executor_types)::type...)>(__VA_ARGS__)) {  \
        return __VA_ARGS__;                                                                              \
      },                                                                                                 \
      [&](auto... executor_arguments) { __VA_ARGS__(executor_arguments...); }
/// The same of a name that only its call finds.
#define LADDER_EXECUTOR_CALLED(...) \
#__VA_ARGS__, nullptr, nullptr, [&](auto... executor_arguments) { __VA_ARGS__(executor_arguments...); }

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

// The attributes of streams are the same; they are hints for caches and schedulers, which the executor has
// not.
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

/// The site behind the arguments of a variadic call cannot have a default: it is in the first one.
struct LaunchConfiguration {
  const cudaLaunchConfig_t* value;
  Site from;
  LaunchConfiguration(const cudaLaunchConfig_t* given, LADDER_EXECUTOR_SITE) : value(given), from(site) {}
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
  return ladder::executor::launch_packed(kernel, nullptr, configuration.from,
                                         {c.gridDim, c.blockDim, c.dynamicSmemBytes, c.stream}, addresses,
                                         ladder::executor::is_cooperative(c, configuration.from));
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
