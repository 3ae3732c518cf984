/// @file
/// Values inside the text of a lesson's pages: filled, compared, and each mistake in one line with file and
/// line.
// Guards: docs/adding-a-lesson.md#what-else-a-lesson-may-have

#include "common/sitegen/pages/page_values.hpp"

#include "tests/common/catch.hpp"
#include "tests/common/report/checkout.hpp"
#include "tests/common/text.hpp"

using namespace ladder::report;
using nlohmann::json;
using namespace ladder::test;

namespace {

json answer(const std::string& name, const json& value, int decimals = 0) {
  return {{"name", name}, {"value", value}, {"decimals", decimals}};
}

Tables tables_with(const json& answers) {
  Tables all = tables;
  all["03-dgemm"]["answers"] = answers;
  return all;
}

const Tables usual = tables_with({answer("g2.sectors", 5120), answer("g6.chain", 0.5691, 2)});
const std::string answers_file =
    "#pragma once\ninline auto answers() {\n  return {\n      {\"g2.sectors\", f()},\n      {\"g6.chain\", "
    "g(), 2}};\n}\n";

/// A checkout whose page has the text.
struct Lesson : Checkout {
  explicit Lesson(const std::string& text) {
    write(page, text);
    write("tests/03-dgemm/answers.cpp", answers_file);
  }
  std::string written(const Tables& with = usual) {
    const Pages pages = generate_pages(root, with);
    for (const auto& problem : pages.problems) FAIL_CHECK(problem.sentence());
    write_pages(root, pages);
    return read(page);
  }
  std::vector<std::string> wrong(const Tables& with = usual) {
    std::vector<std::string> sentences;
    for (const auto& problem : check_pages(root, with)) sentences.push_back(problem.sentence());
    return sentences;
  }
};

}  // namespace

TEST_CASE("a value is written with commas between thousands, or with its decimals") {
  CHECK(value_text(answer("a", 5120)) == "5,120");
  CHECK(value_text(answer("a", 1234567)) == "1,234,567");
  CHECK(value_text(answer("a", 0.5691, 2)) == "0.57");
  CHECK(value_text(answer("a", 12345.678, 1)) == "12,345.7");
  CHECK(value_text(answer("a", -1024)) == "-1,024");
  CHECK(value_text(answer("a", -0.001, 1)) == "0.0");
  CHECK(value_text(answer("a", nullptr)) == "");
}

TEST_CASE("values are filled inside lines, in folds, and on the other pages of the lesson") {
  Lesson lesson(
      "# T\n\n- **Predict.** n: ____\n\n  <details><summary>Answer</summary>n³/64 = <!-- = g2.sectors "
      "-->1<!-- . -->, "
      "and <!-- = g6.chain --><!-- . --> of it.</details>\n\n```\n<!-- = g2.sectors -->code<!-- . "
      "-->\n```\n");
  lesson.write("lessons/03-dgemm/reproduction.md",
               "The rung reads <!-- = g2.sectors -->7<!-- . --> sectors.\n");
  const std::string text = lesson.written();
  CHECK(has(text,
            "n³/64 = <!-- = g2.sectors -->5,120<!-- . -->, and <!-- = g6.chain -->0.57<!-- . --> of it."));
  CHECK(has(text, "```\n<!-- = g2.sectors -->code<!-- . -->\n```\n"));
  CHECK(lesson.read("lessons/03-dgemm/reproduction.md") ==
        "The rung reads <!-- = g2.sectors -->5,120<!-- . --> sectors.\n");
  CHECK(lesson.written() == text);
  CHECK(lesson.wrong().empty());
}

TEST_CASE("a value that was typed by hand is found, with page and line") {
  Lesson lesson("x\na <!-- = g2.sectors -->5,120<!-- . --> b <!-- = g6.chain -->0.58<!-- . -->\n");
  const auto wrong = lesson.wrong();
  REQUIRE(wrong.size() == 1);
  CHECK(has(wrong[0], "lessons/03-dgemm/README.md:2: is\n"));
  CHECK(has(wrong[0], "0.57"));
}

TEST_CASE("each mistake with a value is one line that names its place") {
  struct Try {
    std::string line, said;
  };
  const std::string both = "a <!-- = g2.sectors --><!-- . --><!-- = g6.chain --><!-- . -->\n";
  const std::vector<Try> tries = {
      {"a <!-- = g9.none -->1<!-- . -->",
       "README.md:2: there is no value g9.none: tests/03-dgemm/answers.cpp has g2.sectors, g6.chain"},
      {"a <!-- = g2.sectors -->5", "README.md:2: the value g2.sectors has no end on its line"},
      {"a <!-- = g2.sectors -->5 <!-- = g6.chain -->6<!-- . -->",
       "README.md:2: the value g2.sectors has no end"},
      {"a 5<!-- . --> b", "README.md:2: <!-- . --> without a value before it"},
      {"  <!-- = g2.sectors -->5<!-- . --> sectors", "README.md:2: a value does not begin a line"},
  };
  for (const Try& one : tries) {
    Lesson lesson(both + one.line + "\n");
    const auto wrong = lesson.wrong();
    INFO(one.line);
    REQUIRE(wrong.size() == 1);
    INFO(wrong[0]);
    CHECK(has(wrong[0], one.said));
    CHECK(count(wrong[0], "\n") == 0);
  }
}

TEST_CASE("a value that no page shows, one that is twice and one that is no number are told of answers.cpp") {
  Lesson lesson("a <!-- = g2.sectors -->5,120<!-- . -->\n");
  CHECK(lesson.wrong() ==
        std::vector<std::string>{"tests/03-dgemm/answers.cpp:5: the value g6.chain is on no page of "
                                 "lessons/03-dgemm"});
  CHECK(lesson.written() == lesson.read(lesson.page));  // a page that is half written can be renewed

  lesson.write("tests/03-dgemm/answers.cpp", "{\"g2.sectors\", f()},\n{\"g2.sectors\", g()}\n");
  CHECK(lesson.wrong(tables_with({answer("g2.sectors", 5120), answer("g2.sectors", 1)})) ==
        std::vector<std::string>{"tests/03-dgemm/answers.cpp:2: the value g2.sectors is here twice"});
  CHECK(lesson.wrong(tables_with(json::array({answer("g2.sectors", nullptr)}))) ==
        std::vector<std::string>{"tests/03-dgemm/answers.cpp:1: the value g2.sectors is no number"});
  Tables none = tables_with(json::array());
  CHECK(lesson.wrong(none) ==
        std::vector<std::string>{"lessons/03-dgemm/README.md:1: there is no value g2.sectors: "
                                 "tests/03-dgemm/answers.cpp has none"});
}

TEST_CASE("a limit is its amount times the bound of its target, and without that target it is an error") {
  const auto with = [](double bound, int size) {
    json limit = answer("g1.limit", 282.2);
    limit["limit"] = {{"rung", "g1_naive"}, {"amount", "sectors"}, {"size", size}, {"at_least", false}};
    json least = answer("g1.least", 512);
    least["limit"] = limit["limit"];
    least["limit"]["at_least"] = true;
    Tables all = tables_with({limit, least});
    all["03-dgemm"]["steps"][1]["targets"] = {{{"amount", "sectors"}, {"size", 256}, {"bound", bound}}};
    return all;
  };
  Lesson lesson("at most <!-- = g1.limit -->310<!-- . -->, at least <!-- = g1.least -->466<!-- . -->\n");
  lesson.write("tests/03-dgemm/answers.cpp", "{\"g1.limit\", f()},\n{\"g1.least\", g()}\n");
  CHECK(lesson.wrong(with(1.1, 256)).empty());  // 310.42 and 465.45: neither is rounded beyond its target

  const auto other_bound = lesson.wrong(with(1.2, 256));  // a page that no longer fits the target
  REQUIRE(other_bound.size() == 1);
  CHECK(has(other_bound[0], "338"));
  const auto other_size = lesson.wrong(with(1.1, 512));
  REQUIRE_FALSE(other_size.empty());
  CHECK(has(other_size[0],
            "answers.cpp:1: the limit g1.limit belongs to no target: g1_naive has none of "
            "sectors at size 512"));
}

TEST_CASE("the hours of a lesson are those of its rungs") {
  Lesson lesson(
      "a <!-- = g2.sectors --><!-- . --><!-- = g6.chain --><!-- . -->\n"
      "It takes <!-- = hours.required -->9<!-- . --> hours, and <!-- = hours.more -->9<!-- . -->.\n");
  Tables with = usual;
  with["03-dgemm"]["steps"].push_back({{"name", "t1_more"}, {"kind", "S"}, {"hours", 4}});
  CHECK(has(lesson.written(with),
            "takes <!-- = hours.required -->1.5<!-- . --> hours, and "
            "<!-- = hours.more -->4<!-- . -->."));
}

TEST_CASE("of one lesson only its own values are looked at") {
  Lesson lesson("no value\n");
  CHECK(check_pages(lesson.root, usual, "lessons/00-other/").empty());
  CHECK(check_pages(lesson.root, usual, "lessons/03-dgemm/").size() == 2);
}
