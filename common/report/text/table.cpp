#include "common/report/text/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <locale.h>
#include <wchar.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "common/base/text/numbers.hpp"

namespace ladder::report {
namespace {

constexpr std::size_t gap = 2, narrowest = 16;

/// A character of a text in UTF-8: how many bytes, and how many columns of a terminal: two of Chinese, none
/// of an accent that is put on the letter before it.
struct Character {
  std::size_t bytes, columns;
};

/// @param text  not empty; what is no UTF-8 is a character of one byte
Character first_of(std::string_view text) {
  static const locale_t utf8 = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  if (static_cast<unsigned char>(text[0]) < 0x80 || !utf8) return {1, 1};
  const locale_t before = ::uselocale(utf8);
  wchar_t wide = 0;
  std::mbstate_t state{};
  const std::size_t bytes = std::mbrtowc(&wide, text.data(), text.size(), &state);
  const int columns = bytes <= text.size() ? ::wcwidth(wide) : -1;
  ::uselocale(before);
  return {bytes > 0 && bytes <= text.size() ? bytes : 1,
          columns < 0 ? 1u : static_cast<std::size_t>(columns)};
}

/// Bytes of the first `width` columns.
std::size_t bytes_of(std::string_view text, std::size_t width) {
  std::size_t i = 0;
  for (std::size_t shown = 0; i < text.size();) {
    const Character one = first_of(text.substr(i));
    if ((shown += one.columns) > width) break;
    i += one.bytes;
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
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '\x1b') {
      while (i < text.size() && text[i] != 'm') ++i;
      i += i < text.size();
    } else {
      const Character one = first_of(text.substr(i));
      n += one.columns, i += one.bytes;
    }
  }
  return n;
}

std::string shortened(std::string_view text, std::size_t width) {
  if (columns(text) <= width) return std::string(text);
  return std::string(text.substr(0, bytes_of(text, width > 0 ? width - 1 : 0))) + "…";
}

namespace {

/// Stands for a blank at which a text is not broken; no text of ours has this control character.
constexpr char unbroken_blank = '\x1f';

}  // namespace

std::string unbroken(std::string text) {
  std::ranges::replace(text, ' ', unbroken_blank);
  return text;
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
      while (columns(word) > width && width > 0 && word.find(unbroken_blank) == word.npos) {
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
  for (std::string& line : lines) std::ranges::replace(line, unbroken_blank, ' ');
  return lines;
}

namespace {

using Cells = std::vector<std::string>;

std::string cell_of(const Cells& row, std::size_t c) {
  return c < row.size() ? row[c] : std::string();
}

/// How wide each column is, and which are shown: empty ones are not, and where all are too wide, those that
/// wrap become narrower first, then columns are dropped.
struct Layout {
  const std::vector<Column>& all_;
  std::vector<std::size_t> wide;
  std::vector<bool> shown;
  Cells dropped{};

  Layout(const std::vector<Column>& all, const std::vector<Cells>& rows, std::size_t width)
      : all_(all), wide(all.size()), shown(all.size(), false) {
    for (std::size_t c = 0; c < all.size(); ++c) {
      for (const Cells& row : rows) {
        wide[c] = std::max(wide[c], columns(cell_of(row, c)));
        shown[c] = shown[c] || !cell_of(row, c).empty();
      }
      wide[c] = std::max(wide[c], columns(all[c].title));
    }
    const auto natural = wide;
    wrap_to_fit(width);
    while (total() > width && drop_worst()) {
      wide = natural;
      wrap_to_fit(width);
    }
  }

  std::size_t total() const {
    std::size_t sum = 0;
    for (std::size_t c = 0; c < wide.size(); ++c) sum += shown[c] ? wide[c] + gap : 0;
    return sum > 0 ? sum - gap : 0;
  }

  void wrap_to_fit(std::size_t width) {
    for (std::size_t c = 0; c < wide.size(); ++c)
      if (shown[c] && all_[c].wraps && total() > width)
        wide[c] = std::max(std::min(wide[c], narrowest), wide[c] - std::min(wide[c], total() - width));
  }

  bool drop_worst() {
    std::size_t worst = wide.size();
    for (std::size_t c = 0; c < wide.size(); ++c)
      if (shown[c] && all_[c].drop > 0 && (worst == wide.size() || all_[c].drop > all_[worst].drop))
        worst = c;
    if (worst == wide.size()) return false;
    shown[worst] = false;
    dropped.push_back(all_[worst].title);
    return true;
  }
};

}  // namespace

std::string feedback_block(const std::string& heading, const std::string& text, std::size_t width,
                           std::size_t indent) {
  std::string out;
  // Lines that the judge made line up (a table of requests) keep their breaks.
  const auto lines = wrapped(text, width > indent + 30 ? width - indent : 30);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string left = i == 0 ? heading : "";
    const std::size_t used = columns(left);
    out += left + std::string(used + 1 < indent ? indent - used : 1, ' ') + lines[i] + "\n";
  }
  return out;
}

std::string Table::lines() const {
  std::string out;
  for (const Cells& row : rows_) {
    std::string line;
    for (std::size_t c = 0; c < columns_.size(); ++c)
      if (const std::string cell = cell_of(row, c); !cell.empty())
        line += (line.empty() ? "" : "; ") + columns_[c].title + ": " + cell;
    out += line + "\n";
  }
  return out;
}

std::string Table::text(std::size_t width) const {
  if (const char* plain = std::getenv("LADDER_PLAIN"); plain && *plain) return lines();
  const std::size_t n = columns_.size();
  const Layout layout(columns_, rows_, width);
  std::string out;
  const auto line = [&](auto&& content) {
    std::string text;
    for (std::size_t c = 0; c < n; ++c)
      if (layout.shown[c])
        text += padded(content(c), layout.wide[c], columns_[c].right) + std::string(gap, ' ');
    text.erase(text.find_last_not_of(' ') + 1);
    out += text + "\n";
  };
  line([&](std::size_t c) { return columns_[c].title; });
  line([&](std::size_t c) {
    std::string rule;
    for (std::size_t i = 0; i < layout.wide[c]; ++i) rule += "─";
    return rule;
  });
  for (const Cells& row : rows_) {
    std::vector<Cells> cells(n);
    std::size_t height = 1;
    for (std::size_t c = 0; c < n; ++c) {
      const bool wraps = columns_[c].wraps && layout.shown[c];
      cells[c] = wraps ? wrapped(cell_of(row, c), layout.wide[c]) : Cells{cell_of(row, c)};
      height = std::max(height, cells[c].size());
    }
    for (std::size_t i = 0; i < height; ++i)
      line([&](std::size_t c) { return i < cells[c].size() ? cells[c][i] : std::string(); });
  }
  if (!layout.dropped.empty())
    out += fmt::format("(too narrow for: {}; all is in --json)\n", fmt::join(layout.dropped, ", "));
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
  return fmt::format("{} µs", short_number(seconds * 1e6));
}

std::string short_rate(double amount, const std::string& unit) {
  if (amount >= 1e12) return short_number(amount / 1e12) + " T" + unit;
  if (amount >= 1e9) return short_number(amount / 1e9) + " G" + unit;
  return short_number(amount / 1e6) + " M" + unit;
}

std::string short_energy(double joules) {
  if (joules >= 1e3) return fmt::format("{} kJ", short_number(joules * 1e-3));
  if (joules >= 1) return fmt::format("{} J", short_number(joules));
  if (joules >= 1e-3) return fmt::format("{} mJ", short_number(joules * 1e3));
  return fmt::format("{} uJ", short_number(joules * 1e6));
}

}  // namespace ladder::report
