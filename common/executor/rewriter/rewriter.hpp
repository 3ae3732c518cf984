#pragma once
/// @file
/// Turns CUDA C++ into C++20 for the executor. Token based and small on purpose: everything else is the
/// header shim's.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/executor/rewriter/source.hpp"

namespace ladder::rewriter {

/// Finds a header that a source includes by "name" and that has to be rewritten too.
/// @return the path to include in its place; nothing when the header can stay as it is.
using HeaderResolver = std::function<std::optional<std::string>(const std::string& name)>;

/// What the head of a kernel says.
struct KernelHead {
  std::vector<bool> pointers;  ///< for each parameter whether it is a pointer
  bool defaults = false;       ///< whether a parameter has a default argument
  std::string scope;           ///< the namespace that it is declared in; empty: none with a name
};

/// What a word in front of a function says of it.
struct Word {
  bool global = false, device = false, host = false;
  bool takes_arguments = false;  ///< KERNEL(name)(...)
};

/// What is known of the kernels of a program, also from the headers that were rewritten before.
struct Kernels {
  std::map<std::string, KernelHead> by_name;
  /// __global__ and its like, and the macros that stand for them.
  std::map<std::string, Word> words = {{"__global__", {true, false, false, false}},
                                       {"__device__", {false, true, false, false}},
                                       {"__host__", {false, false, true, false}}};
  /// Macros that stand for <<<grid, block>>>; whether they take arguments.
  std::map<std::string, bool> configurations;
  /// Macros that say __launch_bounds__: its arguments, or "" for those of the macro.
  std::map<std::string, std::string> bounds{};
};

/// Rewrites one source or header; every line keeps its number.
///  - `kernel<<<grid, block, shared, stream>>>(arguments)` becomes a call of
///    ladder::executor::launcher(…).launch
///  - `extern __shared__ T x[];` becomes a pointer to (or, outside functions, an object that stands for)
///    dynamic shared memory
///  - in device functions `malloc`, `free` and `new` become those of the device's heap
///  - `(void*)kernel` becomes ladder::executor::kernel_address(kernel)
///  - inline PTX and launches in kernels become calls that do not compile, includes of libraries that the
///    executor has
///    not become \#error lines, `texture<T>` a type that is not there: code behind an \#if that is not taken
/// does no harm
///  - `__noinline__`, `alignas` after `__shared__`, `(void*)kernel` in cudaLaunchKernel become what g++
///    understands
/// @param text the source  @param name its path, for messages and line directives
/// @param kernels those of the headers that were rewritten before; those of this source are added
/// @throws RewriteError "file:line: error: ..." for what the executor cannot do or nvcc would refuse.
std::string rewrite(std::string_view text, const std::string& name, const HeaderResolver& headers = {},
                    Kernels* kernels = nullptr);

}  // namespace ladder::rewriter
