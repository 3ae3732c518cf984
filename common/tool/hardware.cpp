#include "common/tool/hardware.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "common/lesson/lesson.hpp"
#include "common/report/results.hpp"
#include "common/report/table.hpp"
#include "common/tool/costs.hpp"
#include "common/tool/hardware_findings.hpp"
#include "common/tool/judging.hpp"
#include "common/tool/machine.hpp"
#include "common/tool/names.hpp"
#include "common/tool/software.hpp"
#include "common/trace/ncu.hpp"

namespace ladder {
namespace {

using nlohmann::json;

/// What the executor counts as the source says and what ncu counts of the machine's code are different things here.
constexpr const char* not_comparable[] = {
    "instructions_warps",  // basic blocks of the source against instructions of the machine
    "instructions_lanes",  //
    "fp64_operations",     // the executor does not count them
};

bool comparable(const std::string& counter) {
  return std::find(std::begin(not_comparable), std::end(not_comparable), counter) == std::end(not_comparable);
}

/// One launch, counted twice: {"kernel", "counters": {name: {"executor", "hardware"}}, "worst": largest difference}.
json beside(const LaunchCounters& executor, const LaunchCounters* hardware) {
  json row = {{"kernel", executor.kernel}, {"counters", json::object()}};
  double worst = 0;
  for (const auto& [name, value] : executor.counters) {
    json& cell = row["counters"][name] = {{"executor", value}};
    if (!hardware || !comparable(name)) continue;
    const auto there = hardware->counters.find(name);
    if (there == hardware->counters.end()) continue;
    cell["hardware"] = there->second;
    const double most = std::max(std::abs(value), std::abs(there->second));
    if (most > 0) worst = std::max(worst, std::abs(value - there->second) / most);
  }
  if (hardware) row["worst"] = worst;
  return row;
}

/// Launches of two observations of the same program, matched by kernel and order.
json beside(const Observation& executor, const Observation* hardware) {
  json rows = json::array();
  std::vector<bool> taken(hardware ? hardware->launches.size() : 0);
  for (const LaunchCounters& launch : executor.launches) {
    const LaunchCounters* other = nullptr;
    for (std::size_t i = 0; i < taken.size() && !other; ++i)
      if (!taken[i] && kernel_base_name(hardware->launches[i].kernel) == kernel_base_name(launch.kernel))
        taken[i] = true, other = &hardware->launches[i];
    rows.push_back(beside(launch, other));
  }
  return rows;
}

/// The programs of the repository whose kernels are counted: ninja's targets tests/counters/<name>; nvcc's end in .cuda.
std::vector<std::string> counted_programs(Context& context) {
  std::vector<std::string> programs = context.build.programs_in("tests/counters/");
  std::erase_if(programs, [](const std::string& target) { return target.ends_with(".cuda"); });
  return programs;
}

class Hardware {
 public:
  explicit Hardware(Context& context) : context_(context), ncu_(find_program("ncu")) {
    const auto& devices = context.placer().devices();
    const bool gpu =
        std::any_of(devices.begin(), devices.end(), [](const Device& d) { return d.family == "cuda"; });
    if (!gpu)
      why_none_ = "no CUDA GPU here";
    else if (ncu_.empty())
      why_none_ = "ncu is not installed (part of the CUDA Toolkit)";
  }

  const std::string& why_none() const { return why_none_; }

  json programs() {
    const std::vector<std::string> stems = counted_programs(context_);
    std::vector<std::string> targets;
    for (const std::string& stem : stems) {
      targets.push_back(stem);
      if (why_none_.empty() && context_.build.knows(stem + ".cuda")) targets.push_back(stem + ".cuda");
    }
    const auto failures = context_.build.make(targets, context_.build_progress());
    if (!failures.empty() && !interrupted())
      throw UsageError{failures.begin()->first + " does not build: ./ladder test --part units says why"};
    json table = json::array();
    for (const std::string& stem : stems) {
      if (interrupted()) break;
      context_.terminal.progress("counting " + stem,
                                 static_cast<double>(table.size()) / static_cast<double>(stems.size()));
      const std::optional<Observation> executor = observed(stem);
      const std::optional<Observation> hardware = executor ? counted(stem) : std::nullopt;
      if (interrupted()) break;
      table.push_back({{"program", stem.substr(stem.rfind('/') + 1)},
                       {"launches", beside(*executor, hardware ? &*hardware : nullptr)}});
    }
    return table;
  }

  /// Every CUDA solution, at the size of its target.
  json solutions() {
    std::vector<json> records;
    context_.options.tree = "solutions";
    context_.options.names = context_.catalogue.cuda_steps();
    std::vector<std::string> kinds = {"profile"};
    if (why_none_.empty())
      kinds.push_back("hardware");
    else
      context_.options.device = "executor";
    const json document = judge_names(
        context_, {.kinds = kinds, .profile_ready = [&](const json& record) { records.push_back(record); }});
    for (const json& lesson : document["lessons"])
      for (const json& step : lesson["steps"])
        if (step.value("verdict", "") != "PASS")
          context_.terminal.print(fmt::format("{}/{}  {}  {}", lesson.value("name", ""),
                                              step.value("name", ""), step.value("verdict", ""),
                                              step.value("message", "")));
    json table = json::array();
    for (const json& record : records) {
      if (record.value("record", "") != "profile") continue;
      const Observation executor = parse_observation(report::dump(record["observation"]));
      std::optional<Observation> hardware;
      if (const json other = record_of(records, "hardware", record["lesson"], record["step"]);
          other.is_object())
        hardware = parse_observation(report::dump(other["observation"]));
      table.push_back({{"step", record.value("lesson", "") + "/" + record.value("step", "")},
                       {"problem", record.value("problem", "")},
                       {"launches", beside(executor, hardware ? &*hardware : nullptr)}});
    }
    return table;
  }

 private:
  /// Nothing when Ctrl-C came.
  std::optional<Observation> observed(const std::string& stem) {
    const std::filesystem::path file = context_.scratch() / "observed.json";
    const Ended ended = run_process({.arguments = {context_.build.file(stem).string()},
                                     .environment = {{"LADDER_EXECUTOR_OBSERVE", file.string()}}});
    if (ended.interrupted) return std::nullopt;
    const std::string record = read_text(file);
    if (record.empty()) throw UsageError{stem + " kept no record: " + ended.output.substr(0, 300)};
    return parse_observation(record);
  }

  std::optional<Observation> counted(const std::string& stem) {
    if (!why_none_.empty()) return std::nullopt;
    const Ended ended =
        run_process({.arguments = ncu_command(ncu_, {context_.build.file(stem + ".cuda").string()})});
    if (ended.interrupted) return std::nullopt;
    if (const auto problem = ncu_problem(ended.output)) {
      why_none_ = *problem;
      return std::nullopt;
    }
    return parse_ncu(ended.output);
  }

  Context& context_;
  std::string ncu_, why_none_;
};

/// Rows of a table on the terminal: one a launch.
void print_counters(Context& context, const json& groups, const char* title, const char* name) {
  report::Table table({{title}, {"kernel"}, {"largest difference", true}, {"where", false, true}});
  for (const json& group : groups) {
    for (const json& launch : group["launches"]) {
      std::string where;
      for (const auto& [counter, cell] : launch["counters"].items())
        if (cell.contains("hardware") && cell["hardware"] != cell["executor"])
          where += fmt::format("{}{} {:g}, hardware {:g}", where.empty() ? "" : "; ", counter,
                               cell["executor"].get<double>(), cell["hardware"].get<double>());
      table.add({group.value(name, ""), launch.value("kernel", ""),
                 launch.contains("worst") ? fmt::format("{:.1f} %", 100 * launch["worst"].get<double>())
                                          : "not counted",
                 where});
    }
  }
  context.terminal.print(table.text(static_cast<std::size_t>(context.terminal.width())));
}

}  // namespace

int reproduce_executor(Context& context) {
  const std::vector<std::string> parts = {"programs", "solutions", "findings", "costs"};
  const std::set<std::string> wanted(context.options.names.begin() + 1, context.options.names.end());
  for (const std::string& name : wanted)
    if (std::find(parts.begin(), parts.end(), name) == parts.end())
      throw UsageError{unknown("part of the executor's table", name, parts)};
  const auto wants = [&](const char* part) {
    return !interrupted() && (wanted.empty() || wanted.count(part) > 0);
  };
  const bool without_gpu = wanted == std::set<std::string>{"costs"};
  const std::filesystem::path file = std::filesystem::path(context.options.report) / "executor.json";
  context.build.refresh();
  Hardware hardware(context);
  // Parts that are not asked for stay as they were kept.
  json document = context.options.report.empty() ? json() : json::parse(read_text(file), nullptr, false);
  if (!document.is_object()) document = json::object();
  document.erase("interrupted");
  document["schema"] = "gpu-ladder-executor/1";
  document["machine"] = machine_facts(false);
  // So does a whole part of which Ctrl-C left only some rows.
  const auto keep = [&](const char* part, const json& rows) {
    if (!interrupted() || !document.contains(part)) document[part] = rows;
  };
  int missed = 0;
  if (wants("programs")) {
    const json rows = hardware.programs();
    keep("programs", rows);
    print_counters(context, rows, "program", "program");
  }
  if (wants("solutions")) {
    const json rows = hardware.solutions();
    keep("solutions", rows);
    print_counters(context, rows, "solution", "step");
  }
  if (wants("findings")) {
    const json rows = judge_planted(context, hardware.why_none().empty());
    keep("findings", rows);
    missed += print_planted(context, rows);
  }
  if (wants("costs")) {
    const json rows = measure_costs(context);
    keep("costs", rows);
    missed += print_costs(context, rows);
  }
  const bool half = !without_gpu && !hardware.why_none().empty();
  if (half) context.terminal.print("SKIPPED the hardware's half: " + hardware.why_none());
  if (interrupted()) document["interrupted"] = true;
  context.write_json(document);
  if (!context.options.report.empty()) {
    write_text(file, report::dump(document, 1) + "\n");
    context.terminal.print("written: " + file.string());
  }
  if (interrupted())
    context.terminal.print("interrupted: what was finished is above" +
                           std::string(context.options.json.empty() ? "" : " and in the JSON"));
  return !half && missed == 0 && !interrupted() ? 0 : 1;
}

}  // namespace ladder
