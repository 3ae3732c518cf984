#pragma once
/// @file
/// The course's time zone: times as clocks on its walls show them, and the same in UTC.

#include <chrono>
#include <string>
#include <vector>

namespace ladder::course {

using std::chrono::local_seconds;
using std::chrono::sys_seconds;

/// A zone of the machine's time zone database.
class TimeZone {
 public:
  /// @throws Error for a name that the database does not have, with the nearest ones, and where there is no
  /// database
  explicit TimeZone(std::string name);
  TimeZone() : TimeZone("UTC") {}

  const std::string& name() const { return name_; }

  /// The moments at which clocks show this: one; none when clocks skip it in spring, two when they show it
  /// twice in autumn.
  std::vector<sys_seconds> moments(local_seconds shown) const;

  /// The only one. @throws Error "2027-03-14 02:30 does not exist in …", "… is there twice: write …"
  sys_seconds moment(local_seconds shown) const;

  local_seconds shown_at(sys_seconds moment) const;

  /// The same time on clocks, so many days later: 23 or 25 hours when they change between. A time that they
  /// skip becomes the one that they show then; of two the later one counts.
  sys_seconds days_later(sys_seconds moment, int days) const;

  /// "2027-02-14 23:59 CST", with seconds where there are some.
  std::string text(sys_seconds moment) const;

 private:
  std::string name_;
};

/// "2027-02-14 23:59", with seconds where there are some.
std::string text_of(local_seconds shown);

}  // namespace ladder::course
