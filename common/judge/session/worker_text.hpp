#pragma once
/// @file
/// Texts in the messages of workers, which are not trusted.

#include <cstddef>
#include <cstring>
#include <string>

namespace ladder {

/// A text of fixed size from a worker, made safe to print.
template <std::size_t N>
std::string text_of(const char (&raw)[N]) {
  std::string text(raw, ::strnlen(raw, N));
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') c = '?';
  return text;
}

}  // namespace ladder
