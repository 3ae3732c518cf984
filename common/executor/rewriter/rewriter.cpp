#include "common/executor/rewriter/rewriter.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <vector>

#include "common/executor/rewriter/device_code.hpp"
#include "common/executor/rewriter/missing.hpp"

namespace ladder::rewriter {
namespace {

/// Applies the rules from the front of the source to its end.
class Rewriter {
 public:
  Rewriter(std::string_view text, const std::string& name, const HeaderResolver& headers, Kernels& all)
      : source_(text, name), device_(source_), headers_(headers), pointers_(all) {}

  std::string run() {
    find_kernels();
    for (int at = 0; at < source_.size(); ++at) {
      follow_scope(at);
      const std::string_view t = source_[at];
      if (t == "#")
        conditional_or_include(at);
      else if (opens_launch(at))
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
      else if (t == "void" && pointers_.contains(std::string(cast_name(at))))
        kernel_address(at);
      else if (device_.side(at) != Side::host && (t == "malloc" || t == "free" || t == "new"))
        device_heap(at);
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
    else if (word == "include")
      include(at);
  }

  void include(int at) {
    int end = at + 2;
    while (source_.in_directive(end + 1) && source_.line(end + 1) == source_.line(at)) ++end;
    const std::string text = source_.text(at + 2, end);
    if (text.size() < 3) return;
    const std::string name = text.substr(1, text.find_last_of(">\"") - 1);
    const bool quoted = source_.kind(at + 2) == TokenKind::text;
    if (const auto path = quoted && headers_ ? headers_(name) : std::nullopt) {
      source_.replace(at + 2, '"' + *path + '"');
    } else if (const auto what = missing_header(name)) {
      // A line for the compiler, which knows whether it is behind an #if.
      source_.drop(at + 1, end);
      source_.replace(at + 1, "error the executor has no " + *what + std::string(source_[at + 1]));
    }
  }

  // ---------------------------------------------------------------- kernel<<<grid, block>>>(arguments)

  /// Also with blanks: `kernel << <grid, block >> >(arguments)`.
  bool opens_launch(int at) const {
    if (source_[at] == "<<<") return source_[at - 1] != "operator";
    return source_[at] == "<<" && source_[at + 1] == "<" && source_[at - 1] != "operator";
  }

  void launch(int at) {
    const bool spaced = source_[at] == "<<";
    const int callee = callee_begin(at);
    const int end = configuration_end(at, spaced);
    const int arguments = end + 3;
    const bool no_arguments = source_.closing(arguments) == arguments + 1;
    const std::string name = source_.text(callee, at - 1);
    // The blank in front keeps `case 0:kernel<<<` from becoming `:::`.
    null_pointers(name, arguments);
    if (spaced) source_.replace(at + 1, "");
    const std::string refused =
        device_.side(at) == Side::device ? " ::ladder::executor::missing_dynamic_parallelism()," : "";
    const std::string call =
        refused + " ::ladder::executor::launch(\"" + escaped(name) +
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
  int configuration_end(int at, bool spaced) const {
    int commas = 0;
    for (int i = at + 1 + spaced; i < source_.size(); ++i) {
      const std::string_view t = source_[i];
      if (t == "(" || t == "[" || t == "{")
        i = source_.closing(i);
      else if (t == ")" || t == "]" || t == "}" || t == ";")
        break;
      else if (t == ",")
        ++commas;
      else if (t == ">" && source_[i + 1] == ">" && source_[i + 2] == ">" && source_[i + 3] == "(" &&
               (spaced || (source_.adjacent(i) && source_.adjacent(i + 1)))) {
        if (commas == 0) source_.fail(at, "a launch needs at least <<<grid, block>>>");
        return i;
      }
    }
    source_.fail(at, "no '>>>' followed by '(' for this '<<<'");
  }

  /// 0 and NULL as arguments are integers to a template; the kernel may want pointers.
  void null_pointers(const std::string& kernel, int open) {
    const auto known = pointers_.find(kernel.substr(0, kernel.find('<')));
    const int close = source_.closing(open);
    std::size_t number = 0;
    for (int begin = open + 1, i = open + 1; i <= close; ++i) {
      const std::string_view t = source_[i];
      if (t == "(" || t == "[" || t == "{") {
        if (i != close) i = source_.closing(i);
      }
      if (t != "," && i != close) continue;
      const bool alone = i == begin + 1;
      const bool pointer = known != pointers_.end() && number < known->second.size() && known->second[number];
      if (alone && (source_[begin] == "NULL" || (source_[begin] == "0" && pointer)))
        source_.replace(begin, "nullptr");
      begin = i + 1;
      ++number;
    }
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

  /// `(void*)kernel` and `reinterpret_cast<void*>(kernel)`: the name in the cast whose `void` is at `at`; else nothing.
  std::string_view cast_name(int at) const {
    const int first = source_[at - 1] == "const" ? at - 1 : at;
    if (source_[at + 1] != "*" || source_[at + 2] != (source_[first - 1] == "(" ? ")" : ">")) return {};
    if (source_[first - 1] == "<" && (source_[first - 2] != "reinterpret_cast" || source_[at + 3] != "("))
      return {};
    int name = at + 3 + (source_[first - 1] == "<");
    if (source_[name] == "&") ++name;
    return source_.is_identifier(name) ? source_[name] : std::string_view();
  }

  /// The shim must see the kernel's own type, to launch it later by its address.
  void kernel_address(int at) {
    const int first = source_[at - 1] == "const" ? at - 1 : at;
    const bool c_cast = source_[first - 1] == "(";
    int name = at + 3 + !c_cast, end = name;
    if (source_[name] == "&") end = ++name;
    if (source_[name + 1] == "<") end = template_end(name + 1);
    const std::string text = source_.text(name, end);
    const int begin = c_cast ? first - 1 : first - 2;
    if (!c_cast) end = source_.closing(at + 3);
    source_.drop(begin, end);
    source_.replace(begin, " ::ladder::executor::kernel_address(" + text + ")" + std::string(source_[begin]));
  }

  int template_end(int open) const {
    int depth = 0;
    for (int i = open; i < source_.size(); ++i) {
      const std::string_view t = source_[i];
      if (t == "(" || t == "[" || t == "{")
        i = source_.closing(i);
      else if (t == "<")
        ++depth;
      else if (t == ">" && --depth == 0)
        return i;
      else if (t == ";")
        break;
    }
    return open - 1;
  }

  /// malloc, free and new of a kernel take from the device's heap. `delete` tells by the address.
  void device_heap(int at) {
    const std::string_view before = source_[at - 1], t = source_[at];
    if (source_.in_directive(at) || before == "." || before == "->" || before == "::") return;
    if (t == "new") {
      if (source_[at + 1] != "(" && before != "operator")
        source_.replace(at, "new (::ladder::executor::DeviceNew{})");
    } else if (source_[at + 1] == "(" &&
               (before == ")" || !source_.is_identifier(at - 1) || before == "return")) {
      source_.replace(at, "::ladder::executor::device_" + std::string(t));
    }
  }

  /// A call that does not compile where it is reached. Assembly of the host stays.
  void inline_assembly(int at) {
    int open = at + 1;
    while (source_[open] == "volatile" || source_[open] == "__volatile__" || source_[open] == "inline" ||
           source_[open] == "goto")
      ++open;
    if (source_[open] != "(" || !in_function(at)) return;
    const int close = source_.closing(open);
    if (device_.side(at) == Side::host && !is_ptx(source_.text(open, close))) return;
    source_.drop(at, close);
    source_.replace(at, "::ladder::executor::missing_inline_assembly()" + std::string(source_[at]));
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
          pointers_[std::string(source_[i - 1])] = pointer_parameters(i);
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

  /// For each parameter whether it is a pointer.
  std::vector<bool> pointer_parameters(int open) const {
    std::vector<bool> result(1, false);
    const int close = source_.closing(open);
    for (int i = open + 1; i < close; ++i) {
      const std::string_view t = source_[i];
      if (t == "(" || t == "[" || t == "{")
        i = source_.closing(i);
      else if (t == ",")
        result.push_back(false);
      else if (t == "*")
        result.back() = true;
    }
    return result;
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
        if (source_[open++].starts_with("<<")) return;  // kernel<T><<<grid, block>>>(...)
      }
    }
    if (source_[open] != "(" || source_[source_.closing(open) + 1] != ";") return;
    const std::string name(source_[at]);
    source_.fail(at, "the kernel '" + name + "' is called like a function; launch it: " + name +
                         "<<<grid, block>>>(...)");
  }

  Source source_;
  DeviceCode device_;
  const HeaderResolver& headers_;
  std::set<std::string> kernels_;
  Kernels& pointers_;         // also of other files
  std::vector<bool> blocks_;  // of each open brace: is it a block, not a namespace?
  std::vector<std::vector<bool>> conditionals_;
};

}  // namespace

std::string rewrite(std::string_view text, const std::string& name, const HeaderResolver& headers,
                    Kernels* kernels) {
  Kernels own;
  std::string path;
  for (const char c : name) {
    if (c == '"' || c == '\\') path += '\\';
    path += c;
  }
  return "#include <cuda_runtime.h>\n#line 1 \"" + path + "\"\n" +
         Rewriter(text, name, headers, kernels ? *kernels : own).run();
}

}  // namespace ladder::rewriter
