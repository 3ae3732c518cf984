#pragma once
/// @file
/// Small pieces of reading text.

#include <algorithm>
#include <cctype>
#include <cstring>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace ladder {

/// The text without blanks and ends of lines at its ends.
inline std::string_view trim(std::string_view text) {
  constexpr const char* blank = " \t\r\n";
  const auto first = text.find_first_not_of(blank);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

/// The lines of a text, without what ends them.
inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// Puts one text in the place of each occurrence of another, which is not empty.
inline void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != text.npos; at += with.size())
    text.replace(at, what.size(), with);
}

/// A text in which files below the folder are named from there, wherever that lies.
inline std::string with_paths_in(std::string folder, std::string text) {
  folder += '/';
  const auto goes_on = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '_' || c == '-';
  };
  for (std::size_t at = 0; folder.size() > 1 && (at = text.find(folder, at)) != text.npos;)
    if (at > 0 && goes_on(text[at - 1]))
      ++at;  // within a longer path
    else
      text.erase(at, folder.size());
  return text;
}

/// A word as a POSIX shell reads it: in quotes where it has more than letters, digits and what names of files
/// usually have.
inline std::string shell_word(const std::string& text) {
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) || c > 0x7F || std::strchr("/._-+,=:@%", c);
  };
  if (!text.empty() && std::all_of(text.begin(), text.end(), plain)) return text;
  std::string quoted = text;
  replace_all(quoted, "'", "'\\''");
  return "'" + quoted + "'";
}

/// "S-AAAA, S-BBBB and 4 more"
inline std::string some_of(const std::vector<std::string>& names, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < most; ++i) text += (i > 0 ? ", " : "") + names[i];
  return names.size() > most ? text + " and " + std::to_string(names.size() - most) + " more" : text;
}

}  // namespace ladder
