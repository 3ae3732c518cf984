#pragma once
/// @file
/// What figures are drawn with: text, lines, colours, logarithmic axes, and the frame of a figure.

#include <cstddef>
#include <string>
#include <vector>

#include "common/report/figures/figures.hpp"

namespace ladder::report::svg {

/// Units of the picture. A phone shows 360 px: letters of 14 units are then 12 px high.
constexpr double width = 420;

/// Grey, orange, light to dark blue, the colour of text: baseline, source, rungs, library and floor.
/// @param i, n  the i-th of n rungs
std::string colour(Part part, std::size_t i, std::size_t n);

/// Text with an outline in the colour of the paper, so that it is readable on top of lines. More: further
/// attributes.
std::string text(double x, double y, const std::string& what, const char* anchor = "start",
                 const std::string& more = "");

/// Small lines of words, of at most so many columns each. `y` of the first one; moved to where a next one
/// would be.
std::string paragraph(double x, double& y, const std::string& words, std::size_t columns = 55);

/// A line in the colour of text, unless `more` states a stroke.
std::string line(double x1, double y1, double x2, double y2, const std::string& more);

/// A rectangle. Fill: a colour, or `hatched` for what is wasted or empty; more: further attributes.
std::string box(double x, double y, double across, double down, const std::string& fill,
                const std::string& more = "");

/// The fill for waste: lines, so that it is recognised without colours.
constexpr const char* hatched = "url(#hatch)";

/// Text escaped for SVG and HTML.
std::string escaped(const std::string& text);

/// A figure whose ids are its own on a page with several.
/// @param number  of the figure on the page
std::string with_own_ids(std::string figure, std::size_t number);

/// An interval: a line with caps, with an outline in the colour of the paper.
std::string interval(double x1, double y1, double x2, double y2);

/// The frame that all figures share: title, text alternative, machine and date in the corner.
/// @param height of the body, whose y begins at 0 below the title
std::string framed(const Caption& caption, double height, const std::string& body);

/// What is left for the body of a figure that is to be `all` units high.
double body_height(const Caption& caption, double all);

/// The columns that a text takes, in units, roughly.
double extent(const std::string& what, double size);

/// A logarithmic axis with a little air at both ends.
class LogAxis {
 public:
  LogAxis(double smallest, double largest, double first, double last);
  double at(double value) const;

  /// Where lines of a grid are: decades, or 1, 2 and 5 when there are few of these.
  std::vector<double> ticks() const;

 private:
  double low_, high_, from_, to_;  ///< decades; pixels
};

}  // namespace ladder::report::svg
