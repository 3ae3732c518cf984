/// @file
/// What was handed in, from downloads that look like the platforms': whose, when, and what nobody knows.
// Guards: docs/grading.md#platforms-in-and-out

#include "common/course/platforms/submission_import.hpp"

#include <sys/stat.h>

#include <algorithm>

#include "common/base/error.hpp"
#include "common/course/platforms/platforms.hpp"
#include "tests/common/catch.hpp"
#include "tests/common/grade/packed.hpp"

using namespace ladder::course;
using namespace ladder::grade::test;
using ladder::test::contains;

namespace {

Roster class_of() {
  return parse_roster(
      "id,name,email,group,gradescope_email,gradescope_sid,canvas_id,moodle_id,github\n"
      "anna,\"Schmidt, Anna\",anna@x.edu,,,1001,340934,m1,anna-s\n"
      "bo,Bo Li,bo@x.edu,,bo@private.org,1002,340935,m2,boli\n"
      "cem,\"=O'Brien, Søren\",cem@x.edu,g7,,1003,340936,,s\n"
      "dan,Dan Roe,dan@x.edu,g7,,,,,dan-roe\n"
      "eva,Eva Ngo,eva@x.edu,,,,,,\n",
      "roster.csv");
}

const ImportedSubmission& of(const SubmissionImport& all, const std::string& key) {
  for (const ImportedSubmission& one : all.all)
    if (one.key == key) return one;
  FAIL("no submission " << key);
  throw ladder::Error("never");
}

using Ids = std::vector<std::string>;

std::string time_text(const ImportedSubmission& one) {
  return one.received ? utc_text(*one.received) : "";
}

/// Why a folder is refused.
std::string wrong_in(const fs::path& folder) {
  try {
    import_submissions(folder, class_of());
  } catch (const ladder::Error& e) {
    return e.what();
  }
  return "";
}

std::string all_of(const std::vector<std::string>& lines) {
  std::string all;
  for (const std::string& line : lines) all += line + "\n";
  return all;
}

const std::string metadata =
    "---\n"
    "submission_101:\n"
    "  :submitters:\n"
    "  - :name: Anna Schmidt\n"
    "    :sid: '1001'\n"
    "    :email: someone-else@x.edu\n"
    "  :created_at: 2027-02-14 23:59:00.123456000 Z\n"
    "  :score: 8.0\n"
    "  :status: processed\n"
    "  :results:\n"
    "    tests: []\n"
    "  :history:\n"
    "  - :id: 99\n"
    "    :created_at: 2027-02-13 10:00:00.000000000 Z\n"
    "    :score: 2.0\n"
    "submission_102:\n"
    "  :submitters:\n"
    "  - :name: Bo Li\n"
    "    :sid:\n"
    "    :email: BO@private.org\n"
    "  - :name: Eva Ngo\n"
    "    :email: eva@x.edu\n"
    "  :created_at: 2027-02-14 18:00:00.000000000 -06:00\n"
    "  :history: []\n"
    "submission_103:\n"
    "  :submitters:\n"
    "  - :name: \"=cmd|' /C calc'!A0\"\n"
    "    :email: who@nowhere.org\n"
    "  :created_at: 2027-02-14 12:00:00\n";

/// Every second one of a class has a submission of its own there.
fs::path gradescope_export(const Scratch& scratch) {
  const fs::path folder = scratch / "unzipped/assignment_5_export";
  write(folder / "submission_metadata.yml", metadata);
  for (const char* key : {"submission_101", "submission_102", "submission_103"})
    write(folder / key / "g1_naive.cu", "int a;\n");
  return folder;
}

}  // namespace

TEST_CASE(
    "Gradescope's export: people by e-mail and number, times of the platform, groups, earlier attempts") {
  const Scratch scratch;
  const fs::path folder = gradescope_export(scratch);
  for (const fs::path& given : {folder, folder.parent_path()}) {
    const SubmissionImport handed = import_submissions(given, class_of());
    REQUIRE(handed.all.size() == 3);
    const ImportedSubmission one = of(handed, "submission_101"), two = of(handed, "submission_102");
    CHECK(one.people == Ids{"anna"});
    CHECK(time_text(one) == "2027-02-14T23:59:00Z");
    CHECK(one.attempt == 2);
    CHECK(contains(all_of(one.notes), "1 earlier, of which Gradescope exports no files"));
    CHECK(one.path == folder / "submission_101");
    CHECK(two.people == Ids{"bo", "eva"});
    CHECK(time_text(two) == "2027-02-15T00:00:00Z");
    CHECK(time_text(of(handed, "submission_103")) == "2027-02-14T12:00:00Z");
    CHECK(handed.unmatched() == Ids{"submission_103: =cmd|' /C calc'!A0 <who@nowhere.org>"});
    CHECK(handed.unmatched("gradescope") == handed.unmatched());
    CHECK(handed.unmatched("canvas").empty());
    CHECK(handed.missing == Ids{"cem", "dan"});
  }
}

TEST_CASE("metadata that Gradescope would not write are named with their line") {
  const Scratch scratch;
  const auto said = [&](const std::string& yaml) {
    write(scratch / "e/submission_metadata.yml", yaml);
    const std::string wrong = wrong_in(scratch / "e");
    return wrong.empty() ? all_of(import_submissions(scratch / "e", class_of()).remarks) : wrong;
  };
  CHECK(contains(said("submission_1:\n  :submitters: [\n"), "submission_metadata.yml:3:"));
  CHECK(contains(said("just text\n"), "it has no submissions by name"));
  CHECK(contains(said("submission_1:\n  :created_at: 2027-02-14\n"), "submission_1 has no :submitters"));
  CHECK(contains(said("a/../../etc:\n  :submitters:\n  - :name: x\n"), "a_.._.._etc"));
  CHECK(import_submissions(scratch / "e", class_of()).all.empty());
}

TEST_CASE("Canvas's files: one submission of all files of a person, the newest of each, no time") {
  const Scratch scratch;
  const fs::path folder = scratch / "canvas";
  write(folder / "schmidtanna_340934_9001_g1_naive.cu", "old\n");
  write(folder / "schmidtanna_340934_9005_g1_naive-1.cu", "new\n");
  write(folder / "schmidtanna_340934_9006_notes.md", "why\n");
  write(folder / "liboris_LATE_340935_9007_hw-2.zip", "zip\n");
  write(folder / "ngoeva_777_9008_g1_naive.cu", "by name\n");
  write(folder / "strangerbob_888_9009_g1_naive.cu", "x\n");
  write(folder / "readme.txt", "x\n");
  write(folder / ".DS_Store", "x\n");
  const SubmissionImport handed = import_submissions(folder, class_of());
  REQUIRE(handed.all.size() == 4);
  const ImportedSubmission anna = of(handed, "canvas_340934"), bo = of(handed, "canvas_340935");
  CHECK(anna.people == Ids{"anna"});
  REQUIRE(anna.files.size() == 2);
  CHECK(read(anna.files[0]) == "new\n");
  CHECK_FALSE(anna.received);
  CHECK(gather_files(anna, scratch / "laid/anna") == scratch / "laid/anna");
  CHECK(files_below(scratch / "laid/anna") == Ids{"g1_naive.cu", "notes.md"});
  CHECK(bo.late);
  CHECK(gather_files(bo, scratch / "laid/bo") == scratch / "laid/bo/hw.zip");
  CHECK(read(scratch / "laid/bo/hw.zip") == "zip\n");
  CHECK(contains(all_of(bo.notes), "its time is not known; the platform says it is late"));
  CHECK(of(handed, "canvas_777").people == Ids{"eva"});
  CHECK(handed.unmatched() == Ids{"canvas_888: strangerbob, Canvas id 888"});
  CHECK(handed.missing == Ids{"cem", "dan"});
  CHECK(contains(all_of(handed.remarks), "readme.txt has no name as Canvas gives them"));
}

TEST_CASE("Canvas's anonymous files are said, and a table gives times") {
  const Scratch scratch;
  const fs::path folder = scratch / "canvas";
  write(folder / "schmidtanna_340934_9001_g1_naive.cu", "x\n");
  write(folder / "anon_aB3xY_9002_g1_naive.cu", "x\n");
  write(folder / "received.csv",
        "submission;received\nanna;2027-02-14 23:59:00 -06:00\nghost;2027-02-14T10:00:00Z\n");
  const SubmissionImport handed = import_submissions(folder, class_of());
  REQUIRE(handed.all.size() == 1);
  CHECK(time_text(handed.all[0]) == "2027-02-15T05:59:00Z");
  CHECK(contains(all_of(handed.remarks), "1 files have no names (anon_…): switch off anonymous grading"));
  CHECK(contains(all_of(handed.remarks), "received.csv: nothing was handed in as ghost"));
  write(folder / "received.csv", "submission,received\nanna,14.2.2027\n");
  CHECK(contains(wrong_in(folder), "received.csv:2: \"14.2.2027\" is no time"));
}

TEST_CASE("Moodle's folders: people and times by the worksheet, else by name") {
  const Scratch scratch;
  const fs::path folder = scratch / "moodle";
  write(folder / "Anna Schmidt_501_assignsubmission_file_/g1_naive.cu", "x\n");
  write(folder / "B. Li_502_assignsubmission_file/hw.zip", "zip\n");
  write(folder / "Team 7-Dan Roe_503_assignsubmission_file_/g1_naive.cu", "x\n");
  write(folder / "Nobody_504_assignsubmission_file_/g1_naive.cu", "x\n");
  write(folder / "Anna Schmidt_501_assignsubmission_onlinetext_/onlinetext.html", "x\n");
  const SubmissionImport by_name = import_submissions(folder, class_of());
  CHECK(of(by_name, "participant_501").people == Ids{"anna"});
  CHECK(contains(all_of(by_name.remarks), "there is no grading worksheet"));
  write(folder / "Grades-GPU-hw2-77.csv",
        "\xef\xbb\xbfIdentifier,\"Full name\",\"ID number\",\"Email address\",Status,Grade,\"Last modified "
        "(submission)\","
        "\"Last modified (grade)\"\n"
        "Participant 501,Anna Schmidt,m1,anna@x.edu,\"Submitted for grading - 3 mins 31 secs late - "
        "\",,\"Sunday, 14 "
        "February 2027, 11:59 PM\",-\n"
        "Participant 502,B. Li,m2,,Submitted for grading - ,,\"Sonntag, 14. Februar 2027, 23:59\",-\n"
        "Participant 509,Eva Ngo,,eva@x.edu,No submission - ,,-,-\n");
  const auto east = [](ClockTime shown) { return Time(shown - std::chrono::hours(1)); };
  const SubmissionImport handed = import_submissions(folder, class_of(), {.received = {}, .zone = east});
  const ImportedSubmission anna = of(handed, "participant_501"), bo = of(handed, "participant_502");
  CHECK(anna.people == Ids{"anna"});
  CHECK(anna.participant == "501");
  CHECK(time_text(anna) == "2027-02-14T22:59:00Z");
  CHECK(anna.late);
  CHECK(bo.people == Ids{"bo"});
  CHECK(bo.path.filename() == "hw.zip");
  CHECK_FALSE(bo.received);
  CHECK(contains(all_of(bo.notes), "cannot be read: download it in English"));
  CHECK(of(handed, "participant_503").people == Ids{"cem", "dan"});
  CHECK(handed.unmatched() == Ids{"participant_504: Nobody, participant 504"});
  CHECK(handed.missing == Ids{"eva"});
  CHECK(contains(all_of(handed.remarks), "text typed into Moodle"));
}

TEST_CASE(
    "clones: logins at the end of a name, the server's time of the commit that is there, never its own") {
  const Scratch scratch;
  const std::string first(40, 'a'), second(40, 'b');
  write(scratch / "c/hw2-anna-s/.git/HEAD", "ref: refs/heads/main\n");
  write(scratch / "c/hw2-anna-s/.git/refs/heads/main", first + "\n");
  write(scratch / "c/hw2-boli/.git/HEAD", "ref: refs/heads/main\n");
  write(scratch / "c/hw2-boli/.git/packed-refs",
        "# pack-refs with: peeled\n" + second + " refs/heads/main\n");
  write(scratch / "c/hw2-dan-roe/.git/HEAD", second + "\n");
  write(scratch / "c/hw2-eve/.git/HEAD", second + "\n");
  write(scratch / "times.csv",
        "submission,received,commit\n"
        "hw2-anna-s,2027-02-14T10:00:00Z," +
            first +
            "\n"
            "hw2-anna-s,2027-02-16T10:00:00Z," +
            second +
            "\n"
            "HW2-BOLI,2027-02-15T10:00:00Z," +
            second.substr(0, 12) +
            "\n"
            "hw2-dan-roe,2027-02-15T10:00:00Z," +
            first + "\n");
  CHECK(commit_of_clone(scratch / "c/hw2-boli") == second);
  const SubmissionImport handed =
      import_submissions(scratch / "c", class_of(), {.received = scratch / "times.csv"});
  CHECK(of(handed, "hw2-anna-s").people == Ids{"anna"});  // and not "s", which ends it too
  CHECK(time_text(of(handed, "hw2-anna-s")) == "2027-02-14T10:00:00Z");
  CHECK(of(handed, "hw2-boli").platform == "clones");
  CHECK(time_text(of(handed, "hw2-boli")) == "2027-02-15T10:00:00Z");
  // The server knows nothing of the commit that is checked out.
  CHECK(of(handed, "hw2-dan-roe").people == Ids{"cem", "dan"});
  CHECK_FALSE(of(handed, "hw2-dan-roe").received);
  CHECK(handed.unmatched() == Ids{"hw2-eve: hw2-eve"});
}

TEST_CASE("packages by id; the last of several is active; a folder of several platforms") {
  const Scratch scratch;
  write(scratch / "all/bo.zip", "x\n");
  write(scratch / "all/hw2_bo@x.edu/g1_naive.cu", "x\n");
  write(scratch / "all/canvas/schmidtanna_340934_9001_g1_naive.cu", "x\n");
  write(scratch / "all/gs/submission_metadata.yml", metadata);
  write(scratch / "all/hw_2.zip", "x\n");
  write(scratch / "all/eva/ngoeva_1_2_g1_naive.cu", "packed as she got it from Canvas\n");
  write(scratch / "all/hw_bo.zip", "x\n");
  write(scratch / "all/received.csv",
        "submission,received,id\nbo.zip,2027-02-16T10:00:00Z,\nhw2_bo@x.edu,2027-02-13T10:00:00Z,\n"
        "hw_2.zip,2027-02-13T10:00:00Z,dan\ngs~submission_101,2030-01-01T00:00:00Z,\n"
        "canvas_340934,2027-02-12T10:00:00Z,\n");
  const SubmissionImport handed = import_submissions(scratch / "all", class_of());
  REQUIRE(handed.all.size() == 9);
  CHECK(of(handed, "hw_bo.zip").people.empty());  // two letters are too few
  CHECK(time_text(of(handed, "gs~submission_101")) == "2027-02-14T23:59:00Z");
  CHECK(handed.remarks.empty());
  CHECK(of(handed, "eva").people == Ids{"eva"});
  CHECK(of(handed, "hw2_bo@x.edu").attempt == 1);
  CHECK_FALSE(of(handed, "hw2_bo@x.edu").active);
  CHECK(of(handed, "bo.zip").attempt == 2);
  CHECK(of(handed, "bo.zip").active);
  CHECK(of(handed, "canvas~canvas_340934").people == Ids{"anna"});
  CHECK(time_text(of(handed, "canvas~canvas_340934")) == "2027-02-12T10:00:00Z");
  CHECK(of(handed, "gs~submission_102").people == Ids{"bo", "eva"});
  CHECK(of(handed, "hw_2.zip").people == Ids{"cem", "dan"});
  // Anna has one of each platform: that with a time comes last.
  CHECK(of(handed, "canvas~canvas_340934").attempt == 1);
  CHECK(of(handed, "gs~submission_101").attempt == 2);
}

TEST_CASE("whatever somebody of the roster has handed in is a submission, packed or not") {
  Scratch scratch;
  for (const char* name : {"anna.7z", "bo.rar", "cem-hw2.tar.bz2", "dan.docx", "eva_g1_naive.cu",
                           "received.csv", "notes.txt", "anna_times.csv"})
    write(scratch / (std::string("d/") + name), "submission,received\n");
  const SubmissionImport all = import_submissions(scratch / "d", class_of());
  std::vector<std::string> keys;
  for (const ImportedSubmission& one : all.all) keys.insert(keys.end(), one.people.begin(), one.people.end());
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  CHECK(keys == Ids{"anna", "bo", "cem", "dan", "eva"});
  CHECK(all.missing.empty());
  CHECK(contains(all_of(all.remarks), "notes.txt is neither a folder nor an archive"));
  CHECK(fs::exists(gather_files(of(all, "eva_g1_naive.cu"), scratch / "laid") / "eva_g1_naive.cu"));
  CHECK(gather_files(of(all, "anna.7z"), scratch / "laid2") == scratch / "d/anna.7z");
}

TEST_CASE(
    "a file that is gone when it is laid out is an error of the machine, and no submission without it") {
  Scratch scratch;
  write(scratch / "d/schmidtanna_340934_1_g1_naive.cu", "x");
  write(scratch / "d/schmidtanna_340934_2_g2_shared_tiles (1).cu", "x");
  const SubmissionImport all = import_submissions(scratch / "d", class_of());
  REQUIRE(all.all.size() == 1);
  CHECK(fs::exists(gather_files(all.all[0], scratch / "a") /
                   "g2_shared_tiles (1).cu"));  // intake notes the name
  fs::remove(scratch / "d/schmidtanna_340934_1_g1_naive.cu");
  CHECK_THROWS_AS(gather_files(all.all[0], scratch / "b"), ladder::Error);
}

TEST_CASE("the list is kept and read back, and only its owner reads it") {
  const Scratch scratch;
  const SubmissionImport handed = import_submissions(gradescope_export(scratch), class_of());
  write_import(scratch / "handed.json", handed);
  struct stat facts {};
  REQUIRE(stat((scratch / "handed.json").c_str(), &facts) == 0);
  CHECK((facts.st_mode & 0777) == 0600);
  const SubmissionImport back = read_import(scratch / "handed.json");
  REQUIRE(back.all.size() == handed.all.size());
  for (std::size_t i = 0; i < back.all.size(); ++i) {
    CHECK(back.all[i].key == handed.all[i].key);
    CHECK(back.all[i].people == handed.all[i].people);
    CHECK(back.all[i].received == handed.all[i].received);
    CHECK(back.all[i].attempt == handed.all[i].attempt);
  }
  CHECK(back.missing == handed.missing);
  write(scratch / "handed.json", "{}");
  CHECK_THROWS_AS(read_import(scratch / "handed.json"), ladder::Error);
}
