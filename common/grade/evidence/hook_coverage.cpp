#include "common/grade/evidence/hook_coverage.hpp"

#include <algorithm>
#include <sstream>
#include <string_view>

#include "common/grade/evidence/known_names.hpp"

namespace ladder::grade {
namespace {

// What the compiler calls before an access, and what the executor's headers call for theirs.
constexpr std::string_view hooks[] = {"__tsan_read*",
                                      "__tsan_write*",
                                      "__tsan_unaligned*",
                                      "__tsan_volatile*",
                                      "__tsan_atomic*",
                                      "__tsan_vptr*",
                                      "ladder_observed_*",
                                      "_ZN6ladder8executor14observe_atomic*",
                                      "_ZN6ladder8executor18observe_async_copy*"};

// What kernels may call: it accesses no memory that counts, or reports that.
constexpr std::string_view called_by_kernels[] = {"__tsan_*",
                                                  "__sanitizer_cov_*",
                                                  "__ubsan_*",
                                                  "__asan_*",
                                                  "ladder_*",
                                                  "_ZN6ladder*",
                                                  "_ZNK6ladder*",
                                                  "_Unwind_*",
                                                  "__cxa_*",
                                                  "__gxx_*",
                                                  "__stack_chk_fail*",
                                                  "__tls_get_addr",
                                                  "_GLOBAL_OFFSET_TABLE_",
                                                  "__dso_handle",
                                                  "_ZT*",
                                                  "_Zn[wa]*",
                                                  "_Zd[la]*",
                                                  "_ZSt*__throw*",
                                                  "_ZSt9terminatev",
                                                  "_ZSt7nothrow",
                                                  "malloc",
                                                  "free",
                                                  "printf",
                                                  "vprintf",
                                                  "puts",
                                                  "putchar",
                                                  "fprintf",
                                                  "stdout",
                                                  "stderr",
                                                  "fflush",
                                                  "abort",
                                                  "__assert_fail",
                                                  "clock",
                                                  "clock_gettime",
                                                  "nanosleep",
                                                  "__mul[dsxt]c3",
                                                  "__div[dsxt]c3",
                                                  "__powi*",
                                                  "__popcount*",
                                                  "__clz*",
                                                  "__ctz*",
                                                  "__udiv*",
                                                  "__umod*",
                                                  "__divti3",
                                                  "__modti3",
                                                  "__fix*",
                                                  "__float*",
                                                  "__extend*",
                                                  "__trunc*",
                                                  "__aarch64_*",
                                                  "__errno_location"};

// Functions of the C library that access what they are given.
constexpr std::string_view memory_functions[] = {
    "mem*",  "str*",           "stp*",  "wcs*",      "wcp*",   "wmem*",  "bcopy",  "bcmp",
    "bzero", "explicit_bzero", "swab",  "rawmemchr", "mbs*",   "wcr*",   "qsort*", "bsearch",
    "lfind", "lsearch",        "index", "rindex",    "sscanf", "vsscanf"};

/// "f" of "f.cold", "f.part.0", "f.constprop.0.isra.1".
std::string whole_function(std::string_view name) {
  return std::string(name.substr(0, name.find('.', 1)));
}

/// The parts of an instruction's operands, which commas outside of brackets separate.
std::vector<std::string_view> operands_of(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && (text[i] == '(' || text[i] == '[')) ++depth;
    if (i < text.size() && (text[i] == ')' || text[i] == ']')) --depth;
    if (i < text.size() && (text[i] != ',' || depth > 0)) continue;
    std::string_view part = text.substr(begin, i - begin);
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    if (!part.empty()) parts.push_back(part);
    begin = i + 1;
  }
  return parts;
}

/// Reads the instructions of one function after another: which of them access memory that is not the stack's.
class Instructions {
 public:
  void begin() { on_stack_.clear(); }

  /// @param text  "mov    (%rdi),%rax" or "ldr\tx0, [x1, #8]"
  /// @return whether it accesses memory by an address in a register that is no place on the stack
  bool accesses(std::string_view text) {
    const auto blank = text.find_first_of(" \t");
    std::string_view name = text.substr(0, blank);
    std::string_view rest = blank == text.npos ? std::string_view() : text.substr(blank);
    rest = rest.substr(0, rest.find(" #"));  // what objdump adds
    rest = rest.substr(0, rest.find(" //"));
    while (rest.starts_with(' ') || rest.starts_with('\t')) rest.remove_prefix(1);
    for (std::string_view prefix : {"lock", "rep", "repz", "repnz", "notrack", "bnd", "data16", "cs"})
      if (name == prefix) return accesses(rest);
    const auto operands = operands_of(rest);
    const bool found = touches(name, operands);
    follow(name, operands);
    return found;
  }

 private:
  static bool is_x86(std::string_view operand) { return operand.find('%') != operand.npos; }

  /// The register of the address; empty when there is none.
  static std::string_view base_of(std::string_view operand) {
    if (is_x86(operand)) {
      const auto open = operand.find('(');
      if (open == operand.npos) return {};
      const auto end = operand.find_first_of(",)", open);
      return operand.substr(open + 1, end - open - 1);
    }
    if (!operand.starts_with('[')) return {};
    const auto end = operand.find_first_of(",]", 1);
    return operand.substr(1, end - 1);
  }
  static bool is_stack(std::string_view base) {
    return base == "%rsp" || base == "%rbp" || base == "%rip" || base == "sp" || base == "x29";
  }
  bool is_known(std::string_view base) const {
    return is_stack(base) || on_stack_.contains(std::string(base));
  }

  bool touches(std::string_view name, const std::vector<std::string_view>& operands) const {
    for (std::string_view none :
         {"lea", "nop", "prefetch", "call", "j", "prfm", "endbr", "ret", "bl", "br", "b."})
      if (name.starts_with(none)) return false;
    return std::any_of(operands.begin(), operands.end(), [&](std::string_view operand) {
      const std::string_view base = base_of(operand);
      return !base.empty() && !is_known(base);
    });
  }

  /// Which registers hold places on the stack after this instruction.
  void follow(std::string_view name, const std::vector<std::string_view>& operands) {
    if (operands.size() < 2) return;
    const bool x86 = is_x86(operands.back()) || is_x86(operands.front());
    const std::string_view to = x86 ? operands.back() : operands.front();
    if (to.find_first_of("([") != to.npos) return;  // a store
    const std::string_view from = x86 ? operands.front() : operands[1];
    const bool adds = name.starts_with("add") || name.starts_with("sub");
    const bool address = name.starts_with("lea")   ? is_stack_address(from)
                         : name.starts_with("mov") ? is_register_of_stack(from)
                         : adds                    ? is_register_of_stack(from) || (x86 && is_known(to))
                                                   : false;
    if (address)
      on_stack_.insert(std::string(to));
    else if (!name.starts_with("cmp") && !name.starts_with("test"))
      on_stack_.erase(std::string(to));
  }
  bool is_stack_address(std::string_view operand) const {
    const std::string_view base = base_of(operand);
    return base != "%rip" && is_known(base);
  }
  bool is_register_of_stack(std::string_view operand) const {
    return base_of(operand).empty() && operand != "%rip" && is_known(operand);
  }

  std::set<std::string> on_stack_{};
};

/// Reads what objdump prints, line by line.
class CodeReader {
 public:
  ObjectCode read(const std::string& printed) {
    std::istringstream lines(printed);
    for (std::string line; std::getline(lines, line);) take(line);
    return std::move(code_);
  }

 private:
  void take(const std::string& line) {
    if (line.starts_with("RELOCATION RECORDS FOR [")) {
      in_data_ = true, function_ = nullptr;
    } else if (line.ends_with(">:") && line.find(" <") != line.npos) {
      const auto open = line.find(" <");
      function_ =
          &code_.functions[whole_function(std::string_view(line).substr(open + 2, line.size() - open - 4))];
      instructions_.begin();
      in_data_ = false;
    } else if (const auto mark = line.find("ladder_executor_kernel_mark"); mark != line.npos && !function_) {
      take_mark(line, mark);
    } else if (const auto type = line.find("R_"); type != line.npos && line.find(": R_") == type - 2) {
      take_relocation(line.substr(type));
    } else if (in_data_) {
      if (type != line.npos) code_.in_data.insert(name_in(line.substr(type)));
    } else if (const auto tab = line.find(":\t"); tab != line.npos && function_) {
      last_ = line.substr(tab + 2);
      if (instructions_.accesses(last_)) ++function_->accesses;
    }
  }
  /// A kernel's mark is local to it: `_ZZ` NAME `E27ladder_executor_kernel_mark`.
  void take_mark(const std::string& line, std::size_t mark) {
    const auto begin = line.rfind("_ZZ", mark);
    const auto end = line.rfind('E', mark);
    if (begin != line.npos && end != line.npos && begin < end)
      code_.kernels.insert("_Z" + line.substr(begin + 3, end - begin - 3));
  }
  /// "R_X86_64_PLT32  __tsan_read8-0x4": of the instruction before it.
  void take_relocation(const std::string& text) {
    if (!function_) return;
    const std::string name = name_in(text);
    const bool call = last_.starts_with("call") || last_.starts_with("j") || last_.starts_with("bl") ||
                      last_.starts_with("b\t") || last_.starts_with("b ");
    (call ? function_->calls : function_->mentions).insert(whole_function(name));
    if (call && matches_any(hooks, name)) ++function_->hooks;
    if (call && name == "__tsan_func_entry") function_->hooked = true;
    // Arm reads a variable of the program by the lower bits of its address.
    if (text.find("LDST") != text.npos && function_->accesses > 0) --function_->accesses;
  }
  static std::string name_in(const std::string& text) {
    std::istringstream words(text);
    std::string type, name;
    words >> type >> name;
    for (const char* sign : {"-0x", "+0x"}) name = name.substr(0, name.find(sign));
    return name;
  }

  ObjectCode code_{};
  FunctionCode* function_ = nullptr;
  Instructions instructions_{};
  std::string last_{};
  bool in_data_ = false;
};

/// A function of the executor's headers, or within one of theirs: the atomics of CUDA handle memory without
/// hooks, and report it.
bool is_of_headers(std::string_view name, const Surroundings& around) {
  for (std::string_view begin : {"_ZN6ladder", "_ZNK6ladder", "_ZZN6ladder", "_ZZNK6ladder", "_ZN4cuda",
                                 "_ZNK4cuda", "_ZZN4cuda", "_ZZNK4cuda", "_ZThn", "_ZTv", "_ZTW", "_ZTH"})
    if (name.starts_with(begin)) return true;
  const bool local = name.starts_with("_ZZ");  // a lambda in atomicAdd()
  name.remove_prefix(std::min<std::size_t>(name.size(), local ? 3 : 2));
  std::size_t length = 0;
  while (!name.empty() && name.front() >= '0' && name.front() <= '9' && length < 1000) {
    length = 10 * length + static_cast<std::size_t>(name.front() - '0');
    name.remove_prefix(1);
  }
  return local && length > 0 && around.executor_words.contains(std::string(name.substr(0, length)));
}

/// What kernels run, and what they may get the address of.
std::set<std::string> reached(const ObjectCode& code) {
  std::set<std::string> all;
  std::vector<std::string> next(code.kernels.begin(), code.kernels.end());
  while (!next.empty()) {
    const std::string name = std::move(next.back());
    next.pop_back();
    if (!all.insert(name).second) continue;
    const auto function = code.functions.find(name);
    if (function == code.functions.end()) continue;
    next.insert(next.end(), function->second.calls.begin(), function->second.calls.end());
    next.insert(next.end(), function->second.mentions.begin(), function->second.mentions.end());
  }
  return all;
}

bool is_of_kernels(const std::string& name, const Surroundings& around) {
  return matches_any(called_by_kernels, name) || is_mathematics(name) || around.harness.contains(name);
}

}  // namespace

ObjectCode code_from(const std::string& printed) {
  return CodeReader().read(printed);
}

std::vector<Suspicion> unseen_accesses(const ObjectCode& code, const std::set<std::string>& used,
                                       const Surroundings& around) {
  std::vector<Suspicion> all;
  // What a hooked function does besides is with its own variables, which nobody else can see.
  for (const auto& [name, function] : code.functions)
    if (!function.hooked && function.hooks == 0 && function.accesses > 0 && !is_of_headers(name, around))
      all.push_back({name, "accesses memory where nothing counts it", ""});
  const std::set<std::string> of_kernels = reached(code);
  std::set<std::string> passed = code.in_data;  // it may be called from anywhere
  for (const auto& [_, function] : code.functions)
    passed.insert(function.mentions.begin(), function.mentions.end());
  for (const std::string& name : used) {
    const bool called = of_kernels.contains(name) && !is_of_kernels(name, around);
    const bool handed_on = passed.contains(name) &&
                           matches_any(memory_functions, without_decorations(name)) &&
                           !name.starts_with("ladder_");
    if (called || handed_on)
      all.push_back({name,
                     called ? "calls in a kernel a function whose accesses nobody counts"
                            : "takes the address of a function whose accesses nobody counts",
                     called ? "" : "only the host calls it"});
  }
  return all;
}

}  // namespace ladder::grade
