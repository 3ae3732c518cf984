/// @file
/// How executions by lanes become executions by warps, and what a warp asks for.
// Guards: common/trace/README.md#how-an-opencl-step-is-observed

#include "common/trace/oclgrind_plugin/request.hpp"
#include "common/trace/oclgrind_plugin/warp_log.hpp"
#include "tests/common/catch.hpp"

using namespace ladder::oclgrind_plugin;

TEST_CASE("lanes that took no part ask for nothing") {
  Execution access;
  access.mask = 0x0000FF00;
  access.value.fill(1'000'000);  // of lanes that are not there
  for (unsigned lane = 8; lane < 16; ++lane) access.value[lane] = 8 * lane;
  const ladder::Shape shape = ladder::global_shape(addresses_of(access, 8));
  CHECK(shape.sectors == 2);
  CHECK(shape.distinct_bytes == 64);
}

TEST_CASE("the k-th executions of the lanes are one execution of the warp") {
  const Instruction instruction;
  const auto raw = reinterpret_cast<const llvm::Instruction*>(&instruction);
  const Place load{&instruction, Action::global_load, 8}, piece{&instruction, Action::global_load, 4};
  WarpLog log;
  // Lane 3 executes it three times, lane 5 once, after that; and both another kind of access by the same
  // instruction.
  for (std::uint64_t k = 0; k < 3; ++k) CHECK(log.add(raw, load, 3, 100 + k));
  CHECK(log.add(raw, piece, 3, 7));
  CHECK(log.add(raw, load, 5, 200));
  CHECK(log.add(raw, piece, 5, 8));
  std::vector<std::pair<unsigned, Execution>> seen;
  const auto show = [&](const Place& place, const Execution& execution) {
    seen.emplace_back(place.size, execution);
  };
  log.flush(show);
  REQUIRE(seen.size() == 4);
  CHECK(seen[0].second.mask == (1u << 3 | 1u << 5));
  CHECK(seen[0].second.value[3] == 100);
  CHECK(seen[0].second.value[5] == 200);
  CHECK(seen[1].second.mask == 1u << 3);
  CHECK(seen[2].second.value[3] == 102);
  CHECK(seen[3].first == 4);
  CHECK(seen[3].second.mask == (1u << 3 | 1u << 5));
  seen.clear();
  log.flush(show);
  CHECK(seen.empty());
  CHECK(log.add(raw, load, 0, 1));
  log.flush(show);
  REQUIRE(seen.size() == 1);
  CHECK(seen[0].second.mask == 1);
}
