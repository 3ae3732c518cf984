#include "common/report/page_parts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <regex>

#include "common/base/step_name.hpp"
#include "common/report/figures.hpp"
#include "common/report/layers.hpp"
#include "common/report/page_text.hpp"
#include "common/report/performance.hpp"
#include "common/report/results.hpp"
#include "common/report/table.hpp"
#include "common/report/tracks.hpp"

namespace ladder::report {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

const char* const nothing_stored = "*not measured yet on any machine: docs/results has no run*";
const char* const about_executor =
    "The executor shows mistakes and counts; its times say nothing about a GPU.";

bool runs_on(const StoredDocument& document, const std::string& backend) {
  for (const json& lesson : document.content.value("lessons", json::array()))
    for (const json& step : lesson.value("steps", json::array()))
      if (step.value("backend", "") == backend) return true;
  return false;
}

bool has_gpu(const StoredMachine& machine) {
  const json facts = machine.run ? machine.run->content.value("machine", json()) : json();
  const json devices = facts.is_object() ? facts.value("devices", json::array()) : json::array();
  return std::any_of(devices.begin(), devices.end(),
                     [](const json& d) { return d.value("kind", "") == "gpu"; });
}

/// Machines with a GPU are called by it, which is not what the rows of the CPU ran on.
std::string on_cpu(const StoredMachine& machine) {
  return has_gpu(machine) ? "CPU of the " + machine.name + " machine" : machine.name;
}

/// "NVIDIA H200", "2 cores, no GPU (PoCL)"
std::string on_place(const StoredMachine& machine, const std::string& place) {
  if (place.empty()) return on_cpu(machine);
  return machine.name + (place == machine.name ? "" : " (" + place + ")");
}

/// The notes below a table: why numbers are missing.
void add_reasons(std::vector<std::string>& lines, const Reasons& reasons) {
  for (const auto& [reason, metrics] : reasons)
    lines.insert(lines.end(),
                 {"", fmt::format("– (not measured): {}: {}.", fmt::join(metrics, ", "), reason)});
}

/// The one line with which a lesson's page describes the lesson: <!-- in short: … -->
std::string in_short(const fs::path& file) {
  static const std::regex pattern("<!-- in short: (.*) -->");
  std::ifstream in(file);
  std::smatch found;
  for (std::string line; std::getline(in, line);)
    if (std::regex_match(line, found, pattern)) return found[1];
  return "";
}

/// A time of the baseline, and the rungs that have it: those of a race share one, and each race has its own.
struct BaselineTime {
  std::string words;  ///< "**78.9 ms** at n = 768"
  int alone = 0;      ///< calls that were timed without a race; 0: raced
  std::vector<std::string> rungs{};
};

void add_baseline(std::vector<BaselineTime>& all, const json& step) {
  const json time = step.value("time", json::object());
  const auto ratio = ratio_of(step, "baseline"), mine = number_in(time, "median");
  if (!ratio || !mine) return;
  const BaselineTime one{
      .words = fmt::format("**{}** at {}", short_time(*ratio * *mine), size_of(step)),
      .alone = static_cast<int>(number_in(time.value("baseline", json()), "runs").value_or(0))};
  auto found = std::find_if(all.begin(), all.end(), [&](const BaselineTime& other) {
    return other.words == one.words && other.alone == one.alone;
  });
  if (found == all.end()) found = all.insert(found, one);
  found->rungs.push_back(step.value("name", ""));
}

/// "c1, m1, g1 to g6"
std::string ranges_of(const std::vector<std::string>& names) {
  std::string text, first, last;
  const auto close = [&] {
    if (first.empty()) return;
    text += (text.empty() ? "" : ", ") + first + (first == last ? "" : " to " + last);
  };
  for (const std::string& name : names) {
    const std::string id = id_of(name);
    if (last.empty() || id != fmt::format("{}{}", last[0], std::stoi(last.substr(1)) + 1))
      close(), first = id;
    last = id;
  }
  close();
  return text;
}

/// "**78.9 ms** at n = 768, in the race of c1.", "**14.2 s** at n = 4096, timed alone, once, on the problem of g1."
std::string sentence(const BaselineTime& one) {
  if (one.alone == 0) return fmt::format("{}, in the race of {}.", one.words, ranges_of(one.rungs));
  return fmt::format("{}, timed alone, {}, on the problem of {}.", one.words,
                     one.alone == 1 ? "once" : fmt::format("{} times", one.alone), id_of(one.rungs.front()));
}

}  // namespace

PartMaker::PartMaker(const std::filesystem::path& root, const Tables& tables)
    : root_(root),
      machines_(stored_machines(root)),
      tables_(tables),
      explained_(read_explained(root)),
      planted_(read_planted(root)) {
  for (StoredMachine& machine : machines_) {
    if (machine.run) {
      name_ceilings(machine.run->content);
      whole_runs_[machine.folder] = machine.run->content;
      drop_unknown_steps(machine.run->content, tables_);
    }
    for (StoredDocument& run : machine.runs) drop_unknown_steps(run.content, tables_);
    if (machine.executor) drop_unknown_solutions(machine.executor->content, tables_);
  }
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
  throw UnknownPart(lesson + " has no step " + id);
}

template <class Make>
PartMaker::Lines PartMaker::for_machines(Make&& make) const {
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
  if (kind == "table") return table(page, argument(0));
  if (kind == "ladder-figure") return ladder_figures(page, argument(0));
  if (kind == "ladder-table") return ladder_table(page, argument(0));
  if (kind == "measured") return measured(page, argument(0), argument(1));
  if (kind == "on-your-gpu") return on_your_gpu(argument(0), argument(1));
  if (kind == "beside") return beside(page);
  if (kind == "costs") return costs(page);
  if (kind == "gpu-times") return gpu_times(page);
  if (kind == "terms") return metric_terms();
  if (kind == "layers") return layer_table(layers_of(root_));
  if (kind == "machine") return machine(page, argument(0));
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

PartMaker::Lines PartMaker::path(const std::string& page, const std::vector<std::string>& stations) const {
  static const std::regex part(R"(([0-9][0-9])(?:/([a-z])([0-9]+)-(?:[a-z]([0-9]+))?)?)");
  Lines lines = markdown_head({"", "lesson", "rungs", "hours", "and for those who want more"});
  double all = 0, all_more = 0;
  int number = 0;
  for (const std::string& station : stations) {
    std::smatch found;
    if (!std::regex_match(station, found, part))
      throw UnknownPart("generated: path has lessons and rungs, 03/g1-g3, not " + station);
    const auto table = std::find_if(tables_.begin(), tables_.end(), [&](const auto& one) {
      return one.first.substr(0, 2) == found[1].str();
    });
    if (table == tables_.end()) throw UnknownPart("there is no lesson " + found[1].str());
    Lines names;
    double hours = 0, more = 0;
    for (const json& row : table->second.at("steps")) {
      const std::string name = row.value("name", "");
      const int at = std::stoi(name.substr(1));
      if (found[2].matched && (name[0] != found[2].str()[0] || at < std::stoi(found[3]) ||
                               (found[4].matched && at > std::stoi(found[4]))))
        continue;
      names.push_back(name);
      (row.value("kind", "") == "S" ? more : hours) += row.value("hours", 0.0);
    }
    if (names.empty()) throw UnknownPart(station + " names no rung");
    all += hours, all_more += more;
    lines.push_back(markdown_row(
        {fmt::format("{}", ++number),
         link(page, fs::path("lessons") / table->first / "README.md", table->second.value("title", "")),
         found[1].str() + ": " + ranges_of(names), fmt::format("{:g}", hours),
         more > 0 ? fmt::format("{:g}", more) : ""}));
  }
  lines.push_back(
      markdown_row({"", "together", "", fmt::format("{:g}", all), fmt::format("{:g}", all_more)}));
  return lines;
}

PartMaker::Lines PartMaker::table(const std::string& page, const std::string& which) const {
  const StoredMachine* chosen = nullptr;
  for (const StoredMachine& machine : machines_) {
    const bool suits = which == "run-" + machine.folder ||
                       (which == "run-executor" && machine.run && runs_on(*machine.run, "executor"));
    if (suits && !chosen) chosen = &machine;
  }
  if (!chosen || !chosen->run)
    return {chosen              ? not_measured(chosen->name)
            : machines_.empty() ? nothing_stored
                                : not_measured(machines_.front().name)};
  Lines lines = markdown_head({"step", "verdict", "target", "time", "against baseline"});
  Reasons reasons;
  for (const auto& [lesson, table] : tables_)
    for (const json& row : table.at("steps")) {
      const std::string step_name = row.value("name", ""),
                        name = fmt::format("{}/{}", lesson.substr(0, 2), spoken(step_name));
      const auto steps = chosen->run->step(lesson, step_name);
      if (steps.empty()) lines.push_back(markdown_row({name, not_yet, "", "", ""}));
      for (const json& step : steps)
        lines.push_back(markdown_row({name, step.value("verdict", ""), targets_short(step, reasons),
                                      time_short(step), ratio_short(step, "baseline")}));
    }
  add_reasons(lines, reasons);
  lines.insert(lines.end(),
               {"", source_of(page, *chosen->run) +
                        (runs_on(*chosen->run, "executor") ? std::string(" ") + about_executor : "")});
  return lines;
}

PartMaker::Lines PartMaker::ladder_figures(const std::string& page, const std::string& lesson) {
  rows(lesson);
  return for_machines([&](const StoredMachine& machine) -> Lines {
    const json* results = machine.run ? machine.run->lesson(lesson) : nullptr;
    const LadderFigure figure = results ? ladder_figure(*results, machine.run->content) : LadderFigure{};
    if (figure.groups.empty()) return {};
    const std::string file =
        fmt::format("lessons/{}/figures/{}-ladder-{}.svg", lesson, lesson.substr(0, 2), machine.folder);
    figures_[file] = ladder_dots(figure);
    return {
        "!" + link(page, file, std::regex_replace(figure.caption.alternative, std::regex(R"([\[\]])"), "")),
        ""};
  });
}

std::string PartMaker::cell_of(const StoredMachine& machine, const std::string& lesson,
                               const std::string& name, Reasons& reasons) const {
  std::string cell;
  for (const json& step : machine.run ? machine.run->step(lesson, name) : std::vector<json>{}) {
    const json& facts = machine.run->machine_of(lesson, name);
    const std::string place = place_of(step, facts);
    cell += (cell.empty() ? "" : "<br>") + step.value("verdict", "") +
            (place.empty() || place == machine.name ? "" : ", " + place);
    std::string time;
    if (of_gpu(step, facts) && device_seconds(step)) {
      time = device_short(step);
    } else if (step.value("backend", "") != "executor") {
      time = time_short(step);
      for (const std::string& more : {ratio_short(step, "baseline"), library_short(step)})
        if (!more.empty()) time += ", " + more;
    }
    for (const std::string& more : {targets_short(step, reasons), time})
      if (!more.empty()) cell += "<br>" + more;
  }
  return cell.empty() ? not_yet : cell;
}

PartMaker::Lines PartMaker::ladder_table(const std::string& page, const std::string& lesson) const {
  if (machines_.empty()) return {nothing_stored};
  Lines lines;
  Reasons reasons;
  bool gpu = false;
  for (const char track : tracks) {
    Lines table;
    double hours = 0;
    for (const json& row : rows(lesson)) {
      const std::string name = row.value("name", "");
      if (name.empty() || name[0] != track) continue;
      const std::string file = fmt::format("lessons/{}/{}", lesson, row.value("file", name));
      std::vector<std::string> cells = {link(page, file, id_of(name)) + " " + row.value("kind", ""),
                                        fmt::format("{:g}", row.value("hours", 0.0)), row.value("idea", "")};
      hours += row.value("hours", 0.0);
      for (const StoredMachine& machine : machines_) cells.push_back(cell_of(machine, lesson, name, reasons));
      table.push_back(markdown_row(cells));
    }
    if (table.empty()) continue;
    gpu = gpu || is_track_of_gpu(track);
    Lines titles = {"rung", "hours", "idea"};
    for (const StoredMachine& machine : machines_)
      titles.push_back(is_track_of_gpu(track) ? machine.name : on_cpu(machine));
    if (!lines.empty()) lines.push_back("");
    lines.insert(lines.end(), {fmt::format("**{}** · {:g} h", heading_of_track(track), hours), ""});
    for (const std::string& line : markdown_head(titles)) lines.push_back(line);
    lines.insert(lines.end(), table.begin(), table.end());
  }
  lines.insert(
      lines.end(),
      {"",
       fmt::format(
           "R required, S stretch, D demonstration. Then the verdict, and the target with its bound. Times "
           "are "
           "those of a call, and how many times as fast as the baseline it is at the same size{}. [What the "
           "words mean]({}).",
           gpu ? ", or those of the device itself. The executor shows mistakes and counts; times need a GPU"
               : "",
           fs::path("docs/glossary.md").lexically_relative(fs::path(page).parent_path()).generic_string())});
  add_reasons(lines, reasons);
  lines.push_back("");
  for (const StoredMachine& machine : machines_)
    lines.push_back(machine.run && machine.run->lesson(lesson) ? source_of(page, *machine.run, lesson)
                                                               : not_measured(machine.name) + ".");
  return lines;
}

std::optional<json> PartMaker::below_of(const StoredMachine& machine, const std::string& lesson,
                                        const json& step) const {
  const std::string name = step.value("name", "");
  std::string below;
  for (const json& row : rows(lesson)) {
    const std::string other = row.value("name", "");
    if (other == name) break;
    if (!other.empty() && other[0] == name[0]) below = other;
  }
  for (const json& one : below.empty() ? std::vector<json>{} : machine.run->step(lesson, below))
    if (one.value("device", "") == step.value("device", "") &&
        one.value("backend", "") == step.value("backend", ""))
      return one;
  return {};
}

std::string PartMaker::measured_line(const StoredMachine& machine, const std::string& lesson,
                                     const json& step) const {
  Lines parts = {step.value("verdict", "")};
  const bool gpu =
      of_gpu(step, machine.run->machine_of(lesson, step.value("name", ""))) && device_seconds(step);
  std::string last;
  if (gpu) {
    parts.insert(parts.end(), {device_long(step), targets_long(step)});
    if (const auto call = time_short(step); !call.empty()) parts.push_back("a call takes " + call);
    const bool comparable =
        ratio_of(step, "below").has_value();  // exercises of their own are not raced against each other
    if (const auto below = below_of(machine, lesson, step); comparable && below)
      last = beside_below(step, *below);
  } else if (step.value("backend", "") == "executor") {
    parts.push_back(targets_long(step, true));
  } else {
    parts.insert(parts.end(), {time_long(step), ratio_long(step, "baseline", "the baseline's speed"),
                               ratio_long(step, "below", "the speed of the rung below"), library_long(step),
                               targets_long(step)});
  }
  std::string line;
  for (const std::string& part : parts)
    if (!part.empty()) line += (line.empty() ? "" : " · ") + part;
  return line + (last.empty() ? "" : ". " + last);
}

PartMaker::Lines PartMaker::measured(const std::string& page, const std::string& lesson,
                                     const std::string& what) const {
  static const std::regex several("((?:" + step_id_pattern + "-)+)([a-z][a-z0-9_-]*)");
  if (std::smatch found; std::regex_match(what, found, several)) {
    std::vector<std::string> ids;
    static const std::regex id(step_id_pattern);
    const std::string list = found[1];
    for (std::sregex_iterator i(list.begin(), list.end(), id), end; i != end; ++i) ids.push_back(i->str());
    return found[2] == "by-size" ? by_size(page, lesson, ids) : counted(lesson, ids);
  }
  const bool baseline = what == "baseline";
  const std::string name = baseline ? "" : name_of(lesson, what);
  return for_machines([&](const StoredMachine& machine) -> Lines {
    Lines lines;
    if (!machine.run) return lines;
    std::vector<BaselineTime> baselines;
    for (const json& row : rows(lesson)) {
      if (!baseline && row.value("name", "") != name) continue;
      for (const json& step : machine.run->step(lesson, row.value("name", ""))) {
        const std::string place = place_of(step, machine.run->machine_of(lesson, step.value("name", "")));
        const std::string on = fmt::format("- {}: ", on_place(machine, place));
        if (baseline)
          add_baseline(baselines, step);
        else
          lines.push_back(on + measured_line(machine, lesson, step));
      }
    }
    for (const BaselineTime& one : baselines)
      lines.push_back(fmt::format("- {}: {}", on_cpu(machine), sentence(one)));
    return lines;
  });
}

PartMaker::Lines PartMaker::by_size(const std::string& page, const std::string& lesson,
                                    const std::vector<std::string>& ids) const {
  std::vector<std::string> names;
  for (const std::string& id : ids) names.push_back(name_of(lesson, id));
  return for_machines([&](const StoredMachine& machine) -> Lines {
    std::map<double, std::map<std::string, double>> seconds;  // by n, then by step
    std::string sources;
    for (const StoredDocument& document : machine.runs) {
      bool used = false;
      for (const std::string& name : names)
        for (const json& step : document.step(lesson, name)) {
          const json time = step.value("time", json::object());
          const auto n = number_in(time.value("problem", json()), "n"), median = number_in(time, "median");
          if (n && median && *median > 0) used = true, seconds[*n][name] = *median;
        }
      if (used)
        sources += (sources.empty() ? "" : ", ") + link(page, document.file, document.file.filename());
    }
    for (auto size = seconds.begin(); size != seconds.end();)
      size = size->second.size() < names.size() ? seconds.erase(size) : std::next(size);
    if (seconds.size() < 2) return {};  // one size compares nothing
    Lines titles = {"n"};
    for (std::size_t i = 0; i < ids.size(); ++i) titles.push_back(ids[i]);
    for (std::size_t i = 1; i < ids.size(); ++i) titles.push_back(ids[i - 1] + " : " + ids[i]);
    Lines lines = {"", machine.name + ", from " + sources + ":", ""};
    for (const std::string& line : markdown_head(titles)) lines.push_back(line);
    for (const auto& [n, of] : seconds) {
      std::vector<std::string> cells = {fmt::format("{:.0f}", n)};
      for (const std::string& name : names) cells.push_back(short_time(of.at(name)));
      for (std::size_t i = 1; i < names.size(); ++i)
        cells.push_back(short_number(of.at(names[i - 1]) / of.at(names[i])));
      lines.push_back(markdown_row(cells));
    }
    lines.push_back("");
    return lines;
  });
}

PartMaker::Lines PartMaker::counted(const std::string& lesson, const std::vector<std::string>& ids) const {
  return for_machines([&](const StoredMachine& machine) -> Lines {
    std::string line;
    bool any = false;
    for (const std::string& id : ids)
      for (const json& step :
           machine.run ? machine.run->step(lesson, name_of(lesson, id)) : std::vector<json>{}) {
        any = any || step.contains("targets");
        for (const json& target : step.value("targets", json::array()))
          if (const auto amount = number_in(target, "amount"))
            line += fmt::format("{}{}: {} {}", line.empty() ? "" : " · ", id, short_number(*amount),
                                target.value("metric", ""));
      }
    if (!any) return {};
    return {fmt::format("- {}: {}", machine.name, line.empty() ? "*comes with the observed mode*" : line)};
  });
}

}  // namespace ladder::report
