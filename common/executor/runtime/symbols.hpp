#pragma once
/// @file
/// What the program's own symbol table tells about kernels and their shared variables.

#include <cstddef>
#include <string>

namespace ladder::executor {

/// Fills the static shared memory of the calling thread of the machine: a kernel that reads before it writes gets NaN.
void poison_static_shared();

/// Bytes of static shared memory of the kernel at that address; 0 when the program has no symbol table.
std::size_t static_shared_bytes(const void* kernel);

/// "space::kernel" of the function at that address; "kernel" when it is not known.
std::string kernel_name(const void* kernel);

/// The first kernel with more static shared memory than a block has; empty when there is none.
std::string kernel_with_too_much_shared(std::size_t limit);

/// Where the program was loaded: what addr2line wants is an address less this.
std::size_t program_base();

}  // namespace ladder::executor
