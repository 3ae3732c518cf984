#include "common/executor/rewriter/shared_memory.hpp"

#include <string>

namespace ladder::rewriter {
namespace {

constexpr const char* how_to_write =
    "write dynamic shared memory as 'extern __shared__ type name[];', one array per line";

int first_bracket(const Source& source, int first, int last) {
  for (int i = first; i < last; ++i) {
    if (source[i] == "(")
      i = source.closing(i);
    else if (source[i] == "[")
      return i;
  }
  return -1;
}

/// The type in `__shared__ __align__(16) unsigned char`, without what says where and how it is stored.
std::string type_of(const Source& source, int first, int last) {
  std::string type;
  for (int i = first; i <= last; ++i) {
    const std::string_view t = source[i];
    if (t == "__shared__" || t == "extern") continue;
    if (t == "__align__" || t == "alignas" || t == "__attribute__") {
      i = source.closing(i + 1);
      continue;
    }
    if (!type.empty() && t != "::" && !type.ends_with("::")) type += ' ';
    type += t;
  }
  return type;
}

}  // namespace

void rewrite_dynamic_shared(Source& source, int at, bool in_function) {
  int end = at;
  bool shared = false;
  for (; end < source.size() && source[end] != ";" && source[end] != "{" && source[end] != "="; ++end) {
    shared |= source[end] == "__shared__";
    if (source[end] == "(") end = source.closing(end);
  }
  if (!shared) return;
  const int bracket = first_bracket(source, at, end);
  if (source[end] != ";" || bracket < 0 || source[bracket + 1] != "]" || !source.is_identifier(bracket - 1))
    source.fail(at, how_to_write);
  const std::string type = type_of(source, at + 1, bracket - 2), name(source[bracket - 1]);
  const std::string rows = bracket + 2 < end ? source.text(bracket + 2, end - 1) : "";
  if (rows.find(',') != std::string::npos) source.fail(at, how_to_write);
  const std::string pointer = rows.empty() ? type + "*" : type + " (*)" + rows;
  std::string text;
  if (!in_function) {
    if (!rows.empty()) source.fail(at, "dynamic shared memory with rows must be declared inside the kernel");
    text = "static const ::ladder::executor::DynamicShared<" + type + "> " + name + "{};";
  } else {
    const std::string declarator =
        rows.empty() ? type + "* const " + name : type + " (* const " + name + ")" + rows;
    text = declarator + " = static_cast<" + pointer + ">(::ladder::executor::dynamic_shared());";
  }
  source.replace(at, end, text);
}

void rewrite_static_shared(Source& source, int at) {
  // The shim's __shared__ says `static` itself.
  for (int i = at - 1; i >= 0 && source.is_identifier(i); --i)
    if (source[i] == "static") source.replace(i, "");
  for (int i = at + 1; i < source.size() && source[i] != ";"; ++i) {
    if (source.in_directive(at) && !source.same_directive(i, at)) break;
    const std::string_view t = source[i];
    if (t == "static")
      source.replace(i, "");
    else if (t == "alignas")
      source.replace(i, "LADDER_EXECUTOR_ALIGNED");
    else if (t == "=")
      source.fail(at,
                  "a __shared__ variable cannot be initialised where it is declared: "
                  "let a thread write it, then __syncthreads()");
    if (source.opens_bracket(i)) i = source.closing(i);
  }
}

}  // namespace ladder::rewriter
