#pragma once
/// @file
/// The table of one lesson: every rung with its verdict and its time.

#include <functional>
#include <string>

#include "common/model/document.hpp"

namespace ladder::report {

/// Colours a verdict; may be empty.
using Paint = std::function<std::string(const std::string& verdict, std::size_t width)>;

/// The tables of a lesson's results : verdicts and times, then the numbers that the
/// ideas must change, then the reasons for everything that did not pass. The columns baseline, below, library
/// and floor are the peer's time over the step's: above 1x the step is faster. The column energy is joules
/// per call, where they could be read.
std::string lesson_table(const model::LessonResults& lesson, std::size_t width, const Paint& paint);

/// A table of the source's numbers next to ours.
std::string reproduction_table(const model::Reproduction& made, std::size_t width);

}  // namespace ladder::report
