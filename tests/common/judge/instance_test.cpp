// A problem's arrays by their role: which of them travel between judge and worker.
// Guards: docs/design.md#the-life-of-a-check

#include "common/judge/session/instance.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>

#include "common/base/test_kind.hpp"
#include "common/judge/suite.hpp"
#include "tests/common/catch.hpp"

namespace {

struct Problem {
  int n = 0;
  bool shown = true;
  const double* x = nullptr;
  double *y = nullptr, *w = nullptr;

  template <class Visitor>
  void arrays(Visitor&& visit) {
    visit("x", ladder::Role::in, x, std::size_t(n));
    visit("y", shown ? ladder::Role::out : ladder::Role::work, y, std::size_t(n));
    visit("w", ladder::Role::work, w, std::size_t(1000) * n);
  }
};

/// A matrix whose rows are divided: n x 2 elements, ld of the whole 3 and of a rank 4.
struct Divided {
  int n = 0, ld = 0, first = 0;
  const int* x = nullptr;
  int* y = nullptr;

  Divided part(int rank, int ranks) const {
    return {.n = n / ranks, .ld = ld + 1, .first = rank * (n / ranks)};
  }
  std::array<ladder::Block, 2> blocks(const Divided& whole) const {
    const ladder::Block rows{std::size_t(first) * whole.ld, std::size_t(n), 2, std::size_t(whole.ld),
                             std::size_t(ld)};
    return {rows, rows};
  }
  template <class Visitor>
  void arrays(Visitor&& visit) {
    visit("x", ladder::Role::in, x, std::size_t(n) * ld);
    visit("y", ladder::Role::out, y, std::size_t(n) * ld);
  }
};

/// A matrix of n x n elements, dealt out to P x Q ranks in blocks of 3 x 4, as ScaLAPACK does. Every rank has
/// `sum`.
struct Dealt {
  int n = 0, P = 1, Q = 1, i = 0, j = 0;
  int* A = nullptr;
  int* sum = nullptr;

  /// Of n rows or columns, in blocks of `width`, those of one of `count` ranks.
  static constexpr int dealt(int n, int width, int count, int index) {
    int own = 0;
    for (int e = 0; e < n; ++e) own += e / width % count == index;
    return own;
  }
  int rows() const { return dealt(n, 3, P, i); }
  int columns() const { return dealt(n, 4, Q, j); }
  Dealt part(int rank, int ranks) const {
    const int down = ranks % 2 == 0 ? 2 : 1, across = ranks / down;
    return {.n = n, .P = down, .Q = across, .i = rank / across, .j = rank % across};
  }
  std::array<ladder::Block, 2> blocks(const Dealt&) const {
    const std::size_t ld = n, own_ld = columns();
    return {
        ladder::Block{3 * i * ld + 4 * j, std::size_t(rows()), own_ld, ld, own_ld, {3, 3u * P}, {4, 4u * Q}},
        {0, 1, 1, 1, 1}};
  }
  template <class Visitor>
  void arrays(Visitor&& visit) {
    visit("A", ladder::Role::inout, A, std::size_t(rows()) * columns());
    visit("sum", ladder::Role::out, sum, std::size_t(1));
  }
};

/// What rank has of an array that begins there, as ints.
int* of_rank(std::byte* first, const ladder::protocol::Array& array) {
  return reinterpret_cast<int*>(first + array.output_offset + ladder::protocol::begin_in_room(array.bytes));
}

/// Ranks have of a Dealt of order n what the definition of block-cyclic says. They add 1000 to it.
void check_dealt(const std::vector<ladder::Exchange*>& ranks, int n) {
  const int P = ranks.size() % 2 == 0 ? 2 : 1, Q = int(ranks.size()) / P;
  std::vector<std::vector<int>> expected(ranks.size());
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) expected[i / 3 % P * Q + j / 4 % Q].push_back(i * n + j);
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    ladder::Exchange& own = *ranks[rank];
    REQUIRE(own.table[0].bytes == expected[rank].size() * sizeof(int));
    const int* const there = reinterpret_cast<const int*>(own.inputs->data() + own.table[0].input_offset);
    CHECK(std::equal(expected[rank].begin(), expected[rank].end(), there));
    int* const A = of_rank(own.taken.data(), own.table[0]);
    for (std::size_t e = 0; e < expected[rank].size(); ++e) A[e] = 1000 + there[e];
    *of_rank(own.taken.data(), own.table[1]) = 7;
  }
}

struct Wide {
  std::array<const double*, ladder::protocol::max_arrays + 1> x{};

  template <class Visitor>
  void arrays(Visitor&& visit) {
    for (const double*& one : x) visit("x", ladder::Role::in, one, std::size_t{1});
  }
};

}  // namespace

TEST_CASE("instance: more arrays than a message has room for are refused, and the limit is named") {
  try {
    const ladder::Instance<Wide> instance({});
    FAIL("taken");
  } catch (const ladder::Error& error) {
    CHECK(std::string(error.what()).find("max_arrays") != std::string::npos);
  }
}

TEST_CASE("instance: work space is present for the worker, and neither sent nor taken") {
  ladder::Instance<Problem> instance({.n = 100});
  const ladder::Exchange& exchange = instance.exchange();
  REQUIRE(exchange.table.size() == 3);
  CHECK(exchange.table[2].present == 1);
  CHECK(exchange.table[2].bytes == 800000);
  CHECK(exchange.taken.size() == 4096);  // y alone, in whole pages
  CHECK(instance.given().x != nullptr);
  CHECK(instance.got().y != nullptr);
  CHECK(instance.given().w == nullptr);
  CHECK(instance.got().w == nullptr);
}

TEST_CASE("instance: a scalar may say that an array is not looked at") {
  ladder::Instance<Problem> instance({.n = 100, .shown = false});
  CHECK(instance.exchange().taken.empty());
  CHECK(instance.got().y == nullptr);
}

TEST_CASE("instance: ranks get their rows of the inputs, and theirs of the outputs are put together") {
  ladder::Instance<Divided> instance({.n = 4, .ld = 3});
  int* const x = ladder::Instance<Divided>::writable(instance.given().x);
  std::iota(x, x + 12, 0);
  for (const int ranks : {1, 2, 4}) {
    const std::vector<ladder::Exchange*> all = instance.scatter(ranks);
    REQUIRE(int(all.size()) == ranks);
    const int rows = 4 / ranks;
    for (int rank = 0; rank < ranks; ++rank) {
      ladder::Exchange& own = *all[rank];
      REQUIRE(own.table[0].bytes == std::size_t(rows) * 4 * sizeof(int));
      const int* const there = reinterpret_cast<const int*>(own.inputs->data() + own.table[0].input_offset);
      std::fill(own.taken.begin(), own.taken.end(), own.poison);
      int* const y = of_rank(own.taken.data(), own.table[1]);
      for (int i = 0; i < rows; ++i) {
        CHECK(there[4 * i] == 3 * (rank * rows + i));
        CHECK(there[4 * i + 1] == 3 * (rank * rows + i) + 1);
        CHECK(there[4 * i + 2] == -1);  // between rows is what no step may read
        y[4 * i] = y[4 * i + 1] = 100 * rank + i;
      }
    }
    CHECK(instance.gather().empty());
    instance.bind_outputs();
    for (int i = 0; i < 4; ++i) {
      CHECK(instance.got().y[3 * i + 1] == 100 * (i / rows) + i % rows);
      CHECK(instance.got().y[3 * i + 2] == -1);
    }
    of_rank(all.back()->taken.data(), all.back()->table[1])[3] = 0;
    CHECK(instance.gather() == "rank " + std::to_string(ranks - 1) +
                                   " wrote between the rows of y: what is there is neither read nor written");
  }
}

TEST_CASE("instance: a matrix is dealt out to ranks in blocks of rows and columns, and put together") {
  struct Given {
    std::string group;
  };
  const ladder::Suite<Dealt, Given> suite{
      .amounts = {},
      .name = [](const Given&) { return ""; },
      .shape = [](const Given&) { return Dealt{}; },
      .verify = [](const Given&, const Dealt&, const Dealt&) { return ladder::Check{}; },
      .size_of = [](const Dealt&) { return std::map<std::string, int>(); }};
  const ladder::Case dealt = ladder::detail::case_of(suite, Given{});
  for (const int n : {0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 13, 23})
    for (const int ranks : {1, 2, 3, 4, 6, 10}) {
      ladder::Instance<Dealt> instance({.n = n});
      std::iota(instance->A, instance->A + n * n, 0);
      const std::vector<ladder::Exchange*> all = instance.scatter(ranks);
      check_dealt(all, n);
      CHECK(instance.gather().empty());
      instance.bind_outputs();
      bool right = *instance.got().sum == 7;
      for (int e = 0; e < n * n; ++e) right = right && instance.got().A[e] == 1000 + e;
      CHECK(right);
      if (ranks == 1) continue;
      CHECK(dealt.verify(instance).right());
      *of_rank(all.back()->taken.data(), all.back()->table[1]) = 8;
      CHECK(instance.gather().empty());
      CHECK(dealt.verify(instance).wrong ==
            "sum of rank " + std::to_string(ranks - 1) + " is not that of rank 0: each has all of it");
    }
}

TEST_CASE("instance: inputs of calls that are only timed are copied to the ranks once") {
  ladder::Instance<Divided> instance({.n = 2, .ld = 3});
  int* const x = ladder::Instance<Divided>::writable(instance.given().x);
  const auto first_of = [&](int ranks) {
    const ladder::Exchange& own = *instance.scatter(ranks).front();
    return *reinterpret_cast<const int*>(own.inputs->data() + own.table[0].input_offset);
  };
  x[0] = 7;
  instance.exchange().unread = true;
  CHECK(first_of(2) == 7);
  x[0] = 8;
  CHECK(first_of(2) == 7);
  CHECK(first_of(1) == 8);  // other ranks have not had them
  instance.exchange().unread = false;
  CHECK(first_of(1) == 8);
}

TEST_CASE("instance: a problem without parts is not divided") {
  ladder::Instance<Problem> instance({.n = 100});
  CHECK_THROWS_WITH(instance.scatter(2), "the problem has no part(): a rung with distributed data needs one");
}

TEST_CASE("kinds of test: a name for each, and none for what is no kind") {
  for (const char* name : ladder::test_kind_names)
    CHECK(ladder::to_string(*ladder::test_kind(name)) == std::string(name));
  CHECK(ladder::to_string(ladder::TestKind::reproduce) == std::string("reproduce"));  // the last one
  CHECK_FALSE(ladder::test_kind("correctnes"));
}
