#pragma once
/// @file
/// What a process said last, found in all that it printed.

#include <string>
#include <utility>

namespace ladder {

/// The text split into its first line and the rest; what a step printed may be long.
std::pair<std::string, std::string> first_line(const std::string& text);

/// The executor's message of an error that ended the program, with its details, wherever it is in what was
/// printed; else the first line of all.
std::pair<std::string, std::string> last_message(const std::string& output);

}  // namespace ladder
