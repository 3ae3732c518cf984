#include "common/course/time_zone.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "common/base/error.hpp"
#include "common/base/text/nearest.hpp"
#include "common/base/zone_of_process.hpp"

namespace ladder::course {
namespace {

namespace fs = std::filesystem;
using std::chrono::seconds;

fs::path database() {
  const char* folder = std::getenv("TZDIR");
  return folder && *folder ? folder : "/usr/share/zoneinfo";
}

bool is_zone(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  char magic[4] = {};
  return in.read(magic, sizeof magic) && std::string(magic, sizeof magic) == "TZif";
}

std::vector<std::string> all_zones() {
  std::vector<std::string> names;
  std::error_code failed;
  for (auto at = fs::recursive_directory_iterator(database(), failed);
       !failed && at != fs::recursive_directory_iterator(); at.increment(failed)) {
    const std::string name = at->path().lexically_relative(database()).string();
    if (name.starts_with("posix") || name.starts_with("right")) {
      at.disable_recursion_pending();
      continue;
    }
    if (at->is_regular_file() && is_zone(at->path())) names.push_back(name);
  }
  return names;
}

struct Clock {
  seconds ahead;           ///< of UTC
  std::string short_name;  ///< "CST"
};

Clock clock_at(const std::string& zone, sys_seconds moment) {
  const ZoneOfProcess in(":" + zone);
  const std::time_t time = moment.time_since_epoch().count();
  std::tm shown{};
  if (!::localtime_r(&time, &shown)) throw Error("a time that no calendar has");
  return {seconds(shown.tm_gmtoff), shown.tm_zone ? shown.tm_zone : ""};
}

}  // namespace

TimeZone::TimeZone(std::string name) : name_(std::move(name)) {
  const bool is_name = !name_.empty() && name_[0] != '/' && name_.find("..") == name_.npos;
  if (is_name && is_zone(database() / name_)) return;
  const auto zones = all_zones();
  if (zones.empty()) throw Error(fmt::format("no time zones in {}: install tzdata", database().string()));
  const auto near = nearest(name_, zones);
  throw Error(near.empty() ? fmt::format("unknown time zone '{}'; a name has the form America/Chicago", name_)
                           : unknown("time zone", name_, zones));
}

std::vector<sys_seconds> TimeZone::moments(local_seconds shown) const {
  const sys_seconds as_utc(shown.time_since_epoch());
  // What clocks are ahead of UTC a day before and a day after: if they change between, both are tried.
  const seconds before = clock_at(name_, as_utc - std::chrono::hours(24)).ahead,
                after = clock_at(name_, as_utc + std::chrono::hours(24)).ahead;
  std::vector<sys_seconds> found;
  for (const seconds ahead : {std::max(before, after), std::min(before, after)}) {
    const sys_seconds moment = as_utc - ahead;
    if (clock_at(name_, moment).ahead == ahead && (found.empty() || found.back() != moment))
      found.push_back(moment);
  }
  return found;
}

sys_seconds TimeZone::moment(local_seconds shown) const {
  const auto found = moments(shown);
  if (found.size() == 1) return found.front();
  if (found.empty())
    throw Error(fmt::format("{} does not exist in {}: clocks skip it; choose a time before or after",
                            text_of(shown), name_));
  const seconds ahead = clock_at(name_, found.back()).ahead;
  throw Error(
      fmt::format("{} is there twice in {}, where clocks are put back: write it with its distance to UTC, "
                  "as {}{}{:02}:{:02} for the second one",
                  text_of(shown), name_, text_of(shown), ahead.count() < 0 ? '-' : '+',
                  std::abs(ahead.count()) / 3600, std::abs(ahead.count()) / 60 % 60));
}

local_seconds TimeZone::shown_at(sys_seconds moment) const {
  return local_seconds((moment + clock_at(name_, moment).ahead).time_since_epoch());
}

sys_seconds TimeZone::days_later(sys_seconds moment, int days) const {
  const local_seconds shown = shown_at(moment) + std::chrono::days(days);
  const auto found = moments(shown);
  if (!found.empty()) return found.back();
  const sys_seconds as_utc(shown.time_since_epoch());
  return as_utc -
         clock_at(name_, as_utc - std::chrono::hours(24)).ahead;  // as if clocks had not been changed yet
}

std::string TimeZone::text(sys_seconds moment) const {
  return text_of(shown_at(moment)) + " " + clock_at(name_, moment).short_name;
}

std::string text_of(local_seconds shown) {
  const auto day = std::chrono::floor<std::chrono::days>(shown);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss time(shown - day);
  std::string text = fmt::format("{:04}-{:02}-{:02} {:02}:{:02}", int(date.year()), unsigned(date.month()),
                                 unsigned(date.day()), time.hours().count(), time.minutes().count());
  if (time.seconds().count() != 0) text += fmt::format(":{:02}", time.seconds().count());
  return text;
}

}  // namespace ladder::course
