/// @file
/// What pages say of docs/top: the leaderboard, the counters, and both on the section of a rung.
// Guards: docs/top.md#how-it-is-measured

#include "tests/common/catch.hpp"
#include "tests/common/report/checkout.hpp"
#include "tests/common/text.hpp"

using namespace ladder::test;
using nlohmann::json;

namespace {

const std::string leaderboard = "<!-- generated: leaderboard 03-dgemm -->\n";
const std::string counters = "<!-- generated: counters 03-dgemm -->\n";

/// A row of n = 1000: 2e9 operations.
json row(const std::string& rung, double seconds, double ratio) {
  return {{"shape", "1000"},
          {"data", "uniform"},
          {"rung", rung},
          {"operations", 2e9},
          {"error", {{"median", 0.25}, {"worst", 2.5}}},
          {"seconds", {{"median", seconds}, {"low", seconds}, {"high", seconds}}},
          {"ratio", {{"median", ratio}, {"low", 0.5 * ratio}, {"high", 2 * ratio}}}};
}

/// A file of docs/top, whose ceiling is ten times what the library reaches.
std::string top(const std::string& library, const std::string& rung, double seconds) {
  json checked = row(rung, seconds, 0.8);
  for (const char* const field : {"seconds", "ratio"}) checked.erase(field);
  checked["shape"] = "7";
  return json{{"schema", "gpu-ladder-top/1"},
              {"lesson", "03-dgemm"},
              {"device", "device of " + library},
              {"date", "2026-01-02"},
              {"commit", "0123456789abcdef"},
              {"library", library},
              {"rounds", 15},
              {"error_unit", "eps"},
              {"ceiling", {{"name", "peak"}, {"rate", 2e10 / seconds}}},
              {"loops",
               {{{"rung", "g1"}, {"operation", "long"}, {"rate", 6e13}},
                {{"rung", "g1"}, {"operation", "short"}, {"rate", 3e13}}}},
              {"rows", {row(library, seconds, 1), row(rung, seconds / 0.8, 0.8), checked}}}
      .dump();
}

/// With the file of a GPU, of its machine's processor, and the counters.
void store_all(Checkout& checkout) {
  checkout.store_run();
  json far = run_of({});
  far["machine"]["devices"] = {{{"id", "cuda:0"}, {"kind", "gpu"}, {"name", "NVIDIA H200"}}};
  checkout.store("far/run.json", far);
  checkout.write("docs/top/03-dgemm-far.json", top("cuBLAS", "g1", 1e-3));
  json host = json::parse(top("OpenBLAS", "c1", 1e-2));
  host["host"] = true;
  checkout.write("docs/top/03-dgemm-far-cpu.json", host.dump());
  const json counted = {{"tensor_fp64", 61.4}, {"dram", 12.4}};
  checkout.write(
      "docs/top/counters/03-dgemm-far.json",
      json{
          {"schema", "gpu-ladder-top-profile/1"},
          {"lesson", "03-dgemm"},
          {"device", "a GPU"},
          {"date", "2026-01-02"},
          {"commit", "fedcba9876543210"},
          {"rows",
           {{{"shape", "1024"}, {"rung", "g1"}, {"launches", 1}, {"seconds", 1e-3}, {"counted", counted}},
            {{"shape", "4096"},
             {"rung", "g1"},
             {"launches", 2},
             {"seconds", 2e-3},
             {"counted", {{"tensor_fp64", 50}, {"dram", 30}}},
             {"longest", {{"kernel", "multiply"}, {"launches", 1}, {"share", 0.75}, {"counted", counted}}}}}}}
          .dump());
}

}  // namespace

TEST_CASE(
    "the leaderboard has a table for each device, GPUs first, with the ratio, its interval, rate and "
    "errors") {
  Checkout checkout;
  store_all(checkout);
  const std::string text = checkout.generated(leaderboard);
  INFO(text);
  CHECK(has(text, "### 03-dgemm on device of cuBLAS"));
  CHECK(has(text, "2026-01-02, commit 0123456789. peak: 20 TFLOP/s."));
  CHECK(has(text, "**cuBLAS's time over the rung's**, median of 15 rounds"));
  CHECK(
      has(text, "| 1000 | uniform | 1 ms<br>2, 10 % | **0.80** (0.40 to 1.60)<br>1.25 ms<br>1.60, 8.0 % |"));
  CHECK(has(text, "| 7 | uniform | – | 0.250 (2.50) |"));
  CHECK(has(text, "time of a call, GFLOP/s, and share of that ceiling"));
  CHECK(has(text, "| 10 ms<br>200, 10 % | **0.80** (0.40 to 1.60)<br>12.5 ms<br>160, 8.0 % |"));
  CHECK(text.find("of cuBLAS") < text.find("of OpenBLAS"));
}

TEST_CASE("the section of a rung has its ratios, and a processor's are of the machine's processor") {
  Checkout checkout;
  store_all(checkout);
  const std::string g1 = checkout.generated("<!-- generated: measured 03-dgemm g1_naive -->\n");
  INFO(g1);
  CHECK(has(g1, "<li>NVIDIA H200: on resident data <b>0.80</b> times cuBLAS's speed at n = 1000"));
  CHECK(has(g1, "<li>NVIDIA H200, by ncu, n = 4096, percent of the peak: FP64 tensor cores 50 %"));
  CHECK(has(g1, "; <code>multiply</code> alone, 75 % of the time: FP64 tensor cores 61 %"));
  CHECK(has(g1,
            "<li>NVIDIA H200, a loop of operations on registers alone: long: 60 TFLOP/s, short: 30 TFLOP/s, "
            "<b>0.50</b> times as fast"));
  const std::string c1 = checkout.generated("<!-- generated: measured 03-dgemm c1_openmp -->\n");
  INFO(c1);
  CHECK(has(c1, "<li>CPU of the NVIDIA H200 machine: <b>0.80</b> times OpenBLAS's speed at n = 1000"));
  CHECK_FALSE(has(c1, "cuBLAS's"));
  const std::string table = checkout.generated("<!-- generated: ladder-table 03-dgemm -->\n");
  CHECK(has(table, "0.80 to 0.80 times OpenBLAS's speed"));
  CHECK(has(table, "0.80 to 0.80 times cuBLAS's speed"));
}

TEST_CASE("counters have a line for each call, and a page that was made without them is old") {
  Checkout checkout;
  checkout.store_run();
  CHECK(has(checkout.generated(leaderboard + counters), "*not measured yet on any machine with a GPU*"));
  store_all(checkout);
  CHECK_FALSE(ladder::report::check_pages(checkout.root, tables).empty());
  const std::string text = checkout.generated(counters);
  INFO(text);
  CHECK(has(text, "On a GPU, from [counters/03-dgemm-far.json]"));
  CHECK(has(text, "commit fedcba9876. Percent of the peak."));
  CHECK(has(text, "| 1024 | g1 | 1 ms |"));
  CHECK(has(text, "61"));
  CHECK(ladder::report::check_pages(checkout.root, tables).empty());
}
