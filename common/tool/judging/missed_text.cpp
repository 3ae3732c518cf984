#include "common/tool/judging/missed_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/points.hpp"
#include "common/base/text/numbers.hpp"
#include "common/base/text/points_text.hpp"
#include "common/base/text/target_text.hpp"

namespace ladder {
namespace {

using model::StepResult;

std::string times_text(double value) {
  return fmt::format("{:.3g}", value);
}

/// "sectors per flop", "barriers in fft_lines": a metric's name, and the kernel that it is about.
std::string spoken(std::string name) {
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

std::vector<model::Target> missed_targets(const StepResult& step) {
  std::vector<model::Target> missed;
  if (step.verdict != Verdict::missed) return missed;
  for (const model::Target& target : step.targets)
    if (target.verdict == Verdict::missed && target.measured) missed.push_back(target);
  return missed;
}

}  // namespace

std::string missed_sentence(const model::Target& target) {
  const std::string &metric = target.metric, name = spoken(target.metric);
  const double measured = target.measured.value_or(0), bound = target.bound,
               amount = target.amount.value_or(0), necessary = target.necessary_amount.value_or(0);
  if (target.relation == ">=")
    return fmt::format("{}: {}, where at least {} is wanted", name, times_text(measured), times_text(bound));
  if (!target.necessary_amount || necessary == 1)
    return fmt::format("{}: {} (limit {})", name, times_text(measured), times_text(bound));
  if (necessary == 0) return fmt::format("{}: {}, where none is necessary", name, amount_text(amount));
  if (is_data(metric) && metric.find(':') == metric.npos)
    return fmt::format("it moves {} times the data it needs (limit {})", times_text(measured),
                       times_text(bound));
  return fmt::format("{}: {} times as many as necessary (limit {})", name, times_text(measured),
                     times_text(bound));
}

std::string missed_message(const StepResult& step) {
  std::string text;
  for (const model::Target& target : missed_targets(step))
    text += (text.empty() ? "" : "; ") + missed_sentence(target);
  if (text.empty()) return "";
  const std::string& message = step.message;
  const std::string right = message.starts_with("right") ? message.substr(0, message.find(';')) : "right";
  return right + ", but " + text;
}

std::vector<std::pair<std::string, std::string>> missed_numbers(const StepResult& step) {
  std::vector<std::pair<std::string, std::string>> blocks;
  const auto missed = missed_targets(step);
  if (missed.empty()) return blocks;
  std::string points;
  if (step.max_points) points = points_text(step.points.value_or(0), *step.max_points) + " for the rung";
  for (const model::Target& target : missed) {
    const double most = target.max_points.value_or(0), got = target.points.value_or(0), bound = target.bound;
    if (most <= 0 || bound <= 0) continue;
    points += fmt::format("{}{} for {}; the next point at {:.2g}{}", points.empty() ? "" : ", ",
                          points_text(got, most), spoken(target.metric),
                          ratio_of_next_point(got, target.relation, bound, most),
                          target.relation == "<=" ? " times" : "");
  }
  if (!points.empty()) blocks.emplace_back("Points", points);
  for (const model::Target& target : missed) {
    if (target.amount && target.necessary_amount.value_or(0) > 1)
      blocks.emplace_back("Counted",
                          fmt::format("{} {}; {} are necessary{}", amount_text(*target.amount),
                                      spoken(things_of(target.metric)), amount_text(*target.necessary_amount),
                                      target.necessary.empty() ? "" : " (" + target.necessary + ")"));
  }
  return blocks;
}

}  // namespace ladder
