#pragma once
/// @file
/// Where a new rung goes in files that are there: its row in the lesson's table, its section on the lesson's
/// page.

#include <map>
#include <string>
#include <utility>

#include "common/tool/catalogue/catalogue.hpp"

namespace ladder {

/// Where a step stands among those of its lesson, by track and number: c1 m1 g1 g2 … g10. @param id "g2", or
/// a name that begins so
std::pair<std::size_t, int> rank_of(const std::string& id);

/// A template with each @name@ replaced by its value. @throws UsageError naming one that has none
std::string filled(const std::string& text, const std::map<std::string, std::string>& values);

/// The text of a rungs.toml with a row more: after the rows of its track with smaller numbers.
/// @param id  "c3", or a name that begins so
std::string with_row(const std::string& table, const std::string& row, const std::string& id);

/// The lesson's page with a section more, in the order of the rungs, below the heading of its track ("On the
/// CPU", "On a GPU", "Several processes"), which is added where the page does not have it yet. Without rungs,
/// in front of "What the source found" and "Beyond", or at the end.
/// @param section  begins with "### g2 · …"; on a page whose rungs are of the second level it becomes one of
/// that level
std::string with_section(const std::string& page, const std::string& section, const std::string& id);

}  // namespace ladder
