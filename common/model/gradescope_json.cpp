#include "common/base/files/json_fields.hpp"
#include "common/model/gradescope.hpp"

namespace ladder::model {

using nlohmann::json;

void fields(Is<GradescopeTestData> auto& data, auto&& visit) {
  visit("verdict", data.verdict);
  visit("phase", data.phase);
}
void fields(Is<GradescopeTest> auto& test, auto&& visit) {
  visit("name", test.name);
  visit("output", test.output);
  visit("output_format", test.output_format);
  visit("visibility", test.visibility);
  visit("status", test.status, optional_field);
  visit("score", test.score, optional_field);
  visit("max_score", test.max_score, optional_field);
  visit("extra_data", test.extra_data, optional_field);
}
void fields(Is<GradescopeData> auto& data, auto&& visit) {
  visit("receipt", data.receipt);
  visit("ladder", data.ladder);
}
void fields(Is<GradescopeResults> auto& results, auto&& visit) {
  visit("output", results.output);
  visit("output_format", results.output_format);
  visit("visibility", results.visibility);
  visit("stdout_visibility", results.stdout_visibility, optional_field);
  visit("score", results.score, optional_field);
  visit("tests", results.tests);
  visit("extra_data", results.extra_data, optional_field);
}

json to_json(const GradescopeResults& results) {
  return json_from(results);
}
GradescopeResults gradescope_results_from_json(const json& results, const std::string& what) {
  return structure_from<GradescopeResults>(results, what);
}

}  // namespace ladder::model
