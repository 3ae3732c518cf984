#include "common/model/grade_json.hpp"

#include "common/base/files/json_fields.hpp"
#include "common/model/grade_view.hpp"
#include "common/model/result_fields.hpp"

namespace ladder::model {

using nlohmann::json;

void fields(Is<BeforeAmendment> auto& before, auto&& visit) {
  visit("verdict", before.verdict, optional_field);
  visit("message", before.message);
  visit("points", before.points, optional_field);
  visit("max_points", before.max_points, optional_field);
}
void fields(Is<Amendment> auto& amendment, auto&& visit) {
  visit("by", amendment.by);
  visit("reason", amendment.reason);
  visit("at", amendment.at);
  visit("points", amendment.points);
  visit("diff", amendment.diff);
  visit("source_sha256", amendment.source_sha256);
  visit("before", amendment.before);
}
void graded_fields(auto& result, auto&& visit) {
  visit("lesson", result.lesson);
  visit("name", result.name);
  visit("file", result.file);
  visit("kind", result.kind);
  result_fields(result, visit);
  visit("runs", result.runs, optional_field);
  visit("right_runs", result.right_runs, optional_field);
  visit("judged_as", result.judged_as, optional_field);
  visit("uses", result.uses, optional_field);
  visit("problems", result.problems, optional_field);
  visit("profiles", result.profiles, optional_field);
  visit("measured_on", result.measured_on, optional_field);
  visit("judge_seconds", result.judge_seconds, optional_field);
  visit("build_seconds", result.build_seconds, optional_field);
  visit("again", result.again, optional_field);
  visit("amendment", result.amendment, optional_field);
}
void fields(Is<GradedResult> auto& result, auto&& visit) {
  graded_fields(result, visit);
}

void fields(Is<OpenPoints> auto& open, auto&& visit) {
  visit("what", open.what);
  visit("points", open.points);
  visit("opens", open.opens);
}
void fields(Is<StaffVerdict> auto& staff, auto&& visit) {
  visit("verdict", staff.verdict);
  visit("evidence", staff.evidence);
}
void fields(Is<StudentVerdict> auto& student, auto&& visit) {
  visit("verdict", student.verdict);
  visit("message", student.message);
}
void fields(Is<PublishedPart> auto& part, auto&& visit) {
  visit("key", part.key);
  visit("folder", part.folder);
}
void fields(Is<GradeEntry> auto& entry, auto&& visit) {
  graded_fields(entry, visit);
  visit("phase", entry.phase);
  visit("part", entry.part, optional_field);
  visit("runs", entry.runs);
  visit("judged_points", entry.judged_points);
  visit("open_points", entry.open_points);
  visit("open", entry.open);
  visit("staff", entry.staff);
  visit("student", entry.student);
  visit("published", entry.published, optional_field);
  visit("untaken", entry.untaken, optional_field);
}
void fields(Is<GradedFile> auto& file, auto&& visit) {
  visit("path", file.path);
  visit("bytes", file.bytes);
  visit("sha256", file.sha256);
  visit("submitted_sha256", file.submitted_sha256, optional_field);
  visit("changed", file.changed);
}
void fields(Is<RefusedFile> auto& file, auto&& visit) {
  visit("path", file.path);
  visit("why", file.why);
}
void fields(Is<GradedSubmission> auto& submission, auto&& visit) {
  visit("name", submission.name);
  visit("sha256", submission.sha256);
  visit("receipt", submission.receipt);
  visit("received", submission.received);
  visit("attempt", submission.attempt);
  visit("files", submission.files);
  visit("refused", submission.refused);
  visit("missing", submission.missing);
  visit("notes", submission.notes);
  visit("differences", submission.differences, optional_field);
  visit("contained", submission.contained, optional_field);
  visit("handout", submission.handout, optional_field);
  visit("predictions", submission.predictions, optional_field);
}
void fields(Is<GradeDecision> auto& decision, auto&& visit) {
  visit("step", decision.step);
  visit("action", decision.action);
  visit("by", decision.by);
  visit("reason", decision.reason);
  visit("at", decision.at);
  visit("points", decision.points, optional_field);
  visit("source_sha256", decision.source_sha256, optional_field);
}
void fields(Is<QuestionMark> auto& mark, auto&& visit) {
  visit("student", mark.student);
  visit("step", mark.step);
  visit("question", mark.question);
  visit("action", mark.action);
  visit("points", mark.points);
  visit("of", mark.of);
  visit("by", mark.by);
  visit("reason", mark.reason);
  visit("at", mark.at);
  visit("settles", mark.settles, optional_field);
}
void fields(Is<RegradeProposal> auto& proposal, auto&& visit) {
  visit("pseudonym", proposal.pseudonym);
  visit("base_sha256", proposal.base_sha256);
  visit("ladder", proposal.ladder);
  visit("machine", proposal.machine);
  visit("steps", proposal.steps);
  visit("private_tests", proposal.private_tests);
}
void fields(Is<GradeRecord> auto& record, auto&& visit) {
  visit.derived("schema", grade_schema);
  visit("pseudonym", record.pseudonym);
  visit("submission", record.submission);
  visit("sandbox", record.sandbox);
  visit("limits", record.limits);
  visit("machine", record.machine);
  visit("ladder", record.ladder);
  visit("key_id", record.key_id);
  visit("steps", record.steps);
  visit("points", record.points);
  visit("max_points", record.max_points);
  visit("open", record.open);
  visit("decisions", record.decisions);
  visit("manual", record.manual, optional_field);
}

void fields(Is<StudentAmendment> auto& amendment, auto&& visit) {
  visit("reason", amendment.reason);
  visit("points", amendment.points);
  visit("diff", amendment.diff);
  visit("before", amendment.before);
  visit("before_points", amendment.before_points);
  visit("before_max_points", amendment.before_max_points);
}
void fields(Is<RungPoints> auto& own, auto&& visit) {
  visit("points", own.points);
  visit("max_points", own.max_points);
}
void fields(Is<StudentStep> auto& step, auto&& visit) {
  visit("lesson", step.lesson);
  visit("name", step.name);
  visit("file", step.file);
  visit("phase", step.phase);
  visit("part", step.part, optional_field);
  visit("points", step.points);
  visit("max_points", step.max_points);
  visit("own", step.own, optional_field);
  visit("student", step.student);
  visit("amendment", step.amendment, optional_field);
  visit("runs", step.runs, optional_field);
  visit("right_runs", step.right_runs, optional_field);
  visit("device", step.device, optional_field);
  visit("measured_on", step.measured_on, optional_field);
  visit("details", step.details, optional_field);
  visit("cases", step.cases, optional_field);
  visit("targets", step.targets, optional_field);
}

json to_json(const GradeRecord& record) {
  return json_from(record);
}
json to_json(const RegradeProposal& proposal) {
  return json_from(proposal);
}
json to_json(const StudentStep& step) {
  return json_from(step);
}
json to_json(const GradeEntry& entry) {
  return json_from(entry);
}
json to_json(const GradedResult& result) {
  return json_from(result);
}
json to_json(const Amendment& amendment) {
  return json_from(amendment);
}
GradedResult graded_result_from_json(const json& result, const std::string& what) {
  return structure_from<GradedResult>(result, what);
}
GradeRecord grade_record_from_json(const json& record, const std::string& what) {
  return structure_from<GradeRecord>(record, what);
}
RegradeProposal proposal_from_json(const json& proposal, const std::string& what) {
  return structure_from<RegradeProposal>(proposal, what);
}
QuestionMark question_mark_from_json(const json& mark, const std::string& what) {
  return structure_from<QuestionMark>(mark, what);
}
Amendment amendment_from_json(const json& amendment, const std::string& what) {
  return structure_from<Amendment>(amendment, what);
}

}  // namespace ladder::model
