/// @file
/// The executor's counters and findings compared with the hardware's, as tables of a page.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "common/base/text/numbers.hpp"
#include "common/base/text/step_name.hpp"
#include "common/report/results/hardware_comparison.hpp"
#include "common/report/results/page_text.hpp"
#include "common/sitegen/page_parts.hpp"

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

/// One row per kernel: the number of counters that agree, and those that do not.
/// @param all  also kernels without such a difference
Lines kernel_rows(const std::vector<KernelBeside>& kernels, double limit, bool all,
                  NumberedReasons& reasons) {
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
    if (differs.empty() && !all) continue;
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

std::string name_of(const json& one) {
  return one.value("program", "") + " " + one.value("case", "");
}

/// What one side finds and the other does not.
/// @param planted  the current table; the stored run may have had fewer rows, and other descriptions of them
Lines findings_lines(const json& cases, const json& planted) {
  std::map<std::string, Lines> only;
  std::set<std::string> run;
  std::map<std::string, std::string> description;
  for (const json& one : planted)
    if (one.contains("what")) description[name_of(one)] = one["what"];
  int both = 0, asked = 0, silent = 0;
  for (const json& one : cases) {
    const json &wrong = one.at("wrong"), &right = one.at("right");
    if (!wrong.at("sanitizer").is_object()) continue;
    ++asked;
    run.insert(name_of(one));
    silent += right.at("executor").empty() && right.at("sanitizer").empty();
    const bool here = !wrong.at("executor").empty(), there = !wrong.at("sanitizer").empty();
    both += here && there;
    const auto current = description.find(name_of(one));
    const std::string what = current != description.end() ? current->second : one.value("what", "");
    const std::string text = fmt::format("{} ({})", what, one.value("kind", ""));
    if (here != there) only[here ? "executor" : "sanitizer"].push_back(text);
  }
  if (asked == 0) return {};
  Lines lines = {
      "", fmt::format(
              "{} planted mistakes were run by both: {} are found by both, {} by the executor only, {} by "
              "compute-sanitizer only. Of the {} corrected versions {} are silent in both.",
              asked, both, only["executor"].size(), only["sanitizer"].size(), asked, silent)};
  const auto add = [&](const char* side, const char* title) {
    if (only[side].empty()) return;
    lines.insert(lines.end(), {"", title, ""});
    for (const std::string& text : only[side]) lines.push_back("- " + text);
  };
  add("executor", "Only the executor finds:");
  add("sanitizer", "Only compute-sanitizer finds:");
  for (const json& one : planted)
    if (!run.contains(name_of(one))) only["later"].push_back(one.value("what", ""));
  add("later", "Planted since then, and not run on that machine yet:");
  return lines;
}

/// What the executor counted of all kernels of a solution.
double counted_by_executor(const json& solution, const char* counter) {
  double sum = 0;
  for (const json& kernel : solution.value("kernels", json::array()))
    sum += number_in(kernel.value("counters", json::object()).value(counter, json::object()), "executor")
               .value_or(0);
  return sum;
}

/// Whether a later count is of another size, or of a program that moves other sectors.
bool has_changed(const json& solution, const json& later) {
  if (later.value("date", "") <= solution.value("date", "")) return false;
  if (later.value("problem", "") != solution.value("problem", "")) return true;
  for (const char* counter : {"global_load_sectors", "global_store_sectors"}) {
    const double was = counted_by_executor(solution, counter), is = counted_by_executor(later, counter);
    if (std::abs(was - is) > alike * std::max(was, is)) return true;
  }
  return false;
}

/// Of a machine that has no section of its own: how much agrees.
Lines in_short(const std::string& page, const StoredMachine& machine, const json& solutions,
               const json& explained) {
  if (!machine.executor || !machine.executor->content.contains("programs")) return {};
  const json& table = machine.executor->content;
  const auto small = memory_of(table.at("programs"), explained), large = memory_of(solutions, explained);
  const std::size_t open = unexplained(small).size() + unexplained(large).size();
  return {
      "**" + machine.name + ".** " + source_of(page, *machine.executor),
      fmt::format("Small programs: {} {} solutions: {} {}", summary(small), solutions.size(), summary(large),
                  open == 0 ? "Each counter that is more than 10 % apart has one of the reasons above."
                            : fmt::format("{} differences of more than 10 % have no reason.", open)),
      ""};
}

}  // namespace

json PartMaker::counted_solutions(const StoredMachine& machine, Lines* older) const {
  json current = json::array();
  for (const json& solution : machine.executor->content.value("solutions", json::array())) {
    bool changed = false;
    for (const StoredMachine* other : all_machines())
      if (other->executor)
        for (const json& later : other->executor->content.value("solutions", json::array()))
          changed = changed ||
                    (later.value("step", "") == solution.value("step", "") && has_changed(solution, later));
    if (!changed)
      current.push_back(solution);
    else if (older)
      older->push_back(fmt::format("- {}: counted on {}; its program or its size has changed since.",
                                   solution.value("step", ""), solution.value("date", "").substr(0, 10)));
  }
  return current;
}

PartMaker::Lines PartMaker::hardware_in_short() const {
  Lines lines = markdown_head({"GPU", "what", "kernels compared", "all counters of memory within 2 %"});
  for (const StoredMachine* machine : all_machines()) {
    if (!machine->executor || !machine->executor->content.contains("programs")) continue;
    const json& table = machine->executor->content;
    for (const auto& [what, part] : {std::pair{"small programs", "programs"}, {"solutions", "solutions"}}) {
      const auto kernels = memory_of(
          what == std::string("solutions") ? counted_solutions(*machine) : table.value(part, json::array()),
          explained_);
      const auto same = std::count_if(kernels.begin(), kernels.end(),
                                      [](const KernelBeside& kernel) { return kernel.worst() <= alike; });
      lines.push_back(
          markdown_row({machine->name, what, std::to_string(kernels.size()), std::to_string(same)}));
    }
  }
  return lines;
}

PartMaker::Lines PartMaker::hardware(const std::string& page) const {
  Lines lines;
  const auto add = [&](const Lines& more) { lines.insert(lines.end(), more.begin(), more.end()); };
  for (const StoredMachine& machine : machines_) {
    if (!machine.executor || !machine.executor->content.contains("programs")) continue;
    const json& table = machine.executor->content;
    Lines left_out;
    const json solutions = counted_solutions(machine, &left_out),
               dates = table.value("dates", json::object());
    const auto day = [&](const char* part) { return dates.value(part, "").substr(0, 10); };
    // Rows that were measured again alone have their own date.
    std::set<std::string> days;
    for (const json& row : solutions)
      days.insert(row.value("date", dates.value("solutions", "")).substr(0, 10));
    const std::string of_solutions = days.empty() ? ""
                                     : *days.begin() == *days.rbegin()
                                         ? *days.begin()
                                         : *days.begin() + " to " + *days.rbegin();
    const auto small = memory_of(table.at("programs"), explained_), large = memory_of(solutions, explained_);
    NumberedReasons reasons;
    add({"### " + machine.name, "",
         source_of(page, *machine.executor) +
             fmt::format(" Small programs: {}. Solutions: {}. Planted mistakes: {}.", day("programs"),
                         of_solutions, day("findings")),
         "", "**Small programs.** " + summary(small) + " The others:", ""});
    add(markdown_head({"program", "kernel", "counters within 2 %", "executor : hardware"}));
    add(kernel_rows(small, alike, false, reasons));
    add({"",
         "**Solutions**, each at the size of its target. " + summary(large) + " " +
             about_branches(solutions, explained_),
         ""});
    add(markdown_head(
        {"solution", "kernel", "counters within 2 %", "more than 10 % apart, executor : hardware"}));
    add(kernel_rows(large, needs_reason, true, reasons));
    add({""});
    add(reasons.lines());
    for (const json& solution : solutions)
      if (const std::string why = why_not_compared(solution); !why.empty())
        left_out.push_back(fmt::format("- {}: {}.", solution.value("step", ""), why));
    for (const std::string& path : cuda_rows_without(table.value("solutions", json::array()), "step")) {
      const bool twin = has_twin(path.substr(path.find('/') + 1));
      left_out.push_back(fmt::format("- {}: {}.", path, twin ? "a GPU runs other code in it" : not_yet));
    }
    if (!left_out.empty()) add({"", "Not compared:", ""});
    add(left_out);
    add(findings_lines(table.value("findings", json::array()), planted_));
    lines.push_back("");
  }
  for (const StoredMachine& machine : further_)
    if (machine.executor) add(in_short(page, machine, counted_solutions(machine), explained_));
  if (lines.empty()) return {"*not measured yet on any machine with a GPU*"};
  while (lines.back().empty()) lines.pop_back();
  return lines;
}

}  // namespace ladder::report
