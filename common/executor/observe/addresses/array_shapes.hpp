#pragma once
/// @file
/// Dimensions of the program's arrays, from its debug information: so that messages can name an address
/// As[3][17].

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ladder::executor {

/// A variable in the debug information.
struct ArrayShape {
  std::string name;
  std::size_t element = 0;              ///< bytes of one element
  std::vector<std::size_t> dimensions;  ///< outermost first; empty: no array
};

/// The shape of the thread-local variable at that offset: a __shared__ variable. Null when it is not known.
const ArrayShape* shape_of_shared(std::size_t offset);
/// The shape of the variable at that address, less the program's base. Null when it is not known.
const ArrayShape* shape_of_data(std::uintptr_t address);

/// Whether the program has an array with rows of `extent` elements, and as many elements that `index` may be
/// another row's.
bool rows_reach(std::size_t extent, std::ptrdiff_t index);

/// "name[3][17]" of the byte at `offset`; with "+ 4 bytes" after it when no element begins there.
std::string element_text(const ArrayShape& shape, std::size_t offset);

}  // namespace ladder::executor
