/// @file
/// The verb review: what a person has to look at, and what they decide, in a log that is only added to.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <optional>

#include "common/report/results.hpp"
#include "common/tool/context.hpp"
#include "common/tool/grade_store.hpp"
#include "common/tool/names.hpp"
#include "common/tool/progress.hpp"
#include "common/tool/review_questions.hpp"
#include "common/tool/review_source.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

/// One step of one submission that waits for a person.
struct Open {
  std::string pseudonym;
  json step;
  std::string notes;
};

std::vector<Open> open_items(const std::vector<json>& records) {
  std::vector<Open> found;
  for (const json& record : records)
    for (const json& step : record.at("steps"))
      if (step["student"]["verdict"] == "PROVISIONAL")
        found.push_back({record.value("pseudonym", ""), step, record["submission"].value("notes", "")});
  return found;
}

std::string shown(const Context& context, const fs::path& out, const Open& item) {
  const auto width = static_cast<std::size_t>(context.terminal.width());
  std::string text =
      fmt::format("{}  ", context.terminal.bold(item.pseudonym)) + feedback(context, item.step);
  if (const std::string evidence = item.step["staff"].value("evidence", ""); !evidence.empty())
    text += feedback_block("Evidence", evidence, width);
  if (item.step.contains("judged_as")) text += feedback_block("Judged as", item.step["judged_as"], width);
  if (item.step.contains("runs")) text += feedback_block("Runs", item.step["runs"].dump(), width);
  text += feedback_block("Notes", item.notes.empty() ? "none" : item.notes.substr(0, 4000), width);
  const fs::path source =
      out / "sources" / item.pseudonym / item.step.value("lesson", "") / item.step.value("file", "");
  text += feedback_block("Source", source.string(), width) + lines_in_question(item.step, source);
  text += feedback_block(
      "Repeat", fmt::format("./ladder open {} {} {}", out.string(), item.pseudonym, report::label(item.step)),
      width);
  return text;
}

/// One line from the person; nothing at the end of the input.
std::optional<std::string> typed_in(const std::string& question) {
  std::printf("%s", question.c_str());
  std::fflush(stdout);
  std::string line;
  if (!std::getline(std::cin, line)) return std::nullopt;
  return line;
}

/// Whether another person has decided it since the list was made.
bool decided_meanwhile(Context& context, const GradeStore& store, const Open& item) {
  const json record = store.record(item.pseudonym);
  for (const json& decision : record["decisions"])
    if (decision["step"] == grade::step_id(item.step) &&
        store.step(item.pseudonym, report::label(item.step))["student"]["verdict"] != "PROVISIONAL") {
      context.terminal.print(fmt::format("{} {}: {} has decided meanwhile: {}", item.pseudonym,
                                         report::label(item.step), decision.value("by", ""),
                                         decision.value("action", "")));
      return true;
    }
  return false;
}

/// What was typed for one item; nothing: the next one. @throws UsageError for q
std::optional<grade::Decision> decided_at_the_keyboard(const Open& item, const std::string& by) {
  for (;;) {
    const auto key = typed_in("a accept · d deduct · r reject · s later · q quit > ");
    if (!key || *key == "q") return grade::Decision{};
    if (*key == "s" || key->empty()) return std::nullopt;
    if (*key != "a" && *key != "d" && *key != "r") continue;
    grade::Decision decision{.step = grade::step_id(item.step),
                             .action = *key == "a"   ? "accept"
                                       : *key == "d" ? "deduct"
                                                     : "reject",
                             .points = 0,
                             .by = by,
                             .reason = {},
                             .at = report::now()};
    if (*key == "d") {
      const auto points = typed_in("points > ");
      decision.points = points ? std::strtod(points->c_str(), nullptr) : 0;
    }
    const auto reason = typed_in("reason > ");
    if (!reason) return grade::Decision{};
    decision.reason = *reason;
    return decision;
  }
}

int one_decision(Context& context, const fs::path& out, const ReviewOptions& options) {
  const GradeStore store(out);
  const std::string &pseudonym = context.options.names[1], &label = context.options.names[2];
  const json step = store.step(pseudonym, label);
  store.decide(pseudonym, {.step = grade::step_id(step),
                           .action = options.decision,
                           .points = options.points,
                           .by = options.by,
                           .reason = options.reason,
                           .at = report::now()});
  context.terminal.print(fmt::format("{} {}: {}", pseudonym, label, options.decision));
  return 0;
}

}  // namespace

int review(Context& context) {
  const auto& names = context.options.names;
  const ReviewOptions& options = context.options.review;
  if (!context.options.grade.course.empty() || !options.assistant.empty()) return review_questions(context);
  if (names.empty()) throw UsageError{"review what? For example: ./ladder review grades/ --by anna"};
  const fs::path out = fs::absolute(names[0]);
  if (options.by.empty()) throw UsageError{"--by NAME says who decides; the log keeps it"};
  if (!options.decision.empty()) {
    if (names.size() != 3)
      throw UsageError{
          "--accept, --deduct and --reject are about one step: ./ladder review grades/ S-ABCDEFGH 03/g2 "
          "--accept --reason … --by anna"};
    return one_decision(context, out, options);
  }
  const GradeStore store(out);
  for (const std::string& line : store.unreadable()) context.terminal.print(line);
  const auto items = open_items(store.records());
  if (items.empty()) {
    context.terminal.print("nothing waits for a person");
    return 0;
  }
  context.terminal.print(items.size() == 1 ? "1 item waits for a person"
                                           : fmt::format("{} items wait for a person", items.size()));
  const bool asks = ::isatty(0) == 1 || options.ask;
  for (const Open& item : items) {
    if (decided_meanwhile(context, store, item)) continue;
    context.terminal.print("\n" + shown(context, out, item));
    if (!asks) continue;
    const auto decision = decided_at_the_keyboard(item, options.by);
    if (!decision || (!decision->action.empty() && decided_meanwhile(context, store, item))) continue;
    if (decision->action.empty()) break;
    try {
      store.decide(item.pseudonym, *decision);
    } catch (const UsageError& error) {  // no reason, no points
      context.terminal.print(error.text);
    }
  }
  return 0;
}

}  // namespace ladder
