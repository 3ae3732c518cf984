/// @file
/// The picture of a warp's access: sectors of device memory, and what both pictures have.

#include "common/report/figures/warp_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "common/report/figures/svg.hpp"
#include "common/report/text/table.hpp"
#include "common/trace/access_text.hpp"

namespace ladder::report {
namespace warp {

static_assert(right == svg::width - 10);

constexpr double lane_top = 36, lane_height = 16;

double lane_x(int lane) {
  return left + lane_width * (lane + 0.5);
}

bool takes_part(const WarpAccess& access, int lane) {
  return lane < static_cast<int>(access.at.size()) && access.at[static_cast<std::size_t>(lane)] >= 0;
}

/// The 32 lanes; inactive ones are hatched.
std::string lanes(const WarpAccess& access) {
  std::string out = svg::text(left, 14, "lanes of the warp", "start", small);
  for (int lane = 0; lane < 32; ++lane) {
    out += svg::box(left + lane_width * lane + 0.8, lane_top, lane_width - 1.6, lane_height,
                    takes_part(access, lane) ? used : svg::hatched);
    if (lane % 8 == 0 || lane == 31)
      out += svg::text(lane_x(lane), lane_top - 3, std::to_string(lane), "middle", tiny);
  }
  return out;
}

std::string arrow(int lane, double x, double y) {
  return svg::line(lane_x(lane), lane_top + lane_height, x, y, "stroke-opacity=\"0.45\" stroke-width=\"1\"");
}

Caption caption_of(const LineCounters& line, std::size_t moved, std::size_t ideal, const char* what,
                   const std::string& corner) {
  const std::string plural = moved == 1 ? what : std::string(what) + "s";
  const std::string where = fmt::format("Line {}", line.site.line);
  Caption caption;
  caption.title = moved > ideal ? fmt::format("{}: {} {} where {} would do", where, moved, plural, ideal)
                                : fmt::format("{}: {} {}, no more than needed", where, moved, plural);
  caption.corner = corner;
  caption.alternative =
      fmt::format("One {} of {} memory by a warp, {} bytes per lane, {}. {}.", line.operation, line.space,
                  line.size, line.worst->object, describe(line));
  return caption;
}

}  // namespace warp

namespace {

using namespace warp;

constexpr std::int64_t sector = 32;

/// "+512 B"
std::string offset(std::int64_t bytes) {
  return "+" + short_number(static_cast<double>(bytes)) + " B";
}

/// The sectors that the request touches, each with the bytes that lanes accessed.
class Sectors {
 public:
  Sectors(const WarpAccess& access, std::int64_t size) {
    for (int lane = 0; lane < 32; ++lane)
      if (takes_part(access, lane))
        for (std::int64_t b = 0; b < size; ++b) {
          const std::int64_t at = access.at[static_cast<std::size_t>(lane)] + b;
          asked_[at / sector].insert(at % sector);
        }
    const double n = static_cast<double>(asked_.size());
    width_ = std::min(52.0, (right - left) / std::max(1.0, n));
    first_ = (left + right - width_ * n) / 2;
  }

  std::size_t count() const { return asked_.size(); }
  /// Bytes that were moved although no lane accessed them.
  std::int64_t wasted() const {
    std::int64_t bytes = 0;
    for (const auto& [index, asked] : asked_) bytes += sector - static_cast<std::int64_t>(asked.size());
    return bytes;
  }

  double x_of(std::int64_t at) const {
    const auto place = std::distance(asked_.begin(), asked_.find(at / sector));
    return first_ + width_ * (static_cast<double>(place) + static_cast<double>(at % sector) / sector);
  }

  std::string drawn(double y) const {
    std::string out;
    std::size_t i = 0;
    double free = 0;
    const std::int64_t origin = asked_.begin()->first;
    for (const auto& [index, asked] : asked_) {
      const double x = first_ + width_ * static_cast<double>(i), gap = std::min(1.0, width_ / 8);
      out += svg::box(x + gap, y, width_ - 2 * gap, 24, svg::hatched,
                      "class=\"ink\" stroke=\"#1a1a1a\" stroke-width=\"0.8\"");
      const double a_byte = (width_ - 2 * gap) / sector;
      for (auto b = asked.begin(); b != asked.end();) {
        auto last = b;
        while (std::next(last) != asked.end() && *std::next(last) == *last + 1) ++last;
        out += svg::box(x + gap + a_byte * static_cast<double>(*b), y + 0.4,
                        a_byte * static_cast<double>(*last - *b + 1), 23.2, used);
        b = std::next(last);
      }
      const std::string label = offset((index - origin) * sector);
      const double half = svg::extent(label, 12) / 2,
                   at = std::clamp(x + width_ / 2, left + half, right - half);
      if (at - half >= free) {
        out += svg::text(at, y + 37, label, "middle", tiny);
        free = at + half + 8;
      }
      ++i;
    }
    return out;
  }

 private:
  std::map<std::int64_t, std::set<std::int64_t>> asked_;  ///< sector -> bytes inside it
  double width_ = 0, first_ = 0;
};

std::string global_access(const LineCounters& line, const std::string& corner) {
  const WarpAccess& access = *line.worst;
  const auto size = static_cast<std::int64_t>(std::clamp(line.size, 1u, 64u));
  const Sectors sectors(access, size);
  std::string arrows;
  std::int64_t bytes = 0;
  for (int lane = 0; lane < 32; ++lane)
    if (takes_part(access, lane))
      arrows += arrow(lane, sectors.x_of(access.at[static_cast<std::size_t>(lane)]) + 1, below);
  bytes = static_cast<std::int64_t>(sectors.count()) * sector - sectors.wasted();
  const auto ideal = static_cast<std::size_t>((bytes + sector - 1) / sector);
  Caption caption = caption_of(line, sectors.count(), ideal, "sector", corner);
  const double share = static_cast<double>(sectors.wasted()) / static_cast<double>(sectors.count() * sector);
  caption.alternative +=
      fmt::format(" {:.0f} % of the bytes that are moved were not asked for.", 100 * share);
  const std::string words = fmt::format("32-byte sectors of {}; hatched: moved, not asked for ({:.0f} %)",
                                        access.object.empty() ? "device memory" : access.object, 100 * share);
  std::string body = arrows + lanes(access) + sectors.drawn(below);
  double y = below + 56;
  for (const std::string& part : wrapped(words, 60))
    body += svg::text(left, y, part, "start", small), y += 16;
  return svg::framed(caption, y, body);
}

}  // namespace

std::string warp_access(const LineCounters& line, const std::string& corner) {
  if (!line.worst) return "";
  bool any = false;
  for (int lane = 0; lane < 32; ++lane) any = any || takes_part(*line.worst, lane);
  if (!any) return "";
  return line.space == "shared" ? bank_access(line, corner) : global_access(line, corner);
}

}  // namespace ladder::report
