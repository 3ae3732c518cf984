#include "common/tool/standing/predictions.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <ctime>

#include "common/base/files/files.hpp"
#include "common/base/text/numbers.hpp"
#include "common/base/usage_error.hpp"
#include "common/report/results/results.hpp"
#include "common/tool/core/student_state.hpp"
#include "common/trace/metrics.hpp"
#include "common/trace/ncu.hpp"

namespace ladder {
namespace {

using nlohmann::json;

constexpr const char* schema = "gpu-ladder-predictions/1";

std::string now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

/// Names of single counters that may be predicted next to the metrics.
std::vector<std::string> counter_names() {
  std::vector<std::string> names = {"global_atomics", "shared_atomics", "warp_barriers"};
  for (const NcuMetric& metric : ncu_metrics())
    if (std::find(names.begin(), names.end(), metric.counter) == names.end()) names.push_back(metric.counter);
  return names;
}

std::vector<std::string> predictable() {
  std::vector<std::string> names;
  for (const Metric& metric : all_metrics())
    if (metric.source == Source::device || metric.source == Source::counters) names.push_back(metric.name);
  for (const std::string& name : counter_names())
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

/// The metric as the registry spells it. A part after a colon is a filter of kernels.
std::string checked_metric(std::string name) {
  std::replace(name.begin(), name.end(), ' ', '_');
  const std::string own = name.substr(0, name.find(':'));
  const auto known = predictable();
  if (std::find(known.begin(), known.end(), own) != known.end()) return name;
  for (const Metric& metric : all_metrics())
    if (own == metric.name)
      throw UsageError{fmt::format("profile does not show {}: nothing to predict", own)};
  throw UsageError{unknown("metric", own, known)};
}

double checked_number(const std::string& metric, std::string text) {
  const std::string typed = text;
  std::erase(text, ',');
  const auto value = parsed_number(text);
  if (!value || *value < 0)
    throw UsageError{fmt::format("{} must be a number of at least 0, got '{}'", metric, typed)};
  return *value;
}

json to_json(const Prediction& p) {
  return {{"step", p.step}, {"metric", p.metric}, {"value", p.value},
          {"size", p.size}, {"time", p.time},     {"after_profile", p.after_profile}};
}

/// An entry of the file; nothing when a person has made something else of it.
std::optional<Prediction> from_json(const json& entry) try {
  return Prediction{entry.at("step"), entry.at("metric"), entry.at("value"),
                    entry.at("size"), entry.at("time"),   entry.at("after_profile")};
} catch (const json::exception&) {
  return std::nullopt;
}

}  // namespace

bool looks_like_prediction(std::string_view word) {
  return word.find('=') != word.npos;
}

namespace {

bool is_number(const std::string& word) {
  return !word.empty() && word.find_first_not_of("0123456789.,eE+-") == word.npos &&
         std::isdigit(static_cast<unsigned char>(word[0]));
}

/// Whether a word can only be the name of a number: steps have a slash or are lessons.
bool is_metric(std::string word) {
  std::replace(word.begin(), word.end(), ' ', '_');
  const auto known = predictable();
  return std::find(known.begin(), known.end(), word.substr(0, word.find(':'))) != known.end();
}

}  // namespace

std::vector<std::string> joined_predictions(const std::vector<std::string>& words) {
  std::vector<std::string> joined;
  for (const std::string& word : words) {
    const std::string before = joined.empty() ? "" : joined.back();
    if (is_metric(before) && is_number(word))
      joined.back() += "=" + word;
    else if ((is_metric(before) && word.starts_with("=")) || (before.ends_with("=") && is_number(word)))
      joined.back() += word;
    else
      joined.push_back(word);
  }
  return joined;
}

std::string why_no_prediction(const std::string& word, const std::string& step) {
  const std::string example = "./ladder predict " + (step.empty() ? "03/g2" : step);
  if (is_number(word))
    return fmt::format("{} of what? A prediction is METRIC=NUMBER. For example: {} sectors={}", word, example,
                       word);
  if (is_metric(word)) {
    const char* const quote = word.find(' ') == word.npos ? "" : "\"";
    return fmt::format("{0} has no number. A prediction is METRIC=NUMBER. For example: {1} {2}{0}=4000{2}",
                       word, example, quote);
  }
  const auto near = nearest(word, predictable());
  if (word.find('/') == word.npos && !near.empty())
    return fmt::format(
        "'{}' is no prediction, which is METRIC=NUMBER; nearest metric: {}. For example: {} {}=4000", word,
        near.front(), example, near.front());
  return "";
}

Prediction parse_prediction(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0)
    throw UsageError{
        fmt::format("'{}' is no prediction: name a metric and a number, for example sectors=74752", text)};
  Prediction p;
  p.metric = checked_metric(text.substr(0, equals));
  p.value = checked_number(p.metric, text.substr(equals + 1));
  return p;
}

Predictions::Predictions(std::filesystem::path file) : file_(std::move(file)) {
  content_ = {{"schema", schema}, {"predictions", json::array()}, {"profiled", json::object()}};
  const json read = read_state_file(file_);
  if (read.empty()) return;
  const bool whole = read.value("schema", json()) == schema && read.value("predictions", json()).is_array() &&
                     read.value("profiled", json()).is_object();
  if (whole)
    content_ = read;
  else
    set_aside(file_);
}

Prediction Predictions::add(Prediction prediction) {
  prediction.time = now();
  prediction.after_profile = content_["profiled"].contains(prediction.step);
  content_["predictions"].push_back(to_json(prediction));
  return prediction;
}

void Predictions::profiled(const std::string& step) {
  if (!content_["profiled"].contains(step)) content_["profiled"][step] = now();
}

std::vector<Prediction> Predictions::of(const std::string& step) const {
  std::vector<Prediction> found;
  for (const json& entry : content_["predictions"])
    if (auto p = from_json(entry); p && p->step == step) found.push_back(std::move(*p));
  return found;
}

std::vector<Prediction> Predictions::last_of(const std::string& step) const {
  std::vector<Prediction> last;
  for (const Prediction& p : of(step)) {
    const auto same = std::find_if(last.begin(), last.end(), [&](const Prediction& l) {
      return l.metric == p.metric && l.size == p.size;
    });
    if (same == last.end())
      last.push_back(p);
    else if (!p.after_profile || same->after_profile)
      *same = p;
  }
  return last;
}

void Predictions::save() const {
  write_text(file_, report::dump(content_, 1) + "\n");
}

}  // namespace ladder
