/// @file
/// The form of a lesson's page: what counts as a word, and each place that does not have the form.
// Guards: docs/adding-a-lesson.md#the-section

#include "common/sitegen/pages/page_form.hpp"

#include "common/sitegen/first_kernel.hpp"
#include "tests/common/catch.hpp"
#include "tests/common/text.hpp"

using namespace ladder::report;
using namespace ladder::test;

namespace {

std::string words(std::size_t n) {
  std::string text;
  for (std::size_t i = 0; i < n; ++i) text += i % 12 == 11 ? "word\n" : "word ";
  return text + "\n\n";
}

const std::string start = "# 03 · T\n\n**Start here.** Open it. `./ladder check 03/g1`\n\n";
const std::string predict =
    "- **Predict.** How many? \\_\\_\\_\\_\n\n  <details><summary>Answer</summary>n is\n  <b>x</b> <!-- = "
    "g1.n "
    "-->5<!-- . -->.</details>\n- **Write.** It.\n\n";

std::vector<std::string> said(const std::string& text, const std::string& picture = "") {
  std::vector<std::string> sentences;
  for (const auto& problem :
       form_problems("lessons/03-dgemm/README.md", "03-dgemm", text, [&](const std::string& path) {
         CHECK(path == "figures/a.svg");
         return picture;
       }))
    sentences.push_back(problem.sentence());
  return sentences;
}

/// A page with one rung of that many words, and so many in the rest.
std::string page(std::size_t rung, std::size_t rest, const std::string& question = predict) {
  return start + words(rest) + "## On a GPU\n\n### g1 · Naive\n\n" + question + words(rung) +
         "## Beyond\n\nNothing.\n";
}

}  // namespace

TEST_CASE("words are counted without what a reader can skip") {
  CHECK(words_of("One two, three-four: five · six.\n") == 5);
  CHECK(
      words_of("A [link of words](a/b.md#c) and <b>bold</b> \\_\\_\\_\\_ <!-- = g1.n -->5,120<!-- . -->\n") ==
      7);
  CHECK(words_of("one\n\n```\ncode code\n```\ntwo\n") == 2);
  CHECK(words_of("one\n\n    code code\n    code\n\ntwo\n") == 2);
  CHECK(words_of("- one\n\n    two in a list\n") == 5);
  CHECK(words_of("one\n<details><summary>Why?</summary>Because of it.</details> "
                 "two\n<details>\n\nmore\n\n</details>\n") == 2);
  CHECK(words_of("| a | b |\n|---|---|\n| c | d |\none\n") == 1);
  CHECK(words_of("![alt words](x.svg)\n*A caption of it.*\none\n*two*\n") == 2);
  CHECK(words_of("<!-- generated: measured a b -->\n\n- PASS · 3 ms\n\n<!-- end -->\none\n") == 1);
}

TEST_CASE(
    "tables, captions and comments in code count where all words do; folds and generated parts do not") {
  const auto all = [](const std::string& text) { return words_of(text, Reading::all); };
  CHECK(all("| a | b |\n|---|---|\n| c | d |\none\n") == 5);
  CHECK(all("![alt words](x.svg)\n*A caption of it.*\none\n") == 5);
  CHECK(all("one\n\n```cpp\nint i = 5;  // an index\n// of it\n```\ntwo\n") == 6);
  CHECK(all("one\n\n    ./ladder check 00/g1    # is it right?\n\ntwo\n") == 5);
  CHECK(all("<details><summary>Why?</summary>\n\n```\n// because\n```\n\n</details>\none\n") == 1);
  CHECK(all("<!-- generated: a b -->\n\n```\n// ncu\n```\n| PASS |\n\n<!-- end -->\none\n") == 1);
}

TEST_CASE("what is read before the first kernel is counted, and told with its places") {
  const std::string readme = "# L\n\n" + words(100) + "See [it](lessons/00-first-steps/README.md).\n\n" +
                             words(500) +
                             "## For students\n\nYou need C++.\n\n<!-- generated: path 00 -->\n\n" +
                             words(500),
                    skeleton =
                        "/// @file\nint i;  // an index\n// TASK, 3 lines: Do\n//  it.\n}\n// no more\n";
  const auto said = [&](std::size_t program, const std::string& last) {
    const std::string text = "# 00 · T\n\n## A whole program\n\n" + words(program) + "### g1 · A\n\n" +
                             words(50) + last + words(500);
    std::vector<std::string> sentences;
    for (const auto& problem : first_kernel_problems(readme, text, skeleton))
      sentences.push_back(problem.sentence());
    return sentences;
  };
  const std::string write = "- **Write.** It.\n";
  CHECK(said(425, write).empty());
  const auto many = said(426, write), none = said(1, "");
  REQUIRE(many.size() == 1);
  CHECK(has(many[0], "a newcomer reads 601 words before the first kernel, more than 600: README.md 108, "));
  CHECK(has(many[0], ": README.md 108, 00 · T 2, A whole program 429, g1 · A 54, "));
  CHECK(has(many[0], "lessons/00-first-steps/g1_first_kernel.cu 8"));
  REQUIRE(none.size() == 1);
  CHECK(has(none[0], "the way to the first kernel has no '- **Write.**'"));
}

TEST_CASE("a page of the form has no problems") {
  CHECK(said(page(200, 400)).empty());
  CHECK(said(page(200, 400, "")).empty());  // not each rung has something to predict
}

TEST_CASE("sections that are too short or too long are told with their words") {
  const auto short_one = said(page(50, 100)), long_one = said(page(650, 100)), rest = said(page(200, 1000));
  REQUIRE(short_one.size() == 2);
  CHECK(has(short_one[1], "the sections of its rungs have 5"));
  CHECK(has(short_one[1], "words on average, fewer than 200"));
  CHECK(has(short_one[0], "README.md:"));
  CHECK(has(short_one[0], "the section of g1 has 5"));
  CHECK(has(short_one[0], "words, not 120 to 600"));
  REQUIRE(long_one.size() == 1);
  CHECK(has(long_one[0], "the section of g1 has 65"));
  REQUIRE(rest.size() == 1);
  CHECK(has(rest[0], "words next to its rungs, more than 900"));
}

TEST_CASE("a short section is fine on a page whose sections are long enough on average") {
  const auto two = [](std::size_t first, std::size_t second) {
    return said(start + "### g1 · A\n\n" + words(first) + "### g2 · B\n\n" + words(second) + "## Beyond\n");
  };
  CHECK(two(150, 250).empty());
  REQUIRE(two(150, 230).size() == 1);
  CHECK(has(two(150, 230)[0], "have 19"));
}

TEST_CASE("sections of the second level are rungs, too, and what follows them is not theirs") {
  const std::string flat =
      start + "## c1 · A\n\n" + words(150) + "### More of it\n\n" + words(100) + "## Beyond\n\n" + words(500);
  CHECK(said(flat).empty());
}

TEST_CASE("a page without its first paragraph, or with another lesson's command there") {
  const std::string without = page(200, 100).substr(start.size());
  REQUIRE(said("# 03 · T\n\n" + without).size() == 1);
  CHECK(has(said("# 03 · T\n\n" + without)[0], "no paragraph **Start here.** with ./ladder check 03/"));
  CHECK(said("# 03 · T\n\n**Start here.** `./ladder check 02/g1`\n\n" + without).size() == 1);
}

TEST_CASE("all pages have one order of parts: the picture below Start here, the table after the baseline") {
  const std::string figure = "<!-- generated: ladder-figure 03-dgemm -->\n<!-- end -->\n\n",
                    table = "<!-- generated: ladder-table 03-dgemm -->\n<!-- end -->\n\n";
  const auto with = [](const std::string& before_gpu, const std::string& at_the_end) {
    std::string text = page(200, 100);
    text.insert(text.find("## On a GPU"), before_gpu);
    return said(text.insert(text.find("## Beyond"), at_the_end));
  };
  const std::string parts = "After this lesson you can\n- x.\n\nYou need C++.\n\n## The problem\n\n";
  CHECK(with(figure + parts + "## The baseline\n\n" + table, "## What you have climbed\n\n").empty());
  const auto late_figure = with(parts + table, "## What you have climbed\n\n" + figure);
  REQUIRE(late_figure.size() == 1);
  CHECK(has(late_figure[0], "'<!-- generated: ladder-figure' belongs before '## What you have climbed'"));
  const auto early_table = with(table + parts, "");
  REQUIRE(early_table.size() == 3);
  CHECK(has(early_table[2], "'## The problem' belongs before '<!-- generated: ladder-table'"));
  CHECK(with("```\n## Beyond\n```\n\n" + figure, "").empty());
}

TEST_CASE("a question without an answer, and an answer that was typed") {
  const auto none = said(
      page(200, 100,
           "- **Predict.** How many?\n- **Write.** It.\n\n<details><summary>Answer</summary>5</details>\n"));
  REQUIRE(none.size() == 1);
  CHECK(has(none[0], "README.md:"));
  CHECK(has(none[0], "this Predict has no <details><summary>Answer</summary> below it"));
  const auto typed = said(page(
      200, 100,
      "- **Predict.** How many?\n\n  <details><summary>Answer</summary>5</details>\n- **Write.** It.\n"));
  REQUIRE(typed.size() == 1);
  CHECK(has(typed[0], "has no value that is computed"));
}

TEST_CASE("Markdown in a line that begins with a fold, which a code host shows as it is") {
  const auto with = [](const std::string& fold) { return said(page(200, 100, predict + fold + "\n\n")); };
  CHECK(with("<details><summary>Why?</summary>See <code>x</code> (docs/top.md).</details>").empty());
  CHECK(with("Not one: `x`, [y](z.md)").empty());
  for (const char* fold : {"<details><summary>Why?</summary>See `x`.</details>",
                           "  <details><summary>Why?</summary>See [y](z.md).</details>"}) {
    const auto problems = with(fold);
    REQUIRE(problems.size() == 1);
    CHECK(has(problems[0], "a fold that begins in this line is HTML"));
  }
}

TEST_CASE("an answer that the page gives away outside of a fold") {
  const std::string asked =
                        "- **Predict.** Of 2.5 sectors, how many?\n\n  <details><summary>Answer</summary>",
                    answer =
                        "<!-- = g1.n -->5,120<!-- . --> of <!-- = g1.given -->2.5<!-- . -->.</details>\n";
  const auto with = [&](const std::string& more) { return said(page(200, 100, asked + answer + more)); };
  CHECK(with("- **Write.** 15,120 and 5,120,000 are others; the question says 2.5.\n\n").empty());
  CHECK(
      with("- **Write.** It.\n\n<details><summary>Measured</summary>\n\n- 5,120\n\n</details>\n\n").empty());
  for (const char* spoiler : {"- **Judged by.** 5,120 sectors.\n\n", "| g1 | 5,120 |\n\n",
                              "- **Judged by.** <!-- = g1.n -->5,120<!-- . -->.\n\n"}) {
    const auto problems = with(spoiler);
    REQUIRE(problems.size() == 1);
    CHECK(has(problems[0], "5,120 is an answer to the Predict above line"));
  }
}

TEST_CASE("an answer that a picture gives away, by its title or its words") {
  const std::string asked =
      "- **Predict.** With 4 lanes, how many sectors?\n\n  <details><summary>Answer</summary><!-- = g1.n "
      "-->5,120<!-- . --> and <!-- = g1.few -->16<!-- . -->.</details>\n";
  const auto with = [&](const std::string& words, const std::string& around = "![A.](figures/a.svg)\n\n") {
    return said(page(200, 100, around + asked), "<svg width=\"16\">" + words + "</svg>");
  };
  CHECK(with("<text x=\"16\">16</text><text>16 elements</text><text>160 sectors</text><text>15,120</text>")
            .empty());
  CHECK(with("<text>16 sectors</text>",
             "<details><summary>Measured</summary>\n\n![A.](figures/a.svg)\n\n</details>\n")
            .empty());
  for (const char* spoiler : {"<text x=\"1\" y=\"2\">16 sectors</text>", "<text>5,120</text>",
                              "<title id=\"title\">Why 5,120 sectors move</title>"}) {
    const auto problems = with(spoiler);
    REQUIRE(problems.size() == 1);
    CHECK(has(problems[0], "is an answer to the Predict above line"));
    CHECK(has(problems[0], "and is in the picture here"));
  }
}
