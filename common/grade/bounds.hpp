#pragma once
/// @file
/// Bounds of time of one machine, schema gpu-ladder-bounds/1: proposed from repeated runs of the reference,
/// the rung below and a slow version, kept in a file, and used on the same model only.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "common/base/statistics.hpp"

namespace ladder::grade {

inline constexpr const char* bounds_schema = "gpu-ladder-bounds/1";

/// Where points of time begin and end on one machine: ratios, time of the peer over time of the step.
struct TimePoints {
  double full = 0;        ///< this ratio and better: all points
  double zero = 0;        ///< this ratio and worse: none; between them points are logarithmic
  std::string why_not{};  ///< no points of time here, and why; empty: full and zero count
};

/// A program that is slower than the reference, as it should be.
struct Slower {
  std::string name;  ///< "the rung below, g2_shared_tiles"
  Interval ratio;
};

/// Full at a share of the lower end of the reference's interval, none at the upper end of the slow version's.
/// No points where intervals overlap, nor where one of the others would reach full points.
/// @param below, slow  nothing: there is none at the same size. One of them must be there.
TimePoints propose_time_points(const Interval& reference, const std::optional<Slower>& below,
                               const std::optional<Slower>& slow, double share);

/// Reads a file of bounds. @throws Error naming the file and what is wrong with it
nlohmann::json read_bounds(const std::filesystem::path& file);

/// Why the bounds of a rung do not count here; empty: they do.
/// @param rung   its entry in the file
/// @param model  this machine's: "NVIDIA H200"
/// @param peer   what the rung's row compares with
std::string why_not_here(const nlohmann::json& rung, const std::string& model, const std::string& peer);

}  // namespace ladder::grade
