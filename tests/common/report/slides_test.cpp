/// @file
/// Slides of a lesson: two for each rung, the answer on the second one only; what a page lacks for them is
/// said.
// Guards: docs/instructor.md#slides

#include "common/sitegen/slides/slides.hpp"

#include "common/base/text/text.hpp"
#include "common/sitegen/site_text.hpp"
#include "common/sitegen/slides/lesson_page.hpp"
#include "tests/common/report/checkout.hpp"
#include "tests/common/text.hpp"

using namespace ladder::report;
using namespace ladder::test;

namespace {

constexpr const char* lesson_text = R"(# 03 · DGEMM: a product

<!-- in short: C = AB -->

C = AB, for *every* k < n & m.

After this lesson you can
- count loads.

You need: [C++](../../docs/cpp.md). The rungs take <!-- = hours.required -->1.5<!-- . --> hours.

## The problem

    C[i][j] = sum of A[i][p] B[p][j]

![All rungs.](figures/03-ladder-far.svg)

### c1 · Threads share blocks

**Why.** One core is busy.
```
   thread 0   ####
```
```cpp
____
```
- **Predict.** How many at n = 768? \_\_\_\_ `a * b < c`
  <details><summary>Hint</summary>Twelve rows.</details>
  <details><summary>Answer</summary>144 / 8 = <!-- = c1.blocks -->1.33<!-- . -->, if a < b.</details>
- **Write.** Everything.
- **Judged by.** All classes · at most <!-- = c1.limit -->1.2<!-- . --> (`x. Y`): else MISSED. Not this.

**Why not more?** Memory. `g1` is next.

### g1 · One thread per element

![A drawing.](figures/draw-g1.svg)

- **Predict.** How many sectors? \_\_\_\_
  <details><summary>Answer</summary>In all <!-- = g1.sectors -->5,120<!-- . -->.</details>
- **Judged by.** All classes.

**Why not more?** g2.
)";

const json rows = {
    {"steps",
     {{{"name", "c1_openmp"}, {"kind", "R"}, {"hours", 0.5}, {"idea", "Blocks are shared."}},
      {{"name", "g1_naive"},
       {"kind", "R"},
       {"hours", 1},
       {"idea", "One thread, one element."},
       {"targets",
        {{{"metric", "sectors"}, {"relation", "<="}, {"bound", 1.1}, {"necessary", "9 n^3/32 sectors"}}}}}}}};

constexpr const char* drawing =
    "<svg aria-labelledby=\"title description\"><title id=\"title\">D</title><rect x=\"5,120\"/></svg>";

/// A checkout with a lesson's page and its figures.
struct LessonCheckout : Checkout {
  explicit LessonCheckout(const std::string& text = lesson_text) {
    write(page, text);
    write("lessons/03-dgemm/figures/draw-g1.svg", drawing);
    write("lessons/03-dgemm/figures/03-ladder-far.svg", "<svg id=\"title\">the ladder</svg>");
  }

  Slides slides() const {
    const PartMaker parts(root, {{"03-dgemm", rows}});
    return lesson_slides({.root = root,
                          .lesson = "03-dgemm",
                          .table = rows,
                          .target = [](const std::string& link) { return "to:" + link; },
                          .exam = {{"g1", "2 counts"}}},
                         parts);
  }

  std::string problems() const {
    std::string all;
    for (const PageProblem& one : slides().problems) all += one.sentence() + "\n";
    return all;
  }
};

std::string slide_of(const std::string& html, const std::string& id) {
  const auto at = html.find("<section id=\"" + id + "\"");
  return at == html.npos ? "" : html.substr(at, html.find("</section>", at) - at);
}

std::string with(std::string text, const std::string& what, const std::string& instead) {
  REQUIRE(has(text, what));
  ladder::replace_all(text, what, instead);
  return text;
}

}  // namespace

TEST_CASE("slides: two for each rung, from its section; the answer is on the second one only") {
  LessonCheckout checkout;
  checkout.store_run();
  CHECK(checkout.problems().empty());
  const std::string html = checkout.slides().html;
  CHECK(count(html, "<section ") == 8);
  std::size_t before = 0;
  for (const char* id : {"title", "problem", "rungs", "c1", "c1-answer", "g1", "g1-answer", "ladder"}) {
    INFO(id);
    CHECK(html.find(std::string("<section id=\"") + id + "\"") > before);
    before = html.find(std::string("<section id=\"") + id + "\"");
  }
  CHECK(has(slide_of(html, "title"), "C = AB, for <em>every</em> k &lt; n &amp; m."));
  CHECK(has(slide_of(html, "title"), "<a href=\"to:../../docs/cpp.md\">C++</a>"));
  CHECK(has(slide_of(html, "title"), "1.5<!-- . --> hours"));
  CHECK(has(slide_of(html, "rungs"), "<a href=\"#g1\">g1 · One thread per element</a> <small>1 h"));
  const std::string c1 = slide_of(html, "c1"), c1_answer = slide_of(html, "c1-answer"),
                    g1 = slide_of(html, "g1"), g1_answer = slide_of(html, "g1-answer");
  CHECK(has(c1, "<p class=\"idea\">Blocks are shared.</p>"));
  CHECK(has(c1, "   thread 0   ####\n</pre>"));
  CHECK(has(c1, "How many at n = 768? ____ <code>a * b &lt; c</code></p>"));
  CHECK(has(c1, "<!-- . --> (<code>x. Y</code>): else MISSED.</p>"));
  CHECK(has(c1, "href=\"to:#c1--threads-share-blocks\""));
  CHECK_FALSE(has(html, "Not this."));
  CHECK_FALSE(has(html, "Twelve rows"));
  CHECK_FALSE(has(c1, "1.33"));
  CHECK(has(c1_answer, "1.33<!-- . -->, if a &lt; b."));
  CHECK(has(c1_answer, "2 cores, no GPU: 1.50 times the baseline"));
  CHECK(has(c1_answer, "<code>g1</code> is next."));
  CHECK(has(g1, "<title id=\"title1\">D"));
  CHECK(has(g1_answer, "9 n<sup>3</sup>/32 sectors · limit: at most 1.1 times that"));
  CHECK(has(g1_answer, "<p>Not measured.</p>"));
  CHECK(has(g1_answer, "exam questions</a>: 2 counts (<code>./ladder exam --rungs 03/g1</code>)"));
  CHECK_FALSE(has(c1_answer, "exam questions"));
  CHECK(has(slide_of(html, "ladder"), "<svg id=\"title2\">the ladder"));
}

TEST_CASE("slides: a GPU's gain with clock and size, and a time whose gain is not stored") {
  LessonCheckout checkout;
  json g1 = result("g1_naive", "cuda", 4096, 0.004);
  g1["data"] = "resident", g1["device"] = "cuda:0";
  g1["time"]["device"] = {{"median", 0.002}};
  checkout.store("far/run.json", run_of({g1}));
  CHECK(has(
      slide_of(checkout.slides().html, "g1-answer"),
      "NVIDIA H200 (cuda:0): <strong>2 ms</strong> on the device at n = 4096 · its gain is not measured"));
  const auto around = [](double median) {
    return json{{"median", median}, {"low", median}, {"high", median}, {"runs", 11}};
  };
  g1["gain"] = {{"over", "g1_naive.slow"},  {"clock", "device"},        {"problem", {{"m", 512}, {"n", 512}}},
                {"seconds", around(0.002)}, {"without", around(0.004)}, {"ratio", around(2)}};
  checkout.store("far/run.json", run_of({g1}));
  const PartMaker parts(
      checkout.root,
      {{"03-dgemm",
        {{"steps", {{{"name", "g1_naive"}, {"gain", {{"without", "g1_naive.slow"}, {"size", 512}}}}}}}}});
  const auto lines = parts.gain_lines("03-dgemm", "g1_naive");
  REQUIRE(lines.size() == 1);
  CHECK(has(lines[0],
            "NVIDIA H200 (cuda:0): 2 (2 to 2) times as fast as the program without the idea on the device at "
            "n = 512"));
  CHECK_FALSE(has(lines[0], "not measured"));
}

TEST_CASE("slides: a lesson of which nothing was ever timed") {
  LessonCheckout checkout;
  CHECK(checkout.problems().empty());
  CHECK(count(checkout.slides().html, "<p>Not measured.</p>") == 2);
}

TEST_CASE("slides: what one can do and what one needs may come behind the first rung, as on page 00") {
  const std::string whole = lesson_text;
  const std::size_t begin = whole.find("After this"), end = whole.find("## The problem");
  const std::string part = whole.substr(begin, end - begin);
  const LessonPage usual = read_lesson_page(whole),
                   behind = read_lesson_page(with(whole, part, "") + "\n## The whole lesson\n\n" + part);
  CHECK(usual.goals == std::vector<std::string>{"count loads."});
  CHECK(behind.goals == usual.goals);
  CHECK(behind.needs == usual.needs);
  CHECK(has(behind.needs, "You need: [C++]"));
}

TEST_CASE(
    "slides: what a page lacks for them, and an answer that a slide gives away, is said with its line") {
  const std::string whole = lesson_text;
  const auto said = [](const std::string& text) { return LessonCheckout(text).problems(); };
  CHECK(has(said(with(whole, "### g1 · One", "### One")),
            "lessons/03-dgemm/README.md: g1 has no section, and therefore no slide"));
  CHECK(has(said(with(whole, "- **Predict.** How many sectors?", "- How many?")),
            "README.md:35: g1 has no **Predict.** for its slides"));
  CHECK(has(said(with(whole, "<summary>Answer</summary>In all", "<summary>So</summary>In all")),
            "g1 has no <summary>Answer</summary> for its slides"));
  CHECK(has(said(with(whole, "**Why not more?** g2.", "g2.")), "g1 has no **Why not more?**"));
  CHECK(has(said(with(whole, "You need:", "Needed:")), "no paragraph that begins with \"You need\""));
  CHECK(has(said(with(whole, "draw-g1.svg", "draw-g9.svg")),
            "the slides need lessons/03-dgemm/figures/draw-g9.svg, which is not there"));
  CHECK(has(said(with(whole, "All classes.\n", "At most 5,120 sectors.\n")),
            "the slide of g1 shows 5,120, an answer, before it is asked for"));
  CHECK(has(said(with(whole, "= c1.limit -->1.2<", "= c1.blocks -->2<")), "the slide of c1 shows 1.33"));
  LessonCheckout drawn;
  drawn.write("lessons/03-dgemm/figures/draw-g1.svg", "<svg><text>5,120 sectors</text></svg>");
  CHECK(has(drawn.problems(), "the slide of g1 shows 5,120"));
}

TEST_CASE("slides: a paragraph's Markdown becomes HTML, and nothing else does") {
  const LinkTarget target = [](const std::string& link) { return link + "&x"; };
  CHECK(inline_html("2 * 3 * 4 **b *i* c** \\_\\* `<&` [`c`](d)", target) ==
        "2 * 3 * 4 <strong>b <em>i</em> c</strong> _* <code>&lt;&amp;</code> <a "
        "href=\"d&amp;x\"><code>c</code></a>");
  CHECK(inline_html("a < b <br> & &amp; <!-- = v -->5<!-- . -->", target) ==
        "a &lt; b <br> &amp; &amp; <!-- = v -->5<!-- . -->");
  CHECK(inline_html("unclosed `code, *star and [link", target) == "unclosed `code, *star and [link");
  CHECK(text_of_html("<p>a<style>.b{c:1.5}</style><!-- = v --></p>") == " a <!-- = v --> ");
}
