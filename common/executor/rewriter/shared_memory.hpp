#pragma once
/// @file
/// Declarations of shared memory.

#include "common/executor/rewriter/source.hpp"

namespace ladder::rewriter {

/// `extern __shared__ T x[];`, also with the words in the other order, that begins at `at`; any other
/// `extern` stays.
/// @param in_function else the name becomes an object that stands for the memory
/// @throws RewriteError for several arrays in a line, or rows outside a function
void rewrite_dynamic_shared(Source& source, int at, bool in_function);

/// The declaration whose `__shared__` is at `at`.
/// @throws RewriteError for one with a value, as nvcc does
void rewrite_static_shared(Source& source, int at);

}  // namespace ladder::rewriter
