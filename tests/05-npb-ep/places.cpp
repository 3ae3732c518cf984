#include "places.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "common/base/text/numbers.hpp"

namespace npb_ep::test {
namespace {

constexpr std::int64_t max_pairs = 1 << 17;  // that are looked through once more, in no time
constexpr Count enough = 400;                // accepted pairs whose ten counts are seldom those of others

bool close(double a, double b, double slack) {
  return std::abs(a - b) <= slack;
}

/// The search among the pairs.
class Search {
 public:
  Search(const Problem& given, const Problem& got, const Result& expected)
      : given_(given), got_(got), expected_(expected) {
    for (std::int64_t first = 0; first < given.pairs; first += given.batch)
      batches_.push_back(part(given.seed, first, std::min<std::int64_t>(first + given.batch, given.pairs)));
  }

  std::optional<Place> run() {
    sums_right_ =
        close(*got_.sx, expected_.sx, expected_.slack_x) && close(*got_.sy, expected_.sy, expected_.slack_y);
    counts_right_ = std::equal(expected_.q.begin(), expected_.q.end(), got_.q);
    if (auto found = first_or_last_batches()) return found;
    for (const std::int64_t together : {1, 32, block_threads})
      if (auto found = one_group(together)) return found;
    for (std::int64_t all = 2; all <= block_threads; all *= 2)
      if (auto found = some_of_each(all)) return found;
    return sums_right_ ? std::nullopt : first_or_last_pairs();
  }

 private:
  std::int64_t count() const { return std::int64_t(batches_.size()); }

  /// Whether the result is that of these pairs alone, or a half of it is.
  /// @param likely  one of a few parts that a mistake may leave
  std::optional<Place> matches(const Result& some, bool likely, const std::string& pairs) const {
    if (some.accepted() == 0 || some.accepted() == expected_.accepted()) return {};
    const bool sums =
        !sums_right_ && close(*got_.sx, some.sx, some.slack_x) && close(*got_.sy, some.sy, some.slack_y);
    const bool counts = !counts_right_ && std::equal(some.q.begin(), some.q.end(), got_.q);
    if (!sums && !(counts && likely && some.accepted() >= enough)) return {};
    const char* const arrays = sums && counts ? "sx, sy and q" : sums ? "sx and sy" : "q";
    return Place{
        fmt::format("{} {} what belongs to {} alone.", arrays, counts && !sums ? "holds" : "hold", pairs),
        fmt::format("Which threads have these pairs, and what keeps those of all others from {}?", arrays)};
  }

  std::optional<Place> of_batches(const std::function<bool(std::int64_t)>& chosen, bool likely,
                                  const std::string& pairs) const {
    Result some;
    for (std::int64_t b = 0; b < count(); ++b)
      if (chosen(b)) add(some, batches_[std::size_t(b)], 1);
    return matches(some, likely, pairs);
  }

  std::string range(std::int64_t first, std::int64_t last) const {  // batches
    const std::int64_t begin = first * given_.batch,
                       end = std::min<std::int64_t>(last * given_.batch, given_.pairs);
    return fmt::format("pairs {} to {}, {},", ladder::grouped(double(begin)),
                       ladder::grouped(double(end - 1)),
                       last - first == 1 ? "one batch" : fmt::format("{} batches", last - first));
  }

  std::optional<Place> first_or_last_batches() const {
    Result first;
    for (std::int64_t b = 1; b < count(); ++b) {
      add(first, batches_[std::size_t(b) - 1], 1);
      const bool likely = b == 1 || b == 32 || b == block_threads;
      if (auto found = matches(first, likely, range(0, b))) return found;
      Result last = expected_;
      add(last, first, -1);
      const bool likely_end = count() - b == 1 || count() - b == (count() - 1) % block_threads + 1;
      if (auto found = matches(last, likely_end, range(b, count()))) return found;
    }
    return {};
  }

  /// One batch, those of one warp, or those of one block.
  std::optional<Place> one_group(std::int64_t together) const {
    for (std::int64_t first = 0; first < count(); first += together) {
      const std::int64_t last = std::min(first + together, count());
      const auto inside = [=](std::int64_t b) { return first <= b && b < last; };
      if (auto found = of_batches(inside, false, range(first, last))) return found;
    }
    return {};
  }

  /// One batch of each so many, or half of them.
  std::optional<Place> some_of_each(std::int64_t all) const {
    if (all >= count()) return {};
    for (std::int64_t r = 0; r < all; ++r) {
      const auto one = [=](std::int64_t b) { return b % all == r; };
      if (auto found = of_batches(one, r == 0 || r == all - 1,
                                  fmt::format("batches {}, {}, {}, …", r, r + all, r + 2 * all)))
        return found;
    }
    for (const bool upper : {false, true}) {
      const auto half = [=](std::int64_t b) { return (b % all >= all / 2) == upper; };
      if (auto found =
              of_batches(half, true,
                         fmt::format("the {} {} of each {} batches", upper ? "last" : "first", all / 2, all)))
        return found;
    }
    return {};
  }

  /// Whatever their number.
  std::optional<Place> first_or_last_pairs() const {
    Result first;
    for (std::int64_t i = 1; i < given_.pairs; ++i) {
      add(first, part(given_.seed, i - 1, i), 1);
      const std::string all = ladder::grouped(double(given_.pairs));
      if (auto found =
              matches(first, false, fmt::format("the first {} of {} pairs", ladder::grouped(double(i)), all)))
        return found;
      Result last = expected_;
      add(last, first, -1);
      if (auto found =
              matches(last, false,
                      fmt::format("the last {} of {} pairs", ladder::grouped(double(given_.pairs - i)), all)))
        return found;
    }
    return {};
  }

  const Problem &given_, &got_;
  const Result& expected_;
  std::vector<Result> batches_;
  bool sums_right_ = false, counts_right_ = false;
};

/// A sum that is a multiple of what it should be, or a simple part of it; 0: neither.
double factor_of(double got, double expected, double slack) {
  if (std::abs(expected) <= slack) return 0;
  const double quotient = got / expected;
  const double factor = std::abs(quotient) >= 1 ? std::round(quotient) : 1 / std::round(1 / quotient);
  const bool simple =
      std::isfinite(factor) && factor != 1 && std::abs(factor) <= 64 && std::abs(factor) >= 1.0 / 64;
  return simple && close(got, factor * expected, std::max(1.0, std::abs(factor)) * slack) ? factor : 0;
}

std::string times(double factor) {
  if (factor == -1) return "has the opposite sign of";
  return std::abs(factor) >= 1 ? fmt::format("is {} times", factor) : fmt::format("is 1/{} of", 1 / factor);
}

/// A sum in the place of the other one, or some times over.
std::optional<Place> place_of_sums(const Problem& got, const Result& expected) {
  const bool x_in_y = close(*got.sy, expected.sx, expected.slack_x);
  const bool y_in_x = close(*got.sx, expected.sy, expected.slack_y);
  if (x_in_y && y_in_x)
    return Place{"sx holds what belongs to sy, and sy what belongs to sx.",
                 "Which of X' and Y' is added to which sum?"};
  if (x_in_y) return Place{"sy holds what belongs to sx.", "Which partial sums become sy?"};
  if (y_in_x) return Place{"sx holds what belongs to sy.", "Which partial sums become sx?"};
  const double x = factor_of(*got.sx, expected.sx, expected.slack_x),
               y = factor_of(*got.sy, expected.sy, expected.slack_y);
  if (x == 0 && y == 0) return {};
  const auto question = [](double factor) {
    return std::string(factor < 0             ? "Where does the sign come from?"
                       : std::abs(factor) > 1 ? "Who adds this sum, and how often?"
                                              : "Which share of the sum is left out?");
  };
  if (x == y) return Place{fmt::format("Each of sx and sy {} what is right.", times(x)), question(x)};
  return Place{fmt::format("{} {} what is right.", x != 0 ? "sx" : "sy", times(x != 0 ? x : y)),
               question(x != 0 ? x : y)};
}

}  // namespace

std::optional<Place> place_of(const Problem& given, const Problem& got, const Result& expected) {
  if (auto found = place_of_sums(got, expected)) return found;
  if (given.pairs > max_pairs) return {};
  return Search(given, got, expected).run();
}

}  // namespace npb_ep::test
