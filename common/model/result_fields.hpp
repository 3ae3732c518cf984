#pragma once
/// @file
/// The lists of fields of records and results: their one description as JSON.

#include "common/base/files/json_fields.hpp"
#include "common/base/interval_json.hpp"
#include "common/model/reproduction.hpp"
#include "common/model/result.hpp"
#include "common/model/words.hpp"

namespace ladder::model {

void fields(Is<CaseClass> auto& one, auto&& visit) {
  visit("class", one.name);
  visit("passed", one.passed);
  visit("of", one.of);
}
void fields(Is<FailedCase> auto& one, auto&& visit) {
  visit("index", one.index);
  visit("case", one.name);
}
void fields(Is<ResultError> auto& error, auto&& visit) {
  visit("measure", error.measure);
  visit("value", error.value);
  visit("bound", error.bound);
  visit("second_measure", error.second_measure, optional_field);
  visit("second_value", error.second_value, optional_field);
}
void fields(Is<Target> auto& target, auto&& visit) {
  visit("metric", target.metric);
  visit("relation", target.relation);
  visit("bound", target.bound);
  visit("measured", target.measured);
  visit("below", target.below, optional_field);
  visit("necessary", target.necessary);
  visit("amount", target.amount, optional_field);
  visit("necessary_amount", target.necessary_amount, optional_field);
  visit("verdict", target.verdict);
  visit("met", target.met);
  visit("reason", target.reason);
  visit("points", target.points, optional_field);
  visit("max_points", target.max_points, optional_field);
}
void fields(Is<Energy> auto& energy, auto&& visit) {
  visit("joules", energy.joules, optional_field);
  visit("calls", energy.calls, optional_field);
  visit("seconds", energy.seconds, optional_field);
  visit("in_calls", energy.in_calls, optional_field);
  visit("source", energy.source, optional_field);
  visit("reason", energy.reason, optional_field);
}
void fields(Is<TimeParts> auto& parts, auto&& visit) {
  visit("wake", parts.wake);
  visit("step", parts.step);
  visit("synchronise", parts.synchronise);
  visit("answer", parts.answer);
}
void fields(Is<Roof> auto& roof, auto&& visit) {
  visit("ceiling", roof.ceiling);
  visit("seconds", roof.seconds);
}
void fields(Is<Work> auto& work, auto&& visit) {
  visit("formula", work.formula, optional_field);
  visit("ceiling", work.ceiling, optional_field);
  visit("unit", work.unit, optional_field);
  visit("amount", work.amount, optional_field);
  visit("seconds", work.seconds, optional_field);
  visit("floor", work.floor, optional_field);
  visit("fp64", work.fp64, optional_field);
  visit("bytes", work.bytes, optional_field);
  visit("roof", work.roof, optional_field);
  visit("reason", work.reason, optional_field);
}
void fields(Is<DeviceTime> auto& time, auto&& visit) {
  visit("median", time.median, optional_field);
  visit("low", time.low, optional_field);
  visit("high", time.high, optional_field);
  visit("runs", time.runs, optional_field);
  visit("kernels", time.kernels, optional_field);
  visit("peers", time.peers, optional_field);
  visit("reason", time.reason, optional_field);
}
void fields(Is<Time> auto& time, auto&& visit) {
  fields(time.seconds, visit);
  visit("problem", time.problem);
  visit("size_name", time.size_name, optional_field);
  visit("content", time.content, optional_field);
  visit("noise", time.noise, optional_field);
  visit("baseline", time.baseline, optional_field);
  visit("peers", time.peers);
  visit("foreign_load", time.foreign_load);
  visit("parts", time.parts, optional_field);
  visit("after", time.after, optional_field);
  visit("work", time.work);
  visit("device", time.device, optional_field);
}
void fields(Is<Timing> auto& timing, auto&& visit) {
  visit("time", timing.time);
  visit("ratio", timing.ratio);
  visit("ratio_interval", timing.ratio_interval);
}
void fields(Is<Gain> auto& gain, auto&& visit) {
  visit("over", gain.over);
  visit("clock", gain.clock);
  visit("kernels", gain.kernels, optional_field);
  visit("problem", gain.problem);
  visit("size_name", gain.size_name, optional_field);
  visit("seconds", gain.seconds, optional_field);
  visit("without", gain.without, optional_field);
  visit("ratio", gain.ratio, optional_field);
  visit("reason", gain.reason, optional_field);
}
void subject_fields(auto& subject, auto&& visit) {
  visit("lesson", subject.lesson);
  visit("step", subject.step);
  visit("tree", subject.tree);
  visit("mutant", subject.mutant);
  visit("backend", subject.backend);
}
void judgement_fields(auto& judgement, auto&& visit) {
  visit("device", judgement.device);
  visit("data", judgement.data);
  visit("verdict", judgement.verdict);
  visit("message", judgement.message);
  visit("details", judgement.details);
  visit("cases", judgement.cases, optional_field);
  visit("failed_case", judgement.failed_case, optional_field);
  visit("error", judgement.error, optional_field);
  visit("targets", judgement.targets, optional_field);
  visit("unconfined", judgement.unconfined, optional_field);
  visit("time", judgement.time, optional_field);
  visit("ratio", judgement.ratio, optional_field);
  visit("ratio_interval", judgement.ratio_interval, optional_field);
  visit("further", judgement.further, optional_field);
  visit("gain", judgement.gain, optional_field);
  visit("energy", judgement.energy, optional_field);
  visit("points", judgement.points, optional_field);
  visit("max_points", judgement.max_points, optional_field);
  visit("processor", judgement.processor, optional_field);
}
void fields(Is<Subject> auto& subject, auto&& visit) {
  subject_fields(subject, visit);
}
void fields(Is<Record> auto& record, auto&& visit) {
  visit.derived("record", "verdict");
  subject_fields(record, visit);
  visit("kind", record.kind);
  judgement_fields(record, visit);
  visit("seed", record.seed, optional_field);
  visit("key", record.key, optional_field);
  visit("again", record.again, optional_field);
}
void fields(Is<Progress> auto& progress, auto&& visit) {
  visit.derived("record", "progress");
  subject_fields(progress, visit);
  visit("kind", progress.kind);
  visit("text", progress.text);
  visit("done", progress.done);
  visit("of", progress.of);
}
void fields(Is<Reproduction> auto& table, auto&& visit) {
  visit.derived("record", "reproduction");
  visit("lesson", table.lesson);
  visit("title", table.title);
  visit("columns", table.columns);
  visit("rows", table.rows);
  visit("notes", table.notes);
  visit("figures", table.figures, optional_field);
  visit("device", table.device, optional_field);
  visit("block", table.block, optional_field);
  visit("traffic", table.traffic, optional_field);
}
void fields(Is<KindResult> auto& kind, auto&& visit) {
  visit("kind", kind.kind);
  visit("verdict", kind.verdict);
  visit("message", kind.message);
  visit("points", kind.points, optional_field);
  visit("max_points", kind.max_points, optional_field);
}
/// Of a rung, apart from which it is.
void result_fields(auto& step, auto&& visit) {
  visit("tree", step.tree);
  visit("mutant", step.mutant, optional_field);
  visit("source", step.source, optional_field);
  visit("backend", step.backend);
  judgement_fields(step, visit);
  visit("kinds", step.kinds);
  visit("build_output", step.build_output, optional_field);
}
void fields(Is<StepResult> auto& step, auto&& visit) {
  visit("lesson", step.lesson);
  visit("name", step.name);
  visit("file", step.file);
  visit("kind", step.kind);
  result_fields(step, visit);
}

}  // namespace ladder::model
