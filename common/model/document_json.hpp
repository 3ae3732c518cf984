#pragma once
/// @file
/// Results documents as files have them.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/model/document.hpp"

namespace ladder::model {

/// The schema of the documents that the verbs write.
inline constexpr const char* document_schema = "gpu-ladder/3";
/// The one before, which `./ladder results convert` reads.
inline constexpr const char* earlier_document_schema = "gpu-ladder/2";

/// With the schema's name.
nlohmann::json to_json(const Document& document);
nlohmann::json to_json(const LessonResults& lesson);
nlohmann::json to_json(const Machine& machine);
nlohmann::json to_json(const Ceilings& ceilings);
nlohmann::json to_json(const std::vector<MutantWords>& mutants);
nlohmann::json to_json(const TestCounts& counts);
nlohmann::json to_json(const std::vector<Reproduction>& reproductions);

/// @param file  that messages name
/// @throws Error for another schema, and for a field that is unknown or of another type, with its name:
/// "run.json.lessons[2].steps[0].time.median must be a number"
Document document_from_json(const nlohmann::json& document, const std::string& file);

/// @throws Error for a document of the schema before, with the command that converts it
void refuse_earlier_schema(const nlohmann::json& document, const std::string& file);

/// @throws Error for a document of another schema, naming the command that converts it, where there is one
void require_document_schema(const nlohmann::json& document, const std::string& file);

/// A document of the schema before: fields that were in no schema are refused here, too. What the time of
/// tests said of their programs and of waiting for builds is left out.
/// @throws Error as document_from_json()
Document converted_document(nlohmann::json document, const std::string& file);

/// @throws Error as document_from_json()
LessonResults lesson_from_json(const nlohmann::json& lesson);
Machine machine_from_json(const nlohmann::json& machine);
/// Of a table with a schema of its own: the machine that it was made on, where it names one.
std::optional<Machine> machine_in(const nlohmann::json& table);
Ceilings ceilings_from_json(const nlohmann::json& ceilings);
MeasuredCeiling ceiling_from_json(const nlohmann::json& ceiling);
std::vector<MutantWords> mutant_words_from_json(const nlohmann::json& mutants);
TestCounts test_counts_from_json(const nlohmann::json& counts);

}  // namespace ladder::model
