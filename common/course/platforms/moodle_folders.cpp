/// @file
/// Moodle's "Download all submissions": a folder for each, "First Last_123_assignsubmission_file_"
/// (from 4.1 on without the last underscore; "Group-First Last_…" for teams), where 123 is the number of the
/// person in this one assignment ("Participant 123"). Times are in the grading worksheet only, a table that
/// is looked for in the same folder.
/// Source: moodle/moodle mod/assign/locallib.php (download_submissions),
/// mod/assign/feedback/file/importziplib.php; mod/assign/feedback/offline/importgradeslib.php for the
/// worksheet.

#include <fmt/format.h>

#include <map>
#include <regex>

#include "common/course/platforms/gradebook.hpp"
#include "common/course/platforms/platforms.hpp"
#include "common/course/platforms/table.hpp"
#include "common/grade/intake/names.hpp"

namespace ladder::course {
namespace {

namespace fs = std::filesystem;

/// A line of the worksheet.
struct Participant {
  std::string person;  ///< id of the roster; empty: unknown
  std::string name{};
  std::string modified{}, status{};
};

using Participants = std::map<std::string, Participant>;

void read_worksheet(const fs::path& file, const Lookup& people, Participants& all) {
  const Table table = read_table(file);
  if (table.column("Identifier") != 0) return;
  for (const Row& row : table.rows) {
    Participant one{.person = "", .name = table.field(row, "Full name")};
    one.modified = table.field(row, "Last modified (submission)");
    one.status = table.field(row, "Status");
    one.person = people.by(&Person::moodle_id, table.field(row, "ID number"));
    for (const char* column : {"Email address", "Username", "ID number"})
      if (one.person.empty()) one.person = people.by_any(table.field(row, column));
    if (one.person.empty()) one.person = people.by_name(without_guard(one.name));
    all[participant_number(table.field(row, "Identifier"))] = one;
  }
}

/// Of "Group A-First Last" the person, when no person is called so.
std::string by_shown_name(const Lookup& people, const std::string& shown) {
  std::string id = people.by_name(shown);
  for (auto dash = shown.find('-'); id.empty() && dash != shown.npos; dash = shown.find('-', dash + 1))
    id = people.by_name(shown.substr(dash + 1));
  return id;
}

ImportedSubmission submission_of(const fs::path& folder, const std::string& shown, const std::string& number,
                                 const Lookup& people, const Participants& participants, const Zone& zone) {
  ImportedSubmission one{
      .key = "participant_" + number, .platform = "moodle", .people = {}, .path = without_wrapping(folder)};
  one.participant = number;
  one.said = fmt::format("{}, participant {}", shown, number);
  std::string id;
  if (const auto at = participants.find(number); at != participants.end()) {
    id = at->second.person;
    one.received = time_of(at->second.modified, zone);
    one.late = at->second.status.find("late") != std::string::npos;
    if (!one.received && at->second.modified.size() > 1)
      one.notes.push_back(fmt::format("the worksheet's time \"{}\" cannot be read: download it in English",
                                      at->second.modified));
  }
  if (id.empty()) id = by_shown_name(people, shown);
  if (!id.empty()) one.people = {id};
  return one;
}

}  // namespace

std::optional<SubmissionImport> from_moodle(const fs::path& folder, const Lookup& people, const Zone& zone) {
  static const std::regex form("(.+)_([0-9]{1,12})_assignsubmission_(file|onlinetext)_?");
  Participants participants;
  SubmissionImport handed;
  bool any = false;
  const auto entries = entries_of(folder);
  for (const fs::path& entry : entries)
    if (grade::lower(entry.extension().string()) == ".csv") read_worksheet(entry, people, participants);
  for (const fs::path& entry : entries) {
    const std::string name = entry.filename().string();
    std::smatch part;
    if (name.size() > 255 || !std::regex_match(name, part, form) || !fs::is_directory(entry)) continue;
    any = true;
    if (part[3] == "file")
      handed.all.push_back(submission_of(entry, part[1], part[2], people, participants, zone));
    else
      handed.remarks.push_back(name + " is text typed into Moodle, and is left out");
  }
  if (!any) return {};
  if (participants.empty())
    handed.remarks.push_back(
        "there is no grading worksheet (a .csv with the column Identifier) in the folder: times are not "
        "known, and people are "
        "found by their names");
  return handed;
}

}  // namespace ladder::course
