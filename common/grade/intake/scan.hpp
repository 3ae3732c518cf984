#pragma once
/// @file
/// As much of C++'s lexical rules as intake needs: what is comment or string, and which headers are included.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ladder::grade {

/// What a byte of a source is part of. A character literal is code.
enum class Part : std::uint8_t { code, comment, string };

/// For each byte of the source what it is part of. Knows line continuations, raw strings and digit
/// separators.
std::vector<Part> parts_of(std::string_view source);

/// The source without comments and blanks: equal for two that a compiler cannot tell apart, but for a blank
/// in a string.
std::string code_of(std::string_view source);

/// The names in `#include "NAME"`, in their order, each once. What is commented out does not count; what
/// `#if` excludes does.
std::vector<std::string> included_by(std::string_view source);

}  // namespace ladder::grade
