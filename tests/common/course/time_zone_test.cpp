/// @file
/// Times of a course's zone, where clocks are changed too.
// Guards: docs/course.md#lateness

#include "common/course/time_zone.hpp"

#include "common/base/catch.hpp"
#include "common/base/error.hpp"
#include "common/course/times.hpp"

using namespace ladder;
using namespace ladder::course;
using std::chrono::hours;

namespace {

sys_seconds at_place(const std::string& text, const char* zone = "America/Chicago") {
  const TimeZone of(zone);
  const auto moment =
      time_of(text, [&](ClockTime shown) { return of.moment(local_seconds(shown.time_since_epoch())); });
  if (!moment) throw Error("no time");
  return *moment;
}

/// What is said of a time.
std::string said_of_time(const std::string& text, const char* zone = "America/Chicago") {
  try {
    at_place(text, zone);
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

bool stands_in(const std::string& part, const std::string& text) {
  INFO(text);
  return text.find(part) != text.npos;
}

}  // namespace

TEST_CASE("a time on a wall is a moment") {
  CHECK(utc_text(at_place("2027-02-14T23:59")) == "2027-02-15T05:59:00Z");     // winter: UTC-6
  CHECK(utc_text(at_place("2027-07-14 23:59:30")) == "2027-07-15T04:59:30Z");  // summer: UTC-5
  CHECK(utc_text(at_place("2045-07-14T12:00")) ==
        "2045-07-14T17:00:00Z");  // after the tables of the database
  CHECK(utc_text(at_place("2027-02-14T23:59", "Asia/Kolkata")) == "2027-02-14T18:29:00Z");
  CHECK(utc_text(at_place("2027-02-14T23:59Z")) == "2027-02-14T23:59:00Z");
  CHECK(utc_text(at_place("2027-02-14T23:59:00+01:00")) == "2027-02-14T22:59:00Z");
  const TimeZone zone("America/Chicago");
  CHECK(zone.text(at_place("2027-02-14T23:59")) == "2027-02-14 23:59 CST");
  CHECK(zone.text(at_place("2027-07-14T23:59:01")) == "2027-07-14 23:59:01 CDT");
}

TEST_CASE("clocks skip an hour in spring and show one twice in autumn") {
  CHECK(stands_in("2027-03-14 02:30 does not exist in America/Chicago", said_of_time("2027-03-14T02:30")));
  CHECK(stands_in("2027-11-07 01:30 is there twice", said_of_time("2027-11-07T01:30")));
  CHECK(stands_in("as 2027-11-07 01:30-06:00 for the second one", said_of_time("2027-11-07T01:30")));
  CHECK(at_place("2027-11-07T01:30-06:00") - at_place("2027-11-07T01:30-05:00") == hours(1));
  CHECK(said_of_time("2027-03-14T01:59:59") == "nothing");
  CHECK(said_of_time("2027-03-14T03:00") == "nothing");
  CHECK(at_place("2027-03-14T03:00") - at_place("2027-03-14T01:59:59") == std::chrono::seconds(1));
  CHECK(said_of_time("2027-11-07T00:59:59") == "nothing");
  CHECK(said_of_time("2027-11-07T02:00") == "nothing");
  // Half an hour, on the other side of the world: Lord Howe Island.
  CHECK(stands_in("does not exist", said_of_time("2027-10-03T02:15", "Australia/Lord_Howe")));
  CHECK(stands_in("is there twice", said_of_time("2027-04-04T01:45", "Australia/Lord_Howe")));
  // A whole day: Samoa had no 30 December 2011.
  CHECK(stands_in("does not exist", said_of_time("2011-12-30T12:00", "Pacific/Apia")));
}

TEST_CASE("days later the clocks show the same") {
  const TimeZone zone("America/Chicago");
  CHECK(zone.days_later(at_place("2027-02-14T23:59"), 1) - at_place("2027-02-14T23:59") == hours(24));
  CHECK(zone.days_later(at_place("2027-03-13T23:59"), 1) - at_place("2027-03-13T23:59") == hours(23));
  CHECK(zone.days_later(at_place("2027-11-06T23:59"), 1) - at_place("2027-11-06T23:59") == hours(25));
  CHECK(zone.days_later(at_place("2027-03-13T02:30"), 1) ==
        at_place("2027-03-14T03:30"));  // skipped: what clocks show then
  CHECK(zone.days_later(at_place("2027-11-06T01:30"), 1) ==
        at_place("2027-11-07T01:30-06:00"));  // the later of two
  CHECK(zone.days_later(at_place("2027-03-13T02:30"), 2) == at_place("2027-03-15T02:30"));
}

TEST_CASE("a zone that is not there is said") {
  CHECK(stands_in("unknown time zone 'America/Chicgo'; nearest: America/Chicago",
                  said_of_time("2027-02-14T12:00", "America/Chicgo")));
  for (const char* zone : {"", "/etc/passwd", "../zoneinfo/UTC", "America", "tzdata.zi"})
    CHECK(stands_in("unknown time zone", said_of_time("2027-02-14T12:00", zone)));
}

TEST_CASE("the zone of the machine stays what it was") {
  ::setenv("TZ", "Asia/Tokyo", 1);
  CHECK(utc_text(at_place("2027-02-14T23:59")) == "2027-02-15T05:59:00Z");
  CHECK(std::string(std::getenv("TZ")) == "Asia/Tokyo");
  ::unsetenv("TZ");
  at_place("2027-02-14T23:59");
  CHECK(std::getenv("TZ") == nullptr);
}
