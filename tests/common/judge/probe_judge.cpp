// The judge of the probe lesson: the same three kinds as any lesson's.

#include "common/judge/judge.hpp"
#include "common/judge/reproduction.hpp"
#include "problem.hpp"

namespace {

using namespace probe;
struct Given {
  std::string group;
  int n;
  std::string refused{};
};

void fill(const Given&, Problem& p, ladder::Random& random) {
  for (int i = 0; i < p.n; ++i) const_cast<double*>(p.x)[i] = random.uniform(-1, 1);
}

std::optional<ladder::Compared> compared(const Given&, const Problem& given, const Problem& got) {
  ladder::Compared y{.array = "y"};
  for (int i = 0; i < given.n; ++i) y.add(2 * given.x[i], got.y[i], 1e-15);
  return y;
}

std::vector<ladder::Compared> inputs(const Given&, const Problem& given) {
  ladder::Compared x{.array = "x"};
  x.expected.assign(given.x, given.x + given.n);
  return {x};
}

ladder::Check verify(const Given&, const Problem& given, const Problem& got) {
  ladder::Check check;
  check.measure = "max |y - 2x|";
  check.bound = 1e-15;
  for (int i = 0; i < given.n; ++i) {
    const double expected = 2 * given.x[i], is = got.y[i];
    if (!(std::abs(is - expected) <= check.bound) && check.right())
      check.wrong = "first y[" + std::to_string(i) + "]: expected " + std::to_string(expected) + ", got " +
                    std::to_string(is);
  }
  return check;
}

double sectors(const Problem& p, int) {
  return p.n / 2.0;
}
double bytes(const Problem& p, int) {
  return 16.0 * p.n;
}
const ladder::Amounts amounts{{"sectors", ladder::amount<sectors>}, {"bytes", ladder::amount<bytes>}};

const ladder::Suite<Problem, Given> suite{
    .amounts = amounts,
    .cases =
        [](const ladder::Step& step) {
          std::vector<Given> cases{{"general", 1}, {"general", 7}, {"large", 1000}};
          if (step.file == "c5_refusing.cpp") cases[1].refused = "seven was not refused";
          return cases;
        },
    .sized =
        [](const ladder::Step&, int size, bool) {
          return Given{"general", size};
        },
    .name = [](const Given& c) { return "n = " + std::to_string(c.n); },
    .shape = [](const Given& c) { return Problem{.n = c.n}; },
    .fill = fill,
    .verify = verify,
    .size_of =
        [](const Problem& p) {
          return std::map<std::string, int>{{"n", p.n}};
        },
    .model = [](const Given& c) { return ladder::Work{.bytes = 16.0 * c.n, .formula = "16 n bytes"}; },
    .work = [](int n) { return double(n); },
    .compared = compared,
    .inputs = inputs,
    .refused = [](const Given& c) { return c.refused; },
};

/// A row for each way: calls made, and those that count.
nlohmann::json calls_with_and_without_warm_up() {
  namespace reproduction = ladder::reproduction;
  auto record = reproduction::record(ladder::plan().lesson, "Table 4: calls", {"made", "counted"});
  ladder::Instance<Problem> instance({.n = 7});
  ladder::Random random(1);
  fill({}, *instance.operator->(), random);
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

/// A row for each call of a step whose result is on the device, every second one unread: whether the judge
/// has the result of just this call.
nlohmann::json outputs_read_and_unread(const char* title, ladder::Data data) {
  namespace reproduction = ladder::reproduction;
  auto record = reproduction::record(ladder::plan().lesson, title, {"is there"});
  ladder::Session session(ladder::launch_of(ladder::plan().steps.at(0), data));
  const bool stays = data == ladder::Data::host;
  // So large that a judge which takes it as soon as the call has ended does not have its end.
  const int n = stays ? 500'000 : 7;
  ladder::Instance<Problem> instance({.n = n, .y_stays = stays});
  ladder::Random random(1);
  for (int call = 0; call < 4; ++call) {
    fill({}, *instance.operator->(), random);
    instance.exchange().unread = call % 2 == 1;
    session.call(instance);
    record["rows"].push_back({instance.got().y[n - 1] == 2 * instance.given().x[n - 1] ? 1 : 0});
  }
  return record;
}

}  // namespace

LADDER_JUDGE(suite)

TEST_CASE("reproduce") {
  namespace reproduction = ladder::reproduction;
  reproduction::reproduce(ladder::plan().lesson, "All tables", [] {
    for (const char* title : {"Table 1: Speed", "Table 2: memory"})
      reproduction::publish(reproduction::record(ladder::plan().lesson, title, {"n"}));
    reproduction::publish(reproduction::without_table(ladder::plan().lesson, "Table 3", "there is no GPU"));
    if (reproduction::wanted("Table 4: calls")) reproduction::publish(calls_with_and_without_warm_up());
    if (ladder::plan().steps.empty()) return;
    for (const auto& [title, data] : {std::pair{"Table 5: outputs", ladder::Data::resident},
                                      std::pair{"Table 6: results that stay", ladder::Data::host}})
      if (reproduction::wanted(title)) reproduction::publish(outputs_read_and_unread(title, data));
  });
}
