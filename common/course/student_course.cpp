#include "common/course/student_course.hpp"

#include "common/base/error.hpp"
#include "common/course/times.hpp"

namespace ladder::course {
namespace {

using nlohmann::json;

constexpr const char* schema = "gpu-ladder-course/1";

json of_assignment(const Assignment& one) {
  json all = {{"name", one.name},       {"opens", utc_text(one.opens)}, {"due", utc_text(one.due)},
              {"rungs", json::array()}, {"predict", json::array()},     {"manual", json::array()}};
  for (const auto& [rung, points] : one.rungs) all["rungs"].push_back({{"rung", rung}, {"points", points}});
  for (const Predict& p : one.predict)
    all["predict"].push_back({{"rung", p.rung}, {"metric", p.metric}, {"n", p.n}, {"points", p.points}});
  for (const Manual& m : one.manual)
    all["manual"].push_back({{"rung", m.rung}, {"ask", m.ask}, {"points", m.points}});
  if (one.time) all["time"] = {{"rungs", one.time->rungs}, {"points", one.time->points}};
  if (one.private_tests) all["private"] = {{"points", one.private_tests->points}};
  return all;
}

/// One key a line: remote.sh reads it, which has no reader of JSON.
json of_remote(const Remote& remote) {
  json all = {{"host", remote.host}};
  const auto add = [&](const char* key, const std::string& text) {
    if (!text.empty()) all[key] = text;
  };
  add("account", remote.account), add("partition", remote.partition), add("gres", remote.gres);
  add("time", remote.time), add("image", remote.image), add("scratch", remote.scratch);
  if (remote.cpus > 0) all["cpus"] = remote.cpus;
  return all;
}

Remote remote_in(const json& all) {
  const auto text = [&](const char* key) { return all.value(key, std::string()); };
  return {.host = text("host"),
          .account = text("account"),
          .partition = text("partition"),
          .gres = text("gres"),
          .time = text("time"),
          .cpus = all.value("cpus", 0),
          .image = text("image"),
          .scratch = text("scratch")};
}

Assignment assignment_in(const json& all) {
  Assignment one;
  one.name = all.at("name");
  const auto opens = time_of(all.at("opens"), this_machine), due = time_of(all.at("due"), this_machine);
  if (!opens || !due) throw Error("no time");
  one.opens = *opens, one.due = *due;
  for (const json& rung : all.at("rungs"))
    one.rungs.emplace_back(rung.at("rung").get<std::string>(), rung.at("points").get<double>());
  one.rung_places.resize(one.rungs.size());
  for (const json& p : all.at("predict"))
    one.predict.push_back(
        {.rung = p.at("rung"), .metric = p.at("metric"), .n = p.at("n"), .points = p.at("points")});
  for (const json& m : all.at("manual"))
    one.manual.push_back({.rung = m.at("rung"), .ask = m.at("ask"), .points = m.at("points")});
  if (all.contains("time"))
    one.time = Timed{.rungs = all["time"].at("rungs"), .points = all["time"].at("points")};
  if (all.contains("private")) one.private_tests = Private{.points = all["private"].at("points")};
  return one;
}

}  // namespace

json student_course(const Course& course, const std::vector<const Assignment*>& assignments) {
  json all = {{"schema", schema},
              {"course", course.name},
              {"term", course.term},
              {"timezone", course.timezone.name()},
              {"assignments", json::array()}};
  if (course.remote) all["remote"] = of_remote(*course.remote);
  for (const Assignment* one : assignments) all["assignments"].push_back(of_assignment(*one));
  return all;
}

std::optional<Course> read_student_course(const json& document) {
  if (!document.is_object() || document.value("schema", json()) != schema) return std::nullopt;
  std::optional<Course> course;
  try {
    course.emplace();
    course->name = document.at("course");
    course->term = document.at("term");
    if (document.contains("remote")) course->remote = remote_in(document["remote"]);
    for (const json& one : document.at("assignments")) course->assignments.push_back(assignment_in(one));
    course->timezone = TimeZone(document.at("timezone").get<std::string>());
  } catch (const json::exception&) {
    return std::nullopt;
  } catch (const Error&) {
    // A machine without that zone still knows the moments; one without any shows no course.
  }
  return !course || course->assignments.empty() ? std::nullopt : course;
}

}  // namespace ladder::course
