#pragma once
/// @file
/// How slides look: on a projector, on a phone, in the dark and on paper.

#include <string>
#include <vector>

namespace ladder::report {

/// One slide, in HTML.
struct Slide {
  std::string id, body, links;  ///< links: what is below, small
};

/// The whole file: arrow keys go from slide to slide, paper gets one slide a page. Without the script the
/// slides are one long page.
std::string slides_page(const std::string& title, const std::vector<Slide>& slides);

}  // namespace ladder::report
