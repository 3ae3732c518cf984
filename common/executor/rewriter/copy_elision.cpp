#include "common/executor/rewriter/copy_elision.hpp"

#include "common/executor/rewriter/source.hpp"

namespace ladder::rewriter {
namespace {

/// Position of the destructor's parenthesis when one is declared or defined at the ~; else 0. Not of a call,
/// nor of ~f(x).
int destructor(const Source& source, int at) {
  if (source[at] != "~" || !source.is_identifier(at + 1) || source[at + 2] != "(") return 0;
  const std::string_view before = source[at - 1];
  for (const std::string_view end : {"{", "}", ";", ":", "::"})
    if (before == end) return at + 2;
  return source.is_identifier(at - 1) && before != "return" ? at + 2 : 0;  // virtual, __device__
}

/// `~T() = default;` or `~T() {}`.
bool does_nothing(const Source& source, int open) {
  int at = source.closing(open) + 1;
  while (source.is_identifier(at)) ++at;  // noexcept, override
  return (source[at] == "=" && source[at + 1] == "default") || (source[at] == "{" && source[at + 1] == "}");
}

/// T(const T&…, T(T&&…: also when it is deleted, since then nobody returns a T by a copy.
bool has_copy(const Source& source, std::string_view type) {
  for (int at = 0; at < source.size(); ++at) {
    if (source[at] != type || source[at + 1] != "(") continue;
    int argument = at + 2;
    if (source[argument] == "const") ++argument;
    if (source[argument] != type) continue;
    ++argument;
    if (source[argument] == "<")
      while (argument < source.size() && source[argument] != ">") ++argument;
    for (int end = argument; end <= argument + 2; ++end)
      if (source[end] == "&" || source[end] == "&&") return true;
  }
  return false;
}

}  // namespace

bool relies_on_elision(std::string_view text, const std::string& name) {
  const Source source(text, name);
  for (int at = 0; at < source.size(); ++at)
    if (const int open = destructor(source, at))
      if (!does_nothing(source, open) && !has_copy(source, source[at + 1])) return true;
  return false;
}

}  // namespace ladder::rewriter
