#include "common/tool/review/review_items.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/grade/record.hpp"

namespace ladder {
namespace {

using model::GradeEntry;

/// The sentence about what was found, without how the step was judged; empty where a person looks for another
/// reason.
std::string found_in(const GradeEntry& step) {
  if (step.staff.verdict != Verdict::review || step.judged_as == Verdict::rejected || step.uses.empty())
    return "";
  return step.staff.evidence.substr(0, step.staff.evidence.find("; judged "));
}

}  // namespace

bool waits(const GradeEntry& step) {
  return grade::is_provisional(step) || !step.untaken.empty();
}

std::vector<Open> open_items(const GradeStore& store) {
  std::vector<Open> found;
  for (const model::GradeRecord& record : store.records())
    for (const GradeEntry& step : record.steps)
      if (waits(step)) found.push_back({record.pseudonym, step, record.submission.notes});
  return found;
}

std::string evidence_of(const GradeEntry& step) {
  if (step.staff.evidence != step.message) return step.staff.evidence;
  if (step.uses.empty()) return "";
  return fmt::format("the object file of {} has the symbol{} {}, and that of the reference has not",
                     step.file, step.uses.size() == 1 ? "" : "s", fmt::join(step.uses, ", "));
}

std::string allowance_for(const GradeEntry& step) {
  const std::string found = found_in(step);
  if (found.empty() || found.find("it defines ") != found.npos) return "";  // these are nobody's to use
  std::string names;
  for (const std::string& name : step.uses) names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", name);
  return fmt::format(
      "to everybody: allow = {{ symbols = [{}] }} in the course file before grading, and nobody need decide "
      "it",
      names);
}

std::vector<Open> alike(const std::vector<Open>& items, const std::string& pseudonym,
                        const GradeEntry& step) {
  std::vector<Open> found;
  const std::string evidence = found_in(step);
  for (const Open& one : items)
    if (!evidence.empty() && found_in(one.step) == evidence &&
        !(one.pseudonym == pseudonym && grade::step_id(one.step) == grade::step_id(step)))
      found.push_back(one);
  return found;
}

Decisions decisions_for(const std::vector<Open>& items, grade::Decision decision) {
  Decisions all;
  for (const Open& one : items) {
    decision.step = grade::step_id(one.step);
    all.emplace_back(one.pseudonym, decision);
  }
  return all;
}

}  // namespace ladder
