// A problem's arrays by their role: which of them travel between judge and worker.
// Guards: docs/design.md#the-life-of-a-check

#include "common/judge/session/instance.hpp"

#include <array>
#include <string>

#include "common/base/test_kind.hpp"
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

TEST_CASE("kinds of test: a name for each, and none for what is no kind") {
  for (const char* name : ladder::test_kind_names)
    CHECK(ladder::to_string(*ladder::test_kind(name)) == std::string(name));
  CHECK(ladder::to_string(ladder::TestKind::reproduce) == std::string("reproduce"));  // the last one
  CHECK_FALSE(ladder::test_kind("correctnes"));
}
