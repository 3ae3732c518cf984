#pragma once
/// @file
/// Figures as SVG that needs no script: readable at 360 px and in print, on a light and on a dark page, and
/// without colours.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ladder::report {

/// The texts of every figure.
struct Caption {
  std::string title;        ///< the finding: "Tiles cut traffic 18-fold"
  std::string alternative;  ///< the same in words, for those who do not see the figure
  std::string corner;       ///< machine and date
};

/// Whose numbers: decides colour and dash. Colours after Okabe and Ito; dashes carry the same meaning.
enum class Part { baseline, source, rung, library, floor };

/// A ladder. Its groups solved the same problem on the same device, by the same clock: a dot for each rung on
/// a logarithmic axis of time, with library and ceiling as named lines. On the executor, whose times mean
/// nothing, a group shows ideas: the number that each has to change, over the necessary amount.
struct LadderFigure {
  struct Dot {
    std::string label;
    double seconds, low, high;  ///< median and its interval
    Part part = Part::rung;
    std::string remark = "";  ///< a verdict other than PASS, or a percent
    double ceiling = 0;       ///< seconds, where rungs of a group have different ones; 0: none
  };
  /// A number that a rung's idea changes, as a ratio to the necessary amount.
  struct Idea {
    std::string label, metric, relation;
    double bound = 0;
    std::optional<double> measured{}, below{};  ///< by this rung, and by the one below it
    std::string remark = "";
  };
  struct Group {
    std::string heading;  ///< "n = 768, CPU"
    std::vector<Dot> dots;
    double library = 0, floor = 0;  ///< seconds; 0: none
    std::string library_name{};     ///< "cuBLAS"
    std::string ceiling{};          ///< that the floor belongs to: "FP64 tensor peak"
    std::vector<Idea> ideas{};
    double library_most = 0;  ///< the largest of several races, where they differ; 0: they do not
  };
  Caption caption;
  std::vector<Group> groups;
  std::vector<std::string> notes{};  ///< sentences below the axis
};
std::string ladder_dots(const LadderFigure& figure);

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

/// The ladder figure of a lesson's results; no groups when nothing was timed, nor counted.
/// @param document  the whole document: machine and date
LadderFigure ladder_figure(const nlohmann::json& lesson, const nlohmann::json& document);

}  // namespace ladder::report
