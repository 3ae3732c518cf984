#pragma once
/// @file
/// roster.csv: who is in the class, and what each platform calls them.

#include <filesystem>
#include <string>
#include <vector>

namespace ladder::course {

/// One line of the roster. Only `id` and `name` must be there.
struct Person {
  std::string id;    ///< the course's own; extensions, exports and this project's files name people by it
  std::string name;  ///< as it is: "=O'Brien, Søren"
  std::string email, section;
  std::string group;  ///< people with the same text here hand in together
  std::string gradescope_email, gradescope_sid;
  std::string canvas_id, sis_user_id,
      sis_login;          ///< columns ID, SIS User ID, SIS Login ID of Canvas's gradebook
  std::string moodle_id;  ///< Moodle's "ID number", or the user name there
  std::string github;
};

/// The columns that a roster may have, in the order of Person.
const std::vector<std::string>& roster_columns();

using Roster = std::vector<Person>;

/// Reads a roster: a header, UTF-8 with or without a byte-order mark, ',' or ';'. A column whose name begins
/// with # is left out.
/// @param name  of the file, for messages
/// @throws Error with a line "NAME:LINE: …" for each thing that is wrong: no id or name, an id, e-mail or
/// number that two people have, a column that nobody knows
Roster parse_roster(const std::string& bytes, const std::string& name);

/// @throws Error as parse_roster does, and when the file cannot be read
Roster read_roster(const std::filesystem::path& file);

/// The person of that id; null: there is none.
const Person* person_of(const Roster& roster, const std::string& id);

/// All who hand in together with these: the people themselves, and those of their groups. In the roster's
/// order.
std::vector<std::string> with_groups(const Roster& roster, const std::vector<std::string>& ids);

}  // namespace ladder::course
