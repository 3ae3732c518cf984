/// @file
/// The verb predict: keeps a number before profile shows the truth.

#include "common/tool/student/predict.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "common/base/text/numbers.hpp"
#include "common/base/usage_error.hpp"
#include "common/report/results/results.hpp"
#include "common/tool/core/context.hpp"
#include "common/tool/standing/predictions.hpp"

namespace ladder {
namespace {

using nlohmann::json;

/// The size that profile shows when none is asked for; 0 when the table is not known.
int usual_size(const StepEntry& step) {
  if (!step.row.is_object()) return 0;
  const json targets = step.row.value("targets", json::array());
  for (const json& part : {targets.empty() ? json() : targets[0], step.row.value("time", json())})
    if (part.is_object() && part.value("size", 0) > 0) return part.value("size", 0);
  return 0;
}

std::string sentence(const StepEntry& step, const Prediction& p) {
  return fmt::format("{} {} {}{}{}", step.label(), p.metric, amount_text(p.value),
                     p.size > 0 ? fmt::format(" at n = {}", p.size) : "",
                     p.after_profile ? "  (made after a profile of this rung: it is marked so)" : "");
}

model::DocumentStep stated(const StepEntry& step, const std::vector<Prediction>& all) {
  model::DocumentStep entry = step.stated();
  entry.predictions.emplace();
  for (const Prediction& p : all)
    entry.predictions->push_back({p.metric, p.value, p.size, p.time, p.after_profile});
  return entry;
}

bool is_step(Context& context, const std::string& word) try {
  return !context.catalogue.resolve({word}).empty();
} catch (const UsageError&) {
  return false;
}

}  // namespace

void add_predict_options(CLI::App& app, Options& o, Typed& typed) {
  add_json(app, o);
  add_size(app, typed);
}

int predict(Context& context) {
  constexpr const char* example = "For example: ./ladder predict 03/g2 sectors=4000 --size 64";
  std::vector<std::string> names, said;
  for (const std::string& word : joined_predictions(context.options.names))
    (looks_like_prediction(word) ? said : names).push_back(word);
  if (names.empty()) throw UsageError{fmt::format("predict what? {}", example)};
  for (const std::string& name : names) {
    if (is_step(context, name)) continue;
    const std::string why = why_no_prediction(name, is_step(context, names[0]) ? names[0] : "");
    if (!why.empty()) throw UsageError{why};
  }
  if (names.size() > 1)
    throw UsageError{fmt::format("one rung at a time, and each number as METRIC=NUMBER. {}", example)};
  std::vector<Prediction> parsed;
  for (const std::string& word : said) parsed.push_back(parse_prediction(word));
  const StepEntry& step = context.named_step(names, example);
  const std::string key = step.path();

  Predictions predictions(context.state_folder() / "predictions.json");
  for (Prediction& p : parsed) {
    p.step = key;
    p.size = context.options.size > 0 ? context.options.size : usual_size(step);
    context.terminal.say("kept: " + sentence(step, predictions.add(p)));
  }
  if (!parsed.empty()) {
    predictions.save();
    const int size = context.options.size;
    context.terminal.say(fmt::format("the truth: ./ladder profile {}{}", step.label(),
                                     size > 0 ? fmt::format(" --size {}", size) : ""));
  } else {
    for (const Prediction& p : predictions.of(key)) context.terminal.say(sentence(step, p));
    if (predictions.of(key).empty())
      context.terminal.say(fmt::format("nothing predicted for {}. {}", step.label(), example));
  }
  context.write_json(
      report::document("predict", 0, context.catalogue.by_lesson({stated(step, predictions.of(key))})));
  return 0;
}

}  // namespace ladder
