#include "common/tool/maintain/hardware.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "common/base/files/json_file.hpp"
#include "common/base/usage_error.hpp"
#include "common/model/document_json.hpp"
#include "common/report/results/hardware_comparison.hpp"
#include "common/report/results/results.hpp"
#include "common/report/results/stored_text.hpp"
#include "common/report/text/table.hpp"
#include "common/sitegen/counted_code.hpp"
#include "common/tool/judging/judging.hpp"
#include "common/tool/machine/machine.hpp"
#include "common/tool/maintain/costs.hpp"
#include "common/tool/maintain/hardware_findings.hpp"
#include "common/tool/maintain/named_solutions.hpp"
#include "common/trace/ncu.hpp"
#include "common/trace/programs.hpp"

namespace ladder {
namespace {

using nlohmann::json;

/// The programs of the repository whose kernels are counted: ninja's targets programs/counters/<name>; nvcc's
/// end in .cuda.
std::vector<std::string> counted_programs(Context& context) {
  std::vector<std::string> programs = context.build.programs_in("programs/counters/");
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
      json row = {{"program", stem.substr(stem.rfind('/') + 1)}};
      row.update(report::launches_beside(*executor, hardware ? &*hardware : nullptr));
      table.push_back(std::move(row));
    }
    return table;
  }

  /// CUDA solutions, each at the size of its target. @param steps  their paths
  json solutions(const std::vector<std::string>& steps) {
    std::vector<json> records;
    context_.options.tree = "solutions";
    context_.options.names = steps;
    std::vector<TestKind> kinds = {TestKind::profile};
    if (why_none_.empty())
      kinds.push_back(TestKind::hardware);
    else
      context_.options.device = "executor";
    const model::Document document = judge_names(
        context_, {.kinds = kinds, .profile_ready = [&](const json& record) { records.push_back(record); }});
    json table = json::array();
    for (const model::LessonResults& lesson : document.lessons)
      for (const model::DocumentStep& step : lesson.steps) {
        const json profile = record_of(records, TestKind::profile, lesson.name, step.name),
                   counted = record_of(records, TestKind::hardware, lesson.name, step.name);
        // It was not asked, or not to its end: what was kept of it before is better.
        if (interrupted() && !(profile.is_object() && (counted.is_object() || !why_none_.empty()))) continue;
        json row = {{"step", lesson.name + "/" + step.name},
                    {"problem", profile.is_object() ? profile.value("problem", "") : ""},
                    {"kernels", json::array()}};
        std::optional<Observation> hardware;
        if (counted.is_object()) hardware = parse_observation(report::dump(counted["observation"]));
        if (profile.is_object()) {
          const Observation executor = parse_observation(report::dump(profile["observation"]));
          row.update(report::launches_beside(executor, hardware ? &*hardware : nullptr));
        }
        if (step.verdict != Verdict::pass)
          row["reason"] = std::string(name(step.verdict)) + "  " + step.message;
        table.push_back(std::move(row));
      }
    const auto left = steps_without_row(steps, table, "step");
    if (!interrupted())
      for (const std::string& name : left)
        table.push_back({{"step", name},
                         {"problem", ""},
                         {"kernels", json::array()},
                         {"reason", "its judge said nothing"}});
    else if (!left.empty())
      context_.terminal.print(not_measured(left));
    return table;
  }

 private:
  /// Nothing when Ctrl-C came.
  std::optional<Observation> observed(const std::string& stem) {
    const std::filesystem::path file = context_.scratch() / "observed.json";
    const ProcessResult ended = run_process({.arguments = {context_.build.file(stem).string()},
                                             .environment = {{"LADDER_EXECUTOR_OBSERVE", file.string()}}});
    if (ended.interrupted) return std::nullopt;
    const std::string record = read_text(file);
    if (record.empty()) throw UsageError{stem + " kept no record: " + ended.output.substr(0, 300)};
    return parse_observation(record);
  }

  std::optional<Observation> counted(const std::string& stem) {
    if (!why_none_.empty()) return std::nullopt;
    const ProcessResult ended =
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

/// One row a kernel, the differences with their reasons, and what was left out. @return differences without a
/// reason
int print_counters(Context& context, const json& groups, const char* title) {
  const auto kernels = report::kernels_beside(groups, report::read_explained(context.root));
  report::Table table(
      {{title}, {"kernel"}, {"launches", true}, {"largest difference", true}, {"where", false, true}});
  for (const report::KernelBeside& kernel : kernels) {
    std::string where;
    for (const report::CounterBeside& counter : kernel.counters)
      if (counter.worst > 0)
        where += fmt::format("{}{} {:g}, hardware {:g}", where.empty() ? "" : "; ", counter.name,
                             counter.executor, counter.hardware);
    table.add({kernel.of, kernel.kernel, fmt::format("{}", kernel.launches),
               kernel.compared > 0 ? fmt::format("{:.1f} %", 100 * kernel.worst()) : "not counted", where});
  }
  context.terminal.print(table.text(static_cast<std::size_t>(context.terminal.width())));
  for (const json& group : groups) {
    const std::string name = group.value("step", group.value("program", ""));
    if (const std::string why = report::why_not_compared(group); !why.empty())
      context.terminal.print(fmt::format("{}  not compared: {}", name, why));
    const json others = group.value("only_hardware", json::object());
    for (const auto& [kernel, launches] : others.items())
      context.terminal.print(fmt::format("{}  {} of the hardware's launches are {}, without a partner here",
                                         name, launches.get<int>(), kernel));
  }
  const auto without = report::unexplained(kernels);
  for (const std::string& line : without) context.terminal.print("UNEXPLAINED " + line);
  return static_cast<int>(without.size());
}

/// Writes the table, also a part of it that was interrupted.
void write(Context& context, json& document, const std::filesystem::path& file) {
  if (interrupted()) document["interrupted"] = true;
  context.write_json(document);
  if (!context.options.report.empty()) {
    write_text(file, report::stored_text(document));
    context.terminal.print("written: " + file.string());
  }
  if (interrupted())
    context.terminal.print("interrupted: what was finished is above" +
                           std::string(context.options.json.empty() ? "" : " and in the JSON"));
}

}  // namespace

int reproduce_executor(Context& context) {
  refuse_typed(context.options, {"--tree", "--max-size"}, "is for lessons");
  const std::vector<std::string> parts = {"programs", "solutions", "findings", "costs"};
  std::set<std::string> wanted(context.options.names.begin() + 1, context.options.names.end());
  const std::vector<std::string> steps = named_solutions(context, wanted);
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
  json document = context.options.report.empty() ? json() : read_json(file);
  if (!document.is_object()) document = json::object();
  document.erase("interrupted");
  document["schema"] = "gpu-ladder-executor/2";
  document["machine"] = to_json(machine_facts(false));
  // So does a whole part of which Ctrl-C left only some rows.
  const auto keep = [&](const char* part, json rows) {
    if (interrupted() && document.contains(part)) return;
    report::add_hashes(context.root, part, rows);
    document[part] = rows;
    document["dates"][part] = report::now();
  };
  int missed = 0;
  if (wants("programs")) {
    const json rows = hardware.programs();
    keep("programs", rows);
    missed += print_counters(context, rows, "program");
  }
  if (wants("solutions")) {
    json rows = hardware.solutions(steps.empty() ? comparable_solutions(context) : steps);
    if (steps.empty()) {
      keep("solutions", rows);
    } else {
      report::add_hashes(context.root, "solutions", rows);
      renew(document["solutions"], rows);
      if (!document["dates"].contains("solutions")) document["dates"]["solutions"] = report::now();
    }
    missed += print_counters(context, rows, "solution");
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
  write(context, document, file);
  return !half && missed == 0 && !interrupted() ? 0 : 1;
}

}  // namespace ladder
