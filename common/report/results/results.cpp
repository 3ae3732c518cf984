#include "common/report/results/results.hpp"

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <set>

#include "common/base/step_name.hpp"
#include "common/base/verdict.hpp"

namespace ladder::report {
namespace {

using nlohmann::json;

json start_of(const StepFacts& f) {
  json step = {{"lesson", f.lesson}, {"name", f.name},       {"file", f.file},     {"kind", f.kind},
               {"tree", f.tree},     {"backend", f.backend}, {"device", f.device}, {"data", f.data}};
  if (!f.mutant.empty()) step["mutant"] = f.mutant;
  if (!f.source.empty()) step["source"] = f.source;
  return step;
}

const json* find_kind(const std::vector<json>& records, const std::string& kind) {
  for (const json& r : records)
    if (r.value("kind", "") == kind) return &r;
  return nullptr;
}

bool stands_twice(const std::vector<json>& records, const std::string& kind) {
  return std::count_if(records.begin(), records.end(),
                       [&](const json& r) { return r.value("kind", "") == kind; }) > 1;
}

/// A name that is not a verdict can only be a mistake in the harness.
Verdict verdict_in(const json& record) {
  return verdict_of(record.value("verdict", "")).value_or(Verdict::not_run);
}

/// Right-hand parts of a record that go into the step's result as they are.
void take(json& step, const json& record) {
  for (const char* field :
       {"cases", "failed_case", "error", "time", "ratio", "ratio_interval", "further", "energy"})
    if (record.contains(field) && !record[field].is_null() && !record[field].empty())
      step[field] = record[field];
  for (const json& target : record.value("targets", json::array())) step["targets"].push_back(target);
  for (const json& gap : record.value("unconfined", json::array()))
    if (const json known = step.value("unconfined", json::array());
        std::find(known.begin(), known.end(), gap) == known.end())
      step["unconfined"].push_back(gap);
  for (const char* field : {"points", "max_points", "processor"})
    if (record.contains(field) && record[field].is_number())
      step[field] = step.value(field, 0.0) + record[field].get<double>();
}

/// The kinds that say why a step got its verdict, in their order. A wrong step has one cause, and it is
/// reported once: kinds with a better verdict explain nothing, and others with the same verdict would only
/// repeat it in other words.
std::vector<const json*> telling(const std::vector<json>& kinds, Verdict worst) {
  std::vector<const json*> all;
  for (const json& k : kinds) {
    if (worst < Verdict::not_started)
      all.push_back(&k);
    else if (verdict_in(k) == worst)
      return {&k};
  }
  return all;
}

std::string message_of(const std::vector<const json*>& kinds) {
  std::string text;
  for (const json* k : kinds) {
    const std::string message = k->value("message", "");
    if (message.empty() || text.find(message) != std::string::npos) continue;
    text += (text.empty() ? "" : text.back() == '.' ? "  " : "; ") + message;
  }
  return text;
}

json details_of(const std::vector<const json*>& kinds, const std::vector<json>& records) {
  json details = json::array();
  for (const json* k : kinds)
    if (const json* record = find_kind(records, k->value("kind", ""));
        record && verdict_in(*record) == verdict_in(*k))
      if (record->contains("details") && (*record)["details"].is_array())
        for (const json& d : (*record)["details"])
          if (std::find(details.begin(), details.end(), d) == details.end()) details.push_back(d);
  return details;
}

/// A number is worth points only where nothing is wrong with the program that it was measured of: a kernel
/// with a race, or with a barrier that not all threads reach, has none for its sectors.
void take_measured_points(json& step, std::vector<json>& kinds) {
  const auto found = [](const json& kind) {
    const Verdict verdict = verdict_in(kind);
    return kind["kind"] == "findings" && verdict >= Verdict::wrong && verdict <= Verdict::rejected;
  };
  if (std::none_of(kinds.begin(), kinds.end(), found)) return;
  for (json& kind : kinds)
    if ((kind["kind"] == "targets" || kind["kind"] == "time") && kind.contains("points")) {
      step["points"] = step.value("points", 0.0) - kind["points"].get<double>();
      kind["points"] = 0.0;
    }
  if (step.contains("targets"))
    for (json& target : step["targets"]) target["points"] = 0.0;
}

}  // namespace

json merge(const StepFacts& facts, const std::vector<json>& records, const std::vector<std::string>& planned,
           const std::string& why_not) {
  json step = start_of(facts);
  Verdict worst = Verdict::pass;
  std::vector<json> kinds;
  for (const std::string& kind : planned) {
    json seen = {{"kind", kind}, {"verdict", "NOT RUN"}, {"message", why_not}};
    if (stands_twice(records, kind)) {
      // The judge writes one record per kind. Of two records it is unknown which is the judge's, so neither
      // counts.
      seen["verdict"] = std::string(name(Verdict::rejected));
      seen["message"] =
          "two records came of its " + kind + ": the step, or something next to it, writes results";
    } else if (const json* record = find_kind(records, kind)) {
      seen["verdict"] = std::string(name(verdict_in(*record)));
      seen["message"] = record->value("message", "");
      for (const char* field : {"points", "max_points"})
        if (record->contains(field) && (*record)[field].is_number()) seen[field] = (*record)[field];
      if (record->contains("device") && (*record)["device"].is_string() &&
          !(*record)["device"].get<std::string>().empty())
        step["device"] = (*record)["device"];
      take(step, *record);
    }
    worst = worse(worst, *verdict_of(seen["verdict"].get<std::string>()));
    kinds.push_back(seen);
  }
  take_measured_points(step, kinds);
  step["verdict"] = std::string(name(worst));
  step["message"] = message_of(telling(kinds, worst));
  step["kinds"] = kinds;
  step["details"] = details_of(telling(kinds, worst), records);
  return step;
}

json decided(const StepFacts& facts, const std::string& verdict, const std::string& message,
             const json& details) {
  json step = start_of(facts);
  step["verdict"] = verdict;
  step["message"] = message;
  step["kinds"] = json::array();
  step["details"] = details;
  return step;
}

std::string now() {
  char text[32];
  const std::time_t clock = std::time(nullptr);
  std::tm utc{};
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&clock, &utc));
  return text;
}

json document(const std::string& verb, const json& machine, std::uint64_t seed,
              const std::vector<json>& lessons) {
  return {{"schema", schema},   {"verb", verb}, {"date", now()},
          {"machine", machine}, {"seed", seed}, {"lessons", lessons}};
}

bool is_done(const json& step) {
  const std::string verdict = step.value("verdict", "");
  if (verdict != "SKIPPED") return verdict == "PASS";
  const json kinds = step.value("kinds", json::array());
  return std::any_of(kinds.begin(), kinds.end(), [](const json& kind) {
    return kind.value("kind", "") == "correctness" && kind.value("verdict", "") == "PASS";
  });
}

bool is_twin(const json& step) {
  return step.value("backend", "") == "executor" && has_twin(step.value("name", ""));
}

json counts(const json& document) {
  json n = json::object();
  for (const json& lesson : document["lessons"])
    for (const json& step : lesson.value("steps", json::array())) {
      const std::string verdict = step.value("verdict", "");
      if (!verdict.empty()) n[verdict] = n.value(verdict, 0) + 1;
    }
  return n;
}

bool all_passed(const json& document, bool strict, Undecided undecided) {
  const auto passes = [&](const std::string& verdict) {
    if (verdict == "PASS") return true;
    if (verdict == "INCONCLUSIVE" && undecided == Undecided::fails) return false;
    return !strict && (verdict == "SKIPPED" || verdict == "INCONCLUSIVE");
  };
  for (const json& lesson : document["lessons"]) {
    if (!lesson.value("problems", json::array()).empty()) return false;
    for (const json& step : lesson.value("steps", json::array()))
      if (!passes(step.value("verdict", ""))) return false;
  }
  return true;
}

std::string gaps(const json& lesson) {
  std::set<std::string> all;
  for (const json& step : lesson.value("steps", json::array()))
    for (const json& gap : step.value("unconfined", json::array()))
      if (gap.is_string()) all.insert(gap.get<std::string>());
  std::string text;
  for (const std::string& gap : all) text += (text.empty() ? "" : "; ") + gap;
  return text;
}

std::string label(const json& step) {
  return rung_of(step.value("lesson", ""), step.value("name", ""));
}

std::string dump(const json& value, int indent) {
  return value.dump(indent, ' ', false, json::error_handler_t::replace);
}

}  // namespace ladder::report
