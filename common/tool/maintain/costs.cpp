#include "common/tool/maintain/costs.hpp"

#include <fmt/format.h>

#include <sstream>

#include "common/base/costs.hpp"
#include "common/base/process/process_tree.hpp"
#include "common/base/statistics.hpp"
#include "common/base/text/text.hpp"
#include "common/base/usage_error.hpp"
#include "common/report/text/table.hpp"
#include "common/tool/judging/judging.hpp"

namespace ladder {
namespace {

using nlohmann::json;

/// The rounds that the program has printed; see common/programs/speed.cu.
std::vector<CostRound> rounds_in(const std::string& output) {
  std::vector<CostRound> rounds;
  for (const std::string& line : lines_of(output)) {
    std::istringstream words(line);
    CostRound r;
    if (words >> r.reference.wall >> r.reference.processor >> r.again.wall >> r.again.processor >>
        r.measured.wall >> r.measured.processor)
      rounds.push_back(r);
  }
  return rounds;
}

json tiled_product(Context& context) {
  constexpr const char* program = "programs/speed";
  constexpr int rounds = 9, tile = 32;
  const int n = context.options.size > 0 ? (context.options.size + tile - 1) / tile * tile : 512;
  json row = {{"name", "tiled product"},
              {"problem", fmt::format("n = {}", n)},
              {"reference", "plain loop"},
              {"measured", "executor"}};
  const auto failures = context.build.make({program}, context.build_progress());
  if (interrupted()) return nullptr;
  if (!failures.empty())
    throw UsageError{std::string(program) + " does not build: ./ladder test --part units says why"};
  context.terminal.progress("tiled product, " + row["problem"].get<std::string>(), 0);
  const LoadWatch load;
  const ProcessResult ended =
      run_process({.arguments = {context.build.file(program).string(), std::to_string(n),
                                 std::to_string(rounds), std::to_string(context.seed)}});
  const std::vector<CostRound> measured = rounds_in(ended.output);
  if (ended.interrupted && measured.empty()) return nullptr;
  if (!ended.interrupted && !ended.ok())
    row["reason"] =
        "the program ended with status " + std::to_string(ended.status) + ": " + ended.output.substr(0, 300);
  else
    row["cost"] = cost_of(measured, tiled_product_bound, load.foreign_share());
  return row;
}

/// A context that judges the CUDA solutions on the executor, also where there is a GPU.
Context for_solutions(const Context& context) {
  Options options = context.options;
  options.tree = "solutions";
  options.device = "executor";
  options.names = context.catalogue.cuda_steps();
  options.seed = context.seed;
  return Context(std::move(options));
}

void add_solutions(const Context& context, json& rows) {
  Context executor = for_solutions(context);
  if (executor.options.names.empty()) return;
  std::vector<json> records;
  const model::Document document =
      judge_names(executor, {.kinds = {TestKind::costs},
                             .plan = budget_of(context.options, 20),
                             .profile_ready = [&](const json& record) { records.push_back(record); }});
  for (const model::LessonResults& lesson : document.lessons)
    for (const model::DocumentStep& step : lesson.steps) {
      const json record = record_of(records, TestKind::costs, lesson.name, step.name);
      if (!record.is_object() && interrupted()) continue;  // it was not asked
      json row = {{"name", lesson.name + "/" + step.name},
                  {"problem", record.is_object() ? record.value("problem", "") : ""},
                  {"reference", "executor"},
                  {"measured", "observed"}};
      if (record.is_object())
        row["cost"] = record["cost"];
      else
        row["reason"] = std::string(name(step.verdict)) + "  " + step.message;
      rows.push_back(std::move(row));
    }
  const auto left = steps_without_row(executor.options.names, rows, "name");
  if (!interrupted())
    for (const std::string& name : left)
      rows.push_back({{"name", name},
                      {"problem", ""},
                      {"reference", "executor"},
                      {"measured", "observed"},
                      {"reason", "its judge said nothing"}});
  else if (!left.empty())
    executor.terminal.print(not_measured(left));
}

/// "2.31x, 2.2 to 2.5".
std::string ratio_text(const json& measure) {
  const json& ratio = measure["ratio"];
  return fmt::format("{:.3g}x, {:.3g} to {:.3g}", ratio["median"].get<double>(), ratio["low"].get<double>(),
                     ratio["high"].get<double>());
}

/// "93 ms of 40 ms".
std::string seconds_text(const json& measure) {
  return report::short_time(measure["measured"]["median"]) + " of " +
         report::short_time(measure["reference"]["median"]);
}

}  // namespace

json measure_costs(Context& context) {
  json rows = json::array();
  if (json row = tiled_product(context); row.is_object()) rows.push_back(std::move(row));
  if (!interrupted()) add_solutions(context, rows);
  return rows;
}

int print_costs(Context& context, const json& rows) {
  report::Table table({{"cost"},
                       {"problem", false, false, 3},
                       {"of"},
                       {"processor time", true},
                       {"bound", true},
                       {"", false, true},
                       {"processor seconds", true, false, 1},
                       {"wall time", true},
                       {"wall seconds", true, false, 2}});
  int unmet = 0;
  double busiest = 0;
  for (const json& row : rows) {
    const std::string what = row.value("measured", "") + " / " + row.value("reference", "");
    if (!row.contains("cost")) {
      table.add({row["name"], row["problem"], what, "", "", row.value("reason", ""), "", "", ""});
      ++unmet;
      continue;
    }
    const json &cost = row["cost"], &processor = cost["processor"], &wall = cost["wall"];
    busiest = std::max(busiest, cost["foreign_load"].get<double>());
    unmet += processor["decision"] == "not met";
    table.add({row["name"], row["problem"], what, ratio_text(processor),
               fmt::format("<= {:g}", cost["bound"].get<double>()), processor["decision"],
               seconds_text(processor), ratio_text(wall), seconds_text(wall)});
  }
  context.terminal.print(table.text(static_cast<std::size_t>(context.terminal.width())));
  if (busiest > busy_machine)
    context.terminal.print(
        fmt::format("busy: other programs used {:.0f} % of this machine; nothing is said to miss its bound",
                    100 * busiest));
  return unmet;
}

}  // namespace ladder
