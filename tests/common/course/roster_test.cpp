/// @file
/// Tables and rosters as spreadsheets write them, with the line of each mistake; times as platforms write
/// them.
// Guards: docs/course.md#the-file

#include "common/course/platforms/roster.hpp"

#include "common/base/error.hpp"
#include "common/course/platforms/table.hpp"
#include "common/course/times.hpp"
#include "tests/common/catch.hpp"

using namespace ladder::course;
using ladder::test::contains;

namespace {

const std::string bom = "\xef\xbb\xbf";

/// What reading it says.
std::string said(const std::string& bytes) {
  try {
    parse_roster(bytes, "roster.csv");
  } catch (const ladder::Error& e) {
    return e.what();
  }
  return "";
}

/// A zone one hour east of Greenwich.
Time east(ClockTime shown) {
  return shown - std::chrono::hours(1);
}

std::string utc(const std::string& text) {
  const auto time = time_of(text, east);
  return time ? utc_text(*time) : "no time";
}

}  // namespace

TEST_CASE("a roster is read with or without a byte-order mark, with comma or semicolon") {
  const std::string commas = "id,name,email\na1,\"O'Brien, Søren\",SOREN@x.edu\nb2,\"Li \"\"Lu\"\" Wei\",\n";
  const std::string semicolons =
      "ID;Name;Email\r\na1;O'Brien, Søren;SOREN@x.edu\r\nb2;\"Li \"\"Lu\"\" Wei\";\r\n\r\n";
  for (const std::string& text : {commas, bom + commas, semicolons, bom + semicolons}) {
    const Roster roster = parse_roster(text, "roster.csv");
    REQUIRE(roster.size() == 2);
    CHECK(roster[0].name == "O'Brien, Søren");
    CHECK(roster[0].email == "SOREN@x.edu");
    CHECK(roster[1].name == "Li \"Lu\" Wei");
    CHECK(roster[1].email.empty());
  }
  const Roster latin = parse_roster("id,name\na1,S\xf8ren\n", "roster.csv");
  CHECK(latin[0].name == "Søren");
}

TEST_CASE("what is wrong with a roster is said with its line") {
  CHECK(contains(said("id,emial\na,b\n"),
                 "roster.csv:1: nobody knows the column emial; known are id, name, email"));
  CHECK(contains(said("id,emial\na,b\n"), "roster.csv:1: there is no column name"));
  CHECK(said("id,name,#notes\na,b,c\n").empty());
  CHECK(contains(said("id,name,email\na,A,x@y\nb,B,\nc,C,X@Y\n"),
                 "roster.csv:4: email X@Y is in line 2 already"));
  CHECK(contains(said("id,name\na,A\n,B\nA,C\n"), "roster.csv:3: no id"));
  CHECK(contains(said("id,name\na,A\n,B\nA,C\n"), "roster.csv:4: id A is in line 2 already"));
  CHECK(contains(said("id,name\na,\n"), "roster.csv:2: no name"));
  CHECK(contains(said("id,name\n../x,A\n"), "roster.csv:2: the id ../x begins with a dot"));
  CHECK(contains(said("id,name\na,A,1\n"), "roster.csv:2: 3 fields, and the header has 2"));
  CHECK(contains(said("id,name\na,\"A\nB\"\nc,\"D\n"), "roster.csv:4: a quote is opened and never closed"));
  CHECK(contains(said("id,name\na,\"A\"x\n"), "roster.csv:2: after a closing quote comes 'x'"));
  CHECK(contains(said("id,name,id\na,A,b\n"), "roster.csv:1: the column id is there twice"));
  CHECK(contains(said("id,name\n"), "roster.csv: nobody is in it"));
  CHECK(contains(said(""), "roster.csv is empty"));
  CHECK(contains(said(std::string("i\0d\0", 4)), "roster.csv"));
}

TEST_CASE("a line with a line break in quotes does not shift the lines after it") {
  const Table table = read_table("id,name\na,\"A\nB\"\nc,D\n", "t.csv");
  REQUIRE(table.rows.size() == 2);
  CHECK(table.rows[0].fields[1] == "A\nB");
  CHECK(table.rows[1].line == 4);
  CHECK(read_table("a,b\n1,\n", "t.csv").rows[0].fields == std::vector<std::string>{"1", ""});
  CHECK(read_table("a,b\n1,", "t.csv").rows[0].fields == std::vector<std::string>{"1", ""});
}

TEST_CASE("no field becomes a formula, and a name comes back as it was") {
  const std::vector<std::string> names = {"=O'Brien, Søren", "@home",    "-Lee", "+Ann; Bo",
                                          "O'Brien",         "'quoted'", "a\"b", "=cmd|' /C x'!A0",
                                          "line\nbreak"};
  for (const char separator : {',', ';'}) {
    std::vector<std::vector<std::string>> rows = {{"id", "name"}};
    for (const std::string& name : names) rows.push_back({std::to_string(rows.size()), name});
    const std::string text = table_text(rows, {.separator = separator, .bom = true});
    CHECK(text.starts_with(bom));
    const Table table = read_table(text, "t.csv");
    CHECK(table.separator == separator);
    for (const ladder::course::Row& row : table.rows) CHECK(row.fields[1].find_first_of("=+-@") != 0);
    const Roster roster = parse_roster(text, "t.csv");
    REQUIRE(roster.size() == names.size());
    for (std::size_t i = 0; i < names.size(); ++i) CHECK(roster[i].name == names[i]);
  }
  const std::string numbers = table_text({{"a", "b"}, {"-", "-3.5"}}, {.separator = ',', .bom = false});
  CHECK(numbers == "a,b\r\n-,-3.5\r\n");
}

TEST_CASE("names are compared without case, blanks and punctuation") {
  CHECK(folded("=O'Brien, Søren") == folded("OBRIEN SØREN"));
  CHECK(folded("Ünal, Çem") == "ünalçem");
  CHECK(folded("Ş×÷") == "Ş×÷");
}

TEST_CASE("groups of the roster hand in together") {
  const Roster roster = parse_roster("id,name,group\na,A,g1\nb,B,\nc,C,g1\nd,D,\n", "roster.csv");
  CHECK(with_groups(roster, {"c"}) == std::vector<std::string>{"a", "c"});
  CHECK(with_groups(roster, {"b"}) == std::vector<std::string>{"b"});
  CHECK(with_groups(roster, {}).empty());
}

TEST_CASE("times are read as platforms write them") {
  CHECK(utc("2027-02-14T23:59:00Z") == "2027-02-14T23:59:00Z");
  CHECK(utc("2027-02-14 23:59:59.999999000 Z") == "2027-02-14T23:59:59Z");
  CHECK(utc("2027-02-14 23:59:00 -06:00") == "2027-02-15T05:59:00Z");
  CHECK(utc("2027-02-14T23:59:00.123456+0530") == "2027-02-14T18:29:00Z");
  CHECK(utc("2027-02-14 23:59:00 UTC") == "2027-02-14T23:59:00Z");
  CHECK(utc("2027-02-14 23:59") == "2027-02-14T22:59:00Z");
  CHECK(utc("Sunday, 14 February 2027, 11:59 PM") == "2027-02-14T22:59:00Z");
  CHECK(utc("Sunday, February 14, 2027, 12:05 AM") == "2027-02-13T23:05:00Z");
  for (const char* none : {"", "-", "soon", "2027-02-30 10:00", "2027-02-14 25:00", "2027-02-14 10:00 CST",
                           "14.2.2027", "2027-02-14 10:00 +99:00", "2027-02-14 10:00 later"})
    CHECK(utc(none) == "no time");
}
