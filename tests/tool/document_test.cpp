/// @file
/// Results documents: the stored ones are written as they were read, and what does not fit is refused with
/// its name.
// Guards: docs/measuring.md#what-a-number-means

#include <filesystem>

#include "common/base/error.hpp"
#include "common/base/files/files.hpp"
#include "common/model/document_json.hpp"
#include "common/report/results/stored_text.hpp"
#include "tests/common/catch.hpp"

using namespace ladder;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

/// A document with one judged step, as a verb writes it.
json small_document() {
  json document = json::parse(R"({"verb": "run", "date": "2026-11-20T13:25:25Z", "seed": 1,
    "machine": {"cpu": "x", "architecture": "x86_64", "cores": 2, "os": "Debian", "kernel": "6.1", "load": 0.5,
                "memory_bytes": 8e9, "devices": [{"id": "cpu", "aliases": [], "backends": ["cpu"],
                "name": "x", "kind": "cpu", "compute_units": 2, "memory_bytes": 8e9, "available": true}]},
    "lessons": [{"name": "03-dgemm", "title": "Matrix product", "steps": [
      {"lesson": "03-dgemm", "name": "c1_openmp", "file": "c1_openmp.cpp", "kind": "R", "tree": "solutions",
       "backend": "cpu", "device": "cpu", "data": "host", "verdict": "PASS", "message": "", "details": [],
       "kinds": [{"kind": "correctness", "verdict": "PASS", "message": ""}]}]}]})");
  document["schema"] = model::document_schema;
  return document;
}

/// Why the document is refused after a field of it was changed; empty when it is not.
std::string refused_document(const std::string& pointer, const json& value) {
  json changed = small_document();
  changed[json::json_pointer(pointer)] = value;
  try {
    model::document_from_json(changed, "run.json");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("every stored document is written as it was read, byte by byte") {
  int documents = 0;
  for (const auto& entry : fs::recursive_directory_iterator(LADDER_PROJECT "/docs/results")) {
    if (entry.path().extension() != ".json") continue;
    const std::string text = read_text(entry.path());
    const json content = json::parse(text);
    if (!content.is_object() || !content.contains("lessons")) continue;  // of the executor, of public suites
    const std::string file = entry.path().lexically_relative(LADDER_PROJECT).string();
    INFO(file);
    const json written = to_json(model::document_from_json(content, file));
    CHECK(json::diff(content, written).dump(-1, ' ', false, json::error_handler_t::replace) == "[]");
    CHECK((report::stored_text(written) == text));  // not shown: megabytes
    ++documents;
  }
  CHECK(documents > 0);
}

TEST_CASE("a document with a field that is unknown or of another type is refused, with the field's name") {
  CHECK(to_json(model::document_from_json(small_document(), "run.json")) == small_document());
  CHECK(refused_document("/lesson", 1) == "run.json.lesson is not a known field");
  CHECK(refused_document("/seed", "one") == "run.json.seed must be an integer");
  CHECK(refused_document("/machine/cores", "two") == "run.json.machine.cores must be an integer");
  CHECK(refused_document("/machine/devices/0/driver", 1) ==
        "run.json.machine.devices[0].driver is not a known field");
  CHECK(refused_document("/lessons/0/steps/0/verdict", "GREAT")
            .starts_with("run.json.lessons[0].steps[0].verdict must be one of PASS, SKIPPED,"));
  CHECK(refused_document("/lessons/0/steps/0/points", "4") ==
        "run.json.lessons[0].steps[0].points must be a number");
  CHECK(refused_document("/lessons/0/steps/0/hints", 1) ==
        "run.json.lessons[0].steps[0].hints must be a list");
  CHECK(refused_document("/lessons/0/steps/0/hint", 1) ==
        "run.json.lessons[0].steps[0].hint is not a known field");
  CHECK(refused_document("/schema", "gpu-ladder/1") ==
        "run.json is of schema gpu-ladder/1, not of gpu-ladder/3");
  CHECK(refused_document("/schema", "gpu-ladder/2") ==
        "run.json is of schema gpu-ladder/2: ./ladder results convert run.json makes it gpu-ladder/3");
}

TEST_CASE("a step without a verdict has only what a verb states of it") {
  json document = small_document();
  json& step = document["lessons"][0]["steps"][0];
  step = {{"lesson", "03-dgemm"},
          {"name", "c1_openmp"},
          {"file", "c1_openmp.cpp"},
          {"state", "not started"},
          {"seconds_spent", 0.0}};
  const model::Document read = model::document_from_json(document, "list.json");
  CHECK_FALSE(read.lessons[0].steps[0].judged);
  CHECK(to_json(read) == document);
  step["points"] = 4;  // points without a verdict
  CHECK_THROWS_WITH(model::document_from_json(document, "list.json"),
                    "list.json.lessons[0].steps[0].points is not a known field");
}

TEST_CASE("every field that the schema lists is one of the structure") {
  const json schema = json::parse(read_text(LADDER_PROJECT "/docs/results.schema.json"));
  const auto expect_known = [&](const json& properties, const std::string& pointer) {
    for (const auto& [name, _] : properties.items()) {
      if (name == "schema") continue;
      INFO(pointer + "/" + name);
      CHECK(refused_document(pointer + "/" + name, 1).find("is not a known field") == std::string::npos);
    }
  };
  const json& document = schema.at("properties");
  const json& lesson = document.at("lessons").at("items").at("properties");
  expect_known(document, "");
  expect_known(lesson, "/lessons/0");
  expect_known(schema.at("$defs").at("step").at("properties"), "/lessons/0/steps/0");
  expect_known(schema.at("$defs").at("machine").at("properties"), "/machine");
  expect_known(schema.at("$defs").at("reproduction").at("properties"), "/lessons/0/reproductions/0");
}
