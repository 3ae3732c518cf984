#include "common/model/result_json.hpp"

#include "common/base/files/json_fields.hpp"
#include "common/model/result_fields.hpp"

namespace ladder::model {

using nlohmann::json;

json to_json(const Record& record) {
  return json_from(record);
}
json to_json(const Progress& progress) {
  return json_from(progress);
}
json to_json(const Subject& subject) {
  return json_from(subject);
}
json to_json(const StepResult& step) {
  return json_from(step);
}

Record record_from_json(const json& record) {
  return structure_from<Record>(record, "a record");
}
Progress progress_from_json(const json& progress) {
  return structure_from<Progress>(progress, "a progress record");
}
StepResult step_from_json(const json& step) {
  return structure_from<StepResult>(step, "a result");
}

Line line_from_json(const json& line) {
  const json kind = line.is_object() ? line.value("record", json()) : json();
  if (kind == "verdict") return record_from_json(line);
  if (kind == "progress") return progress_from_json(line);
  if (kind == "reproduction") return structure_from<Reproduction>(line, "a table");
  if (!kind.is_string() || !test_kind(kind.get<std::string>()))
    throw Error("a record.record is not verdict, progress, reproduction or a kind of test");
  subject_of(line);
  return line;
}

Subject subject_of(const json& record) {
  return structure_from<Subject>(json_fields::known_part<Subject>(record), "a record");
}

}  // namespace ladder::model
