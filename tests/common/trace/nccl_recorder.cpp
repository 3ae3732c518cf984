/// @file
/// The recorder for NCCL between GPUs, in front of the executor's NCCL: both count the same.
// Guards: common/trace/README.md

#include <map>
#include <sstream>

#include "tests/common/catch.hpp"
#include "tests/common/shell.hpp"

#ifdef LADDER_TRACED_NCCL

namespace {

using Lines = std::map<std::string, std::string>;  // by rank and call

Lines nccl_lines(int ranks, const std::string& environment) {
  const ladder::test::Finished finished = ladder::test::run(
      "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe -np " +
      std::to_string(ranks) + environment + " " LADDER_TRACED_NCCL " 2>&1");
  INFO(finished.output);
  REQUIRE(finished.code == 0);
  Lines lines;
  std::istringstream text(finished.output);
  for (std::string line; std::getline(text, line);)
    if (const auto colon = line.find(": "); line.starts_with("rank ") && colon != std::string::npos)
      lines[line.substr(5, colon - 5)] = line.substr(colon + 2);
  return lines;
}

Lines under_recorder(int ranks) {
  return nccl_lines(ranks, " -x LD_PRELOAD=" LADDER_NCCL_RECORDER);
}

}  // namespace

TEST_CASE("NCCL recorder: bytes and messages are those that the executor counts") {
  const Lines lines = under_recorder(3);
  REQUIRE(lines.size() == 3 * 13 + 2);
  CHECK(lines.at("0 recorders") == "executor,nccl");
  CHECK(lines.at("0 broadcast") == "s480 | s480");
  CHECK(lines.at("2 broadcast") == "r240 | r240");
  CHECK(lines.at("0 reduce") == "r480 | r480");
  CHECK(lines.at("1 reduce") == "s240 | s240");
  CHECK(lines.at("0 allreduce") == "s320 r320 | s320 r320");
  CHECK(lines.at("1 allgather") == "s480 r480 | s480 r480");
  CHECK(lines.at("2 ring") == "s12 r12 | s12 r12");
  CHECK(lines.at("1 self") == "r0 r0 | r0 r0");
}

TEST_CASE("NCCL recorder: a call that NCCL makes itself counts once, and one that fails does not") {
  const Lines lines = under_recorder(3);
  CHECK(lines.at("0 bcast") == "s480 | s480");
  CHECK(lines.at("0 no-root").find("| failed") != std::string::npos);
}

TEST_CASE("NCCL recorder: rank and root are those of the call's communicator") {
  const Lines lines = under_recorder(3);
  CHECK(lines.at("2 part") == "s120 | s120");
  CHECK(lines.at("1 part") == "r120 | r120");
}

TEST_CASE("NCCL recorder: the functions that the executor does not have are counted, too") {
  const Lines lines = under_recorder(3);
  CHECK(lines.at("0 scatter") == "| s480");
  CHECK(lines.at("1 scatter") == "| r240");
  CHECK(lines.at("0 gather") == "| r480");
  CHECK(lines.at("2 gather") == "| s240");
  CHECK(lines.at("1 reduce-scatter") == "| s480 r480");
  CHECK(lines.at("1 alltoall") == "| s480 r480");
}

TEST_CASE("NCCL recorder: a program without it records the executor's events only") {
  const Lines lines = nccl_lines(2, "");
  CHECK(lines.at("0 recorders") == "executor");
  CHECK(lines.at("0 broadcast") == "s240 |");
}

#else

TEST_CASE("NCCL recorder") {
  LADDER_SKIP("trace: MPI is not installed");
}

#endif
