/// @file
/// One [[assignment]] of a course file.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <regex>

#include "common/base/text/nearest.hpp"
#include "common/course/course_entries.hpp"

namespace ladder::course {
namespace {

namespace fs = std::filesystem;

/// "00/g1-g3" is 00/g1, 00/g2, 00/g3, as every verb has it; a rung is itself. Nothing: it is neither.
std::vector<std::string> rungs_in(const std::string& text) {
  static const std::regex single(R"(\d\d/[a-z]\d+)"), range(R"((\d\d)/([a-z])(\d{1,3})-\2(\d{1,3}))");
  std::smatch part;
  if (std::regex_match(text, single)) return {text};
  std::vector<std::string> all;
  if (std::regex_match(text, part, range))
    for (int number = std::stoi(part[3]); number <= std::stoi(part[4]); ++number)
      all.push_back(fmt::format("{}/{}{}", part[1].str(), part[2].str(), number));
  return all;
}

void read_rungs(Entries& entry, Assignment& one, Problems& problems) {
  auto table = entry.table("rungs");
  if (!table) {
    if (!entry.has("rungs")) entry.problem("rungs", "rungs is missing; write rungs = { \"03/g1\" = 8 }");
    return;
  }
  for (const auto& [written, place] : entry.keys("rungs")) {
    const double points = table->points(written);
    auto rungs = rungs_in(written);
    if (rungs.empty()) {
      const char* several = written.find('-') == written.npos ? "" : ", several of one track \"03/g1-g3\"";
      problems.add(place, fmt::format("'{}' is no rung; a rung is written \"03/g1\"{}", written, several));
      rungs = {written};
    }
    for (const std::string& rung : rungs) {
      one.rungs.emplace_back(rung, points / static_cast<double>(rungs.size()));
      one.rung_places.push_back(place);
    }
  }
  if (one.rungs.empty()) entry.problem("rungs", "rungs is empty: an assignment has a rung at least");
}

/// A rung that another entry names. @return its name
std::string rung_field(Entries& entry, const char* key, const Assignment& one) {
  const std::string rung = entry.text(key, true).value_or("");
  const auto names = one.rung_names();
  if (!rung.empty() && std::find(names.begin(), names.end(), rung) == names.end())
    entry.problem(key, fmt::format("{} is not among the rungs of {}", rung, one.name));
  return rung;
}

void read_predict(Entries& entry, Assignment& one) {
  static const std::regex sizes(R"(\d+(\.\.\d+( step \d+)?)?)");
  for (Entries& table : entry.tables("predict")) {
    Predict& predict = one.predict.emplace_back();
    predict.place = table.place();
    predict.rung = rung_field(table, "rung", one);
    predict.metric = table.text("metric", true).value_or("");
    predict.n = table.text("n").value_or("");
    if (!predict.n.empty() && !std::regex_match(predict.n, sizes))
      table.problem("n",
                    fmt::format("n '{}': write \"64\", \"192..512\" or \"192..512 step 32\"", predict.n));
    predict.points = table.points("points");
    table.finish();
  }
}

void read_manual(Entries& entry, Assignment& one) {
  if (entry.is_text("manual")) {
    entry.word("manual", {"platform"});  // its own rubric has them
    return;
  }
  for (Entries& table : entry.tables("manual")) {
    Manual& manual = one.manual.emplace_back();
    manual.place = table.place();
    manual.rung = rung_field(table, "rung", one);
    manual.ask = table.text("ask", true).value_or("");
    manual.points = table.points("points");
    manual.levels = table.texts("levels");
    table.finish();
  }
}

void read_time(Entries& entry, const Course& course, Assignment& one) {
  if (auto table = entry.table("time")) {
    Timed& time = one.time.emplace();
    time.place = table->place();
    for (const std::string& written : table->texts("rungs")) {
      const auto rungs = rungs_in(written);
      time.rungs.insert(time.rungs.end(), rungs.begin(), rungs.end());
      if (rungs.empty()) time.rungs.push_back(written);
    }
    const auto names = one.rung_names();
    if (time.rungs.empty()) table->problem("rungs", "time: rungs is missing or empty; which ones are timed?");
    for (const std::string& rung : time.rungs)
      if (std::find(names.begin(), names.end(), rung) == names.end())
        table->problem("rungs", fmt::format("time: {} is not among the rungs of {}", rung, one.name));
    time.points = table->points("points");
    if (const auto bounds = table->text("bounds")) {
      time.bounds = resolved(*bounds, course.file);
      if (!fs::is_regular_file(time.bounds))
        table->problem("bounds",
                       fmt::format("no file {}; ./ladder grade calibrate writes it", time.bounds.string()));
    }
    table->finish();
  }
}

void read_private(Entries& entry, const Course& course, Assignment& one) {
  if (auto table = entry.table("private")) {
    Private& tests = one.private_tests.emplace();
    tests.place = table->place();
    if (const auto folder = table->text("folder", true)) {
      tests.folder = resolved(*folder, course.file);
      if (!fs::is_directory(tests.folder))
        table->problem("folder",
                       fmt::format("no folder {}: private tests lie there, as NN-name/private_test.cpp",
                                   tests.folder.string()));
    }
    tests.points = table->points("points");
    table->finish();
  }
}

void read_allow(Entries& entry, Assignment& one) {
  auto table = entry.table("allow");
  if (!table) return;
  one.allow.place = table->place();
  one.allow.headers = table->texts("headers");
  one.allow.symbols = table->texts("symbols");
  table->finish();
}

void compare_times(Entries& entry, const Course& course, const Assignment& one) {
  const auto text = [&](sys_seconds moment) { return course.timezone.text(moment); };
  if (one.due <= one.opens)
    entry.problem("due", fmt::format("{} is due at {}, before it opens at {}", one.name, text(one.due),
                                     text(one.opens)));
  if (one.regrades_until && *one.regrades_until <= one.due)
    entry.problem("regrades_until", fmt::format("regrades_until {} is not after the deadline, {}",
                                                text(*one.regrades_until), text(one.due)));
}

}  // namespace

std::optional<sys_seconds> moment(Entries& entry, const std::string& key, const TimeZone& zone, bool needed) {
  const auto value = entry.date_time(key, needed);
  if (!value) return std::nullopt;
  const auto& [date, time, offset] = *value;
  const std::chrono::year_month_day day(std::chrono::year(date.year), std::chrono::month(date.month),
                                        std::chrono::day(date.day));
  const local_seconds shown = std::chrono::local_days(day) + std::chrono::hours(time.hour) +
                              std::chrono::minutes(time.minute) + std::chrono::seconds(time.second);
  if (offset) return sys_seconds(shown.time_since_epoch()) - std::chrono::minutes(offset->minutes);
  std::optional<sys_seconds> found;
  entry.attempt(key, [&] { found = zone.moment(shown); });
  return found;
}

Assignment read_assignment(Entries& entry, const Course& course, Problems& problems) {
  Assignment one;
  one.place = entry.place();
  one.name = entry.text("name", true).value_or("");
  if (!one.name.empty() && !std::regex_match(one.name, std::regex("[A-Za-z0-9._-]+")))
    entry.problem("name", fmt::format("name '{}': letters, digits, . _ -; it names files", one.name));
  const auto opens = moment(entry, "opens", course.timezone, true),
             due = moment(entry, "due", course.timezone, true);
  one.opens = opens.value_or(sys_seconds());
  one.due = due.value_or(sys_seconds());
  one.regrades_until = moment(entry, "regrades_until", course.timezone);
  if (opens && due) compare_times(entry, course, one);
  one.answers = entry.word("answers", {"never", "after_deadline"}).value_or("never");
  read_rungs(entry, one, problems);
  read_predict(entry, one);
  read_manual(entry, one);
  read_time(entry, course, one);
  read_private(entry, course, one);
  read_allow(entry, one);
  if (const auto sum = entry.number("points"); sum && std::abs(*sum - one.points()) > 1e-9)
    entry.problem("points",
                  fmt::format("points is {:g}, and its parts have {:g}: rungs, predict, manual, time "
                              "and private together",
                              *sum, one.points()));
  entry.finish();
  return one;
}

}  // namespace ladder::course
