#pragma once
/// @file
/// Turns CUDA C++ into C++20 for the executor. Token based and small on purpose: everything else is the header shim's.

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "common/executor/rewriter/source.hpp"

namespace ladder::rewriter {

/// Finds a header that a source includes by "name" and that has to be rewritten too.
/// @return the path to include in its place; nothing when the header can stay as it is.
using HeaderResolver = std::function<std::optional<std::string>(const std::string& name)>;

/// Rewrites one source or header; every line keeps its number.
///  - `kernel<<<grid, block, shared, stream>>>(arguments)` becomes a call of ladder::executor::launch
///  - `extern __shared__ T x[];` becomes a pointer to (or, outside functions, an object that stands for) dynamic shared memory
///  - `__noinline__`, `alignas` after `__shared__`, `(void*)kernel` in cudaLaunchKernel become what g++ understands
/// @param text the source  @param name its path, for messages and line directives
/// @throws RewriteError "file:line: error: ..." for what the executor cannot do or nvcc would refuse.
std::string rewrite(std::string_view text, const std::string& name, const HeaderResolver& headers = {});

}  // namespace ladder::rewriter
