#include "common/grade/evidence/source_words.hpp"

#include <string_view>

#include "common/grade/evidence/known_names.hpp"
#include "common/grade/evidence/source_tokens.hpp"

namespace ladder::grade {
namespace {

using Tokens = std::vector<SourceToken>;

constexpr const char* off = "switches off what counts its accesses and looks for races";
constexpr const char* of_harness = "names a part of the harness that is none of a rung's business";
constexpr const char* other_compilation = "has the compiler treat a part of it differently";
constexpr const char* by_hand = "has machine code of its own, whose accesses and calls nobody sees";

// Attributes that change neither what is counted nor what is linked; OpenCL's and CUDA's, too.
constexpr std::string_view harmless_attributes[] = {"aligned",
                                                    "align",
                                                    "packed",
                                                    "noinline",
                                                    "always_inline",
                                                    "inline",
                                                    "forceinline",
                                                    "unused",
                                                    "used",
                                                    "maybe_unused",
                                                    "nodiscard",
                                                    "warn_unused_result",
                                                    "hot",
                                                    "cold",
                                                    "noreturn",
                                                    "const",
                                                    "pure",
                                                    "malloc",
                                                    "may_alias",
                                                    "deprecated",
                                                    "fallthrough",
                                                    "likely",
                                                    "unlikely",
                                                    "no_unique_address",
                                                    "flatten",
                                                    "format",
                                                    "format_arg",
                                                    "nonnull",
                                                    "returns_nonnull",
                                                    "visibility",
                                                    "vector_size",
                                                    "abi_tag",
                                                    "reqd_work_group_size",
                                                    "work_group_size_hint",
                                                    "vec_type_hint",
                                                    "intel_reqd_sub_group_size",
                                                    "assume",
                                                    "assume_aligned",
                                                    "alloc_size",
                                                    "alloc_align",
                                                    "nothrow",
                                                    "leaf",
                                                    "unavailable",
                                                    "gnu_inline",
                                                    "artificial",
                                                    "warning",
                                                    "error",
                                                    "device",
                                                    "global",
                                                    "host",
                                                    "shared",
                                                    "constant",
                                                    "managed",
                                                    "launch_bounds",
                                                    "unroll",
                                                    "noclone",
                                                    "cleanup",
                                                    "carries_dependency",
                                                    "unsequenced",
                                                    "reproducible",
                                                    "opencl_unroll_hint",
                                                    "nontemporal",
                                                    "gnu",
                                                    "clang",
                                                    "using",
                                                    "nv_diag_suppress"};
// Only for steps that are timed: kernels of the executor are counted as they are compiled for everybody.
constexpr std::string_view attributes_of_timed[] = {"target", "target_clones", "optimize",
                                                    "simd",   "vector",        "ifunc_none"};

constexpr std::string_view harmless_pragmas[] = {"once",         "unroll*",       "nounroll*",
                                                 "omp *",        "message*",      "region*",
                                                 "endregion*",   "STDC *",        "mark*",
                                                 "nv_*",         "nvcc*",         "hd_warning_disable*",
                                                 "diag_*",       "acc *",         "ivdep*",
                                                 "GCC unroll*",  "GCC ivdep*",    "GCC diagnostic *",
                                                 "GCC warning*", "GCC error*",    "clang diagnostic*",
                                                 "clang loop*",  "clang unroll*", "warning*",
                                                 "OPENCL*",      "comment*"};
constexpr std::string_view pragmas_of_timed[] = {"GCC optimize*", "GCC target*", "GCC push_options*",
                                                 "GCC pop_options*", "GCC reset_options*"};

constexpr std::string_view harmless_builtins[] = {"expect*",
                                                  "prefetch",
                                                  "unreachable",
                                                  "popcount*",
                                                  "clz*",
                                                  "ctz*",
                                                  "ffs*",
                                                  "clrsb*",
                                                  "bswap*",
                                                  "parity*",
                                                  "fma*",
                                                  "fabs*",
                                                  "abs",
                                                  "labs",
                                                  "llabs",
                                                  "sqrt*",
                                                  "inf*",
                                                  "nan*",
                                                  "huge_val*",
                                                  "is*",
                                                  "signbit*",
                                                  "copysign*",
                                                  "f[mo]*",
                                                  "ceil*",
                                                  "trunc*",
                                                  "round*",
                                                  "rint*",
                                                  "nearbyint*",
                                                  "lrint*",
                                                  "lround*",
                                                  "ll*",
                                                  "exp*",
                                                  "log*",
                                                  "pow*",
                                                  "sin*",
                                                  "cos*",
                                                  "tan*",
                                                  "assume*",
                                                  "constant_p",
                                                  "is_constant_evaluated",
                                                  "bit_cast",
                                                  "memcpy",
                                                  "memset",
                                                  "memmove",
                                                  "va_*",
                                                  "offsetof",
                                                  "FILE",
                                                  "LINE",
                                                  "FUNCTION",
                                                  "COLUMN",
                                                  "source_location",
                                                  "choose_expr",
                                                  "types_compatible_p",
                                                  "add_overflow*",
                                                  "sub_overflow*",
                                                  "mul_overflow*",
                                                  "sadd*",
                                                  "uadd*",
                                                  "ssub*",
                                                  "usub*",
                                                  "smul*",
                                                  "umul*",
                                                  "addressof",
                                                  "launder",
                                                  "trap",
                                                  "abort",
                                                  "alloca*",
                                                  "shuffle*",
                                                  "convertvector",
                                                  "complex",
                                                  "LINE",
                                                  "cpu_*",
                                                  "object_size",
                                                  "dynamic_object_size",
                                                  "strlen",
                                                  "printf",
                                                  "puts"};

constexpr std::string_view switches[] = {"no_sanitize*",
                                         "no_instrument_function",
                                         "no_profile_instrument_function",
                                         "no_address_safety_analysis",
                                         "disable_sanitizer*",
                                         "no_stack_protector",
                                         "nosanitize*"};
constexpr std::string_view words_of_harness[] = {"LADDER_EXECUTOR_*", "ladder_observe*",
                                                 "ladder_executor*",  "ladder_sink*",
                                                 "ladder_hook*",      "__tsan_*",
                                                 "__sanitizer*",      "__ubsan*",
                                                 "__asan*",           "__lsan*",
                                                 "__msan*",           "observe_atomic",
                                                 "observe_fence",     "observe_async_copy",
                                                 "observe_kernel"};
// What the rewriter and the executor's own macros leave on a step's lines.
constexpr std::string_view left_by_macros[] = {"ladder_executor_kernel_mark", "observe_kernel"};

std::string_view without_underscores(std::string_view name) {
  if (name.size() > 4 && name.starts_with("__") && name.ends_with("__")) {
    name.remove_prefix(2);
    name.remove_suffix(2);
  }
  return name;
}

/// Collects what was found, each word once, at its first line.
class Findings {
 public:
  explicit Findings(std::string file = {}) : file_(std::move(file)) {}
  void add(const SourceToken& at, std::string word, const char* why, const char* honest = "") {
    for (const Suspicion& one : all_)
      if (one.symbol == word) return;
    std::string place = (at.file.empty() ? file_ : at.file) + ":" + std::to_string(at.line);
    all_.push_back({std::move(word), why, honest, std::move(place)});
  }
  std::vector<Suspicion> take() { return std::move(all_); }

 private:
  std::string file_;
  std::vector<Suspicion> all_{};
};

/// The text of a directive's tokens from one on to the end of its line, with a blank between two.
std::string rest_of_line(const Tokens& tokens, std::size_t from) {
  std::string text;
  for (std::size_t i = from; i < tokens.size() && !tokens[i].begins_line; ++i)
    text += (text.empty() ? "" : " ") + tokens[i].text;
  return text;
}

bool is(const Tokens& tokens, std::size_t i, std::string_view text) {
  return i < tokens.size() && tokens[i].text == text;
}

/// The place behind the bracket that closes the one at `open`.
std::size_t behind(const Tokens& tokens, std::size_t open, char opens, char closes) {
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    if (tokens[i].text[0] == opens) ++depth;
    if (tokens[i].text[0] == closes && --depth == 0) return i + 1;
  }
  return tokens.size();
}

void look_at_attribute(const SourceToken& name, Counted counted, Findings& found) {
  const std::string_view plain = without_underscores(name.text);
  if (matches_any(switches, plain)) return found.add(name, name.text, off);
  if (matches_any(harmless_attributes, plain)) return;
  if (counted == Counted::processor && matches_any(attributes_of_timed, plain)) return;
  found.add(name, "attribute " + std::string(plain), other_compilation,
            "it is there for alignment or speed on some machine, and changes nothing that is counted");
}

/// The names in `__attribute__((…))` or `[[…]]`: identifiers that are no arguments of others.
void look_at_attributes(const Tokens& tokens, std::size_t from, std::size_t to, Counted counted,
                        Findings& found) {
  for (std::size_t i = from; i < to; ++i) {
    if (!tokens[i].is_identifier()) continue;
    look_at_attribute(tokens[i], counted, found);
    if (is(tokens, i + 1, "(")) i = behind(tokens, i + 1, '(', ')') - 1;
  }
}

void look_at_pragma(const Tokens& tokens, std::size_t at, Counted counted, Findings& found) {
  const std::string text = rest_of_line(tokens, at);
  if (matches_any(harmless_pragmas, text)) return;
  if (counted == Counted::processor && matches_any(pragmas_of_timed, text)) return;
  const bool is_option = matches_any(pragmas_of_timed, text);
  found.add(tokens[at - 1], "#pragma " + text.substr(0, 40), is_option ? other_compilation : of_harness,
            "it quietens a warning of another compiler");
}

void look_at_directive(const Tokens& tokens, std::size_t at, Counted counted,
                       const std::set<std::string>& words, Findings& found) {
  if (is(tokens, at + 1, "pragma") && at + 2 < tokens.size())
    return look_at_pragma(tokens, at + 2, counted, found);
  if (!is(tokens, at + 1, "define") && !is(tokens, at + 1, "undef")) return;
  if (at + 2 >= tokens.size()) return;
  const std::string& name = tokens[at + 2].text;
  const bool of_cuda = name.starts_with("__") && words.contains(name);
  if (of_cuda || name.starts_with("LADDER_"))
    found.add(tokens[at + 2], "#" + tokens[at + 1].text + " " + name,
              "gives a word of CUDA or of the harness another meaning",
              "it lets an editor that knows no CUDA read the file");
}

/// `executor::`, `::executor`, `namespace executor`; `namespace ladder`, `namespace cuda`.
bool opens_harness(const Tokens& tokens, std::size_t i) {
  const bool after_colons = i >= 2 && is(tokens, i - 1, ":") && is(tokens, i - 2, ":");
  const bool before_colons = is(tokens, i + 1, ":") && is(tokens, i + 2, ":");
  const bool opened = i >= 1 && is(tokens, i - 1, "namespace") && !(i >= 2 && is(tokens, i - 2, "using"));
  if (tokens[i].text == "executor")
    return before_colons || opened || (after_colons && i >= 3 && is(tokens, i - 3, "ladder"));
  return (tokens[i].text == "ladder" || tokens[i].text == "cuda") && opened && !is(tokens, i + 1, "=");
}

/// `#include` of an absolute path, of a folder above, or of a part of the harness that is no header for
/// steps; instructions of the processor where kernels are counted.
void look_at_include(const std::string& line, const SourceToken& at, Counted counted, Findings& found) {
  const auto open = line.find_first_of("<\"");
  if (open == line.npos) return;
  const std::string path = line.substr(open + 1, line.find_first_of(">\"", open + 1) - open - 1);
  const auto begins = [&](std::string_view what) { return path.starts_with(what); };
  bool foreign = begins("/") || path.find("..") != path.npos || begins("executor/");
  if (begins("common/"))
    foreign = !begins("common/device/") && !begins("common/lesson/") && !begins("common/npb/") &&
              !begins("common/base/");
  if (foreign) found.add(at, "#include " + path, of_harness);
  const bool vectors = path.ends_with("intrin.h") || path == "arm_neon.h" || path == "arm_sve.h";
  if (vectors && counted == Counted::kernels)
    found.add(at, "#include " + path,
              "uses vector instructions of this processor, whose accesses are not counted",
              "only its host's code does");
}

/// Lines of a text, for includes: their paths are strings, which tokens are without.
std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char c : text)
    if (c == '\n')
      lines.emplace_back();
    else
      lines.back() += c;
  return lines;
}

}  // namespace

std::vector<Suspicion> words_of_source(const std::string& file, const std::string& text, Counted counted) {
  const Tokens tokens = tokens_of(text, false);
  const std::vector<std::string> lines = lines_of(text);
  Findings found(file);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const SourceToken& token = tokens[i];
    if (token.text == "#" && token.begins_line && i + 1 < tokens.size()) {
      const std::string& directive = tokens[i + 1].text;
      const bool number = !directive.empty() && directive[0] >= '0' && directive[0] <= '9';
      if (directive == "line" || number)
        found.add(token, "#line", "hides on which line it says what", "a generator wrote it");
      if (directive.starts_with("include") || directive == "import")
        look_at_include(lines[static_cast<std::size_t>(token.line - 1)], token, counted, found);
    }
    if (!token.is_identifier()) continue;
    if (matches_any(switches, without_underscores(token.text))) found.add(token, token.text, off);
    if (matches_any(words_of_harness, token.text)) found.add(token, token.text, of_harness);
    if (opens_harness(tokens, i)) found.add(token, "namespace " + token.text, of_harness);
  }
  return found.take();
}

std::vector<Suspicion> words_of_code(const std::string& preprocessed, Counted counted,
                                     const std::set<std::string>& words) {
  const Tokens tokens = tokens_of(preprocessed, true);
  Findings found;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const SourceToken& token = tokens[i];
    const std::string_view plain = without_underscores(token.text);
    if (token.text == "#" && token.begins_line) {
      look_at_directive(tokens, i, counted, words, found);
      while (i + 1 < tokens.size() && !tokens[i + 1].begins_line)
        ++i;  // of a macro only what it becomes counts
    } else if ((token.text == "__attribute__" || token.text == "__attribute") && is(tokens, i + 1, "(")) {
      look_at_attributes(tokens, i + 1, behind(tokens, i + 1, '(', ')'), counted, found);
    } else if (token.text == "[" && is(tokens, i + 1, "[") && i + 2 < tokens.size() &&
               tokens[i + 2].is_identifier() && !is(tokens, i + 2, "this")) {
      look_at_attributes(tokens, i + 2, behind(tokens, i, '[', ']'), counted, found);
    } else if (plain == "asm" || token.text == "__asm") {
      found.add(token, "asm", by_hand,
                "it only makes a spinning thread wait, or keeps a value in a register");
    } else if (matches_any(switches, plain)) {
      found.add(token, token.text, off);
    } else if (matches_any(words_of_harness, token.text) && !matches_any(left_by_macros, token.text)) {
      found.add(token, token.text, of_harness);
    } else if (token.text.starts_with("__builtin_") &&
               !matches_any(harmless_builtins, token.text.substr(10)) &&
               !(counted == Counted::processor && token.text.starts_with("__builtin_ia32"))) {
      found.add(token, token.text, "calls a function of the compiler whose accesses may not be counted",
                "it is arithmetic, and accesses no memory");
    } else if (counted == Counted::kernels &&
               (token.text.starts_with("_mm") || token.text.starts_with("__m128") ||
                token.text.starts_with("__m256") || token.text.starts_with("__m512"))) {
      found.add(token, token.text,
                "uses vector instructions of this processor, whose accesses are not counted",
                "only its host's code does");
    }
  }
  return found.take();
}

}  // namespace ladder::grade
