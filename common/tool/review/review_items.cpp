#include "common/tool/review/review_items.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "common/grade/record.hpp"

namespace ladder {
namespace {

using nlohmann::json;

std::vector<std::string> names_in(const json& step) {
  return step.value("uses", std::vector<std::string>{});
}

/// The sentence about what was found, without how the step was judged; empty where a person looks for another
/// reason.
std::string found_in(const json& step) {
  if (step["staff"]["verdict"] != "REVIEW" || step.value("judged_as", "") == "REJECTED" ||
      names_in(step).empty())
    return "";
  const std::string said = step["staff"].value("evidence", "");
  return said.substr(0, said.find("; judged "));
}

}  // namespace

bool waits(const json& step) {
  return step["student"]["verdict"] == "PROVISIONAL" || step.contains("untaken");
}

std::vector<Open> open_items(const std::vector<json>& records) {
  std::vector<Open> found;
  for (const json& record : records)
    for (const json& step : record.at("steps"))
      if (waits(step))
        found.push_back({record.value("pseudonym", ""), step, record["submission"].value("notes", "")});
  return found;
}

std::string evidence_of(const json& step) {
  const std::string evidence = step["staff"].value("evidence", "");
  if (evidence != step.value("message", "")) return evidence;
  const auto names = names_in(step);
  if (names.empty()) return "";
  return fmt::format("the object file of {} has the symbol{} {}, and that of the reference has not",
                     step.value("file", ""), names.size() == 1 ? "" : "s", fmt::join(names, ", "));
}

std::string allowance_for(const json& step) {
  const std::string found = found_in(step);
  if (found.empty() || found.find("it defines ") != found.npos) return "";  // these are nobody's to use
  std::string names;
  for (const std::string& name : names_in(step))
    names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", name);
  return fmt::format(
      "to everybody: allow = {{ symbols = [{}] }} in the course file before grading, and nobody need decide "
      "it",
      names);
}

std::vector<Open> alike(const std::vector<Open>& items, const std::string& pseudonym, const json& step) {
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
