#include "common/grade/record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "common/base/error.hpp"
#include "common/base/text/text.hpp"
#include "common/base/verdict.hpp"
#include "common/grade/intake/names.hpp"
#include "common/grade/intake/package.hpp"
#include "common/grade/intake/source_encoding.hpp"

namespace ladder::grade {
namespace {

using nlohmann::json;

constexpr const char* provisional = "PROVISIONAL";
constexpr const char* a_person_looks = "a person looks at this; points provisional";

/// The number of a field; 0 where it is none.
double number(const json& object, const char* field) {
  const auto at = object.find(field);
  const double value = at != object.end() && at->is_number() ? at->get<double>() : 0;
  return std::isfinite(value) ? value : 0;
}

/// REVIEW and REJECTED are words for staff.
bool is_for_staff(const std::string& verdict) {
  return verdict == name(Verdict::review) || verdict == name(Verdict::rejected);
}

/// The last decision of a step; null: none. One about a file that was replaced since decides nothing.
json decision_of(const json& record, const std::string& step) {
  json last;
  for (const json& one : record["decisions"])
    if (one.value("step", "") == step &&
        one.value("source_sha256", source_of(record, step)) == source_of(record, step))
      last = one;
  return last;
}

/// What the student reads of a step, and how many points it has now.
void settle_step(const json& record, json& step) {
  const std::string verdict = step["staff"]["verdict"];
  const json decision = decision_of(record, step_id(step));
  const bool visible =
      step["phase"] == "instant";  // a deduction must not wait for another phase, nor count in each
  const double mended = visible ? number(step.value("amendment", json::object()), "points") : 0;
  const double judged = std::max(0.0, number(step, "judged_points") - mended);
  step["points"] = judged;
  step["student"] = {{"verdict", verdict}, {"message", step.value("message", "")}};
  if (verdict == name(Verdict::not_run))
    step["student"]["message"] = "not judged yet, by a fault of the grader's; it costs no points";
  if (is_for_staff(verdict)) step["student"] = {{"verdict", provisional}, {"message", a_person_looks}};
  if (decision.is_null()) return;
  const std::string action = decision["action"], reason = decision["reason"];
  // Nothing is nothing, whoever has looked.
  const char* accepted = verdict == name(Verdict::not_started) ? "NOT STARTED" : "ACCEPTED";
  if (action == "accept") step["student"] = {{"verdict", accepted}, {"message", reason}};
  if (action == "reject") {
    step["student"] = {{"verdict", "REJECTED"}, {"message", reason}};
    step["points"] = 0;
  }
  if (action == "deduct") {
    const double points = number(decision, "points");
    if (visible) step["points"] = std::max(0.0, judged - points);
    step["student"] = {{"verdict", "DEDUCTED"},
                       {"message", fmt::format("{} points: {}", points_text(points), reason)}};
  }
}

bool is_closed(const json& record, const std::string& step, const std::string& what) {
  return std::any_of(record["steps"].begin(), record["steps"].end(), [&](const json& other) {
    return other["phase"] == "final" && other.value("part", "") == what && step_id(other) == step;
  });
}

/// Adds points to the open item of that name and date.
void add_open(json& open, const json& item) {
  for (json& other : open)
    if (other["what"] == item["what"] && other["opens"] == item["opens"]) {
      other["points"] = number(other, "points") + number(item, "points");
      return;
    }
  open.push_back(item);
}

/// Computes everything that follows from steps and decisions.
void settle(json& record) {
  double points = 0, most = 0;
  json open = json::array();
  for (json& step : record["steps"]) {
    settle_step(record, step);
    points += number(step, "points");
    most += number(step, "max_points");
    double open_points = 0;
    for (const json& item : step["open"])
      if (!is_closed(record, step_id(step), item["what"])) {
        open_points += number(item, "points");
        add_open(open, item);
      }
    step["open_points"] = open_points;
  }
  record["points"] = points;
  record["max_points"] = most;
  record["open"] = open;
}

json open_json(const std::vector<Open>& open) {
  json list = json::array();
  for (const Open& item : open)
    list.push_back({{"what", item.what}, {"points", item.points}, {"opens", item.opens}});
  return list;
}

/// The points that a result is counted with. A step that ended before its numbers were measured is counted
/// with all of the
/// row's; one that could not be judged by a fault of ours is open.
void take_points(json& entry, const StepGrade& step) {
  const std::string verdict = entry["staff"]["verdict"];
  double most = number(step.result, "max_points");
  const auto worst = verdict_of(verdict).value_or(Verdict::not_run);
  if (worst >= Verdict::review) most = std::max(most, step.max_points);
  if (worst == Verdict::not_run) {
    entry["open"].push_back(
        {{"what", step_id(entry)}, {"points", most}, {"opens", "when it has been judged"}});
    most = 0;
  }
  entry["max_points"] = most;
  entry["judged_points"] = std::clamp(number(step.result, "points"), 0.0, most);
}

}  // namespace

std::string source_of(const json& record, const std::string& step) {
  std::string file;
  for (const json& entry : record.at("steps"))
    if (step_id(entry) == step) file = entry.value("lesson", "") + "/" + entry.value("file", "");
  for (const json& one : record.at("submission").value("files", json::array()))
    if (one.value("path", "") == file) return one.value("sha256", "");
  return "none";
}

std::string step_id(const json& step) {
  return step.value("lesson", "") + "/" + step.value("name", "");
}

std::string step_id(const model::GradeEntry& entry) {
  return entry.lesson + "/" + entry.name;
}

bool is_private(const json& step) {
  return step.value("part", "") == private_part;
}

bool is_private(const model::GradeEntry& entry) {
  return entry.part == private_part;
}

json new_record(const Submission& submission, const Taken& taken, const Grader& grader) {
  json files = json::array(), refused = json::array();
  for (const TakenFile& file : taken.files) {
    files.push_back(
        {{"path", file.path}, {"bytes", file.bytes}, {"sha256", file.sha256}, {"changed", file.changed}});
    if (file.submitted_sha256 != file.sha256) files.back()["submitted_sha256"] = file.submitted_sha256;
  }
  for (const Refused& one : taken.refused) refused.push_back({{"path", one.path}, {"why", one.why}});
  json record = {{"schema", record_schema},
                 {"pseudonym", submission.pseudonym},
                 {"submission",
                  {{"name", submission.name},
                   {"sha256", taken.sha256},
                   {"receipt", receipt_of(taken)},
                   {"received", submission.received},
                   {"attempt", submission.attempt},
                   {"files", files},
                   {"refused", refused},
                   {"missing", taken.missing},
                   {"notes", taken.notes}}},
                 {"steps", json::array()},
                 {"decisions", json::array()}};
  if (const auto found = differences(taken); !found.empty()) record["submission"]["differences"] = found;
  if (!taken.contained.empty()) record["submission"]["contained"] = taken.contained;
  if (!taken.handout.empty()) record["submission"]["handout"] = taken.handout;
  if (!taken.predictions.empty()) record["submission"]["predictions"] = json::parse(taken.predictions);
  for (const char* field : {"sandbox", "limits", "machine", "ladder", "key_id"})
    record[field] = grader.value(field, json());
  settle(record);
  return record;
}

void add_step(json& record, const StepGrade& step) {
  if (step.phase != "instant" && step.phase != "final")
    throw Error(fmt::format("a rung's phase is instant or final, not '{}'", step.phase));
  if (step.part.empty() != (step.phase == "instant"))
    throw Error("a final result has a part, an instant one has none");
  const json& result = step.result;
  const auto is_text = [&](const char* field) { return result.contains(field) && result[field].is_string(); };
  if (!result.is_object() || !is_text("lesson") || !is_text("name") || !is_text("verdict"))
    throw Error("a rung's result has a lesson, a name and a verdict");
  json entry = result;
  entry["phase"] = step.phase;
  if (!step.part.empty()) entry["part"] = step.part;
  entry["runs"] = step.runs;
  entry["open"] = open_json(step.open);
  entry["staff"] = {{"verdict", result["verdict"]}, {"evidence", result.value("message", "")}};
  take_points(entry, step);
  json& steps = record["steps"];
  const auto same = std::find_if(steps.begin(), steps.end(), [&](const json& other) {
    return step_id(other) == step_id(entry) && other["phase"] == step.phase &&
           other.value("part", "") == step.part;
  });
  if (same == steps.end())
    steps.push_back(entry);
  else
    *same = entry;
  settle(record);
}

void decide(json& record, const Decision& decision) {
  if (decision.by.empty() || decision.reason.empty()) throw Error("a decision needs a person and a reason");
  if (decision.action != "accept" && decision.action != "deduct" && decision.action != "reject")
    throw Error(fmt::format("a decision is accept, deduct or reject, not '{}'", decision.action));
  if (decision.action == "deduct" && !(decision.points > 0)) throw Error("say how many points to deduct");
  const json& steps = record["steps"];
  if (std::none_of(steps.begin(), steps.end(), [&](const json& s) { return step_id(s) == decision.step; }))
    throw Error(fmt::format("{} is no rung of this record", decision.step));
  json one = {{"step", decision.step},
              {"action", decision.action},
              {"by", decision.by},
              {"reason", decision.reason},
              {"at", decision.at}};
  if (decision.action == "deduct") one["points"] = decision.points;
  if (!decision.source.empty()) one["source_sha256"] = decision.source;
  record["decisions"].push_back(one);
  settle(record);
}

namespace {

/// Of a file that nothing asked for.
bool may_be_work(std::string_view path) {
  static constexpr const char* endings[] = {".cu",  ".cpp", ".cc",  ".cxx", ".c",   ".txt",  ".docx",
                                            ".odt", ".rtf", ".zip", ".7z",  ".rar", ".ipynb"};
  return std::any_of(std::begin(endings), std::end(endings),
                     [&](const char* ending) { return path.ends_with(ending); });
}

}  // namespace

std::string what_was_there(const json& submission, std::size_t most) {
  std::vector<std::string> names;
  for (const json& one : submission.value("refused", json::array())) names.push_back(one.value("path", ""));
  for (const json& one : submission.value("contained", json::array())) names.push_back(one);
  return names.empty() ? "" : some_of(names, most);
}

std::string why_missing(const std::string& file, const std::string& submission, const Taken& taken) {
  for (const Refused& one : taken.refused) {
    if (one.path == printable(submission))
      return fmt::format("the submission could not be read: it {}", one.why);
    const std::string own = file_name(one.path);
    if (could_be(own, plain_name(own), file))
      return fmt::format("{} could not be taken: it {}", own == file ? file : one.path, one.why);
  }
  json was = {{"refused", json::array()}, {"contained", taken.contained}};
  for (const Refused& one : taken.refused) was["refused"].push_back({{"path", one.path}});
  const std::string there = what_was_there(was, 3);
  return fmt::format(
      "no {} in the submission{}", file,
      there.empty() ? "" : fmt::format(", and nothing that could be it; not taken: {}", there));
}

bool is_untaken(const json& record, const json& step) {
  const json& submission = record.at("submission");
  if (step.value("phase", "") != "instant" || step["staff"]["verdict"] != name(Verdict::not_started) ||
      step.contains("amendment") || !decision_of(record, step_id(step)).is_null())
    return false;
  const json missing = submission.value("missing", json::array());
  const std::string file = step.value("lesson", "") + "/" + step.value("file", "");
  if (std::find(missing.begin(), missing.end(), json(file)) != missing.end())
    return !what_was_there(submission, 1).empty();
  // The skeleton came, and with it what may be the work under another name.
  const json contained = submission.value("contained", json::array());
  return std::any_of(contained.begin(), contained.end(),
                     [](const json& one) { return may_be_work(one.get<std::string>()); });
}

bool is_provisional(const json& record) {
  const json& steps = record["steps"];
  return std::any_of(steps.begin(), steps.end(),
                     [](const json& s) { return s["student"]["verdict"] == provisional; });
}

bool is_provisional(const model::GradeEntry& entry) {
  return entry.student.verdict == provisional;
}

bool is_provisional(const model::GradeRecord& record) {
  return std::any_of(record.steps.begin(), record.steps.end(),
                     [](const model::GradeEntry& entry) { return is_provisional(entry); });
}

std::string total_text(const json& record) {
  const json& open = record["open"];
  std::string text = (open.empty() ? "" : "visible part ") +
                     points_text(number(record, "points"), number(record, "max_points"));
  for (const json& item : open) {
    const double points = number(item, "points");
    text += fmt::format("; {}, {} {}, opens {}", item.value("what", ""), points_text(points),
                        points == 1 ? "point" : "points", item.value("opens", ""));
  }
  if (is_provisional(record)) text += "; provisional: a person looks at a rung";
  return text;
}

}  // namespace ladder::grade
