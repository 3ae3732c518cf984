/// @file
/// Counters of OpenCL kernels: those that are known by hand, exactly.
// Guards: common/trace/README.md#how-an-opencl-step-is-observed

#include "common/trace/metrics.hpp"
#include "tests/common/catch.hpp"
#include "tests/common/trace/oclgrind_run.hpp"

using namespace ladder;

namespace {

#ifndef LADDER_COUNTED_OPENCL
#define LADDER_COUNTED_OPENCL ""
#endif

LaunchCounters observe(const Oclgrind& oclgrind, const std::string& kernel) {
  const test::TemporaryFile record;
  const test::Finished finished = test::run_under(oclgrind.environment_of_counters(record.path),
                                                  std::string(LADDER_COUNTED_OPENCL) + " " + kernel);
  INFO(kernel << ": " << finished.output);
  REQUIRE(finished.code == 0);
  const Observation observation = parse_observation(test::text_of_file(record.path));
  REQUIRE(observation.launches.size() == 1);
  CHECK(observation.device == "oclgrind");
  CHECK(observation.launches[0].kernel == kernel);
  return observation.launches[0];
}

/// Of two warps: requests and sectors of loads and stores, and what is necessary for both.
struct Access {
  const char* kernel;
  double load_requests, load_sectors, store_requests, store_sectors, necessary;
};

using Counters = std::map<std::string, double>;

/// The counters of @p expected and no others, as far as they are not zero.
void check_counters(const LaunchCounters& launch, const Counters& expected) {
  for (const auto& [name, value] : expected) {
    INFO(launch.kernel << " " << name);
    REQUIRE(launch.counters.count(name) == 1);
    CHECK(launch.counters.at(name) == value);
  }
}

}  // namespace

TEST_CASE("requests and sectors of OpenCL kernels") {
  const Oclgrind oclgrind = test::oclgrind_of_tests();
  if (!oclgrind.missing.empty()) LADDER_SKIP("trace: " + oclgrind.missing);
  const auto expected = GENERATE(values<Access>({
      {"coalesced", 2, 16, 2, 16, 32},
      {"coalesced_floats", 2, 8, 2, 8, 16},
      {"stride_2", 2, 32, 2, 16, 32},
      {"stride_32", 2, 64, 2, 16, 32},
      {"broadcast", 2, 2, 2, 16, 18},
      {"misaligned", 2, 18, 2, 16, 32},
      {"pairs", 2, 32, 2, 32, 64},
      {"fours", 4, 128, 4, 128, 128},  // two accesses of 16 bytes each, and each touches every sector
      {"bytes", 2, 2, 2, 2, 4},
      {"from_constant", 0, 0, 2, 16, 16},
      {"first_half", 2, 8, 2, 8, 16},
      {"rows", 8, 256, 2, 16, 80},
      {"different_lengths", 62, 62, 2, 16, 78},
  }));
  const LaunchCounters launch = observe(oclgrind, expected.kernel);
  check_counters(launch, {{"global_load_requests", expected.load_requests},
                          {"global_load_sectors", expected.load_sectors},
                          {"global_store_requests", expected.store_requests},
                          {"global_store_sectors", expected.store_sectors},
                          {"necessary_sectors", expected.necessary}});
  Observation observation;
  observation.launches.push_back(launch);
  CHECK(metrics::sectors(observation) == expected.load_sectors + expected.store_sectors);
}

TEST_CASE("local memory, barriers and atomics of OpenCL kernels") {
  const Oclgrind oclgrind = test::oclgrind_of_tests();
  if (!oclgrind.missing.empty()) LADDER_SKIP("trace: " + oclgrind.missing);
  // Two groups of one warp; 32 stores of 2 wavefronts per warp, and columns of a tile.
  check_counters(observe(oclgrind, "transpose"), {{"shared_store_requests", 64},
                                                  {"shared_store_wavefronts", 128},
                                                  {"shared_load_requests", 64},
                                                  {"shared_load_wavefronts", 2048},
                                                  {"necessary_wavefronts", 256},
                                                  {"barriers", 2}});
  check_counters(observe(oclgrind, "transpose_padded"),
                 {{"shared_load_wavefronts", 128}, {"shared_store_wavefronts", 128}});
  check_counters(observe(oclgrind, "same_counter"), {{"global_atomics", 64}, {"global_atomic_requests", 2}});
  check_counters(observe(oclgrind, "own_counters"), {{"global_atomics", 64}, {"global_atomic_requests", 2}});
  check_counters(observe(oclgrind, "local_counter"),
                 {{"shared_atomics", 64}, {"shared_atomic_requests", 2}, {"barriers", 2}});
  CHECK(observe(oclgrind, "same_counter").lines.at(0).most_lanes_at_one_address == 32);
  CHECK(observe(oclgrind, "own_counters").lines.at(0).most_lanes_at_one_address == 1);
}

TEST_CASE("branches and operations of OpenCL kernels") {
  const Oclgrind oclgrind = test::oclgrind_of_tests();
  if (!oclgrind.missing.empty()) LADDER_SKIP("trace: " + oclgrind.missing);
  check_counters(observe(oclgrind, "by_lane"), {{"branches", 2}, {"divergent_branches", 2}});
  check_counters(observe(oclgrind, "by_warp"), {{"branches", 2}, {"divergent_branches", 0}});
  check_counters(observe(oclgrind, "first_half"), {{"branches", 2}, {"divergent_branches", 2}});
  // A multiply-add, a product and a sum, or a product and a sum in one: four operations.
  check_counters(observe(oclgrind, "multiply_add"), {{"fp64_operations", 64 * 4}});
  // Lane i of a warp turns i times: fewer and fewer lanes.
  const LaunchCounters ragged = observe(oclgrind, "different_lengths");
  Observation observation;
  observation.launches.push_back(ragged);
  CHECK(metrics::active_lanes(observation) < 20);
  observation.launches = {observe(oclgrind, "coalesced")};
  CHECK(metrics::active_lanes(observation) == 32);
}

TEST_CASE("a line of an OpenCL kernel has its worst access") {
  const Oclgrind oclgrind = test::oclgrind_of_tests();
  if (!oclgrind.missing.empty()) LADDER_SKIP("trace: " + oclgrind.missing);
  const LaunchCounters launch = observe(oclgrind, "stride_32");
  CHECK(launch.grid == std::array<std::uint32_t, 3>{1, 1, 1});
  CHECK(launch.block == std::array<std::uint32_t, 3>{64, 1, 1});  // the program left it open
  CHECK(launch.observed_blocks == 1);
  REQUIRE(launch.lines.size() == 2);
  const LineCounters& load = launch.lines[0];
  CHECK(load.operation == "load");
  CHECK(load.space == "global");
  CHECK(load.size == 8);
  CHECK(load.site.file.ends_with("counted_opencl.cpp"));
  REQUIRE(load.worst);
  CHECK(load.worst->object == "b");
  CHECK(load.worst->mask == 0xFFFFFFFF);
  REQUIRE(load.worst->at.size() == 32);
  CHECK(load.worst->at[1] == 32 * 8);
  CHECK(load.worst->at[31] == 31 * 32 * 8);
}

TEST_CASE("counters of OpenCL kernels are the same in every run") {
  const Oclgrind oclgrind = test::oclgrind_of_tests();
  if (!oclgrind.missing.empty()) LADDER_SKIP("trace: " + oclgrind.missing);
  const test::TemporaryFile first, second;
  for (const test::TemporaryFile* file : {&first, &second})
    REQUIRE(test::run_under(oclgrind.environment_of_counters(file->path),
                            std::string(LADDER_COUNTED_OPENCL) + " transpose")
                .code == 0);
  CHECK(test::text_of_file(first.path) == test::text_of_file(second.path));
  CHECK(test::text_of_file(first.path).size() > 500);
}

TEST_CASE("a program that was kept has the counters of one that is built; a broken one is built again") {
  const Oclgrind oclgrind = test::oclgrind_of_tests();
  if (!oclgrind.missing.empty()) LADDER_SKIP("trace: " + oclgrind.missing);
  const test::TemporaryFile kept;
  std::filesystem::remove(kept.path);  // it becomes a folder
  const auto counted = [&] {
    const test::TemporaryFile record;
    Oclgrind::Environment environment = oclgrind.environment_of_counters(record.path);
    environment["LADDER_KEPT_PROGRAMS"] = kept.path;
    REQUIRE(test::run_under(environment, std::string(LADDER_COUNTED_OPENCL) + " transpose").code == 0);
    return test::text_of_file(record.path);
  };
  const auto only_file = [&] {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(kept.path)) files.push_back(entry.path());
    REQUIRE(files.size() == 1);
    return files[0];
  };
  const std::string built = counted();
  const std::filesystem::path file = only_file();
  const std::string whole = test::text_of_file(file);
  CHECK(built.size() > 500);
  CHECK(counted() == built);
  for (const std::string& broken : {whole.substr(0, whole.size() - 1000), std::string("other")}) {
    std::ofstream(file) << broken;
    CHECK(counted() == built);
    CHECK(only_file() == file);
    CHECK((test::text_of_file(file) == whole));  // not shown: it is binary
  }
}
