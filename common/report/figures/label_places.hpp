#pragma once
/// @file
/// Where the names of lines go: at their ends, on nothing that is drawn.

#include <string>
#include <vector>

namespace ladder::report::svg {

struct Point {
  double x, y;
};

/// The place of a label.
struct Box {
  double x0, y0, x1, y1;
  bool overlaps(const Box& o) const { return x0 < o.x1 && o.x0 < x1 && y0 < o.y1 && o.y0 < y1; }
  bool has(const Point& p) const { return p.x > x0 && p.x < x1 && p.y > y0 && p.y < y1; }
};

/// The length of the line from a to b inside the box, to two units.
double covered(const Box& box, const Point& a, const Point& b);

/// The name of a line, and where it is put.
struct LineName {
  std::string words;
  Point end;   ///< of its line
  Point at{};  ///< of the text, when it was placed
  const char* anchor = "start";
  bool leader = false;  ///< a thin line joins the name and the end of its line
  bool minor = false;   ///< placed after the others: of a guide
};

/// The space that names may use.
struct Space {
  double left, right, top, bottom;
};

/// Places each name near the end of its line. Names of lines that end farthest to the right are below each
/// other, moved as little as possible. The others are where they cover neither a line nor another name; when
/// there is no such place, where they cover least.
/// @param lines  what is drawn: polylines
/// @param size   of the letters
void place(std::vector<LineName>& names, const std::vector<std::vector<Point>>& lines, const Space& space,
           double size);

/// The names as SVG, with their leaders.
std::string drawn(const std::vector<LineName>& names, double size);

/// How many ticks one of which gets a label, so that no label touches the next: 1 when all of them fit.
/// @param xs      of the ticks, from left to right
/// @param widths  of their labels
std::size_t label_stride(const std::vector<double>& xs, const std::vector<double>& widths);

}  // namespace ladder::report::svg
