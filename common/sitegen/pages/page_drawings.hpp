#pragma once
/// @file
/// The drawings of all rungs.

#include <string>
#include <vector>

#include "common/report/figures/figures.hpp"

namespace ladder::report {

struct RungDrawing {
  std::string lesson, name;  ///< "03-dgemm", "g1-sectors"
  Caption caption;
  std::string svg;
};

/// Every drawing that a page can ask for.
std::vector<RungDrawing> rung_drawings();

}  // namespace ladder::report
