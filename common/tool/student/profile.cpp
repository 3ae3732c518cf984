/// @file
/// The verb profile: what a step's launches did, against what is necessary, and how they would sit on a
/// device.

#include "common/tool/student/profile.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>

#include "common/base/text/text.hpp"
#include "common/base/usage_error.hpp"
#include "common/report/html/student_report.hpp"
#include "common/report/results/results.hpp"
#include "common/tool/judging/judging.hpp"
#include "common/tool/machine/device_limits.hpp"
#include "common/tool/program/program.hpp"
#include "common/tool/standing/predictions.hpp"
#include "common/tool/student/feedback.hpp"
#include "common/trace/metrics.hpp"

namespace ladder {
namespace {

using nlohmann::json;

constexpr const char* example = "For example: ./ladder profile 03/g2 --as \"GTX 1660\" --html g2.html";

std::optional<double> number_in(const json& record, const char* field) {
  const json value = record.value(field, json());
  return value.is_number() ? std::optional<double>(value.get<double>()) : std::nullopt;
}

std::optional<report::ProfileTarget> target_of(const json& record) {
  const json t = record.value("target", json());
  if (!t.is_object() || !number_in(t, "amount")) return std::nullopt;
  return report::ProfileTarget{t.value("metric", ""),    t.value("relation", ""),
                               t.value("necessary", ""), t.value("bound", 0.0),
                               t.value("amount", 0.0),   t.value("necessary_amount", 0.0)};
}

/// A prediction next to what this run tells of its metric.
report::PredictedNumber compared(const Prediction& p, const report::Profile& profile) {
  report::PredictedNumber number{p.metric, p.value, p.size, p.after_profile, {}, ""};
  const std::string own = p.metric.substr(0, p.metric.find(':'));
  try {
    const auto metrics = all_metrics();
    if (std::any_of(metrics.begin(), metrics.end(), [&](const Metric& m) { return own == m.name; }))
      number.truth = metric(p.metric, profile.trace.value_or(Trace{}), {.observation = &profile.observation});
    else
      number.truth = profile.observation.sum(own, own == p.metric ? "" : p.metric.substr(own.size() + 1));
    if (!number.truth) number.why = "it did not count " + own;
  } catch (const Error& error) {
    number.why = error.what();
  }
  return number;
}

/// Why a step has no hardware counters although they were asked for.
std::string why_no_hardware(const model::StepResult& result) {
  for (const model::KindResult& kind : result.kinds)
    if (kind.kind == TestKind::hardware && kind.verdict != Verdict::pass) return kind.message;
  return "ncu told nothing";
}

/// The steps that are meant, one lesson at a time in their order.
void require_steps(Context& context) {
  if (context.options.names.empty()) throw UsageError{fmt::format("profile what? {}", example)};
  const auto steps = context.catalogue.resolve(context.options.names);
  if (steps.size() > 1 && !context.options.html.empty())
    throw UsageError{"--html writes the page of a single rung: name one"};
  if (steps.size() > 1 && !context.options.trace.empty())
    throw UsageError{"--trace writes the trace of a single rung: name one"};
  // Counters come from the executor wherever the step would run; a GPU is only needed for ncu.
  const bool cuda = std::all_of(steps.begin(), steps.end(), [](auto* s) { return s->family() == "cuda"; });
  if (cuda && context.options.device.empty() && !context.options.hardware && context.options.under.empty())
    context.options.device = "executor";
}

/// Says before a step's first profile that nothing was predicted: afterwards it would be no prediction. Never
/// waits.
void say_without_prediction(Context& context, const Predictions& predictions) {
  if (context.options.tree != "lessons") return;
  for (const StepEntry* step : context.catalogue.resolve(context.options.names))
    if (predictions.of(step->path()).empty() && !predictions.has_profile(step->path()))
      context.terminal.say(fmt::format(
          "No prediction for {0} yet: say a number first, it is the best exercise here. Ctrl-C, then: "
          "./ladder predict {0} METRIC=NUMBER (its page names it). Going on.",
          step->label()));
}

/// One step under a program of the user's own: shows what both printed.
int profile_under(Context& context) {
  if (context.catalogue.resolve(context.options.names).size() != 1)
    throw UsageError{"--under runs a single rung: name one"};
  std::istringstream in(context.options.under);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  if (words.empty()) throw UsageError{"--under what? For example: --under \"perf stat\""};
  std::string printed;
  bool good = false;
  const model::Document document = judge_names(
      context, {.kinds = {TestKind::hardware},
                .plan = {.under = words},
                .step_ready =
                    [&](const StepEntry&, const model::StepResult& result) {
                      good = result.verdict == Verdict::pass;
                      model::StepResult said = result;
                      said.max_points.reset();
                      if (!good) context.terminal.print(feedback(context, said));
                    },
                .profile_ready = [&](const json& record) { printed = record.value("printed", ""); }});
  if (good) context.terminal.print(printed);
  context.write_json(document);
  return good ? 0 : 1;
}

/// What comes before a profile of a step that has none: it is asked for by those who are stuck.
std::string what_first(const Context& context, const StepEntry& step, const model::StepResult& result) {
  const Verdict verdict = result.verdict;
  if (verdict == Verdict::skipped || verdict == Verdict::not_run || verdict == Verdict::pass) return "";
  Options again = context.options;
  if (again.key.empty() && verdict != Verdict::build_error && verdict != Verdict::not_started)
    again.seed = context.seed;
  if (again.device == "executor") again.device.clear();  // that profile has chosen it
  const std::string check = with_options_of(again, "./ladder check " + step.label()),
                    file = fmt::format("{}/{}/{}", context.options.tree, step.lesson, step.file);
  const auto width = static_cast<std::size_t>(context.terminal.width());
  if (verdict == Verdict::not_started)
    return feedback_block("Next", fmt::format("write {}, its TASK comments say what; then {}", file, check),
                          width);
  if (verdict == Verdict::build_error)
    return feedback_block("Next", check + ", until it compiles; then profile it", width);
  return feedback_block(
      "Next", check + " says what is wrong in it. A profile is of a rung whose results are right", width);
}

}  // namespace

report::Profile profile_of(Context& context, const StepEntry& step, const json& record,
                           const json& hardware) {
  report::Profile p;
  p.title = step.label() + " " + step.file;
  p.problem = record.value("problem", "");
  p.observation = parse_observation(report::dump(record["observation"]));
  p.place = p.observation.device == "executor" ? "executor, observed" : p.observation.device;
  if (const json& trace = record["trace"]; trace.is_object()) p.trace = Trace::from_json(report::dump(trace));
  if (hardware.is_object()) p.hardware = parse_observation(report::dump(hardware["observation"]));
  p.target = target_of(record);
  p.known = {number_in(record, "operations"), number_in(record, "array_bytes")};
  p.again =
      fmt::format("./ladder profile {}{}{}{}", step.label(),
                  context.options.tree == "lessons" ? "" : " --tree " + context.options.tree,
                  record.value("size", 0) > 0 ? fmt::format(" --size {}", record.value("size", 0)) : "",
                  context.options.matrix.empty() ? "" : " --matrix " + shell_word(context.options.matrix));
  complete_profile(context, p);
  return p;
}

std::filesystem::path kept_profile_file(const Context& context, const StepEntry& step) {
  return context.state_folder() / "profiles" / (step.lesson + "-" + step.name + ".json");
}

void keep_profile(const Context& context, const StepEntry& step, const report::Profile& p) {
  if (context.options.tree != "lessons") return;
  try {
    write_text(kept_profile_file(context, step), report::dump(report::stored_profile(p), 1) + "\n");
  } catch (const UsageError&) {  // then the report does not have it
  }
}

void add_profile_options(CLI::App& app, Options& o, Typed& typed) {
  add_step_options(app, o, typed);
  app.add_option("--as", o.as,
                 "seen as this device: GTX 1660, RTX 3060, RTX 4060, A100, H100, H200; this by default")
      ->type_name("DEVICE");
  app.add_option("--html", o.html, "write a page with pictures")->type_name("FILE");
  app.add_option("--trace", o.trace, "write the trace for ui.perfetto.dev")->type_name("FILE");
  app.add_flag("--hardware", o.hardware, "count on the GPU by ncu too, side by side");
  app.add_option("--under", o.under,
                 "run the rung under a program of yours and show what that prints: \"ncu --metrics …\", "
                 "\"nsys profile …\", \"perf stat\"; the rung is not confined")
      ->type_name("COMMAND")
      ->excludes("--as")
      ->excludes("--html")
      ->excludes("--trace")
      ->excludes("--hardware");
  add_program_options(app, o, typed);
  add_matrix(app, o);
  add_remote_options(app, o);
}

int profile(Context& context) {
  device_limits(context.options.as);  // a mistyped name is told before anything is built
  if (!context.options.names.empty() && names_program(context.catalogue, context.options.names))
    return profile_program(context);
  refuse_program_options(context.options);
  require_steps(context);
  if (!context.options.under.empty()) return profile_under(context);
  Predictions predictions(context.state_folder() / "predictions.json");
  say_without_prediction(context, predictions);
  std::vector<json> records;
  std::vector<std::pair<const StepEntry*, model::StepResult>> results;
  std::vector<TestKind> kinds = {TestKind::profile};
  if (context.options.hardware) kinds.push_back(TestKind::hardware);
  model::Document document = judge_names(
      context, {.kinds = kinds,
                .step_ready = [&](const StepEntry& step,
                                  const model::StepResult& result) { results.emplace_back(&step, result); },
                .profile_ready = [&](const json& record) { records.push_back(record); }});
  bool good = true, shown = false;
  for (const auto& [step, result] : results) {
    if (shown) context.terminal.print("");
    shown = true;
    const json record = record_of(records, TestKind::profile, step->lesson, step->name);
    const bool right = result.verdict == Verdict::pass || result.verdict == Verdict::skipped;
    good = good && right;
    if (!right || !record.is_object() || !record["observation"].is_object()) {
      model::StepResult said = result;
      said.max_points.reset();  // nothing is graded here
      context.terminal.print(feedback(context, said) + what_first(context, *step, result));
      continue;
    }
    report::Profile p =
        profile_of(context, *step, record, record_of(records, TestKind::hardware, step->lesson, step->name));
    if (context.options.hardware && !p.hardware) p.no_hardware = why_no_hardware(result);
    const std::string key = step->path();
    for (const Prediction& said : predictions.last_of(key))
      if (said.size == 0 || said.size == record.value("size", 0)) p.predictions.push_back(compared(said, p));
    show_profile(context, p);
    predictions.profiled(key);
    keep_profile(context, *step, p);
    for (model::LessonResults& lesson : document.lessons)
      for (model::DocumentStep& entry : lesson.steps)
        if (entry.lesson == step->lesson && entry.name == step->name) entry.profile = report::profile_json(p);
  }
  try {
    predictions.save();
  } catch (const UsageError& error) {
    context.terminal.print("not noted that this was shown: " + error.text);
  }
  for (const model::LessonResults& lesson : document.lessons)
    for (const std::string& problem : lesson.problems)
      context.terminal.print("problem: " + problem), good = false;
  context.write_json(document);
  return good && !document.interrupted ? 0 : 1;
}

}  // namespace ladder
