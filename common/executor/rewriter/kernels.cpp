#include "common/executor/rewriter/kernels.hpp"

#include "common/executor/rewriter/scopes.hpp"
#include "common/executor/rewriter/words.hpp"

namespace ladder::rewriter {
namespace {

/// Whether the name in front of the ( at `open` is that of a function: no attribute, and no macro like
/// LAUNCH_BOUNDS(256) with the name still to come.
bool opens_parameters(const Source& source, int open) {
  const std::string_view before = source[open - 1];
  if (before == ">") return source.is_identifier(source.opening(open - 1) - 1);  // a specialisation
  if (!source.is_identifier(open - 1) || before.starts_with("__")) return false;
  for (const char* word : {"noexcept", "requires", "decltype", "alignas", "void"})
    if (before == word) return false;
  const int next = source.closing(open) + 1;
  return !source.is_identifier(next) || source[next] == "noexcept" || source[next] == "requires";
}

struct Head {
  int name = -1, open = -1;  // positions of the name and the ( of the parameters
};

/// What the word at `at` declares; nothing when no kernel is found.
Head head_of(const Source& source, int at) {
  for (int i = at + 1; i < source.size() && source[i] != ";" && source[i] != "{"; ++i) {
    if (!source.same_directive(i, at)) {
      if (source.in_directive(at)) return {};
      continue;
    }
    if (source[i] != "(") {
      if (source.opens_bracket(i)) i = source.closing(i);
      continue;
    }
    const int close = source.closing(i);
    if (source.is_identifier(i + 1) && close == i + 2 && source[close + 1] == "(" && source[i - 1] == "void")
      return {i + 1, close + 1};  // void (name)(...)
    if (opens_parameters(source, i)) return {source[i - 1] == ">" ? source.opening(i - 1) - 1 : i - 1, i};
    i = close;
  }
  return {};
}

/// Whether the name at `at` has a type in front and parameters behind it.
bool declares_function(const Source& source, int at) {
  if (!source.is_identifier(at) || source[at + 1] != "(") return false;
  const std::string_view before = source[at - 1];
  return (source.is_identifier(at - 1) && !is_statement_word(before)) || before == "*" || before == "&";
}

KernelHead parameters_at(const Source& source, int open) {
  KernelHead head;
  head.pointers = {false};
  const int close = source.closing(open);
  for (int i = open + 1; i < close; ++i) {
    const std::string_view t = source[i];
    if (source.opens_bracket(i))
      i = source.closing(i);
    else if (t == ",")
      head.pointers.push_back(false);
    else if (t == "*")
      head.pointers.back() = true;
    else if (t == "=")
      head.defaults = true;
  }
  return head;
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
  for (const char* statement : {"return", "else", "do", "case", "throw", "co_return", "co_yield", "goto"})
    if (word == statement) return true;
  return false;
}

std::set<std::string> find_kernels(const Source& source, Kernels& all) {
  std::set<std::string> names;
  std::set<int> declarations;
  Scopes scopes(source);
  for (int at = 0; at < source.size(); ++at) {
    scopes.follow(at);
    const Word word = word_at(source, all.words, at);
    if (!word.global || word.takes_arguments) continue;
    const Head head = head_of(source, at);
    if (head.name < 0) continue;
    const std::string name(source[head.name]);
    names.insert(name);
    const bool defaults = all.by_name[name].defaults;  // of an earlier declaration
    all.by_name[name] = parameters_at(source, head.open);
    all.by_name[name].defaults |= defaults;
    all.by_name[name].scope = scopes.innermost();
    declarations.insert(head.name);
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
  if (cast.find("void") != std::string::npos && cast.ends_with('*')) source.replace(at + 2, close, "");
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
  source.replace(begin, end, " ::ladder::executor::kernel_address(" + text + ")");
}

}  // namespace ladder::rewriter
