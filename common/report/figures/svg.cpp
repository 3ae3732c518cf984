#include "common/report/figures/svg.hpp"

#include <fmt/format.h>

#include <cmath>

#include "common/base/text/text.hpp"
#include "common/report/text/table.hpp"

namespace ladder::report::svg {
namespace {

constexpr double title_size = 16, corner_size = 12;

/// Colours are in a style, so that a dark page exchanges ink and paper; viewers without styles use the
/// attributes, dark on white.
constexpr const char* style =
    "<style>svg{--ink:#1a1a1a;--paper:#fff}"
    "@media (prefers-color-scheme:dark){svg{--ink:#eee;--paper:#161b22}}"
    "@media print{svg{--ink:#000;--paper:#fff}}"
    ".paper{fill:var(--paper)}text{fill:var(--ink);stroke:var(--paper)}.ink{stroke:var(--ink)}.seam{stroke:"
    "var(--paper)}</style>\n";

/// Drawn with ink on paper: the lines of what is wasted.
constexpr const char* hatch =
    "<defs><pattern id=\"hatch\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" "
    "patternTransform=\"rotate(45)\"><line x1=\"0\" y1=\"0\" x2=\"0\" y2=\"5\" class=\"ink\" "
    "stroke=\"#1a1a1a\" "
    "stroke-width=\"1.6\" stroke-opacity=\"0.55\"/></pattern></defs>\n";

/// A text whose numbers stay with what belongs to them when it is broken into lines: "91 %", "n = 4096",
/// "commit 8fce".
std::string kept_together(std::string text) {
  for (const char* pair : {" %", " = ", "commit ", ": 2"})
    for (std::size_t at = text.find(pair); at != text.npos; at = text.find(pair, at + 1)) {
      std::string joined = pair;
      for (std::size_t blank = joined.find(' '); blank != joined.npos; blank = joined.find(' '))
        joined.replace(blank, 1, "\u00a0");
      text.replace(at, std::string_view(pair).size(), joined);
    }
  return text;
}

std::vector<std::string> title_lines(const Caption& caption) {
  return wrapped(kept_together(caption.title), 40);
}

std::vector<std::string> corner_lines(const Caption& caption) {
  return caption.corner.empty() ? std::vector<std::string>() : wrapped(kept_together(caption.corner), 62);
}

/// Above the body, and below it.
double head_height(const Caption& caption) {
  return 10 + 21 * static_cast<double>(title_lines(caption).size());
}
double foot_height(const Caption& caption) {
  return 8 + 16 * static_cast<double>(corner_lines(caption).size());
}

}  // namespace

double body_height(const Caption& caption, double all) {
  return all - head_height(caption) - foot_height(caption);
}

std::string with_own_ids(std::string figure, std::size_t number) {
  for (const std::string id : {"title", "description", "hatch"}) {
    replace_all(figure, "id=\"" + id + "\"", fmt::format("id=\"{}{}\"", id, number));
    replace_all(figure, "url(#" + id + ")", fmt::format("url(#{}{})", id, number));
  }
  replace_all(figure, "aria-labelledby=\"title description\"",
              fmt::format("aria-labelledby=\"title{0} description{0}\"", number));
  return figure;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '&')
      out += "&amp;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

std::string colour(Part part, std::size_t i, std::size_t n) {
  switch (part) {
    case Part::baseline:
      return "#8c8c8c";
    case Part::source:
      return "#e69f00";
    case Part::library:
    case Part::floor:
      return "";
    case Part::rung:
      break;
  }
  // From sky blue to blue; both stand out from white and from dark paper.
  const double t = n > 1 ? static_cast<double>(i) / static_cast<double>(n - 1) : 1;
  const auto mix = [&](int from, int to) { return static_cast<int>(from + t * (to - from)); };
  return fmt::format("#{:02x}{:02x}{:02x}", mix(0x8c, 0x00), mix(0xce, 0x6a), mix(0xf2, 0xb0));
}

std::string text(double x, double y, const std::string& what, const char* anchor, const std::string& more) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}{}>{}</text>\n", x, y, anchor,
                     more.empty() ? "" : " ", more, escaped(what));
}

std::string paragraph(double x, double& y, const std::string& words, std::size_t columns) {
  std::string out;
  for (const std::string& part : wrapped(words, columns)) {
    out += text(x, y, part, "start", "font-size=\"12.5\"");
    y += 16;
  }
  return out;
}

std::string line(double x1, double y1, double x2, double y2, const std::string& more) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {} {}/>\n", x1, y1, x2,
                     y2, more.find("stroke=") == std::string::npos ? "class=\"ink\" stroke=\"#1a1a1a\"" : "",
                     more);
}

std::string box(double x, double y, double across, double down, const std::string& fill,
                const std::string& more) {
  return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"{}{}/>\n",
                     x, y, across, down, fill, more.empty() ? "" : " ", more);
}

std::string interval(double x1, double y1, double x2, double y2) {
  const double cap = 4, dx = x1 == x2 ? cap : 0, dy = x1 == x2 ? 0 : cap;
  const std::string path =
      fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}M{:.1f} {:.1f}L{:.1f} {:.1f}M{:.1f} {:.1f}L{:.1f} {:.1f}", x1,
                  y1, x2, y2, x1 - dx, y1 - dy, x1 + dx, y1 + dy, x2 - dx, y2 - dy, x2 + dx, y2 + dy);
  return fmt::format(
      "<path d=\"{0}\" class=\"seam\" stroke=\"#fff\" stroke-width=\"4\"/><path d=\"{0}\" class=\"ink\" "
      "stroke=\"#1a1a1a\" stroke-width=\"1.6\"/>\n",
      path);
}

std::string framed(const Caption& caption, double height, const std::string& body) {
  const auto title = title_lines(caption), corner = corner_lines(caption);
  const double top = head_height(caption), foot = foot_height(caption);
  std::string words;
  for (std::size_t i = 0; i < title.size(); ++i)
    words += text(10, 24 + 21 * static_cast<double>(i), title[i], "start",
                  fmt::format("font-size=\"{}\" font-weight=\"bold\"", title_size));
  const double all = top + height + foot;
  for (std::size_t i = 0; i < corner.size(); ++i)
    words += text(width - 10, all - 10 - 16 * static_cast<double>(corner.size() - 1 - i), corner[i], "end",
                  fmt::format("font-size=\"{}\"", corner_size));
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{2:.0f}\" "
             "height=\"{3:.0f}\" role=\"img\" "
             "aria-labelledby=\"title description\" style=\"max-width:100%;height:auto\" "
             "font-family=\"system-ui,'DejaVu Sans',Arial,sans-serif\" "
             "font-size=\"14\" fill=\"#1a1a1a\" paint-order=\"stroke\" stroke-width=\"0\" "
             "stroke-linejoin=\"round\">\n"
             "<title id=\"title\">{4}</title>\n<desc id=\"description\">{5}</desc>\n",
             width, all, width * 1.3, all * 1.3, escaped(caption.title), escaped(caption.alternative)) +
         style + (body.find(hatched) == std::string::npos ? "" : hatch) +
         fmt::format("<rect class=\"paper\" width=\"{:.0f}\" height=\"{:.0f}\" fill=\"#fff\"/>\n", width,
                     all) +
         fmt::format("<g transform=\"translate(0 {:.0f})\">\n{}</g>\n", top, body) + words + "</svg>\n";
}

double extent(const std::string& what, double size) {
  return 0.58 * size * static_cast<double>(columns(what));
}

LogAxis::LogAxis(double smallest, double largest, double first, double last)
    : low_(std::log10(smallest)), high_(std::log10(largest)), from_(first), to_(last) {
  const double air = 0.04 * (high_ - low_) + 0.02;
  low_ -= air, high_ += air;
}

double LogAxis::at(double value) const {
  return from_ + (std::log10(value) - low_) / (high_ - low_) * (to_ - from_);
}

std::vector<double> LogAxis::ticks() const {
  const auto with = [&](std::initializer_list<double> steps) {
    std::vector<double> values;
    for (int d = static_cast<int>(std::floor(low_)); d <= high_; ++d)
      for (const double step : steps)
        if (const double v = step * std::pow(10.0, d); std::log10(v) >= low_ && std::log10(v) <= high_)
          values.push_back(v);
    return values;
  };
  const auto decades = with({1});
  if (decades.size() >= 3) return decades;
  const auto more = with({1, 3});
  return more.size() >= 3 ? more : with({1, 2, 5});
}

}  // namespace ladder::report::svg
