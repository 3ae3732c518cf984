/// @file
/// Lesson 03, g7: how a product is cut into parts, on devices that are not here.
// Guards: lessons/03-dgemm/README.md#g7--matrices-on-the-host-copies-during-the-products

#include <algorithm>
#include <cstdint>
#include <vector>

#include "lessons/03-dgemm/plan.hpp"
#include "tests/common/catch.hpp"

using dgemm::Plan;
using dgemm::plan_for;
using dgemm::Problem;

namespace {

constexpr int tile = dgemm::part_grain;
constexpr std::size_t gigabyte = std::size_t(1) << 30;
constexpr std::size_t min_bytes = std::size_t(6) * tile * tile * sizeof(double);

Problem sized(int m, int n, int k) {
  return {.m = m, .n = n, .k = k, .lda = k, .ldb = n, .ldc = n};
}

/// Blocks that the products of all streams have together, each one per tile of its part.
int blocks_at_once(const Plan& plan) {
  return dgemm::product_streams * (plan.rows / tile) * (plan.columns / tile);
}

/// @return how many products have each place of C as theirs: of m x n x k elements, all once
std::int64_t multiplied(const Problem& p, const Plan& plan) {
  std::int64_t sum = 0;
  for (const auto& one : dgemm::products_of(p, plan)) sum += std::int64_t(one.m) * one.n * one.k;
  return sum;
}

/// @return whether products that come one after another in one place of C belong to one part of it, from its
/// first to its last.
bool places_in_turn(const Problem& p, const Plan& plan) {
  std::vector<int> owner(plan.kept_c, -1);
  for (const auto& one : dgemm::products_of(p, plan)) {
    const int part = one.i0 / plan.rows * plan.of_n + one.j0 / plan.columns;
    if (one.c < 0 || one.c >= plan.kept_c || one.first != (owner[one.c] == -1)) return false;
    if (!one.first && owner[one.c] != part) return false;
    owner[one.c] = one.last ? -1 : part;
  }
  return true;
}

}  // namespace

TEST_CASE("large products of all streams have a block for every multiprocessor, and copies overlap") {
  for (const int multiprocessors : {4, 22, 108, 132, 148})
    for (const int n : {4096, 4097, 5003, 8192, 16384}) {
      const Plan plan = plan_for(sized(n, n, n), 100 * gigabyte, multiprocessors);
      INFO(multiprocessors << " multiprocessors, n = " << n);
      CHECK(blocks_at_once(plan) >= multiprocessors);
      CHECK(std::min(plan.of_m, plan.of_n) >= 4);
      CHECK(plan.kept_c >
            dgemm::product_streams);  // one goes to the host while a product runs in each stream
    }
}

TEST_CASE("where C has too few blocks for the device, it still has four parts along its longest side") {
  for (const int n : {512, 1024, 2048}) {
    const Plan plan = plan_for(sized(n, n, n), 100 * gigabyte, 132);
    CHECK(plan.of_m == 4);
    CHECK(plan.of_n == 4);
  }
}

TEST_CASE("a size that the judge counts is cut the same way for every device") {
  const Plan few = plan_for(sized(512, 512, 512), gigabyte, 4),
             many = plan_for(sized(512, 512, 512), gigabyte, 132);
  CHECK(few.rows == many.rows);
  CHECK(few.columns == many.columns);
  CHECK(few.depth == many.depth);
  CHECK(few.kept_c == many.kept_c);
}

TEST_CASE("a plan keeps to its bytes and multiplies everything once, whatever the shape") {
  const std::vector<Problem> problems = {sized(1, 1, 1),       sized(1, 1, 0),       sized(7, 13, 31),
                                         sized(128, 128, 128), sized(129, 129, 129), sized(127, 257, 1),
                                         sized(1, 3001, 257),  sized(3001, 1, 257),  sized(1, 1, 9973),
                                         sized(521, 523, 541), sized(4097, 129, 33), sized(64, 2048, 4096)};
  for (const Problem& p : problems)
    for (const int multiprocessors : {1, 4, 132})
      for (const std::size_t bytes : {min_bytes, 10 * min_bytes / 6, 4 * min_bytes, gigabyte}) {
        const Plan plan = plan_for(p, bytes, multiprocessors);
        INFO(p.m << " x " << p.n << " x " << p.k << ", " << bytes << " bytes");
        CHECK(plan.elements() * sizeof(double) <= bytes);
        CHECK(multiplied(p, plan) == std::int64_t(p.m) * p.n * p.k);
        CHECK(places_in_turn(p, plan));
        CHECK(plan.rows % tile == 0);
        CHECK(plan.columns % tile == 0);
        CHECK(std::min({plan.kept_a, plan.kept_b, plan.kept_c}) >= 1);
        CHECK(plan.kept_c <= std::max(plan.of_m * plan.of_n, 2));
        CHECK(std::min(plan.rows_of_chunk(plan.columns), plan.rows_of_chunk(plan.depth)) >= 1);
      }
}

TEST_CASE("a chunk in pinned memory has 4 MiB, or less where no part has as much") {
  CHECK(plan_for(sized(4096, 4096, 4096), gigabyte, 132).stage * sizeof(double) == 4 << 20);
  CHECK(plan_for(sized(128, 128, 128), gigabyte, 132).stage == 128 * 128);
}
