#pragma once
/// @file
/// Figures as SVG that needs no script: readable at 360 px and in print, on a light and on a dark page, and
/// without colours.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/model/document.hpp"

namespace ladder::report {

/// The texts of every figure.
struct Caption {
  std::string title;        ///< the finding: "Tiles cut traffic 18-fold"
  std::string alternative;  ///< the same in words, for those who do not see the figure
  std::string corner;       ///< machine and date
};

/// A text alternative has at most so many letters: the numbers are in a table next to the figure.
inline constexpr std::size_t longest_alternative = 200;

/// The whole sentences that fit into that; where the first one does not, its beginning.
std::string short_alternative(const std::string& text);

/// Whose numbers: decides colour and dash. Colours after Okabe and Ito; dashes carry the same meaning.
enum class Part { baseline, source, rung, library, floor };

/// Rungs of a ladder as steps from left to right, their rates rising upwards on a logarithmic axis. All
/// solved a problem of one size on one device, and are timed by one clock.
struct LadderFigure {
  struct Step {
    std::string name;          ///< "g2"
    double rate;               ///< amounts of work per second
    double low = 0, high = 0;  ///< interval; 0: not known
    double from = 0;           ///< rate of the program without the idea; 0: not known
    double gain = 0;           ///< how many times as fast as that; 0: not known
    bool elsewhere = false;    ///< its idea pays at another size, or in some kernels
    bool pays() const;         ///< false: it is drawn grey
    bool moves() const;        ///< false: it is drawn without a riser, and flat
  };
  struct Level {
    std::string name;  ///< "cuBLAS", "FP64 tensor peak"
    double rate = 0;   ///< 0: none
  };
  Caption caption;
  std::string unit;  ///< what a rate counts: "FLOP", "B", "pairs", "calls"
  std::vector<Step> steps;
  Level library{}, ceiling{};
  std::vector<std::string> notes{};  ///< below the steps: experiments, gains that other sizes show
  std::string kind{};                ///< "c", "m", "g", or "g-host" of rungs whose arrays are on the host
  bool on_device = true;             ///< false: PoCL's, a GPU that the CPU plays
  std::size_t pairs = 0;             ///< rungs that were timed next to the program without their idea

  std::size_t rungs() const;  ///< the baseline is none
  bool shows_a_gain() const;
};
std::string ladder_steps(const LadderFigure& figure);

/// "×1.5"
std::string gain_text(double gain);

/// Time against n, both axes logarithmic, slopes 2 and 3 as guides.
struct TimeFigure {
  struct Point {
    double n, seconds;
    double low = 0, high = 0;  ///< interval; 0: none
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

/// Any quantity against another, lines labelled at their ends.
struct CurvesFigure {
  struct Axis {
    std::string label;
    bool logarithmic = false;
    std::vector<std::string> names{};  ///< of the values 0, 1, 2, …, where it has no numbers: classes
  };
  struct Point {
    double x, y;
    double low = 0, high = 0;  ///< interval; equal: none
  };
  struct Line {
    std::string label;
    Part part = Part::rung;
    std::vector<Point> points;
  };
  Caption caption;
  Axis x, y;
  std::vector<Line> lines;
  std::vector<double> marks{};  ///< values of x with a line across, where something is expected
  std::string marks_label{};    ///< what is expected there
};
std::string curves(const CurvesFigure& figure);

/// What each of several programs spends its time with: bars from zero, their parts one after the other.
struct StackedFigure {
  struct Row {
    std::string label;
    std::vector<double> seconds;  ///< of each part
  };
  Caption caption;
  std::vector<std::string> parts;  ///< "elimination", "substitution"
  std::vector<Row> rows;
};
std::string stacked(const StackedFigure& figure);

/// A number for each pair of two settings: darker is more, and each cell shows its number.
struct HeatFigure {
  Caption caption;
  std::string rows_label, columns_label, unit;
  std::vector<double> rows, columns;
  /// One row of numbers each; not finite: not measured, hatched.
  std::vector<std::vector<double>> cells;
  std::vector<double> marked{};      ///< for each column the row that has a dashed frame; 0: none
  std::vector<std::string> notes{};  ///< sentences below: what the dashed frames are
};
std::string heat_map(const HeatFigure& figure);

/// Where the entries of matrices are, side by side.
struct SpyFigure {
  struct Cell {
    int row, column;
    double entries;
  };
  struct Panel {
    std::string label;
    int size = 1;  ///< cells along a side
    std::vector<Cell> cells;
  };
  Caption caption;
  std::vector<Panel> panels;
};
std::string spy(const SpyFigure& figure);

/// The ladder of a lesson's results, a picture for each size, device and place of the arrays: the one with
/// most rungs first. Empty when nothing was timed, except by the executor.
/// @param document  the whole document: machine and date
/// @param rows      of the lesson's table: clocks, programs without an idea, experiments; none: each rung is
/// compared with the one before it
std::vector<LadderFigure> ladder_figures(const model::LessonResults& lesson, const model::Document& document,
                                         const nlohmann::json& rows = nlohmann::json::array());

}  // namespace ladder::report
