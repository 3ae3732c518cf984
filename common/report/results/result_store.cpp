#include "common/report/results/result_store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <stdexcept>

#include "common/base/files/json_file.hpp"
#include "common/model/result_json.hpp"
#include "common/report/results/results.hpp"

namespace ladder::report {
namespace {

using model::StepResult;
using nlohmann::json;
namespace fs = std::filesystem;

/// A results file. @throws std::runtime_error for one of an older schema, whose verdicts and times mean
/// something else
json results_of(const fs::path& file, const fs::path& root) {
  json content = need_json(file);
  if (const std::string found = content.value("schema", ""); found != schema) {
    const std::string stem = file.stem(), name = file.lexically_relative(root).string();
    const std::string verb = stem.starts_with("reproduce-") ? "reproduce " + stem.substr(stem.find('-') + 1)
                             : stem == "doctor"             ? stem
                             : stem == "tests"              ? std::string("test")
                                                            : std::string("run");
    throw std::runtime_error(
        fmt::format("{} is of schema \"{}\", not \"{}\". Make it again, on that machine: ./ladder {} "
                    "--json {}",
                    name, found, schema, verb, name));
  }
  return content;
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
    if (stem == "executor") machine.executor = {file.lexically_relative(root), need_json(file)};
    if (stem == "tests") machine.tests = {file.lexically_relative(root), results_of(file, root)};
    if (stem == "suites") machine.suites = {file.lexically_relative(root), need_json(file)};
    if (stem == "doctor") machine.doctor = {file.lexically_relative(root), results_of(file, root)};
    const bool run = stem.rfind("run", 0) == 0;
    if (!run && stem.rfind("reproduce", 0) != 0) continue;
    StoredDocument document{file.lexically_relative(root), results_of(file, root)};
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
std::string hardware_of(const json& run) {
  const json machine = run.value("machine", json());
  if (!machine.is_object()) return "";
  std::string text = separated(gpus_of(machine)) + separated(plain(machine.value("cpu", "")));
  if (const auto cores = number_in(machine, "cores")) text += fmt::format(", {:.0f} cores", *cores);
  text += separated(std::regex_replace(machine.value("os", ""), std::regex(R"( \(.*\))"), ""));
  return text.empty() ? "" : text.substr(2);
}

/// "2026-11-20, commit 2281a604bc" of a run.
std::string time_of(const json& run) {
  constexpr std::size_t enough = 10;  // of a hash; + says that files had changed since
  std::string commit = run.value("commit", "");
  if (commit.size() > enough) commit = commit.substr(0, enough) + (commit.ends_with('+') ? "+" : "");
  const std::string text = separated(run.value("date", "").substr(0, 10)) +
                           separated(commit.empty() ? "" : "commit " + commit) +
                           separated(run.value("clock", ""));
  return text.empty() ? "" : text.substr(2);
}

}  // namespace

const json* StoredDocument::lesson(const std::string& name) const {
  if (!content.contains("lessons")) return nullptr;
  for (const json& lesson : content["lessons"])
    if (lesson.value("name", "") == name) return &lesson;
  return nullptr;
}

std::vector<StepResult> StoredDocument::step(const std::string& in, const std::string& name) const {
  std::vector<StepResult> found;
  const json* of = lesson(in);
  if (!of || !of->contains("steps")) return found;
  for (const json& step : (*of)["steps"])
    if (step.value("name", "") == name) found.push_back(model::step_from_json(step));
  return found;
}

std::string gpus_of(const json& machine) {
  std::map<std::string, int> gpus;
  for (const json& device : machine.value("devices", json::array()))
    if (device.value("id", "").starts_with("cuda:")) ++gpus[device.value("name", "")];
  std::string text;
  for (const auto& [name, count] : gpus)
    text += (text.empty() ? "" : ", ") + (count > 1 ? fmt::format("{} x {}", count, name) : name);
  return text;
}

const json& StoredDocument::run_of(const std::string& lesson, char track) const {
  if (content.contains("runs"))
    for (const json& run : content["runs"])
      for (const json& one : run["tracks"])
        if (one == lesson + "/" + track) return run;
  return content;
}

const json& StoredDocument::machine_of(const std::string& lesson, const std::string& step) const {
  static const json none;
  const json& run = run_of(lesson, step.empty() ? ' ' : step[0]);
  return run.contains("machine") ? run["machine"] : none;
}

std::string StoredMachine::facts(const StoredDocument& document, const std::string& lesson) {
  if (!document.content.contains("runs"))
    return hardware_of(document.content) + separated(time_of(document.content));
  std::string hardware, times;
  std::set<std::string> days;
  for (const json& run : document.content["runs"]) {
    std::string tracks;
    for (const std::string one : run["tracks"])
      if (one.substr(0, one.find('/')) == lesson)
        tracks += (tracks.empty() ? "" : ", ") + one.substr(one.find('/') + 1);
    if (!lesson.empty() && tracks.empty()) continue;
    hardware = hardware_of(run);  // one machine; its operating system may have changed: the last one counts
    days.insert(run.value("date", "").substr(0, 10));
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

std::string place_of(const StepResult& step, const json& machine) {
  const std::string &backend = step.backend, &device = step.device;
  if (backend == "cpu" || backend == "mpi" || backend == "none") return "";
  if (backend == "executor") return is_twin(step) ? "twin (executor)" : "executor";
  const json devices = machine.is_object() ? machine.value("devices", json::array()) : json::array();
  for (const json& d : devices) {
    if (d.value("id", "") != device && d.value("name", "") != device) continue;
    if (d.value("platform", "") == "Portable Computing Language") return "PoCL";
    return d.value("name", device);
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
