/// @file
/// The pictures of a GPU, and the numbers in them: measured ones from a stored doctor.json, or said not to be
/// measured.
// Guards: lessons/00-first-steps/machine.md

#include "common/report/figures/machine_figures.hpp"

#include <cmath>

#include "common/report/figures/reproduction_figures.hpp"
#include "common/report/figures/svg.hpp"
#include "common/report/results/performance.hpp"
#include "common/sitegen/counted_code.hpp"
#include "tests/common/catch.hpp"
#include "tests/common/report/checkout.hpp"
#include "tests/common/text.hpp"

using namespace ladder::report;
using namespace ladder::test;

namespace {

json line_of(const std::string& what, const std::string& unit, double median) {
  return {{"what", what}, {"unit", unit}, {"median", median}, {"low", median}, {"high", median}, {"runs", 5}};
}

/// What doctor writes on a machine with an H200 whose memory answers after 500 ns.
json doctor_of_h200() {
  json document = run_of({});
  document["verb"] = "doctor";
  document["machine"]["devices"] =
      json::array({{{"id", "cuda:0"}, {"name", "NVIDIA H200"}, {"compute_units", 132}, {"kind", "gpu"}}});
  document["machine"]["ceilings"] = {
      {"executor", json::array({{{"what", "latency, L2"}, {"error", "the executor has no caches"}}})},
      {"cuda:0",
       json::array(
           {line_of("copy", "byte/s", 4e12), line_of("latency, device memory", "s", 500e-9),
            line_of("latency in cycles, device memory", "cycle", 900), line_of("latency, L2", "s", 150e-9),
            line_of("latency, L1", "s", 20e-9), line_of("latency, shared memory", "s", 16e-9),
            line_of("read by warps, 1", "byte/s", 60e9), line_of("read by warps, 64", "byte/s", 3.5e12)})}};
  return document;
}

}  // namespace

TEST_CASE("Little's law: bytes in flight are latency times bandwidth, and loads of warps hold them") {
  CHECK(std::abs(bytes_under_way(500e-9, 4e12) - 2e6) < 1);
  // 2 MB on 100 multiprocessors are 20,000 bytes for each; a warp with a load of 8 bytes holds 256.
  CHECK(std::abs(warps_under_way(2e6, 100, 8) - 78.125) < 1e-9);
}

TEST_CASE("what doctor measured is found by name, and an error line is no number") {
  const DoctorLines lines(document_of(doctor_of_h200()));
  CHECK(lines.median("latency, L2") == 150e-9);
  CHECK_FALSE(lines.median("latency, host memory"));
  CHECK(lines.best({"copy", "read"}) == 4e12);
  REQUIRE(lines.by_warps().size() == 2);
  CHECK(lines.by_warps()[1].warps == 64);
  // Of a machine without a GPU nothing is taken, and the executor's lines least of all.
  json without = doctor_of_h200();
  without["machine"]["ceilings"].erase("cuda:0");
  CHECK_FALSE(DoctorLines(document_of(without)).median("latency, L2"));
}

TEST_CASE("a warp's doubles: 8 sectors, one more when misaligned, one each with a stride of four") {
  Caption caption;
  const std::string svg = access_figure(caption);
  for (const char* text :
       {">coalesced: A[i], 0 % wasted<", ">8 sectors<", ">misaligned: A[i + 1], 11 % wasted<", ">9 sectors<",
        ">strided: A[4 i], 75 % wasted<", ">32 sectors<"})
    CHECK(has(svg, text));
  CHECK(has(svg, "every 128 bytes"));  // one ruler of addresses in all three
}

TEST_CASE("pictures of a GPU: measured latencies, or the words that they are not measured") {
  Checkout checkout;
  json run = run_of({});
  run["machine"] = doctor_of_h200()["machine"];
  run["machine"].erase("ceilings");
  checkout.store("here/run.json", run);
  const auto text_of = [&] {
    return checkout.generated(
        "<!-- generated: machine hierarchy -->\n<!-- generated: machine memory -->\n<!-- generated: machine "
        "access -->\n"
        "<!-- generated: machine latency -->\n");
  };
  std::string text = text_of();
  const auto memory = [&] { return checkout.read("lessons/00-first-steps/figures/machine-memory.svg"); };
  CHECK(has(text, "RTX 4060: published by NVIDIA"));
  CHECK(has(text, "*not measured yet"));
  CHECK(has(memory(), "latency not measured yet"));
  CHECK(has(memory(), "272 GB/s published"));
  CHECK_FALSE(has(memory(), " ns"));
  checkout.store("here/doctor.json", doctor_of_h200());
  text = text_of();
  CHECK(has(memory(), "500 ns, 900 cycles"));
  CHECK(has(memory(), "L1 20 ns"));
  CHECK(has(memory(), "4 TB/s measured"));
  CHECK(count(memory(), ">size</text>") == 4);     // the host's memory is not a GPU's
  CHECK(count(memory(), ">latency</text>") == 3);  // of L1, L2 and device memory: doctor has no more here
  CHECK(has(text, "500 ns × 4 TB/s = **2 MB** in flight"));
  CHECK(has(text, "64 fit"));
  CHECK(has(text, "machine-little-here.svg"));
}

TEST_CASE("a roofline has a point for each rung that a GPU timed and counted, and names the others") {
  Checkout checkout;
  json step = result("g1_naive", "cuda", 4096, 0.05);
  step["device"] = "cuda:0", step["data"] = "resident";
  step["time"]["device"] = {{"median", 0.05}};
  step["time"]["work"] = {{"unit", "flop"}, {"amount", 1e11}, {"ceiling", "FP64"}, {"seconds", 0.002}};
  json run = run_of({step});
  run["machine"] = doctor_of_h200()["machine"];
  checkout.store("here/run.json", run);
  const std::string mark = "<!-- generated: roofline 03-dgemm -->\n";
  CHECK(has(checkout.generated(mark), "*not measured yet"));  // no sectors
  const auto counter = [](double hardware) { return json{{"executor", hardware}, {"hardware", hardware}}; };
  const json kernel = {{"counters",
                        {{"global_load_sectors", counter(900)},
                         {"global_store_sectors", counter(100)},
                         {"fp64_operations", {{"executor", 64000.0}}}}}};
  checkout.write("solutions/03-dgemm/g1_naive.cu", "__global__ void multiply() {}\n");
  const auto store_count = [&](const std::string& machine, json row) {
    row.update({{"step", "03-dgemm/g1_naive"}, {"problem", "n = 256"}});
    json rows = json::array({row});
    add_hashes(checkout.root, "solutions", rows);
    checkout.store(machine + "/executor.json", {{"solutions", rows}});
  };
  store_count("here", {{"kernels", json::array({kernel})}});
  const std::string text = checkout.generated(mark);
  // 64,000 operations on 1,000 sectors of 32 bytes: 2 per byte; 1e11 operations in 50 ms: 2 TFLOP/s.
  CHECK(has(text, "g1 naive: 2 operations per byte, 2 TFLOP/s"));
  CHECK(has(text, "counted by a GPU, n = 256"));
  const std::string drawn = checkout.read("lessons/03-dgemm/figures/03-roofline-here.svg");
  CHECK(has(drawn, ">g1</text>"));
  CHECK_FALSE(has(drawn, ">g1 naive</text>"));  // once is enough: the numbers below have its name
  CHECK(has(drawn, "Solid roofs: as published."));
  // Another GPU has counted the rung since: sectors are the program's, so the newest count is drawn.
  json newer = kernel;
  newer["counters"]["global_store_sectors"] = counter(1100);
  store_count("there", {{"date", "2026-11-27"}, {"kernels", json::array({newer})}});
  CHECK(has(checkout.generated(mark), "g1 naive: 1 operations per byte, 2 TFLOP/s"));
  CHECK(
      has(checkout.read("lessons/03-dgemm/figures/03-roofline-here.svg"), "g1 reaches 6 % of the FP64 peak"));

  // A faster rung that nobody has counted is no point, so no rung of the figure is called the best.
  Tables more = tables;
  more["03-dgemm"]["steps"].push_back(
      {{"name", "g2_tiles"}, {"file", "g2_tiles.cu"}, {"kind", "R"}, {"hours", 1}, {"idea", "Tiles."}});
  json faster = step;
  faster["name"] = "g2_tiles", faster["time"]["device"]["median"] = 0.01;
  run["lessons"][0]["steps"].push_back(faster);
  checkout.store("here/run.json", run);
  write_pages(checkout.root, generate_pages(checkout.root, more));
  CHECK(has(checkout.read("lessons/03-dgemm/figures/03-roofline-here.svg"),
            "g1 under the roofs; faster rungs are not counted yet"));
  CHECK(has(checkout.read(checkout.page), "Not drawn, as no GPU has counted or timed them yet: g2."));

  // Nor is a count of a program that has changed since.
  checkout.write("solutions/03-dgemm/g1_naive.cu", "__global__ void multiply() { int more; }\n");
  CHECK(has(checkout.generated(mark), "*not measured yet"));
}

TEST_CASE("FP64 of a GPU is its tensor cores' where a rate is above the published peak of its units") {
  json step = result("g1_naive", "cuda", 4096, 0.05), cpu = result("c1_openmp", "cpu", 4096, 0.05);
  step["device"] = "cuda:0", cpu["device"] = "cpu";
  for (json* one : {&step, &cpu})
    (*one)["time"]["work"] = {
        {"unit", "flop"}, {"amount", 1e11}, {"ceiling", "FP64"}, {"seconds", 1e11 / 66e12}};
  json run = run_of({step, cpu});
  run["machine"] = doctor_of_h200()["machine"];
  const auto ceiling = [&](std::size_t i) {
    model::Document document = document_of(run);
    name_ceilings(document);
    return document.lessons[0].steps[i].time->work.ceiling;
  };
  CHECK(ceiling(0) == "FP64 tensor");  // an H200's units have 33.5 TFLOP/s
  CHECK(ceiling(1) == "FP64");
  run["lessons"][0]["steps"][0]["time"]["work"] = {
      {"unit", "flop"}, {"amount", 1e11}, {"ceiling", "FP64"}, {"seconds", 1e11 / 33e12}};
  CHECK(ceiling(0) == "FP64");
  CHECK(ceiling_words("FP64 tensor") == "FP64 tensor peak");
  CHECK(ceiling_words("memory") == "memory bandwidth");
  CHECK(ceiling_words("link to the device") == "PCIe bandwidth");
}

TEST_CASE("a heat map marks the launches that fill the GPU, from the resident blocks of another record") {
  const json heat = {{"kind", "heat"},
                     {"name", "heat"},
                     {"rows", {{"label", "blocks"}, {"values", {528, 1056}}}},
                     {"columns", {{"label", "threads per block"}, {"values", {256, 512, 1024}}}},
                     {"cells", {{70, 81, 60}, {84, 73, 50}}}};
  json records =
      json::array({{{"title", "Resident blocks of a multiprocessor, work B"},
                    {"columns", {"threads", "GTX 1660, resident", "H200, resident"}},
                    {"rows", {{"256", "3", "8"}, {"512", "1", "4"}, {"1024", "0", "2"}}}},
                   {{"title", "Figure 2"}, {"rows", json::array()}, {"figures", json::array({heat})}}});
  mark_residency(records, model::machine_from_json(doctor_of_h200()["machine"]));
  const json& marked = records[1]["figures"][0];
  CHECK(marked["marked"] == json::array({1056, 528, 0}));  // 132 x 2 = 264 is no row
  CHECK(marked["notes"][0] ==
        "Dashed: all blocks that are resident at once, at 256 threads 132 multiprocessors x 8 = 1056.");
  const auto drawn = stated_figures(records[1], "corner");
  REQUIRE(drawn.size() == 1);
  CHECK(has(drawn[0].svg, "stroke-dasharray=\"4 3\""));
  CHECK(has(drawn[0].svg, "threads per block"));
  json alone = json::array({records[1]});
  alone[0]["figures"] = json::array({heat});
  mark_residency(alone, model::machine_from_json(doctor_of_h200()["machine"]));
  CHECK_FALSE(alone[0]["figures"][0].contains("marked"));
}

TEST_CASE("records that were stored before are drawn as now: medians by class, rates, and seconds of tiles") {
  const json row = {"S", "baseline", "2", "2 (1 to 3)", "", "1", "1", ""},
             g1 = {"S", "g1_one", "0.3", "0.25 (0.2 to 0.3)", "0.2", "1", "6.7", ""},
             estimated = {"W", "baseline", "(about 20, not measured)", "", "", "1", "1", ""},
             g1_of_w = {"W", "g1_one", "0.1", "0.1 (0.1 to 0.1)", "0.1", "1", "200", ""};
  const json record = {
      {"title", "Figure 1 of work E: speedup of XY over the sequential program"},
      {"columns", {"class", "program", "mean, s", "median, s", "kernels, s", "Mop/s", "speedup", "drawn"}},
      {"rows", json::array({row, g1, estimated, g1_of_w})},
      {"figures", json::array({{{"kind", "bars"}, {"name", "speedup"}, {"groups", json::array()}}})}};
  const json now = redrawn_figures(record);
  REQUIRE(now.size() == 1);
  CHECK(now[0]["kind"] == "curves");
  CHECK(now[0]["x"]["names"] == json::array({"S"}));  // an estimated time of W is no baseline
  CHECK(now[0]["title"] == "Of g1: g1 is up to 8 times as fast as the sequential program");
  CHECK(now[0]["lines"][0]["points"].size() == 1);
  CHECK(now[0]["lines"][0]["points"][0][1] == 8.0);  // of medians: 2 / 0.25
  const json curves = json::array({{{"kind", "curves"}, {"name", "time"}, {"lines", json::array()}},
                                   {{"kind", "curves"}, {"name", "speedup"}, {"lines", json::array()}}});
  const json products = {
      {"title", "Figures of work D: time"},
      {"columns", {"version", "n = 1000", "n = 2000"}},
      {"rows",
       {{"CUDA basic (g1)", "0.008", "(about 0.06)"}, {"tiles of 8", "1", "1"}, {"cuBLAS", "0.002", ""}}},
      {"figures", curves}};
  const json rates = redrawn_figures(products);
  REQUIRE(rates.size() == 1);
  CHECK(rates[0]["y"]["log"] == true);  // two decades are between the slowest and the library
  CHECK(rates[0]["title"] == "g1 reaches 25 % of cuBLAS's rate at n = 1000");
  REQUIRE(rates[0]["lines"].size() == 2);
  REQUIRE(rates[0]["lines"][0]["points"].size() == 1);  // an estimate is none
  CHECK(std::abs(rates[0]["lines"][1]["points"][0][1].get<double>() - 1000) <
        1e-6);  // 2e9 operations in 2 ms
}

TEST_CASE("titles of work C name what is seen: the shorter of what overlaps, the highest line") {
  const auto track = [](const char* label, double from, double to) {
    return json{{"label", label}, {"bars", {{from, to, 0.5}}}};
  };
  json timeline = {
      {"kind", "timeline"},
      {"name", "timeline"},
      {"title", "73 % of the shorter of copies and calls run next to the other"},
      {"alternative", "73 % of the shorter of copies and calls run next to the other. Bars."},
      {"tracks", {track("to the device", 0, 3), track("GPU: calls", 0, 2), track("to the host", 1, 3)}}};
  const auto redrawn = [](const json& figure) {
    return redrawn_figures({{"title", "x"}, {"figures", json::array({figure})}})[0];
  };
  CHECK(redrawn(timeline)["title"] == "Copies run during 73 % of the GPU's calls");
  CHECK(redrawn(timeline)["alternative"] == "Copies run during 73 % of the GPU's calls. Bars.");
  timeline["tracks"][1] = track("GPU: calls", 0, 4);  // now copies are the shorter ones, both together or not
  CHECK(redrawn(timeline)["title"] ==
        "Copies and calls of the GPU overlap for 73 % of the shorter of the two");
  const json model = {{"kind", "curves"},
                      {"name", "model"},
                      {"title", "The model predicts 0.772 with 16 streams; g3 reaches 0.571"},
                      {"lines",
                       {{{"label", "predicted"}, {"points", {{16, 0.772}}}},
                        {{"label", "g3"}, {"points", {{8, 0.55}, {16, 0.571}}}},
                        {{"label", "g6"}, {"points", {{16, 3.4}, {32, 3.03}}}}}}};
  CHECK(redrawn(model)["title"] ==
        "g6 with 16 threads is 3.40 times as fast as one stream without copies; streams alone, g3, 0.571");
}

TEST_CASE("a sentence that a stored record has in older words is said in current ones") {
  CHECK(restated("At n = 64 reduced transfers save 75.4% here and 94.78% in the source.") ==
        "At n = 64 reduced transfers save 75 % of the time here and 95 % in the source.");
  CHECK(restated("73 % of the shorter of copies and calls run next to the other") ==
        "Copies and calls of the GPU overlap for 73 % of the shorter of the two");
  CHECK(restated("The model predicts 0.772 with 16 streams; g3 reaches 0.571. x") ==
        "g3 with 16 streams has 0.571 times the speed of one stream without copies; the model has 0.772. x");
  CHECK(restated("Another sentence.") == "Another sentence.");
}
