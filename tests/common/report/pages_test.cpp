/// @file
/// Generated parts of pages on a small checkout: filled, stable, checked; stored files that cannot be read
/// are named.
// Guards: docs/measuring.md#a-run

#include "common/sitegen/pages.hpp"

#include "tests/common/catch.hpp"
#include "tests/common/report/checkout.hpp"
#include "tests/common/text.hpp"

using namespace ladder::report;
using nlohmann::json;
namespace fs = std::filesystem;
using namespace ladder::test;

TEST_CASE("a mark is filled, its missing end put there, and the prose stays") {
  Checkout checkout;
  checkout.store_run();
  const std::string text =
      checkout.generated("before\n<!-- generated: measured 03-dgemm c1_openmp -->\n\nafter\n");
  CHECK(has(
      text,
      "before\n<!-- generated: measured 03-dgemm c1_openmp -->\n\n<details><summary>Measured</summary><ul>\n"
      "<li>2 cores, no GPU: PASS"));
  CHECK(has(text, "<b>20 ms</b> (18.0 ms to 22.0 ms, 15 runs) at n = 768"));
  CHECK(has(text, "load imbalance 1.02 (limit 1.1): met"));
  CHECK(has(text, "<li><i>not measured yet on NVIDIA H200</i></li>"));
  CHECK(has(text, "<!-- end -->\n\nafter\n"));
}

TEST_CASE("an end that is missing does not swallow the next mark or what is between") {
  Checkout checkout;
  checkout.store_run();
  const std::string text = checkout.generated(
      "<!-- generated: measured 03-dgemm c1 -->\nbetween\n<!-- generated: measured 03-dgemm g1 "
      "-->\nold\n<!-- end -->\nafter\n");
  CHECK(has(text, "between\n"));
  CHECK(has(text, "after\n"));
  CHECK_FALSE(has(text, "old\n"));
  CHECK(count(text, "<!-- end -->") == 2);
}

TEST_CASE("generating twice changes nothing") {
  Checkout checkout;
  checkout.store_run();
  const std::string once = checkout.generated(
      "<!-- generated: ladder-figure 03-dgemm -->\n<!-- generated: ladder-table 03-dgemm -->\n1. item\n\n   "
      "<!-- generated: measured 03-dgemm "
      "g1-g1-sectors -->\n");
  CHECK(checkout.generated(once) == once);
  CHECK(check_pages(checkout.root, tables).empty());
  CHECK(write_pages(checkout.root, generate_pages(checkout.root, tables)).empty());
  CHECK(has(once, "\n   - 2 cores, no GPU: *comes with the observed mode*\n"));  // indented as its mark
}

TEST_CASE("a number typed by hand is found, with page and line") {
  Checkout checkout;
  checkout.store_run();
  std::string text = checkout.generated("title\n\n<!-- generated: measured 03-dgemm c1 -->\n<!-- end -->\n");
  text.replace(text.find("20 ms"), 5, "10 ms");
  checkout.write(checkout.page, text);
  const auto problems = check_pages(checkout.root, tables);
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].file == checkout.page);
  CHECK(problems[0].line == 6);
  CHECK(has(problems[0].sentence(), checkout.page + ":6: is\n"));
  CHECK(has(problems[0].text, "<b>20 ms</b>"));
}

TEST_CASE("a figure that is old, missing or on no page is found") {
  Checkout checkout;
  const json c1 = result("c1_openmp", "cpu", 768, 0.02), c2 = result("c2_packing", "cpu", 768, 0.01);
  checkout.store("here/run.json", run_of({c1, c2}));
  Tables two_rungs = tables;
  two_rungs["03-dgemm"]["steps"].push_back({{"name", "c2_packing"}, {"file", "c2_packing.cpp"}});
  checkout.write(checkout.page, "<!-- generated: ladder-figure 03-dgemm -->\n");
  write_pages(checkout.root, generate_pages(checkout.root, two_rungs));
  const std::string text = checkout.read(checkout.page),
                    figure = "lessons/03-dgemm/figures/03-ladder-here.svg";
  CHECK(has(text, "](figures/03-ladder-here.svg)"));
  CHECK(has(text, "[2 cores, no GPU](../../docs/results/here/run.json)"));  // the numbers of the picture
  CHECK(has(checkout.read(figure), "<svg"));
  checkout.write(figure, "old");
  REQUIRE(check_pages(checkout.root, two_rungs).size() == 1);
  CHECK(check_pages(checkout.root, two_rungs)[0].file == figure);
  fs::remove(checkout.root / figure);
  CHECK(has(check_pages(checkout.root, two_rungs)[0].text, "missing"));
  write_pages(checkout.root, generate_pages(checkout.root, two_rungs));
  checkout.write("lessons/03-dgemm/figures/03-ladder-gone.svg", "<svg>");
  const auto left = check_pages(checkout.root, two_rungs);
  REQUIRE(left.size() == 1);
  CHECK(left[0].file == "lessons/03-dgemm/figures/03-ladder-gone.svg");
  CHECK(has(left[0].text, "no page has this figure"));
}

TEST_CASE("without any run every part says so") {
  Checkout checkout;
  fs::remove_all(checkout.root / "docs");
  const std::string text = checkout.generated(
      "<!-- generated: table run-executor -->\n<!-- generated: ladder-figure 03-dgemm -->\n<!-- generated: "
      "ladder-table 03-dgemm -->\n"
      "<!-- generated: measured 03-dgemm baseline -->\n<!-- generated: measured 03-dgemm c1-g1-by-size "
      "-->\n<!-- generated: reproduce 03-dgemm -->\n");
  CHECK(count(text, "*not measured yet on any machine") == 6);
}

TEST_CASE("kinds, lessons and rungs that nobody knows, and marks inside lines, are problems of their line") {
  Checkout checkout;
  checkout.write(
      checkout.page,
      "<!-- generated: horoscope -->\n<!-- end -->\n<!-- generated: measured 03-dgemm g9 -->\n<!-- end -->\n"
      "text <!-- generated: table run-executor -->\n<!-- end -->\n<!-- generated: ladder-table 99-none "
      "-->\n");
  const auto problems = check_pages(checkout.root, tables);
  REQUIRE(problems.size() == 5);
  const std::size_t lines[] = {1, 3, 5, 6, 7};
  for (std::size_t i = 0; i < 5; ++i) CHECK(problems[i].line == lines[i]);
}

TEST_CASE("marks in fenced code are text; pages without marks are left alone") {
  Checkout checkout;
  const std::string text =
      "```\n<!-- generated: horoscope -->\n```\n<!-- generated: table run-far -->\n<!-- end -->\n";
  CHECK(has(checkout.generated(text), "```\n<!-- generated: horoscope -->\n```\n"));
  checkout.write("docs/plain.md", "no newline at the end");
  write_pages(checkout.root, generate_pages(checkout.root, tables));
  CHECK(checkout.read("docs/plain.md") == "no newline at the end");
}

TEST_CASE(
    "a stored file of an older schema is refused, with the command that converts it or makes it again") {
  Checkout c;
  nlohmann::json old = ladder::test::run_of({});
  c.write(c.page, "");
  const auto refused = [&](const char* schema) {
    old["schema"] = schema;
    c.store("far/reproduce-03.json", old);
    try {
      generate_pages(c.root, tables);
    } catch (const std::runtime_error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string file = "docs/results/far/reproduce-03.json";
  CHECK(refused("gpu-ladder/1") == file +
                                       " is of schema gpu-ladder/1, not of gpu-ladder/3. Make it again, on "
                                       "that machine: ./ladder reproduce 03 --json " +
                                       file);
  CHECK(refused("gpu-ladder/2") ==
        file + " is of schema gpu-ladder/2: ./ladder results convert " + file + " makes it gpu-ladder/3");
}

TEST_CASE("a field of a stored file that is misspelt, or of another type, is told with its name") {
  Checkout c;
  c.write(c.page, "");
  const auto refused = [&](const std::string& pointer, const nlohmann::json& value) {
    nlohmann::json document = ladder::test::run_of({result("c1_openmp", "cpu", 768, 0.02)});
    document[nlohmann::json::json_pointer(pointer)] = value;
    c.store("far/run.json", document);
    try {
      generate_pages(c.root, tables);
    } catch (const std::runtime_error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string file = "docs/results/far/run.json";
  CHECK(refused("/lessons/0/steps/0/time/medain", 1) ==
        file + ".lessons[0].steps[0].time.medain is not a known field");
  CHECK(refused("/machine/cores", "two") == file + ".machine.cores must be an integer");
}

TEST_CASE("a stored file that is no JSON is named") {
  Checkout checkout;
  checkout.write("docs/results/here/run.json", "{");
  checkout.write(checkout.page, "");
  try {
    generate_pages(checkout.root, tables);
    FAIL("no error");
  } catch (const std::runtime_error& error) {
    CHECK(has(error.what(), "run.json is no JSON"));
  }
}
