#include "common/executor/observe/counters/lines.hpp"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "common/executor/runtime/symbols.hpp"

namespace ladder::executor {
namespace {

constexpr std::string_view headers = "common/executor/include/";

/// The project's location in the file system does not matter: ccache may have made the paths relative.
bool holds(std::string_view path, std::string_view part) {
  return path.find(part) != std::string_view::npos;
}

/// The program's own debugging information.
class DebugInformation {
 public:
  DebugInformation() {
    static char* no_path = nullptr;
    static const Dwfl_Callbacks callbacks = {dwfl_build_id_find_elf, dwfl_standard_find_debuginfo,
                                             dwfl_offline_section_address, &no_path};
    session_ = dwfl_begin(&callbacks);
    if (!session_) return;
    module_ = dwfl_report_elf(session_, "", "/proc/self/exe", -1, program_base(), false);
    dwfl_report_end(session_, nullptr, nullptr);
  }

  /// Of the innermost inlined function.
  SourceLine innermost(std::uint32_t code) {
    return module_ ? line_at(program_base() + code - 1) : SourceLine{};
  }

  SourceLine line(std::uint32_t code) {
    const auto [unit, lines] = lines_at(code);
    for (const SourceLine& line : lines)
      if (is_students(line)) return {shown_path(line.file), line.line};
    return {};
  }

  int line_in_function_of(const SourceLine& other, std::uint32_t code) {
    const auto [unit, lines] = lines_at(code);
    if (!unit) return 0;
    const std::set<int>& starts = starts_of(*unit, file_name(other.file));
    const auto function_at = [&](int line) {
      const auto next = starts.upper_bound(line);
      return next == starts.begin() ? 0 : *std::prev(next);
    };
    for (const SourceLine& line : lines)
      if (file_name(line.file) == file_name(other.file) && function_at(line.line) == function_at(other.line))
        return line.line;
    return 0;
  }

 private:
  struct Function {
    Dwarf_Die die;
    Dwarf_Addr begin, end;
  };
  /// Of an inlined function: where it is called, and whether the compiler has made it.
  struct Call {
    SourceLine line;
    bool artificial;
  };

  /// The unit that holds the address, if any, and the lines of the address from the innermost outward.
  std::pair<Dwarf_Die*, std::vector<SourceLine>> lines_at(std::uint32_t code) {
    if (!module_) return {};
    const Dwarf_Addr address = program_base() + code - 1;  // the call, not what follows it
    Dwarf_Addr bias = 0;
    Dwarf_Die* unit = dwfl_module_addrdie(module_, address, &bias);
    if (!unit) return {};
    return {unit, chain(*unit, address, address - bias)};
  }

  /// A rung that is built elsewhere has another folder in __FILE__ than in its debugging information.
  static std::string file_name(const std::string& path) { return std::filesystem::path(path).filename(); }

  SourceLine line_at(Dwarf_Addr address) {
    int number = 0;
    if (Dwfl_Line* line = dwfl_module_getsrc(module_, address))
      if (const char* file = dwfl_lineinfo(line, nullptr, &number, nullptr, nullptr, nullptr))
        return {file, number};
    return {};
  }

  /// Lines at the address from the innermost inlined function outward.
  std::vector<SourceLine> chain(Dwarf_Die& unit, Dwarf_Addr address, Dwarf_Addr pc) {
    std::vector<SourceLine> inner_to_outer = {line_at(address)};
    Dwarf_Files* files = nullptr;
    if (dwarf_getsrcfiles(&unit, &files, nullptr) != 0) return inner_to_outer;
    std::vector<Call> calls;  // outermost first
    for (const Function& function : functions_of(unit)) {
      if (pc < function.begin || pc >= function.end) continue;
      Dwarf_Die die = function.die;
      if (dwarf_haspc(&die, pc) <= 0) continue;
      descend(die, pc, files, calls);
      break;
    }
    // A copy constructor that the compiler has made has the line of the structure: that of the copy is its
    // caller's.
    for (auto call = calls.rbegin(); call != calls.rend(); ++call) {
      if (call->artificial) inner_to_outer.pop_back();
      inner_to_outer.push_back(call->line);
    }
    return inner_to_outer;
  }

  /// Follows the inlined functions that hold the address, from the outermost inward.
  static void descend(Dwarf_Die parent, Dwarf_Addr pc, Dwarf_Files* files, std::vector<Call>& calls) {
    Dwarf_Die child;
    if (dwarf_child(&parent, &child) != 0) return;
    do {
      if (dwarf_haspc(&child, pc) <= 0) continue;
      if (dwarf_tag(&child) == DW_TAG_inlined_subroutine) {
        const char* file = dwarf_filesrc(files, number(child, DW_AT_call_file), nullptr, nullptr);
        calls.push_back(
            {{file ? file : "?", static_cast<int>(number(child, DW_AT_call_line))}, is_artificial(child)});
      }
      descend(child, pc, files, calls);
      return;
    } while (dwarf_siblingof(&child, &child) == 0);
  }

  /// Made by the compiler; the call operator of a lambda is marked so, too.
  static bool is_artificial(Dwarf_Die& function) {
    Dwarf_Attribute memory;
    return dwarf_attr_integrate(&function, DW_AT_artificial, &memory) && !is_call_operator(function);
  }

  static bool is_call_operator(Dwarf_Die& function) {
    Dwarf_Attribute memory;
    const char* name = dwarf_formstring(dwarf_attr_integrate(&function, DW_AT_name, &memory));
    return name && std::string_view(name) == "operator()";
  }

  static Dwarf_Word number(Dwarf_Die& die, unsigned attribute) {
    Dwarf_Attribute memory;
    Dwarf_Word value = 0;
    dwarf_formudata(dwarf_attr(&die, attribute, &memory), &value);
    return value;
  }

  const std::vector<Function>& functions_of(Dwarf_Die& unit) {
    const auto [found, is_new] = functions_.try_emplace(dwarf_dieoffset(&unit));
    if (is_new) collect(unit, found->second);
    return found->second;
  }

  /// Functions with code, also of namespaces and classes, and the lambdas inside functions that were not
  /// inlined.
  static void collect(Dwarf_Die parent, std::vector<Function>& functions) {
    Dwarf_Die child;
    if (dwarf_child(&parent, &child) != 0) return;
    do {
      const int tag = dwarf_tag(&child);
      if (tag == DW_TAG_namespace || tag == DW_TAG_module || tag == DW_TAG_structure_type ||
          tag == DW_TAG_class_type || tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block)
        collect(child, functions);
      if (tag != DW_TAG_subprogram) continue;
      Dwarf_Addr base = 0, begin = 0, end = 0;
      for (ptrdiff_t at = 0; (at = dwarf_ranges(&child, at, &base, &begin, &end)) > 0;)
        functions.push_back({child, begin, end});
    } while (dwarf_siblingof(&child, &child) == 0);
  }

  /// Where the functions of a file begin, lambdas excepted: those belong to the text around them.
  const std::set<int>& starts_of(Dwarf_Die& unit, const std::string& file) {
    const auto [found, is_new] = starts_.try_emplace({dwarf_dieoffset(&unit), file});
    if (is_new) collect_starts(unit, file, found->second);
    return found->second;
  }

  static void collect_starts(Dwarf_Die parent, const std::string& file, std::set<int>& starts) {
    Dwarf_Die child;
    if (dwarf_child(&parent, &child) != 0) return;
    do {
      const int tag = dwarf_tag(&child);
      if (tag == DW_TAG_namespace || tag == DW_TAG_structure_type || tag == DW_TAG_class_type)
        collect_starts(child, file, starts);
      if (tag != DW_TAG_subprogram || is_call_operator(child)) continue;
      int line = 0;
      const char* declared = dwarf_decl_file(&child);
      if (declared && file_name(declared) == file && dwarf_decl_line(&child, &line) == 0) starts.insert(line);
    } while (dwarf_siblingof(&child, &child) == 0);
  }

  /// Not the executor's or the wrappers', not a system header.
  static bool is_students(const SourceLine& line) {
    for (const char* system : {"/usr/", "?", "<"})
      if (line.file.starts_with(system)) return false;
    return line.line > 0 && !holds(line.file, headers) && !holds(line.file, "common/device/");
  }

  Dwfl* session_ = nullptr;
  Dwfl_Module* module_ = nullptr;
  std::map<Dwarf_Off, std::vector<Function>> functions_;               // by compilation unit
  std::map<std::pair<Dwarf_Off, std::string>, std::set<int>> starts_;  // by compilation unit and file
};

}  // namespace

std::string shown_path(std::string path) {
  constexpr std::string_view project = LADDER_PROJECT_FOLDER;
  // Headers of the project are written as found: /project/build/../common/executor/...
  for (std::size_t up; (up = path.find("/../")) != std::string::npos && up > 0;) {
    const std::size_t folder = path.rfind('/', up - 1);
    if (folder == std::string::npos) break;
    path.erase(folder, up + 3 - folder);
  }
  // Compilers that were given paths from the build folder: ../gpu-ladder/common/executor/...
  while (path.starts_with("../")) path.erase(0, 3);
  const std::string_view folder = project.substr(project.rfind('/', project.size() - 2) + 1);
  if (path.starts_with(folder)) path.erase(0, folder.size());
  if (path.starts_with(project)) path.erase(0, project.size());
  return path;
}

namespace {

struct Known {
  std::mutex mutex;
  DebugInformation information;
  std::map<std::uint32_t, SourceLine> lines;
  std::map<std::uint32_t, bool> in_headers;
};

Known& known() {
  static auto* const all = new Known;
  return *all;
}

}  // namespace

SourceLine line_of(std::uint32_t code) {
  std::lock_guard lock(known().mutex);
  const auto [found, is_new] = known().lines.try_emplace(code);
  if (is_new) found->second = known().information.line(code);
  return found->second;
}

int line_in_function_of(const SourceLine& other, std::uint32_t code) {
  std::lock_guard lock(known().mutex);
  return known().information.line_in_function_of(other, code);
}

bool in_headers(std::uint32_t code) {
  std::lock_guard lock(known().mutex);
  const auto [found, is_new] = known().in_headers.try_emplace(code);
  if (is_new) found->second = holds(known().information.innermost(code).file, headers);
  return found->second;
}

}  // namespace ladder::executor
