#pragma once
/// @file
/// What Doxygen gets to read for the site: pages, how they are ordered, and what is below the rungs.

#include <filesystem>
#include <string>
#include <vector>

#include "common/sitegen/pages.hpp"
#include "common/tool/catalogue/catalogue.hpp"

namespace ladder {

/// What was written for a site.
struct SitePagesWritten {
  std::vector<std::filesystem::path> pages;   ///< in the order in which Doxygen has to read them
  std::vector<std::string> slides;            ///< files of the site: "slides-03-dgemm.html"
  std::vector<report::PageProblem> problems;  ///< what slides lack
};

/// Writes pages, and parts that pages include, into a folder; slides, pages of sources, and copies of other
/// files that pages lead to into the site.
/// @param site  the folder of the site
SitePagesWritten write_site_pages(const std::filesystem::path& root, const std::vector<LessonEntry*>& lessons,
                                  const std::filesystem::path& folder, const std::filesystem::path& site);

/// What is below a rung's section, folded: its reference, and what differs from the rung below. Empty
/// where there is no solution.
/// @param below  null: it is the first of its track
std::string rung_html(const std::filesystem::path& root, const StepEntry& step, const StepEntry* below);

}  // namespace ladder
