#include "common/report/results/shown_verdict.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "common/base/statistics.hpp"
#include "common/report/results/results.hpp"

namespace ladder::report {
namespace {

using model::KindResult;
using model::StepResult;
using model::Target;

/// What could not be measured, and why.
struct Gap {
  std::string what, reason;
};

/// Of a record's message: "sectors not measured: no counters", "findings: no counters", or the reason alone.
Gap gap_of(const std::string& kind, const std::string& message) {
  constexpr std::string_view not_measured = " not measured: ";
  if (const auto at = message.find(not_measured); at != std::string::npos)
    return {message.substr(0, at), message.substr(at + not_measured.size())};
  if (message.starts_with(kind + ": ")) return {kind, message.substr(kind.size() + 2)};
  return {kind, message};
}

std::vector<Gap> gaps_in(const StepResult& step) {
  std::vector<Gap> all;
  if (step.verdict != Verdict::skipped || !is_done(step)) return all;
  for (const Target& target : step.targets)
    if (target.verdict == Verdict::skipped) all.push_back({target.metric, target.reason});
  const bool targets_known = !all.empty();
  for (const KindResult& kind : step.kinds) {
    if (kind.verdict != Verdict::skipped || (kind.kind == TestKind::targets && targets_known)) continue;
    all.push_back(gap_of(to_string(kind.kind), kind.message));
  }
  return all;
}

std::string sentence(const std::vector<std::string>& names) {
  const bool only_findings = names.size() == 1 && names.front() == "findings";
  return fmt::format("{} not {}", fmt::join(names, " and "), only_findings ? "looked for" : "measured");
}

/// "Oclgrind is not installed (package oclgrind)" goes into parentheses of its own.
std::string flat(const std::string& reason) {
  const auto open = reason.rfind(" (");
  if (open == std::string::npos || !reason.ends_with(")")) return reason;
  return reason.substr(0, open) + ", " + reason.substr(open + 2, reason.size() - open - 3);
}

void erase_part(std::string& text, const std::string& part) {
  const auto at = text.find(part);
  if (part.empty() || at == std::string::npos) return;
  text.erase(at, part.size());
  if (text.compare(at, 2, "; ") == 0)
    text.erase(at, 2);
  else if (at >= 2 && text.compare(at - 2, 2, "; ") == 0)
    text.erase(at - 2, 2);
}

}  // namespace

std::string shown_verdict(const StepResult& step) {
  return std::string(name(is_done(step) ? Verdict::pass : step.verdict));
}

std::string verdict_with_remark(const StepResult& step) {
  const std::string remark = short_remark_of(step);
  return shown_verdict(step) + (remark.empty() ? "" : ", " + remark);
}

std::string remark_of(const StepResult& step) {
  std::vector<std::pair<std::string, std::vector<std::string>>> by_reason;  // in their order
  for (const Gap& gap : gaps_in(step)) {
    const auto found = std::find_if(by_reason.begin(), by_reason.end(),
                                    [&](const auto& one) { return one.first == gap.reason; });
    auto& names = found != by_reason.end()
                      ? found->second
                      : by_reason.emplace_back(gap.reason, std::vector<std::string>()).second;
    if (std::find(names.begin(), names.end(), gap.what) == names.end()) names.push_back(gap.what);
  }
  std::vector<std::string> all;
  for (const auto& [reason, names] : by_reason)
    all.push_back(sentence(names) + (reason.empty() ? "" : " (" + flat(reason) + ")"));
  return fmt::format("{}", fmt::join(all, ", "));
}

std::string short_remark_of(const StepResult& step) {
  std::vector<std::string> names;
  for (const Gap& gap : gaps_in(step)) {
    const std::string name = gap.what.substr(0, gap.what.find(':'));  // without the kernel that it is about
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names.empty() ? "" : sentence(names);
}

std::string shown_message(const StepResult& step) {
  std::string text = step.message;
  if (step.verdict != Verdict::skipped || !is_done(step)) return text;
  for (const Target& target : step.targets)
    if (target.verdict == Verdict::skipped)
      erase_part(text, target.metric + " not measured: " + target.reason);
  for (const KindResult& kind : step.kinds)
    if (kind.verdict == Verdict::skipped) erase_part(text, kind.message);
  return text;
}

std::string why_open(const StepResult& step) {
  if (step.verdict != Verdict::inconclusive) return "";
  const double load = step.time ? step.time->foreign_load : 0;
  std::string reason;
  for (const KindResult& kind : step.kinds) {
    if (kind.verdict != Verdict::inconclusive) continue;
    if (kind.kind != TestKind::time) return "its cores are not equal now, or other programs used them";
    if (load > busy_machine) return fmt::format("this machine was busy: {:.0f} %", 100 * load);
    reason = "the same program, timed twice here, differs by more than what was to be decided";
  }
  return reason;
}

std::map<std::string, std::vector<std::string>> labels_by(const std::vector<StepResult>& steps,
                                                          std::string (*text)(const StepResult&)) {
  std::map<std::string, std::vector<std::string>> all;
  for (const StepResult& step : steps)
    if (const std::string key = text(step); !key.empty()) all[key].push_back(label(step));
  return all;
}

}  // namespace ladder::report
