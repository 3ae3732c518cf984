/// @file
/// The site: sources in colour, what differs from the rung below, pages as Doxygen reads them, and the check
/// of links.
// Guards: docs/contributing.md#the-site

#include "common/report/html/code_html.hpp"
#include "common/sitegen/site_check.hpp"
#include "common/sitegen/site_text.hpp"
#include "tests/common/report/checkout.hpp"
#include "tests/common/text.hpp"

using namespace ladder;
using namespace ladder::report;
using ladder::test::Checkout;
using ladder::test::has;

namespace {

std::string in_colour(const std::string& line) {
  bool in_comment = false;
  return coloured(line, in_comment);
}

}  // namespace

TEST_CASE("sources have colours, and no character of theirs becomes HTML") {
  CHECK(in_colour("int a = 1'000 < b; // c & d") ==
        "<span class=\"k\">int</span> a = <span class=\"n\">1'000</span> &lt; b; <span class=\"c\">// c "
        "&amp; d</span>");
  CHECK(has(in_colour("#include \"a.hpp\"  // why"), "<span class=\"p\">#include"));
  CHECK(has(in_colour("f(\"// no \\\" comment\", x);"), "<span class=\"s\">&quot;// no"));
  CHECK(has(in_colour("__shared__ double As[32];"), "<span class=\"k\">__shared__</span>"));
  bool in_comment = false;
  coloured("a /* b", in_comment);
  CHECK(in_comment);
  CHECK(coloured("c */ d", in_comment) == "<span class=\"c\">c */</span> d");
}

TEST_CASE("a difference is shown by signs and elements, with its lines' numbers") {
  const auto lines = line_diff({"a", "b", "c", "d"}, {"a", "x", "c", "d", "e"});
  std::string signs;
  for (const DiffLine& line : lines) signs += line.sign;
  CHECK(signs == " -+  +");
  const std::string html = diff_html("g1.cu", "g2.cu", lines);
  CHECK(has(html,
            "<del class=\"row\"><span class=\"no\">2</span><span class=\"no\"></span><span "
            "class=\"sign\">-</span>b"));
  CHECK(has(html,
            "<ins class=\"row\"><span class=\"no\"></span><span class=\"no\">2</span><span "
            "class=\"sign\">+</span>x"));
  CHECK(has(html, "<b>+</b> 2 lines, <b>−</b> 1 lines"));
  const std::vector<std::string> many(20, "same");
  CHECK(has(diff_html("a", "b",
                      line_diff(many,
                                [&] {
                                  auto m = many;
                                  m.push_back("new");
                                  return m;
                                }())),
            "17 lines as before"));
}

TEST_CASE("a reference is shown without what is meant for skeletons") {
  CHECK(
      shown_source(
          "a\n  // BEGIN SOLUTION Do it.\n  //  With care.\n  //| ladder::task();\n  // Why.\n  b\n  // END "
          "SOLUTION\nc\n") == std::vector<std::string>{"a", "  // Why.", "  b", "c"});
}

TEST_CASE("pages: names of headings, links to pages, places, sources and figures; what follows a rung") {
  Checkout checkout;
  checkout.write("docs/a.md",
                 "# A & b\n\n### Deep `x`\n\n[there](../lessons/03-dgemm/README.md#g2--two) "
                 "[out](../../../etc/passwd) [root](/etc/passwd)\n[![pic](p.svg)](a.md)\n\n```\n# no "
                 "[b](c.md)\n```\n");
  checkout.write("lessons/03-dgemm/README.md",
                 "# 03\n\n### g2 · Two\n\nis <!-- = v -->5<!-- . --> [f](g2.cu) ![p](p.svg) "
                 "[gone](gone.cu)\n\n### g3 · Three\n");
  checkout.write("lessons/03-dgemm/g2.cu", "");
  checkout.write("lessons/03-dgemm/p.svg", "");
  SiteText site(checkout.root, {"README.md", "docs/a.md", "lessons/03-dgemm/README.md"});
  const std::string a = site.page("docs/a.md"),
                    lesson = site.page("lessons/03-dgemm/README.md", {{"g2", "AFTER"}});
  CHECK(has(a, "# A & b {#docs_a}"));
  CHECK(has(a, "## Deep `x` {#docs_a__deep_x}"));
  CHECK(has(a, "[there](@ref lessons_03_dgemm_g2)"));
  CHECK(has(a, "# no [b](c.md)\n"));
  CHECK(has(a, "\n![pic](p.svg)\n\n[a.md](@ref docs_a)\n"));
  // Nothing of the machine gets into the site.
  CHECK(has(a, "[out](../../../etc/passwd) [root](/etc/passwd)"));
  CHECK(has(lesson, "## g2 · Two {#lessons_03_dgemm_g2}"));
  CHECK(has(lesson,
            "is 5 [f](files/lessons/03-dgemm/g2.cu.html) ![p](lessons/03-dgemm/p.svg) [gone](gone.cu)"));
  CHECK(lesson.find("AFTER") < lesson.find("## g3"));
  CHECK(site.files() == std::set<std::string>{"lessons/03-dgemm/g2.cu"});
  const auto address = [&](const std::string& link) {
    return site.address("lessons/03-dgemm/README.md", link);
  };
  CHECK(address("../../docs/a.md") == "docs_a.html");
  CHECK(address("../../docs/a.md#deep-x") == "docs_a.html#docs_a__deep_x");
  CHECK(address("#g2--two") == "lessons_03_dgemm_g2.html");
  CHECK(address("#the-problem") == "lessons_03_dgemm.html#lessons_03_dgemm__the_problem");
  CHECK(address("../../README.md") == "index.html");
  CHECK(address("g2.cu") == "files/lessons/03-dgemm/g2.cu.html");
  CHECK(address("https://example.org/") == "https://example.org/");
}

TEST_CASE("pages: a fold of several paragraphs is opened and closed by HTML that Doxygen leaves alone") {
  const auto shown = [](const std::string& text) {
    Checkout checkout;
    checkout.write("docs/a.md", "# A\n\n" + text);
    return SiteText(checkout.root, {"docs/a.md"}).page("docs/a.md");
  };
  const std::string open = "\\htmlonly[block]\n<details><summary>B</summary>\n\\endhtmlonly\n",
                    close = "\\htmlonly[block]\n</details>\n\\endhtmlonly\n";
  const std::string summary = "<details><summary>B</summary>\n";
  CHECK(has(shown(summary + "\n| a | b |\n|---|---|\n\n</details>\n"),
            open + "\n| a | b |\n|---|---|\n\n\n\n" + close));
  CHECK(has(shown(summary + "\nOne.\n\n```\n</details>\n```\nTwo.</details>\n"),
            "</details>\n```\nTwo.\n\n" + close));
  CHECK_FALSE(has(shown(summary + "One paragraph.</details>\n"), "htmlonly"));
}

TEST_CASE("pages: a rung's section is a page of its own, with the way to the rungs next to it") {
  const CutLesson cut = cut_lesson(
      "# 03 {#l}\n\nIntro.\n\n## On a GPU {#l__gpu}\n\nA, B.\n\n### g1 · One {#l_g1}\n\nis\n```\n### g9 · no "
      "{#n}\n```\n#### Deep {#l__deep}\n\n### g2 · Two {#l_g2}\n\nAFTER\n\n### Not a rung {#l__not}\n\nend\n",
      {{"g1", " · slides"}});
  CHECK(cut.text ==
        "# 03 {#l}\n\nIntro.\n\n## On a GPU {#l__gpu}\n\nA, B.\n\n- @subpage l_g1\n- @subpage l_g2\n\n### "
        "Not a "
        "rung {#l__not}\n\nend\n");
  REQUIRE(cut.rungs.size() == 2);
  CHECK(cut.rungs[0].id == "g1");
  CHECK(cut.rungs[0].name == "l_g1");
  CHECK(
      cut.rungs[0].text ==
      "# g1 · One {#l_g1}\n\n[↑ 03](@ref l)<br>[→ g2 · Two](@ref l_g2)\n\nis\n```\n### g9 · no {#n}\n```\n## "
      "Deep "
      "{#l__deep}\n\n\n[↑ 03](@ref l)<br>[→ g2 · Two](@ref l_g2) · slides\n");
  CHECK(cut.rungs[1].text ==
        "# g2 · Two {#l_g2}\n\n[← g1 · One](@ref l_g1)<br>[↑ 03](@ref l)\n\nAFTER\n\n\n"
        "[← g1 · One](@ref l_g1)<br>[↑ 03](@ref l)\n");
}

TEST_CASE("a site: broken links, missing places, the network, and pages that are far away") {
  Checkout checkout;
  const auto problems = [&] {
    std::string all;
    for (const std::string& one : check_site(checkout.root / "site").problems) all += one + "\n";
    return all;
  };
  CHECK(has(problems(), "has no index.html"));
  checkout.write("site/index.html", "<a href=\"a.html#x\">a</a><a href='https://example.org/'>out</a>");
  checkout.write("site/a.html", "<h1 id=\"x\"></h1><a href=\"b.html\">b</a>");
  checkout.write("site/b.html", "<script>\"<a href='nothing.html'>\"</script><a href=\"c/c.html\">c</a>");
  checkout.write("site/c/c.html", "<a href=\"../index.html\">top</a>");
  CHECK(problems().empty());
  CHECK(check_site(checkout.root / "site").clicks == 3);
  CHECK(has([&] { return check_site(checkout.root / "site", 2).problems.at(0); }(),
            "c/c.html is 3 clicks away"));
  checkout.write(
      "site/c/c.html",
      "<a href=\"../gone.html\">g</a><a href='../a.html#y'>y</a><img src=\"https://example.org/x.png\">");
  checkout.write("site/d.html", "alone<div class=\"directory\">\n</div>");
  checkout.write("site/b.html", "<details><summary>b</summary></details><a href=\"c/c.html\">c</a>");
  CHECK(has(problems(), "c/c.html leads to ../gone.html: there is no such file"));
  CHECK(has(problems(), "c/c.html leads to ../a.html#y: there is no such place"));
  CHECK(has(problems(), "c/c.html loads https://example.org/x.png"));
  CHECK(has(problems(), "no link leads from index.html to d.html"));
  CHECK(has(problems(), "d.html is an empty list"));
  CHECK(has(problems(), "b.html has an empty fold"));
  checkout.write(
      "site/a.css",
      "a { b: url( \"https://example.org/y.woff\" ) url(data:image/svg+xml;x='http://w') url(x.png) }\n"
      "@import '//example.org/z.css';");
  CHECK(has(problems(), "a.css loads https://example.org/y.woff:"));
  CHECK(has(problems(), "a.css loads //example.org/z.css:"));
  CHECK_FALSE(has(problems(), "loads data:"));
}
