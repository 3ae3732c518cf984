#pragma once
/// @file
/// Results as words and Markdown: short enough for a phone.

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "common/report/stored.hpp"

namespace ladder::report {

/// A row of a Markdown table; bars inside cells are escaped.
std::string markdown_row(const std::vector<std::string>& cells);

/// Heading and rule of a Markdown table.
std::vector<std::string> markdown_head(const std::vector<std::string>& titles);

/// [shown](path from the page's folder to the file); both paths relative to the checkout.
std::string link(const std::string& page, const std::filesystem::path& file, const std::string& shown);

/// "From docs/results/debian-12/run.json: AMD EPYC, 2 cores, …", with a link.
std::string source_of(const std::string& page, const StoredDocument& document,
                      const std::string& lesson = "");

/// "g2 shared tiles"
std::string spoken(std::string name);

/// "g2" of "g2_shared_tiles"
std::string id_of(const std::string& name);

/// "66.9 ms ±13 %"; empty when nothing was timed.
std::string time_short(const nlohmann::json& step);

/// "66.9 ms (61.5 ms to 78.3 ms, 15 runs) at n = 768"
std::string time_long(const nlohmann::json& step);

/// "1.35x"; empty when there is none.
std::string ratio_short(const nlohmann::json& step, const std::string& peer);

/// "1.35 times the baseline's speed (1.23 to 1.42)"
std::string ratio_long(const nlohmann::json& step, const std::string& peer, const std::string& whose);

/// "0.304 times cuBLAS's speed (0.29 to 0.31)"; empty when it raced no library.
std::string library_long(const nlohmann::json& step);

/// Why targets were not measured: reason -> metrics.
using Reasons = std::map<std::string, std::set<std::string>>;

/// "balance 1.01 ≤ 1.2"; a target that was not measured gives "sectors –" and adds its reason to `reasons`.
std::string targets_short(const nlohmann::json& step, Reasons& reasons);

/// "balance 1.01, bound ≤ 1.2: met"; a reason instead of a number that was not measured.
std::string targets_long(const nlohmann::json& step);

/// Instead of numbers, for a rung that has not been measured on a machine.
inline constexpr const char* not_yet = "*not measured yet*";

/// "*not measured yet on NVIDIA H200*"
std::string not_measured(const std::string& machine);

}  // namespace ladder::report
