#pragma once
/// @file
/// The figures that a record of kind reproduction states as numbers.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/model/machine.hpp"
#include "common/report/figures/figures.hpp"

namespace ladder::report {

/// A figure of a record, drawn.
struct DrawnFigure {
  std::string name;  ///< what its file is called after: "heat"
  std::string svg;
  std::string alternative;  ///< the same in words
};

/// The figures of a record: those that it states, in their order. A record without the field "figures" states
/// none.
/// @param corner  machine and date; a figure that was not measured there states another one
/// @param has_gpu  false: figures of GPU rungs would show the executor's time, and are left out
std::vector<DrawnFigure> stated_figures(const nlohmann::json& record, const std::string& corner,
                                        bool has_gpu = true);

/// Marks the cells of heat maps of blocks by threads that fill the machine's GPU: its multiprocessors times
/// the resident blocks that another record of the lesson has, "Resident blocks of a multiprocessor". Without
/// one nothing is marked.
void mark_residency(nlohmann::json& records, const model::Machine& machine);

/// The figures of a record as they are drawn, where that is not as the record states them
/// (redrawn_figures.cpp).
nlohmann::json redrawn_figures(const nlohmann::json& record);

/// A sentence of a stored reproduction as it would be written now.
std::string restated(const std::string& sentence);

}  // namespace ladder::report
