/// @file
/// Lesson 00: the exact sum of a row, and the distance from it in units of the last place; results compared
/// by several threads.
// Guards: docs/glossary.md#numbers

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "tests/00-first-steps/verify.hpp"
#include "tests/common/catch.hpp"

using first_steps::Problem;
using first_steps::Wanted;
using first_steps::test::Comparison;
using first_steps::test::exact_sum;
using first_steps::test::ulps_between;

namespace {

using Limits = std::numeric_limits<double>;

std::vector<double> sum_of(const std::vector<float>& numbers) {
  return exact_sum(numbers.data(), numbers.size());
}

double above(double x) {
  return std::nextafter(x, Limits::infinity());
}

double below(double x) {
  return std::nextafter(x, -Limits::infinity());
}

float power(int exponent) {
  return std::ldexp(1.0f, exponent);
}

/// An image of more elements than one thread compares, and a result of zeros that were never written.
struct Image {
  Wanted wanted;
  std::vector<float> A = std::vector<float>(1031 * 1021), B = std::vector<float>(A.size());
  std::vector<double> sum = std::vector<double>(1031);
  std::vector<unsigned> count = std::vector<unsigned>(first_steps::bins);
  std::vector<int> place = std::vector<int>(A.size());
  Problem problem() {
    return {.wanted = wanted,
            .rows = 1031,
            .columns = 1021,
            .limit = 0.5f,
            .A = A.data(),
            .B = B.data(),
            .sum = sum.data(),
            .count = count.data(),
            .place = place.data()};
  }
};

}  // namespace

TEST_CASE("sums that a double holds are that double") {
  CHECK(sum_of({})[0] == 0);
  CHECK(sum_of({1, 2, 3, 4})[0] == 10);
  CHECK(sum_of({0.5f, -0.25f})[0] == 0.25);
  CHECK(sum_of({0.1f})[0] == double(0.1f));  // the float, not the decimal number
}

TEST_CASE("what cancels leaves exactly the rest") {
  CHECK(sum_of({1e30f, 1, -1e30f})[0] == 1);  // a double that is summed into in this order ends with 0
  CHECK(sum_of({1, 1e30f, -1e30f})[0] == 1);
  CHECK(sum_of({1e30f, power(-140), 3, -1e30f, -3})[0] == double(power(-140)));
  CHECK(sum_of({1e30f, -1e30f})[0] == 0);
  CHECK(ulps_between(0, sum_of({1e30f, 1, -1e30f, -1})) == 0);
}

TEST_CASE("floats that are subnormal count") {
  const float least = std::numeric_limits<float>::denorm_min();
  CHECK(sum_of({least, least, least})[0] == 3 * double(least));
  CHECK(sum_of({1e30f, least, -1e30f})[0] == double(least));
}

TEST_CASE("a sum longer than a double is kept in parts") {
  const std::vector<double> exact = sum_of({1, power(-60)});
  REQUIRE(exact.size() == 2);
  CHECK(exact[0] == 1);
  CHECK(exact[1] == std::ldexp(1.0, -60));
  CHECK(ulps_between(1, exact) == std::ldexp(1.0, -8));  // 2^-60 of units of 2^-52
}

TEST_CASE("the first part is the sum rounded up when the rest is more than half a unit") {
  // 1 + 2^-53 + 2^-60: nearest is 1 + 2^-52, though 1 + 2^-53 alone rounds to 1.
  const std::vector<double> exact = sum_of({1, power(-53), power(-60)});
  CHECK(exact[0] == above(1));
  CHECK(ulps_between(above(1), exact) == 0.5 - std::ldexp(1.0, -8));
  CHECK(ulps_between(1, exact) == 0.5 + std::ldexp(1.0, -8));
}

TEST_CASE("the exact number is 0 units away, its neighbours one") {
  for (const double sum : {1.5, -1.5, 1e300, -3e-300}) {
    CAPTURE(sum);
    CHECK(ulps_between(sum, {sum}) == 0);
    CHECK(ulps_between(above(sum), {sum}) == 1);
    CHECK(ulps_between(below(sum), {sum}) == 1);
    CHECK(ulps_between(above(above(sum)), {sum}) == 2);
  }
}

TEST_CASE("the unit is the exact sum's: below a power of two numbers lie half a unit apart") {
  CHECK(ulps_between(above(1), {1}) == 1);
  CHECK(ulps_between(below(1), {1}) == 0.5);
  CHECK(ulps_between(below(-1), {-1}) == 1);
  CHECK(ulps_between(above(-1), {-1}) == 0.5);
}

TEST_CASE("a wrong sign is twice the number away") {
  CHECK(ulps_between(-1, {1}) == 2 / Limits::epsilon());
  CHECK(ulps_between(1, {-1}) == 2 / Limits::epsilon());
}

TEST_CASE("both zeros are the sum zero, and the next number is one unit away") {
  CHECK(ulps_between(0.0, {0}) == 0);
  CHECK(ulps_between(-0.0, {0}) == 0);
  CHECK(ulps_between(0.0, {-0.0}) == 0);
  CHECK(ulps_between(Limits::denorm_min(), {0}) == 1);
  CHECK(ulps_between(-Limits::denorm_min(), {0}) == 1);
  CHECK(ulps_between(Limits::min(), {0}) == std::ldexp(1.0, 52));
}

TEST_CASE("subnormal sums have the smallest unit, as the smallest normal one has") {
  const double subnormal = 5 * Limits::denorm_min();
  CHECK(ulps_between(subnormal, {subnormal}) == 0);
  CHECK(ulps_between(6 * Limits::denorm_min(), {subnormal}) == 1);
  CHECK(ulps_between(-subnormal, {subnormal}) == 10);
  CHECK(ulps_between(below(Limits::min()), {Limits::min()}) == 1);
}

TEST_CASE("what is no number is infinitely far away") {
  const double infinity = Limits::infinity();
  for (const double value : {Limits::quiet_NaN(), infinity, -infinity}) {
    CHECK(ulps_between(value, {1}) == infinity);
    CHECK(ulps_between(value, {0}) == infinity);
  }
}

TEST_CASE("threads that share a comparison find what one finds that looks at all elements in their order") {
  const unsigned seed = std::random_device{}();
  CAPTURE(seed);
  std::mt19937 random(seed);
  for (const Wanted wanted : {Wanted::brightened, Wanted::blurred, Wanted::transposed, Wanted::row_sums,
                              Wanted::histogram, Wanted::places, Wanted::softened}) {
    CAPTURE(int(wanted));
    Image image{wanted};
    // Dark rows first: there zeros are right, or nearly.
    const std::size_t dark = random() % image.A.size();
    for (std::size_t i = dark; i < image.A.size(); ++i) image.A[i] = float(random() % 1000) / 1000;
    const Problem p = image.problem();
    ladder::Compared elements;
    const auto precision = first_steps::test::Precision::double_bits;
    const Comparison in_order = compare(p, p, precision, &elements), shared = compare(p, p, precision);
    CHECK(in_order.wrong > 0);
    CHECK(shared.wrong == in_order.wrong);
    CHECK(shared.of == in_order.of);
    CHECK(shared.first == in_order.first);
    CHECK(shared.expected == in_order.expected);
    CHECK(shared.got == in_order.got);
    CHECK(shared.untouched == in_order.untouched);
    CHECK(shared.untouched_in_all == in_order.untouched_in_all);
    CHECK(shared.error == in_order.error);
    CHECK(shared.bound == in_order.bound);
    CHECK(shared.measure == in_order.measure);
    CHECK(shared.ulps == in_order.ulps);
    CHECK(shared.first_block_only == in_order.first_block_only);
    CHECK(shared.counted == in_order.counted);
    CHECK(shared.first_wrong_column == in_order.first_wrong_column);
    CHECK(shared.inclusive == in_order.inclusive);
    CHECK(shared.not_softened == in_order.not_softened);
    CHECK(shared.dark_changed == in_order.dark_changed);
  }
}
