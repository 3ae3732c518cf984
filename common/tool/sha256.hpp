#pragma once
/// @file
/// SHA-256, to say which source a worker was built from.

#include <string>
#include <string_view>

namespace ladder {

/// SHA-256 of the bytes, 64 hexadecimal digits. Source: FIPS 180-4.
std::string sha256(std::string_view bytes);

}  // namespace ladder
