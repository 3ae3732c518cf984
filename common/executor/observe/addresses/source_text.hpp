#pragma once
/// @file
/// Names that are only in the source text: of allocations and of dynamic shared arrays.

#include <string>

namespace ladder::executor {

/// "dA" of a line like `cudaMalloc(&dA, bytes)` or `Buffer<double> dA(n)`. Empty when the line has no name.
/// @param nth which one, when the line makes several: 0, 1, …
std::string name_of_allocation(const std::string& file, int line, unsigned nth);

/// "A" of the kernel's parameter at that position: 0, 1, … Empty when the file does not define the kernel.
std::string name_of_parameter(const std::string& file, const std::string& kernel, std::size_t position);

/// "s" of the last `extern __shared__ double s[]` above that line, or of the only one in the file. Empty when
/// not known.
std::string name_of_dynamic_shared(const std::string& file, int line);

}  // namespace ladder::executor
