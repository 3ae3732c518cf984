#pragma once
/// @file
/// The kernels of a source, and what replaces their names outside of launches.

#include <set>
#include <string>
#include <string_view>

#include "common/executor/rewriter/rewriter.hpp"

namespace ladder::rewriter {

/// Names of the __global__ functions that no other function of the source shares.
/// @param all gets the head of every kernel
std::set<std::string> find_kernels(const Source& source, Kernels& all);

/// Whether a word in front of a name begins a statement, and is no type or scope of it.
bool is_statement_word(std::string_view word);

/// nvcc refuses `kernel(arguments);`. Here it would compile, and run as one thread of nowhere.
/// @param at the kernel's name  @throws RewriteError for such a call
void refuse_plain_call(const Source& source, int at);

/// cudaLaunchKernel((void*)kernel, ...): the template of the shim must see the kernel's own type.
/// @param at the call's name
void drop_pointer_cast(Source& source, int at);

/// `(void*)kernel` and `reinterpret_cast<void*>(kernel)`: the name in the cast whose `void` is at `at`; else
/// nothing.
std::string_view cast_name(const Source& source, int at);

/// Such a cast of a kernel. The shim must see the kernel's own type, to launch it later by its address.
void rewrite_kernel_address(Source& source, int at);

}  // namespace ladder::rewriter
