#include "common/course/course_file.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <regex>

#include "common/base/error.hpp"
#include "common/base/text/nearest.hpp"
#include "common/course/course_entries.hpp"

namespace ladder::course {
namespace {

namespace fs = std::filesystem;

void read_late(Entries entry, Late& late) {
  const auto take = [&](const char* key, const auto& into) {
    if (const auto value = entry.text(key)) entry.attempt(key, [&] { into(*value); });
  };
  take("grace", [&](const std::string& text) { late.grace = parse_duration(text); });
  take("per_hour", [&](const std::string& text) { late.per_hour = parse_share(text); });
  take("per_day", [&](const std::string& text) { late.per_day = parse_share(text); });
  take("cap", [&](const std::string& text) { late.cap = parse_share(text); });
  take("at_most", [&](const std::string& text) { late.at_most = parse_duration(text); });
  late.slip_days = entry.whole("slip_days", 0, 365).value_or(0);
  const auto counts = entry.word("counts", {"last", "best", "active"}).value_or("last");
  late.counts = counts == "best" ? Counts::best : counts == "active" ? Counts::active : Counts::last;
  late.by_platform = entry.word("by", {"us", "platform"}).value_or("us") == "platform";
  if (late.per_hour > 0 && late.per_day > 0)
    entry.problem("per_hour",
                  "per_hour and per_day: give one of them; the other would take points a second time");
  if (entry.has("cap") && !entry.has("per_hour") && !entry.has("per_day"))
    entry.problem("cap", "cap without per_hour or per_day: nothing is taken");
  if (late.by_platform)
    for (const char* key : {"grace", "per_hour", "per_day", "cap", "at_most", "slip_days"})
      if (entry.has(key))
        entry.problem(key,
                      fmt::format("{} next to by = \"platform\": the platform takes points for lateness, "
                                  "and these would be taken twice; omit it",
                                  key));
  entry.finish();
}

void read_remote(Entries entry, Remote& remote) {
  // A shell reads these, too: nothing but what such names have.
  const auto take = [&](const char* key, const char* form, const char* example, bool needed = false) {
    const auto text = entry.text(key, needed);
    if (text && !std::regex_match(*text, std::regex(form)))
      entry.problem(key, fmt::format("{} '{}': as in {} = \"{}\"", key, *text, key, example));
    return text.value_or("");
  };
  remote.host = take("host", "[A-Za-z0-9_][A-Za-z0-9._@%+:-]*", "login.hpc.edu", true);
  remote.account = take("account", "[A-Za-z0-9_][A-Za-z0-9._-]*", "cs4xx");
  remote.partition = take("partition", "[A-Za-z0-9_][A-Za-z0-9._,-]*", "gpu");
  remote.gres = take("gres", "[A-Za-z0-9_][A-Za-z0-9._,:=-]*", "gpu:a100:1");
  remote.time = take("time", R"((\d+-)?\d+(:\d{1,2}){0,2})", "00:10:00");
  remote.cpus = entry.whole("cpus", 1, 256).value_or(0);
  remote.image = take("image", "/[A-Za-z0-9._/+-]+", "/shared/cs4xx/ladder.sif");
  remote.scratch = take("scratch", R"([/$][A-Za-z0-9._/${}-]*)", "/scratch/$USER");
  entry.finish();
}

void read_head(Entries& entry, Course& course) {
  course.name = entry.text("course", true).value_or("");
  course.term = entry.text("term").value_or("");
  if (const auto zone = entry.text("timezone", true))
    entry.attempt("timezone", [&] { course.timezone = TimeZone(*zone); });
  course.release = entry.text("release").value_or("");
  course.image = entry.text("image").value_or("");
  course.record = entry.text("record").value_or("executor");
  const auto path = [&](const char* key) {
    const auto text = entry.text(key);
    return text ? resolved(*text, course.file) : fs::path();
  };
  course.roster = path("roster");
  course.extensions = path("extensions");
  course.key = path("key");
  if (const auto date = entry.text("retention")) {
    course.retention = *date;
    if (!std::regex_match(*date, std::regex(R"(\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01]))")))
      entry.problem("retention", fmt::format("retention '{}': a date, as \"2028-06-30\"", *date));
  }
}

/// What two assignments say differently.
void compare(const Course& course, Problems& problems) {
  std::map<std::string, const Assignment*> names, rungs;
  for (const Assignment& one : course.assignments) {
    if (const auto [other, fresh] = names.emplace(one.name, &one); !fresh)
      problems.add(one.place, fmt::format("two assignments are called '{}': the other one is in line {}",
                                          one.name, other->second->place.line));
    for (const auto& [rung, points] : one.rungs)
      if (const auto [other, fresh] = rungs.emplace(rung, &one); !fresh)
        problems.add(one.place_of(rung),
                     fmt::format("{} is in {} already, line {}: a rung is in one assignment", rung,
                                 other->second->name, other->second->place_of(rung).line));
    const local_seconds due = course.timezone.shown_at(one.due);
    if (!course.retention.empty() && text_of(due).substr(0, 10) > course.retention)
      problems.add(one.place, fmt::format("{} is due after {}, when code is deleted (retention)", one.name,
                                          course.retention));
  }
}

}  // namespace

Place Assignment::place_of(const std::string& rung) const {
  for (std::size_t i = 0; i < rungs.size(); ++i)
    if (rungs[i].first == rung) return rung_places[i];
  return place;
}

double Assignment::points() const {
  double sum = (time ? time->points : 0) + (private_tests ? private_tests->points : 0);
  for (const auto& [rung, rung_points] : rungs) sum += rung_points;
  for (const Predict& one : predict) sum += one.points;
  for (const Manual& one : manual) sum += one.points;
  return sum;
}

const Assignment& Course::assignment(const std::string& wanted) const {
  std::vector<std::string> names;
  for (const Assignment& one : assignments) {
    if (one.name == wanted) return one;
    names.push_back(one.name);
  }
  throw Error(fmt::format("{}: {}", file.string(), unknown("assignment", wanted, names)));
}

std::string Course::at(Place where, const std::string& what) const {
  return fmt::format("{}:{}:{}: {}", file.string(), where.line, where.column, what);
}

fs::path resolved(const std::string& text, const fs::path& file) {
  fs::path path = text;
  const char* home = std::getenv("HOME");
  if (text.starts_with("~/") && home) path = fs::path(home) / text.substr(2);
  return (fs::absolute(file).parent_path() / path).lexically_normal();
}

Course read_course(const fs::path& file) {
  Course course;
  course.file = file;
  if (!fs::is_regular_file(file))
    throw Error(
        fmt::format("{}: no such file; ./ladder course new {} writes one", file.string(), file.string()));
  const toml::table table = parse_toml(file, file.string());
  Problems problems;
  Entries entry(table, "", problems);
  read_head(entry, course);
  if (auto late = entry.table("late")) read_late(*late, course.late);
  if (auto attempts = entry.table("attempts")) {
    course.attempts.per_day = attempts->whole("per_day", 1, 1000).value_or(0);
    attempts->finish();
  }
  if (auto remote = entry.table("remote")) read_remote(*remote, course.remote.emplace());
  for (Entries& one : entry.tables("assignment", true))
    course.assignments.push_back(read_assignment(one, course, problems));
  entry.finish();
  compare(course, problems);
  if (problems.empty()) return course;
  std::string text;
  for (const std::string& line : problems.lines(file.string())) text += (text.empty() ? "" : "\n") + line;
  throw Error(text);
}

}  // namespace ladder::course
