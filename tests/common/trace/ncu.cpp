/// @file
/// What ncu prints, read: a real table of an H200, and what can go wrong.
// Guards: docs/measuring.md#the-executor-compared-with-a-gpu

#include "common/trace/ncu.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "common/base/error.hpp"
#include "tests/common/catch.hpp"

using namespace ladder;

namespace {

std::string sample() {
  std::ifstream file(LADDER_NCU_SAMPLE);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string message_of(const std::string& output) {
  try {
    parse_ncu(output);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("ncu: a table of an H200 with the program's own output before it") {
  const Observation seen = parse_ncu(sample());
  CHECK(seen.device == "NVIDIA H200");
  REQUIRE(seen.launches.size() == 2);
  const LaunchCounters& copy = seen.launches[0];
  CHECK(copy.kernel == "void <unnamed>::copy_k<64>(int, const double *, double *)");
  CHECK(copy.grid == std::array<std::uint32_t, 3>{32, 1, 1});
  CHECK(copy.block == std::array<std::uint32_t, 3>{64, 1, 1});
  CHECK(copy.registers == 16u);
  CHECK(copy.static_shared == 512);
  CHECK(copy.counters.at("global_load_requests") == 64);
  CHECK(copy.counters.at("global_store_sectors") == 512);
  CHECK(copy.counters.at("shared_load_wavefronts") == 128);
  CHECK(copy.counters.at("instructions_lanes") == 43008);  // "43,008"
  const LaunchCounters& histogram = seen.launches[1];
  CHECK(histogram.counters.at("global_atomic_requests") == 16 + 16);  // with and without a used result
  CHECK(histogram.counters.at("global_atomic_sectors") == 48 + 256);
  CHECK(histogram.counters.at("divergent_branches") == 16);
}

TEST_CASE("ncu: a metric that the device does not have is skipped, not zero") {
  const Observation seen = parse_ncu(sample());  // taken without the metrics of double precision
  CHECK(seen.launches[0].counters.count("fp64_operations") == 0);
  CHECK(seen.launches[0].skipped.at("fp64_operations").find("dfma") != std::string::npos);
  const std::string some =
      "\"ID\",\"Process ID\",\"Kernel "
      "Name\",\"smsp__inst_executed_op_shared_ld_pred_on_any.sum\"\n\"\",\"\",\"\",\"inst\"\n"
      "\"0\",\"1\",\"say \"\"hi\"\", twice\",\"n/a\"\n";
  const Observation odd = parse_ncu(some);
  CHECK(odd.launches[0].kernel == "say \"hi\", twice");
  CHECK(odd.launches[0].counters.count("shared_load_requests") == 0);
  CHECK(odd.launches[0].skipped.count("shared_load_requests") == 1);
  const Observation none = parse_ncu(std::string(some).replace(some.find("n/a"), 3, "nan"));
  CHECK(none.launches[0].counters.count("shared_load_requests") == 0);  // a file of JSON has no place for it
}

TEST_CASE("ncu: why there are no numbers, in one line") {
  CHECK(message_of("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU "
                   "Performance Counters on the target device 0.\n")
            .find("docs/profiler-permission.md") != std::string::npos);
  CHECK(message_of("==WARNING== No kernels were profiled.\n") ==
        "ncu saw no kernel: the program launched none");
  CHECK(message_of("==ERROR== '/bin/nope' does not exist\nmore\n") == "ncu: '/bin/nope' does not exist");
  CHECK(message_of("hello\n") == "ncu printed no table of counters");
  CHECK(message_of("\"ID\",\"Process ID\"\n\"\",\"\"\n") == "ncu saw no kernel: the program launched none");
  CHECK(message_of("\"ID\",\"Process ID").find("ncu") == 0);
  CHECK_FALSE(ncu_problem("fine").has_value());
}

TEST_CASE("ncu: the command asks for every metric once, of the kernels that are named") {
  const auto command = ncu_command("/opt/ncu", {"./a", "7"}, {"copy_k", "transpose"});
  CHECK(command.front() == "/opt/ncu");
  CHECK(command.back() == "7");
  std::string all;
  for (const auto& word : command) all += word + " ";
  for (const NcuMetric& metric : ncu_metrics()) CHECK(all.find(metric.name) != std::string::npos);
  CHECK(all.find("--kernel-name regex:(copy_k|transpose) ./a") != std::string::npos);
}

TEST_CASE("ncu: metrics of one's own choice, with caches emptied or left alone") {
  const char* const metrics[] = {"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", "dram__bytes_read.sum"};
  const auto warm = ncu_command("/opt/ncu", metrics, false), cold = ncu_command("/opt/ncu", metrics, true);
  CHECK(std::find(warm.begin(), warm.end(), std::string(metrics[0]) + "," + metrics[1]) != warm.end());
  CHECK(warm.back() == "none");
  CHECK(cold.back() == "all");
  const std::vector<NcuLaunch> seen = parse_ncu(sample(), metrics);
  REQUIRE(seen.size() == 2);
  CHECK(kernel_base_name(seen[0].kernel) == "copy_k");
  CHECK(seen[0].values.at(metrics[0]) == 512);
  CHECK(seen[0].values.count(metrics[1]) == 0);  // was not asked for when the sample was taken
  CHECK_THROWS_AS(parse_ncu("hello\n", metrics), Error);
}

TEST_CASE("ncu: a kernel's own name") {
  CHECK(kernel_base_name("void <unnamed>::copy_k<64>(int, const double *, double *)") == "copy_k");
  CHECK(kernel_base_name("void unnamed>::multiply<32>(int, const double *)") ==
        "multiply");  // seen on an H200
  CHECK(kernel_base_name("hist(const double *, int *)") == "hist");
  CHECK(kernel_base_name("dgemm::multiply<32>") == "multiply");
  CHECK(kernel_base_name("void dgemm::(anonymous namespace)::multiply<(int)32>(int)") == "multiply");
  CHECK(kernel_base_name("void thrust::reduce<thrust::tuple<int, int>, x::y>(z)") == "reduce");
  CHECK(kernel_base_name("f") == "f");
  CHECK(kernel_base_name("") == "");
}
