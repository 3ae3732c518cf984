#include "common/model/document_json.hpp"

#include <fmt/format.h>

#include "common/base/files/json_fields.hpp"
#include "common/model/result_fields.hpp"

namespace ladder::model {

using nlohmann::json;

void fields(Is<Device> auto& device, auto&& visit) {
  visit("id", device.id);
  visit("aliases", device.aliases);
  visit("backends", device.backends);
  visit("name", device.name);
  visit("kind", device.kind);
  visit("compute_units", device.compute_units);
  visit("memory_bytes", device.memory_bytes);
  visit("available", device.available);
  visit("platform", device.platform, optional_field);
  visit("index", device.index, optional_field);
  visit("reason", device.reason, optional_field);
}
void fields(Is<MeasuredCeiling> auto& ceiling, auto&& visit) {
  visit("what", ceiling.what);
  visit("unit", ceiling.unit, optional_field);
  visit("how", ceiling.how, optional_field);
  visit("median", ceiling.median, optional_field);
  visit("low", ceiling.low, optional_field);
  visit("high", ceiling.high, optional_field);
  visit("runs", ceiling.runs, optional_field);
  visit("busy", ceiling.busy, optional_field);
  visit("error", ceiling.error, optional_field);
}
void fields(Is<MissingSoftware> auto& missing, auto&& visit) {
  visit("name", missing.name);
  visit("cost", missing.cost);
  visit("install", missing.install);
}
void fields(Is<OpenclLoader> auto& opencl, auto&& visit) {
  visit("loader", opencl.loader);
  visit("layers", opencl.layers);
  visit("reason", opencl.reason, optional_field);
}
void fields(Is<CudaDriver> auto& cuda, auto&& visit) {
  visit("driver", cuda.driver);
  visit("cuda", cuda.cuda);
  visit("reason", cuda.reason, optional_field);
}
void fields(Is<Confinement> auto& confinement, auto&& visit) {
  visit("landlock", confinement.landlock, optional_field);
  visit("gaps", confinement.gaps, optional_field);
  visit("problem", confinement.problem, optional_field);
}
void fields(Is<ContainerToolkit> auto& toolkit, auto&& visit) {
  visit("version", toolkit.version, optional_field);
  visit("warning", toolkit.warning, optional_field);
}
void fields(Is<Machine> auto& machine, auto&& visit) {
  visit("cpu", machine.cpu);
  visit("architecture", machine.architecture);
  visit("cores", machine.cores);
  visit("os", machine.os);
  visit("kernel", machine.kernel);
  visit("load", machine.load);
  visit("memory_bytes", machine.memory_bytes);
  visit("versions", machine.versions, optional_field);
  visit("opencl", machine.opencl, optional_field);
  visit("cuda", machine.cuda, optional_field);
  visit("devices", machine.devices, optional_field);
  visit("missing", machine.missing, optional_field);
  visit("confinement", machine.confinement, optional_field);
  visit("container_toolkit", machine.container_toolkit, optional_field);
  visit("ceilings", machine.ceilings, optional_field);
}
void fields(Is<JobTime> auto& job, auto&& visit) {
  visit("name", job.name);
  visit("part", job.part);
  visit("seconds", job.seconds);
  visit("processor", job.processor);
}
void fields(Is<PartTime> auto& part, auto&& visit) {
  visit("part", part.name);
  visit("seconds", part.seconds);
  visit("processor", part.processor);
  visit("checks", part.checks);
}
void fields(Is<TestTimes> auto& times, auto&& visit) {
  visit("parts", times.parts);
  visit("jobs", times.jobs);
  visit("seconds", times.seconds);
  visit("processor", times.processor);
  visit("building", times.building);
  visit("lessons", times.lessons);
  visit("steps", times.steps);
  visit("compiler_seconds", times.compilers);
}
void fields(Is<FailedCheck> auto& check, auto&& visit) {
  visit("name", check.name);
  visit("text", check.text);
}
void fields(Is<SkippedCheck> auto& check, auto&& visit) {
  visit("name", check.name);
  visit("reason", check.reason);
}
void fields(Is<MutantWords> auto& mutant, auto&& visit) {
  visit("rung", mutant.rung);
  visit("name", mutant.name);
  visit("verdict", mutant.verdict);
  visit("words", mutant.words);
  visit("why", mutant.why);
}
void fields(Is<TestCounts> auto& counts, auto&& visit) {
  visit("passed", counts.passed);
  visit("failed", counts.failed);
  visit("skipped", counts.skipped);
  visit("failures", counts.failures);
  visit("skips", counts.skips);
}
void fields(Is<StatedPrediction> auto& prediction, auto&& visit) {
  visit("metric", prediction.metric);
  visit("value", prediction.value);
  visit("size", prediction.size);
  visit("time", prediction.time);
  visit("after_profile", prediction.after_profile);
}
void fields(Is<DocumentStep> auto& step, auto&& visit) {
  visit.presence("verdict", step.judged);
  visit("lesson", step.lesson);
  visit("name", step.name);
  visit("file", step.file);
  visit("kind", step.kind, optional_field);
  if (step.judged) result_fields(step, visit);
  visit("state", step.state, optional_field);
  visit("idea", step.idea, optional_field);
  visit("hours", step.hours, optional_field);
  visit("seconds_spent", step.seconds_spent, optional_field);
  visit("from", step.from, optional_field);
  visit("kept", step.kept, optional_field);
  visit("change", step.change, optional_field);
  visit("hints", step.hints, optional_field);
  visit("predictions", step.predictions, optional_field);
  visit("profile", step.profile, optional_field);
  visit("reference", step.reference, optional_field);
}
void fields(Is<LessonResults> auto& lesson, auto&& visit) {
  visit("name", lesson.name);
  visit("title", lesson.title, optional_field);
  visit("problems", lesson.problems, optional_field);
  visit("steps", lesson.steps);
  visit("reproductions", lesson.reproductions, optional_field);
}
void fields(Is<StoredRun> auto& run, auto&& visit) {
  visit("date", run.date);
  visit("commit", run.commit, optional_field);
  visit("seed", run.seed, optional_field);
  visit("clock", run.clock, optional_field);
  visit("machine", run.machine);
  visit("tracks", run.tracks);
}
void fields(Is<OwnFile> auto& own, auto&& visit) {
  visit("file", own.file);
  visit("n", own.n);
  visit("nnz", own.nnz);
}
void fields(Is<Document> auto& document, auto&& visit) {
  visit.derived("schema", document_schema);
  visit("verb", document.verb);
  visit("date", document.date, optional_field);
  visit("seed", document.seed, optional_field);
  visit("commit", document.commit, optional_field);
  visit("clock", document.clock, optional_field);
  visit("size", document.size, optional_field);
  visit("class", document.class_name, optional_field);
  visit("matrix", document.matrix, optional_field);
  visit("only", document.only, optional_field);
  visit("interrupted", document.interrupted, optional_field);
  visit("machine", document.machine);
  visit("runs", document.runs, optional_field);
  visit("lessons", document.lessons);
  visit("program", document.program, optional_field);
  visit("package", document.package, optional_field);
  visit("site", document.site, optional_field);
  visit("tests", document.tests, optional_field);
  visit("times", document.times, optional_field);
}

json to_json(const Document& document) {
  return json_from(document);
}
json to_json(const LessonResults& lesson) {
  return json_from(lesson);
}
json to_json(const Machine& machine) {
  return json_from(machine);
}
json to_json(const Ceilings& ceilings) {
  return json_from(ceilings);
}
json to_json(const std::vector<MutantWords>& mutants) {
  return json_from(mutants);
}
json to_json(const TestCounts& counts) {
  return json_from(counts);
}
json to_json(const std::vector<Reproduction>& reproductions) {
  return json_from(reproductions);
}

namespace {

json schema_of(const json& document) {
  return document.is_object() ? document.value("schema", json()) : json();
}

}  // namespace

void refuse_earlier_schema(const json& document, const std::string& file) {
  if (schema_of(document) == earlier_document_schema)
    throw Error(fmt::format("{0} is of schema {1}: ./ladder results convert {0} makes it {2}", file,
                            earlier_document_schema, document_schema));
}

void require_document_schema(const json& document, const std::string& file) {
  refuse_earlier_schema(document, file);
  const json schema = schema_of(document);
  if (schema != document_schema)
    throw Error(fmt::format("{} is of schema {}, not of {}", file,
                            schema.is_string() ? schema.get<std::string>() : schema.dump(), document_schema));
}

Document document_from_json(const json& document, const std::string& file) {
  require_document_schema(document, file);
  return structure_from<Document>(document, file);
}

Document converted_document(json document, const std::string& file) {
  if (schema_of(document) != earlier_document_schema)
    throw Error(fmt::format("{} is no results document of schema {}: nothing to convert", file,
                            earlier_document_schema));
  if (const json::json_pointer parts("/times/parts"); document.contains(parts) && document[parts].is_array())
    for (json& part : document[parts])
      for (const char* gone : {"building", "programs"})
        if (part.is_object()) part.erase(gone);
  return structure_from<Document>(document, file);
}

LessonResults lesson_from_json(const json& lesson) {
  return structure_from<LessonResults>(lesson, "a lesson's results");
}
std::vector<MutantWords> mutant_words_from_json(const json& mutants) {
  return structure_from<std::vector<MutantWords>>(mutants, "a table's mutants");
}
TestCounts test_counts_from_json(const json& counts) {
  return structure_from<TestCounts>(counts, "what a test counted");
}
Ceilings ceilings_from_json(const json& ceilings) {
  return structure_from<Ceilings>(ceilings, "the ceilings");
}
MeasuredCeiling ceiling_from_json(const json& ceiling) {
  return structure_from<MeasuredCeiling>(ceiling, "a ceiling");
}
Machine machine_from_json(const json& machine) {
  return structure_from<Machine>(machine, "a machine");
}
std::optional<Machine> machine_in(const json& table) {
  const json machine = table.value("machine", json());
  return machine.is_object() ? std::optional(machine_from_json(machine)) : std::nullopt;
}

}  // namespace ladder::model
