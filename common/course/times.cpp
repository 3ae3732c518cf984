#include "common/course/times.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <string_view>

#include "common/base/text/text.hpp"

namespace ladder::course {
namespace {

namespace chrono = std::chrono;

/// @return nothing for the 31st of February, or 25 o'clock
std::optional<ClockTime> clock_time(const std::tm& t) {
  const chrono::year_month_day day{chrono::year(t.tm_year + 1900),
                                   chrono::month(static_cast<unsigned>(t.tm_mon + 1)),
                                   chrono::day(static_cast<unsigned>(t.tm_mday))};
  if (!day.ok() || t.tm_hour > 23 || t.tm_min > 59 || t.tm_sec > 60) return {};
  return chrono::sys_days(day) + chrono::hours(t.tm_hour) + chrono::minutes(t.tm_min) +
         chrono::seconds(std::min(t.tm_sec, 59));
}

/// Minutes east of Greenwich: "Z", "UTC", "+01:00", "-0600"; nothing where it is no zone.
std::optional<chrono::minutes> offset_of(std::string_view text) {
  if (text == "Z" || text == "UTC") return chrono::minutes(0);
  int hours = 0, minutes = 0;
  char sign = 0, rest = 0;
  const std::string all(text);
  if (std::sscanf(all.c_str(), "%c%2d:%2d%c", &sign, &hours, &minutes, &rest) != 3 &&
      std::sscanf(all.c_str(), "%c%2d%2d%c", &sign, &hours, &minutes, &rest) != 3)
    return {};
  if ((sign != '+' && sign != '-') || hours > 14 || minutes > 59) return {};
  return chrono::minutes((sign == '-' ? -1 : 1) * (60 * hours + minutes));
}

/// Reads by one form of strptime. @return what stands after it
const char* read(const std::string& text, const char* form, std::tm& t) {
  t = {};
  return ::strptime(text.c_str(), form, &t);
}

}  // namespace

Time this_machine(ClockTime shown) {
  const std::time_t seconds = shown.time_since_epoch().count();
  std::tm t{};
  gmtime_r(&seconds, &t);
  t.tm_isdst = -1;  // what holds on that day
  return Time(chrono::seconds(std::mktime(&t)));
}

std::optional<Time> time_of(const std::string& typed, const Zone& zone) {
  const std::string text(trim(typed));
  std::tm t{};
  // Source: moodle/moodle lang/en/langconfig.php, strftimedaydatetime; the second is that of English (United
  // States).
  for (const char* form : {"%A, %d %B %Y, %I:%M %p", "%A, %B %d, %Y, %I:%M %p", "%A, %d %B %Y, %H:%M"})
    if (const char* rest = read(text, form, t); rest != nullptr && *rest == '\0')
      if (const auto shown = clock_time(t)) return zone(*shown);
  const char* rest = nullptr;
  for (const char* form : {"%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M"})
    if (rest = read(text, form, t); rest != nullptr) break;
  if (rest == nullptr) return {};
  const auto shown = clock_time(t);
  if (!shown) return {};
  std::string_view end(rest);
  if (end.starts_with('.')) end.remove_prefix(std::min(end.find_first_not_of("0123456789", 1), end.size()));
  end = trim(end);
  if (end.empty()) return zone(*shown);
  const auto offset = offset_of(end);
  if (!offset) return {};
  return *shown - *offset;
}

std::string utc_text(Time time) {
  const std::time_t seconds = time.time_since_epoch().count();
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(seconds));
}

}  // namespace ladder::course
