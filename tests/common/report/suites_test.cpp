/// @file
/// The table of public suites: what was run, what others have published, and what nobody has run yet.
// Guards: docs/executor.md

#include "tests/common/report/checkout.hpp"
#include "tests/common/text.hpp"

using namespace ladder::test;

namespace {

const char* const suites_mark = "<!-- generated: suites -->\n<!-- end -->\n";

}  // namespace

TEST_CASE("a suite that was not run says so, and no number is made up where none was published") {
  Checkout checkout;
  checkout.store("published-suites.json", {{"suites", {"Indigo", "ScoR"}},
                                           {"published",
                                            {{{"suite", "Indigo"},
                                              {"tool", "HiRace"},
                                              {"labelled", 346},
                                              {"found", nullptr},
                                              {"accused", 0},
                                              {"source", "a paper"}}}}});
  const std::string text = checkout.generated(suites_mark);
  CHECK(has(text, "| Indigo | executor | *not run yet* |"));
  CHECK(has(text, "| Indigo | compute-sanitizer | *not run yet* |"));
  CHECK(has(text, "| Indigo | HiRace | not stated of 346 | not stated | 0 of not stated | a paper |"));
  CHECK(has(text, "| ScoR | executor | *not run yet* |"));
  const json all = {{"labelled", 410},       {"found", 400},
                    {"warned", 4},           {"missed", 4},
                    {"accused", 1},          {"accused_by_warning", 2},
                    {"not_applicable", 1},   {"not_judged", 1},
                    {"recall", 400.0 / 408}, {"precision", 400.0 / 401}};
  const json run = {{"suite", "Indigo"},
                    {"backend", "executor"},
                    {"date", "2026-01-02T03:04:05Z"},
                    {"clean", 180},
                    {"all", all}};
  json with_races = run;
  with_races["races"] = all;
  with_races["races"]["labelled"] = 346;
  with_races["without_races"] = 244;
  checkout.store("far/suites.json", json::array({with_races}));
  const std::string stored = checkout.generated(suites_mark);
  CHECK(
      has(stored,
          "| Indigo | executor | 400 of 408, and 4 by a warning | 4 | 1 of 180 | NVIDIA H200, 2026-01-02 |"));
  CHECK(has(stored, "| Indigo, races only | executor | 400 of 344, and 4 by a warning | 4 | 1 of 244 |"));
  CHECK_FALSE(has(stored, "| Indigo | executor | *not run yet* |"));
  CHECK(has(stored, "| Indigo | compute-sanitizer | *not run yet* |"));
  with_races["sample"] = 600;  // without a label, and not judged: 10
  checkout.store("far/suites.json", json::array({with_races}));
  CHECK(has(checkout.generated(suites_mark),
            "| Indigo, 600 programs of it, 10 of them not counted | executor |"));
}

TEST_CASE("a machine of which only counts of suites are stored has a row here and no column anywhere else") {
  Checkout checkout;
  checkout.store("published-suites.json", {{"suites", {"Indigo"}}, {"published", json::array()}});
  checkout.store("lent/suites.json", json::array({{{"suite", "Indigo"},
                                                   {"backend", "executor"},
                                                   {"date", "2026-01-02"},
                                                   {"clean", 1},
                                                   {"all", {{"labelled", 2}, {"found", 2}}}}}));
  CHECK(has(checkout.generated(suites_mark), "| Indigo | executor | 2 of 2 |"));
  CHECK_FALSE(has(checkout.generated("<!-- generated: measured 03-dgemm g1 -->\n"), "lent"));
}
