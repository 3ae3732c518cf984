#include "common/executor/rewriter/rewriter.hpp"

#include <set>

#include "common/executor/rewriter/braces.hpp"
#include "common/executor/rewriter/device_code.hpp"
#include "common/executor/rewriter/kernels.hpp"
#include "common/executor/rewriter/launches.hpp"
#include "common/executor/rewriter/scopes.hpp"
#include "common/executor/rewriter/shared_memory.hpp"
#include "common/executor/rewriter/unsupported.hpp"
#include "common/executor/rewriter/words.hpp"

namespace ladder::rewriter {
namespace {

/// Applies the rules from the front of the source to its end.
class Rewriter {
 public:
  Rewriter(std::string_view text, const std::string& name, const HeaderResolver& headers, Kernels& all)
      : source_(text, name),
        headers_(headers),
        all_(all),
        device_(with_headers_read(), all),
        scopes_(source_),
        kernels_(find_kernels(source_, all)) {}

  std::string run() {
    check_braces(source_);
    for (int at = 0; at < source_.size(); ++at) {
      scopes_.follow(at);
      rewrite(at);
    }
    return source_.str();
  }

 private:
  /// A head may be made of macros that a header defines, and a header may use its includer's.
  const Source& with_headers_read() {
    find_words(source_, all_.words);
    find_kernels(source_, all_);
    for (int at = 0; headers_ && at + 2 < source_.size(); ++at)
      if (is_include(at) && source_.kind(at + 2) == TokenKind::text)
        if (const std::string name = included(at); !name.empty()) headers_(name);
    return source_;
  }

  bool is_include(int at) const {
    return source_[at] == "#" && source_.in_directive(at) && source_[at + 1] == "include";
  }

  int include_end(int at) const {
    int end = at + 2;
    while (source_.in_directive(end + 1) && source_.line(end + 1) == source_.line(at)) ++end;
    return end;
  }

  /// The name between the quotes or brackets; empty when there is none.
  std::string included(int at) const {
    const std::string text = source_.text(at + 2, include_end(at));
    return text.size() < 3 ? "" : text.substr(1, text.find_last_of(">\"") - 1);
  }

  void rewrite(int at) {
    const std::string_view t = source_[at];
    if (is_include(at))
      include(at);
    else if (t == "#" && source_.in_directive(at) &&
             (source_[at + 1] == "define" || source_[at + 1] == "undef"))
      all_.configurations.erase(std::string(source_[at + 2]));
    else if (device_.opens_kernel(at))
      begin_kernel(at);
    else if (opens_launch(source_, all_, at))
      rewrite_launch(source_, device_, scopes_, all_, at);
    else if (t == "__noinline__")
      source_.replace(at, "__attribute__((noinline))");
    else if (t == "extern" || (t == "__shared__" && source_[at + 1] == "extern"))
      rewrite_dynamic_shared(source_, at, scopes_.in_function(at));
    else if (t == "__shared__")
      rewrite_static_shared(source_, at);
    else if (t == "cudaLaunchKernel" || t == "cudaLaunchCooperativeKernel")
      drop_pointer_cast(source_, at);
    else if (t == "asm" || t == "__asm__" || t == "__asm")
      inline_assembly(at);
    else if (t == "texture" && source_[at + 1] == "<" && !scopes_.in_function(at) && !defines_texture())
      source_.replace(at, "::ladder::executor::TextureReference");
    else if (t == "void" && all_.by_name.contains(std::string(cast_name(source_, at))))
      rewrite_kernel_address(source_, at);
    else if (device_.side(at) != Side::host && (t == "malloc" || t == "free" || t == "new"))
      device_heap(at);
    else if (kernels_.contains(std::string(t)))
      refuse_plain_call(source_, at);
  }

  void begin_kernel(int at) {
    std::string text = "{ LADDER_EXECUTOR_KERNEL";
    if (const std::string bounds = device_.launch_bounds(at); !bounds.empty())
      text += " LADDER_EXECUTOR_BOUNDS(" + bounds + ")";
    source_.replace(at, source_.adjacent(at) && source_.is_identifier(at + 1) ? text + " " : text);
  }

  void include(int at) {
    const int end = include_end(at);
    const std::string name = included(at);
    if (name.empty()) return;
    const bool quoted = source_.kind(at + 2) == TokenKind::text;
    if (const auto path = quoted && headers_ ? headers_(name) : std::nullopt) {
      source_.replace(at + 2, '"' + *path + '"');
    } else if (const auto what = missing_header(name)) {
      // A line for the compiler, which knows whether it is behind an #if.
      source_.replace(at + 1, end, "error the executor has no " + *what);
    }
  }

  /// A program may have a template of its own with the name that texture references had.
  bool defines_texture() const {
    for (int at = 1; at < source_.size(); ++at)
      if (source_[at] == "texture" && (source_[at - 1] == "class" || source_[at - 1] == "struct"))
        return true;
    return false;
  }

  /// malloc, free and new of a kernel take from the device's heap. `delete` decides by the address.
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
    if (source_[open] != "(" || !scopes_.in_function(at)) return;
    const int close = source_.closing(open);
    if (device_.side(at) == Side::host && !is_ptx(source_.text(open, close))) return;
    source_.replace(at, close, "::ladder::executor::missing_inline_assembly()");
  }

  Source source_;
  const HeaderResolver& headers_;
  Kernels& all_;  // also of other files
  DeviceCode device_;
  Scopes scopes_;
  std::set<std::string> kernels_;
};

}  // namespace

std::string rewrite(std::string_view text, const std::string& name, const HeaderResolver& headers,
                    Kernels* kernels) {
  Kernels own;
  return "#include <cuda_runtime.h>\n#line 1 \"" + escaped(name) + "\"\n" +
         Rewriter(text, name, headers, kernels ? *kernels : own).run();
}

}  // namespace ladder::rewriter
