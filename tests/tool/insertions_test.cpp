/// @file
/// Where a new rung goes in a contract and on a page.

#include "common/tool/insertions.hpp"

#include "common/tool/names.hpp"
#include "tests/common/catch.hpp"

using namespace ladder;

namespace {

const std::string contract =
    "/// Not a table: {.file = \"c9_\n"
    "constexpr ladder::Step steps[] = {\n"
    "    {.file = \"c1_a.cpp\",\n     .idea = \"x\"},\n"
    "    {.file = \"g1_b.cu\",\n     .idea = \"y\"},\n"
    "    {.file = \"g10_c.cu\",\n     .idea = \"z\"},\n"
    "};\n"
    "constexpr int other[] = {\n};\n";

const std::string page =
    "# Title\n\n## The baseline\n\ntext\n\n## c1 · A\n\n## g1 · B\n\n## g10 · C\n\n## Beyond\n";

/// What stands in front of the inserted text.
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
  CHECK(ends(before(with_row(contract, "ROW\n", "c3"), "ROW"), ".idea = \"x\"},\n"));
  CHECK(ends(before(with_row(contract, "ROW\n", "m1"), "ROW"), ".idea = \"x\"},\n"));
  CHECK(ends(before(with_row(contract, "ROW\n", "g2"), "ROW"), ".idea = \"y\"},\n"));
  CHECK(ends(before(with_row(contract, "ROW\n", "g11"), "ROW"), ".idea = \"z\"},\n"));
  CHECK(with_row("steps[] = {\n};\n", "ROW\n", "c1") == "steps[] = {\nROW\n};\n");
  CHECK_THROWS_AS(with_row("no table", "ROW\n", "c1"), UsageError);
}

TEST_CASE("a section goes in the order of the rungs, and in front of what follows them") {
  CHECK(ends(before(with_section(page, "SECTION\n", "c2"), "SECTION"), "## c1 · A\n\n"));
  CHECK(ends(before(with_section(page, "SECTION\n", "g2"), "SECTION"), "## g1 · B\n\n"));
  CHECK(ends(before(with_section(page, "SECTION\n", "g11"), "SECTION"), "## g10 · C\n\n"));
  CHECK(ends(before(with_section("# T\n\n## Beyond\n", "SECTION\n", "c1"), "SECTION"), "# T\n\n"));
  CHECK(with_section("# T\n", "SECTION\n", "c1") == "# T\nSECTION\n");
}

TEST_CASE("a template's placeholders are filled; one that is unknown is named") {
  CHECK(filled("void @idea@() {}  // @id@ a@b", {{"idea", "tiles"}, {"id", "g2"}}) ==
        "void tiles() {}  // g2 a@b");
  CHECK_THROWS_AS(filled("@what@", {}), UsageError);
}
