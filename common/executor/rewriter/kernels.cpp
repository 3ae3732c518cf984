#include "common/executor/rewriter/kernels.hpp"

namespace ladder::rewriter {
namespace {

/// Position of the ( behind the name of the kernel that `__global__` at `at` declares; -1 when there is none.
int parameters_of(const Source& source, int at) {
  for (int i = at + 1; i < source.size() && source[i] != ";" && source[i] != "{"; ++i) {
    if (source[i] != "(") continue;
    if (!source[i - 1].starts_with("__")) return i;
    i = source.closing(i);  // __launch_bounds__(256)
  }
  return -1;
}

/// Whether the name at `at` has a type in front and parameters behind it.
bool declares_function(const Source& source, int at) {
  if (!source.is_identifier(at) || source[at + 1] != "(") return false;
  const std::string_view before = source[at - 1];
  return (source.is_identifier(at - 1) && !is_statement_word(before)) || before == "*" || before == "&";
}

/// For each parameter whether it is a pointer.
std::vector<bool> pointer_parameters(const Source& source, int open) {
  std::vector<bool> result(1, false);
  const int close = source.closing(open);
  for (int i = open + 1; i < close; ++i) {
    const std::string_view t = source[i];
    if (source.opens_bracket(i))
      i = source.closing(i);
    else if (t == ",")
      result.push_back(false);
    else if (t == "*")
      result.back() = true;
  }
  return result;
}

/// Position of the > that closes the template arguments at `open`; the token in front when they do not end.
int template_end(const Source& source, int open) {
  int depth = 0;
  for (int i = open; i < source.size(); ++i) {
    const std::string_view t = source[i];
    if (source.opens_bracket(i))
      i = source.closing(i);
    else if (t == "<")
      ++depth;
    else if (t == ">" && --depth == 0)
      return i;
    else if (t == ";")
      break;
  }
  return open - 1;
}

}  // namespace

bool is_statement_word(std::string_view word) {
  return word == "return" || word == "else" || word == "do";
}

std::set<std::string> find_kernels(const Source& source, Kernels& parameters) {
  std::set<std::string> names;
  std::set<int> declarations;
  for (int at = 0; at < source.size(); ++at) {
    if (source[at] != "__global__") continue;
    const int open = parameters_of(source, at);
    if (open < 0) continue;
    const std::string name(source[open - 1]);
    names.insert(name);
    parameters[name] = pointer_parameters(source, open);
    declarations.insert(open - 1);
  }
  for (int at = 1; at < source.size(); ++at)
    if (!declarations.contains(at) && declares_function(source, at)) names.erase(std::string(source[at]));
  return names;
}

void refuse_plain_call(const Source& source, int at) {
  int before = at - 1;
  while (source[before] == "::" || (source[before + 1] == "::" && source.is_identifier(before))) --before;
  const std::string_view previous = source[before];
  if (previous != ";" && previous != "{" && previous != "}" && previous != "else") return;
  int open = at + 1;
  if (source[open] == "<") {
    while (open < source.size() && source[open] != "(" && source[open] != ";") {
      if (source[open++].starts_with("<<")) return;  // kernel<T><<<grid, block>>>(...)
    }
  }
  if (source[open] != "(" || source[source.closing(open) + 1] != ";") return;
  const std::string name(source[at]);
  source.fail(at, "the kernel '" + name + "' is called like a function; launch it: " + name +
                      "<<<grid, block>>>(...)");
}

void drop_pointer_cast(Source& source, int at) {
  if (source[at + 1] != "(" || source[at + 2] != "(") return;
  const int close = source.closing(at + 2);
  const std::string cast = source.text(at + 3, close - 1);
  if (cast.find("void") != std::string::npos && cast.ends_with('*')) source.drop(at + 2, close);
}

std::string_view cast_name(const Source& source, int at) {
  const int first = source[at - 1] == "const" ? at - 1 : at;
  if (source[at + 1] != "*" || source[at + 2] != (source[first - 1] == "(" ? ")" : ">")) return {};
  if (source[first - 1] == "<" && (source[first - 2] != "reinterpret_cast" || source[at + 3] != "("))
    return {};
  int name = at + 3 + (source[first - 1] == "<");
  if (source[name] == "&") ++name;
  return source.is_identifier(name) ? source[name] : std::string_view();
}

void rewrite_kernel_address(Source& source, int at) {
  const int first = source[at - 1] == "const" ? at - 1 : at;
  const bool c_cast = source[first - 1] == "(";
  int name = at + 3 + !c_cast, end = name;
  if (source[name] == "&") end = ++name;
  if (source[name + 1] == "<") end = template_end(source, name + 1);
  const std::string text = source.text(name, end);
  const int begin = c_cast ? first - 1 : first - 2;
  if (!c_cast) end = source.closing(at + 3);
  source.drop(begin, end);
  source.replace(begin, " ::ladder::executor::kernel_address(" + text + ")" + std::string(source[begin]));
}

}  // namespace ladder::rewriter
