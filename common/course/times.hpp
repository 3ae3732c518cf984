#pragma once
/// @file
/// Times as platforms write them.

#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace ladder::course {

using Time = std::chrono::sys_seconds;  ///< UTC

/// Seconds since 1970 on the clock of a place, without its zone: "2027-02-14 23:59:00" wherever that is.
using ClockTime = std::chrono::sys_seconds;

/// The moment that a clock of the course's place shows.
using Zone = std::function<Time(ClockTime)>;

/// This machine's time zone.
Time this_machine(ClockTime shown);

/// Reads a time.
/// - "2027-02-14T23:59:00Z", "2027-02-14 23:59:00.123456 -06:00": ISO 8601, with a zone
/// - "2027-02-14 23:59": without one, in `zone`
/// - "Sunday, 14 February 2027, 11:59 PM", "Sunday, February 14, 2027, 11:59 PM": Moodle in English, in
/// `zone` Parts of a second are dropped, in favour of the student. @return nothing where the text is no time
std::optional<Time> time_of(const std::string& text, const Zone& zone);

/// "2027-02-15T05:59:00Z"
std::string utc_text(Time time);

}  // namespace ladder::course
