#include "common/report/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "common/base/numbers.hpp"

namespace ladder::report {
namespace {

constexpr std::size_t gap = 2, narrowest = 16;

bool continues(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

/// Bytes of the first `width` columns.
std::size_t bytes_of(std::string_view text, std::size_t width) {
  std::size_t i = 0;
  for (std::size_t shown = 0; i < text.size(); ++i) {
    if (continues(text[i])) continue;
    if (shown++ == width) break;
  }
  return i;
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::string blanks(width - std::min(width, columns(text)), ' ');
  return right ? blanks + text : text + blanks;
}

}  // namespace

std::size_t columns(std::string_view text) {
  std::size_t n = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      while (i < text.size() && text[i] != 'm') ++i;
    } else if (!continues(text[i])) {
      ++n;
    }
  }
  return n;
}

std::string shortened(std::string_view text, std::size_t width) {
  if (columns(text) <= width) return std::string(text);
  return std::string(text.substr(0, bytes_of(text, width > 0 ? width - 1 : 0))) + "…";
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines(1);
  std::string blanks;  // before the next word; lost at a break, kept inside a line
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '\n') {
      lines.emplace_back();
      blanks.clear();
      ++i;
    } else if (text[i] == ' ') {
      blanks += ' ';
      ++i;
    } else {
      std::string_view word = text.substr(i, std::min(text.find_first_of(" \n", i), text.size()) - i);
      i += word.size();
      if (!lines.back().empty() && columns(lines.back()) + blanks.size() + columns(word) > width) {
        lines.emplace_back();
        blanks.clear();
      }
      while (columns(word) > width && width > 0) {
        const auto part = bytes_of(word, width);
        lines.back() = std::string(word.substr(0, part));
        lines.emplace_back();
        blanks.clear();
        word.remove_prefix(part);
      }
      lines.back() += blanks + std::string(word);
      blanks.clear();
    }
  }
  return lines;
}

std::string Table::text(std::size_t width) const {
  const std::size_t n = columns_.size();
  std::vector<std::size_t> wide(n);
  std::vector<bool> shown(n, false);
  const auto cell = [&](const std::vector<std::string>& row, std::size_t c) {
    return c < row.size() ? row[c] : std::string();
  };
  for (std::size_t c = 0; c < n; ++c) {
    for (const auto& row : rows_) {
      wide[c] = std::max(wide[c], columns(cell(row, c)));
      shown[c] = shown[c] || !cell(row, c).empty();
    }
    wide[c] = std::max(wide[c], columns(columns_[c].title));
  }
  const auto total = [&] {
    std::size_t sum = 0;
    for (std::size_t c = 0; c < n; ++c) sum += shown[c] ? wide[c] + gap : 0;
    return sum > 0 ? sum - gap : 0;
  };
  const auto wrap_to_fit = [&] {
    for (std::size_t c = 0; c < n; ++c)
      if (shown[c] && columns_[c].wraps && total() > width)
        wide[c] = std::max(std::min(wide[c], narrowest), wide[c] - std::min(wide[c], total() - width));
  };
  const auto natural = wide;
  std::vector<std::string> dropped;
  wrap_to_fit();
  while (total() > width) {
    std::size_t worst = n;
    for (std::size_t c = 0; c < n; ++c)
      if (shown[c] && columns_[c].drop > 0 && (worst == n || columns_[c].drop > columns_[worst].drop))
        worst = c;
    if (worst == n) break;
    shown[worst] = false;
    dropped.push_back(columns_[worst].title);
    wide = natural;
    wrap_to_fit();
  }

  std::string out;
  const auto line = [&](auto&& content) {
    std::string text;
    for (std::size_t c = 0; c < n; ++c)
      if (shown[c]) text += padded(content(c), wide[c], columns_[c].right) + std::string(gap, ' ');
    text.erase(text.find_last_not_of(' ') + 1);
    out += text + "\n";
  };
  line([&](std::size_t c) { return columns_[c].title; });
  line([&](std::size_t c) {
    std::string rule;
    for (std::size_t i = 0; i < wide[c]; ++i) rule += "─";
    return rule;
  });
  for (const auto& row : rows_) {
    std::vector<std::vector<std::string>> cells(n);
    std::size_t height = 1;
    for (std::size_t c = 0; c < n; ++c) {
      cells[c] = columns_[c].wraps && shown[c] ? wrapped(cell(row, c), wide[c]) : std::vector{cell(row, c)};
      height = std::max(height, cells[c].size());
    }
    for (std::size_t i = 0; i < height; ++i)
      line([&](std::size_t c) { return i < cells[c].size() ? cells[c][i] : std::string(); });
  }
  if (!dropped.empty())
    out += fmt::format("(too narrow for: {}; all is in --json)\n", fmt::join(dropped, ", "));
  return out;
}

std::string short_number(double value) {
  if (!std::isfinite(value)) return "-";
  const double size = std::abs(value);
  if (size >= 1e7 || (size < 1e-3 && size > 0)) return fmt::format("{:.2e}", value);
  if (size >= 1000 || value == std::round(value)) return grouped(value);
  if (size >= 100) return fmt::format("{:.0f}", value);
  return size >= 10  ? fmt::format("{:.1f}", value)
         : size >= 1 ? fmt::format("{:.2f}", value)
                     : fmt::format("{:.3f}", value);
}

std::string per_cent(double share) {
  return fmt::format("{:.0f} %", 100 * share);
}

std::string short_time(double seconds) {
  if (seconds >= 1) return fmt::format("{} s", short_number(seconds));
  if (seconds >= 1e-3) return fmt::format("{} ms", short_number(seconds * 1e3));
  return fmt::format("{} us", short_number(seconds * 1e6));
}

std::string short_energy(double joules) {
  if (joules >= 1e3) return fmt::format("{} kJ", short_number(joules * 1e-3));
  if (joules >= 1) return fmt::format("{} J", short_number(joules));
  if (joules >= 1e-3) return fmt::format("{} mJ", short_number(joules * 1e3));
  return fmt::format("{} uJ", short_number(joules * 1e6));
}

}  // namespace ladder::report
