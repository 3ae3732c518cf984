#pragma once
/// @file
/// Results as words and Markdown: short enough for a phone.

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "common/report/results/result_store.hpp"

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
std::string source_of(const std::string& page, const StoredTable& table);

/// "g2 shared tiles"
std::string spoken(std::string name);

/// "66.9 ms ±13 %": a median and half its interval; without a median empty.
std::string interval_text(double median, double low, double high);
/// "66.9 ms ±13 %"; empty when nothing was timed.
std::string time_short(const model::StepResult& step);

/// "66.9 ms (61.5 ms to 78.3 ms, 15 runs) at n = 768"
std::string time_long(const model::StepResult& step);

/// "1.35x"; empty when there is none.
std::string ratio_short(const model::StepResult& step, const std::string& peer);

/// "1.35 times the baseline's speed (1.23 to 1.42)"
std::string ratio_long(const model::StepResult& step, const std::string& peer, const std::string& whose);

/// "0.304x cuBLAS"; empty when no library was timed with it.
std::string library_short(const model::StepResult& step);

/// "0.304 times cuBLAS's speed (0.29 to 0.31)"; empty when no library was timed with it.
std::string library_long(const model::StepResult& step);

/// Why targets were not measured: reason -> metrics.
using Reasons = std::map<std::string, std::set<std::string>>;

/// "16,384 sectors, the minimum (limit 1.1×)"; "4 barriers (limit 5)"; "0 findings (bound ≤ 0)"; "critical
/// path 0.569 (bound ≤ 0.65)".
std::string target_text(const model::Target& target);
/// "≤" or "≥"
std::string relation_sign(const model::Target& target);

/// That of each target; one that was not measured gives "sectors –" and adds its reason to `reasons`.
std::string targets_short(const model::StepResult& step, Reasons& reasons);

/// That of each target, met or missed; a reason instead of a number that was not measured.
/// @param with_below  next to each number that of the rung below, the program without this idea
std::string targets_long(const model::StepResult& step, bool with_below = false);

/// Whether a GPU ran it: CUDA, or OpenCL on a device that is not the CPU.
bool of_gpu(const model::StepResult& step, const std::optional<model::Machine>& machine);

/// "**28.7 ms** on the device at n = 4096: 4.79 TFLOP/s, 14 % of FP64 · 0.0771 times cuBLAS's speed there":
/// what a GPU's own clock says; empty without it.
std::string device_long(const model::StepResult& step);

/// What a rung's clock measured: the time of a call, or that on the device, where it is known. Nothing when
/// it was not timed.
std::optional<double> clock_seconds(const model::StepResult& step, bool by_call);
/// The row of a rung in its lesson's table; an empty one where there is none.
nlohmann::json row_called(const nlohmann::json& rows, const std::string& name);
/// Where a row of a lesson's table says that its rung gains; empty: it does not say.
nlohmann::json gain_of_row(const nlohmann::json& rows, const std::string& name);
/// The program without a rung's idea: what its row names, else the rung below of its track; empty: there is
/// none.
std::string without_of(const nlohmann::json& rows, const std::string& name);
/// How many times as fast a rung is as the program without its idea. Nothing where that was not measured.
std::optional<double> gain_of(const model::StepResult& step);
/// "1.57 times as fast as g3 on the device at n = 4096: 80.2 us instead of 131 us; sectors: 1 instead of 17".
/// Empty where it was not measured.
std::string gain_long(const model::StepResult& step);

/// Instead of numbers, for a rung that has not been measured on a machine.
inline constexpr const char* not_yet = "*not measured yet*";

/// "*not measured yet on NVIDIA H200*"
std::string not_measured(const std::string& machine);

/// Where no machine has a stored run.
inline constexpr const char* nothing_stored = "*not measured yet on any machine: docs/results has no run*";

/// What the rows of the CPU ran on. A machine with a GPU is called by that.
std::string on_cpu(const StoredMachine& machine);

/// "c1, m1, g1 to g6"
std::string ranges_of(const std::vector<std::string>& names);

}  // namespace ladder::report
