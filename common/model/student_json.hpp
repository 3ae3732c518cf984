#pragma once
/// @file
/// The files of .ladder/ as structures. Fields that other versions have written are passed over.

#include <nlohmann/json.hpp>
#include <optional>

#include "common/model/student.hpp"

namespace ladder::model {

nlohmann::json to_json(const HistoryEntry& entry);
nlohmann::json to_json(const KeptVerdict& kept);
nlohmann::json to_json(const LastReport& report);

/// @return nothing for what is no verdict: written by hand, or by a version that means something else
std::optional<KeptVerdict> kept_verdict_from_json(const nlohmann::json& entry);
/// @return nothing where there is no report, or one of another version
std::optional<LastReport> last_report_from_json(const nlohmann::json& report);

}  // namespace ladder::model
