#include "common/tool/times.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <sstream>
#include <string_view>

namespace ladder {
namespace {

/// The first that a path of the build folder has in it says what it is for.
struct Purpose {
  std::string_view mark, name;
};
constexpr Purpose purposes[] = {
    {"mutants", "mutants"},
    {"variants", "mutants"},
    {"attempts", "attempts"},
    {"worker-lessons", "skeletons"},
    {"workers/lessons", "skeletons"},
    {"generated/lessons", "skeletons"},
    {"worker-solutions", "solutions"},
    {"workers/solutions", "solutions"},
    {"generated/solutions", "solutions"},
    {"worker-given", "baselines and peers"},
    {"workers/given", "baselines and peers"},
    {"programs/", "unit tests"},
    {"tests/common", "unit tests"},
    {"tests/tool", "unit tests"},
    {"tests/test-", "unit tests"},
    {"tests/", "judges"},
    {"judge-", "judges"},
    {"judges/", "judges"},
    {"table", "judges"},
    {"main-", "judges"},
    {"generated/mains", "judges"},
};

std::string_view purpose_of(std::string_view output) {
  for (const Purpose& p : purposes)
    if (output.find(p.mark) != std::string_view::npos) return p.name;
  return "harness and tool";
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

}  // namespace

double processor_seconds_used() {
  double sum = 0;
  for (const int whose : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage used{};
    if (getrusage(whose, &used) == 0) sum += seconds(used.ru_utime) + seconds(used.ru_stime);
  }
  return sum;
}

std::int64_t now_in_ninja_log() {
  using namespace std::chrono;
  return duration_cast<nanoseconds>(system_clock::now().time_since_epoch()).count();
}

std::map<std::string, double> compiler_seconds(const std::string& log, std::int64_t since) {
  std::map<std::string, double> sums;
  std::set<std::string> known;  // a command is there once for each of its outputs
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::int64_t begin = 0, end = 0, written = 0;
    std::string output, command;
    if (!(fields >> begin >> end >> written >> output >> command) || written < since) continue;
    if (known.insert(fmt::format("{} {} {}", begin, end, command)).second)
      sums[std::string(purpose_of(output))] += static_cast<double>(end - begin) * 1e-3;
  }
  return sums;
}

std::string times_text(const std::vector<PartTime>& parts, const std::map<std::string, double>& compilers) {
  constexpr double worth_a_line = 5;
  std::string text = fmt::format("{:<44}{:>9}{:>9}{:>12}\n", "where the time went", "seconds", "CPU s", "of it ninja");
  for (const PartTime& part : parts) {
    text += fmt::format("{:<44}{:>9.1f}{:>9.1f}{:>12.1f}\n", part.name, part.seconds, part.processor, part.building);
    auto programs = part.programs;
    std::sort(programs.begin(), programs.end(), [](auto& a, auto& b) { return a.second > b.second; });
    for (const auto& [name, seconds] : programs)
      if (seconds >= worth_a_line) text += fmt::format("  {:<42}{:>9.1f}\n", name, seconds);
  }
  text += fmt::format("{:<44}{:>9}\n", "compilers, all processes added", "seconds");
  for (const auto& [name, seconds] : compilers) text += fmt::format("  {:<42}{:>9.1f}\n", name, seconds);
  return text;
}

nlohmann::json times_json(const std::vector<PartTime>& parts,
                          const std::map<std::string, double>& compilers) {
  nlohmann::json list = nlohmann::json::array();
  for (const PartTime& part : parts) {
    nlohmann::json programs = nlohmann::json::object();
    for (const auto& [name, seconds] : part.programs) programs[name] = seconds;
    list.push_back({{"part", part.name},
                    {"seconds", part.seconds},
                    {"processor", part.processor},
                    {"building", part.building},
                    {"programs", programs}});
  }
  return {{"parts", list}, {"compiler_seconds", compilers}};
}

}  // namespace ladder
