#include "common/executor/runtime/symbols.hpp"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

#include "common/base/text/kernel_name.hpp"

/// A program of several mutants has the mangled name of the namespace of the one that it is now:
/// "17ladder_mutant_007". Shared variables of the others are not there for it.
extern "C" [[gnu::weak]] const char* ladder_program_space;

namespace ladder::executor {
namespace {

/// The symbols of the program file that matter here.
struct Symbols {
  std::vector<SharedVariable> shared;                      // mangled: _ZZ <function> E <name> B11cuda_shared
  std::map<std::uintptr_t, std::string> functions;         // by address in the file
  std::map<std::uintptr_t, DataVariable> data, constants;  // by address in the file
  std::map<std::string, std::uintptr_t, std::less<>>
      bounds;  // of launches, by inside_function() of the kernel: addresses
  std::map<std::uintptr_t, std::string>
      marks;  // of kernels, by address in the file: what kernel_of_mark() gives
  std::vector<std::size_t> thread_local_begins;  // of all thread-local variables, in order
};

constexpr std::string_view mark_ending = "E27ladder_executor_kernel_mark";
constexpr std::string_view bounds_ending = "E22ladder_executor_bounds";
constexpr std::string_view constant_tag = "B13cuda_constant";

/// A variable with the tag; guards and wrappers of the compiler carry it too and begin otherwise.
bool is_shared_variable(std::string_view name) {
  return name.find(shared_tag) != std::string_view::npos &&
         (name.starts_with("_ZZ") || name.starts_with("_ZL") ||
          (name.starts_with("_Z") && !name.starts_with("_ZGV") && !name.starts_with("_ZT")));
}

bool is_of_another_mutant(std::string_view name) {
  return &ladder_program_space && ladder_program_space && name.find(mutant_space) != name.npos &&
         name.find(ladder_program_space) == name.npos;
}

/// What kernels share as global memory: neither constants nor the executor's own variables.
bool is_device_variable(std::string_view name, bool writable) {
  return writable && !name.starts_with("ladder_executor_");
}

/// "1kPdE4tile" of "_ZZ1kPdE4tile": begins with the mangled name of the outermost function, also for what is
/// in a lambda of that function, "_ZZZ1kPdENKUlvE_clEvE4tile". Empty for what is in no function.
std::string_view inside_function(std::string_view name) {
  if (!name.starts_with("_ZZ")) return {};
  return name.substr(std::min(name.find_first_not_of('Z', 1), name.size()));
}

/// In the order of memory, with the kernels that they belong to. No mangled name of parameters begins with E.
void complete(Symbols& symbols) {
  std::ranges::sort(symbols.thread_local_begins);
  std::ranges::sort(symbols.shared, {}, &SharedVariable::offset);
  for (SharedVariable& variable : symbols.shared) {
    const std::string_view name = inside_function(variable.symbol);
    for (const auto& [address, kernel] : symbols.marks)
      if (name.size() > kernel.size() && name[kernel.size()] == 'E' && name.starts_with(kernel))
        variable.kernel = kernel;
  }
}

/// A bound that is no constant (a parameter of the kernel has the name) is in no section for constants.
void read_bound(std::string_view name, const Elf64_Sym& symbol, std::span<const Elf64_Shdr> sections,
                Symbols& symbols) {
  if (symbol.st_shndx >= sections.size() || sections[symbol.st_shndx].sh_flags & SHF_WRITE) return;
  name.remove_suffix(bounds_ending.size());
  symbols.bounds.emplace(inside_function(name), symbol.st_value);
}

void read_table(const char* file, std::size_t bytes, std::span<const Elf64_Shdr> sections,
                const Elf64_Shdr& table, Symbols& symbols) {
  const Elf64_Shdr& strings = sections[table.sh_link];
  if (table.sh_offset + table.sh_size > bytes || strings.sh_offset + strings.sh_size > bytes) return;
  const auto* symbol = reinterpret_cast<const Elf64_Sym*>(file + table.sh_offset);
  for (std::size_t i = 0; i < table.sh_size / sizeof(Elf64_Sym); ++i, ++symbol) {
    if (symbol->st_name >= strings.sh_size || symbol->st_shndx == SHN_UNDEF) continue;
    const char* name = file + strings.sh_offset + symbol->st_name;
    const int type = ELF64_ST_TYPE(symbol->st_info);
    if (type == STT_TLS) symbols.thread_local_begins.push_back(symbol->st_value);
    if (type != STT_FUNC && is_of_another_mutant(name)) continue;
    if (type == STT_TLS && symbol->st_size > 0 && is_shared_variable(name))
      symbols.shared.push_back({symbol->st_value, symbol->st_size, name});
    else if (type == STT_OBJECT && std::string_view(name).ends_with(mark_ending))
      symbols.marks.emplace(symbol->st_value,
                            inside_function(std::string_view(name, std::strlen(name) - mark_ending.size())));
    else if (type == STT_OBJECT && std::string_view(name).ends_with(bounds_ending))
      read_bound(name, *symbol, sections, symbols);
    else if (type == STT_FUNC)
      symbols.functions.emplace(symbol->st_value, name);
    else if (type == STT_OBJECT && symbol->st_size > 0 &&
             std::string_view(name).find(constant_tag) != std::string_view::npos)
      symbols.constants.emplace(symbol->st_value, DataVariable{symbol->st_value, symbol->st_size, name});
    else if (type == STT_OBJECT && symbol->st_size > 0 && symbol->st_shndx < sections.size() &&
             is_device_variable(name, sections[symbol->st_shndx].sh_flags & SHF_WRITE))
      symbols.data.emplace(symbol->st_value, DataVariable{symbol->st_value, symbol->st_size, name});
  }
}

Symbols read_program() {
  Symbols symbols;
  const int descriptor = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  struct stat status {};
  if (descriptor < 0 || fstat(descriptor, &status) != 0) return symbols;
  const auto bytes = static_cast<std::size_t>(status.st_size);
  void* memory = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, descriptor, 0);
  close(descriptor);
  if (memory == MAP_FAILED) return symbols;
  const char* file = static_cast<const char*>(memory);
  const auto* header = reinterpret_cast<const Elf64_Ehdr*>(file);
  if (bytes > sizeof *header && std::memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
      header->e_shoff + std::size_t{header->e_shnum} * sizeof(Elf64_Shdr) <= bytes) {
    const std::span sections(reinterpret_cast<const Elf64_Shdr*>(file + header->e_shoff), header->e_shnum);
    for (const Elf64_Shdr& section : sections)
      if (section.sh_type == SHT_SYMTAB && section.sh_link < sections.size())
        read_table(file, bytes, sections, section, symbols);
  }
  munmap(memory, bytes);
  complete(symbols);
  return symbols;
}

const Symbols& symbols() {
  static const Symbols* const all = new Symbols(read_program());
  return *all;
}

/// The program is the first in the list of loaded objects.
int program(dl_phdr_info* info, std::size_t, void* result) {
  *static_cast<dl_phdr_info*>(result) = *info;
  return 1;
}

dl_phdr_info program_info() {
  dl_phdr_info info{};
  dl_iterate_phdr(program, &info);
  return info;
}

/// Function part of a local variable's mangled name: "_ZZ" function "E" variable.
bool belongs_to(const SharedVariable& variable, std::string_view function) {
  const std::string_view name = variable.symbol;
  return function.starts_with("_Z") && name.starts_with("_ZZ") &&
         name.substr(3).starts_with(function.substr(2)) && name.size() > function.size() + 1 &&
         name[function.size() + 1] == 'E';
}

const DataVariable* holder_of(const std::map<std::uintptr_t, DataVariable>& variables, const void* address) {
  const auto place = reinterpret_cast<std::uintptr_t>(address) - program_base();
  const auto after = variables.upper_bound(place);
  if (after == variables.begin()) return nullptr;
  const DataVariable& variable = std::prev(after)->second;
  return place < variable.begin + variable.bytes ? &variable : nullptr;
}

const std::string* function_at(const void* address) {
  const auto found = symbols().functions.find(reinterpret_cast<std::uintptr_t>(address) - program_base());
  return found == symbols().functions.end() ? nullptr : &found->second;
}

}  // namespace

std::pair<std::uintptr_t, std::uintptr_t> function_around(std::uintptr_t address) {
  const auto& functions = symbols().functions;
  const auto next = functions.upper_bound(address - program_base());
  if (next == functions.begin() || next == functions.end()) return {};
  return {program_base() + std::prev(next)->first, program_base() + next->first};
}

char* thread_local_memory() {
  static thread_local char* memory = nullptr;
  if (!memory) memory = static_cast<char*>(program_info().dlpi_tls_data);
  return memory;
}

const std::vector<SharedVariable>& shared_variables() {
  return symbols().shared;
}

const std::string& kernel_of_mark(const void* mark) {
  static const std::string unknown;
  const auto found = symbols().marks.find(reinterpret_cast<std::uintptr_t>(mark) - program_base());
  return found == symbols().marks.end() ? unknown : found->second;
}

bool behind_shared_variable(const void* address) {
  if (!in_thread_local_memory(address)) return false;
  const auto offset = static_cast<std::size_t>(static_cast<const char*>(address) - thread_local_memory());
  const auto& begins = symbols().thread_local_begins;
  const auto& shared = symbols().shared;
  const auto next = std::ranges::upper_bound(begins, offset);
  const auto after = std::ranges::upper_bound(shared, offset, {}, &SharedVariable::offset);
  if (next == begins.begin() || after == shared.begin()) return false;
  const SharedVariable& before = *std::prev(after);
  return before.offset == *std::prev(next) && offset >= before.offset + before.bytes;
}

const DataVariable* data_variable_at(const void* address) {
  return holder_of(symbols().data, address);
}

const DataVariable* constant_variable_at(const void* address) {
  return holder_of(symbols().constants, address);
}

/// The symbol of a C function has no parameters: the variables in it have its name's length before the name.
unsigned launch_bound(const void* kernel) {
  const std::string* name = kernel ? function_at(kernel) : nullptr;
  if (!name) return 0;
  const std::string key = name->starts_with("_Z") ? name->substr(2) : std::to_string(name->size()) + *name;
  const auto found = symbols().bounds.find(key);
  if (found == symbols().bounds.end()) return 0;
  return *reinterpret_cast<const unsigned*>(program_base() + found->second);
}

bool in_program(const void* address) {
  static const dl_phdr_info info = program_info();
  const auto place = reinterpret_cast<std::uintptr_t>(address) - info.dlpi_addr;
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const auto& part = info.dlpi_phdr[i];
    if (part.p_type == PT_LOAD && place - part.p_vaddr < part.p_memsz) return true;
  }
  return false;
}

bool in_thread_local_memory(const void* address) {
  static const std::size_t bytes = [] {
    const dl_phdr_info info = program_info();
    for (int i = 0; i < info.dlpi_phnum; ++i)
      if (info.dlpi_phdr[i].p_type == PT_TLS) return static_cast<std::size_t>(info.dlpi_phdr[i].p_memsz);
    return std::size_t{0};
  }();
  const char* const begin = thread_local_memory();
  return begin && address >= begin && address < begin + bytes;
}

std::string variable_name(const std::string& symbol) {
  std::string name = demangled(symbol);
  if (const auto tag = name.find("[abi:"); tag != std::string::npos) name.erase(tag);
  const auto scope = name.rfind("::");
  return scope == std::string::npos ? name : name.substr(scope + 2);
}

void poison_static_shared(unsigned char byte) {
  if (symbols().shared.empty()) return;
  char* const memory = thread_local_memory();
  if (!memory) return;
  for (const SharedVariable& variable : symbols().shared)
    std::memset(memory + variable.offset, byte, variable.bytes);
}

std::size_t static_shared_bytes(const void* kernel) {
  const std::string* name = function_at(kernel);
  std::size_t sum = 0;
  if (!name) return 0;
  for (const SharedVariable& variable : symbols().shared)
    if (belongs_to(variable, *name)) sum += variable.bytes;
  return sum;
}

std::string kernel_name(const void* kernel) {
  const std::string* name = function_at(kernel);
  return name ? ladder::kernel_name(*name) : "kernel";
}

const char* name_of(const void* kernel) {
  static std::mutex mutex;
  static auto* const names = new std::map<const void*, std::string>;
  std::lock_guard lock(mutex);
  return names->try_emplace(kernel, kernel_name(kernel)).first->second.c_str();
}

std::string kernel_with_too_much_shared(std::size_t limit) {
  std::map<std::string, std::size_t> bytes;  // by "kernel(parameters)"
  for (const SharedVariable& variable : symbols().shared) {
    const std::string name = demangled(variable.symbol);
    const auto end = name.rfind("::");
    if (end == std::string::npos) continue;
    bytes[name.substr(0, end)] += variable.bytes;
  }
  for (const auto& [kernel, sum] : bytes)
    if (sum > limit)
      return "kernel " + without_parameters(kernel) + " declares " + std::to_string(sum) +
             " bytes of __shared__ variables; a block has " + std::to_string(limit);
  return {};
}

std::size_t program_base() {
  static const std::size_t base = program_info().dlpi_addr;
  return base;
}

}  // namespace ladder::executor
