#pragma once
/// @file
/// Deadlines: which attempt of a person counts, how late it is, and what that costs. Functions of times only:
/// whatever is changed in a course file is computed again.

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/course/course_file.hpp"

namespace ladder::course {

/// One attempt of a person at an assignment.
struct Attempt {
  std::string id;                         ///< what it is known by: a pseudonym
  std::optional<sys_seconds> received{};  ///< as the platform or the package says; none: nobody knows
  double points = 0;                      ///< as judged
  bool active = false;                    ///< the one that the platform counts
  bool said_late = false;                 ///< the platform says so, perhaps without a time
};

/// What an attempt is worth under the rules.
struct Credit {
  std::size_t attempt = 0;       ///< its index
  bool counts = true;            ///< false: after the last moment
  std::chrono::seconds late{0};  ///< after the deadline, grace included; 0: in time
  int units = 0;                 ///< hours or days begun that cost something
  int slip_days = 0;             ///< that it uses up
  double taken = 0;              ///< share of its points
  double points = 0;             ///< after that
};

/// What a person gets for an assignment.
struct Outcome {
  std::optional<Credit> counted{};  ///< none: no attempt, or none before the last moment
  std::vector<Credit> all{};        ///< each attempt, with the slip days that it would use
  std::string note{};               ///< what a person should know: an unknown time, no active attempt
};

/// What one attempt is worth.
/// @param due         the deadline of this person, without grace
/// @param slip_days   that are left
Credit credit_of_attempt(const Attempt& attempt, sys_seconds due, const Late& late, int slip_days,
                         const TimeZone& zone);

/// Which attempt counts, and what it is worth. An attempt whose time nobody knows is counted as in time, and
/// the note says so.
Outcome credit_of_attempts(const std::vector<Attempt>& attempts, sys_seconds due, const Late& late,
                           int slip_days, const TimeZone& zone);

/// The last moment at which an attempt counts; nothing: any does. Slip days that are left come before at_most
/// is counted.
std::optional<sys_seconds> last_moment(sys_seconds due, const Late& late, int slip_days,
                                       const TimeZone& zone);

/// "The last attempt that counts for hw1: 2027-02-17 00:14 CST; with all 2 slip days left: 2027-02-19 00:14
/// CST"; empty: any.
std::string last_moment_text(const Course& course, const Assignment& assignment);

/// "2 days late, 1 slip day, 10 % taken"; "in time".
std::string lateness_text(const Credit& credit, const Late& late);

/// Deadlines of single persons: {student, assignment} to a moment.
using Extensions = std::map<std::pair<std::string, std::string>, sys_seconds>;

/// Reads extensions.csv: student,assignment,until, the times of the course's zone.
/// @throws Error "extensions.csv:LINE: …" for whatever is unknown, given twice, or before the deadline; a
/// line each
Extensions parse_extensions(const std::string& text, const std::string& name, const Course& course);

/// @throws Error as parse_extensions does, and when the file cannot be read
Extensions read_extensions(const Course& course);

/// The deadline of a person.
sys_seconds due_for(const std::string& student, const Assignment& assignment, const Extensions& extensions);

}  // namespace ladder::course
