#include "common/sitegen/slides/slides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "common/base/files/whole_file.hpp"
#include "common/base/text/step_name.hpp"
#include "common/base/text/text.hpp"
#include "common/report/figures/svg.hpp"
#include "common/report/text/table.hpp"
#include "common/sitegen/pages/page_form.hpp"
#include "common/sitegen/site_text.hpp"
#include "common/sitegen/slides/lesson_page.hpp"
#include "common/sitegen/slides/slides_page.hpp"

namespace ladder::report {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

std::string titled(const std::string& title, const std::string& body) {
  return body.empty() ? "" : fmt::format("<h3>{}</h3>\n{}", title, body);
}

std::string list_of(const std::vector<std::string>& items, const char* look = "") {
  std::string html;
  for (const std::string& item : items) html += "<li>" + item + "</li>\n";
  return html.empty() ? "" : fmt::format("<ul{}>\n{}</ul>\n", look, html);
}

/// A drawing made of characters: it keeps its lines, and its letters are as large as fit.
std::string sketch_html(const std::string& sketch, const std::string& name) {
  std::size_t widest = 40;
  for (const std::string& line : lines_of(sketch)) widest = std::max(widest, columns(line));
  return fmt::format(
      "<pre tabindex=\"0\" role=\"region\" aria-label=\"{}\" style=\"--columns:{}\">{}</pre>\n",
      svg::escaped(name), widest, svg::escaped(sketch));
}

/// "n<sup>3</sup>" of "n^3"
std::string with_exponents(const std::string& formula) {
  static const std::regex exponent("\\^([0-9a-zA-Z]+)");
  return std::regex_replace(svg::escaped(formula), exponent, "<sup>$1</sup>");
}

/// "at most 1.1 times 9 n^3/32 + n^2/4 sectors", one for each number that the rung is judged by.
std::vector<std::string> needed_amounts(const json& row) {
  std::vector<std::string> lines;
  for (const json& target : row.value("targets", json::array())) {
    const std::string limit =
        fmt::format("{} {:g} times that", target.value("relation", "<=") == ">=" ? "at least" : "at most",
                    target.value("bound", 0.0));
    lines.push_back(fmt::format("<code>{}</code>: {} · limit: {}", svg::escaped(target.value("metric", "")),
                                with_exponents(target.value("necessary", "")), limit));
  }
  return lines;
}

/// Writes the slides of one lesson, one after the other.
class Deck {
 public:
  Deck(const SlideSources& sources, const PartMaker& parts)
      : sources_(sources),
        parts_(parts),
        file_("lessons/" + sources.lesson + "/README.md"),
        page_(read_lesson_page(read_text(sources.root / file_))) {}

  Slides written() {
    first_slide();
    rungs_slide();
    for (const json& row : sources_.table.value("steps", json::array())) rung(row);
    last_slide();
    const std::string title = page_.title.empty() ? sources_.lesson : page_.title;
    result_.html = slides_page(title, slides_);
    return std::move(result_);
  }

 private:
  std::string html(const std::string& markdown) const { return inline_html(markdown, sources_.target); }

  void problem(std::size_t line, const std::string& text) { result_.problems.push_back({file_, line, text}); }

  std::string link_to(const std::string& anchor, const std::string& shown) const {
    return fmt::format("<a href=\"{}\">{}</a>", svg::escaped(sources_.target(anchor)), shown);
  }

  void add(const std::string& id, const std::string& body, const std::string& links = "") {
    slides_.push_back({id, body, links});
  }

  void first_slide() {
    if (page_.title.empty()) problem(0, "no title: the slides have none");
    if (page_.about.empty()) problem(0, "no paragraph below the title that the first slide could show");
    if (page_.needs.empty()) problem(0, "no paragraph that begins with \"You need\" for the first slide");
    std::vector<std::string> goals;
    for (const std::string& goal : page_.goals) goals.push_back(html(goal));
    add("title",
        fmt::format("<h1>{}</h1>\n<p class=\"idea\">{}</p>\n{}<p>{}</p>\n", html(page_.title),
                    html(page_.about), titled("Afterwards you can", list_of(goals)), html(page_.needs)),
        link_to("README.md", "the lesson's page"));
    if (!page_.formula.empty())
      add("problem", "<h2>The problem</h2>\n" + sketch_html(page_.formula, "The problem"),
          link_to("#the-problem", "on the lesson's page"));
  }

  void rungs_slide() {
    std::vector<std::string> items;
    for (const RungSection& rung : page_.rungs)
      if (const json row = row_of(rung.id); row.is_object())
        items.push_back(fmt::format("<a href=\"#{}\">{}</a> <small>{:g} h</small>", rung.id,
                                    html(rung.heading), row.value("hours", 0.0)));
    add("rungs", "<h2>The rungs</h2>\n" + list_of(items, " class=\"rungs\""));
  }

  json row_of(const std::string& id) const {
    for (const json& row : sources_.table.value("steps", json::array()))
      if (id_of(row.value("name", "")) == id) return row;
    return nullptr;
  }

  void rung(const json& row) {
    const std::string name = row.value("name", ""), id = id_of(name);
    const auto section = std::ranges::find(page_.rungs, id, &RungSection::id);
    if (section == page_.rungs.end()) return problem(0, id + " has no section, and therefore no slide");
    for (const auto& [words, text] : {std::pair{"**Predict.**", &section->question},
                                      {"<summary>Answer</summary>", &section->answer},
                                      {"**Judged by.**", &section->judged_by},
                                      {"**Why not more?**", &section->next}})
      if (text->empty()) problem(section->line, fmt::format("{} has no {} for its slides", id, words));
    const std::string anchor = "#" + heading_slug(section->heading);
    const std::string links = link_to(anchor, "its section, with the task");
    const std::string question = question_slide(*section, row);
    for (const std::string& number : given_away(section->question, section->answer, text_of_html(question)))
      problem(section->line,
              fmt::format("the slide of {} shows {}, an answer, before it is asked for", id, number));
    add(id, question, links);
    add(id + "-answer", answer_slide(*section, row), links + exam_of(id));
  }

  std::string question_slide(const RungSection& rung, const json& row) {
    const std::string picture = picture_of(rung);
    const bool svg = picture.starts_with("<figure>");
    const std::string question = titled("Predict", "<p>" + html(rung.question) + "</p>\n") +
                                 fmt::format("<p class=\"bound\">Judged by: {}</p>\n", html(rung.judged_by));
    return fmt::format(
        "<h2>{}</h2>\n<p class=\"idea\">{}</p>\n<div class=\"{}\">\n{}<div>\n{}</div>\n</div>\n",
        html(rung.heading), html(row.value("idea", "")), svg ? "halves" : "whole", picture, question);
  }

  std::string answer_slide(const RungSection& rung, const json& row) {
    std::vector<std::string> gains;
    for (const std::string& line : parts_.gain_lines(sources_.lesson, row.value("name", "")))
      gains.push_back(html(line));
    return fmt::format("<h2>{}: the answer</h2>\n<p>{}</p>\n{}{}{}", rung.id, strict_html(rung.answer),
                       titled("What the idea needs", list_of(needed_amounts(row))),
                       titled("Measured", gains.empty() ? "<p>Not measured.</p>\n" : list_of(gains)),
                       titled("Why not more?", rung.next.empty() ? "" : "<p>" + html(rung.next) + "</p>\n"));
  }

  /// The figure of the idea, else what the page draws with characters.
  std::string picture_of(const RungSection& rung) {
    if (!rung.drawing.empty()) return figure(rung.drawing, rung.line);
    return rung.sketch.empty() ? "" : sketch_html(rung.sketch, rung.heading);
  }

  std::string figure(const std::string& link, std::size_t line) {
    const fs::path path = (fs::path(file_).parent_path() / link).lexically_normal();
    const std::string svg = read_text(sources_.root / path);
    if (svg.empty()) problem(line, "the slides need " + path.string() + ", which is not there");
    return svg.empty() ? "" : "<figure>" + svg::with_own_ids(svg, ++figures_) + "</figure>\n";
  }

  std::string exam_of(const std::string& id) const {
    const auto found = sources_.exam.find(id);
    if (found == sources_.exam.end()) return "";
    return fmt::format(" · {}: {} (<code>./ladder exam --rungs {}/{}</code>)",
                       link_to("../../docs/exam.md", "exam questions"), found->second,
                       sources_.lesson.substr(0, 2), id);
  }

  void last_slide() {
    if (page_.ladder.empty()) return;
    add("ladder", "<h2>The whole ladder</h2>\n" + figure(page_.ladder, 0),
        link_to("../../docs/gpu-times.md", "every number"));
  }

  const SlideSources& sources_;
  const PartMaker& parts_;
  std::string file_;
  LessonPage page_;
  std::vector<Slide> slides_;
  std::size_t figures_ = 0;
  Slides result_;
};

}  // namespace

Slides lesson_slides(const SlideSources& sources, const PartMaker& parts) {
  return Deck(sources, parts).written();
}

std::string slides_file(const std::string& lesson) {
  return "slides-" + lesson + ".html";
}

}  // namespace ladder::report
