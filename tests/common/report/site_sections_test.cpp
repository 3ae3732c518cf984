/// @file
/// The site's glossary, whose words lead to rungs, and what a rung's page shows before anything is unfolded.
// Guards: docs/contributing.md#the-site

#include <fmt/format.h>

#include "common/sitegen/site/glossary_sections.hpp"
#include "common/sitegen/site/spoilers.hpp"
#include "tests/common/report/checkout.hpp"

using namespace ladder::report;
using namespace ladder::test;

TEST_CASE("a word of the glossary is spelled as its row names it, alone or in the plural, outside of code") {
  using Spellings = std::vector<std::string>;
  CHECK(spellings_of("multiprocessor (SM)") == Spellings{"SM", "multiprocessor"});
  CHECK(spellings_of("grid, block, thread") == Spellings{"grid", "block", "thread"});
  CHECK(spellings_of("level (of the tree)") == Spellings{"level"});
  CHECK(uses_word("Two Warps wait.", "warp"));
  CHECK(uses_word("branches", "branch"));
  CHECK_FALSE(uses_word("a warped warp_tile", "warp"));
  CHECK_FALSE(uses_word("is `warp`\n```\nwarp\n```\n    warp\n", "warp"));
}

TEST_CASE("each word of the glossary is a section of the site with links to the rungs that use it") {
  const std::string text =
      "# Glossary {#docs_glossary}\n\n## Words {#w}\n\n| word | meaning |\n|---|---|\n"
      "| bank | One of 32. A \\| B. |\n| stream, event | A queue. |\n| bank | Money. |\n\nAfter.\n\n"
      "| metric | unit |\n|---|---|\n| bytes | b |\n";
  const std::string html = glossary_sections(text, {{"00", "g3", "lessons_00_g3", "Banks are hit."},
                                                    {"00", "g4", "lessons_00_g4", "A bank, again."},
                                                    {"03", "g1", "lessons_03_g1", "one bank"}});
  CHECK(html ==
        "# Glossary {#docs_glossary}\n\n## Words {#w}\n\n### bank {#docs_glossary__word_bank}\n\nOne of 32. "
        "A \\| B.\n\nUsed in 00: [g3](@ref lessons_00_g3), [g4](@ref lessons_00_g4) · 03: [g1](@ref "
        "lessons_03_g1).\n\n### stream, event {#docs_glossary__word_stream_event}\n\nA queue.\n\n### bank "
        "{#docs_glossary__word_bank_}\n\nMoney.\n\nUsed in 00: [g3](@ref lessons_00_g3), [g4](@ref "
        "lessons_00_g4) · 03: [g1](@ref lessons_03_g1).\n\n\nAfter.\n\n| metric | unit |\n|---|---|\n| bytes "
        "| b |\n");
}

TEST_CASE("a word that most rungs use has links to the first of them only") {
  std::vector<RungText> rungs;
  for (int i = 1; i <= 17; ++i)
    rungs.push_back({"00", fmt::format("g{}", i), fmt::format("lessons_00_g{}", i), "A bank."});
  const std::string html = glossary_sections("| word | meaning |\n|---|---|\n| bank | One. |\n", rungs);
  CHECK(html.find("[g5](@ref lessons_00_g5), and in 12 more rungs.") != html.npos);
  CHECK(html.find("lessons_00_g6") == html.npos);
}

TEST_CASE("a word of the glossary has the drawing of the rung that shows it") {
  const std::string text = "| word | meaning |\n|---|---|\n| bank | One of 32. |\n| sector | 32 bytes. |\n";
  const std::string picture = "![Lanes by banks.](lessons/00-first-steps/figures/draw-g4-banks.svg)";
  const std::string html =
      glossary_sections(text, {{"00", "g4", "lessons_00_g4", "A bank.\n\n" + picture + "\n\nOther."},
                               {"03", "t3", "lessons_03_t3", picture}});
  CHECK(html.find("One of 32.\n\n" + picture + "\n\nUsed in 00: [g4]") != html.npos);
  CHECK(html.find("32 bytes.\n\n![") == html.npos);
}

TEST_CASE("closed folds, scripts and comments are not shown, open folds are") {
  CHECK(without_closed_folds("a<details><summary>s</summary><details>x</details>y</details>b") == "ab");
  CHECK(without_closed_folds("a<details class=\"c\" open>x</details>b") ==
        "a<details class=\"c\" open>x</details>b");
  CHECK(without_closed_folds("a<details open><details>x</details>y</details>b") ==
        "a<details open>y</details>b");
  CHECK(without_closed_folds("a<!-- <p> --><script>1 < 2</script><style>b</style>c < d") == "ac < d");
  CHECK(without_closed_folds("a<details>never closed") == "a");
}

TEST_CASE("a rung's page of the site gives away neither an answer nor its solution outside of folds") {
  Checkout checkout;
  const std::string lesson =
      "# 03\n\n### g1 · One\n\n- **Predict.** Of 1,024 elements? \\_\n  <details><summary>Answer</summary>"
      "<!-- = g1.sectors -->5,120<!-- . --> of <!-- = g1.all -->1,024<!-- . -->.</details>\n\n### g2 · Two\n";
  REQUIRE(predictions_of(lesson).size() == 1);
  CHECK(predictions_of(lesson)[0].rung == "g1");
  const auto spoiled = [&](const std::string& html) {
    checkout.write("lessons_03_g1.html", html);
    std::string all;
    for (const std::string& one : site_spoilers(checkout.root, "lessons_03", lesson)) all += one + "\n";
    return all;
  };
  const std::string answer = "<p>Of 1,024?</p><details><summary>Answer</summary>5,120</details>";
  const std::string code = "<div class=\"ladder-code\">int a;</div>";
  CHECK(spoiled(answer + "<details>" + code + "</details>") == "");
  CHECK(spoiled(answer + "<a href=\"g2\">g2 · after 5,120 sectors</a>") ==
        "lessons_03_g1.html shows 5,120 outside of a fold, an answer to its Predict\n");
  CHECK(spoiled("<details open>5,120</details>") ==
        "lessons_03_g1.html shows 5,120 outside of a fold, an answer to its Predict\n");
  CHECK(spoiled(answer + code) == "lessons_03_g1.html shows code of the solution outside of a fold\n");
  CHECK(spoiled("") == "lessons_03_g1.html is missing: nobody knows what it shows\n");
}

TEST_CASE("a page or an example that names a rung gives none of its answers away, with or without commas") {
  const std::string lesson =
      "# 03\n\n### g1 · One\n\n- **Predict.** Of 1,024 elements? \\_\n  <details><summary>Answer</summary>"
      "<!-- = g1.sectors -->5,120<!-- . --> of <!-- = g1.all -->1,024<!-- . -->.</details>\n";
  const auto wrong = [&](const std::string& text) {
    std::string all;
    for (const auto& one : answers_given_away("docs/a.md", text, "03", lesson)) all += one.sentence() + "\n";
    return all;
  };
  CHECK(wrong("5,120 of another rung\n03/g1: 1,024, 15,120, n = 5120\n03/g11 5,120\n13/g1 5,120\n") == "");
  for (const char* line : {"`./ladder predict 03/g1 sectors=5120`", "| 03/g1 | 5,120 sectors |"})
    CHECK(wrong(std::string("x\n") + line + "\n") ==
          "docs/a.md:2: 5,120 is an answer to the Predict of 03/g1\n");
}
