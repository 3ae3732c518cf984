// OpenCL steps that are watched and counted under Oclgrind. Real workers.
// Guards: common/trace/README.md#how-an-opencl-step-is-observed

#include "common/trace/oclgrind/oclgrind.hpp"
#include "tests/common/judge/judged.hpp"

using namespace ladder::test;

namespace {

const std::string plugin = build + "/lib/libladder-oclgrind.so";

/// Why these tests cannot run here; empty: they can.
std::string missing() {
  if (!fs::exists(build + "/workers/probe/kernel_races.opencl")) return "OpenCL is not installed";
  return ladder::find_oclgrind().missing;
}

/// @param with_plugin  whether the build had Oclgrind's headers
json watched(const std::string& function, const std::string& kind, bool with_plugin = true) {
  // A path that begins as the sources' does, where that is possible: compilers then take paths apart.
  const Scratch scratch(::access(build.c_str(), W_OK) == 0 ? fs::path(build) : fs::temp_directory_path());
  json plan = plan_of(scratch, json::array({planned("g2_counted", function, "opencl")}), {kind});
  plan["limits"] = {{"call_seconds", 20}, {"memory_bytes", 2048u << 20}};
  if (with_plugin)
    plan["recorders"]["oclgrind"] = plugin;
  else
    plan["no_recorder"] = {{"oclgrind", "no plugin here"}};
  plan["steps"][0]["source"] = LADDER_PROBE "/oclgrind_steps.cpp";
  int status = 0;
  ::waitpid(start_judge(scratch, plan), &status, 0);
  const std::vector<json> found = verdicts(scratch);
  REQUIRE(found.size() == 1);
  UNSCOPED_INFO(found.front().dump(1));
  return found.front();
}

}  // namespace

TEST_CASE("Oclgrind: a race is WRONG though every result is right") {
  if (const std::string why = missing(); !why.empty()) LADDER_SKIP("judge: " + why);
  const json found = watched("kernel_races", "findings");
  CHECK(found.at("verdict") == "WRONG");
  CHECK(contains(found.at("message").dump(), "race in"));
  CHECK(contains(found.at("message").dump(), ", line "));
  CHECK(contains(found.at("details").dump(), "tile["));
  CHECK(contains(found.at("details").dump(), "What happened"));
  CHECK(watched("kernel_coalesced", "findings").at("verdict") == "PASS");
}

TEST_CASE("Oclgrind: an access outside is WRONG, writes of one value are a warning") {
  if (const std::string why = missing(); !why.empty()) LADDER_SKIP("judge: " + why);
  const json beyond = watched("kernel_reads_beyond", "findings");
  CHECK(beyond.at("verdict") == "WRONG");
  CHECK(contains(beyond.at("message").dump(), "out of bounds"));
  CHECK(contains(beyond.at("details").dump(), "x["));
  if (!fs::exists(plugin))
    LADDER_SKIP("judge: the plugin for Oclgrind is not built (package liboclgrind-dev)");
  const json same = watched("kernel_sets_one", "findings");
  CHECK(same.at("verdict") == "PASS");
  CHECK(contains(same.at("details").dump(), "Warning"));
}

TEST_CASE("Oclgrind: sectors decide a target, and name the line") {
  if (const std::string why = missing(); !why.empty()) LADDER_SKIP("judge: " + why);
  if (!fs::exists(plugin))
    LADDER_SKIP("judge: the plugin for Oclgrind is not built (package liboclgrind-dev)");
  const json good = watched("kernel_coalesced", "targets");
  CHECK(good.at("verdict") == "PASS");
  CHECK(good.at("targets").at(0).at("amount") == 512);
  const json strided = watched("kernel_strided", "targets");
  CHECK(strided.at("verdict") == "MISSED");
  CHECK(strided.at("targets").at(0).at("measured") == 4);
  CHECK(contains(strided.at("details").dump(), "32 sectors per request, ideal 8"));
  CHECK(contains(strided.at("details").dump(), "y[j] = 2 * x[j];"));
}

TEST_CASE(
    "Oclgrind: without the plugin counters are SKIPPED with the reason, and findings are still looked for") {
  if (const std::string why = missing(); !why.empty()) LADDER_SKIP("judge: " + why);
  const json target = watched("kernel_coalesced", "targets", false);
  CHECK(target.at("verdict") == "SKIPPED");
  CHECK(contains(target.at("message").dump(), "no plugin here"));
  CHECK(watched("kernel_races", "findings", false).at("verdict") == "WRONG");
  CHECK(watched("kernel_coalesced", "findings", false).at("verdict") == "PASS");
}

TEST_CASE("Oclgrind: where it is not there, that is the reason") {
  if (!fs::exists(build + "/workers/probe/kernel_races.opencl"))
    LADDER_SKIP("judge: OpenCL is not installed");
  ::setenv("LADDER_OCLGRIND", "/nowhere/liboclgrind-rt.so", 1);
  const json findings = watched("kernel_races", "findings"), target = watched("kernel_strided", "targets");
  ::unsetenv("LADDER_OCLGRIND");
  CHECK(findings.at("verdict") == "SKIPPED");
  CHECK(contains(findings.at("message").dump(), "/nowhere/liboclgrind-rt.so"));
  CHECK(target.at("verdict") == "SKIPPED");
}
