#include "common/tool/maintain/testing/times.hpp"
#include "common/base/error.hpp"
#include "common/model/document_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <set>
#include <sstream>
#include <string_view>

#include "common/base/files/json_file.hpp"
#include "common/base/text/text.hpp"
#include "common/report/results/results.hpp"

namespace ladder {
namespace {

/// The first that a path of the build folder has in it says what it is for.
struct Purpose {
  std::string_view mark, name;
};
constexpr Purpose purposes[] = {
    {"nvcc/", "nvcc"},
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

}  // namespace

std::int64_t now_in_ninja_log() {
  using namespace std::chrono;
  return duration_cast<nanoseconds>(system_clock::now().time_since_epoch()).count();
}

std::map<std::string, double> compiler_seconds(const std::string& log, std::int64_t since) {
  std::map<std::string, double> sums;
  std::set<std::string> known;  // a command is there once for each of its outputs
  for (const std::string& line : lines_of(log)) {
    std::istringstream fields(line);
    std::int64_t begin = 0, end = 0, written = 0;
    std::string output, command;
    if (!(fields >> begin >> end >> written >> output >> command) || written < since) continue;
    if (known.insert(fmt::format("{} {} {}", begin, end, command)).second)
      sums[std::string(purpose_of(output))] += static_cast<double>(end - begin) * 1e-3;
  }
  return sums;
}

std::optional<double> expected_cost(const std::filesystem::path& root, const std::string& job) {
  static const auto costs = [&] {
    std::map<std::string, double> found;
    std::error_code none;
    for (const auto& machine : std::filesystem::directory_iterator(root / "docs/results", none)) {
      const std::filesystem::path file = machine.path() / "tests.json";
      if (!std::filesystem::exists(file)) continue;
      try {
        const auto stored = model::document_from_json(need_json(file), file.string());
        for (const JobTime& one : stored.times.value_or(TestTimes{}).jobs) found[one.name] = one.processor;
      } catch (const Error&) {
        // The page of tests says what is wrong with it; here the costs are those of the jobs themselves.
      }
    }
    return found;
  }();
  const auto found = costs.find(job);
  return found == costs.end() ? std::nullopt : std::optional<double>(found->second);
}

void take_steps(TestTimes& times, const std::vector<model::LessonResults>& results) {
  for (const model::LessonResults& lesson : results)
    for (const model::DocumentStep& step : lesson.steps) {
      const double seconds = step.processor.value_or(0);
      times.lessons[step.lesson] += seconds;
      times.steps[fmt::format("{} {}{}", step.tree, report::label(step),
                              step.mutant.empty() ? "" : "~" + step.mutant)] += seconds;
    }
}

std::string times_text(const TestTimes& times) {
  constexpr double worth_a_line = 5;
  std::string text = fmt::format("{:<56}{:>9}{:>9}\n", "where the time went", "seconds", "CPU s");
  const auto line = [&](const std::string& name, double seconds, double processor) {
    text += fmt::format("{:<56}{:>9.1f}{:>9.1f}\n", name, seconds, processor);
  };
  const auto longest = [&](std::vector<JobTime> jobs) {
    std::sort(jobs.begin(), jobs.end(), [](auto& a, auto& b) { return a.processor > b.processor; });
    for (const JobTime& job : jobs)
      if (job.processor >= worth_a_line) line("  " + job.name, job.seconds, job.processor);
  };
  for (const PartTime& part : times.parts) {
    line(part.name, part.seconds, part.processor);
    std::vector<JobTime> mine;
    std::copy_if(times.jobs.begin(), times.jobs.end(), std::back_inserter(mine),
                 [&](const JobTime& job) { return job.part == part.name; });
    longest(std::move(mine));
  }
  line("builds", 0, times.building);
  line("all", times.seconds, times.processor);
  text += fmt::format("{:<56}{:>9}\n", "compilers, all processes added", "seconds");
  for (const auto& [name, seconds] : times.compilers)
    text += fmt::format("  {:<54}{:>9.1f}\n", name, seconds);
  text += fmt::format("{:<65}{:>9}\n", "judging, by lesson", "CPU s");
  for (const auto& [name, seconds] : times.lessons)
    text += fmt::format("  {:<63}{:>9.1f}{}\n", name, seconds,
                        seconds > lesson_limit
                            ? fmt::format("  more than {:.0f}: too much for one lesson", lesson_limit)
                            : "");
  text += fmt::format("{:<65}{:>9}\n", "judging, rungs and mutants that took longest", "CPU s");
  std::vector<JobTime> steps;
  for (const auto& [name, seconds] : times.steps) steps.push_back({"", name, 0, seconds});
  longest(std::move(steps));
  return text;
}

}  // namespace ladder
