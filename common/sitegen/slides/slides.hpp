#pragma once
/// @file
/// A lesson's slides, for people who teach it: one HTML file that needs nothing else. Each rung has a slide
/// with its idea, its drawing and the page's question, and one behind it with the answer and what was
/// measured. Nothing is written for them: all comes from the lesson's page, its table and the stored runs.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "common/sitegen/pages/page_parts.hpp"
#include "common/sitegen/slides/inline_html.hpp"

namespace ladder::report {

/// What slides are made of, apart from the lesson's page.
struct SlideSources {
  std::filesystem::path root;               ///< the checkout
  std::string lesson;                       ///< "03-dgemm"
  nlohmann::json table;                     ///< with "steps"
  LinkTarget target;                        ///< for links of the lesson's page
  std::map<std::string, std::string> exam;  ///< by rung ("g2"): "5 programs with a mistake, 2 counts"
};

/// The file, and what is missing for it.
struct Slides {
  std::string html;
  std::vector<PageProblem>
      problems;  ///< a rung without a section, a section without a question, a spoiled answer
};

/// @param parts  of the same checkout
Slides lesson_slides(const SlideSources& sources, const PartMaker& parts);

/// "slides-03-dgemm.html", in the folder of the site's pages.
std::string slides_file(const std::string& lesson);

}  // namespace ladder::report
