#pragma once
/// @file
/// Grades as a table that other programs read: RFC 4180, UTF-8.

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ladder::grade {

/// A field as it is in a file: quoted where it must be.
std::string csv_field(const std::string& text);

/// A person's name as text: a spreadsheet takes "=O'Brien" for a formula, so an apostrophe goes before it.
std::string csv_name(const std::string& name);

/// A line with its end.
std::string csv_line(const std::vector<std::string>& fields);

/// A line for each record: points, what is open, and points and verdict of each step. The verdicts are those
/// that students
/// read, since such files travel.
/// @param names  of pseudonyms; empty: the table has no column for them
std::string overview_csv(const std::vector<nlohmann::json>& records,
                         const std::map<std::string, std::string>& names = {});

}  // namespace ladder::grade
