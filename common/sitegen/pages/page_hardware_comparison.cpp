/// @file
/// The executor's counters and findings compared with the hardware's, as tables of a page.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "common/base/text/numbers.hpp"
#include "common/base/text/step_name.hpp"
#include "common/report/results/hardware_comparison.hpp"
#include "common/report/results/page_text.hpp"
#include "common/sitegen/counted_code.hpp"
#include "common/sitegen/pages/page_parts.hpp"

namespace ladder::report {
namespace {

using nlohmann::json;
using Lines = std::vector<std::string>;

constexpr double alike = 0.02;

/// The reasons that a table names, by number.
class NumberedReasons {
 public:
  /// "(2)": the number of the reason
  std::string mark(const std::string& why) {
    if (why.empty()) return "not explained";
    const auto [place, fresh] = numbers_.emplace(why, numbers_.size() + 1);
    if (fresh) list_.push_back(why);
    return fmt::format("({})", place->second);
  }
  Lines lines() const {
    Lines lines;
    for (std::size_t i = 0; i < list_.size(); ++i) lines.push_back(fmt::format("{}. {}.", i + 1, list_[i]));
    return lines;
  }

 private:
  std::map<std::string, std::size_t> numbers_;
  Lines list_;
};

bool of_branches(const CounterBeside& counter) {
  return counter.name.find("branches") != std::string::npos;
}

/// The kernels that were compared, with their counters of memory.
std::vector<KernelBeside> memory_of(const json& groups, const json& explained) {
  std::vector<KernelBeside> kernels = kernels_beside(groups, explained);
  std::erase_if(kernels, [](const KernelBeside& kernel) { return kernel.compared == 0; });
  for (KernelBeside& kernel : kernels) std::erase_if(kernel.counters, of_branches);
  return kernels;
}

/// Of each kernel with a counter that differs more than a limit: how many agree, and those that do not.
Lines kernel_rows(const std::vector<KernelBeside>& kernels, double limit, NumberedReasons& reasons) {
  Lines lines;
  for (const KernelBeside& kernel : kernels) {
    std::string differs;
    std::ptrdiff_t same = 0;
    for (const CounterBeside& counter : kernel.counters) {
      same += counter.worst <= alike;
      if (counter.worst > limit)
        differs +=
            fmt::format("{}{} {} : {} {}", differs.empty() ? "" : "<br>", counter.name,
                        grouped(counter.executor), grouped(counter.hardware), reasons.mark(counter.why));
    }
    if (differs.empty()) continue;
    const std::string launches = kernel.compared > 1 ? fmt::format(", {} launches", kernel.compared) : "";
    lines.push_back(markdown_row({kernel.of, "`" + kernel.kernel + "`" + launches,
                                  fmt::format("{} of {}", same, kernel.counters.size()), differs}));
  }
  return lines;
}

/// "In 87 of 102 kernels all counters of memory are within 2 %."
std::string summary(const std::vector<KernelBeside>& kernels) {
  const auto same = std::count_if(kernels.begin(), kernels.end(),
                                  [](const KernelBeside& kernel) { return kernel.worst() <= alike; });
  return fmt::format("In {} of {} kernels all counters of memory are within 2 %.", same, kernels.size());
}

/// Why branches differ, wherever they do.
std::string about_branches(const json& groups, const json& explained) {
  int differ = 0, all = 0;
  std::string why = "not explained";
  for (const KernelBeside& kernel : kernels_beside(groups, explained)) {
    bool far = false;
    for (const CounterBeside& counter : kernel.counters)
      if (of_branches(counter) && counter.worst > needs_reason) far = true, why = counter.why;
    all += kernel.compared > 0;
    differ += far;
  }
  return fmt::format("Branches are more than 10 % apart in {} of {} kernels of solutions: {}.", differ, all,
                     why);
}

/// Whether compute-sanitizer does not look for mistakes of a kind: racecheck sees shared memory only, and no
/// tool of it orders kernels, copies and the host.
bool is_outside_sanitizer(const std::string& kind) {
  return kind == "global-race" || kind == "missing-dependence" || kind == "early-read";
}

/// The one that memcheck could follow: it has an option for allocations in the order of streams.
constexpr std::string_view case_of_allocation = "freed-in-another-stream";

std::string name_of(const json& one) {
  return one.value("program", "") + " " + one.value("case", "");
}

/// Planted mistakes that executor and compute-sanitizer both ran.
struct Planted {
  std::size_t run = 0, both = 0, executor = 0, sanitizer = 0;  ///< found by both, or by one only
  std::size_t outside = 0;  ///< of those that only the executor finds: not what compute-sanitizer looks for
  std::size_t silent = 0;   ///< corrected versions of which both say nothing
  void add(const json& one) {
    const json &wrong = one.at("wrong"), &right = one.at("right");
    const bool here = !wrong.at("executor").empty(), there = !wrong.at("sanitizer").empty();
    ++run;
    both += here && there, executor += here && !there, sanitizer += there && !here;
    outside += here && !there && is_outside_sanitizer(one.value("kind", "")) &&
               one.value("case", "") != case_of_allocation;
    silent += right.at("executor").empty() && right.at("sanitizer").empty();
  }
};

bool ran_on_gpu(const json& one) {
  return one.at("wrong").at("sanitizer").is_object();
}

std::string planted_text(const Planted& all) {
  return fmt::format(
      "{} planted mistakes were run by both: {} are found by both, {} by the executor only, {} by "
      "compute-sanitizer only. At least {} of the {} are outside what compute-sanitizer looks for: races in "
      "global memory, and the order of kernels, copies and host. Of the {} corrected versions {} are silent "
      "in both. "
      "The mistakes are our own.",
      all.run, all.both, all.executor, all.sanitizer, all.outside, all.executor, all.run, all.silent);
}

Planted planted_of(const json& cases) {
  Planted all;
  for (const json& one : cases)
    if (ran_on_gpu(one)) all.add(one);
  return all;
}

/// What one side finds and the other does not, by kind.
/// @param planted  the current table; the stored run may have had fewer rows
Lines findings_lines(const json& cases, const json& planted, const std::string& left_out) {
  const Planted all = planted_of(cases);
  if (all.run == 0) return {};
  std::map<std::string, Planted> kinds;
  std::map<std::string, std::size_t> later;
  std::set<std::string> run;
  for (const json& one : cases)
    if (ran_on_gpu(one)) kinds[one.value("kind", "")].add(one), run.insert(name_of(one));
  for (const json& one : planted)
    if (!run.contains(name_of(one))) ++later[one.value("kind", "")], kinds[one.value("kind", "")];
  Lines lines = {"", "**Planted mistakes.** " + planted_text(all) + (left_out.empty() ? "" : " " + left_out),
                 ""};
  for (const std::string& line : markdown_head(
           {"kind", "found by both", "executor only", "compute-sanitizer only", "not run there yet"}))
    lines.push_back(line);
  for (const auto& [kind, of] : kinds)
    lines.push_back(markdown_row({kind + (is_outside_sanitizer(kind) ? " *" : ""), std::to_string(of.both),
                                  std::to_string(of.executor), std::to_string(of.sanitizer),
                                  std::to_string(later[kind])}));
  lines.insert(lines.end(), {"", "\\* Not what compute-sanitizer looks for."});
  return lines;
}

/// "- Not counted yet (2): 03/g6, 03/m2."; nothing without names
Lines named(std::string what, const Lines& paths) {
  if (paths.empty()) return {};
  what[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(what[0])));
  return {fmt::format("- {} ({}): {}.", what, paths.size(), short_names(paths))};
}

bool has_programs(const StoredMachine& machine) {
  return machine.executor && machine.executor->content.contains("programs");
}

/// The solutions of which kernels were compared with a GPU's counters.
std::set<std::string> compared_solutions(const StoredMachine& machine) {
  std::set<std::string> steps;
  for (const json& solution : machine.executor->content.value("solutions", json::array()))
    if (why_not_compared(solution).empty()) steps.insert(solution.value("step", ""));
  return steps;
}

/// Of a machine that has no section of its own: how much agrees.
Lines in_short(const std::string& page, const StoredMachine& machine, const json& explained,
               const std::string& changed) {
  const json& table = machine.executor->content;
  const auto small = memory_of(table.at("programs"), explained),
             large = memory_of(table.value("solutions", json::array()), explained);
  const std::size_t open = unexplained(small).size() + unexplained(large).size(),
                    solutions = compared_solutions(machine).size();
  return {
      "### " + machine.name, "", source_of(page, *machine.executor),
      fmt::format("Small programs: {}{}{} {}", summary(small),
                  solutions > 0 ? fmt::format(" {}: {}", counted(solutions, "solution"), summary(large)) : "",
                  changed.empty() ? "" : " " + changed,
                  open == 0 ? "Each counter that is more than 10 % apart has one of the reasons above."
                            : fmt::format("{} differences of more than 10 % have no reason.", open))};
}

}  // namespace

std::string PartMaker::changed(const StoredMachine& machine, const std::string& part,
                               const std::string& noun) const {
  return changed_text(changed_.at(machine.folder), part, noun);
}

PartMaker::Lines PartMaker::hardware_in_short() const {
  Lines lines = markdown_head({"GPU", "what", "kernels compared", "all counters of memory within 2 %",
                               "left out: changed since they were counted"});
  for (const StoredMachine* machine : all_machines()) {
    if (!has_programs(*machine)) continue;
    const json& table = machine->executor->content;
    struct Part {
      const char *what, *name, *row;
    };
    for (const auto& [what, part, row] :
         {Part{"small programs", "programs", "program"}, {"solutions", "solutions", "rung"}}) {
      const auto kernels = memory_of(table.value(part, json::array()), explained_);
      const auto same = std::count_if(kernels.begin(), kernels.end(),
                                      [](const KernelBeside& kernel) { return kernel.worst() <= alike; });
      const auto& all = changed_.at(machine->folder);
      const auto gone = all.find(part);
      lines.push_back(
          markdown_row({machine->name, what, std::to_string(kernels.size()), std::to_string(same),
                        gone == all.end() ? "" : ladder::counted(gone->second.names.size(), row)}));
    }
  }
  return lines;
}

PartMaker::Lines PartMaker::planted_in_short() const {
  for (const StoredMachine* machine : all_machines())
    if (machine->executor)
      if (const Planted all = planted_of(machine->executor->content.value("findings", json::array()));
          all.run > 0)
        return {planted_text(all) + " Compared on an " + machine->name + "."};
  return {"*not compared yet on any GPU*"};
}

PartMaker::Lines PartMaker::compared(const std::string& page) const {
  std::set<std::string> steps;
  std::vector<KernelBeside> kernels;
  std::size_t planted = 0;
  for (const StoredMachine* machine : all_machines()) {
    if (!machine->executor) continue;
    const json& table = machine->executor->content;
    steps.merge(compared_solutions(*machine));
    planted += planted_of(table.value("findings", json::array())).run;
    for (const char* part : {"programs", "solutions"})
      for (const KernelBeside& kernel : memory_of(table.value(part, json::array()), explained_))
        kernels.push_back(kernel);
  }
  return {fmt::format(
      "The counts of {} of the {} reference programs in CUDA, and what is found in {} planted mistakes, were "
      "{}. {}",
      steps.size(), cuda_rows_without(json::array(), "step").size(), planted,
      link(page, "docs/executor.md", "compared with NVIDIA GPUs and NVIDIA's tools"), summary(kernels))};
}

PartMaker::Lines PartMaker::hardware(const std::string& page) const {
  std::vector<const StoredMachine*> machines = all_machines();
  std::erase_if(machines, [](const StoredMachine* machine) { return !has_programs(*machine); });
  if (machines.empty()) return {"*not measured yet on any machine with a GPU*"};
  // In full the machine with the most, in short the others.
  std::ranges::stable_sort(machines, std::ranges::greater{},
                           [](const StoredMachine* machine) { return compared_solutions(*machine).size(); });
  Lines lines;
  for (const StoredMachine* machine : machines) {
    const Lines more = machine == machines.front()
                           ? hardware_in_full(page, *machine)
                           : in_short(page, *machine, explained_, changed(*machine, "solutions", "rung"));
    const Lines findings = findings_lines(machine->executor->content.value("findings", json::array()),
                                          planted_, changed(*machine, "findings", "mistake"));
    lines.insert(lines.end(), more.begin(), more.end());
    lines.insert(lines.end(), findings.begin(), findings.end());
    lines.push_back("");
  }
  lines.pop_back();
  return lines;
}

PartMaker::Lines PartMaker::hardware_in_full(const std::string& page, const StoredMachine& machine) const {
  Lines lines;
  const auto add = [&](const Lines& more) { lines.insert(lines.end(), more.begin(), more.end()); };
  const json& table = machine.executor->content;
  const json solutions = table.value("solutions", json::array()),
             dates = table.value("dates", json::object());
  // Rows that were measured again alone have their own date.
  std::set<std::string> days;
  for (const json& row : solutions)
    days.insert(row.value("date", dates.value("solutions", "")).substr(0, 10));
  const std::string of_solutions = days.empty() ? "none"
                                   : *days.begin() == *days.rbegin()
                                       ? *days.begin()
                                       : *days.begin() + " to " + *days.rbegin();
  const auto small = memory_of(table.at("programs"), explained_), large = memory_of(solutions, explained_);
  NumberedReasons reasons;
  add({"### " + machine.name, "",
       source_of(page, *machine.executor) + fmt::format(" Small programs: {}. Solutions: {}.",
                                                        dates.value("programs", "").substr(0, 10),
                                                        of_solutions),
       "", "**Small programs.** " + summary(small) + " The others:", ""});
  add(markdown_head({"program", "kernel", "counters within 2 %", "executor : hardware"}));
  add(kernel_rows(small, alike, reasons));
  const std::string left_out = changed(machine, "solutions", "rung");
  add({"",
       fmt::format(
           "**{}**, each at the size of its target. {} {}{} Kernels with a counter that is more than 10 % "
           "apart:",
           ladder::counted(compared_solutions(machine).size(), "solution"), summary(large),
           about_branches(solutions, explained_), left_out.empty() ? "" : " " + left_out),
       ""});
  add(markdown_head({"solution", "kernel", "counters within 2 %", "executor : hardware"}));
  add(kernel_rows(large, needs_reason, reasons));
  add({""});
  add(reasons.lines());
  add({"", "Solutions that are not compared:", ""});
  std::map<std::string, Lines> why_not;
  for (const json& solution : solutions)
    if (const std::string why = why_not_compared(solution); !why.empty()) {
      constexpr std::string_view skipped = "SKIPPED  ";  // "it launches no kernel of its own" says the same
      why_not[why.starts_with(skipped) ? why.substr(skipped.size()) : why].push_back(
          solution.value("step", ""));
    }
  Lines twins, open;
  const auto& all_changed = changed_.at(machine.folder);
  const auto found = all_changed.find("solutions");
  const Lines changed_names = found == all_changed.end() ? Lines{} : found->second.names;
  for (const std::string& path : cuda_rows_without(solutions, "step")) {
    if (std::ranges::find(changed_names, path) != changed_names.end()) continue;
    (has_twin(path.substr(path.find('/') + 1)) ? twins : open).push_back(path);
  }
  add(named("changed since they were counted", changed_names));
  add(named("not counted on that GPU yet", open));
  add(named("a GPU runs other code in it", twins));
  for (const auto& [why, paths] : why_not) add(named(why, paths));
  return lines;
}

}  // namespace ladder::report
