#include "common/tool/maintain/checks/handout_check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <regex>

#include "common/base/usage_error.hpp"
#include "common/report/text/table.hpp"
#include "common/skeleton/handout_skeleton.hpp"
#include "common/skeleton/skeletonize.hpp"
#include "common/tool/handout/handout.hpp"

namespace ladder {
namespace {

/// A region, and the later skeletons that show its reference.
struct Shown {
  const StepEntry* step;
  cut::Region region;
  std::vector<std::string> in;
};

void check_skeleton(const StepEntry& step, const std::string& solution, std::vector<Shown>& earlier,
                    TestSummary& summary) {
  std::vector<cut::Region> regions;
  for (const Shown& one : earlier) regions.push_back(one.region);
  const cut::CourseSkeleton course = cut::course_skeleton(solution, step.file, regions);
  const std::string usual = cut::without_blanks(cut::skeleton(solution, step.file)),
                    cut = cut::without_blanks(course.text);
  for (Shown& one : earlier) {
    const std::string reference = cut::without_blanks(one.region);
    if (!cut::is_secret(one.region) || usual.find(reference) == usual.npos) continue;
    one.in.push_back(step.id());
    summary.expect(cut.find(reference) == cut.npos, fmt::format("copies: {} as a course has it", step.path()),
                   fmt::format("it shows what is to be written in {}, line {} of its solution",
                               one.step->label(), one.region.line));
  }
}

/// A handout is built with what is in it: what its common includes of common is there, and nothing that
/// grades.
std::string missing_or_too_much(const grade::Tree& files) {
  static const std::regex include(R"re((?:^|\n)#include "(common/[^"]+)")re");
  for (const auto& [path, file] : files) {
    if (path.starts_with("common/tool/grading/")) return path + " is in it";
    if (!path.starts_with("common/") || path.ends_with(".md")) continue;
    for (std::sregex_iterator at(file.bytes.begin(), file.bytes.end(), include), end; at != end; ++at)
      if (!files.contains((*at)[1]))
        return fmt::format("{} includes {}, which is not in it (is_of_others in handout.cpp)", path,
                           (*at)[1].str());
  }
  return "";
}

/// All rungs of a lesson at once: what is handed out rung by rung shows less.
void check_handout(Context& context, const LessonEntry& lesson, const std::set<const StepEntry*>& chosen,
                   TestSummary& summary) {
  HandoutRequest request{context.catalogue.resolve({lesson.name})};
  if (std::none_of(request.rungs.begin(), request.rungs.end(),
                   [&](const StepEntry* step) { return chosen.contains(step); }))
    return;
  std::string why;
  try {
    why = missing_or_too_much(make_handout(context, request).files);
  } catch (const UsageError& error) {
    why = error.text;
  }
  summary.expect(why.empty(), fmt::format("copies: a handout of {}", lesson.name), why);
  if (!why.empty() || lesson.number() != "00") return;  // of one lesson: it is the same code for all
  request.skeletons = false;
  for (const auto& [path, file] : make_handout(context, request).files)
    if (path.starts_with(".handout") || path.starts_with("solutions/") || path.find("/g1_") != path.npos ||
        (path.ends_with(".md") && !path.starts_with("common/")))
      why = path + " is in it";
  summary.expect(why.empty(), "copies: the half that a judge needs has neither skeletons nor pages", why);
}

}  // namespace

std::string check_copies(Context& context, const std::vector<LessonEntry*>& lessons,
                         const std::set<const StepEntry*>& chosen, TestSummary& summary) {
  report::Table table({{"region"}, {"lines", true}, {"is in", false, true}});
  for (const LessonEntry* lesson : lessons) {
    std::vector<Shown> earlier;
    bool whole = true;
    for (const StepEntry& step : lesson->steps) {
      const std::string solution = read_text(source_of(context.root, "solutions", step));
      if (!cut::has_regions(solution)) continue;
      try {
        if (chosen.contains(&step)) check_skeleton(step, solution, earlier, summary);
        for (cut::Region& region : cut::regions_of(solution, step.file, step.id()))
          earlier.push_back({&step, std::move(region), {}});
      } catch (const cut::Error&) {  // said by the trees
        whole = false;
      }
    }
    if (whole) check_handout(context, *lesson, chosen, summary);
    for (const Shown& one : earlier)
      if (!one.in.empty())
        table.add({fmt::format("{}, line {}", one.step->label(), one.region.line),
                   std::to_string(one.region.lines), fmt::format("{}", fmt::join(one.in, ", "))});
  }
  return table.text(static_cast<std::size_t>(context.terminal.width()));
}

}  // namespace ladder
