#pragma once
/// @file
/// What the program's own symbol table contains about kernels and their shared variables.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ladder::executor {

/// Fills the static shared memory of the calling thread of the machine. Bytes 0xFF: a kernel that reads
/// before it writes gets NaN.
void poison_static_shared(unsigned char byte);

/// Follows the name of a __shared__ variable in its symbol.
constexpr std::string_view shared_tag = "B11cuda_shared";

/// A static __shared__ variable.
struct SharedVariable {
  std::size_t offset, bytes;  ///< in the program's thread-local memory
  std::string symbol;         ///< mangled
  /// The function that it is local to, as its mangled name says, when that is a kernel; empty for those of
  /// functions that kernels call. Observed programs only: the others do not say what is a kernel.
  std::string kernel = {};
};
/// By offset.
const std::vector<SharedVariable>& shared_variables();
/// What SharedVariable::kernel is for the kernel that has this LADDER_EXECUTOR_KERNEL mark; empty when nobody
/// knows.
const std::string& kernel_of_mark(const void* mark);
/// Whether the address lies after a static __shared__ variable and before its successor in memory.
bool behind_shared_variable(const void* address);

/// Where the calling thread of the machine has them: offset 0.
char* thread_local_memory();
/// Whether the address lies in it.
bool in_thread_local_memory(const void* address);

/// A variable of the program that is no local one: among others __device__ and __constant__ variables.
struct DataVariable {
  std::uintptr_t begin = 0;  ///< less program_base()
  std::size_t bytes = 0;
  std::string symbol;  ///< mangled
};
/// The one that holds the address; null when none does.
const DataVariable* data_variable_at(const void* address);
/// The __constant__ variable that holds the address; null when none does. Observed programs only: others do
/// not mark them.
const DataVariable* constant_variable_at(const void* address);
/// Whether the address lies in the program's file as it is loaded: its code, constants and variables.
bool in_program(const void* address);

/// "tile" of the mangled name of `tile` in `space::kernel<32>`.
std::string variable_name(const std::string& symbol);

/// Bytes of static shared memory of the kernel at that address; 0 when the program has no symbol table.
std::size_t static_shared_bytes(const void* kernel);

/// The threads of a block that __launch_bounds__ allows the kernel at that address; 0 when nothing is known
/// of it.
unsigned launch_bound(const void* kernel);

/// Where in memory the function with that address in it begins, and the next one; nothing when either is not
/// known.
std::pair<std::uintptr_t, std::uintptr_t> function_around(std::uintptr_t address);

/// "space::kernel" of the function at that address; "kernel" when it is not known.
std::string kernel_name(const void* kernel);

/// The first kernel with more static shared memory than a block has; empty when there is none.
std::string kernel_with_too_much_shared(std::size_t limit);

/// Where the program was loaded: addr2line needs addresses less this.
std::size_t program_base();

}  // namespace ladder::executor
