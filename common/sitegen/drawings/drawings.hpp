#pragma once
/// @file
/// The drawings of the rungs' ideas, computed from the index formulas of the rungs: a file for each motif.

#include <string>
#include <vector>

#include "common/report/figures/figures.hpp"

namespace ladder::report {

struct DrawingMaker {
  const char *lesson, *name;  ///< "03-dgemm", "g1-sectors"
  std::string (*make)(Caption& caption);
};

std::vector<DrawingMaker> access_drawings();  ///< sectors and banks
std::vector<DrawingMaker> cell_drawings();    ///< cells of matrices
std::vector<DrawingMaker> time_drawings();    ///< bars over time
std::vector<DrawingMaker> tree_drawings();    ///< rounds of a tree or graph

}  // namespace ladder::report
