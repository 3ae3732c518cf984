#include "verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "common/base/text/numbers.hpp"
#include "places.hpp"
#include "reference.hpp"

namespace npb_ep::test {
namespace {

constexpr double official_tolerance = 1e-8;

/// Other pairs of the same stream are in the same bins on average: a bin deviates by 0.66, and the means of
/// 390 and 390 pairs (of 500, the fewest that are explained) differ by 0.2 at four standard deviations.
constexpr double another_mean = 0.2;

/// Pairs that are counted.
Count total(const Count* q) {  // bins
  return std::accumulate(q, q + bins, Count(0));
}

/// The bin of a pair that is counted, on average.
double mean_bin(const Count* q) {  // bins
  double sum = 0;
  for (int l = 0; l < bins; ++l) sum += l * double(q[l]);
  return sum / double(total(q));
}

/// How many numbers a small type of counts has, when each wrong count lacks a multiple of that; else 0.
Count lost_multiple(const Count* got, const Count* expected) {  // bins, bins
  Count common = 0;
  for (int l = 0; l < bins; ++l) {
    if (got[l] > expected[l]) return 0;
    common = std::gcd(common, expected[l] - got[l]);
  }
  for (const int bits : {16, 8})
    if (common > 0 && common % (Count(1) << bits) == 0) return Count(1) << bits;
  return 0;
}

/// Whether a count may be that of other pairs of the same stream. Each is accepted with probability pi / 4:
/// two counts differ by four standard deviations at most, and by a few percent where batches overlap.
bool about_as_many(double got, double expected, double pairs) {
  const double accepted = 0.785;
  return std::abs(got - expected) <
         std::max(0.06 * pairs, 4 * std::sqrt(2 * accepted * (1 - accepted) * pairs));
}

std::string check_counts(const Problem& got, const Result& expected) {
  int wrong = 0, first = 0;
  for (int l = bins; l-- > 0;)
    if (got.q[l] != expected.q[l]) ++wrong, first = l;
  if (wrong == 0) return "";
  return fmt::format("{} of {} counts wrong, first q[{}]: expected {}, got {}", wrong, bins, first,
                     ladder::grouped(double(expected.q[first])), ladder::grouped(double(got.q[first])));
}

std::string check_sum(const char* name, double expected, double got, double slack) {
  if (std::abs(got - expected) <= slack) return "";
  if (!std::isfinite(got))
    return fmt::format("{}: expected {}, got {}", name, ladder::number(expected, 7), ladder::number(got, 7));
  return fmt::format("{}: {}; {} apart, and rounding explains {}", name, ladder::difference(expected, got),
                     ladder::number(std::abs(got - expected), 3), ladder::number(slack, 3));
}

std::string check_official(const OfficialClass& official, const Problem& got) {
  if (verified(official, *got.sx, *got.sy)) return "";
  return fmt::format(
      "class {}: NPB's verification fails, sx {:.15e} (official {:.15e}), sy {:.15e} ({:.15e})",
      official.name, *got.sx, official.sx, *got.sy, official.sy);
}

/// What totals say about where to look.
void explain(const Problem& given, const Problem& got, const Result& expected, Comparison& result) {
  const auto place = place_of(given, got, expected);
  if (place) result.details.emplace_back("Where it is", place->what);
  const auto say = [&](std::string text, std::string question) {
    result.details.emplace_back("What happened", std::move(text));
    result.details.emplace_back("Think", place ? place->question : std::move(question));
  };
  const Count want = expected.accepted(), have = total(got.q);
  const bool counts_right = std::equal(expected.q.begin(), expected.q.end(), got.q);
  if (have > Count(given.pairs))
    return say("There are more accepted pairs than pairs.",
               "What did sx, sy and q hold before the call, and which pairs does the thread past the last "
               "one take?");
  if (counts_right)
    return say("All counts are right, so the numbers are; the sums are not.",
               "Which terms may be missing, added twice, or not be as precise as a double?");
  const bool sums_right = std::abs(*got.sx - expected.sx) <= expected.slack_x &&
                          std::abs(*got.sy - expected.sy) <= expected.slack_y;
  if (have == want && sums_right)
    return say("The sums are right and as many pairs are accepted as should be, but some are in other bins.",
               "Which of |X'| and |Y'| chooses the bin, and which bin does 1.5 belong to?");
  const bool many = given.pairs > 500;  // else an equal number may be chance
  if (many && have == want && std::abs(mean_bin(got.q) - mean_bin(expected.q.data())) > another_mean)
    return say("As many pairs are accepted as should be, but they are in other bins.",
               "Is X' = X f, and which of |X'| and |Y'| chooses the bin?");
  if (many && have == want)
    return say(
        "As many pairs are accepted as should be: they are other pairs, or a few are in other bins.",
        "Which numbers of the stream does each thread use, and which of |X'| and |Y'| chooses the bin?");
  if (const Count numbers = lost_multiple(got.q, expected.q.data()); numbers > 0)
    return say(
        fmt::format("Each wrong count is too small by a multiple of {}.", ladder::grouped(double(numbers))),
        "How far can a thread count in the type of its counts?");
  if (many && about_as_many(double(have), double(want), double(given.pairs)))
    return say(
        fmt::format("About as many pairs are accepted as should be ({} and {}), but they are other pairs.",
                    ladder::grouped(double(have)), ladder::grouped(double(want))),
        "Which numbers of the stream does each thread use: where does the second thread begin, and where "
        "does the last one end?");
  if (have == want)
    return say(
        fmt::format(
            "As many pairs are counted as are accepted, {}, but they are other pairs or in other bins.",
            ladder::grouped(double(want))),
        "Which numbers of the stream does each thread use, and which of |X'| and |Y'| chooses the bin?");
  say(fmt::format("{} pairs are counted where {} are accepted.", ladder::grouped(double(have)),
                  ladder::grouped(double(want))),
      have < want ? "Which pairs, or whose counts, never reach the result?"
                  : "Which pairs are counted that should not be?");
}

}  // namespace

bool verified(const OfficialClass& official, double sx, double sy) {
  const auto close = [](double got, double expected) {
    return std::abs((got - expected) / expected) <= official_tolerance;
  };
  return close(sx, official.sx) && close(sy, official.sy);
}

Comparison compare(const Problem& given, const Problem& got) {
  Comparison result;
  const OfficialClass* official = class_of(given.pairs, given.seed);
  if (given.pairs > largest_reference) {
    result.wrong = official ? check_official(*official, got) : "no reference for that many pairs";
    return result;
  }
  const Result& expected = reference(given.pairs, given.seed);
  result.error = std::max(std::abs(*got.sx - expected.sx) / std::max(expected.slack_x, 1e-300),
                          std::abs(*got.sy - expected.sy) / std::max(expected.slack_y, 1e-300));
  result.wrong = check_counts(got, expected);
  for (const std::string& wrong : {check_sum("sx", expected.sx, *got.sx, expected.slack_x),
                                   check_sum("sy", expected.sy, *got.sy, expected.slack_y)})
    if (result.wrong.empty()) result.wrong = wrong;
  if (!result.wrong.empty()) explain(given, got, expected, result);
  if (result.wrong.empty() && official) result.wrong = check_official(*official, got);
  return result;
}

}  // namespace npb_ep::test
