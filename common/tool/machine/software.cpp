#include "common/tool/machine/software.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "common/base/files/json_file.hpp"
#include "common/base/process/process.hpp"
#include "common/base/usage_error.hpp"

namespace ladder {
namespace fs = std::filesystem;
using nlohmann::json;
namespace {

constexpr double probe_seconds = 20;  // a driver that has not answered by then hangs

std::string setting(const char* name, const char* otherwise = "") {
  const char* value = std::getenv(name);
  return value && *value ? value : otherwise;
}

/// The first number with a dot in a text: versions have one, years of copyright do not.
std::string first_version(const std::string& text) {
  const char* digits = "0123456789";
  for (std::size_t at = text.find_first_of(digits); at != std::string::npos;
       at = text.find_first_of(digits, at)) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789.", at), text.size());
    std::string number = text.substr(at, end - at);
    while (number.back() == '.') number.pop_back();
    if (number.find('.') != std::string::npos) return number;
    at = end;
  }
  return "found";
}

std::string version_of(const std::string& program) {
  const std::string path = find_program(program);
  if (path.empty()) return "";
  return first_version(run_process({.arguments = {path, "--version"}, .seconds = 10}).output);
}

json versions() {
  json all;
  const std::string compiler = setting("CXX", "g++");
  for (const std::string& program :
       {compiler, std::string("cmake"), std::string("ninja"), std::string("nvcc"), std::string("mpirun"),
        std::string("oclgrind"), std::string("compute-sanitizer"), std::string("ncu"),
        std::string("bwrap")}) {
    if (const std::string version = version_of(program); !version.empty())
      all[program == compiler ? "compiler" : program] = version;
  }
#ifdef LADDER_OPENBLAS_VERSION
  all["openblas"] = LADDER_OPENBLAS_VERSION;
#endif
  all["compiler"] = fs::path(compiler).filename().string() + " " + all.value("compiler", std::string("?"));
  return all;
}

/// Runs a probe and reads what it printed; {"problem": …} when it crashed or hung.
json ask(const std::string& probe, const std::map<std::string, std::string>& environment = {},
         const std::vector<std::string>& options = {}) {
  std::vector<std::string> command{(harness_folder() / "bin" / probe).string()};
  command.insert(command.end(), options.begin(), options.end());
  const ProcessResult ended = run_process(
      {.arguments = command, .environment = environment, .seconds = probe_seconds, .output_only = true});
  const json answer = json::parse(ended.output, nullptr, false);
  if (ended.ok() && answer.is_object()) return answer;
  if (!ended.error.empty()) return {{"problem", ended.error}};
  if (ended.timed_out) return {{"problem", fmt::format("does not answer within {} s", probe_seconds)}};
  if (ended.status > 128) return {{"problem", fmt::format("crashes (signal {})", ended.status - 128)}};
  return {{"problem", fmt::format("fails (status {})", ended.status)}};
}

/// Asks the OpenCL drivers; when they take the probe down, asks each alone to name the one that does.
json ask_opencl() {
  const fs::path layer = harness_folder() / "lib" / "libladder-probe-layer.so";
  json answer = ask("probe-opencl", {{"OPENCL_LAYERS", layer.string()}});
  if (!answer.contains("problem")) return answer;
  const fs::path vendors = setting("OCL_ICD_VENDORS", "/etc/OpenCL/vendors");
  std::error_code ignored;
  for (const auto& file : fs::directory_iterator(vendors, ignored)) {
    if (file.path().extension() != ".icd") continue;
    const json alone =
        ask("probe-opencl", {{"OPENCL_LAYERS", ""}, {"OCL_ICD_VENDORS", file.path().string()}});
    if (alone.contains("problem")) {
      return {{"problem", fmt::format("the OpenCL driver of {} {}", file.path().string(),
                                      alone["problem"].get<std::string>())}};
    }
  }
  return {{"problem", "OpenCL " + answer["problem"].get<std::string>()}};
}

std::string stamp(const fs::path& file) {
  std::error_code error;
  const auto time = fs::last_write_time(file, error);
  return error ? "-" : std::to_string(time.time_since_epoch().count());
}

/// Changes when anything does that the answers depend on: start of the machine, packages, drivers, settings.
std::string answers_key() {
  std::string key = read_text("/proc/sys/kernel/random/boot_id") + read_text("/proc/driver/nvidia/version");
  for (const char* name :
       {"PATH", "LD_LIBRARY_PATH", "OCL_ICD_VENDORS", "OCL_ICD_FILENAMES", "POCL_DEVICES",
        "CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES", "CUDA_HOME", "CXX", "LADDER_PREFIX"}) {
    key += fmt::format("{}={}\n", name, setting(name));
  }
  const fs::path vendors = setting("OCL_ICD_VENDORS", "/etc/OpenCL/vendors"), bin = harness_folder() / "bin";
  for (const fs::path& file : {fs::path("/var/lib/dpkg/status"), fs::path("/etc/ld.so.cache"),
                               fs::path("/dev/nvidia0"), vendors, bin / "probe-opencl", bin / "probe-cuda"}) {
    key += stamp(file) + "\n";
  }
  return key;
}

std::string os_name() {
  std::ifstream file("/etc/os-release");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("PRETTY_NAME=", 0) == 0) return line.substr(13, line.size() - 14);
  }
  return "";
}

std::string cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  }
  return "";
}

/// Whether it is there: a file, a program here, a library or a header where CMake found it, which the build
/// folder says (found/<sign>).
bool is_there(const std::string& sign) {
  if (sign.starts_with("/")) return fs::exists(sign);
  if (sign == "*.icd") {
    std::error_code none;
    for (const auto& file : fs::directory_iterator(setting("OCL_ICD_VENDORS", "/etc/OpenCL/vendors"), none))
      if (file.path().extension() == ".icd") return true;
    return false;
  }
  const bool program = sign.rfind("lib", 0) != 0 && sign.find('/') == std::string::npos;
  return program ? !find_program(sign).empty() : !read_text(harness_folder() / "found" / sign).empty();
}

}  // namespace

std::vector<fs::path> package_lists(const fs::path& root) {
  std::vector<fs::path> lists;
  std::error_code none;
  for (const auto& lesson : fs::directory_iterator(root / "lessons", none))
    if (const fs::path list = lesson.path() / "given/packages.txt"; fs::exists(list, none))
      lists.push_back(list);
  std::sort(lists.begin(), lists.end());
  lists.insert(lists.begin(), root / "common/tool/packages.txt");
  return lists;
}

json software(bool fresh) {
  const fs::path file = build_folder() / "machine.json";
  const std::string key = answers_key();
  const json kept = read_json(file);
  if (!fresh && kept.is_object() && kept.value("key", std::string()) == key) return kept["answers"];
  json answers = {{"versions", versions()},
                  {"opencl", ask_opencl()},
                  {"cuda", ask("probe-cuda")},
                  {"confinement", ask("confine", {}, {"--tell"})}};
  try {
    write_text(file, json{{"key", key}, {"answers", answers}}.dump());
  } catch (const UsageError&) {
    // Remembering only saves time.
  }
  return answers;
}

std::vector<model::MissingSoftware> missing_software(bool gpu) {
  std::vector<model::MissingSoftware> missing;
  for (const fs::path& list : package_lists(setting("LADDER_ROOT", "."))) {
    std::ifstream table(list);
    for (std::string line; std::getline(table, line);) {
      std::istringstream words(line);
      std::string group, sign, package, reason;
      words >> group >> sign >> package >> std::ws;
      std::getline(words, reason);
      // What a verb does not work without comes with the verb.
      if (group.empty() || group[0] == '#' || group[0] == '*' || (group == "gpu" && !gpu) || is_there(sign))
        continue;
      missing.push_back(
          {sign, reason,
           package == "-" ? "NVIDIA's CUDA toolkit, 12.2 or newer" : "apt-get install " + package});
    }
  }
  return missing;
}

model::Machine host_facts() {
  utsname system{};
  uname(&system);
  cpu_set_t usable;
  model::Machine host{.cpu = cpu_name(), .architecture = system.machine};
  if (host.cpu.empty()) host.cpu = system.machine;
  host.cores = sched_getaffinity(0, sizeof usable, &usable) == 0
                   ? CPU_COUNT(&usable)
                   : static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  host.os = os_name();
  host.kernel = system.release;
  getloadavg(&host.load, 1);
  host.memory_bytes = double(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  return host;
}

std::string commit_of(const fs::path& root) {
  std::string commit = setting("LADDER_COMMIT");  // of a copy, which may be in a checkout of another one
  if (commit.empty())                             // of a handout, whose own git would know another one
    if (const json list = read_json(root / ".handout/handout.json"); list.is_object())
      commit = list.value("commit", "");
  if (commit.empty()) {
    const ProcessResult asked = run_process(
        {.arguments = {"git", "-C", root, "describe", "--always", "--exclude=*", "--abbrev=10", "--dirty=+"},
         .seconds = 20,
         .output_only = true});
    if (asked.ok()) commit = asked.output;
  }
  return commit.substr(0, commit.find_first_of(" \n"));
}

}  // namespace ladder
