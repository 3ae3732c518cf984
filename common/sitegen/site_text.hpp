#pragma once
/// @file
/// Pages of the repository as Doxygen reads them for the site: headings with the names that code hosts give
/// them, links that lead to pages of the site, and a page of its own for each rung's section, with its
/// reference and what differs from the rung below.

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ladder::report {

/// The name of a page in the site: README.md is "mainpage", "docs/design.md" is "docs_design".
std::string site_id(const std::string& path);

/// The name of a heading as GitHub makes it: "g2 · Read each tile once" is "g2--read-each-tile-once".
std::string heading_slug(const std::string& heading);

/// The section of a rung as a page of its own.
struct RungPage {
  std::string id, name, heading;  ///< "g2", "lessons_03_dgemm_g2", "g2 · Read each tile once"
  std::string text;
};

/// A lesson's page, with links to its rungs in the place of their sections.
struct CutLesson {
  std::string text;
  std::vector<RungPage> rungs;
};

/// Cuts the sections of rungs out of a lesson's page. Above and below each there are links to the rungs
/// before and after it, and to the lesson.
/// @param text   as SiteText::page returns it
/// @param below  what follows a page's links at its end, by rung: " · [slides](…)"
CutLesson cut_lesson(const std::string& text, const std::map<std::string, std::string>& below = {});

/// Turns pages into what Doxygen reads, and notes which other files they lead to.
class SiteText {
 public:
  /// @param root   the checkout
  /// @param pages  all pages of the site, by their paths in it
  SiteText(std::filesystem::path root, std::set<std::string> pages);

  /// @param after  what is at the end of a section, by the first word of its heading: "g2"
  std::string page(const std::string& path, const std::map<std::string, std::string>& after = {});

  /// Where a link of a page leads to, from the folder of the site's pages: "docs_design.html#docs_design__a".
  std::string address(const std::string& path, const std::string& link);

  /// Files that pages lead to: sources to be shown, and others to be copied.
  const std::set<std::string>& files() const { return files_; }

 private:
  std::string linked(const std::string& path, const std::string& line);
  std::string target(const std::string& path, const std::string& link, bool image);

  std::filesystem::path root_;
  std::set<std::string> pages_, files_;
};

/// Where a file of the repository is in the site: a page for a source, a copy for others.
std::string site_file(const std::string& path);

/// Whether a file is shown as a page of source.
bool is_shown_as_source(const std::string& path);

}  // namespace ladder::report
