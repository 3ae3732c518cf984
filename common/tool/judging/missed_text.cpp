#include "common/tool/judging/missed_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/numbers.hpp"
#include "common/base/points.hpp"
#include "common/base/points_text.hpp"

namespace ladder {
namespace {

using nlohmann::json;

double number_of(const json& object, const char* field) {
  const json value = object.value(field, json());
  return value.is_number() ? value.get<double>() : 0;
}

std::string times_text(double value) {
  return fmt::format("{:.3g}", value);
}

/// "sectors per flop", "barriers in fft_lines": a metric's name, and the kernel that it is about.
std::string spoken(const json& target) {
  std::string name = target.value("metric", "");
  const auto colon = name.find(':');
  const std::string kernel = colon == name.npos ? "" : " in " + name.substr(colon + 1);
  name.resize(std::min(colon, name.size()));
  std::replace(name.begin(), name.end(), '_', ' ');
  for (const char* one : {" a ", " an "})
    if (const auto at = name.find(one); at != name.npos)
      name.replace(at, std::string_view(one).size(), " per ");
  return name + kernel;
}

bool is_data(const std::string& metric) {
  return metric.starts_with("sectors") || metric.starts_with("bytes") || metric.starts_with("sweeps");
}

std::vector<json> missed_targets(const json& step) {
  std::vector<json> missed;
  if (step.value("verdict", "") != "MISSED") return missed;
  for (const json& target : step.value("targets", json::array()))
    if (target.value("verdict", "") == "MISSED" && target.value("measured", json()).is_number())
      missed.push_back(target);
  return missed;
}

}  // namespace

std::string missed_sentence(const json& target) {
  const std::string metric = target.value("metric", ""), name = spoken(target);
  const double measured = number_of(target, "measured"), bound = number_of(target, "bound"),
               amount = number_of(target, "amount"), necessary = number_of(target, "necessary_amount");
  if (target.value("relation", "") == ">=")
    return fmt::format("{}: {}, where at least {} is wanted", name, times_text(measured), times_text(bound));
  if (!target.contains("necessary_amount") || necessary == 1)
    return fmt::format("{}: {} (limit {})", name, times_text(measured), times_text(bound));
  if (necessary == 0) return fmt::format("{}: {}, where none is necessary", name, amount_text(amount));
  if (is_data(metric) && metric.find(':') == metric.npos)
    return fmt::format("it moves {} times the data it needs (limit {})", times_text(measured),
                       times_text(bound));
  return fmt::format("{}: {} times as many as necessary (limit {})", name, times_text(measured),
                     times_text(bound));
}

std::string missed_message(const json& step) {
  std::string text;
  for (const json& target : missed_targets(step))
    text += (text.empty() ? "" : "; ") + missed_sentence(target);
  if (text.empty()) return "";
  const std::string message = step.value("message", "");
  const std::string right = message.starts_with("right") ? message.substr(0, message.find(';')) : "right";
  return right + ", but " + text;
}

std::vector<std::pair<std::string, std::string>> missed_numbers(const json& step) {
  std::vector<std::pair<std::string, std::string>> blocks;
  const auto missed = missed_targets(step);
  if (missed.empty()) return blocks;
  std::string points;
  if (step.contains("max_points"))
    points = points_text(number_of(step, "points"), number_of(step, "max_points")) + " for the step";
  for (const json& target : missed) {
    const double most = number_of(target, "max_points"), got = number_of(target, "points"),
                 bound = number_of(target, "bound");
    if (most <= 0 || bound <= 0) continue;
    points += fmt::format("{}{} for {}; the next point at {:.2g}{}", points.empty() ? "" : ", ",
                          points_text(got, most), spoken(target),
                          ratio_of_next_point(got, target.value("relation", ""), bound, most),
                          target.value("relation", "") == "<=" ? " times" : "");
  }
  if (!points.empty()) blocks.emplace_back("Points", points);
  for (const json& target : missed) {
    const std::string formula = target.value("necessary", "");
    if (target.contains("amount") && target["amount"].is_number() &&
        number_of(target, "necessary_amount") > 1)
      blocks.emplace_back("Counted", fmt::format("{}: {}; necessary are {}{}", spoken(target),
                                                 amount_text(number_of(target, "amount")),
                                                 amount_text(number_of(target, "necessary_amount")),
                                                 formula.empty() ? "" : " (" + formula + ")"));
  }
  return blocks;
}

}  // namespace ladder
