// Inputs that a step cannot foresee: an attack that works on a seed and not on a key.
// Guards: docs/design.md#the-life-of-a-check, docs/grading.md#keys-and-repeating-a-case

#include "common/judge/inputs.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tests/common/judge/judged.hpp"

using namespace ladder;
using ladder::test::json;
using ladder::test::judged_by;
using ladder::test::plan_of;
using ladder::test::planned;
using ladder::test::Scratch;

namespace {

const std::string key = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

std::uint64_t unshifted(std::uint64_t z, int by) {
  std::uint64_t x = z;
  for (int known = by; known < 64; known += by) x = z ^ (x >> by);
  return x;
}

/// Newton's method: each step doubles the right bits.
std::uint64_t inverse_of(std::uint64_t odd) {
  std::uint64_t x = odd;
  for (int i = 0; i < 6; ++i) x *= 2 - odd * x;
  return x;
}

/// SplitMix64's state after it gave these 64 bits.
std::uint64_t state_after(std::uint64_t bits) {
  std::uint64_t z = unshifted(bits, 31) * inverse_of(0x94d049bb133111ebu);
  z = unshifted(z, 27) * inverse_of(0xbf58476d1ce4e5b9u);
  return unshifted(z, 30);
}

/// A step that sees a case's numbers, 53 bits of each, and finds the state of the generator: 2^11 tries of
/// the first one.
std::optional<std::uint64_t> recovered(const std::vector<double>& seen) {
  constexpr std::uint64_t golden = 0x9e3779b97f4a7c15u;
  const auto first = static_cast<std::uint64_t>(seen[0] * 0x1p53) << 11;
  for (std::uint64_t low = 0; low < 2048; ++low) {
    const std::uint64_t before = state_after(first | low) - golden;
    Random guess(before);
    bool fits = true;
    for (const double number : seen) fits = fits && guess.uniform() == number;
    if (fits) return before;
  }
  return std::nullopt;
}

/// How often the attack, having seen case i, knows case i + 1.
template <class NumbersOf>
int foreseen(NumbersOf numbers_of) {
  int known = 0;
  for (std::uint64_t i = 0; i < 20; ++i) {
    Random shown = numbers_of(i), next = numbers_of(i + 1);
    std::vector<double> seen(4);
    for (double& number : seen) number = shown.uniform();
    const auto seed = recovered(seen);
    if (!seed) continue;
    Random predicted(*seed + 7919);  // what the judge adds to the seed of the next case
    known += predicted.bits() == next.bits() && predicted.bits() == next.bits();
  }
  return known;
}

std::vector<std::uint64_t> first_of(Random random) {
  std::vector<std::uint64_t> numbers(2000);
  for (std::uint64_t& number : numbers) number = random.bits();
  return numbers;
}

}  // namespace

TEST_CASE(
    "inputs: a rung that has seen a case's numbers computes the next ones from a seed, never from a key") {
  constexpr std::uint64_t secret = 0x123456789abcdef1u;  // 64 bits, and still not a secret for long
  CHECK(foreseen([&](std::uint64_t i) { return Random(secret * 1000003u + i * 7919u); }) == 20);
  CHECK(foreseen([&](std::uint64_t i) { return keyed_random(key, "03-dgemm", {"g2", "case", i}); }) == 0);
}

TEST_CASE("inputs: the same key and purpose repeat exactly; every other has other numbers") {
  const Purpose one{"g2", "case", 3, 1};
  const auto numbers = first_of(keyed_random(key, "03-dgemm", one));
  CHECK(numbers == first_of(keyed_random(key, "03-dgemm", one)));
  std::string other_attempt = key;
  other_attempt[63] = 'e';
  CHECK(numbers != first_of(keyed_random(other_attempt, "03-dgemm", one)));
  CHECK(numbers != first_of(keyed_random(key, "02-gauss", one)));
  for (const Purpose& other : {Purpose{"g3", "case", 3, 1}, Purpose{"g2", "time", 3, 1},
                               Purpose{"g2", "case", 1, 3}, Purpose{"g2c", "ase", 3, 1}})
    CHECK(numbers != first_of(keyed_random(key, "03-dgemm", other)));
  for (const std::string& bad : {std::string(), key.substr(1), key + "00", "zz" + key.substr(2)})
    CHECK_THROWS_WITH(keyed_random(bad, "", {}), "a key has 64 hexadecimal digits");
}

TEST_CASE("inputs: a part of a problem continues a keyed stream, and starts from a seed else") {
  Random keyed = keyed_random(key, "", {});
  Random all = keyed_random(key, "", {});
  Random part = keyed.child();
  CHECK(part.bits() == all.bits());
  CHECK(keyed.bits() == all.bits());  // and not the part's once more
  Random plain(7), same(7);
  CHECK(plain.child(1).bits() == Random(same.bits() | 1).bits());
}

TEST_CASE(
    "inputs: a keyed plan repeats itself, names its key where that is no secret, and another key judges "
    "other numbers") {
  const auto judged_with = [](const std::string& with, bool secret) {
    const Scratch scratch;
    json plan = plan_of(scratch, json::array({planned("c1_plain", "wrong")}), {"correctness"});
    if (!with.empty()) plan["key"] = with;
    plan["key_is_secret"] = secret;
    const std::vector<json> found = judged_by(scratch, plan);
    REQUIRE(found.size() == 1);
    json record = found[0];
    record.erase("processor");  // seconds, which differ
    return record;
  };
  const json once = judged_with(key, false), again = judged_with(key, false), plain = judged_with("", false);
  INFO(once.dump());
  CHECK(once.at("verdict") == "WRONG");
  CHECK(once == again);
  CHECK(once.at("key") == key);
  CHECK(once.at("details").dump().find(" --seed " + key) != std::string::npos);
  CHECK(plain.at("message") != once.at("message"));
  CHECK_FALSE(plain.contains("key"));
  CHECK(judged_with(key, true).dump().find(key) == std::string::npos);
}
