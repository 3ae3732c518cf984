/// @file
/// Where a new rung goes in a table and on a page.
// Guards: docs/adding-a-lesson.md#a-rung-in-ten-minutes

#include "common/tool/handout/insertions.hpp"

#include "common/base/usage_error.hpp"
#include "tests/common/catch.hpp"

using namespace ladder;

namespace {

const std::string table_of_three =
    "title = \"x\"\n\n[[rungs]]\nfile = \"c1_a.cpp\"\nidea = \"x\"\n\n[[rungs]]\nfile = \"g1_b.cu\"\nidea = "
    "\"y\"\n\n"
    "[[rungs]]\nfile = \"g10_c.cu\"\nidea = \"z\"\n";

const std::string flat_page =
    "# Title\n\n## The baseline\n\ntext\n\n## c1 · A\n\n## g1 · B\n\n## g10 · C\n\n## Beyond\n";

const std::string page =
    "# Title\n\n## The baseline\n\ntext\n\n## On the CPU\n\n### c1 · A\n\n## On a GPU\n\nOne word.\n\n"
    "### g2 · B\n\n```\n## g3 is no heading here\n```\n#### More\n\n### g10 · C\n\n"
    "## What the source found\n\n## Beyond\n";

/// What is in front of the inserted text.
std::string before(const std::string& text, const std::string& inserted) {
  const auto at = text.find(inserted);
  REQUIRE(at != std::string::npos);
  return text.substr(0, at);
}

bool ends(const std::string& text, const std::string& with) {
  return text.ends_with(with);
}

}  // namespace

TEST_CASE("a row goes behind those of its track with smaller numbers") {
  CHECK(ends(before(with_row(table_of_three, "ROW\n", "c3"), "ROW"), "idea = \"x\"\n\n"));
  CHECK(ends(before(with_row(table_of_three, "ROW\n", "m1"), "ROW"), "idea = \"x\"\n\n"));
  CHECK(ends(before(with_row(table_of_three, "ROW\n", "g2"), "ROW"), "idea = \"y\"\n\n"));
  CHECK(ends(before(with_row(table_of_three, "ROW\n", "g11"), "ROW"), "idea = \"z\"\n\n"));
  CHECK(with_row(table_of_three, "ROW\n", "g2").find("ROW\n\n[[rungs]]") != std::string::npos);
  CHECK(with_row("title = \"x\"\n", "ROW\n", "c1") == "title = \"x\"\n\nROW\n");
}

TEST_CASE("a section goes in the order of the rungs, and in front of what follows them") {
  const std::string section = "### SECTION\n";
  CHECK(ends(before(with_section(flat_page, section, "c2"), "SECTION"), "## c1 · A\n\n## "));
  CHECK(ends(before(with_section(flat_page, section, "m1"), "SECTION"), "## c1 · A\n\n## "));
  CHECK(ends(before(with_section(flat_page, section, "g2"), "SECTION"), "## g1 · B\n\n## "));
  CHECK(ends(before(with_section(flat_page, section, "g11"), "SECTION"), "## g10 · C\n\n## "));

  CHECK(ends(before(with_section(page, section, "c2"), "SECTION"), "### c1 · A\n\n### "));
  CHECK(ends(before(with_section(page, section, "g1"), "SECTION"), "## On a GPU\n\nOne word.\n\n### "));
  CHECK(ends(before(with_section(page, section, "g3"), "SECTION"), "#### More\n\n### "));
  CHECK(ends(before(with_section(page, section, "g11"), "SECTION"), "### g10 · C\n\n### "));
  CHECK(with_section(page, section, "g11").ends_with("### SECTION\n## What the source found\n\n## Beyond\n"));
}

TEST_CASE("the first section of a track gets the track's heading, in the order of the tracks") {
  const std::string section = "### SECTION\n";
  const std::string with_ranks = with_section(page, section, "m1");
  CHECK(ends(before(with_ranks, "SECTION"), "### c1 · A\n\n## Several processes\n\n### "));
  CHECK(with_ranks.find("SECTION\n## On a GPU\n") != with_ranks.npos);
  CHECK(with_section("# T\n\n## Beyond\n", section, "c1") ==
        "# T\n\n## On the CPU\n\n### SECTION\n## Beyond\n");
  CHECK(with_section("# T\n", section, "g1") == "# T\n## On a GPU\n\n### SECTION\n");
  CHECK(with_section("# T\n\n## On the CPU\n\n### c1 · A\n\n## Beyond\n", section, "g1") ==
        "# T\n\n## On the CPU\n\n### c1 · A\n\n## On a GPU\n\n### SECTION\n## Beyond\n");
  CHECK(with_section("## On a GPU\n\n## Beyond\n", section, "g1") ==
        "## On a GPU\n\n### SECTION\n## Beyond\n");
}

TEST_CASE("a template's placeholders are filled; one that is unknown is named") {
  CHECK(filled("void @idea@() {}  // @id@ a@b", {{"idea", "tiles"}, {"id", "g2"}}) ==
        "void tiles() {}  // g2 a@b");
  CHECK_THROWS_AS(filled("@what@", {}), UsageError);
}
