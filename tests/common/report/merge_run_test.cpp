/// @file
/// A run is taken over by whole tracks; pages say which run each is of, and what nobody has measured.
// Guards: docs/measuring.md#a-run

#include "common/sitegen/merge_run.hpp"

#include "common/model/result_json.hpp"
#include "common/report/results/result_store.hpp"
#include "common/report/results/results.hpp"
#include "tests/common/catch.hpp"
#include "tests/common/report/checkout.hpp"
#include "tests/common/text.hpp"

using namespace ladder::report;
using namespace ladder::test;

namespace {

json row(const std::string& name, double seconds = 1, const std::string& verdict = "PASS") {
  json step = result(name, name[0] == 'c' ? "cpu" : "executor", 64, seconds);
  step["tree"] = "solutions";
  step["verdict"] = verdict;
  return step;
}

json run_json(const std::vector<json>& steps, const std::string& day, const std::string& commit) {
  json document = run_of(steps);
  document["verb"] = "run";
  document["date"] = day + "T03:04:05Z";
  document["commit"] = commit;
  return document;
}

model::Document run(const std::vector<json>& steps, const std::string& day, const std::string& commit) {
  return document_of(run_json(steps, day, commit));
}

/// A lesson of one rung on the CPU and two for a GPU.
Tables three_rungs() {
  const auto of = [](const std::string& name, const std::string& file) {
    return json{{"name", name}, {"file", file}, {"kind", "R"}, {"idea", "An idea."}};
  };
  return {{"03-dgemm",
           {{"title", "Product"},
            {"steps",
             {of("c1_openmp", "c1_openmp.cpp"), of("g1_naive", "g1_naive.cu"), of("g2_new", "g2_new.cu")}}}}};
}

double seconds_of(const model::Document& document, const std::string& name) {
  return StoredDocument{"", document}.step("03-dgemm", name).at(0).time->seconds.median;
}

}  // namespace

TEST_CASE("a pair is shown as long as it is what its row names: clock, kernels, program and size") {
  Tables named_tables = three_rungs();
  json& named = named_tables.at("03-dgemm").at("steps").at(2)["gain"];
  const auto is_kept = [&](const json& gain) {
    named = gain;
    json step = row("g2_new");
    step["time"]["problem"] = {{"n", 768}};
    step["gain"] = {{"clock", "device"}, {"over", "g1_naive"}, {"problem", {{"n", 768}}}};
    model::Document document = run({row("g1_naive"), step}, "2026-01-01", "aaa");
    drop_gains_of_other_rows(document, named_tables);
    return document.lessons[0].steps[1].gain.has_value();
  };
  CHECK(is_kept({{"clock", "device"}}));
  CHECK(is_kept({{"clock", "device"}, {"size", 768}, {"without", "g1_naive"}}));
  CHECK_FALSE(is_kept({{"clock", "call"}}));
  CHECK_FALSE(is_kept({{"clock", "device"}, {"kernels", {"update"}}}));
  CHECK_FALSE(is_kept({{"clock", "device"}, {"without", "g2_new.no_tile"}}));
  CHECK_FALSE(is_kept({{"clock", "device"}, {"size", 4096}}));
}

TEST_CASE("a whole track takes the place of the stored one, with its machine, date and commit") {
  const model::Document first =
      run({row("c1_openmp", 1), row("g1_naive", 1), row("g2_new", 1)}, "2026-01-01", "aaa");
  const MergedRun stored = merge_run({}, first, three_rungs());
  CHECK(stored.taken == std::vector<std::string>{"03-dgemm, track c: 1 rung", "03-dgemm, track g: 2 rungs"});
  const model::Document second = run({row("g2_new", 3), row("g1_naive", 2)}, "2026-02-02", "bbb");
  const MergedRun both = merge_run(stored.stored, second, three_rungs());
  CHECK(seconds_of(both.stored, "c1_openmp") == 1);
  CHECK(seconds_of(both.stored, "g1_naive") == 2);
  CHECK(seconds_of(both.stored, "g2_new") == 3);
  CHECK(both.stored.lessons[0].steps[2].name == "g2_new");  // in the order of the table
  const StoredDocument document{"docs/results/here/run.json", both.stored};
  CHECK(document.run_of("03-dgemm", 'c').commit == "aaa");
  CHECK(document.run_of("03-dgemm", 'g').commit == "bbb");
  CHECK(StoredMachine::facts(document, "03-dgemm") ==
        "AMD EPYC, 2 cores, Debian GNU/Linux 12, c: 2026-01-01, commit aaa; g: 2026-02-02, commit bbb");
  CHECK(StoredMachine::facts(document) == "AMD EPYC, 2 cores, Debian GNU/Linux 12, 2026-01-01 to 2026-02-02");
  // A run of which nothing is left is forgotten.
  const MergedRun last =
      merge_run(both.stored, run({row("c1_openmp", 4)}, "2026-03-03", "ccc"), three_rungs());
  CHECK(last.stored.runs.size() == 2);
}

TEST_CASE("a rung on tensor cores that the executor judged is shown as its twin") {
  const auto place = [](const json& step) { return place_of(ladder::model::step_from_json(step), {}); };
  json on_gpu = row("t1_tensor");
  on_gpu["backend"] = "cuda";
  on_gpu["device"] = "NVIDIA H200";
  CHECK(place(row("t1_tensor")) == "twin (executor)");
  CHECK(place(row("g1_naive")) == "executor");
  CHECK(place(on_gpu) == "NVIDIA H200");
}

TEST_CASE("a part of a track is not taken, nor a row that nobody judged") {
  const model::Document first = run({row("g1_naive", 1), row("g2_new", 1)}, "2026-01-01", "aaa");
  const model::Document stored = merge_run({}, first, three_rungs()).stored;
  const MergedRun part = merge_run(stored, run({row("g1_naive", 2)}, "2026-02-02", "bbb"), three_rungs());
  CHECK(part.taken.empty());
  CHECK(part.refused ==
        std::vector<std::string>{"03-dgemm, track g: the run lacks a judged solution of g2_new"});
  CHECK(seconds_of(part.stored, "g1_naive") == 1);
  for (const char* verdict : {"WRONG", "NOT RUN", "BUILD ERROR", "NOT STARTED"})
    CHECK(merge_run(stored, run({row("g1_naive", 2), row("g2_new", 2, verdict)}, "2026-02-02", "b"),
                    three_rungs())
              .taken.empty());
  json untimed =
      row("g2_new", 2, "SKIPPED");  // Ctrl-C came before its time: the numbers of the stored run stay
  untimed["kinds"] = {{{"kind", "time"}, {"verdict", "SKIPPED"}, {"message", time_interrupted}}};
  CHECK(
      merge_run(stored, run({row("g1_naive", 2), untimed}, "2026-02-02", "b"), three_rungs()).taken.empty());
  json student = row("g2_new", 2);
  student["tree"] = "lessons";
  CHECK(
      merge_run(stored, run({row("g1_naive", 2), student}, "2026-02-02", "b"), three_rungs()).taken.empty());
  for (const char* verdict : {"SKIPPED", "INCONCLUSIVE", "MISSED"})
    CHECK(merge_run(stored, run({row("g1_naive", 2), row("g2_new", 2, verdict)}, "2026-02-02", "b"),
                    three_rungs())
              .taken.size() == 1);
}

TEST_CASE("rows and lessons that no table has go; a stored run of before keeps what is known of it") {
  json old = run_json({row("c1_openmp"), row("c9_gone")}, "2025-01-01", "");
  old["lessons"].push_back({{"name", "09-gone"}, {"steps", {row("c1_openmp")}}});
  old["clock"] = "times of calls";
  const MergedRun taken =
      merge_run(document_of(old), run({row("g1_naive"), row("g2_new")}, "2026-01-01", "aaa"), three_rungs());
  CHECK(taken.gone == std::vector<std::string>{"03-dgemm/c9_gone", "09-gone/c1_openmp"});
  CHECK(taken.stored.lessons.size() == 1);
  const StoredDocument document{"", taken.stored};
  CHECK(document.run_of("03-dgemm", 'c').date == "2025-01-01T03:04:05Z");
  CHECK(document.run_of("03-dgemm", 'c').clock == "times of calls");
  CHECK(document.run_of("03-dgemm", 'g').clock.empty());
  json executor = {{"solutions", {{{"step", "03-dgemm/g1_naive"}}, {{"step", "03-dgemm/g9_gone"}}}},
                   {"costs", {{{"name", "tiled product"}}, {{"name", "09-gone/g1"}}}}};
  CHECK(drop_unknown_solutions(executor, three_rungs()) ==
        std::vector<std::string>{"03-dgemm/g9_gone", "09-gone/g1"});
  CHECK(executor["costs"].size() == 1);
}

TEST_CASE("a rung that nobody has measured is not measured yet, on every page") {
  Checkout checkout;
  json gpu = row("g1_naive");
  gpu["backend"] = "cuda";
  json far = run_json({row("c1_openmp"), gpu, row("g9_gone")}, "2026-01-01", "aaa");
  checkout.store("far/run.json", far);
  checkout.store("here/run.json", run_json({row("g1_naive"), row("g9_gone")}, "2026-01-01", "aaa"));
  checkout.store("far/executor.json",
                 {{"programs", json::array()},
                  {"solutions", {{{"step", "03-dgemm/g1_naive"}}, {{"step", "03-dgemm/g9_gone"}}}},
                  {"costs", json::array()}});
  checkout.write(
      checkout.page,
      "<!-- in short: a product -->\n<!-- generated: lessons -->\n<!-- generated: table run-executor -->\n"
      "<!-- generated: ladder-table 03-dgemm -->\n<!-- generated: gpu-times -->\n"
      "<!-- generated: hardware -->\n<!-- generated: costs -->\n<!-- generated: ladder-figure 03-dgemm "
      "-->\n");
  const Pages pages = generate_pages(checkout.root, three_rungs());
  for (const auto& problem : pages.problems) FAIL_CHECK(problem.sentence());
  const std::string text = pages.files.at(checkout.page);
  CHECK(has(text, "| [03-dgemm](README.md) | a product | c1, g1 to g2 |"));
  CHECK(has(text, "| 03/c1 openmp | *not measured yet* |"));
  CHECK(has(text, "| 03/g2 new | *not measured yet* |  |  |  |\n"));
  CHECK(has(text, "| [g2](g2_new.cu) R | 0 | An idea. | *not measured yet* |"));
  CHECK(has(text, "| 03/g2 new | *not measured yet* |  |  |  |  |  |\n"));
  CHECK(has(text, "- Not counted on that GPU yet (1): 03/g2."));
  CHECK(has(text, "Not measured yet (2): 03/g1, 03/g2."));
  CHECK_FALSE(has(text, "gone"));
  for (const auto& [file, svg] : pages.files) CHECK_FALSE(has(svg, "g9"));
  CHECK(has(text, "2026-01-01, commit aaa"));
  // Without names of lessons only their own pages are asked for.
  CHECK(generate_pages(checkout.root, three_rungs(), "lessons/04").files.empty());
}
