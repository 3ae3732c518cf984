/// @file
/// Drawings of how a warp reads: sectors of one ruler, and banks.

#include "common/report/figures/drawing_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "common/report/figures/svg.hpp"

namespace ladder::report {
namespace {

constexpr double left = 10, right = svg::width - 10;
constexpr const char* small = "font-size=\"12.5\"";
constexpr const char* bold = "font-size=\"13\" font-weight=\"bold\"";
constexpr const char* used = "#0072b2";
constexpr const char* conflict = "#d55e00";
constexpr const char* thin = "class=\"ink\" stroke=\"#1a1a1a\" stroke-width=\"0.6\"";
constexpr const char* faint = "class=\"ink\" stroke=\"#1a1a1a\" stroke-width=\"0.5\" stroke-opacity=\"0.4\"";
constexpr int sector = 32, ruler = 32 * sector;

/// The ruler with the bytes that lanes access, the bytes that are moved with them, and lines of 128 bytes.
std::string ruler_of(const SectorDrawing::Panel& panel, int bytes, double y) {
  constexpr double unit = (right - left) / ruler, height = 15;
  std::set<int> touched, asked;
  for (const int at : panel.at)
    for (int b = at; b < at + bytes; ++b) touched.insert(b / sector), asked.insert(b);
  std::string out;
  for (int s = 0; s < ruler / sector; ++s)
    out += svg::box(left + unit * sector * s, y, unit * sector, height,
                    touched.contains(s) ? svg::hatched : "none", touched.contains(s) ? thin : faint);
  for (auto b = asked.begin(); b != asked.end();) {
    auto last = b;
    while (std::next(last) != asked.end() && *std::next(last) == *last + 1) ++last;
    out += svg::box(left + unit * *b, y + 0.5, unit * (*last - *b + 1), height - 1, used);
    b = std::next(last);
  }
  for (const int s : touched)  // sectors are seen in a block that is used as a whole
    out += svg::line(left + unit * sector * s, y, left + unit * sector * s, y + height,
                     "class=\"seam\" stroke=\"#fff\" stroke-width=\"1\"");
  for (int b = 0; b <= ruler; b += 4 * sector)
    out += svg::line(left + unit * b, y - 2, left + unit * b, y + height + 4, "stroke-width=\"1.6\"");
  return out;
}

}  // namespace

int sectors_touched(const std::vector<int>& at, int bytes) {
  std::set<int> sectors;
  for (const int first : at)
    for (int b = first; b < first + bytes; ++b) sectors.insert(b / sector);
  return static_cast<int>(sectors.size());
}

std::string drawn(const SectorDrawing& drawing) {
  std::string body;
  double y = 0;
  for (const auto& panel : drawing.panels) {
    const int n = sectors_touched(panel.at, drawing.bytes);
    body += svg::text(left, y + 13, panel.label, "start", bold);
    if (drawing.counts)
      body += svg::text(right, y + 13, fmt::format("{} sector{}", n, n == 1 ? "" : "s"), "end", small);
    body += ruler_of(panel, drawing.bytes, y + 20);
    y += 45;
  }
  y += 11;
  body +=
      svg::paragraph(left, y,
                     std::string(drawing.counts ? "Box: a sector of 32 bytes; long marks: every 128 bytes."
                                                : "Box: a sector; long marks: every fourth.") +
                         " Blue: a lane reads it. Hatched: moved, not used. " + drawing.words);
  return svg::framed(drawing.caption, y, body);
}

int most_of_a_bank(const std::vector<int>& word, int words) {
  std::map<int, std::set<int>> wanted;
  for (const int first : word)
    for (int w = first; w < first + words; ++w) wanted[w % 32].insert(w);
  std::size_t most = 0;
  for (const auto& [bank, different] : wanted) most = std::max(most, different.size());
  return static_cast<int>(most);
}

std::string drawn(const BankDrawing& drawing) {
  const double across = 160, gap = 40, cell = across / 32, top = 36,
               first = (svg::width - 2 * across - gap) / 2;
  std::string body;
  double lowest = 0;
  for (std::size_t i = 0; i < drawing.panels.size(); ++i) {
    const auto& panel = drawing.panels[i];
    const double x = first + static_cast<double>(i) * (across + gap),
                 down = cell * static_cast<double>(panel.word.size()) * drawing.words;
    const bool meet = most_of_a_bank(panel.word, drawing.words) > 1;
    body += svg::text(x, 13, panel.label, "start", bold) + svg::text(x, 32, "bank 0", "start", small) +
            svg::text(x + across, 32, "31", "end", small) + svg::box(x, top, across, down, "none", thin);
    for (int bank = 4; bank < 32; bank += 4)
      body += svg::line(x + cell * bank, top, x + cell * bank, top + down,
                        "stroke-width=\"0.5\" stroke-opacity=\"0.4\"");
    for (std::size_t lane = 0; lane < panel.word.size(); ++lane)
      for (int w = 0; w < drawing.words; ++w)
        body += svg::box(x + cell * ((panel.word[lane] + w) % 32),
                         top + cell * drawing.words * static_cast<double>(lane), cell, cell * drawing.words,
                         meet ? conflict : used);
    lowest = std::max(lowest, top + down);
  }
  double y = lowest + 18;
  body += svg::paragraph(
      left, y,
      "Rows are lanes, columns banks. Orange: lanes want different words of one bank and wait for each "
      "other. " +
          drawing.note);
  return svg::framed(drawing.caption, y, body);
}

}  // namespace ladder::report
