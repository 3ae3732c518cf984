/// @file
/// A grade record as a structure: what files have comes back as it was, and what no field has room for is
/// refused with its name.
// Guards: docs/contributing.md#layers

#include "common/base/error.hpp"
#include "common/grade/record.hpp"
#include "common/model/grade_json.hpp"
#include "tests/common/catch.hpp"
#include "tests/common/grade/packed.hpp"

namespace ladder::grade::grade_model_test {
namespace {

using ladder::test::contains;
using nlohmann::json;

/// A record with all that it may have.
json whole_record() {
  // Spelled as files have them: what reads and writes has one list, and would forget a field both times.
  json result = to_json(model::GradedResult{});
  result.update(
      {{"lesson", "03-dgemm"},
       {"name", "g1_naive"},
       {"file", "g1_naive.cu"},
       {"verdict", "REVIEW"},
       {"judged_as", "MISSED"},
       {"points", 5.5},
       {"max_points", 8.0},
       {"right_runs", 3},
       {"uses", {"quiet"}},
       {"problems", {"a log is odd"}},
       {"profiles", {{{"record", "profile"}}}},
       {"measured_on", "an H200"},
       {"judge_seconds", 2.5},
       {"build_seconds", 1.5},
       {"amendment",
        {{"by", "Anna Ek"},
         {"reason", "a slip"},
         {"at", "2027-02-20T10:00:00Z"},
         {"points", 1.0},
         {"diff", "-a"},
         {"source_sha256", "2"},
         {"before", {{"verdict", "WRONG"}, {"message", ""}, {"points", 0.0}, {"max_points", 8.0}}}}}});
  Taken taken;
  taken.files = {{"03-dgemm/g1_naive.cu", "hw/g1_naive.cu", 7, "1", "2", {"crlf"}}};
  taken.refused = {{"x.cu", "is empty"}};
  taken.missing = {"03-dgemm/g2_shared_tiles.cu"}, taken.contained = {"essay.docx"};
  taken.predictions = R"({"schema":"gpu-ladder-predictions/1"})";
  model::GradeRecord record =
      new_record({"S-ABCDEFGH", "anna.zip", "2027-02-14T22:10:00Z", 2}, taken,
                 {.sandbox = "bwrap", .machine = {{"cpu", "x"}}, .key_id = "01234567"});
  result["runs"] = {"MISSED", "MISSED"};
  const auto graded = model::graded_result_from_json(result, "a result");
  REQUIRE(to_json(graded) == result);
  add_step(record, {graded, "instant", "", 8, {{"time", 2, "later"}}});
  decide(record, {"03-dgemm/g1_naive", "deduct", 1, "Anna Ek", "too few operations", "", "1"});
  return to_json(record);
}

std::string refused(const json& record) {
  try {
    model::grade_record_from_json(record, "a.json");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a grade record that was read is written as it was") {
  const json record = whole_record();
  CHECK(to_json(model::grade_record_from_json(record, "a.json")) == record);
}

TEST_CASE("a field of a grade record that is unknown, or of another type, is refused with its name") {
  json unknown = whole_record(), mistyped = unknown, word = unknown;
  unknown["steps"][0]["staff"]["verdikt"] = "PASS";
  CHECK(refused(unknown) == "a.json.steps[0].staff.verdikt is not a known field");
  mistyped["submission"]["attempt"] = "second";
  CHECK(refused(mistyped) == "a.json.submission.attempt must be an integer");
  word["steps"][0]["runs"][1] = "FINE";
  CHECK(contains(refused(word), "a.json.steps[0].runs[1] must be one of PASS, "));
  const test::Scratch scratch;
  for (const json& wrong : {unknown, mistyped, word}) {
    write_document(scratch / "a.json", wrong);
    CHECK_THROWS_AS(read_record(scratch / "a.json"), Error);
  }
}

}  // namespace ladder::grade::grade_model_test
