#pragma once
/// @file
/// Grades as a table that other programs read: RFC 4180, UTF-8.

#include <map>
#include <string>
#include <vector>

#include "common/model/grade.hpp"

namespace ladder::grade {

/// A field as it is in a file: quoted where it must be.
std::string csv_field(const std::string& text);

/// Whether a spreadsheet takes it for a formula: "=O'Brien", "-1+x". "-" and numbers are none.
bool is_formula(const std::string& text);

/// Text, a person's name for example: an apostrophe goes before what would be taken for a formula.
std::string csv_name(const std::string& name);

/// A line with its end.
std::string csv_line(const std::vector<std::string>& fields);

/// A line for each record: points, what is open, and points and verdict of each step. The verdicts are those
/// that students
/// read, since such files travel.
/// @param names  of pseudonyms; empty: the table has no column for them
std::string overview_csv(const std::vector<model::GradeRecord>& records,
                         const std::map<std::string, std::string>& names = {});

}  // namespace ladder::grade
