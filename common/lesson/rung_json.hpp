#pragma once
/// @file
/// A lesson's table as JSON, in both directions: each structure has one list of fields.

#include "common/base/files/json_fields.hpp"
#include "common/lesson/rung.hpp"

namespace ladder {

inline constexpr std::array<const char*, 3> kind_letters = {"R", "S", "D"};  // in the order of Kind
inline constexpr std::array<const char*, 3> data_words = {"host", "resident", "distributed"};
inline constexpr std::array<const char*, 2> clock_words = {"call", "device"};

constexpr const auto& words_of(Kind) {
  return kind_letters;
}
constexpr const auto& words_of(Data) {
  return data_words;
}
constexpr const auto& words_of(RungClock) {
  return clock_words;
}
inline bool states_nothing(const TimeBound& time) {
  return time.peer.empty() && time.size == 0;
}

void fields(Is<Target> auto& target, auto&& visit) {
  visit("metric", target.metric);
  visit("relation", target.relation);
  visit("bound", target.bound);
  visit("necessary", target.necessary);
  visit("amount", target.amount);
  visit("size", target.size);
  visit("restricted", target.restricted);
  visit("floor", target.floor);
  visit("proof", target.proof);
  visit("own_cost", target.own_cost);
}
void fields(Is<Gain> auto& gain, auto&& visit) {
  visit("clock", gain.clock);
  visit("kernels", gain.kernels);
  visit("size", gain.size);
  visit("without", gain.without);
  visit("experiment", gain.experiment);
}
void fields(Is<TimeBound> auto& time, auto&& visit) {
  visit("peer", time.peer);
  visit("ratio", time.ratio);
  visit("size", time.size);
  visit("on_device", time.on_device);
}
void fields(Is<RowPoints> auto& points, auto&& visit) {
  visit("correctness", points.correctness);
  visit("targets", points.targets);
  visit("time", points.time);
}
void fields(Is<DeviceSizes> auto& sizes, auto&& visit) {
  visit("usual", sizes.usual);
  visit("further", sizes.further);
  visit("small", sizes.small);
  visit("several", sizes.several);
}
void fields(Is<NamedSize> auto& one, auto&& visit) {
  visit("name", one.name);
  visit("size", one.size);
}
void fields(Is<Step> auto& step, auto&& visit) {
  visit.derived("name", step.name());
  visit("file", step.file);
  visit("was", step.was);
  visit("idea", step.idea);
  visit("kind", step.kind);
  visit("data", step.data);
  visit("gain", step.gain);
  visit("hours", step.hours);
  visit("after", step.after);
  visit("assumes", step.assumes);
  visit("targets", step.targets);
  visit("time", step.time);
  visit("library", step.library);
  visit("ranks", step.ranks);
  visit("no_model", step.no_model);
  visit("matrix_products", step.matrix_products);
  visit("bytes_per_flop", step.bytes_per_flop);
  visit("why_long", step.why_long);
  visit("asks", step.asks);
  visit("points", step.points);
  visit("hints", step.hints);
}
void fields(Is<Lesson> auto& lesson, auto&& visit) {
  visit("name", lesson.name);
  visit("title", lesson.title);
  visit("source", lesson.source);
  visit("on_device", lesson.on_device);
  visit("classes", lesson.classes);
  visit("reads", lesson.reads);
  visit("steps", lesson.steps);
}

inline nlohmann::json to_json(const Lesson& lesson) {
  return json_from(lesson);
}

/// @throws Error for a field that is unknown or of another type, with its name
inline Lesson lesson_from_json(const nlohmann::json& table) {
  return structure_from<Lesson>(table, "a lesson's table: table");
}

}  // namespace ladder
