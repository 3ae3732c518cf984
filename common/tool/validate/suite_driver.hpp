#pragma once
/// @file
/// A main for a file that has only kernels, as GPUVerify's test suite has them.

#include <string>
#include <vector>

namespace ladder {

/// A program made of a file of kernels.
struct Driven {
  std::string source;                ///< the file, with a main below it: its lines keep their numbers
  std::vector<std::string> flags{};  ///< -D of its own comment
  std::string problem{};             ///< why there is none; empty: there is one
};

/// The first two lines of such a file say what is expected and how it is launched: "//pass" and
/// "//--blockDim=[8,8] --gridDim=4 -DN=64". Each kernel is launched once, in the order of the file, and the
/// program's argument says with what. 0: all numbers are zero. 1: an argument is the threads of a block, and
/// element i of an array is i modulo 64. An array has a megabyte on either side of where its pointer points,
/// since GPUVerify's arrays have no ends.
Driven add_driver(const std::string& source);

}  // namespace ladder
