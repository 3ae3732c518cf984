/// @file
/// What the bench says it called and what ncu's table says of it, in one document.
// Guards: docs/top.md#what-a-call-keeps-busy

#include "common/report/results/top_profile.hpp"

#include <string>

#include "common/base/error.hpp"
#include "tests/common/catch.hpp"

namespace {

using ladder::report::top_profile;
using nlohmann::json;

const json calls = {{"lesson", "03-dgemm"},
                    {"calls", {{{"rung", "t1"}, {"shape", "1024"}}, {{"rung", "t4"}, {"shape", "1024"}}}}};

/// A table of launches: kernel, time in ns, FP64 tensor cores and memory in percent.
std::string table(const std::string& rows) {
  return "\"ID\",\"Process ID\",\"Kernel Name\",\"gpu__time_duration.sum\","
         "\"sm__pipe_tensor_op_dmma_cycles_active.avg.pct_of_peak_sustained_elapsed\","
         "\"dram__throughput.avg.pct_of_peak_sustained_elapsed\"\n\"\",\"\",\"\",\"ns\",\"%\",\"%\"\n" +
         rows;
}
std::string launch(const std::string& kernel, const std::string& values) {
  return "\"0\",\"1\",\"" + kernel + "\"," + values + "\n";
}
const std::string mark = launch("profiled_call()", "\"1,536\",\"0\",\"0\"");

std::string refusal(const std::string& csv) {
  try {
    top_profile(calls, csv);
  } catch (const ladder::Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("counters of a call are means over its kernels, weighted by their times") {
  const json stored = top_profile(calls, table(mark + launch("multiply(int)", "\"2,000\",\"60\",\"10\"") +
                                               mark + launch("multiply(int)", "\"3,000\",\"80\",\"20\"") +
                                               launch("add(int)", "\"1,000\",\"0\",\"60\"")));
  REQUIRE(stored.at("rows").size() == 2);
  CHECK(stored.at("lesson") == "03-dgemm");
  const json& one = stored["rows"][0];
  CHECK(one.at("rung") == "t1");
  CHECK(one.at("seconds").get<double>() == Approx(2e-6));
  CHECK(one.at("counted").at("tensor_fp64").get<double>() == Approx(60));
  CHECK(!one.contains("longest"));
  const json& two = stored["rows"][1];
  CHECK(two.at("launches") == 2);
  // 80 for three quarters of the time.
  CHECK(two.at("counted").at("tensor_fp64").get<double>() == Approx(60));
  CHECK(two.at("counted").at("dram").get<double>() == Approx(30));
  CHECK(two.at("longest").at("kernel") == "multiply");
  CHECK(two.at("longest").at("share").get<double>() == Approx(0.75));
  CHECK(two.at("longest").at("counted").at("dram").get<double>() == Approx(20));
}

TEST_CASE("a counter that the GPU has not is not measured, and not zero") {
  const json stored = top_profile(calls, table(mark + launch("multiply(int)", "\"2,000\",\"n/a\",\"10\"") +
                                               mark + launch("multiply(int)", "\"2,000\",\"50\",\"10\"")));
  CHECK(!stored["rows"][0].at("counted").contains("tensor_fp64"));
  CHECK(ladder::report::top_profile_words(stored["rows"][0].at("counted"))
            .find("FP64 tensor cores not measured") != std::string::npos);
  CHECK(ladder::report::top_profile_words(stored["rows"][1].at("counted")).find("FP64 tensor cores 50 %") !=
        std::string::npos);
}

TEST_CASE("a table that does not fit the calls is refused in one line") {
  const std::string kernel = launch("multiply(int)", "\"2,000\",\"60\",\"10\"");
  CHECK(refusal(table(kernel + mark + kernel)) == "ncu's table begins with no call of the bench");
  CHECK(refusal(table(mark + kernel)) == "ncu's table has fewer calls than the bench made");
  CHECK(refusal(table(mark + kernel + mark + kernel + mark + kernel)) ==
        "ncu's table has more calls than the bench made");
  CHECK(refusal(table("")) != "");
}
