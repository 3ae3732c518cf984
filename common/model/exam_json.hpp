#pragma once
/// @file
/// The key of an exam as its file has it.

#include <nlohmann/json.hpp>

#include "common/model/exam.hpp"

namespace ladder::model {

inline constexpr const char* exam_schema = "gpu-ladder-exam/1";

nlohmann::json to_json(const ExamKey& key);
nlohmann::json to_json(Ask ask, const ExamAnswer& answer);

/// @throws Error for a field that is unknown or of another type, with its name
ExamKey exam_key_from_json(const nlohmann::json& key, const std::string& what);

}  // namespace ladder::model
