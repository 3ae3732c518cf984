#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <regex>
#include <sstream>

#include "common/base/text/numbers.hpp"
#include "common/base/text/step_name.hpp"
#include "common/report/results/page_text.hpp"
#include "common/report/results/performance.hpp"
#include "common/report/results/shown_verdict.hpp"
#include "common/report/text/table.hpp"
#include "common/sitegen/pages/page_parts.hpp"
#include "common/trace/metrics.hpp"

namespace ladder::report {
namespace {

using model::StepResult;
using nlohmann::json;

/// "NVIDIA H200", "2 cores, no GPU (PoCL)"
std::string on_place(const StoredMachine& machine, const std::string& place) {
  if (place.empty()) return on_cpu(machine);
  return machine.name + (place == machine.name ? "" : " (" + place + ")");
}

/// A time of the baseline, and the rungs that have it: those of a timing session share one, and each session
/// has its own.
struct BaselineTime {
  std::string words;  ///< "**78.9 ms** at n = 768"
  int alone = 0;      ///< calls that were timed alone; 0: in a session
  std::vector<std::string> rungs{};
};

void add_baseline(std::vector<BaselineTime>& all, const StepResult& step) {
  const auto ratio = ratio_of(step, "baseline");
  if (!ratio || !step.time) return;
  const BaselineTime one{
      .words = fmt::format("**{}** at {}", short_time(*ratio * step.time->seconds.median), size_of(step)),
      .alone = step.time->baseline ? step.time->baseline->count : 0};
  auto found = std::find_if(all.begin(), all.end(), [&](const BaselineTime& other) {
    return other.words == one.words && other.alone == one.alone;
  });
  if (found == all.end()) found = all.insert(found, one);
  found->rungs.push_back(step.name);
}

/// "**78.9 ms** at n = 768, timed together with c1.", "**14.2 s** at n = 4096, timed alone, once, on the
/// problem of g1."
std::string sentence(const BaselineTime& one) {
  if (one.alone == 0) return fmt::format("{}, timed together with {}.", one.words, ranges_of(one.rungs));
  return fmt::format("{}, timed alone, {}, on the problem of {}.", one.words,
                     one.alone == 1 ? "once" : fmt::format("{} times", one.alone), id_of(one.rungs.front()));
}

/// An item of a list in HTML, without links: a code host shows no Markdown in a fold unless it has blank
/// lines, and Doxygen ends a fold at a blank line.
std::string html_of(const std::string& item) {
  static const std::regex mark("^- "), link(R"(\[([^\]]*)\]\([^)]*\))"), bold(R"(\*\*([^*]*)\*\*)"),
      italic(R"(\*([^*]*)\*)"), code("`([^`]*)`");
  std::string text = std::regex_replace(item, mark, "");
  for (const auto& [markdown, html] :
       {std::pair{&link, "$1"}, {&bold, "<b>$1</b>"}, {&italic, "<i>$1</i>"}, {&code, "<code>$1</code>"}})
    text = std::regex_replace(text, *markdown, html);
  return text;
}

/// "a call takes 2.59 ms ±6 %"; empty where calls differ so much that one number says nothing.
std::string call_short(const StepResult& step) {
  constexpr double much = 0.2;  // half of the interval, over the median
  if (step.time && has_ends(step.time->seconds)) {
    const Interval& seconds = step.time->seconds;
    if (seconds.high - seconds.low > 2 * much * seconds.median) return "";
  }
  return "a call takes " + time_short(step);
}

/// Local memory is what nvcc has spilled: only a machine with nvcc knows it.
bool is_of_executor(const model::Target& target) {
  const Metric& metric = find_metric(target.metric);
  return metric.source == Source::counters && metric.name != std::string_view("local_bytes");
}

/// Its targets without those that the executor counts on every machine: a GPU's line shows what was measured
/// there.
StepResult of_device_itself(StepResult step) {
  std::erase_if(step.targets, is_of_executor);
  return step;
}

/// "ncu counts 215,273 wavefronts at n = 256": what the GPU's own counters say where the executor counted the
/// same there as it does now. Otherwise the rung has changed since.
std::string counted_by_ncu(const StoredMachine& machine, const std::string& path, const StepResult& step) {
  if (!machine.executor) return "";
  std::string words;
  for (const json& solution : machine.executor->content.value("solutions", json::array()))
    for (const model::Target& target : step.targets) {
      if (solution.value("step", "") != path || !target.amount || !is_of_executor(target)) continue;
      const Metric& metric = find_metric(target.metric);
      const auto colon = target.metric.find(':');  // then the name of the kernels that it is about
      const std::string kernels = colon == std::string::npos ? "" : target.metric.substr(colon + 1);
      double executor = 0, hardware = 0;
      for (const json& kernel : solution.value("kernels", json::array())) {
        if (kernel.value("kernel", "").find(kernels) == std::string::npos) continue;
        std::istringstream names(metric.counted);
        for (std::string name; names >> name;) {
          const json counter = kernel.value("counters", json::object()).value(name, json::object());
          executor += number_in(counter, "executor").value_or(0);
          hardware += number_in(counter, "hardware").value_or(std::nan(""));
        }
      }
      if (hardware > 0 && executor == *target.amount)
        words += fmt::format("{}ncu counts {} {} at {}", words.empty() ? "" : " · ", amount_text(hardware),
                             metric.name == std::string_view("sweeps") ? "sectors" : metric.unit,
                             solution.value("problem", ""));
    }
  return words;
}

}  // namespace

std::string PartMaker::experiment_of(const std::string& lesson, const std::string& name) const {
  return gain_of_row(rows(lesson), name).value("experiment", "");
}

std::string PartMaker::measured_line(const StoredMachine& machine, const std::string& lesson,
                                     const StepResult& step) const {
  Lines parts = {verdict_with_remark(step)};
  const bool gpu = of_gpu(step, machine.run->machine_of(lesson, step.name));
  if (gpu) {
    const std::string targets = targets_long(of_device_itself(step)),
                      ncu = counted_by_ncu(machine, lesson + "/" + step.name, step);
    if (device_seconds(step))
      parts.insert(parts.end(), {device_long(step), targets, ncu, call_short(step)});
    else
      parts.insert(parts.end(), {time_long(step), library_long(step), targets, ncu});
    parts.push_back(gain_long(step));
    if (const auto experiment = experiment_of(lesson, step.name); gain_of(step) && !experiment.empty())
      parts.push_back("an experiment: " + experiment);
  } else if (step.backend == "executor") {
    parts.push_back(targets_long(step, true));
  } else {
    parts.insert(parts.end(), {time_long(step), ratio_long(step, "baseline", "the baseline's speed"),
                               ratio_long(step, "below", "the speed of the rung below"), library_long(step),
                               targets_long(step)});
  }
  std::string line;
  for (const std::string& part : parts)
    if (!part.empty()) line += (line.empty() ? "" : " · ") + part;
  return line;
}

PartMaker::Lines PartMaker::gain_lines(const std::string& lesson, const std::string& name) const {
  const bool on_gpu = is_track_of_gpu(name.front());
  Lines lines;
  for (const StoredMachine* machine : all_machines()) {
    if (!machine->run || (!on_gpu && !machine->in_lessons)) continue;
    const auto of = machine->run->machine_of(lesson, name);
    for (const StepResult& step : machine->run->step(lesson, name)) {
      if (!step.time || of_gpu(step, of) != on_gpu) continue;
      Lines parts;
      if (step.verdict != Verdict::pass) parts.push_back(verdict_with_remark(step));
      const std::string gain =
          on_gpu ? gain_long(step) : ratio_long(step, "baseline", "the baseline's speed");
      if (!gain.empty()) parts.push_back(gain);
      if (on_gpu && device_seconds(step))
        parts.push_back(device_long(step));
      else if (gain.empty() || !on_gpu)
        parts.push_back(time_long(step));
      if (const auto what = experiment_of(lesson, name); on_gpu && !gain.empty() && !what.empty())
        parts.push_back("an experiment: " + what);
      if (gain.empty()) parts.push_back("its gain is not measured");
      lines.push_back(fmt::format("{}: {}", on_place(*machine, on_gpu ? place_of(step, of) : ""),
                                  fmt::join(parts, " · ")));
    }
  }
  return lines;
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
  const auto on_machine = [&](const StoredMachine& machine) -> Lines {
    Lines lines;
    std::vector<BaselineTime> baselines;
    for (const json& row : machine.run ? rows(lesson) : json::array()) {
      if (!baseline && row.value("name", "") != name) continue;
      for (const StepResult& step : machine.run->step(lesson, row.value("name", ""))) {
        const std::string place = place_of(step, machine.run->machine_of(lesson, step.name));
        const std::string on = fmt::format("- {}: ", on_place(machine, place));
        if (baseline)
          add_baseline(baselines, step);
        else
          lines.push_back(on + measured_line(machine, lesson, step));
      }
    }
    if (const std::string top = baseline ? "" : top_of(page, machine, lesson, name, true); !top.empty())
      lines.push_back(
          fmt::format("- {}: {}", is_track_of_gpu(name.front()) ? machine.name : on_cpu(machine), top));
    if (!baseline)
      for (const std::string& line : busy_of(page, machine, lesson, name)) lines.push_back(line);
    for (const BaselineTime& one : baselines)
      lines.push_back(fmt::format("- {}: {}", on_cpu(machine), sentence(one)));
    return lines;
  };
  Lines lines = for_machines(on_machine);
  constexpr std::size_t few = 3;  // of a baseline, a reader can pass that many on the way to the ladder
  if (baseline && lines.size() <= few) return lines;
  for (const StoredMachine& machine : further_)
    for (const std::string& line : baseline ? Lines() : on_machine(machine)) lines.push_back(line);
  // Folded: it would answer the section's Predict.
  Lines folded = {"<details><summary>Measured</summary><ul>"};
  for (const std::string& line : lines) folded.push_back("<li>" + html_of(line) + "</li>");
  folded.push_back("</ul></details>");
  return folded;
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
        for (const StepResult& step : document.step(lesson, name)) {
          if (!step.time || !step.time->problem.contains("n") || step.time->seconds.median <= 0) continue;
          used = true;
          seconds[step.time->problem.at("n")][name] = step.time->seconds.median;
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
      for (const StepResult& step :
           machine.run ? machine.run->step(lesson, name_of(lesson, id)) : std::vector<StepResult>{}) {
        any = any || !step.targets.empty();
        for (const model::Target& target : step.targets)
          if (target.amount)
            line += fmt::format("{}{}: {} {}", line.empty() ? "" : " · ", id, short_number(*target.amount),
                                target.metric);
      }
    if (!any) return {};
    return {fmt::format("- {}: {}", machine.name, line.empty() ? "*comes with the observed mode*" : line)};
  });
}

}  // namespace ladder::report
