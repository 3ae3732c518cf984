#include "common/judge/displaced.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <span>

#include "common/base/text/numbers.hpp"

namespace ladder {
namespace {

using Kind = Displaced::Kind;
using Place = std::ptrdiff_t;
/// The place whose value an element holds, if a pattern is there; negative: none inside.
using Source = std::function<Place(Place element)>;

constexpr double enough_bits = 20;    // once in a million by chance
constexpr std::size_t max_same = 16;  // equal values that are looked at

constexpr std::size_t most_looked_at = 20'000;  // wrong elements whose values are looked for everywhere

/// The largest power of two that divides the number: 1 of odd integers, 0.5 of 2.5.
double grain(double value) {
  if (value == 0 || !std::isfinite(value)) return std::numeric_limits<double>::infinity();
  int exponent = 0;
  const double mantissa = std::frexp(value, &exponent);  // 53 bits
  const auto digits = static_cast<long long>(std::ldexp(mantissa, 53));
  return std::ldexp(1.0, exponent - 53 + __builtin_ctzll(static_cast<unsigned long long>(std::abs(digits))));
}

/// The search. Places are numbered row by row.
class Search {
 public:
  explicit Search(const Compared& result) : r_(result), rows_(result.rows()), columns_(result.columns) {
    for (std::size_t i = 0; i < r_.size(); ++i)
      if (!r_.right(i)) wrong_.push_back(i);
    for (std::size_t i = 0; i < r_.size(); ++i)
      if (std::isfinite(r_.expected[i])) sorted_.push_back(i);
    std::ranges::sort(sorted_, [&](auto a, auto b) { return r_.expected[a] < r_.expected[b]; });
    for (const double t : r_.tolerance) widest_ = std::max(widest_, std::isfinite(t) ? t : 0);
    find_chance();
  }

  std::optional<Displaced> run() {
    if (wrong_.empty() || r_.size() < 2) return {};
    for (const auto find : {&Search::exchanged, &Search::shifted, &Search::tiles, &Search::scaled,
                            &Search::scattered, &Search::part})
      if (auto found = (this->*find)()) return found;
    return {};
  }

 private:
  double tolerance(std::size_t i) const { return r_.tolerance.empty() ? 0 : r_.tolerance[i]; }

  /// How likely a value that has nothing to do with a place fits it: values lie on a grid, and a place
  /// accepts an interval.
  void find_chance() {
    if (sorted_.size() < 2) return;
    range_ = r_.expected[sorted_.back()] - r_.expected[sorted_.front()];
    grain_ = std::numeric_limits<double>::infinity();
    double spread = 0;
    for (const std::size_t i : sorted_) {
      grain_ = std::min(grain_, grain(r_.expected[i]));
      spread += 2 * tolerance(i);
    }
    for (const std::size_t i : wrong_) grain_ = std::min(grain_, grain(r_.got[i]));
    if (!std::isfinite(grain_)) grain_ = range_;
    grain_ = std::max(grain_, grid());
    const double whole = range_ + grain_;
    one_ = std::min(1.0, (spread / double(sorted_.size()) + grain_) / whole);
  }

  /// The distance of a grid that all values lie on, like 0.1; 0: they lie on none.
  double grid() const {
    double gap = std::numeric_limits<double>::infinity();
    for (std::size_t i = 1; i < sorted_.size(); ++i) {
      const double apart = r_.expected[sorted_[i]] - r_.expected[sorted_[i - 1]];
      if (apart > tolerance(sorted_[i]) + tolerance(sorted_[i - 1])) gap = std::min(gap, apart);
    }
    for (int part = 1; part <= 10 && std::isfinite(gap); ++part) {
      const auto on_it = [&](double value) {
        const double steps = value / (gap / part);
        return !std::isfinite(value) || (std::abs(steps) < 1e6 && std::abs(steps - std::round(steps)) < 1e-6);
      };
      if (std::ranges::all_of(r_.expected, on_it) && std::ranges::all_of(r_.got, on_it)) return gap / part;
    }
    return 0;
  }

  /// Places whose value the number is, at most `max_same` and one.
  std::vector<std::size_t> places_of(double value) const {
    std::vector<std::size_t> places;
    if (!std::isfinite(value)) return places;
    const auto less = [&](std::size_t i, double v) { return r_.expected[i] < v; };
    auto at = std::lower_bound(sorted_.begin(), sorted_.end(), value - widest_, less);
    for (std::size_t seen = 0; at != sorted_.end() && r_.expected[*at] <= value + widest_; ++at) {
      if (places.size() > max_same || ++seen > 64 * max_same) break;
      if (r_.fits(*at, value)) places.push_back(*at);
    }
    return places;
  }

  /// How much it says, in bits, that an element holds a value that fits another place.
  double evidence(double value) const {
    const std::size_t same = places_of(value).size();
    if (same > max_same) return 0;
    const double common = double(same) / double(sorted_.size());
    return same > 1 ? -std::log2(std::max(common, one_)) : -std::log2(one_);
  }

  /// Whether the elements hold what the pattern says, nearly all of those whose source is inside.
  /// @param whole  the right ones, too; else the wrong ones
  bool holds(const Source& source, bool whole, double hypotheses = 1) const {
    std::size_t inside = 0, fitting = 0, looked_at = 0;
    double bits = 0;
    const auto look_at = [&](std::size_t i, bool wrong) {
      ++looked_at;
      const Place from = source(Place(i));
      if (from < 0 || from >= Place(r_.size())) return;
      ++inside;
      if (!r_.fits(std::size_t(from), r_.got[i])) return;
      ++fitting;
      if (wrong && bits < 4 * enough_bits) bits += evidence(r_.got[i]);
    };
    for (const std::size_t i : wrong_) look_at(i, true);
    for (std::size_t i = 0; whole && i < r_.size(); ++i)
      if (r_.right(i)) look_at(i, false);
    return fitting >= 2 && 2 * inside >= looked_at && 20 * fitting >= 19 * inside &&
           bits >= enough_bits + std::log2(hypotheses);
  }

  std::string example(std::size_t element, std::size_t place) const {
    return fmt::format("{} holds what belongs to {}", r_.name(element), r_.name(place));
  }
  std::string example(const Source& source) const {
    for (const std::size_t i : wrong_)
      if (const Place from = source(Place(i));
          from >= 0 && from < Place(r_.size()) && r_.fits(std::size_t(from), r_.got[i]))
        return example(i, std::size_t(from));
    return "";
  }

  // ---- parts

  /// The right ones are the first ones, of all or of each row, and no other is right.
  std::optional<Displaced> part() const {
    const std::size_t first = wrong_.front(), size = r_.size();
    if (wrong_.size() + first == size) return first == 0 ? std::nullopt : first_ones(first);
    return columns_ > 1 && rows_ > 1 ? rectangle() : std::nullopt;
  }

  std::optional<Displaced> first_ones(std::size_t right) const {
    const std::size_t size = r_.size();
    const bool whole_rows = columns_ > 0 && right % columns_ == 0 && rows_ > 1;
    for (const std::size_t bytes : std::set<std::size_t>(r_.element_bytes.begin(), r_.element_bytes.end()))
      if (bytes > 1 && size >= bytes && right == size / bytes) {
        const std::string which = fmt::format(
            "Exactly 1/{} of {} is right, the first {} of {} elements, and an element has {} bytes", bytes,
            r_.array, grouped(double(right)), grouped(double(size)), bytes);
        const std::string call =
            "cudaMemcpy, cudaMalloc and cudaMemset count in bytes. Which call gets elements?";
        if (!whole_rows)
          return Displaced{Kind::bytes,
                           which + ": somewhere a number of elements is taken for a number of bytes.", call};
        // A grid that is too short in one direction leaves whole rows, too, and its share may be any.
        return Displaced{
            Kind::bytes,
            fmt::format("{}: a number of elements may be taken for a number of bytes. These are also "
                        "whole rows, {} of {}, so perhaps no thread stores the others.",
                        which, right / columns_, rows_),
            fmt::format("Which thread should store {}? Is there one? If so: {}", r_.name(right), call)};
      }
    if (right < 2 || (columns_ == 0 && size - right < 2)) return {};
    const std::string which =
        whole_rows ? fmt::format("The first {} of {} rows of {} are right, and no element after them.",
                                 right / columns_, rows_, r_.array)
                   : fmt::format("The first {} of {} elements of {} are right, and none after them.",
                                 grouped(double(right)), grouped(double(size)), r_.array);
    return Displaced{
        Kind::part, which,
        fmt::format("Which thread should store this element, {}? Is there one?", r_.name(right))};
  }

  /// Rows 0 … r - 1 and columns 0 … c - 1 are right, and nothing else is.
  std::optional<Displaced> rectangle() const {
    std::size_t right_rows = 0, right_columns = 0;
    while (right_rows < rows_ && r_.right(right_rows * columns_)) ++right_rows;
    while (right_columns < columns_ && r_.right(right_columns)) ++right_columns;
    if (right_rows * right_columns < 2) return {};
    if (r_.size() - right_rows * right_columns != wrong_.size()) return {};
    for (const std::size_t i : wrong_)
      if (i / columns_ < right_rows && i % columns_ < right_columns) return {};
    const std::string rows = right_rows == rows_ ? "" : fmt::format("the first {} rows", right_rows);
    const std::string columns =
        right_columns == columns_ ? "" : fmt::format("the first {} columns", right_columns);
    return Displaced{
        Kind::part,
        fmt::format("Right are {}{}{} of {}, and nothing else.", rows,
                    rows.empty() || columns.empty() ? "" : " of ", columns, r_.array),
        fmt::format("Which thread should store this element, {}? Is there one?", r_.name(wrong_.front()))};
  }

  // ---- patterns

  std::optional<Displaced> exchanged() const {
    if (columns_ < 2 || rows_ < 2) return mirrored_vector();
    const Place m = Place(rows_), n = Place(columns_);
    const Source by_columns = [m, n](Place i) { return i % m * n + i / m; };
    if (holds(by_columns, true)) {
      if (m == n)
        return Displaced{
            Kind::transposed, fmt::format("{} holds the transpose of the right result.", r_.array),
            fmt::format("Which index of {} moves by one from a thread to its neighbour?", r_.array)};
      return Displaced{
          Kind::by_columns,
          fmt::format("The values of {} are right, but lie column by column: {}.", r_.array,
                      example(by_columns)),
          fmt::format("How many elements apart are {} and {} in memory?", r_.name(0), r_.name(columns_))};
    }
    for (const int how : {1, 2, 3}) {
      const Source mirror = [m, n, how](Place i) {
        const Place row = i / n, column = i % n;
        return (how & 1 ? m - 1 - row : row) * n + (how & 2 ? n - 1 - column : column);
      };
      if (!holds(mirror, true)) continue;
      return mirrored(how == 1 ? "The rows" : how == 2 ? "The columns" : "Rows and columns", mirror);
    }
    return {};
  }

  std::optional<Displaced> mirrored_vector() const {
    const Source mirror = [size = Place(r_.size())](Place i) { return size - 1 - i; };
    return holds(mirror, true) ? mirrored("The elements", mirror) : std::nullopt;
  }

  std::optional<Displaced> mirrored(const char* what, const Source& mirror) const {
    return Displaced{Kind::mirrored,
                     fmt::format("{} of {} are in the opposite order: {}.", what, r_.array, example(mirror)),
                     fmt::format("Which index of {} falls where it should rise?", r_.array)};
  }

  std::optional<Displaced> shifted() const {
    std::set<Place> distances;
    for (const std::size_t at : {wrong_.size() / 2, std::size_t{0}, wrong_.size() - 1})
      for (const std::size_t place : places_of(r_.got[wrong_[at]]))
        if (place != wrong_[at]) distances.insert(Place(place) - Place(wrong_[at]));
    for (const Place distance : distances) {
      const Source source = [distance](Place i) { return i + distance; };
      if (!holds(source, false, double(2 * r_.size()))) continue;
      return Displaced{
          Kind::shifted,
          fmt::format("{} {} are shifted by {}: {}.",
                      4 * wrong_.size() < 3 * r_.size() ? "The wrong values of" : "All values of", r_.array,
                      distance_text(distance), example(source)),
          "Which index is off by this distance: where the value is read, or where it is stored?"};
    }
    return {};
  }

  std::string distance_text(Place distance) const {
    if (columns_ == 0 || rows_ == 1) return counted(std::abs(distance), "element");
    const Place n = Place(columns_);
    Place rows = distance / n, columns = distance % n;
    if (2 * std::abs(columns) > n) rows += columns > 0 ? 1 : -1, columns -= columns > 0 ? n : -n;
    if (columns == 0) return counted(std::abs(rows), "row");
    if (rows == 0) return counted(std::abs(columns), "column");
    return counted(std::abs(rows), "row") + " and " + counted(std::abs(columns), "column");
  }

  /// Square tiles that are each transposed, or that have changed places.
  std::optional<Displaced> tiles() const {
    for (const Place t : {32, 16, 64, 8, 4, 128}) {
      const Place m = Place(rows_), n = Place(columns_);
      if (n < 2 || m % t != 0 || n % t != 0 || (m == t && n == t)) continue;
      const Source inside = [=](Place i) {
        const Place row = i / n, column = i % n;
        return (row / t * t + column % t) * n + column / t * t + row % t;
      };
      const Source between = [=](Place i) {
        const Place row = i / n, column = i % n;
        const Place from = column / t * t + row % t;
        return from < m && row / t * t + column % t < n ? from * n + row / t * t + column % t : -1;
      };
      if (holds(inside, true, 12))
        return Displaced{Kind::tiles,
                         fmt::format("Each tile of {0} x {0} of {1} is in its place, but transposed: {2}.", t,
                                     r_.array, example(inside)),
                         "Which thread of the block stores which element of the tile?"};
      if (holds(between, true, 12))
        return Displaced{
            Kind::tiles,
            fmt::format("Each tile of {0} x {0} of {1} is right inside and lies where the tile on "
                        "the other side of the diagonal belongs: {2}.",
                        t, r_.array, example(between)),
            "Where does the tile go, and from which block index does its place come?"};
    }
    return {};
  }

  std::optional<Displaced> scaled() const {
    if (wrong_.size() < 3) return {};
    double factor = 0;
    for (const std::size_t i : wrong_) {
      if (r_.expected[i] == 0) continue;
      const double quotient = r_.got[i] / r_.expected[i];
      const double near = std::abs(quotient) >= 1 ? std::round(quotient) : 1 / std::round(1 / quotient);
      if (factor == 0) factor = near;
      if (!std::isfinite(near) || factor == 1 || std::abs(factor) > 64 || std::abs(factor) < 1.0 / 64)
        return {};
      const double off = std::abs(factor) * tolerance(i) + 1e-12 * std::abs(factor * r_.expected[i]);
      if (!(std::abs(r_.got[i] - factor * r_.expected[i]) <= off)) return {};
    }
    if (factor == 0 || -std::log2(one_) * double(wrong_.size()) < enough_bits) return {};
    const std::string which =
        std::abs(factor) >= 1 ? fmt::format("{} times", factor) : fmt::format("1/{} of", 1 / factor);
    return Displaced{Kind::scaled,
                     wrong_.size() == r_.size()
                         ? fmt::format("Every element of {} is {} what is right.", r_.array, which)
                         : fmt::format("Every wrong element of {} is {} what is right.", r_.array, which),
                     std::abs(factor) > 1 ? "What is added or multiplied more than once?"
                     : factor < 0         ? "Where does the sign come from?"
                                          : "Which share is left out?"};
  }

  // ---- other places, whichever they are

  std::span<const std::size_t> first_wrong() const {
    return std::span(wrong_).first(std::min(wrong_.size(), most_looked_at));
  }

  /// Wrong elements that hold the value of exactly one other place. Those with zero or NaN hold nobody's
  /// value.
  std::optional<Displaced> scattered() const {
    std::vector<std::pair<std::size_t, std::size_t>> found;
    std::set<std::size_t> sources;
    std::size_t with_value = 0;
    for (const std::size_t i : first_wrong()) {
      if (r_.got[i] == 0 || !std::isfinite(r_.got[i])) continue;
      ++with_value;
      const auto places = places_of(r_.got[i]);
      if (places.size() != 1) continue;
      found.emplace_back(i, places[0]);
      sources.insert(places[0]);
    }
    const double all = std::min(1.0, one_ * double(sorted_.size()));
    const bool by_chance = -std::log2(all) * double(found.size()) < enough_bits;
    if (found.empty() || by_chance || 10 * found.size() < 9 * with_value) return {};
    return scattered(found, 2 * sources.size() <= found.size());
  }

  std::optional<Displaced> scattered(const std::vector<std::pair<std::size_t, std::size_t>>& found,
                                     bool few_sources) const {
    std::string text = example(found[0].first, found[0].second);
    if (found.size() > 1)
      text += fmt::format(", {} what belongs to {}", r_.name(found[1].first), r_.name(found[1].second));
    const double some = double(found.size()), all = double(first_wrong().size());
    const std::string which = wrong_.size() > most_looked_at ? "the first " : "";
    const std::string share =
        some == all ? fmt::format("all {} wrong elements", grouped(all))
                    : fmt::format("{} of {}{} wrong elements", grouped(some), which, grouped(all));
    if (few_sources)
      return Displaced{Kind::scattered,
                       fmt::format("{}. {} hold a value that is right in another place, the same few values "
                                   "again and again.",
                                   text, share),
                       "Which index is the same for all these threads, and should not be?"};
    return Displaced{Kind::scattered,
                     fmt::format("Right values are in the wrong places: {}. So it is with {}.", text, share),
                     fmt::format("Does a thread store each value under the {} that it was computed for?",
                                 columns_ > 0 ? "row and the column" : "index")};
  }

  const Compared& r_;
  const std::size_t rows_, columns_;
  std::vector<std::size_t> wrong_;
  std::vector<std::size_t> sorted_;  // places by what is expected there
  double widest_ = 0, range_ = 0, grain_ = 0;
  double one_ = 1;  // how likely a number fits a given place by chance
};

}  // namespace

bool Compared::fits(std::size_t i, double value) const {
  if (std::isnan(expected[i])) return std::isnan(value);
  if (value == expected[i]) return true;
  return !tolerance.empty() && std::abs(value - expected[i]) <= tolerance[i];
}

std::string Compared::name(std::size_t i) const {
  if (columns == 0) return fmt::format("{}[{}]", array, i);
  return fmt::format("{}[{}][{}]", array, i / columns, i % columns);
}

std::optional<Displaced> displaced(const Compared& result) {
  return Search(result).run();
}

}  // namespace ladder
