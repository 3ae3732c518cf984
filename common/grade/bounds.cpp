#include "common/grade/bounds.hpp"

#include <fmt/format.h>

#include <cmath>

#include "common/base/files/json_file.hpp"

namespace ladder::grade {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// To three digits: bounds are read by people.
double rounded(double value, double (*direction)(double)) {
  if (!(value > 0)) return 0;
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 2);
  return direction(value / unit) * unit;
}
double down(double value) {
  return std::floor(value + 1e-9);
}
double up(double value) {
  return std::ceil(value - 1e-9);
}

/// What is wrong with the entry of a rung; empty: nothing.
std::string wrong_with_rung(const json& rung) {
  if (!rung.is_object()) return "is no object";
  for (const char* field : {"model", "peer"})
    if (!rung.value(field, json()).is_string()) return fmt::format("has no {}", field);
  if (rung.contains("why_not")) return "";
  for (const char* field : {"full", "zero", "points"})
    if (!rung.value(field, json()).is_number()) return fmt::format("has no number {}", field);
  const double full = rung["full"], zero = rung["zero"];
  if (!(zero > 0 && full > zero))
    return fmt::format("has full points at {:g} and none at {:g}: full must be above zero, and both above 0",
                       full, zero);
  return rung["points"].get<double>() >= 0 ? "" : "has less than 0 points";
}

}  // namespace

TimePoints propose_time_points(const Interval& reference, const std::optional<Slower>& below,
                               const std::optional<Slower>& slow, double share) {
  TimePoints points;
  if (reference.count == 0) return {.why_not = "the reference has no ratio to the peer here"};
  if (!below && !slow) return {.why_not = "nothing slower was measured at the same size"};
  points.full = rounded(share * reference.low, down);
  points.zero = rounded(slow ? slow->ratio.high : below->ratio.high, up);
  for (const std::optional<Slower>& other : {below, slow}) {
    if (!other) continue;
    const Interval& its = other->ratio;
    if (its.high >= reference.low)
      return {
          .why_not = fmt::format(
              "the interval of the reference, {:.3g} to {:.3g}, is not above that of {}, {:.3g} to {:.3g}",
              reference.low, reference.high, other->name, its.low, its.high)};
    if (rounded(its.high, up) >= points.full)
      return {.why_not = fmt::format("{} reaches {:.3g}, and {:g} of the reference's lower end is {:.3g}",
                                     other->name, its.high, share, points.full)};
  }
  return points;
}

json read_bounds(const fs::path& file) {
  const json bounds = need_json(file);
  if (!bounds.is_object() || bounds.value("schema", json()) != bounds_schema ||
      !bounds.value("rungs", json()).is_object())
    throw Error(fmt::format("{}: these are no bounds of schema {}; ./ladder grade calibrate writes them",
                            file.string(), bounds_schema));
  for (const auto& [name, rung] : bounds["rungs"].items())
    if (const std::string wrong = wrong_with_rung(rung); !wrong.empty())
      throw Error(fmt::format("{}: {} {}", file.string(), name, wrong));
  return bounds;
}

std::string why_not_here(const json& rung, const std::string& model, const std::string& peer) {
  if (rung.value("model", "") != model)
    return fmt::format("its bounds are those of {}, and this is {}", rung.value("model", ""), model);
  if (rung.value("peer", "") != peer)
    return fmt::format("its bounds are ratios to {}, and its row compares with {}", rung.value("peer", ""),
                       peer.empty() ? "nothing" : peer);
  return "";
}

}  // namespace ladder::grade
