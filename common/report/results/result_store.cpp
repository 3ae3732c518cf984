#include "common/report/results/result_store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <stdexcept>

#include "common/base/files/json_file.hpp"
#include "common/model/document_json.hpp"
#include "common/report/results/results.hpp"

namespace ladder::report {
namespace {

using model::StepResult;
using nlohmann::json;
namespace fs = std::filesystem;

/// A results file. @throws std::runtime_error for one of another schema, whose verdicts, times or fields mean
/// something else, with the command that converts it or, where none does, that makes it again
StoredDocument results_of(const fs::path& file, const fs::path& root) {
  const json content = need_json(file);
  const std::string stem = file.stem(), name = file.lexically_relative(root).string();
  model::refuse_earlier_schema(content, name);
  try {
    model::require_document_schema(content, name);
  } catch (const Error& error) {
    const std::string verb = stem.starts_with("reproduce-") ? "reproduce " + stem.substr(stem.find('-') + 1)
                             : stem == "doctor"             ? stem
                             : stem == "tests"              ? std::string("test")
                                                            : std::string("run");
    throw std::runtime_error(
        fmt::format("{}. Make it again, on that machine: ./ladder {} --json {}", error.what(), verb, name));
  }
  return {name, model::document_from_json(content, name)};
}

std::vector<fs::path> sorted_entries(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code none;  // no stored run yet
  for (const auto& entry : fs::directory_iterator(folder, none)) entries.push_back(entry.path());
  std::sort(entries.begin(), entries.end());
  return entries;
}

void read_documents(const fs::path& root, StoredMachine& machine) {
  for (const fs::path& file : sorted_entries(root / "docs/results" / machine.folder)) {
    if (file.extension() != ".json") continue;
    const std::string stem = file.stem();
    if (stem == "executor") machine.executor = StoredTable{file.lexically_relative(root), need_json(file)};
    if (stem == "tests") machine.tests = results_of(file, root);
    if (stem == "suites") machine.suites = StoredTable{file.lexically_relative(root), need_json(file)};
    if (stem == "doctor") machine.doctor = results_of(file, root);
    const bool run = stem.rfind("run", 0) == 0;
    if (!run && stem.rfind("reproduce", 0) != 0) continue;
    StoredDocument document = results_of(file, root);
    if (stem == "run") machine.run = document;
    (run ? machine.runs : machine.reproductions).push_back(std::move(document));
  }
}

/// A CPU's name without the manufacturer's additions: "AMD EPYC 7B13".
std::string plain(const std::string& processor) {
  static const std::regex noise(R"(\((R|TM|r|tm)\)|®|™| CPU| Processor|( \d+-Core)|( @.*))");
  return std::regex_replace(processor, noise, "");
}

std::string separated(const std::string& part) {
  return part.empty() ? "" : ", " + part;
}

/// "AMD EPYC, 2 cores, Debian GNU/Linux 12" of a run.
std::string hardware_of(const std::optional<model::Machine>& machine) {
  if (!machine) return "";
  std::string text = separated(gpus_of(*machine)) + separated(plain(machine->cpu));
  if (machine->cores > 0) text += fmt::format(", {} cores", machine->cores);
  text += separated(std::regex_replace(machine->os, std::regex(R"( \(.*\))"), ""));
  return text.empty() ? "" : text.substr(2);
}

/// "2026-11-20, commit 2281a604bc" of a run.
std::string time_of(const model::StoredRun& run) {
  constexpr std::size_t enough = 10;  // of a hash; + says that files had changed since
  std::string commit = run.commit;
  if (commit.size() > enough) commit = commit.substr(0, enough) + (commit.ends_with('+') ? "+" : "");
  const std::string text = separated(run.date.substr(0, 10)) +
                           separated(commit.empty() ? "" : "commit " + commit) + separated(run.clock);
  return text.empty() ? "" : text.substr(2);
}

}  // namespace

const model::LessonResults* StoredDocument::lesson(const std::string& name) const {
  for (const model::LessonResults& lesson : results.lessons)
    if (lesson.name == name) return &lesson;
  return nullptr;
}

std::vector<StepResult> StoredDocument::step(const std::string& in, const std::string& name) const {
  std::vector<StepResult> found;
  if (const model::LessonResults* results_in = lesson(in))
    for (const model::DocumentStep& step : results_in->steps)
      if (step.name == name) found.push_back(step);
  return found;
}

std::string gpus_of(const model::Machine& machine) {
  std::map<std::string, int> gpus;
  for (const model::Device& device : machine.devices)
    if (device.id.starts_with("cuda:")) ++gpus[device.name];
  std::string text;
  for (const auto& [name, count] : gpus)
    text += (text.empty() ? "" : ", ") + (count > 1 ? fmt::format("{} x {}", count, name) : name);
  return text;
}

model::StoredRun StoredDocument::run_of(const std::string& lesson, char track) const {
  for (const model::StoredRun& run : results.runs)
    if (std::find(run.tracks.begin(), run.tracks.end(), lesson + "/" + track) != run.tracks.end()) return run;
  return {.date = results.date,
          .commit = results.commit,
          .seed = results.seed,
          .clock = results.clock,
          .machine = results.machine};
}

std::optional<model::Machine> StoredDocument::machine_of(const std::string& lesson,
                                                         const std::string& step) const {
  return run_of(lesson, step.empty() ? ' ' : step[0]).machine;
}

std::string StoredMachine::facts(const StoredTable& table) {
  if (!table.content.is_object()) return "";
  return hardware_of(model::machine_in(table.content)) +
         separated(time_of({.date = table.content.value("date", "")}));
}

std::string StoredMachine::facts(const StoredDocument& document, const std::string& lesson) {
  const std::vector<model::StoredRun>& runs = document.results.runs;
  if (runs.empty())
    return hardware_of(document.results.machine) + separated(time_of(document.run_of("", ' ')));
  std::string hardware, times;
  std::set<std::string> days;
  for (const model::StoredRun& run : runs) {
    std::string tracks;
    for (const std::string& one : run.tracks)
      if (one.substr(0, one.find('/')) == lesson)
        tracks += (tracks.empty() ? "" : ", ") + one.substr(one.find('/') + 1);
    if (!lesson.empty() && tracks.empty()) continue;
    hardware =
        hardware_of(run.machine);  // one machine; its operating system may have changed: the last one counts
    days.insert(run.date.substr(0, 10));
    times += fmt::format("; {}: {}", tracks, time_of(run));
  }
  if (lesson.empty() || days.empty())
    return hardware + separated(days.empty()       ? ""
                                : days.size() == 1 ? *days.begin()
                                                   : *days.begin() + " to " + *days.rbegin());
  return hardware + separated(times.substr(2));
}

std::vector<StoredMachine> stored_machines(const fs::path& root) {
  std::vector<StoredMachine> machines;
  const fs::path folder = root / "docs/results";
  if (fs::exists(folder / "machines.json"))
    for (const json& listed : need_json(folder / "machines.json"))
      machines.push_back({.folder = listed.at("folder"),
                          .name = listed.at("name"),
                          .in_lessons = listed.value("in_lessons", true)});
  for (const fs::path& entry : sorted_entries(folder)) {
    const std::string name = entry.filename();
    const auto listed = [&](const StoredMachine& m) { return m.folder == name; };
    if (fs::is_directory(entry) && std::none_of(machines.begin(), machines.end(), listed))
      machines.push_back({.folder = name, .name = name});
  }
  for (StoredMachine& machine : machines) read_documents(root, machine);
  return machines;
}

std::optional<double> number_in(const json& object, const std::string& field) {
  if (!object.is_object() || !object.contains(field) || !object[field].is_number()) return {};
  return object[field].get<double>();
}

std::optional<TimedLibrary> library_of(const StepResult& step) {
  for (const auto& [name, ratio] : step.ratio)
    if (name != "baseline" && name != "below" && name != "floor")
      if (const auto shown = ratio_of(step, name)) return TimedLibrary{name, *shown};
  return {};
}

std::optional<double> ratio_of(const StepResult& step, const std::string& peer) {
  if (step.time && step.time->seconds.median > 0) {
    const model::Time& time = *step.time;
    if (const auto theirs = time.peers.find(peer); theirs != time.peers.end())
      return theirs->second.median / time.seconds.median;
    if (peer == "baseline" && time.baseline) return time.baseline->median / time.seconds.median;
  }
  const auto ratio = step.ratio.find(peer);
  return ratio == step.ratio.end() ? std::nullopt : std::optional(ratio->second);
}

std::string place_of(const StepResult& step, const std::optional<model::Machine>& machine) {
  const std::string &backend = step.backend, &device = step.device;
  if (backend == "cpu" || backend == "mpi" || backend == "none") return "";
  if (backend == "executor") return is_twin(step) ? "twin (executor)" : "executor";
  for (const model::Device& d : machine ? machine->devices : std::vector<model::Device>{}) {
    if (d.id != device && d.name != device) continue;
    return d.platform == "Portable Computing Language" ? "PoCL" : d.name;
  }
  // The name of the platform's CPU device, as OpenCL workers report it.
  if (device.rfind("pthread", 0) == 0 || device.rfind("cpu-", 0) == 0) return "PoCL";
  return device.empty() ? backend : device;
}

std::string size_of(const StepResult& step) {
  return step.time ? size_text(step.time->size_name, step.time->problem) : "";
}

std::string size_text(const std::string& size_name, const std::map<std::string, int>& problem) {
  if (!size_name.empty()) return size_name;
  const auto n = problem.find("n");
  if (n != problem.end() &&
      std::all_of(problem.begin(), problem.end(), [&](const auto& one) { return one.second == n->second; }))
    return fmt::format("n = {}", n->second);
  std::string text;
  for (const auto& [name, value] : problem)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name, value);
  return text;
}

}  // namespace ladder::report
