#include "common/model/exam_json.hpp"

#include "common/base/files/json_fields.hpp"

namespace ladder::model {

using nlohmann::json;

constexpr const char* ask_names[] = {"mistake", "count", "more"};
constexpr const auto& words_of(Ask) {
  return ask_names;
}

void fields(Is<Change> auto& change, auto&& visit) {
  visit("line", change.line);
  visit("is", change.is);
  visit("was", change.was);
}
void fields(Is<MistakeAnswer> auto& answer, auto&& visit) {
  visit("changed", answer.changed);
  visit("verdict", answer.verdict);
  visit("message", answer.message);
  visit("details", answer.details);
  visit("words", answer.words);
}
void fields(Is<CountAnswer> auto& answer, auto&& visit) {
  visit("problem", answer.problem);
  visit("amount", answer.amount);
  visit("necessary", answer.necessary);
  visit("necessary_amount", answer.necessary_amount);
}
void fields(Is<MoreAnswer> auto& answer, auto&& visit) {
  visit("problem", answer.problem);
  visit("counts", answer.counts);
  visit("answer", answer.answer);
}
void fields(Is<ExamProgram> auto& program, auto&& visit) {
  visit("lesson", program.lesson);
  visit("step", program.step);
  visit("file", program.file);
  visit("label", program.label);
  visit("tree", program.tree);
  visit("edit", program.edit);
  visit("sha256", program.sha256);
}
void fields(Is<ExamQuestion> auto& question, auto&& visit) {
  visit("id", question.id);
  visit("ask", question.ask);
  visit("size", question.size);
  visit("metric", question.metric);
  visit("programs", question.programs);
  if (question.ask == Ask::mistake)
    visit("key", question.key.mistake);
  else if (question.ask == Ask::count)
    visit("key", question.key.count);
  else
    visit("key", question.key.more);
}
void fields(Is<ExamSheet> auto& sheet, auto&& visit) {
  visit("id", sheet.id);
  visit("name", sheet.name);
  visit("file", sheet.file);
  visit("questions", sheet.questions);
}
void fields(Is<ExamKey> auto& key, auto&& visit) {
  visit.derived("schema", exam_schema);
  visit("rungs", key.rungs);
  visit("seed", key.seed);
  visit("secret", key.secret);
  visit("questions", key.questions);
  visit("sheets", key.sheets);
}

json to_json(const ExamKey& key) {
  return json_from(key);
}
json to_json(Ask ask, const ExamAnswer& answer) {
  if (ask == Ask::mistake) return json_from(answer.mistake);
  return ask == Ask::count ? json_from(answer.count) : json_from(answer.more);
}
ExamKey exam_key_from_json(const json& key, const std::string& what) {
  return structure_from<ExamKey>(key, what);
}

}  // namespace ladder::model
