/// @file
/// What a student may read of a record.

#include "common/base/text/step_name.hpp"
#include "common/base/text/temporary_names.hpp"
#include "common/base/verdict.hpp"
#include "common/grade/questions.hpp"
#include "common/grade/record.hpp"

namespace ladder::grade {
namespace {

using nlohmann::json;

json chosen(const json& object, std::initializer_list<const char*> fields) {
  json part = json::object();
  for (const char* field : fields)
    if (object.contains(field)) part[field] = object[field];
  return part;
}

/// Verdicts of targets and repeats: no word for staff, and none of its reasons.
json without_staff(json part) {
  const auto is_word = [](const json& value) {
    return value == std::string(name(Verdict::review)) || value == std::string(name(Verdict::rejected));
  };
  if (part.is_object() && is_word(part.value("verdict", json())))
    for (const char* field : {"reason", "message"}) part.erase(field);
  for (json& inner : part) {
    if (inner.is_structured()) inner = without_staff(inner);
    if (is_word(inner)) inner = "PROVISIONAL";
  }
  return part;
}

/// The details of a private part, ending with the command that repeats it.
json repeated_by(const json& told, const json& step) {
  json details = json::array();
  for (const json& block : told)
    if (block.is_array() && !block.empty() && block[0] != "Next") details.push_back(block);
  details.push_back({"Next", "./ladder check " + rung_of(step.value("lesson", ""), step.value("name", "")) +
                                 " --private " + step["published"].value("folder", "") + " --seed " +
                                 step["published"].value("key", "")});
  return details;
}

json step_view(const json& step) {
  json view = chosen(
      step, {"lesson", "name", "file", "phase", "part", "points", "max_points", "open_points", "student"});
  const std::string verdict = step["staff"]["verdict"];
  const bool published = step.contains("published"), withheld = is_private(step) && !published;
  // Evidence of what a person looks at, or has looked at, is in the reason that they give.
  const bool evidence = verdict == name(Verdict::review) || verdict == name(Verdict::rejected);
  if (step.contains("amendment")) {
    view["amendment"] = without_staff(step["amendment"]);
    view["amendment"].erase("by");  // a person of the staff is none of the page's names
  }
  if (withheld) {
    if (!evidence && view["student"]["verdict"] == verdict) view["student"]["message"] = "";
    view.update(chosen(step, {"cases"}));
  } else if (!evidence) {
    view.update(without_staff(
        chosen(step, {"runs", "right_runs", "backend", "device", "data", "details", "cases", "error", "time",
                      "measured_on", "again", "further", "ratio", "targets", "predictions"})));
  }
  if (published && !evidence) view["details"] = repeated_by(view.value("details", json::array()), step);
  return view;
}

}  // namespace

std::string changed_words(const json& before, const json& after) {
  const json old = step_view(before), now = step_view(after);
  const std::string said = old["student"].value("message", ""), says = now["student"].value("message", "");
  if (without_temporary_names(said) != without_temporary_names(says))
    return "\"" + said + "\" → \"" + says + "\"";
  const auto details = [](const json& view) {
    return without_temporary_names(
        view.value("details", json()).dump(-1, ' ', false, json::error_handler_t::replace));
  };
  return details(old) == details(now) ? "" : "its details";
}

json student_view(const json& record) {
  json view =
      chosen(record, {"schema", "pseudonym", "sandbox", "machine", "ladder", "points", "max_points", "open"});
  view["submission"] = record["submission"];
  view["submission"].erase("name");
  view["steps"] = json::array();
  for (const json& step : record["steps"]) view["steps"].push_back(step_view(step));
  for (const Graded& one : graded(record))
    if (one.points)  // nobody's name
      view["questions"].push_back({{"rung", one.rung},
                                   {"ask", one.ask},
                                   {"points", *one.points},
                                   {"of", one.of},
                                   {"note", one.note}});
  view["total"] = total_text(record);
  view["provisional"] = is_provisional(record);
  return view;
}

}  // namespace ladder::grade
