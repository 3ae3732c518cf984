#pragma once
/// @file
/// Records as lines of results.jsonl, and results as documents have them (docs/results.schema.json).

#include <nlohmann/json.hpp>
#include <variant>

#include "common/model/reproduction.hpp"
#include "common/model/result.hpp"

namespace ladder::model {

nlohmann::json to_json(const Record& record);
nlohmann::json to_json(const Progress& progress);
nlohmann::json to_json(const Subject& subject);
nlohmann::json to_json(const StepResult& step);

/// All of these throw Error for a field that is unknown or of another type, with its name.
Record record_from_json(const nlohmann::json& record);
Progress progress_from_json(const nlohmann::json& progress);
/// The border of what still takes documents.
StepResult step_from_json(const nlohmann::json& step);

/// A line of a judge: a verdict, how far it is, a table, or a document (a profile, costs, …).
using Line = std::variant<Record, Progress, Reproduction, nlohmann::json>;

/// @throws Error for what a judge does not write, with the field's name: a step may have written the line
Line line_from_json(const nlohmann::json& line);

/// Whose record a document is (a profile, what hardware counted, costs): its other fields are not read.
Subject subject_of(const nlohmann::json& record);

}  // namespace ladder::model
