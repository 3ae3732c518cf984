// CUDA steps with several ranks: mpirun starts a worker for each, on the executor here. Real workers.
// Guards: common/judge/README.md

#include "tests/common/judge/judged.hpp"

using namespace ladder::test;

namespace {

/// @param plan  more of the plan, or other
/// @return the record; null where this build has no MPI
json of_ranks(const std::string& function, const std::string& kind, const std::string& backend = "executor",
              const json& plan = json::object()) {
  json step = planned("m1_ranked", function, backend);
  step["worker"] = build + "/workers/probe/" + function + ".mpi-executor";
  step["observed"] = build + "/workers/probe/" + function + ".mpi-observed";
  step["ranks"] = 2;
  if (!fs::exists(step["worker"])) return nullptr;
  const Scratch scratch;
  json whole = plan_of(scratch, json::array({step}), {kind});
  whole.update(plan);
  const std::vector<json> found = judged_by(scratch, whole);
  REQUIRE(found.size() == 1);
  UNSCOPED_INFO(found[0].dump(1));
  return found[0];
}

}  // namespace

TEST_CASE("a CUDA step with two ranks is right, and what its ranks send to each other is counted") {
  const json right = of_ranks("sums_over_ranks", "correctness");
  if (right.is_null()) return;
  CHECK(right.at("verdict") == "PASS");
  const json counted = of_ranks("sums_over_ranks", "targets");
  CHECK(counted.at("verdict") == "PASS");
  CHECK(counted.at("targets").at(0).at("measured") == 1);
  const json twice = of_ranks("sends_twice", "targets");
  CHECK(twice.at("verdict") == "MISSED");
  CHECK(twice.at("targets").at(0).at("measured") == 1.5);
}

TEST_CASE("between GPUs what ranks send is counted by the recorder in front of NCCL") {
  // Planned as for GPUs. The executor, which is behind this NCCL, records each message as well.
  const json both = of_ranks("sends_by_library", "targets", "cuda");
  if (both.is_null()) return;
  CHECK(both.at("targets").at(0).at("measured") == 2);
  CHECK(of_ranks("sends_by_library", "targets").at("targets").at(0).at("measured") == 1);
}

TEST_CASE("between GPUs nothing is counted without a recorder, and the reason is the record's") {
  const json none = of_ranks("sends_by_library", "targets", "cuda",
                             {{"recorders", json::object()}, {"no_recorder", {{"nccl", "none was built"}}}});
  if (none.is_null()) return;
  CHECK(none.at("verdict") == "SKIPPED");
  CHECK(contains(none.dump(), "bytes_sent not measured: none was built"));
}

TEST_CASE("both ranks of a CUDA step are observed") {
  const json right = of_ranks("sums_over_ranks", "findings");
  if (right.is_null()) return;
  CHECK(right.at("verdict") == "PASS");
}

TEST_CASE("a call of NCCL that fails is named with its line") {
  const json wrong = of_ranks("has_no_such_root", "correctness");
  if (wrong.is_null()) return;
  CHECK(wrong.at("verdict") == "CRASHED");
  CHECK(contains(wrong.dump(), "root 2 is none of the communicator's 2 ranks"));
  CHECK(contains(wrong.dump(), "nccl_steps.cu:"));
}

TEST_CASE("a rank that hangs, dies or throws is named") {
  const std::tuple<const char*, const char*, const char*> ends[] = {
      {"hangs_on_rank_1", "TIMEOUT", "1 of 2 has not returned"},
      {"dies_on_rank_1", "CRASHED", "1 of 2 was the first to end"},
      {"throws_on_rank_1", "CRASHED", "1 of 2 threw it"}};
  for (const auto& [step, verdict, words] : ends) {
    const json ended = of_ranks(step, "correctness");
    if (ended.is_null()) return;
    CHECK(ended.at("verdict") == verdict);
    CHECK(contains(ended.dump(), words));
    CHECK(!contains(ended.dump(), "0 of 2"));
  }
}
