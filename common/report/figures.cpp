#include "common/report/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/report/table.hpp"

namespace ladder::report {
namespace {

constexpr double width = 720;

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '<') out += "&lt;";
    else if (c == '>') out += "&gt;";
    else if (c == '&') out += "&amp;";
    else if (c == '"') out += "&quot;";
    else out += c;
  }
  return out;
}

/// Grey, orange, light to dark blue, black (light in dark mode), as PAGE.md of the design asks.
std::string colour(Part part, std::size_t i, std::size_t n) {
  switch (part) {
    case Part::baseline: return "#8c8c8c";
    case Part::source: return "#e69f00";
    case Part::library:
    case Part::floor: return "currentColor";
    case Part::rung: break;
  }
  const double t = n > 1 ? static_cast<double>(i) / static_cast<double>(n - 1) : 1;
  const auto mix = [&](int from, int to) { return static_cast<int>(from + t * (to - from)); };
  return fmt::format("#{:02x}{:02x}{:02x}", mix(0x56, 0x00), mix(0xb4, 0x4c), mix(0xe9, 0x8c));
}

std::string text(double x, double y, const std::string& what, const char* anchor = "start", const char* more = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor, more, escaped(what));
}

std::string line(double x1, double y1, double x2, double y2, const char* more) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"currentColor\" {}/>\n", x1, y1, x2, y2, more);
}

/// The frame that all figures share: title, text alternative, machine and date in the corner.
std::string framed(const Caption& caption, double height, const std::string& body) {
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" role=\"img\" "
             "aria-labelledby=\"title description\" style=\"max-width:100%;height:auto;color:#222;background:#fff\" "
             "font-family=\"sans-serif\" font-size=\"17\" fill=\"currentColor\">\n"
             "<style>@media (prefers-color-scheme: dark) {{ svg {{ color:#eee !important; background:#181818 !important }} }}</style>\n"
             "<title id=\"title\">{2}</title>\n<desc id=\"description\">{3}</desc>\n",
             width, height, escaped(caption.title), escaped(caption.alternative)) +
         text(10, 26, caption.title, "start", " font-size=\"20\" font-weight=\"bold\"") + body +
         text(width - 10, height - 8, caption.corner, "end", " font-size=\"13\" opacity=\"0.7\"") + "</svg>\n";
}

/// A logarithmic axis from whole decade to whole decade.
struct LogAxis {
  double low, high, from, to;  ///< decades; pixels
  LogAxis(double smallest, double largest, double first, double last)
      : low(std::floor(std::log10(smallest) + 1e-9)), high(std::ceil(std::log10(largest) - 1e-9)), from(first), to(last) {
    if (high <= low) high = low + 1;
  }
  double at(double value) const { return from + (std::log10(value) - low) / (high - low) * (to - from); }
};

std::string decade(double exponent, bool seconds) {
  return seconds ? short_time(std::pow(10.0, exponent)) : short_number(std::pow(10.0, exponent));
}

}  // namespace

std::string ladder_bars(const LadderFigure& figure) {
  if (figure.bars.empty()) return framed(figure.caption, 60, "");
  double least = 1e300, most = 0;
  for (const auto& bar : figure.bars) least = std::min(least, bar.low), most = std::max(most, bar.high);
  for (const double mark : {figure.library, figure.floor})
    if (mark > 0) least = std::min(least, mark), most = std::max(most, mark);
  constexpr double left = 190, top = 62, row = 34;
  const double bottom = top + row * static_cast<double>(figure.bars.size());
  const LogAxis axis(least / 2, most, left, width - 110);
  std::string body;
  for (double d = axis.low; d <= axis.high; ++d) {
    const double x = axis.at(std::pow(10.0, d));
    body += line(x, top - 6, x, bottom, "stroke-opacity=\"0.2\"") + text(x, bottom + 20, decade(d, true), "middle", " font-size=\"14\"");
  }
  body += text(left, bottom + 42, "time of a call, logarithmic", "start", " font-size=\"14\"");
  std::size_t rungs = 0, rung = 0;
  for (const auto& bar : figure.bars) rungs += bar.part == Part::rung;
  double y = top;
  for (const auto& bar : figure.bars) {
    const double x = axis.at(bar.seconds), middle = y + row / 2 - 3;
    body += text(left - 8, middle + 6, bar.label, "end", " font-size=\"15\"") +
            fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n", left, y, std::max(1.0, x - left),
                        row - 8, colour(bar.part, bar.part == Part::rung ? rung++ : 0, rungs)) +
            line(axis.at(bar.low), middle, axis.at(bar.high), middle, "stroke-width=\"3\"") +
            text(axis.at(bar.high) + 8, middle + 6, short_time(bar.seconds), "start", " font-size=\"15\"");
    y += row;
  }
  if (figure.library > 0) {
    const double x = axis.at(figure.library);
    body += line(x, top - 10, x, bottom, "stroke-width=\"2.5\"") + text(x, top - 14, "library", "middle", " font-size=\"14\"");
  }
  if (figure.floor > 0) {
    const double x = axis.at(figure.floor);
    body += line(x, top - 10, x, bottom, "stroke-width=\"2.5\" stroke-dasharray=\"7 5\"") + text(x, top - 14, "floor", "middle", " font-size=\"14\"");
  }
  return framed(figure.caption, bottom + 76, body);
}

std::string time_against_n(const TimeFigure& figure) {
  double least_n = 1e300, most_n = 0, least = 1e300, most = 0;
  for (const auto& l : figure.lines)
    for (const auto& p : l.points)
      least_n = std::min(least_n, p.n), most_n = std::max(most_n, p.n), least = std::min(least, p.seconds), most = std::max(most, p.seconds);
  if (most_n == 0) return framed(figure.caption, 60, "");
  constexpr double left = 90, top = 50, bottom = 430;
  const LogAxis xs(least_n, most_n, left, width - 150), ys(least, most, bottom, top);
  std::string body;
  for (double d = xs.low; d <= xs.high; ++d) {
    const double x = xs.at(std::pow(10.0, d));
    body += line(x, top, x, bottom, "stroke-opacity=\"0.2\"") + text(x, bottom + 20, decade(d, false), "middle", " font-size=\"14\"");
  }
  for (double d = ys.low; d <= ys.high; ++d) {
    const double y = ys.at(std::pow(10.0, d));
    body += line(left, y, xs.to, y, "stroke-opacity=\"0.2\"") + text(left - 8, y + 5, decade(d, true), "end", " font-size=\"14\"");
  }
  body += text((left + xs.to) / 2, bottom + 42, "n, logarithmic", "middle", " font-size=\"14\"");
  for (const double slope : {2.0, 3.0}) {  // guides through the lower left corner, as far as the frame goes
    const double decades = std::min(xs.high - xs.low, (ys.high - ys.low) / slope);
    const double x = xs.at(std::pow(10.0, xs.low + decades)), y = ys.at(std::pow(10.0, ys.low + slope * decades));
    body += line(left, bottom, x, y, "stroke-opacity=\"0.35\" stroke-dasharray=\"2 5\"") +
            text(x - 4, y + 16, fmt::format("n^{:.0f}", slope), "end", " font-size=\"13\" opacity=\"0.6\"");
  }
  std::size_t rungs = 0, rung = 0;
  for (const auto& l : figure.lines) rungs += l.part == Part::rung;
  std::vector<double> taken;
  for (const auto& l : figure.lines) {
    if (l.points.empty()) continue;
    std::string points;
    for (const auto& p : l.points) points += fmt::format("{:.1f},{:.1f} ", xs.at(p.n), ys.at(p.seconds));
    const std::string stroke = colour(l.part, l.part == Part::rung ? rung++ : 0, rungs);
    body += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"3\"{}/>\n", points, stroke,
                        l.part == Part::floor ? " stroke-dasharray=\"7 5\"" : l.part == Part::source ? " stroke-dasharray=\"12 4\"" : "");
    // A label stands at its line's end, moved down while another one is there.
    double y = ys.at(l.points.back().seconds) + 5;
    while (std::any_of(taken.begin(), taken.end(), [&](double t) { return std::abs(t - y) < 17; })) y += 4;
    taken.push_back(y);
    body += text(xs.at(l.points.back().n) + 8, y, l.label, "start", fmt::format(" font-size=\"15\" fill=\"{}\"", stroke).c_str());
  }
  return framed(figure.caption, bottom + 76, body);
}

LadderFigure ladder_figure(const nlohmann::json& lesson, const nlohmann::json& document) {
  LadderFigure figure;
  std::string words;
  const LadderFigure::Bar* best = nullptr;
  double baseline = 0;
  for (const auto& step : lesson.value("steps", nlohmann::json::array())) {
    const auto time = step.value("time", nlohmann::json::object());
    const double median = time.value("median", 0.0);
    if (!(median > 0)) continue;
    const auto ratio = step.value("ratio", nlohmann::json::object());
    // Every ratio is peer / step in the same run, so the peers' times follow from it.
    if (baseline == 0 && ratio.value("baseline", 0.0) > 0) baseline = ratio["baseline"].get<double>() * median;
    if (figure.library == 0 && ratio.value("library", 0.0) > 0) figure.library = ratio["library"].get<double>() * median;
    figure.bars.push_back({step.value("name", ""), median, time.value("low", median), time.value("high", median)});
    words += fmt::format(" {} {}.", step.value("name", ""), short_time(median));
  }
  if (figure.bars.empty()) return figure;
  for (const auto& bar : figure.bars)
    if (!best || bar.seconds < best->seconds) best = &bar;
  const std::string name = lesson.value("name", "");
  figure.caption.title = baseline > 0 ? fmt::format("{}: {} takes {} of the baseline's time", name, best->label,
                                                    short_number(best->seconds / baseline))
                                      : fmt::format("{}: {} is the fastest rung", name, best->label);
  if (baseline > 0) figure.bars.insert(figure.bars.begin(), {"baseline", baseline, baseline, baseline, Part::baseline});
  figure.caption.alternative = figure.caption.title + ". Time of a call:" + words;
  const auto machine = document.value("machine", nlohmann::json::object());
  const std::string where = machine.is_object() ? machine.value("name", std::string()) : "";
  figure.caption.corner = where + (where.empty() ? "" : ", ") + document.value("date", "").substr(0, 10);
  return figure;
}

}  // namespace ladder::report
