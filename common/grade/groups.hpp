#pragma once
/// @file
/// Groups: one submission of several people.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace ladder::grade {

/// The ids of each submission that several people handed in, by the submission's name.
using Groups = std::map<std::string, std::vector<std::string>>;

/// Reads lines "SUBMISSION: ID, ID"; what follows # is a comment.
/// @param name  of the file, for messages
/// @throws Error "NAME:LINE: …" for a line of another form, a submission or an id that is twice
Groups parse_groups(const std::string& text, const std::string& name);

/// @throws Error as parse_groups does, and when the file cannot be read
Groups read_groups(const std::filesystem::path& file);

}  // namespace ladder::grade
