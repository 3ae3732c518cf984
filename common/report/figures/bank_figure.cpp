/// @file
/// The picture of a warp's access to shared memory: banks and wavefronts.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "common/report/figures/svg.hpp"
#include "common/report/figures/warp_figure.hpp"
#include "common/report/text/table.hpp"

namespace ladder::report::warp {
namespace {

constexpr std::int64_t word = 4, banks = 32;

/// Which word of which bank is served in which wavefront, and where each lane's first word is.
struct Served {
  struct Cell {
    std::int64_t bank, word;
    std::size_t wavefront;
  };
  std::vector<Cell> cells;
  std::map<int, Cell> of_lane;
  std::size_t wavefronts = 0;
  std::set<std::int64_t> words;
};

/// Serves the lanes from first to last together: each bank gives one word per wavefront.
void serve(const WarpAccess& access, std::int64_t size, int first, int last, Served& served) {
  std::map<std::int64_t, std::vector<std::int64_t>> in_bank;
  std::size_t depth = 0;
  for (int lane = first; lane < last; ++lane) {
    if (!takes_part(access, lane)) continue;
    const std::int64_t at = access.at[static_cast<std::size_t>(lane)];
    for (std::int64_t w = at / word; w <= (at + size - 1) / word; ++w) {
      auto& words = in_bank[w % banks];
      const auto found = std::find(words.begin(), words.end(), w);
      const Served::Cell cell{w % banks, w,
                              served.wavefronts + static_cast<std::size_t>(found - words.begin())};
      if (found == words.end()) words.push_back(w), served.cells.push_back(cell), served.words.insert(w);
      served.of_lane.emplace(lane, cell);
      depth = std::max(depth, words.size());
    }
  }
  served.wavefronts += depth;
}

/// Whether each lane's neighbour at that distance is inactive or has the same address.
bool in_pairs(const WarpAccess& access, int first, int last, int distance) {
  for (int lane = first; lane < last; ++lane) {
    const int other = lane ^ distance;
    if (takes_part(access, lane) && takes_part(access, other) &&
        access.at[static_cast<std::size_t>(lane)] != access.at[static_cast<std::size_t>(other)])
      return false;
  }
  return true;
}

/// Two groups of lanes: together when neighbours have the same address, else one after the other.
void serve_both(const WarpAccess& access, std::int64_t size, int first, int last, Served& served) {
  const int middle = (first + last) / 2;
  if (in_pairs(access, first, last, 1) || in_pairs(access, first, last, 2))
    return serve(access, size, first, last, served);
  serve(access, size, first, middle, served);
  serve(access, size, middle, last, served);
}

/// The rule of the executor's counters (common/base/observation/access_shape.cpp); a test compares the two. 8
/// bytes per lane are two half-warps, 16 bytes two halves of two quarters.
Served served_by_banks(const WarpAccess& access, std::int64_t size) {
  Served served;
  if (size <= 4) {
    serve(access, size, 0, 32, served);
  } else if (size <= 8) {
    serve_both(access, size, 0, 32, served);
  } else {
    serve_both(access, size, 0, 16, served);
    serve_both(access, size, 16, 32, served);
  }
  return served;
}

}  // namespace

std::string bank_access(const LineCounters& line, const std::string& corner) {
  const WarpAccess& access = *line.worst;
  const auto size = static_cast<std::int64_t>(std::clamp(line.size, 1u, 64u));
  const Served served = served_by_banks(access, size);
  const std::size_t wavefronts = std::max<std::size_t>(1, served.wavefronts);
  const std::size_t ideal = std::max<std::size_t>(1, (served.words.size() + banks - 1) / banks);
  const double row = std::clamp(220.0 / static_cast<double>(wavefronts), 5.0, 16.0);
  std::string arrows, cells;
  const auto x_of = [](const Served::Cell& c) { return left + lane_width * static_cast<double>(c.bank); };
  const auto y_of = [&](const Served::Cell& c) { return below + row * static_cast<double>(c.wavefront); };
  for (const Served::Cell& c : served.cells)
    cells += svg::box(x_of(c) + 0.8, y_of(c) + 0.6, lane_width - 1.6, row - 1.2, used);
  // With few rows the lines show which lane is served when; with many rows they would only hide the words.
  for (const auto& [lane, c] : served.of_lane)
    arrows += arrow(lane, x_of(c) + lane_width / 2, wavefronts > 4 ? below : y_of(c) + 1);
  const double height = row * static_cast<double>(wavefronts);
  const std::string field = served.cells.size() < wavefronts * banks
                                ? svg::box(left, below, right - left, height, svg::hatched)
                                : "";
  std::string body = field + arrows + cells + lanes(access);
  for (int bank = 0; bank < 32; ++bank)
    if (bank % 8 == 0 || bank == 31)
      body += svg::text(lane_x(bank), below + height + 13, std::to_string(bank), "middle", tiny);
  Caption caption = caption_of(line, wavefronts, ideal, "wavefront", corner);
  const double idle = 1 - static_cast<double>(served.cells.size()) / static_cast<double>(wavefronts * banks);
  caption.alternative +=
      fmt::format(" {:.0f} % of what the banks could have delivered meanwhile is wasted.", 100 * idle);
  double y = below + height + 32;
  const std::string text = fmt::format(
      "32 banks of shared memory, one row per wavefront; hatched: idle banks ({:.0f} %)", 100 * idle);
  body += svg::paragraph(left, y, text, 60);
  return svg::framed(caption, y, body);
}

}  // namespace ladder::report::warp
