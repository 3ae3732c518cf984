/// @file
/// What the kinds of generated parts show on a small checkout, honest about what was not measured.
// Guards: docs/measuring.md#what-a-number-means

#include "common/sitegen/pages.hpp"

#include "common/model/result_json.hpp"
#include "common/report/results/page_text.hpp"
#include "common/sitegen/counted_code.hpp"

#include "tests/common/catch.hpp"
#include "tests/common/report/checkout.hpp"
#include "tests/common/text.hpp"

using namespace ladder::report;
using nlohmann::json;
namespace fs = std::filesystem;
using namespace ladder::test;

TEST_CASE(
    "a number reads as an amount and as a multiple of the minimum, a count with its name, a share as it is") {
  const auto said = [](const std::string& metric, double measured, const json& amount,
                       const json& necessary) {
    json one = target(metric, measured, "");
    one["amount"] = amount, one["necessary_amount"] = necessary;
    return target_text(ladder::model::step_from_json({{"targets", {one}}}).targets.front());
  };
  CHECK(said("sectors", 1.0, 16384, 16384) == "16,384 sectors, the minimum (limit 1.1×)");
  CHECK(said("wavefronts per fma", 1.4444, 212992, 147456) ==
        "212,992 wavefronts, 1.44 × the minimum (limit 1.1×)");
  CHECK(said("sectors:update", 1.0, 64, 64) == "64 sectors of update, the minimum (limit 1.1×)");
  CHECK(said("pageable_bytes", 1.05, 4300, 4096) ==
        "4,300 bytes (pageable transfers), 1.05 × the minimum (limit 1.1×)");
  CHECK(said("findings", 0, 0, 1) == "0 findings (limit 1.1)");
  json none = target("findings", 0, "");
  none["bound"] = none["amount"] = 0;
  CHECK(target_text(ladder::model::step_from_json({{"targets", {none}}}).targets.front()) == "no findings");
  CHECK(said("waits", 1, 1, 1) == "host synchronisations: 1 (limit 1.1)");
  CHECK(said("barriers", 32, 32, 1) == "barriers per block: 32 (limit 1.1)");
  CHECK(said("chain", 0.569, 0.569, 1) == "share of the critical path 0.569 (limit 1.1)");
  CHECK(said("barriers", 0.25, 4, 16) == "barriers per block: 4 (limit 17.6)");  // less than the formula
  CHECK(said("bytes", 0.25, 8937, 35747) == "8,937 bytes (limit 39,322)");
  json least = target("bytes", 1.0, "");
  least["relation"] = ">=", least["bound"] = 1, least["amount"] = least["necessary_amount"] = 25165824;
  CHECK(target_text(ladder::model::step_from_json({{"targets", {least}}}).targets.front()) ==
        "25,165,824 bytes (at least 25,165,824)");
  CHECK(said("sectors", 1.02, nullptr, nullptr) == "sectors 1.02 × the minimum (limit 1.1×)");
}

TEST_CASE("a rung on a GPU has its device's time first, and says what became of the rung below") {
  Checkout checkout;
  const auto rung = [](const std::string& name, double device) {
    json step = result(name, "cuda", 4096, 2 * device);
    step["data"] = "resident";
    step["device"] = "cuda:0";
    step["time"]["device"] = {{"median", device}, {"peers", {{"cuBLAS", 0.0008}}}};
    step["time"]["work"] = {{"ceiling", "FP64"}, {"unit", "flop"}, {"amount", 1e9}, {"seconds", 0.0005}};
    return step;
  };
  json g2 = rung("g2_tiles", 0.002);
  const auto interval = [](double median) {
    return json{{"median", median}, {"low", median}, {"high", median}, {"runs", 11}};
  };
  const auto gain = [&](const char* clock, double seconds, double without) {
    return json{{"over", "g1_naive"},
                {"clock", clock},
                {"problem", {{"m", 4096}, {"n", 4096}}},
                {"seconds", interval(seconds)},
                {"without", interval(without)},
                {"ratio", interval(without / seconds)}};
  };
  g2["gain"] = gain("device", 0.002, 0.004);
  g2["targets"] = json::array({target("sectors", 1.0, "")});
  g2["targets"][0].update({{"amount", 4096}, {"necessary_amount", 4096}, {"below", 17}});
  Tables more = tables;
  more["03-dgemm"]["steps"].push_back(
      {{"name", "g2_tiles"}, {"file", "g2_tiles.cu"}, {"kind", "R"}, {"idea", "Tiles."}, {"hours", 1.5}});
  const auto line = [&](const json& above) {
    checkout.store("far/run.json", run_of({rung("g1_naive", 0.004), above}));
    checkout.write(checkout.page, "<!-- generated: measured 03-dgemm g2_tiles -->\n");
    return generate_pages(checkout.root, more).files.at(checkout.page);
  };
  const std::string text = line(g2);
  CHECK(
      has(text,
          "<b>2 ms</b> on the device at n = 4096: 500 GFLOP/s, 25 % of the FP64 peak · 0.400 times cuBLAS's "
          "speed there · a call takes 4 ms ±10 % · "));
  CHECK_FALSE(has(text, "4,096 sectors"));  // the executor counted them, on whatever machine
  CHECK(has(text,
            "2 (2 to 2) times as fast as g1 on the device at n = 4096: medians 2 ms and 4 ms; sectors: 4,096 "
            "instead of 69,632</li>\n"));
  g2.erase("targets");
  g2["gain"] = gain("device", 0.00401, 0.004);
  CHECK(has(line(g2), "· as fast as g1 on the device at n = 4096: "));
  g2["gain"] = gain("device", 0.005, 0.004);
  CHECK(has(line(g2), "0.800 (0.800 to 0.800) times the speed of g1 on the device"));
  g2["gain"] = gain("call", 0.004, 0.008);  // its idea is the host's part
  CHECK(
      has(line(g2),
          "2 (2 to 2) times as fast as g1 by the time of a call at n = 4096: medians 4 ms and 8 ms</li>\n"));
  g2["gain"]["kernels"] = {"eliminate"};
  g2["gain"]["clock"] = "device";
  g2["gain"]["over"] = "g2_tiles.no_tile";
  CHECK(
      has(line(g2), "2 (2 to 2) times as fast as the program without the idea by the time of eliminate at "));
  json unclocked = g2;  // its recorder slows it down: no time of the device, and the gain all the same
  unclocked["time"].erase("device");
  CHECK(has(line(unclocked), "<b>4 ms</b>"));
  CHECK(has(line(unclocked),
            "2 (2 to 2) times as fast as the program without the idea by the time of eliminate at "));
  more["03-dgemm"]["steps"].back()["gain"] = {{"clock", "device"},
                                              {"kernels", {"eliminate"}},
                                              {"without", "g2_tiles.no_tile"},
                                              {"experiment", "tiles cost nothing"}};
  CHECK(has(line(g2), "an experiment: tiles cost nothing</li>\n"));
  g2["gain"] = {{"over", "g1_naive"}, {"clock", "call"}, {"problem", {{"n", 4096}}}, {"reason", "it died"}};
  CHECK_FALSE(has(line(g2), "as g1"));
}

TEST_CASE("a GPU's line has what its own counters say, of the program that the executor counts now") {
  Checkout checkout;
  json g1 = result("g1_naive", "cuda", 4096, 0.004);
  g1["device"] = "cuda:0";
  g1["targets"] = json::array({target("sectors:multiply", 1.0, ""), target("chain", 0.5, "")});
  g1["targets"][0]["amount"] = g1["targets"][0]["necessary_amount"] = 4096;
  checkout.store("far/run.json", run_of({g1}));
  const auto kernel = [](const char* name, double executor, double hardware) {
    return json{{"kernel", name},
                {"counters",
                 {{"global_load_sectors", {{"executor", executor}, {"hardware", hardware}}},
                  {"global_store_sectors", {{"executor", 96}, {"hardware", 96}}},
                  {"global_atomic_sectors", {{"executor", 0}, {"hardware", 0}}}}}};
  };
  checkout.write("solutions/03-dgemm/g1_naive.cu", "__global__ void multiply() {}\n");
  const auto line = [&](double executor) {
    json rows = json::array({{{"step", "03-dgemm/g1_naive"},
                              {"problem", "n = 256"},
                              {"kernels", {kernel("multiply", executor, 4100), kernel("set", 7, 7)}}}});
    ladder::report::add_hashes(checkout.root, "solutions", rows);
    checkout.store("far/executor.json", {{"solutions", rows}});
    return checkout.generated("<!-- generated: measured 03-dgemm g1 -->\n");
  };
  CHECK(has(line(4000), "share of the critical path 0.500"));
  CHECK(has(line(4000), "ncu counts 4,196 sectors at n = 256"));
  CHECK_FALSE(has(line(3900), "ncu"));  // that was another program
}

TEST_CASE("an executor's time is on no page") {
  Checkout checkout;
  checkout.store_run();
  const std::string text = checkout.generated("<!-- generated: measured 03-dgemm g1 -->\n");
  CHECK(has(text, "(executor): PASS · sectors: comes with the observed mode</li>\n"));
  CHECK_FALSE(has(text, "ms"));
}

TEST_CASE("a page has no ladder of one rung, nor of a GPU that the CPU plays") {
  Checkout checkout;
  checkout.store_run();
  CHECK(has(checkout.generated("<!-- generated: ladder-figure 03-dgemm -->\n"), "*no ladder measured yet*"));
}

TEST_CASE(
    "the baseline has a time for each timing session, and one for each size at which it was timed alone") {
  Checkout checkout;
  json c1 = result("c1_openmp", "cpu", 768, 0.02), g1 = result("g1_naive", "cuda", 4096, 0.2);
  json again = result("c1_openmp", "mpi", 768, 0.03);
  g1["time"]["baseline"] = {{"median", 14.0}, {"runs", 1}};
  checkout.store("here/run.json", run_of({c1, again, g1}));
  const std::string text = checkout.generated("<!-- generated: measured 03-dgemm baseline -->\n");
  INFO(text);
  CHECK(has(text, "<details><summary>Measured</summary>"));  // up to three are on the page as they are
  CHECK(has(text, "<li>2 cores, no GPU: <b>30 ms</b> at n = 768, timed together with c1.</li>\n"));
  CHECK(has(text, "<li>2 cores, no GPU: <b>45 ms</b> at n = 768, timed together with c1.</li>\n"));
  CHECK(has(text,
            "<li>2 cores, no GPU: <b>14 s</b> at n = 4096, timed alone, once, on the problem of g1.</li>\n"));
}

TEST_CASE("the table of a run: verdict, target, time, ratio, and why a target has no number") {
  Checkout checkout;
  checkout.store_run();
  const std::string text = checkout.generated("<!-- generated: table run-executor -->\n");
  CHECK(has(text, "| 03/c1 openmp | PASS | load imbalance ≤ 1.1 | 20 ms ±10 % | 1.50x |"));
  CHECK(has(text, "| 03/g1 naive | PASS | sectors – |  |  |"));
  CHECK(has(text, "– (not measured): sectors: comes with the observed mode."));
  CHECK(has(text,
            "[here/run.json](../../docs/results/here/run.json): AMD EPYC, 2 cores, Debian GNU/Linux 12, "
            "2026-01-02."));
}

TEST_CASE("the ladder has a table for each track, and a CPU is not called by its GPU") {
  Checkout checkout;
  checkout.store_run();
  json far = run_of({result("c1_openmp", "cpu", 768, 0.02)});
  far["machine"]["devices"] = json::array({{{"kind", "gpu"}, {"id", "cuda:0"}, {"name", "NVIDIA H200"}}});
  checkout.store("far/run.json", far);
  const std::string text = checkout.generated("<!-- generated: ladder-table 03-dgemm -->\n");
  CHECK(has(
      text,
      "**On the CPU** · 0.5 h\n\n| rung | hours | idea | 2 cores, no GPU, n = 768 | CPU of the NVIDIA H200 "
      "machine, n = 768 |"));
  CHECK(has(
      text,
      "**On a GPU** · 1 h\n\n| rung | hours | idea |\n"));  // no verdicts of the executor, no empty column
  CHECK(has(text, "| [c1](c1_openmp.cpp) R | 0.5 | Share \\| divide. | 20 ms, **1.50x** baseline | 20 ms"));
  CHECK(has(text, "[What the words mean](../../docs/glossary.md)"));
}

TEST_CASE("a rung that was timed at another size than the others says so") {
  Checkout checkout;
  Tables more = tables;
  std::vector<json> steps;
  for (const auto& [name, n] : {std::pair{"g1_naive", 512}, {"g2_tiles", 4096}, {"g3_more", 4096}}) {
    steps.push_back(result(name, "cuda", n, 0.02));
    if (std::string(name) == "g1_naive") continue;
    more["03-dgemm"]["steps"].push_back(
        {{"name", name}, {"file", std::string(name) + ".cu"}, {"kind", "R"}, {"hours", 1}, {"idea", "x"}});
  }
  for (json& row : more["03-dgemm"]["steps"]) row["gain"]["clock"] = "call";
  checkout.store("far/run.json", run_of(steps));
  checkout.write(checkout.page, "<!-- generated: ladder-table 03-dgemm -->\n");
  const std::string text = generate_pages(checkout.root, more).files.at(checkout.page);
  CHECK(has(text, "| NVIDIA H200, n = 4096 |"));
  CHECK(has(text, "| 20 ms at n = 512 |"));
  CHECK(count(text, "| 20 ms |") == 2);
}

TEST_CASE("the path has the hours of its stations, and what is stretch apart") {
  Checkout checkout;
  checkout.write("README.md", "<!-- generated: path 03/g1-g3 03/c1- 03 -->\n");
  Tables more = tables;
  more["03-dgemm"]["title"] = "A product";
  more["03-dgemm"]["steps"].push_back(
      {{"name", "g2_tiles"}, {"file", "g2_tiles.cu"}, {"kind", "S"}, {"hours", 1.5}});
  const Pages pages = generate_pages(checkout.root, more);
  REQUIRE(pages.problems.empty());
  const std::string text = pages.files.at("README.md");
  CHECK(has(text, "| [A product](lessons/03-dgemm/README.md) | 03: g1 to g2 | 1 | 1.5 |"));
  CHECK(has(text, "| [A product](lessons/03-dgemm/README.md) | 03: c1 | 0.5 |  |"));
  CHECK(has(text, "| together |  | 3 | 3 |"));
  for (const char* wrong : {"04", "03/x", "03/g7-"}) {
    checkout.write("README.md", std::string("<!-- generated: path ") + wrong + " -->\n");
    CHECK(generate_pages(checkout.root, more).problems.size() == 1);
  }
}

TEST_CASE("a syllabus has what its weeks hold, and no week more hours than it may or a rung too early") {
  Checkout checkout;
  Tables more = tables;
  more["03-dgemm"]["title"] = "A product";
  json& steps = more["03-dgemm"]["steps"];
  steps[1]["targets"] = {{{"metric", "sectors"}}, {{"metric", "findings"}}};
  steps.push_back({{"name", "g2_tiles"}, {"kind", "S"}, {"hours", 1.5}, {"idea", "Tiles."}});
  steps.push_back({{"name", "g3_more"}, {"kind", "R"}, {"hours", 2}, {"idea", "More."}});
  const auto pages = [&](const std::string& arguments) {
    checkout.write("docs/syllabi.md", "<!-- generated: syllabus " + arguments + " -->\n");
    return generate_pages(checkout.root, more);
  };
  steps[0]["after"] = {"03-dgemm/g1_naive"};
  const Pages good = pages("4 2 03/g1 03/c1 03/g3 exam");
  REQUIRE(good.problems.empty());
  const std::string text = good.files.at("docs/syllabi.md");
  CHECK(has(text,
            "| 1 | [A product](../lessons/03-dgemm/README.md) | 03: g1 | 1 | g1: sectors | g1: One "
            "thread, one element. |"));
  CHECK(has(text, "| 4 | exam, talks | all so far |"));
  CHECK(has(text, "|  | together |  | 3.5 |  |  |"));
  const std::pair<const char*, const char*> wrong[] = {
      {"2 2 03/g1 03/g2-g3", "week 2 has 3.5 hours, and 2 are there"},
      {"1 4 03/g3", "03-dgemm/g3_more comes before g1"},
      {"2 4 03/c1 03/g1", "03-dgemm/c1_openmp comes before 03-dgemm/g1_naive, which it needs"},
      {"2 4 03/g1 03/g1", "03-dgemm/g1_naive is there twice"},
      {"3 4 03/g1 03/c1", "3 weeks are said, and 2 are there"},
      {"x 4 03/g1", "syllabus WEEKS HOURS WEEK"},
      {"1 4 03/g9", "03/g9 names no rung"}};
  for (const auto& [arguments, said] : wrong) {
    const Pages bad = pages(arguments);
    REQUIRE(bad.problems.size() == 1);
    CHECK(has(bad.problems[0].text, said));
  }
}

TEST_CASE("times by size come from runs of several sizes") {
  Checkout checkout;
  checkout.store("here/run.json",
                 run_of({result("c1_openmp", "cpu", 256, 0.02), result("g1_naive", "executor", 256, 0.04)}));
  const std::string mark = "<!-- generated: measured 03-dgemm c1-g1-by-size -->\n";
  CHECK(has(checkout.generated(mark), "*not measured yet on 2 cores, no GPU*"));  // one size compares nothing
  checkout.store("here/run-1024.json",
                 run_of({result("c1_openmp", "cpu", 1024, 1), result("g1_naive", "executor", 1024, 4)}));
  const std::string text = checkout.generated(mark);
  CHECK(has(text, "| n | c1 | g1 | c1 : g1 |"));
  CHECK(has(text, "| 1024 | 1 s | 4 s | 0.250 |"));
}

TEST_CASE("theirs stands next to ours, in few columns, with a figure of what was measured") {
  Checkout checkout;
  json document = run_of({});
  document["lessons"][0]["reproductions"] = {
      {{"title", "Table 2"},
       {"columns",
        {"n", "theirs, naive", "theirs, reduced", "gain", "ours, naive", "ours, reduced", "gain",
         "naive, median", "reduced, median"}},
       {"rows",
        {{"64", "0.02", "0.01", "50%", "0.4", "0.1", "75%", "0.4 (0.3 to 0.5)", "0.1 (0.1 to 0.2)"},
         {"128", "0.2", "0.1", "50%", "(about 3, not measured)", "1.5", "", "", ""}}},
       {"notes", {"At n = 64 reduced transfers save 75% here and 50% in the source."}}}};
  checkout.store("here/reproduce-01.json", document);
  const std::string text = checkout.generated("<!-- generated: reproduce 03-dgemm -->\n");
  CHECK(has(text, "| n | theirs: naive → reduced (gain) | ours: naive → reduced (gain) |"));
  CHECK(has(text, "| 64 | 0.02 → 0.01 (50%) | 0.4 → 0.1 (75%) |"));
  CHECK(has(text, "| 128 | 0.2 → 0.1 (50%) | (about 3, not measured) → 1.5 |"));
  CHECK(has(text, "in the source.\n\n*not measured yet on NVIDIA H200*"));  // not an item of these notes
  const std::string svg = checkout.read("lessons/03-dgemm/figures/reproduce-01-here.svg");
  CHECK(has(svg, "At n = 64 reduced transfers save 75 % of"));
  CHECK(count(svg, "<circle") == 3);  // what was not measured is no point
}

TEST_CASE("a reproduction that states its figures has them, and all columns that say something") {
  Checkout checkout;
  json document = run_of({});
  const json heat_figure = {{"kind", "heat"},
                            {"name", "heat"},
                            {"title", "Best: 16 blocks"},
                            {"alternative", "In words."},
                            {"rows", {{"label", "blocks"}, {"values", {16}}}},
                            {"columns", {{"label", "threads"}, {"values", {32, 64}}}},
                            {"cells", {{1.5, nullptr}}},
                            {"unit", "times"}};
  const json real = {{"label", "real"}, {"part", "rung"}, {"points", {{8, 1.0}, {16, 1.5, 1.25, 2.0}}}};
  const json tail_figure = {{"kind", "curves"},
                            {"name", "tail"},
                            {"title", "It falls"},
                            {"alternative", "In other words."},
                            {"x", {{"label", "blocks"}, {"log", false}}},
                            {"y", {{"label", "speedup"}, {"log", false}}},
                            {"marks", {16}},
                            {"lines", json::array({real})}};
  const json g2 = {{"label", "g2"}, {"seconds", {2.0, 0.5}}};
  const json stacked_figure = {{"kind", "stacked"},       {"name", "stacked"},
                               {"title", "Twice"},        {"alternative", "In third words."},
                               {"parts", {"one", "two"}}, {"bars", json::array({g2})}};
  const json record = {
      {"title", "Figure 2"},
      {"columns", {"blocks", "ours, 32 threads", "ours, 64 threads", "real, drawn", "kernels"}},
      {"rows", {{"16", "1.5", "–", "██", ""}}},
      {"notes", {"one note"}},
      {"figures", json::array({heat_figure, tail_figure, stacked_figure})}};
  document["lessons"][0]["reproductions"] = json::array({record});
  checkout.store("here/reproduce-02.json", document);
  const std::string text = checkout.generated("<!-- generated: reproduce 03-dgemm -->\n");
  CHECK(
      has(text, "| blocks | ours, 32 threads | ours, 64 threads |\n"));  // what is drawn or empty is left out
  CHECK(has(text, "| 16 | 1.5 | – |\n"));
  CHECK(has(text, "![In words.](figures/reproduce-02-here-heat.svg)"));
  const std::string heat = checkout.read("lessons/03-dgemm/figures/reproduce-02-here-heat.svg");
  CHECK(count(heat, "url(#hatch)") == 1);  // what was not measured
  CHECK(has(heat, ">1.5</text>"));
  const std::string tail = checkout.read("lessons/03-dgemm/figures/reproduce-02-here-tail.svg");
  CHECK(count(tail, "<circle") == 2);
  CHECK(count(tail, "class=\"seam\"") == 1);  // one of the points has an interval
  CHECK_FALSE(has(text, "In third words."));  // no GPU here: it would show the executor's time
  document["machine"]["devices"] = json::array({{{"id", "cuda:0"}, {"name", "a GPU"}}});
  checkout.store("here/reproduce-02.json", document);
  CHECK(has(checkout.generated("<!-- generated: reproduce 03-dgemm -->\n"), "![In third words.]"));
  const std::string stacked = checkout.read("lessons/03-dgemm/figures/reproduce-02-here-stacked.svg");
  CHECK(has(stacked, ">g2</text>"));
  CHECK(has(stacked, "width=\"320.0\""));  // 2 of 2.5: four fifths of 400
}

TEST_CASE("rungs of a GPU are with both clocks, the percent of the ceiling that binds, and the library") {
  Checkout checkout;
  json g1 = result("g1_naive", "cuda", 4096, 0.004);
  g1["data"] = "resident";
  checkout.store("far/run.json", run_of({result("c1_openmp", "cpu", 768, 0.02), g1}));
  const std::string mark = "<!-- generated: gpu-times -->\n";
  const std::string before = checkout.generated(mark);
  CHECK(has(before, "### NVIDIA H200"));
  CHECK(has(before,
            "| 03/g1 naive | resident | n = 4096 | not measured | 4 ms | not measured | 0.500x "
            "OpenBLAS (call) |"));
  CHECK_FALSE(has(before, "c1"));

  g1["time"]["device"] = {{"median", 0.002}, {"peers", {{"cuBLAS", 0.0008}}}};
  g1["time"]["work"] = {{"ceiling", "FP64"}, {"unit", "flop"}, {"amount", 1e9}, {"seconds", 0.0005}};
  checkout.store("far/run.json", run_of({g1}));
  REQUIRE(check_pages(checkout.root, tables).size() == 1);  // the page is of the older run
  CHECK(has(checkout.generated(mark), "| 2 ms | 4 ms | 25 % of the FP64 peak | 0.400x cuBLAS |"));
  CHECK(check_pages(checkout.root, tables).empty());

  g1["time"]["work"] = {{"reason", "CPU and GPU share the work"}};
  checkout.store("far/run.json", run_of({g1}));
  CHECK(has(checkout.generated(mark), "| CPU and GPU share the work |"));
}
