#pragma once
/// @file
/// Lengths of time and shares, as people write them in a course file.

#include <chrono>
#include <string>

#include "common/course/time_zone.hpp"

namespace ladder::course {

/// A length of time. Days are those of clocks: the same time, so many days later.
struct Duration {
  int days = 0;
  std::chrono::seconds rest{0};

  bool is_zero() const { return days == 0 && rest.count() == 0; }
  sys_seconds after(sys_seconds moment, const TimeZone& zone) const {
    return (days == 0 ? moment : zone.days_later(moment, days)) + rest;
  }
};

/// "15 min", "2 h", "3 days". @throws Error naming the forms
Duration parse_duration(const std::string& text);

/// "10 %" is 0.1. @throws Error for what is none, or not within 0 and 100 %
double parse_share(const std::string& text);

}  // namespace ladder::course
