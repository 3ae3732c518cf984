#pragma once
/// @file
/// What must hold for a site that was built: its links lead somewhere, it needs no network, and no page is
/// far away.

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace ladder::report {

/// What was found in a folder of HTML files.
struct SiteCheck {
  std::size_t pages = 0, links = 0;
  std::size_t clicks = 0;             ///< to the page that is furthest from index.html
  std::vector<std::string> problems;  ///< one sentence each
};

/// Follows the links that are in the pages themselves: what only a script shows does not count.
/// @param max_clicks  from index.html to any page
SiteCheck check_site(const std::filesystem::path& folder, std::size_t max_clicks = 3);

}  // namespace ladder::report
