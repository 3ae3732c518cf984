#include "common/report/results/shown_verdict.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "common/base/statistics.hpp"
#include "common/report/results/results.hpp"

namespace ladder::report {
namespace {

using nlohmann::json;

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

std::vector<Gap> gaps_in(const json& step) {
  std::vector<Gap> all;
  if (step.value("verdict", "") != "SKIPPED" || !is_done(step)) return all;
  for (const json& target : step.value("targets", json::array()))
    if (target.value("verdict", "") == "SKIPPED")
      all.push_back({target.value("metric", ""), target.value("reason", "")});
  const bool targets_known = !all.empty();
  for (const json& kind : step.value("kinds", json::array())) {
    const std::string name = kind.value("kind", "");
    if (kind.value("verdict", "") != "SKIPPED" || (name == "targets" && targets_known)) continue;
    all.push_back(gap_of(name, kind.value("message", "")));
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

std::string shown_verdict(const json& step) {
  return is_done(step) ? "PASS" : step.value("verdict", "");
}

std::string verdict_with_remark(const json& step) {
  const std::string remark = short_remark_of(step);
  return shown_verdict(step) + (remark.empty() ? "" : ", " + remark);
}

std::string remark_of(const json& step) {
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

std::string short_remark_of(const json& step) {
  std::vector<std::string> names;
  for (const Gap& gap : gaps_in(step)) {
    const std::string name = gap.what.substr(0, gap.what.find(':'));  // without the kernel that it is about
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names.empty() ? "" : sentence(names);
}

std::string shown_message(const json& step) {
  std::string text = step.value("message", "");
  if (step.value("verdict", "") != "SKIPPED" || !is_done(step)) return text;
  for (const json& target : step.value("targets", json::array()))
    if (target.value("verdict", "") == "SKIPPED")
      erase_part(text, target.value("metric", "") + " not measured: " + target.value("reason", ""));
  for (const json& kind : step.value("kinds", json::array()))
    if (kind.value("verdict", "") == "SKIPPED") erase_part(text, kind.value("message", ""));
  return text;
}

std::string why_open(const json& step) {
  if (step.value("verdict", "") != "INCONCLUSIVE") return "";
  const json time = step.value("time", json::object());
  const json load = time.value("foreign_load", json()), noise = time.value("noise", json::object());
  std::string said;
  for (const json& kind : step.value("kinds", json::array())) {
    if (kind.value("verdict", "") != "INCONCLUSIVE") continue;
    if (kind.value("kind", "") != "time") return "its cores are not equal now, or other programs used them";
    if (load.is_number() && load.get<double>() > busy_machine)
      return fmt::format("this machine was busy: {:.0f} %", 100 * load.get<double>());
    said = "this machine differs from itself by more than what was to be decided";
  }
  return said;
}

std::map<std::string, std::vector<std::string>> labels_by(const json& lessons,
                                                          std::string (*text)(const json&)) {
  std::map<std::string, std::vector<std::string>> all;
  for (const json& lesson : lessons)
    for (const json& step : lesson.value("steps", json::array()))
      if (const std::string said = text(step); !said.empty()) all[said].push_back(label(step));
  return all;
}

}  // namespace ladder::report
