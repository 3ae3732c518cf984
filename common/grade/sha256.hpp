#pragma once
/// @file
/// SHA-256: by which sources and packages are known.

#include <string>
#include <string_view>

namespace ladder {

/// SHA-256 of the bytes, 64 hexadecimal digits.
std::string sha256(std::string_view bytes);

}  // namespace ladder
