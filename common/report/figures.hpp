#pragma once
/// @file
/// Figures as SVG that needs no script: readable at phone width, in print, and without colours.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ladder::report {

/// What every figure says about itself.
struct Caption {
  std::string title;        ///< the finding: "Tiles cut traffic 18-fold"
  std::string alternative;  ///< the same in words, for those who do not see the figure
  std::string corner;       ///< machine and date
};

/// Whose numbers: decides colour and dash. Colours after Okabe and Ito; dashes carry the same meaning.
enum class Part { baseline, source, rung, library, floor };

/// A ladder: one bar a rung on a logarithmic time axis; library and floor are lines.
struct LadderFigure {
  struct Bar {
    std::string label;
    double seconds, low, high;
    Part part = Part::rung;
  };
  Caption caption;
  std::vector<Bar> bars;
  double library = 0, floor = 0;  ///< seconds; 0: none
};
std::string ladder_bars(const LadderFigure& figure);

/// Time against n, both axes logarithmic, slopes 2 and 3 as guides.
struct TimeFigure {
  struct Point {
    double n, seconds;
  };
  struct Line {
    std::string label;
    Part part = Part::rung;
    std::vector<Point> points;
  };
  Caption caption;
  std::vector<Line> lines;
};
std::string time_against_n(const TimeFigure& figure);

/// The ladder figure of a lesson's results; no bars when nothing was timed.
/// @param document  the whole document: machine and date
LadderFigure ladder_figure(const nlohmann::json& lesson, const nlohmann::json& document);

}  // namespace ladder::report
