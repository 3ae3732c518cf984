/// @file
/// Points as Canvas and Moodle read them, there and back, with names that a spreadsheet could run.
// Guards: docs/grading.md#platforms-in-and-out

#include "common/course/platforms/gradebook.hpp"

#include <archive.h>
#include <archive_entry.h>

#include "common/base/error.hpp"
#include "common/model/grade_json.hpp"
#include "tests/common/catch.hpp"
#include "tests/common/grade/packed.hpp"

using namespace ladder::course;
using namespace ladder::grade::test;
using ladder::test::contains;
using nlohmann::json;

namespace {

Roster students() {
  return parse_roster(
      "id,name,email,section,canvas_id,sis_user_id,sis_login,moodle_id\n"
      "anna,\"=O'Brien, Søren\",anna@x.edu,L1; B,340934,S1,anna1,m1\n"
      "bo,Bo Li,bo@x.edu,L1,340935,S2,boli,m2\n"
      "cem,\"Ünal, \"\"Jim\"\" Cem\",cem@x.edu,L2,340936,S3,cem,\n",
      "roster.csv");
}

ladder::model::GradeRecord record_of(const std::string& key, double points, double most) {
  return ladder::model::grade_record_from_json(
      {{"pseudonym", "S-" + key},
       {"submission", {{"name", key}}},
       {"steps", json::array()},
       {"open", json::array({{{"what", "private part"}, {"points", 8}, {"opens", "after <x>"}}})},
       {"points", points},
       {"max_points", most}},
      "a record");
}

ImportedSubmission handed(const std::string& key, const std::vector<std::string>& people, int hour,
                          int attempt = 1) {
  return {.key = key,
          .platform = "moodle",
          .people = people,
          .received = Time(std::chrono::hours(hour)),
          .attempt = attempt,
          .participant = key};
}

/// Two of anna's, one of a group, nothing of cem alone.
SubmissionImport handed_in_all() {
  SubmissionImport all;
  all.all = {handed("501", {"anna"}, 1), handed("502", {"anna"}, 9, 2), handed("503", {"bo", "cem"}, 3),
             handed("504", {"anna"}, 99, 3), handed("505", {}, 5)};
  return all;
}

const Mark& of(const std::vector<Mark>& marks, const std::string& id) {
  for (const Mark& mark : marks)
    if (mark.id == id) return mark;
  throw ladder::Error("no mark of " + id);
}

}  // namespace

TEST_CASE("the last submission with a record counts, for everybody of a group; none is not 0") {
  const std::vector<ladder::model::GradeRecord> records = {record_of("501", 1, 8), record_of("502", 3.755, 8),
                                                           record_of("503", 0, 0)};
  const auto marks = marks_of_last(students(), handed_in_all(), records);
  REQUIRE(marks.size() == 3);
  CHECK(of(marks, "anna").points == 3.755);  // 504 was not judged
  CHECK(of(marks, "anna").pseudonym == "S-502");
  CHECK(contains(of(marks, "anna").comment, "private part, 8 points, opens after <x>"));
  CHECK_FALSE(of(marks, "bo").points);  // nothing could be judged
  CHECK(of(marks, "cem").pseudonym == "S-503");
  CHECK(of(marks, "cem").participant.empty());  // a group's number belongs to one of them
  CHECK(max_points(records) == 8);
}

TEST_CASE("Canvas's gradebook: its header, its row of points, ids, and no formula") {
  const std::vector<Mark> marks = {
      {"anna", 7.505, "S-A", "", ""}, {"bo", 0.0, "S-B", "", ""}, {"cem", {}, "", "", ""}};
  for (const char separator : {',', ';'}) {
    const std::string text =
        canvas_gradebook(students(), marks, "Homework 2 (12345)", 24, {.separator = separator, .bom = true});
    CHECK(text.starts_with("\xef\xbb\xbfStudent"));
    const Table table = read_table(text, "canvas.csv");
    CHECK(table.separator == separator);
    CHECK(table.header == std::vector<std::string>{"Student", "ID", "SIS User ID", "SIS Login ID", "Section",
                                                   "Homework 2 (12345)"});
    REQUIRE(table.rows.size() == 4);
    CHECK(table.rows[0].fields == std::vector<std::string>{"    Points Possible", "", "", "", "", "24"});
    CHECK(table.rows[1].fields ==
          std::vector<std::string>{"'=O'Brien, Søren", "340934", "S1", "anna1", "L1; B", "7.51"});
    CHECK(without_guard(table.rows[1].fields[0]) == "=O'Brien, Søren");
    CHECK(table.rows[2].fields[5] == "0");
    CHECK(table.rows[3].fields ==
          std::vector<std::string>{"Ünal, \"Jim\" Cem", "340936", "S3", "cem", "L2", ""});
  }
}

TEST_CASE("Canvas gets a row for those whom it knows, by any of its three columns") {
  Roster all = students();
  for (const char* id : {"dan", "eva", "fay"}) all.emplace_back().id = id;
  all[4].sis_login = "eva1";
  all[5].sis_user_id = "S6";
  const Table table =
      read_table(canvas_gradebook(all, {{"dan", 1.0, "", "", ""}}, "HW", 8, {}), "canvas.csv");
  REQUIRE(table.rows.size() == 1 + 5);
  CHECK(table.rows[4].fields[3] == "eva1");
  CHECK(table.rows[5].fields[2] == "S6");
  CHECK_FALSE(is_in_canvas(all[3]));
}

TEST_CASE("who is not in Moodle is said as that, and not as a fault of the worksheet") {
  const std::vector<Mark> marks = {
      {"anna", 7.5, "S-A", "501", "x"}, {"bo", 1.0, "S-B", "", "x"}, {"cem", {}, "", "", ""}};
  CHECK(without_number(marks, "Grades.csv") ==
        "2 people of the roster are not in Grades.csv, and have no row and no page there: bo, cem");
  CHECK(contains(without_number(marks, ""), "2 people of the roster have no number of Moodle's"));
  CHECK(without_number({marks[0]}, "Grades.csv").empty());
}

TEST_CASE("Moodle's worksheet is filled in, and stays as it was otherwise") {
  const Table downloaded = read_table(
      "\xef\xbb\xbfIdentifier,\"Full name\",\"ID number\",\"Email address\",Status,Grade,\"Maximum "
      "grade\",\"Last modified "
      "(grade)\",\"Feedback comments\"\n"
      "Participant 501,\"=O'Brien, Søren\",m1,,Submitted,,24.00,-,\n"
      "Participant 503,Bo Li,,bo@x.edu,Submitted,3.00,24.00,\"Monday, 15 February 2027, 9:00 AM\",old\n"
      "Participant 504,\"Ünal, \"\"Jim\"\" Cem\",,,No submission,,24.00,-,\n"
      "Participant 599,Guest,,,No submission,1.00,24.00,-,kept\n",
      "Grades.csv");
  const std::vector<Mark> marks = {{"anna", 7.5, "S-A", "501", "7.5 of 24 <b> & more"},
                                   {"bo", 0.0, "S-B", "", "0 of 24"},
                                   {"cem", {}, "", "", ""}};
  const std::string text = filled_worksheet(downloaded, students(), marks, {});
  const Table table = read_table(text, "Grades.csv");
  CHECK(table.header == downloaded.header);
  REQUIRE(table.rows.size() == 4);
  CHECK(table.field(table.rows[0], "Grade") == "7.5");
  CHECK(table.field(table.rows[0], "Feedback comments") == "7.5 of 24 &lt;b&gt; &amp; more");
  CHECK(table.field(table.rows[0], "Full name") == "'=O'Brien, Søren");
  CHECK(table.field(table.rows[1], "Grade") == "0");
  CHECK(table.field(table.rows[1], "Last modified (grade)") == "Monday, 15 February 2027, 9:00 AM");
  CHECK(table.field(table.rows[2], "Grade").empty());
  CHECK(table.rows[3].fields == downloaded.rows[3].fields);
  CHECK(of(numbered(downloaded, students(), marks), "cem").participant == "504");  // by the name
  CHECK(of(numbered(downloaded, students(), marks), "anna").participant == "501");
  const Table german = read_table("ID,Bewertung\nTeilnehmer/in 501,\n", "Bewertung.csv");
  try {
    filled_worksheet(german, students(), marks, {});
    FAIL("a worksheet without its columns was filled in");
  } catch (const ladder::Error& e) {
    CHECK(contains(e.what(),
                   "Bewertung.csv:1: there is no column Identifier: set your language in Moodle to English"));
  }
}

TEST_CASE("a worksheet of our own names those whose number is known") {
  const std::vector<Mark> marks = {{"anna", 7.5, "S-A", "501", "x"}, {"bo", 1.0, "S-B", "", "x"}};
  const Table table = read_table(moodle_worksheet(students(), marks, 24, {}), "w.csv");
  REQUIRE(table.rows.size() == 1);
  CHECK(table.rows[0].fields ==
        std::vector<std::string>{"Participant 501", "'=O'Brien, Søren", "anna@x.edu", "7.5", "24", "-", "x"});
  CHECK(participant_number("Teilnehmer/in 77") == "77");
  CHECK(participant_number("77") == "77");
}

TEST_CASE("the feedback zip has each person's page under their number, and no name") {
  const Scratch scratch;
  write(scratch / "a.html", "page of a");
  write(scratch / "b.html", std::string(100000, 'b'));
  write_feedback(scratch / "f.zip", {{"501", scratch / "a.html"}, {"502", scratch / "b.html"}});
  archive* a = archive_read_new();
  archive_read_support_format_zip(a);
  REQUIRE(archive_read_open_filename(a, (scratch / "f.zip").c_str(), 65536) == ARCHIVE_OK);
  std::map<std::string, std::string> pages;
  for (archive_entry* entry = nullptr; archive_read_next_header(a, &entry) == ARCHIVE_OK;) {
    std::string& page = pages[archive_entry_pathname(entry)];
    page.resize(static_cast<std::size_t>(archive_entry_size(entry)));
    CHECK(archive_read_data(a, page.data(), page.size()) == static_cast<la_ssize_t>(page.size()));
  }
  archive_read_free(a);
  REQUIRE(pages.size() == 2);
  CHECK(pages["Participant_501_assignsubmission_file_/feedback.html"] == "page of a");
  CHECK(pages["Participant_502_assignsubmission_file_/feedback.html"].size() == 100000);
  CHECK_THROWS_AS(write_feedback(scratch / "f.zip", {{"501", scratch / "none.html"}}), ladder::Error);
}
