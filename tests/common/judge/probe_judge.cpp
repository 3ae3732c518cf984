// The judge of the probe lesson: the same three kinds as any lesson's.

#include "common/judge/judge.hpp"
#include "common/judge/reproduction.hpp"
#include "probe.hpp"

namespace {

using namespace probe;
using Given = ladder::Case<Problem>;

Given of_size(const char* group, int n) {
  Problem shape;
  shape.n = n;
  return {group, "n = " + std::to_string(n), shape,
          [](ladder::Instance<Problem>& instance, ladder::Random& random) {
            double* x = instance.writable(instance->x);
            for (int i = 0; i < instance->n; ++i) x[i] = random.uniform(-1, 1);
          }};
}

ladder::Check verify(const ladder::Instance<Problem>& instance) {
  ladder::Check check;
  check.measure = "max |y - 2x|";
  check.bound = 1e-15;
  for (int i = 0; i < instance.given().n; ++i) {
    const double expected = 2 * instance.given().x[i], got = instance.got().y[i];
    if (!(std::abs(got - expected) <= check.bound) && check.right())
      check.wrong = "first y[" + std::to_string(i) + "]: expected " + std::to_string(expected) + ", got " +
                    std::to_string(got);
  }
  return check;
}

const ladder::Suite<Problem> suite{
    .lesson = lesson,
    .cases =
        [](const ladder::Step& step, int size) {
          if (size > 0) return std::vector{of_size("general", size)};
          std::vector<Given> cases{of_size("general", 1), of_size("general", 7), of_size("large", 1000)};
          if (std::string_view(step.file) == "c5_refusing.cpp") cases[1].refused = "seven was not refused";
          return cases;
        },
    .sized = [](const ladder::Step&, int size, bool) { return of_size("general", size); },
    .verify = verify,
    .verify_quickly = [](const ladder::Instance<Problem>& instance,
                         ladder::Random&) { return verify(instance); },
    .size_of =
        [](const Problem& p) {
          return std::map<std::string, int>{{"n", p.n}};
        },
    .model = [](const Problem& p) { return ladder::Work{.bytes = 16.0 * p.n, .formula = "16 n bytes"}; },
    .work = [](int n) { return double(n); },
};

/// A row for each way: calls made, and those that count.
nlohmann::json calls_with_and_without_warm_up() {
  namespace reproduction = ladder::reproduction;
  auto record = reproduction::record(lesson.name, "Table 4: calls", {"made", "counted"});
  const Given one = of_size("general", 7);
  ladder::Instance<Problem> instance(one.shape);
  ladder::Random random(1);
  one.fill(instance, random);
  for (const bool warm_up : {false, true}) {
    int made = 0;
    reproduction::Runner runner(ladder::launch_of(ladder::plan().peers.at(0), ladder::Data::host),
                                [](ladder::Session&) { return 0.0; });
    const auto cell = runner.measure({.runs = 3, .warm_up = warm_up}, [&](ladder::Session& session) {
      ++made;
      return session.call(instance).seconds;
    });
    record["rows"].push_back({made, cell.seconds.size()});
  }
  return record;
}

}  // namespace

LADDER_JUDGE(suite)

TEST_CASE("reproduce") {
  namespace reproduction = ladder::reproduction;
  reproduction::reproduce(lesson.name, "All tables", [] {
    for (const char* title : {"Table 1: Speed", "Table 2: memory"})
      reproduction::publish(reproduction::record(lesson.name, title, {"n"}));
    reproduction::publish(reproduction::without_table(lesson.name, "Table 3", "there is no GPU"));
    if (reproduction::wanted("Table 4: calls")) reproduction::publish(calls_with_and_without_warm_up());
  });
}
