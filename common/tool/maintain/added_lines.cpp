#include "common/tool/maintain/added_lines.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/report/text/table.hpp"
#include "common/skeleton/code_lines.hpp"

namespace ladder {
namespace {

using cut::added_lines;
using cut::code_lines;

constexpr std::size_t max_lines = 80, max_lines_of_tiles = 150, max_lines_of_contract = 60;

std::size_t most_of(const StepEntry& step) {
  return step.lesson.starts_with("04-") ? max_lines_of_tiles : max_lines;
}

}  // namespace

std::string check_added_lines(const Context& context, const std::vector<LessonEntry*>& lessons,
                              const std::set<const StepEntry*>& chosen, TestSummary& summary) {
  report::Table table({{"rung"}, {"lines", true}, {"added", true}, {"reason", false, true}});
  for (const LessonEntry* lesson : lessons) {
    if (lesson->name.starts_with("00-")) continue;
    const StepEntry* below = nullptr;
    for (const StepEntry& step : lesson->steps) {
      const StepEntry* lower = below && below->track() == step.track() ? below : nullptr;
      const std::string source = read_text(source_of(context.root, "solutions", step));
      if (source.empty() || !step.row.is_object()) continue;
      below = &step;
      if (!chosen.contains(&step)) continue;
      const auto lines = code_lines(source);
      const std::string why = step.row.value("why_long", "");
      const std::size_t added =
          lower ? added_lines(code_lines(read_text(source_of(context.root, "solutions", *lower))), lines) : 0;
      table.add({step.label(), std::to_string(lines.size()), lower ? std::to_string(added) : "", why});
      const std::string name = fmt::format("lines: {} adds what one idea needs", step.path());
      if (added > most_of(step) && why.empty())
        summary.fail(name,
                     fmt::format("{} new lines next to {}, at most {}: cut the rung in two, give what is "
                                 "machinery in a header, or say in its row why_long",
                                 added, lower->label(), most_of(step)));
      else if (added <= most_of(step) && !why.empty())
        summary.fail(name,
                     fmt::format("its row has a why_long, and it adds {} lines only: take that out", added));
      else
        summary.pass();
    }
  }
  return table.text(static_cast<std::size_t>(context.terminal.width()));
}

void check_contract_lines(const Context& context, const std::vector<LessonEntry*>& lessons,
                          TestSummary& summary) {
  for (const LessonEntry* lesson : lessons) {
    const std::string file = "lessons/" + lesson->name + "/problem.hpp",
                      text = read_text(context.root / file);
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    summary.expect(lines <= max_lines_of_contract,
                   fmt::format("lines: {} has at most {}", file, max_lines_of_contract),
                   fmt::format("it has {}: put what is not the contract into a header next to it", lines));
  }
}

}  // namespace ladder
