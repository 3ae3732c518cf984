#include "common/tool/maintain/docs_pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "common/base/files/files.hpp"
#include "common/base/text/text.hpp"
#include "common/report/html/code_html.hpp"
#include "common/report/html/html.hpp"
#include "common/sitegen/site/glossary_sections.hpp"
#include "common/sitegen/site_text.hpp"
#include "common/sitegen/slides/slides.hpp"
#include "common/tool/exam/exam_bank.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;
using report::site_id;

/// A part of the site: a page that lists others. Pages that no part names are in the last one.
struct SitePart {
  const char *id, *title, *what;
  std::vector<std::string> pages;
};

const std::vector<SitePart>& site_parts() {
  static const std::vector<SitePart> parts = {
      {"guides",
       "Guides",
       "Where to begin, for those who learn, teach, or change something.",
       {"docs/student.md", "docs/session.md", "docs/instructor.md", "docs/contributing.md", "docs/tests.md",
        "docs/adding-a-lesson.md"}},
      {"measured",
       "What was measured",
       "How results are measured, and all of them in tables.",
       {"docs/measuring.md", "docs/profiler-permission.md", "docs/wide-accesses.md", "docs/rungs.md",
        "docs/gpu-times.md", "docs/top.md", "docs/results/README.md"}},
      {"how_it_works",
       "How it works",
       "The words, the design, and CUDA without a GPU.",
       {"docs/glossary.md", "docs/design.md", "common/executor/README.md", "docs/executor.md",
        "docs/programs.md", "docs/paper.md"}},
      {"courses",
       "Courses and grading",
       "For who gives a course with these lessons.",
       {"docs/syllabi.md", "docs/course.md", "docs/handout.md", "docs/grading.md", "docs/exam.md",
        "docs/image.md", "docs/grading-parity.md", "docs/grading-attacks.md"}},
      {"harness",
       "The harness, folder by folder",
       "What each folder of the harness is for; and other pages.",
       {}},
  };
  return parts;
}

/// All pages of docs and lessons, and README.md of other folders.
std::set<std::string> pages_of(const fs::path& root) {
  std::set<std::string> pages = {"README.md"};
  for (const char* folder : {"docs", "lessons", "common", "tests"}) {
    if (!fs::is_directory(root / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      const fs::path path = entry.path().lexically_relative(root);
      const bool whole = folder[0] == 'd' || folder[0] == 'l';
      if (path.filename() == "README.md" || (whole && path.extension() == ".md")) pages.insert(path.string());
    }
  }
  return pages;
}

/// A lesson and its rungs in the list of all lessons.
std::string listed(const LessonEntry& lesson, const std::string& path, const report::CutLesson& cut) {
  std::string list = fmt::format("- @subpage {} · <a href=\"{}\">slides</a>\n", site_id(path),
                                 report::slides_file(lesson.name));
  for (const report::RungPage& rung : cut.rungs)
    list += fmt::format("  - [{}](@ref {})\n", rung.heading, rung.name);
  return list;
}

/// What an exam can ask about each rung: "5 programs with a mistake, 2 counts". Nothing where it asks
/// nothing.
std::map<std::string, std::string> exam_questions(const fs::path& root, LessonEntry& lesson) {
  std::vector<StepEntry*> steps;
  for (StepEntry& step : lesson.steps) steps.push_back(&step);
  std::map<std::string, std::map<exam::Ask, int>> counts;  // by rung
  // Which questions there are does not follow from the key, only who gets which.
  for (const exam::Question& question : exam::questions_of(root, steps, grade::Key{}))
    ++counts[id_of(question.program().step)][question.ask];
  std::map<std::string, std::string> words;
  for (const auto& [id, of] : counts)
    for (const auto& [ask, count] : of) {
      const char* const one = ask == exam::Ask::mistake ? "program with a mistake"
                              : ask == exam::Ask::count ? "count"
                                                        : "comparison";
      const char* const many = ask == exam::Ask::mistake ? "programs with a mistake"
                               : ask == exam::Ask::count ? "counts"
                                                         : "comparisons";
      words[id] += fmt::format("{}{} {}", words[id].empty() ? "" : ", ", count, count == 1 ? one : many);
    }
  return words;
}

/// The tables of lessons as the pages' generator wants them.
report::Tables tables_of(const std::vector<LessonEntry*>& lessons) {
  report::Tables tables;
  for (const LessonEntry* lesson : lessons) tables[lesson->name] = lesson->table;
  return tables;
}

/// Writes the pages of one site.
class SitePages {
 public:
  SitePages(const fs::path& root, const fs::path& folder, const fs::path& site,
            const std::vector<LessonEntry*>& lessons)
      : root_(root),
        folder_(folder),
        site_(site),
        names_(pages_of(root)),
        text_(root, names_),
        parts_(root, tables_of(lessons)) {}

  void lesson(LessonEntry& lesson) {
    const std::string folder = "lessons/" + lesson.name + "/", readme = folder + "README.md";
    if (!names_.contains(readme)) return;
    std::map<std::string, std::string> after;
    const StepEntry* below = nullptr;
    for (const StepEntry& step : lesson.steps) {
      const bool same = below && below->track() == step.track();
      if (const std::string html = rung_html(root_, step, same ? below : nullptr); !html.empty()) {
        const std::string part = fmt::format("{}_{}.html", lesson.name, step.name);
        write_text(folder_ / "parts" / part, html);
        after[step.id()] = "@htmlinclude " + part + "\n";
        below = &step;
      }
    }
    slides(lesson, readme);
    std::map<std::string, std::string> below_page;
    for (const StepEntry& step : lesson.steps)
      below_page[step.id()] =
          fmt::format("<br><a href=\"{}#{}\">As slides</a>", report::slides_file(lesson.name), step.id());
    report::CutLesson cut = report::cut_lesson(text_.page(readme, after), below_page);
    lessons_ += listed(lesson, readme, cut);
    for (const report::RungPage& rung : cut.rungs) {
      put(folder + rung.id + ".md", rung.text);
      rungs_.push_back({lesson.name.substr(0, 2), rung.id, rung.name, rung.text});
    }
    for (const std::string& other : names_)
      if (other.starts_with(folder) && other != readme)
        cut.text += fmt::format("\nMore: @subpage {}\n", site_id(other)), page(other);
    put(readme, cut.text);
  }

  void all(const std::vector<LessonEntry*>& lessons) {
    std::string list;
    for (LessonEntry* one : lessons) lesson(*one);
    put_part("lessons", "Lessons", "Each lesson with its rungs.", lessons_);
    // Not @subpage: Doxygen's list of all pages has none that is below the main page.
    list += "- @ref lessons\n";
    for (const SitePart& part : site_parts()) {
      std::string pages;
      for (const std::string& path : part.pages.empty() ? rest() : part.pages)
        if (names_.contains(path)) page(path), pages += fmt::format("- @subpage {}\n", site_id(path));
      put_part(part.id, part.title, part.what, pages);
      list += fmt::format("- @ref {}\n", part.id);
    }
    put("README.md",
        text_.page("README.md") + "\n## All pages\n\n" + list +
            "\nThe code: <a href=\"files.html\">files</a>, <a href=\"annotated.html\">classes</a>, <a "
            "href=\"namespaces.html\">namespaces</a> and <a href=\"namespacemembers_func.html\">their "
            "functions</a>, <a "
            "href=\"functions_func.html\">functions of classes</a>, <a "
            "href=\"functions_vars.html\">variables</a>.\n");
  }

  SitePagesWritten take_written() { return std::move(written_); }
  const std::set<std::string>& files() const { return text_.files(); }

 private:
  void put(const std::string& path, const std::string& text) {
    const fs::path file = folder_ / "pages" / path;
    write_text(file, text);
    written_.pages.push_back(file);
    done_.insert(path);
  }

  void slides(LessonEntry& lesson, const std::string& readme) {
    const report::Slides slides =
        report::lesson_slides({.root = root_,
                               .lesson = lesson.name,
                               .table = lesson.table,
                               .target = [&](const std::string& link) { return text_.address(readme, link); },
                               .exam = exam_questions(root_, lesson)},
                              parts_);
    write_text(site_ / report::slides_file(lesson.name), slides.html);
    written_.slides.push_back(report::slides_file(lesson.name));
    written_.problems.insert(written_.problems.end(), slides.problems.begin(), slides.problems.end());
  }

  void put_part(const std::string& id, const std::string& title, const std::string& what,
                const std::string& list) {
    put("parts/" + id + ".md", fmt::format("# {} {{#{}}}\n\n{}\n\n{}", title, id, what, list));
  }

  /// @pre the lessons are written: the glossary leads to their rungs
  void page(const std::string& path) {
    const std::string text = text_.page(path);
    put(path, path == "docs/glossary.md" ? report::glossary_sections(text, rungs_) : text);
  }

  /// Pages that no part names.
  std::vector<std::string> rest() const {
    std::vector<std::string> rest;
    for (const std::string& path : names_)
      if (!done_.contains(path) && path != "README.md") rest.push_back(path);
    return rest;
  }

  fs::path root_, folder_, site_;
  std::set<std::string> names_, done_;
  report::SiteText text_;
  report::PartMaker parts_;
  std::vector<report::RungText> rungs_;
  std::string lessons_;
  SitePagesWritten written_;
};

/// A page for a source, a copy of anything else.
void put_file(const fs::path& root, const std::string& path, const fs::path& site) {
  const fs::path to = site / report::site_file(path);
  if (!report::is_shown_as_source(path)) {
    fs::create_directories(to.parent_path());
    fs::copy_file(root / path, to, fs::copy_options::overwrite_existing);
    return;
  }
  const auto up = static_cast<std::size_t>(std::count(path.begin(), path.end(), '/')) + 1;
  std::string top;
  for (std::size_t i = 0; i < up; ++i) top += "../";
  const fs::path copy = site / "files" / path;
  fs::create_directories(copy.parent_path());
  fs::copy_file(root / path, copy, fs::copy_options::overwrite_existing);
  write_text(to, report::source_page(path, report::code_html(path, lines_of(read_text(root / path))), top));
}

}  // namespace

std::string rung_html(const fs::path& root, const StepEntry& step, const StepEntry* below) {
  const std::string source = read_text(source_of(root, "solutions", step));
  if (source.empty()) return {};
  const auto lines = report::shown_source(source);
  // The classes are those of docs/site.js: a student's view has none of these folds, a reader's has the code
  // open.
  const auto fold = [](const std::string& kind, const std::string& title, const std::string& body) {
    return fmt::format(
        "<details class=\"ladder-fold ladder-solution {}\"><summary>{}</summary>\n{}</details>\n", kind,
        title, body);
  };
  std::string html = fold("ladder-reference", "Reference code: <code>" + step.file + "</code>",
                          report::code_html(step.file, lines));
  if (below) {
    const auto lower = report::shown_source(read_text(source_of(root, "solutions", *below)));
    html += fold("ladder-difference", fmt::format("What differs from {}", below->id()),
                 report::diff_html(below->file, step.file, line_diff(lower, lines)));
  }
  return html + "<script src=\"site.js\"></script>\n";
}

SitePagesWritten write_site_pages(const fs::path& root, const std::vector<LessonEntry*>& lessons,
                                  const fs::path& folder, const fs::path& site) {
  SitePages pages(root, folder, site, lessons);
  pages.all(lessons);
  for (const std::string& file : pages.files()) put_file(root, file, site);
  return pages.take_written();
}

}  // namespace ladder
