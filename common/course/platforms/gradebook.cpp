#include "common/course/platforms/gradebook.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "common/base/error.hpp"
#include "common/base/text/numbers.hpp"
#include "common/base/text/text.hpp"
#include "common/course/platforms/platforms.hpp"
#include "common/grade/record.hpp"

namespace ladder::course {
namespace {

const Mark* mark_of(const std::vector<Mark>& marks, const std::string& id) {
  const auto at = std::find_if(marks.begin(), marks.end(), [&](const Mark& m) { return m.id == id; });
  return at == marks.end() ? nullptr : &*at;
}

std::string cell(const Mark* mark) {
  return mark == nullptr || !mark->points ? "" : grade::points_text(*mark->points);
}

/// A comment as Moodle's editor takes it.
std::string html(const std::string& text) {
  std::string safe;
  for (const char c : text)
    safe += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return safe;
}

}  // namespace

std::vector<Mark> marks_of_last(const Roster& roster, const SubmissionImport& handed,
                                const std::vector<model::GradeRecord>& records) {
  std::map<std::string, const model::GradeRecord*> of_key;
  for (const model::GradeRecord& record : records) of_key[record.submission.name] = &record;
  std::vector<Mark> marks;
  for (const Person& person : roster) {
    const ImportedSubmission* last = nullptr;
    for (const ImportedSubmission& one : handed.all) {
      const bool own = std::find(one.people.begin(), one.people.end(), person.id) != one.people.end();
      if (!own || !of_key.contains(one.key)) continue;
      if (last == nullptr || std::pair(last->received, last->attempt) < std::pair(one.received, one.attempt))
        last = &one;
    }
    Mark mark{.id = person.id, .points = {}, .pseudonym = "", .participant = "", .comment = ""};
    if (last != nullptr) {
      const model::GradeRecord& record = *of_key[last->key];
      mark.pseudonym = record.pseudonym;
      mark.participant = last->people.size() == 1 ? last->participant : "";
      // A record in which nothing could be judged is not 0 of something.
      if (record.max_points > 0) mark.points = record.points;
      mark.comment = grade::total_text(record);
    }
    // In a group everybody has a number of their own.
    for (const ImportedSubmission& one : handed.all)
      if (mark.participant.empty() && one.people == std::vector<std::string>{person.id})
        mark.participant = one.participant;
    marks.push_back(std::move(mark));
  }
  return marks;
}

double max_points(const std::vector<model::GradeRecord>& records) {
  double most = 0;
  for (const model::GradeRecord& record : records) most = std::max(most, record.max_points);
  return most;
}

bool is_in_canvas(const Person& person) {
  return !person.canvas_id.empty() || !person.sis_user_id.empty() || !person.sis_login.empty();
}

// Source: instructure/canvas-lms lib/gradebook_exporter.rb (header, the row Points Possible) and
// gradebook_importer.rb, which finds people by ID, then SIS User ID, then SIS Login ID, then name, takes ';'
// for a separator, and lets a byte-order mark stand.
std::string canvas_gradebook(const Roster& roster, const std::vector<Mark>& marks,
                             const std::string& assignment, double most, const CsvDialect& form) {
  std::vector<std::vector<std::string>> rows = {
      {"Student", "ID", "SIS User ID", "SIS Login ID", "Section", assignment},
      {"    Points Possible", "", "", "", "", grade::points_text(most)}};
  for (const Person& person : roster)
    if (is_in_canvas(person))
      rows.push_back({person.name, person.canvas_id, person.sis_user_id, person.sis_login, person.section,
                      cell(mark_of(marks, person.id))});
  return table_text(rows, form);
}

std::string participant_number(const std::string& identifier) {
  const auto end = identifier.find_last_not_of("0123456789");
  return end == std::string::npos ? identifier : identifier.substr(end + 1);
}

std::vector<Mark> numbered(const Table& worksheet, const Roster& roster, std::vector<Mark> marks) {
  const Lookup people(roster);
  for (const Row& row : worksheet.rows) {
    const std::string number = participant_number(worksheet.field(row, "Identifier"));
    if (std::any_of(marks.begin(), marks.end(), [&](const Mark& m) { return m.participant == number; }))
      continue;
    std::string id = people.by(&Person::moodle_id, worksheet.field(row, "ID number"));
    for (const char* column : {"Email address", "Username", "ID number"})
      if (id.empty()) id = people.by_any(worksheet.field(row, column));
    if (id.empty()) id = people.by_name(without_guard(worksheet.field(row, "Full name")));
    for (Mark& mark : marks)
      if (mark.id == id && mark.participant.empty()) mark.participant = number;
  }
  return marks;
}

// Source: moodle/moodle mod/assign/feedback/offline/importgradeslib.php: it wants Identifier, Grade and
// Last modified (grade), and takes Feedback comments.
std::string filled_worksheet(const Table& worksheet, const Roster& roster, const std::vector<Mark>& given,
                             const CsvDialect& form) {
  for (const char* needed : {"Identifier", "Grade", "Last modified (grade)"})
    if (worksheet.column(needed) < 0)
      throw Error(
          fmt::format("{}:1: there is no column {}: set your language in Moodle to English and download the "
                      "grading worksheet again",
                      worksheet.name, needed));
  const std::vector<Mark> marks = numbered(worksheet, roster, given);
  const auto at = [&](const char* column) { return static_cast<std::size_t>(worksheet.column(column)); };
  std::vector<std::vector<std::string>> rows = {worksheet.header};
  for (const Row& row : worksheet.rows) {
    rows.push_back(row.fields);
    const std::string number = participant_number(worksheet.field(row, "Identifier"));
    const auto mark = std::find_if(marks.begin(), marks.end(),
                                   [&](const Mark& m) { return !number.empty() && m.participant == number; });
    if (mark == marks.end() || !mark->points) continue;
    rows.back()[at("Grade")] = cell(&*mark);
    if (worksheet.column("Feedback comments") >= 0)
      rows.back()[at("Feedback comments")] = html(mark->comment);
  }
  return table_text(rows, form);
}

std::string without_number(const std::vector<Mark>& marks, const std::string& worksheet) {
  std::vector<std::string> ids;
  for (const Mark& mark : marks)
    if (mark.participant.empty()) ids.push_back(mark.id);
  if (ids.empty()) return "";
  const std::string who = some_of(ids, 10);
  return worksheet.empty()
             ? fmt::format(
                   "{} of the roster have no number of Moodle's, no row and no page: {}; --worksheet FILE "
                   "has those who are in Moodle",
                   people_text(ids.size()), who)
             : fmt::format("{} of the roster are not in {}, and have no row and no page there: {}",
                           people_text(ids.size()), worksheet, who);
}

std::string moodle_worksheet(const Roster& roster, const std::vector<Mark>& marks, double most,
                             const CsvDialect& form) {
  std::vector<std::vector<std::string>> rows = {{"Identifier", "Full name", "Email address", "Grade",
                                                 "Maximum grade", "Last modified (grade)",
                                                 "Feedback comments"}};
  for (const Person& person : roster)
    if (const Mark* mark = mark_of(marks, person.id); mark != nullptr && !mark->participant.empty())
      rows.push_back({"Participant " + mark->participant, person.name, person.email, cell(mark),
                      grade::points_text(most), "-", html(mark->comment)});
  return table_text(rows, form);
}

}  // namespace ladder::course
