#include "common/sitegen/pages/page_parts.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <regex>

#include "common/base/text/step_name.hpp"
#include "common/report/figures/machine_figures.hpp"
#include "common/report/results/page_text.hpp"
#include "common/report/results/performance.hpp"
#include "common/sitegen/layers.hpp"
#include "common/sitegen/merge_run.hpp"

namespace ladder::report {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

/// The one line with which a lesson's page describes the lesson: <!-- in short: … -->
std::string in_short(const fs::path& file) {
  static const std::regex pattern("<!-- in short: (.*) -->");
  std::ifstream in(file);
  std::smatch found;
  for (std::string line; std::getline(in, line);)
    if (std::regex_match(line, found, pattern)) return found[1];
  return "";
}

/// What doctor measured of the machine's first CUDA device; else what is published of it.
GpuRates rates_of(const StoredMachine& machine) {
  const DoctorLines doctor = machine.doctor ? DoctorLines(machine.doctor->results) : DoctorLines();
  const auto best = [&doctor](const std::vector<std::string>& lines) {
    return doctor.best(lines).value_or(0);
  };
  GpuRates rates{.vector_fp64 = best({"double multiply-add"}),
                 .memory = best({"copy", "read"}),
                 .cache = best({"read in cache"}),
                 .cache_bytes = best({"caches"})};
  if (const DeviceLimits* limits = cuda_limits_of(machine.run->results)) {
    if (rates.vector_fp64 <= 0) rates.vector_fp64 = limits->fp64_peak();
    if (rates.memory <= 0) rates.memory = limits->memory_bandwidth;
  }
  return rates;
}

/// Whether nothing but counts of public suites is stored of a machine: it has no column in other tables.
bool has_only_suites(const StoredMachine& machine) {
  return machine.suites && !machine.run && machine.runs.empty() && machine.reproductions.empty() &&
         !machine.executor && !machine.tests && !machine.doctor;
}

}  // namespace

std::string short_names(const std::vector<std::string>& paths) {
  std::string text;
  for (const std::string& path : paths) {
    const auto slash = path.find('/');
    text += (text.empty() ? "" : ", ") +
            (slash == path.npos ? path : rung_of(path.substr(0, slash), path.substr(slash + 1)));
  }
  return text;
}

const DeviceLimits* cuda_limits_of(const model::Document& run) {
  if (!run.machine) return nullptr;
  for (const model::Device& d : run.machine->devices)
    if (d.id.starts_with("cuda:"))
      if (const auto* limits = device_called(d.name, d.compute_units)) return limits;
  return nullptr;
}

PartMaker::PartMaker(const std::filesystem::path& root, const Tables& tables)
    : root_(root),
      machines_(stored_machines(root)),
      tables_(tables),
      explained_(read_explained(root)),
      planted_(read_planted(root)) {
  for (const StoredMachine& machine : machines_)
    if (machine.suites) suites_.push_back(machine);
  std::erase_if(machines_, has_only_suites);
  for (StoredMachine& machine : machines_) {
    if (machine.run) {
      name_ceilings(machine.run->results);
      name_own_ceilings(machine.run->results, tables_, rates_of(machine));
      whole_runs_[machine.folder] = machine.run->results;
      drop_unknown_steps(machine.run->results, tables_);
      drop_gains_of_other_rows(machine.run->results, tables_);
    }
    for (StoredDocument& run : machine.runs) drop_unknown_steps(run.results, tables_);
    auto& changed = changed_[machine.folder];
    if (!machine.executor) continue;
    drop_unknown_solutions(machine.executor->content, tables_);
    changed = drop_changed_code(machine.executor->content, root);
  }
  std::ranges::copy_if(machines_, std::back_inserter(further_),
                       [](const StoredMachine& machine) { return !machine.in_lessons; });
  std::erase_if(machines_, [](const StoredMachine& machine) { return !machine.in_lessons; });
}

const json& PartMaker::rows(const std::string& lesson) const {
  const auto table = tables_.find(lesson);
  if (table == tables_.end() || !table->second.contains("steps"))
    throw UnknownPart("there is no table of a lesson " + lesson);
  return table->second.at("steps");
}

PartMaker::Lines PartMaker::cuda_rows_without(const json& rows, const std::string& field) const {
  Lines names;
  for (const auto& [lesson, table] : tables_)
    for (const json& row : table.at("steps")) {
      const std::string name = lesson + "/" + row.value("name", "");
      if (row.value("file", "").ends_with(".cu") &&
          std::none_of(rows.begin(), rows.end(), [&](const json& r) { return r.value(field, "") == name; }))
        names.push_back(name);
    }
  return names;
}

std::string PartMaker::name_of(const std::string& lesson, const std::string& id) const {
  for (const json& row : rows(lesson))
    if (row.value("name", "") == id || id_of(row.value("name", "")) == id) return row.value("name", "");
  throw UnknownPart(lesson + " has no rung " + id);
}

std::vector<const StoredMachine*> PartMaker::all_machines() const {
  std::vector<const StoredMachine*> all;
  for (const auto* list : {&machines_, &further_})
    for (const StoredMachine& machine : *list) all.push_back(&machine);
  return all;
}

PartMaker::Lines PartMaker::for_machines(
    const std::function<Lines(const StoredMachine& machine)>& make) const {
  Lines lines;
  for (const StoredMachine& machine : machines_) {
    Lines more = make(machine);
    if (more.empty()) more = {"- " + not_measured(machine.name)};
    lines.insert(lines.end(), more.begin(), more.end());
  }
  if (machines_.empty()) lines = {nothing_stored};
  return lines;
}

PartMaker::Lines PartMaker::part(const std::string& page, const std::string& kind,
                                 const std::vector<std::string>& arguments) {
  const auto argument = [&](std::size_t i) {
    if (i >= arguments.size()) throw UnknownPart("generated: " + kind + " needs more arguments");
    return arguments[i];
  };
  if (kind == "lessons") return lessons(page);
  if (kind == "path") return path(page, arguments);
  if (kind == "syllabus") return syllabus(page, arguments);
  if (kind == "table") return table(page, argument(0));
  if (kind == "ladder-figure") return ladder_figures(page, argument(0));
  if (kind == "ladder-table") return ladder_table(page, argument(0));
  if (kind == "measured") return measured(page, argument(0), argument(1));
  if (kind == "on-your-gpu") return on_your_gpu(argument(0), argument(1));
  if (kind == "hardware") return hardware(page);
  if (kind == "compared") return compared(page);
  if (kind == "costs") return costs(page);
  if (kind == "suites") return suites();
  if (kind == "paper") return paper(argument(0));
  if (kind == "gpu-times") return gpu_times(page);
  if (kind == "leaderboard") return leaderboard(page, argument(0));
  if (kind == "counters") return counters(page, argument(0));
  if (kind == "counters-command")
    return counters_command(argument(0), arguments.size() > 1 ? arguments[1] : "");
  if (kind == "terms") return metric_terms();
  if (kind == "tests") return tests(page, argument(0));
  if (kind == "layers") return layer_table(layers_of(root_));
  if (kind == "machine") return machine(page, argument(0));
  if (kind == "drawing") return drawing(page, argument(0), argument(1));
  if (kind == "roofline") return roofline_of(page, argument(0));
  if (kind == "reproduce") return reproduce(page, argument(0));
  throw UnknownPart("nobody knows how to generate " + kind);
}

PartMaker::Lines PartMaker::lessons(const std::string& page) const {
  Lines lines = markdown_head({"lesson", "computation", "rungs so far"});
  for (const auto& [lesson, table] : tables_) {
    const fs::path file = fs::path("lessons") / lesson / "README.md";
    Lines names;
    for (const json& row : table.at("steps")) names.push_back(row.value("name", ""));
    const std::string said = in_short(root_ / file);
    lines.push_back(markdown_row(
        {link(page, file, lesson), said.empty() ? table.value("title", "") : said, ranges_of(names)}));
  }
  return lines;
}

}  // namespace ladder::report
