/// @file
/// Profiles: what is summed, what counts as waste, the sentences, the page and the JSON.
// Guards: docs/student.md#predict-first

#include "common/report/results/profile.hpp"

#include <algorithm>
#include <regex>
#include <set>

#include "common/base/event.h"
#include "common/report/html/html.hpp"
#include "tests/common/catch.hpp"
#include "tests/common/text.hpp"

using namespace ladder;
using namespace ladder::report;
using ladder::test::has;
using nlohmann::json;

namespace {

LineCounters line_of(int number, const char* space, const char* operation, std::uint64_t moved,
                     std::uint64_t needed) {
  LineCounters line;
  line.site = {"g1.cu", number};
  line.space = space, line.operation = operation, line.size = 8, line.requests = 10, line.lanes = 320;
  (std::string(space) == "shared" ? line.wavefronts : line.sectors) = moved;
  (std::string(space) == "shared" ? line.necessary_wavefronts : line.necessary_sectors) = needed;
  line.worst = WarpAccess{{}, 0, 0xffffffffu, std::vector<std::int64_t>(32), "dA"};
  for (int i = 0; i < 32; ++i) line.worst->at[static_cast<std::size_t>(i)] = 512 * i;
  return line;
}

LaunchCounters launch_of(const char* kernel, std::uint32_t blocks, double sectors) {
  LaunchCounters launch;
  launch.kernel = kernel, launch.site = {"g1.cu", 50};
  launch.grid = {blocks, 1, 1}, launch.block = {256, 1, 1}, launch.observed_blocks = blocks;
  launch.counters = {
      {"global_load_sectors", sectors}, {"global_load_requests", sectors / 8}, {"barriers", 0}};
  return launch;
}

Profile sample() {
  Profile p;
  p.title = "03/g1 g1_naive.cu", p.problem = "n = 64", p.place = "executor, observed",
  p.corner = "AMD EPYC, 2026-01-02";
  p.again = "./ladder profile 03/g1";
  p.observation.launches = {launch_of("multiply<T>", 64, 800)};
  p.observation.launches[0].lines = {line_of(3, "global", "load", 320, 80),
                                     line_of(2, "global", "store", 80, 80)};
  p.device = *find_device("GTX 1660");
  p.target = ProfileTarget{"sectors", "<=", "n^2 sectors", 1.1, 800, 200};
  p.sources["g1.cu"] = "one\ntwo\n  sum += A[row * n + p] < b;\nfour\nfive\nsix\nseven\n";
  return p;
}

}  // namespace

TEST_CASE("profile: launches of one kernel are one group; what one of them did not count is not known") {
  Observation run;
  run.launches = {launch_of("update", 4, 80), launch_of("update", 16, 160), launch_of("pivot", 1, 8)};
  run.launches[1].counters.erase("barriers");
  run.launches[1].skipped["barriers"] = "why not";
  const auto groups = kernel_groups(run);
  REQUIRE(groups.size() == 2);
  CHECK(groups[0].launches == 2);
  CHECK(groups[0].sum.counters.at("global_load_sectors") == 240);
  CHECK(groups[0].sum.counters.count("barriers") == 0);
  CHECK(groups[0].largest.grid[0] == 16);
  CHECK(groups[0].blocks[0] == 4);
  const auto rows = counter_rows(groups[0], nullptr);
  const auto barriers =
      std::find_if(rows.begin(), rows.end(), [](auto& r) { return r.name == "barriers of blocks"; });
  REQUIRE(barriers != rows.end());
  CHECK_FALSE(barriers->amount.has_value());
  CHECK(barriers->remark == "why not");
}

TEST_CASE("profile: the worst line is the one that wastes most, over all launches") {
  Observation run;
  run.launches = {launch_of("f", 1, 8), launch_of("f", 1, 8)};
  // 60 of 80 passes wasted; twice 35 of 40 wavefronts wasted; one much used but ideal.
  run.launches[0].lines = {line_of(10, "global", "load", 320, 80), line_of(20, "shared", "load", 40, 5),
                           line_of(30, "global", "store", 4000, 4000)};
  run.launches[1].lines = {line_of(20, "shared", "load", 40, 5)};
  const auto worst = worst_lines(run, 2);
  REQUIRE(worst.size() == 2);
  CHECK(worst[0].site.line == 20);
  CHECK(worst[0].wavefronts == 80);
  CHECK(worst[1].site.line == 10);
  CHECK(cost_of(worst[0]).wasted == 70);
  CHECK(cost_of(worst[1]).wasted == 60);
  // Two arrays in one line are two accesses.
  LineCounters other = line_of(10, "global", "load", 320, 80);
  other.worst->object = "dB";
  run.launches[1].lines.push_back(other);
  CHECK(worst_lines(run, 9).size() == 3);  // line 30 wastes nothing
  run.launches[0].lines.erase(run.launches[0].lines.begin(), run.launches[0].lines.begin() + 2);
  run.launches[1].lines.clear();
  CHECK(worst_lines(run, 9)[0].site.line == 30);
  LineCounters atomic = line_of(40, "global", "atomic", 0, 0);
  atomic.most_lanes_at_one_address = 32;  // 10 requests of 32 lanes at one address: 310 of 320 wait
  CHECK(cost_of(atomic).wasted == 310);
  atomic.most_lanes_at_one_address = 1;
  CHECK(cost_of(atomic).wasted == 0);
}

TEST_CASE("profile: sentences") {
  CHECK(target_sentence({"sectors", "<=", "n^2", 1.1, 274432, 74752}) ==
        "sectors 274,432 of 74,752 necessary (n^2): 3.67x, limit 1.1x");
  CHECK(prediction_sentence({"sectors", 74752, 64, false, 274432.0, ""}) ==
        "You predicted 74,752 sectors; it is 274,432, 3.67x of that.");
  CHECK(prediction_sentence({"sectors", 5, 0, true, 5.0, ""}) ==
        "You predicted 5 sectors (after a profile had shown it): exactly what it is.");
  CHECK(prediction_sentence({"local_bytes", 5, 0, false, {}, "nvcc is not here"}) ==
        "You predicted 5 local_bytes. Not known: nvcc is not here.");
  CHECK(has(prediction_sentence({"barriers", 0, 0, false, 4.0, ""}), "it is 4."));
  const auto groups = kernel_groups(sample().observation);
  const std::string device = device_sentence(groups[0], *find_device("GTX 1660"));
  CHECK(has(device, "4 blocks per multiprocessor, 100 % of its warps, limited by threads"));
  CHECK(has(device, "64 blocks in 0.727 waves on 22 multiprocessors: 73 % of the places have work"));
  CHECK(bound_sentence({}).find("no bound: it has no published limits") == 0);
}

TEST_CASE("profile: the terminal shows target, counters, lines with their text, device and bound") {
  Profile p = sample();
  p.predictions = {{"sectors", 200, 64, false, 800.0, ""}};
  p.observation.findings.push_back({});
  p.observation.findings.back().severity = "error", p.observation.findings.back().message = "race";
  const std::string text = profile_text(p, 100);
  for (const char* part :
       {"03/g1 g1_naive.cu  n = 64", "4x, limit 1.1x", "You predicted 200", "multiply<T>  g1.cu:50",
        "line 3    sum += A[row * n + p] < b;", "32 sectors per request, ideal 8", "on GTX 1660", "at least",
        "no prediction", "error: race"})
    CHECK(has(text, part));
  p.observation.launches.clear();
  p.trace.reset();
  CHECK(has(profile_text(p, 60), "No kernel was launched."));
  p.trace.emplace().events.push_back({.kind = LADDER_KERNEL});
  CHECK(has(profile_text(p, 100), "Its one kernel was a call of a library"));
}

TEST_CASE(
    "profile: the page is one file without script, names everything in words, and its ids are its own") {
  Profile p = sample();
  p.known = {524288.0, 98304.0};
  p.title = "03/g1 <x>";
  const std::string page = profile_page(p);
  CHECK(page.find("<!doctype html>") == 0);
  CHECK_FALSE(has(page, "<script"));
  CHECK_FALSE(has(page, "src="));
  CHECK_FALSE(has(page, "<link"));
  CHECK_FALSE(has(page, "03/g1 <x>"));
  CHECK(has(page, "03/g1 &lt;x&gt;"));
  CHECK(has(page, "width=device-width"));
  CHECK(has(page, "prefers-color-scheme:dark"));
  CHECK(has(page, "sum += A[row * n + p] &lt; b;"));
  CHECK(has(page, "Line 3: 32 sectors where 8 would do"));
  CHECK(has(page, "at most"));
  static const std::regex ids(" id=\"([^\"]+)\"");
  std::set<std::string> seen;
  std::size_t figures = 0;
  for (std::sregex_iterator i(page.begin(), page.end(), ids), end; i != end; ++i)
    CHECK(seen.insert((*i)[1]).second);
  for (auto at = page.find("<svg"); at != std::string::npos; at = page.find("<svg", at + 1)) ++figures;
  CHECK(figures == 3);  // an access, waves, roofline
  for (std::size_t i = 1; i <= figures; ++i) CHECK(seen.count("description" + std::to_string(i)));
  CHECK(has(page, "url(#hatch1)"));
  CHECK_FALSE(has(page, "url(#hatch)"));
}

TEST_CASE("profile: it begins with what limits the run, and by how much") {
  Profile p = sample();
  const std::string text = profile_text(p, 400);
  CHECK(text.find("Limit") < text.find("Target"));
  CHECK(has(text, "launches (1 call): at least 1 µs on GTX 1660"));
  CHECK_FALSE(has(text, "latency"));
  p.observation.launches[0].counters["global_load_sectors"] = 8e6;
  CHECK(has(limit_sentence(p), "sectors through L1 (8,000,000): at least"));
  CHECK(has(limit_sentence(p), "times what comes next, launches"));
  p.observation.launches = {launch_of("multiply<T>", 4, 8e6)};
  CHECK(has(limit_sentence(p), "No launch has more than 4 blocks for 22 multiprocessors: latency"));
  p.trace_device = p.device.name;  // by that GPU's clock: 10 ms
  p.trace.emplace().events = {{.kind = LADDER_KERNEL, .begin = 1000, .end = 10001000}};
  const std::string slow = limit_sentence(p);
  CHECK(slow.starts_with("Latency: it took 10"));
  CHECK(slow.ends_with(
      " times the least on GTX 1660, the largest part of which goes into sectors through L1 (8,000,000)."));
  // Read by students: a word of the field, not one of ours.
  CHECK(has(profile_text(p, 400), "longest dependent path 100 % of the sum, each operation at a fixed cost"));
  p.trace_device = "H200";  // and seen as another
  CHECK_FALSE(limit_sentence(p).starts_with("Latency"));
  p.device = {};
  CHECK(limit_sentence(p).empty());
}

TEST_CASE("profile: what is not known is said, not drawn") {
  Profile p = sample();
  CHECK(has(profile_page(p), "The number of floating-point operations is not known"));
  p.known.operations = 1e6;
  p.device = executor_limits();
  CHECK(has(profile_page(p), "No peak of executor is published"));
  p.sources.clear();
  CHECK(has(profile_page(p), "g1.cu:3"));
  p.observation.launches.clear();
  p.trace.reset();
  CHECK(has(profile_page(p), "No kernel was launched."));
}

TEST_CASE("profile: hardware stands next to the executor's counters, kernel by kernel") {
  Profile p = sample();
  Observation gpu;
  gpu.device = "NVIDIA H200";
  gpu.launches = {launch_of("void dgemm::multiply<32>(int)", 64, 816), launch_of("other(int)", 64, 5)};
  p.hardware = gpu;
  const auto rows = counter_rows(kernel_groups(p.observation)[0], &gpu);
  const auto sectors =
      std::find_if(rows.begin(), rows.end(), [](auto& r) { return r.name == "load sectors"; });
  REQUIRE(sectors != rows.end());
  CHECK(sectors->amount == 800.0);
  CHECK(sectors->hardware == 816.0);
  CHECK(has(profile_text(p, 100), "NVIDIA H200"));
  CHECK(has(profile_page(p), "<th scope=\"col\" class=\"right\">NVIDIA H200</th>"));
}

TEST_CASE("profile: JSON has what the other views show") {
  const json j = profile_json(sample());
  CHECK(j["target"]["measured"] == 4.0);
  CHECK(j["on_device"][0]["waves"].get<double>() > 0.7);
  CHECK(j["worst_lines"][0]["line"] == 3);
  CHECK(j["observation"]["schema"] == "gpu-ladder-observation/1");
  CHECK(j["hardware"].is_null());
  CHECK(j["lower_bound"]["seconds"].get<double>() > 0);
}

TEST_CASE("page: tables and lists escape what they show") {
  HtmlPage page("t");
  page.facts({{"a<b", "c&d"}, {"empty", ""}})
      .table("cap\"tion", {{"x"}, {"y", true}}, {{"<i>", "1"}, {"short"}});
  page.listing("f", {{1, "if (a < b)", "", false}, {2, "x", "why", true}}).figure("");
  const std::string text = page.text();
  CHECK(has(text, "<dt>a&lt;b</dt><dd>c&amp;d</dd>"));
  CHECK_FALSE(has(text, "empty"));
  CHECK(has(text, "cap&quot;tion"));
  CHECK(has(text, "&lt;i&gt;"));
  CHECK(has(text, "class=\"marked\""));
  CHECK(has(text, "if (a &lt; b)"));
}
