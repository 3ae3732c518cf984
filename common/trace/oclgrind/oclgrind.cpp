#include "common/trace/oclgrind/oclgrind.hpp"

#include <charconv>
#include <cstdlib>
#include <filesystem>

#include "common/base/error.hpp"
#include "common/base/text/text.hpp"

namespace ladder {
namespace {

/// "1,234" -> 1234; -1 when it is no number. Oclgrind groups digits where the locale does.
double parse_count(std::string_view text) {
  std::string digits;
  for (const char c : text)
    if (c != ',' && c != '.' && c != '\'') digits += c;
  unsigned long long value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size()) return -1;
  return static_cast<double>(value);
}

/// The name in "Instructions executed for kernel 'name':"; empty for another line. The program's own output
/// may precede it when that did not end its line.
std::string_view kernel_in(std::string_view line) {
  constexpr std::string_view before = "Instructions executed for kernel '", after = "':";
  const auto start = line.find(before);
  if (start == line.npos || !line.ends_with(after)) return {};
  const auto name = line.substr(start + before.size());
  return name.substr(0, name.size() - after.size());
}

Oclgrind::Environment common_environment(const Oclgrind& oclgrind) {
  Oclgrind::Environment environment{
      {"LD_PRELOAD", oclgrind.library},
      {"LC_ALL", "C"},
      // Messages and counters need lines, not variables. Oclgrind asks for both, and to note where each value
      // of a long unrolled loop is takes clang seconds.
      {"OCLGRIND_BUILD_OPTIONS", "-debug-info-kind=line-tables-only"}};
  if (oclgrind.plugin.empty()) return environment;
  // Ours first: it comes before Oclgrind's own launch of kernels.
  environment["LD_PRELOAD"] = oclgrind.plugin + ":" + oclgrind.library;
  environment["OCLGRIND_PLUGINS"] = oclgrind.plugin;
  return environment;
}

}  // namespace

InstructionCounts parse_instruction_counts(std::string_view text) {
  InstructionCounts counts;
  std::map<std::string, double>* kernel = nullptr;
  while (!text.empty()) {
    const auto end = text.find('\n');
    const std::string_view line = trim(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    if (const auto name = kernel_in(line); !name.empty()) {
      kernel = &counts[std::string(name)];
      continue;
    }
    const auto dash = line.find(" - ");
    const double count = dash == line.npos ? -1 : parse_count(trim(line.substr(0, dash)));
    if (kernel == nullptr || count < 0) {
      kernel = nullptr;  // the table of a kernel ends at the first line that is none of its rows
      continue;
    }
    std::string_view instruction = trim(line.substr(dash + 3));
    // "load global (200 bytes)": the bytes are a second number, not a part of the name
    if (instruction.ends_with(" bytes)")) instruction = trim(instruction.substr(0, instruction.rfind('(')));
    (*kernel)[std::string(instruction)] += count;
  }
  return counts;
}

double branches(const InstructionCounts& counts, std::string_view kernel) {
  double sum = 0;
  bool found = false;
  for (const auto& [name, instructions] : counts) {
    if (name.find(kernel) == name.npos) continue;
    found = true;
    for (const char* branch : {"br", "switch"})
      if (const auto count = instructions.find(branch); count != instructions.end()) sum += count->second;
  }
  if (!found)
    throw Error("Oclgrind counted no kernel" + (kernel.empty() ? "" : " '" + std::string(kernel) + "'"));
  return sum;
}

Oclgrind::Environment Oclgrind::environment_of_instructions() const {
  Environment environment = common_environment(*this);
  environment["OCLGRIND_INST_COUNTS"] = "1";
  return environment;
}

Oclgrind::Environment Oclgrind::environment_of_counters(const std::string& record) const {
  Environment environment = common_environment(*this);
  environment["LADDER_OCLGRIND_RECORD"] = record;
  return environment;
}

Oclgrind::Environment Oclgrind::environment_of_findings(const std::string& log) const {
  Environment environment = common_environment(*this);
  // With our plugin Oclgrind's own log is not needed, and its limit would keep late messages from us.
  environment["OCLGRIND_LOG"] = plugin.empty() ? log : "/dev/null";
  if (!plugin.empty()) {
    environment["LADDER_OCLGRIND_LOG"] = log;
    environment["OCLGRIND_UNIFORM_WRITES"] = "1";  // means: report them
    // Without the plugin, which fixes this, Oclgrind reports memory as unwritten that the host has written in
    // parts.
    environment["OCLGRIND_UNINITIALIZED"] = "1";
  }
  environment["OCLGRIND_DATA_RACES"] = "1";
  environment["OCLGRIND_NUM_THREADS"] = "1";  // the same messages in the same order in every run
  return environment;
}

Oclgrind find_oclgrind(const std::string& plugin) {
  if (const char* given = std::getenv("LADDER_OCLGRIND")) {
    if (std::filesystem::exists(given)) return {given, "", plugin};
    return {"", std::string("LADDER_OCLGRIND names ") + given + ", which is not there", ""};
  }
  for (const char* path : {"/usr/lib/oclgrind/liboclgrind-rt.so", "/usr/local/lib/oclgrind/liboclgrind-rt.so",
                           "/usr/lib64/oclgrind/liboclgrind-rt.so"})
    if (std::filesystem::exists(path)) return {path, "", plugin};
  return {"", "Oclgrind is not installed (package oclgrind)", ""};
}

}  // namespace ladder
