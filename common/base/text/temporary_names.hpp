#pragma once
/// @file
/// Names that differ from one run of a compiler to the next.

#include <cctype>
#include <string>
#include <string_view>

namespace ladder {

/// A compiler's temporary files by one name each: "/tmp/ccW9h5Ne.s:7" is "/tmp/temporary.s:7". The next run
/// has others, and says the same. Source: GCC's libiberty, make_temp_file.c (cc and six letters or digits).
inline std::string without_temporary_names(std::string text) {
  const auto is_name = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
  for (std::size_t at = 0; (at = text.find("cc", at)) != std::string::npos; ++at) {
    std::size_t end = at + 2;
    while (end < text.size() && is_name(static_cast<unsigned char>(text[end]))) ++end;
    const bool begins = at == 0 || !is_name(static_cast<unsigned char>(text[at - 1]));
    const std::string_view ending = std::string_view(text).substr(end, 3);
    const bool known = ending.starts_with(".s") || ending.starts_with(".o") || ending.starts_with(".re") ||
                       ending.starts_with(".lt") || ending.starts_with(".c") || ending.starts_with(".ii");
    if (begins && end == at + 8 && known) text.replace(at, 8, "temporary");
  }
  return text;
}

}  // namespace ladder
