/// @file
/// Draws a ladder: rungs as steps on a logarithmic axis of rates, 16:9. No line crosses a label, and no label
/// another one.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "common/report/figures/figures.hpp"
#include "common/report/figures/label_places.hpp"
#include "common/report/figures/svg.hpp"
#include "common/report/text/table.hpp"

namespace ladder::report {
namespace {

using svg::Point;
using svg::text;

constexpr double margin = 6, top = 22, letters = 12.5, row = 14;
constexpr double height = svg::width * 9 / 16;
/// Okabe and Ito's blue; grey for what does not pay. Both stand out from white and from dark paper.
constexpr const char *blue = "#0072b2", *grey = "#8c8c8c";

/// The width of a text: capitals and bold letters are wide.
double width_of(const std::string& words, bool bold = false) {
  const auto capitals = std::ranges::count_if(words, [](unsigned char c) { return std::isupper(c); });
  return (bold ? 1.12 : 1) * svg::extent(words, letters) + 0.16 * letters * static_cast<double>(capitals);
}

/// "T" and 1e12: what the numbers of an axis are in.
struct Scale {
  double value;
  std::string prefix, words;
};

Scale scale_of(double largest) {
  for (const Scale& scale : {Scale{1e12, "T", "trillion "}, {1e9, "G", "billion "}, {1e6, "M", "million "}})
    if (largest >= scale.value) return scale;
  return {1, "", ""};
}

/// "TFLOP/s", "billion pairs per second"
std::string unit_words(const Scale& scale, const std::string& unit) {
  const bool has_sign = unit == "FLOP" || unit == "B" || unit == "OP";
  return has_sign ? scale.prefix + unit + "/s" : scale.words + unit + " per second";
}

/// Where everything is.
struct Layout {
  double left = 36, right = svg::width - 10, bottom = 0, column = 0;
  svg::LogAxis rates{1, 10, 1, 0};
  Scale scale{1, "", ""};
  bool ceiling_inside = false;
  std::vector<std::string> library{};  ///< the lines of its label

  double left_of(std::size_t i) const { return left + column * static_cast<double>(i); }
};

/// "0.1", "30", "100,000"
std::string tick(const Layout& l, double value) {
  const double shown = value / l.scale.value;
  return shown < 1000 ? fmt::format("{:g}", shown) : short_number(shown);
}

Layout layout_of(const LadderFigure& figure) {
  Layout l;
  double least = 1e300, most = 0;
  const auto take = [&](double rate) {
    if (rate > 0 && std::isfinite(rate)) least = std::min(least, rate), most = std::max(most, rate);
  };
  for (const auto& step : figure.steps) take(step.rate), take(step.low), take(step.high), take(step.from);
  take(figure.library.rate);
  l.scale = scale_of(most);
  // A ceiling that is far away would press the steps together: its label has an arrow instead of a line.
  constexpr double far = 6;
  l.ceiling_inside = figure.ceiling.rate > 0 && figure.ceiling.rate < far * most;
  if (l.ceiling_inside) take(figure.ceiling.rate);
  constexpr double span = 4;
  if (most < span * least) least = most / span;
  if (figure.library.rate > 0) {
    l.library = wrapped(figure.library.name, 9);
    l.library.push_back(short_number(figure.library.rate / l.scale.value));
  }
  double label = 0;
  for (const std::string& line : l.library) label = std::max(label, width_of(line));
  l.right = svg::width - (label + 10);
  l.bottom = svg::body_height(figure.caption, height) - 18 - row * static_cast<double>(figure.notes.size());
  l.rates = svg::LogAxis(least / 1.15, most, l.bottom, top);
  for (const double value : l.rates.ticks()) l.left = std::max(l.left, margin + width_of(tick(l, value)) + 5);
  l.column = (l.right - l.left) / static_cast<double>(std::max<std::size_t>(1, figure.steps.size()));
  return l;
}

std::string coloured(const LadderFigure::Step& step) {
  return fmt::format("stroke=\"{}\"", step.pays() ? blue : grey);
}

std::string grid(const Layout& l) {
  std::string out;
  for (const double value : l.rates.ticks()) {
    const double y = l.rates.at(value);
    out += svg::line(l.left, y, l.right, y, "stroke-opacity=\"0.15\" stroke-width=\"1\"") +
           text(l.left - 5, y + 4, tick(l, value), "end", "font-size=\"11.5\"");
  }
  return out;
}

/// A step, and its riser from where the program without the idea is.
std::string step_of(const LadderFigure& figure, std::size_t i, const Layout& l,
                    std::vector<std::vector<Point>>& lines) {
  const auto& step = figure.steps[i];
  const double x = l.left_of(i), y = l.rates.at(step.rate), end = x + l.column;
  std::string out;
  if (step.moves()) {
    const double from = l.rates.at(step.from);
    out += svg::line(x, from, x, y, coloured(step) + " stroke-width=\"2\"");
    // Where it does not begin at the step to the left, its foot shows that.
    if (i == 0 || std::abs(from - l.rates.at(figure.steps[i - 1].rate)) > 2)
      out +=
          svg::line(x, from, x + std::min(8.0, l.column / 2), from, coloured(step) + " stroke-width=\"2\"");
    lines.push_back({{x, from}, {x, y}});
  }
  out += svg::line(x, y, end, y, coloured(step) + fmt::format(" stroke-width=\"{}\"", step.pays() ? 4 : 2.5));
  lines.push_back({{x, y}, {end, y}});
  const double low = step.low > 0 ? l.rates.at(step.low) : y,
               high = step.high > 0 ? l.rates.at(step.high) : y;
  constexpr double visible = 5;  // a shorter interval would only be two caps on the step
  if (low - high > visible) {
    out += svg::interval(x + l.column / 2, low, x + l.column / 2, high);
    lines.push_back({{x + l.column / 2, low}, {x + l.column / 2, high}});
  }
  return out;
}

/// The gain next to its riser, where it covers least.
std::string gain_label(const LadderFigure::Step& step, std::size_t i, const Layout& l,
                       const std::vector<std::vector<Point>>& lines, std::vector<svg::Box>& taken) {
  const std::string words = gain_text(step.gain);
  const double x = l.left_of(i), end = x + l.column, y = l.rates.at(step.rate), from = l.rates.at(step.from),
               across = width_of(words, true);
  // Of the left end of the text's foot; in the step's own column, if there is room.
  std::vector<Point> places;
  for (double away = 0; away < 60; away += row / 2)
    for (const double at : {end - across - 1, (x + end - across) / 2, x + 2, x + 5})
      places.insert(places.end(), {{at, y - 6 - away}, {at, y + 15 + away}});
  if (step.gain > 1) places.push_back({x - across - 6, (y + from) / 2 + 4});
  double least = 1e300;
  Point best{};
  svg::Box place{};
  for (std::size_t k = 0; k < places.size(); ++k) {
    const svg::Box here{places[k].x - 1, places[k].y - 10.5, places[k].x + across + 1, places[k].y + 2};
    double cost = static_cast<double>(k);
    if (here.x0 < l.left || here.x1 > l.right || here.y0 < 0 || here.y1 > l.bottom) cost += 1e5;
    for (const svg::Box& other : taken) cost += here.overlaps(other) ? 1e5 : 0;
    for (const auto& line : lines) cost += 20 * svg::covered(here, line[0], line[1]);
    if (cost < least) least = cost, best = places[k], place = here;
  }
  taken.push_back(place);
  return text(best.x, best.y, words, "start",
              fmt::format("font-size=\"{}\" font-weight=\"bold\" stroke-width=\"3\"", letters));
}

/// The names of the rungs below their steps.
std::string names(const LadderFigure& figure, const Layout& l) {
  std::string out;
  for (std::size_t i = 0; i < figure.steps.size(); ++i)
    out += text(l.left_of(i) + l.column / 2, l.bottom + 14, figure.steps[i].name, "middle",
                fmt::format("font-size=\"{}\"", l.column < 22 ? 11 : letters));
  return out;
}

}  // namespace

std::string ladder_steps(const LadderFigure& figure) {
  if (figure.steps.empty()) return svg::framed(figure.caption, 0, "");
  Layout l = layout_of(figure);
  std::string body = grid(l), labels;
  std::vector<std::vector<Point>> lines;
  std::vector<svg::Box> taken;
  const std::string counted = figure.unit == "B" ? "necessary bytes, " : "";
  const std::string unit = counted + unit_words(l.scale, figure.unit) + ", log scale";
  taken.push_back({0, 0, margin + width_of(unit), 14});
  labels += text(margin, 11, unit, "start", fmt::format("font-size=\"{}\"", letters));
  if (figure.ceiling.rate > 0) {
    const double y = l.ceiling_inside ? l.rates.at(figure.ceiling.rate) : 0,
                 foot = l.ceiling_inside ? y - 5 : 11;
    const std::string words = (l.ceiling_inside ? "" : "↑ ") + figure.ceiling.name + " " +
                              short_number(figure.ceiling.rate / l.scale.value);
    if (l.ceiling_inside) {
      body += svg::line(l.left, y, l.right, y, "stroke-width=\"1.6\" stroke-dasharray=\"7 5\"");
      lines.push_back({{l.left, y}, {l.right, y}});
    }
    taken.push_back({l.right - width_of(words), foot - 11, l.right, foot + 3});
    labels += text(l.right, foot, words, "end", fmt::format("font-size=\"{}\"", letters));
  }
  if (figure.library.rate > 0) {
    const double y = l.rates.at(figure.library.rate);
    body += svg::line(l.left, y, l.right, y, "stroke-width=\"1.6\"");
    lines.push_back({{l.left, y}, {l.right, y}});
    const double high = row * static_cast<double>(l.library.size());
    double at = std::clamp(y - high / 2, top - 6, std::max(top - 6, l.bottom - high)) + 11;
    for (const std::string& one : l.library) {
      labels += text(l.right + 5, at, one, "start", fmt::format("font-size=\"{}\"", letters));
      at += row;
    }
  }
  for (std::size_t i = 0; i < figure.steps.size(); ++i) body += step_of(figure, i, l, lines);
  for (std::size_t i = 0; i < figure.steps.size(); ++i)
    if (const auto& step = figure.steps[i]; step.moves()) labels += gain_label(step, i, l, lines, taken);
  body += svg::line(l.left, l.bottom, l.right, l.bottom, "stroke-width=\"1\"") + names(figure, l) + labels;
  double y = l.bottom + 14;
  for (const std::string& note : figure.notes)
    body += text(margin, y += row, note, "start", "font-size=\"11.5\"");
  return svg::framed(figure.caption, svg::body_height(figure.caption, height), body);
}

}  // namespace ladder::report
