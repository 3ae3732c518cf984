#include "common/executor/rewriter/rewriter.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

namespace ladder::rewriter {
namespace {

/// Applies the rules from the front of the source to its end.
class Rewriter {
 public:
  Rewriter(std::string_view text, const std::string& name, const HeaderResolver& headers)
      : source_(text, name), headers_(headers) {}

  std::string run() {
    find_kernels();
    for (int at = 0; at < source_.size(); ++at) {
      follow_scope(at);
      const std::string_view t = source_[at];
      if (t == "#")
        conditional_or_include(at);
      else if (t == "<<<" && source_[at - 1] != "operator")
        launch(at);
      else if (t == "__noinline__")
        source_.replace(at, "__attribute__((noinline))");
      else if (t == "extern")
        dynamic_shared(at);
      else if (t == "__shared__")
        static_shared(at);
      else if (t == "cudaLaunchKernel" || t == "cudaLaunchCooperativeKernel")
        drop_pointer_cast(at);
      else if (t == "asm" || t == "__asm__" || t == "__asm")
        inline_assembly(at);
      else if (kernels_.contains(std::string(t)))
        called_like_a_function(at);
    }
    return source_.str();
  }

 private:
  // ---------------------------------------------------------------- scopes: is this line inside a function?

  void follow_scope(int at) {
    if (source_.in_directive(at)) return;
    if (source_[at] == "{")
      blocks_.push_back(!opens_namespace(at));
    else if (source_[at] == "}" && !blocks_.empty())
      blocks_.pop_back();
  }

  bool opens_namespace(int brace) const {
    if (source_.kind(brace - 1) == TokenKind::text && source_[brace - 2] == "extern")
      return true;  // extern "C" {
    for (int i = brace - 1; i >= 0; --i) {
      const std::string_view t = source_[i];
      if (t == "namespace") return true;
      if (t == ";" || t == "{" || t == "}") return false;
    }
    return false;
  }

  bool in_function(int at) const { return source_.in_directive(at) || std::ranges::count(blocks_, true); }

  /// The branches of an #if may each open a brace that one line after #endif closes: all start from the same scope.
  void conditional_or_include(int at) {
    if (!source_.in_directive(at)) return;
    const std::string_view word = source_[at + 1];
    if (word.starts_with("if"))
      conditionals_.push_back(blocks_);
    else if ((word == "else" || word.starts_with("elif")) && !conditionals_.empty())
      blocks_ = conditionals_.back();
    else if (word == "endif" && !conditionals_.empty())
      conditionals_.pop_back();
    else if (word == "include" && source_.kind(at + 2) == TokenKind::text && headers_)
      include(at + 2);
  }

  void include(int at) {
    const std::string_view quoted = source_[at];
    if (const auto path = headers_(std::string(quoted.substr(1, quoted.size() - 2))))
      source_.replace(at, '"' + *path + '"');
  }

  // ---------------------------------------------------------------- kernel<<<grid, block>>>(arguments)

  void launch(int at) {
    const int callee = callee_begin(at);
    const int end = configuration_end(at);
    const int arguments = end + 3;
    const bool no_arguments = source_.closing(arguments) == arguments + 1;
    const std::string name = source_.text(callee, at - 1);
    // The blank in front keeps `case 0:kernel<<<` from becoming `:::`.
    const std::string call =
        " ::ladder::executor::launch(\"" + escaped(name) +
        "\", ::ladder::executor::Site{__FILE__, __LINE__}, [=](auto... executor_arguments) { " + name +
        "(executor_arguments...); }, ::ladder::executor::configure(";
    source_.drop(callee, at);
    source_.replace(callee, call + std::string(source_[callee]));
    source_.replace(end, ")");
    source_.replace(end + 1, "");
    source_.replace(end + 2, "");
    source_.replace(arguments, no_arguments ? "" : ",");
  }

  /// First token of `name`, `space::name`, `::name` or `name<...>` in front of the <<< at `at`.
  int callee_begin(int at) const {
    int name = at - 1;
    if (source_[name] == ">") name = source_.opening(name) - 1;
    if (name < 0 || !source_.is_identifier(name)) source_.fail(at, "no kernel name in front of '<<<'");
    while (source_[name - 1] == "::") {
      --name;
      int before = name - 1;
      if (source_[before] == ">" && source_.opening(before) > 0) before = source_.opening(before) - 1;
      if (!source_.is_identifier(before) || is_statement_word(source_[before])) break;
      name = before;
    }
    return name;
  }

  static bool is_statement_word(std::string_view word) {
    return word == "return" || word == "else" || word == "do";
  }

  /// Position of the first > of the >>> that belongs to the <<< at `at`.
  int configuration_end(int at) const {
    int commas = 0;
    for (int i = at + 1; i < source_.size(); ++i) {
      const std::string_view t = source_[i];
      if (t == "(" || t == "[" || t == "{")
        i = source_.closing(i);
      else if (t == ")" || t == "]" || t == "}" || t == ";")
        break;
      else if (t == ",")
        ++commas;
      else if (t == ">" && source_[i + 1] == ">" && source_[i + 2] == ">" && source_[i + 3] == "(" &&
               source_.adjacent(i) && source_.adjacent(i + 1)) {
        if (commas == 0) source_.fail(at, "a launch needs at least <<<grid, block>>>");
        return i;
      }
    }
    source_.fail(at, "no '>>>' followed by '(' for this '<<<'");
  }

  static std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : text) {
      if (c == '"' || c == '\\') result += '\\';
      result += c;
    }
    return result;
  }

  // ---------------------------------------------------------------- shared memory

  void dynamic_shared(int at) {
    int end = at + 1;
    bool shared = false;
    for (; end < source_.size() && source_[end] != ";" && source_[end] != "{" && source_[end] != "="; ++end) {
      shared |= source_[end] == "__shared__";
      if (source_[end] == "(") end = source_.closing(end);
    }
    if (!shared) return;
    const int bracket = first_bracket(at, end);
    if (source_[end] != ";" || bracket < 0 || source_[bracket + 1] != "]" ||
        !source_.is_identifier(bracket - 1))
      source_.fail(at, "write dynamic shared memory as 'extern __shared__ type name[];', one array a line");
    const std::string type = type_of(at + 1, bracket - 2), name(source_[bracket - 1]);
    const std::string rows = bracket + 2 < end ? source_.text(bracket + 2, end - 1) : "";
    if (rows.find(',') != std::string::npos)
      source_.fail(at, "write dynamic shared memory as 'extern __shared__ type name[];', one array a line");
    const std::string pointer = rows.empty() ? type + "*" : type + " (*)" + rows;
    std::string text;
    if (!in_function(at)) {
      if (!rows.empty())
        source_.fail(at, "dynamic shared memory with rows must be declared inside the kernel");
      text = "static const ::ladder::executor::DynamicShared<" + type + "> " + name + "{};";
    } else {
      const std::string declarator =
          rows.empty() ? type + "* const " + name : type + " (* const " + name + ")" + rows;
      text = declarator + " = static_cast<" + pointer + ">(::ladder::executor::dynamic_shared());";
    }
    source_.drop(at, end);
    source_.replace(at, text + std::string(source_[at]));
  }

  int first_bracket(int first, int last) const {
    for (int i = first; i < last; ++i) {
      if (source_[i] == "(")
        i = source_.closing(i);
      else if (source_[i] == "[")
        return i;
    }
    return -1;
  }

  /// The type in `__shared__ __align__(16) unsigned char`, without what says where and how it is stored.
  std::string type_of(int first, int last) const {
    std::string type;
    for (int i = first; i <= last; ++i) {
      const std::string_view t = source_[i];
      if (t == "__shared__") continue;
      if (t == "__align__" || t == "alignas" || t == "__attribute__") {
        i = source_.closing(i + 1);
        continue;
      }
      if (!type.empty() && t != "::" && !type.ends_with("::")) type += ' ';
      type += t;
    }
    return type;
  }

  void static_shared(int at) {
    // The shim's __shared__ says `static` itself.
    for (int i = at - 1; i >= 0 && source_.is_identifier(i); --i)
      if (source_[i] == "static") source_.replace(i, "");
    for (int i = at + 1; i < source_.size() && source_[i] != ";"; ++i) {
      if (source_.in_directive(at) && !source_.in_directive(i)) break;
      const std::string_view t = source_[i];
      if (t == "static")
        source_.replace(i, "");
      else if (t == "alignas")
        source_.replace(i, "LADDER_EXECUTOR_ALIGNED");
      else if (t == "=")
        source_.fail(at,
                     "a __shared__ variable cannot be initialised where it is declared: "
                     "let a thread write it, then __syncthreads()");
      if (t == "(" || t == "[" || t == "{") i = source_.closing(i);
    }
  }

  // ---------------------------------------------------------------- the rest

  /// cudaLaunchKernel((void*)kernel, ...): the template of the shim must see the kernel's own type.
  void drop_pointer_cast(int at) {
    if (source_[at + 1] != "(" || source_[at + 2] != "(") return;
    const int close = source_.closing(at + 2);
    const std::string cast = source_.text(at + 3, close - 1);
    if (cast.find("void") != std::string::npos && cast.ends_with('*')) source_.drop(at + 2, close);
  }

  void inline_assembly(int at) const {
    int next = at + 1;
    while (source_[next] == "volatile" || source_[next] == "__volatile__") ++next;
    if (source_[next] == "(" && in_function(at))
      source_.fail(at, "inline assembly (PTX) is not supported by the executor: it needs a GPU");
  }

  /// Names of __global__ functions that no other function of the file shares.
  void find_kernels() {
    std::set<std::string> others;
    std::set<int> declarations;
    for (int at = 0; at < source_.size(); ++at) {
      if (source_[at] != "__global__") continue;
      for (int i = at + 1; i < source_.size() && source_[i] != ";" && source_[i] != "{"; ++i) {
        if (source_[i] != "(") continue;
        if (!source_[i - 1].starts_with("__")) {
          kernels_.insert(std::string(source_[i - 1]));
          declarations.insert(i - 1);
          break;
        }
        i = source_.closing(i);  // __launch_bounds__(256)
      }
    }
    for (int at = 1; at < source_.size(); ++at) {
      const bool declared = source_.is_identifier(at) && source_[at + 1] == "(" &&
                            !declarations.contains(at) &&
                            ((source_.is_identifier(at - 1) && !is_statement_word(source_[at - 1])) ||
                             source_[at - 1] == "*" || source_[at - 1] == "&");
      if (declared) others.insert(std::string(source_[at]));
    }
    for (const std::string& name : others) kernels_.erase(name);
  }

  /// nvcc refuses `kernel(arguments);`. Here it would compile, and run as one thread of nowhere.
  void called_like_a_function(int at) const {
    int before = at - 1;
    while (source_[before] == "::" || (source_[before + 1] == "::" && source_.is_identifier(before)))
      --before;
    const std::string_view previous = source_[before];
    if (previous != ";" && previous != "{" && previous != "}" && previous != "else") return;
    int open = at + 1;
    if (source_[open] == "<") {
      while (open < source_.size() && source_[open] != "(" && source_[open] != ";") {
        if (source_[open++] == "<<<") return;  // kernel<T><<<grid, block>>>(...)
      }
    }
    if (source_[open] != "(" || source_[source_.closing(open) + 1] != ";") return;
    const std::string name(source_[at]);
    source_.fail(at, "the kernel '" + name + "' is called like a function; launch it: " + name +
                         "<<<grid, block>>>(...)");
  }

  Source source_;
  const HeaderResolver& headers_;
  std::set<std::string> kernels_;
  std::vector<bool> blocks_;  // of each open brace: is it a block, not a namespace?
  std::vector<std::vector<bool>> conditionals_;
};

}  // namespace

std::string rewrite(std::string_view text, const std::string& name, const HeaderResolver& headers) {
  std::string path;
  for (const char c : name) {
    if (c == '"' || c == '\\') path += '\\';
    path += c;
  }
  return "#include <cuda_runtime.h>\n#line 1 \"" + path + "\"\n" + Rewriter(text, name, headers).run();
}

}  // namespace ladder::rewriter
