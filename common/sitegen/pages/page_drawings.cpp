/// @file
/// The drawings of the rungs on the pages.

#include "common/sitegen/pages/page_drawings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "common/sitegen/drawings/drawings.hpp"
#include "common/sitegen/pages/page_parts.hpp"

namespace ladder::report {
namespace {

/// Those of all motifs, in the order of the lessons.
std::vector<DrawingMaker> drawing_makers() {
  std::vector<DrawingMaker> all;
  for (const auto& motif : {access_drawings(), cell_drawings(), time_drawings(), tree_drawings()})
    all.insert(all.end(), motif.begin(), motif.end());
  std::sort(all.begin(), all.end(), [](const DrawingMaker& a, const DrawingMaker& b) {
    return std::tuple<std::string, std::string>(a.lesson, a.name) <
           std::tuple<std::string, std::string>(b.lesson, b.name);
  });
  return all;
}

}  // namespace

std::vector<RungDrawing> rung_drawings() {
  std::vector<RungDrawing> all;
  for (const DrawingMaker& d : drawing_makers()) {
    RungDrawing& one = all.emplace_back(RungDrawing{d.lesson, d.name, {}, ""});
    one.svg = d.make(one.caption);
  }
  return all;
}

std::vector<std::string> PartMaker::drawing(const std::string& page, const std::string& lesson,
                                            const std::string& name) {
  for (const DrawingMaker& d : drawing_makers())
    if (lesson == d.lesson && name == d.name) {
      Caption caption;
      const std::string svg = d.make(caption);
      return {
          shown(page, fmt::format("lessons/{}/figures/draw-{}.svg", lesson, name), svg, caption.alternative)};
    }
  throw UnknownPart(
      fmt::format("no drawing {} of {}: they are listed in common/sitegen/drawings", name, lesson));
}

}  // namespace ladder::report
