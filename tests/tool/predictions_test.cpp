/// @file
/// Predictions: what is accepted, what is kept, and what came too late.
// Guards: docs/student.md#predict-first

#include "common/tool/standing/predictions.hpp"

#include "common/base/files/files.hpp"
#include "common/base/usage_error.hpp"
#include "tests/common/catch.hpp"

using namespace ladder;

namespace {

std::string refused(const std::string& text) {
  try {
    parse_prediction(text);
  } catch (const UsageError& error) {
    return error.text;
  }
  return "";
}

Prediction said(const std::string& step, const std::string& text, int size = 0) {
  Prediction p = parse_prediction(text);
  p.step = step, p.size = size;
  return p;
}

}  // namespace

TEST_CASE("predictions: metrics and counters with a number") {
  CHECK(parse_prediction("sectors=74752").value == 74752);
  CHECK(parse_prediction("sectors=74,752").value == 74752);
  CHECK(parse_prediction("sectors per flop=1.5e-2").metric == "sectors_per_flop");
  CHECK(parse_prediction("work_items:update=64").metric == "work_items:update");
  CHECK(parse_prediction("shared_load_wavefronts=0").value == 0);
  CHECK(refused("sektors=1").find("unknown metric 'sektors'; nearest: sectors") == 0);
  CHECK(refused("balance=1") == "profile does not show balance: nothing to predict");
  for (const char* wrong :
       {"sectors=", "sectors=many", "sectors=-1", "sectors=12x", "sectors=nan", "sectors=inf"})
    CHECK(refused(wrong).find("sectors must be a number of at least 0, got '") == 0);
  CHECK(refused("=5").find("is no prediction") != std::string::npos);
  CHECK(looks_like_prediction("sectors=1"));
  CHECK_FALSE(looks_like_prediction("03/g2"));
}

TEST_CASE(
    "predictions: kept in a file; one made after a profile is marked and does not replace an earlier one") {
  const ScratchFolder folder;
  const auto file = folder.path() / "predictions.json";
  {
    Predictions p(file);
    CHECK_FALSE(p.add(said("03-dgemm/g1", "sectors=1", 64)).after_profile);
    p.add(said("03-dgemm/g1", "sectors=2", 64));
    p.add(said("03-dgemm/g1", "sectors=7", 128));
    p.profiled("03-dgemm/g1");
    CHECK(p.add(said("03-dgemm/g1", "sectors=3", 64)).after_profile);
    CHECK(p.add(said("03-dgemm/g1", "barriers=4")).after_profile);
    CHECK_FALSE(p.add(said("03-dgemm/g2", "sectors=5")).after_profile);
    p.save();
  }
  const Predictions p(file);
  CHECK(p.of("03-dgemm/g1").size() == 5);
  const auto last = p.last_of("03-dgemm/g1");
  REQUIRE(last.size() == 3);
  CHECK(last[0].value == 2);
  CHECK_FALSE(last[0].after_profile);
  CHECK(last[1].size == 128);
  CHECK(last[2].after_profile);
  CHECK(p.of("03-dgemm/g9").empty());
}

TEST_CASE("predictions: a broken file is set aside, not overwritten") {
  const ScratchFolder folder;
  const auto file = folder.path() / "predictions.json";
  write_text(file, "[1]");
  CHECK(Predictions(file).of("x").empty());
  CHECK_FALSE(std::filesystem::exists(file));
  write_text(file, R"({"schema":"another/1","predictions":[]})");
  CHECK(Predictions(file).of("x").empty());
  CHECK_FALSE(std::filesystem::exists(file));
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 2);
  write_text(file, R"({"schema":"gpu-ladder-predictions/1","predictions":[5,{"step":"x"}],"profiled":{}})");
  CHECK(Predictions(file).of("x").empty());
}
