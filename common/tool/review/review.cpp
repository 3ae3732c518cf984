/// @file
/// The verb review: what a person has to look at, and what they decide, in a log that is only added to.

#include "common/tool/review/review.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <optional>
#include <set>

#include "common/base/text/numbers.hpp"
#include "common/base/usage_error.hpp"
#include "common/report/results/results.hpp"
#include "common/tool/core/context.hpp"
#include "common/tool/grading/export/points_of_course.hpp"
#include "common/tool/grading/grade_store.hpp"
#include "common/tool/review/review_items.hpp"
#include "common/tool/review/review_questions.hpp"
#include "common/tool/review/review_source.hpp"
#include "common/tool/student/feedback.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

using model::GradeEntry;

/// ["PASS","WRONG"]
std::string runs_text(const GradeEntry& step) {
  std::vector<std::string> runs;
  for (const Verdict one : step.runs) runs.push_back(fmt::format("\"{}\"", name(one)));
  return fmt::format("[{}]", fmt::join(runs, ","));
}

std::string shown(const Context& context, const fs::path& out, const Open& item) {
  const auto width = static_cast<std::size_t>(context.terminal.width());
  std::string text =
      fmt::format("{}  ", context.terminal.bold(item.pseudonym)) + feedback(context, item.step);
  for (const auto& [heading, said] :
       {std::pair("Evidence", evidence_of(item.step)), std::pair("Allow", allowance_for(item.step))})
    if (!said.empty()) text += feedback_block(heading, said, width);
  if (item.step.judged_as)
    text += feedback_block("Judged as", std::string(name(*item.step.judged_as)), width);
  text += feedback_block("Runs", runs_text(item.step), width);
  if (!item.step.untaken.empty())
    text +=
        feedback_block("Not taken", item.step.untaken, width) +
        feedback_block("If it is the work",
                       fmt::format("./ladder amend {} {} {} FILE --deduct 0 --reason … --by NAME; if not, "
                                   "accept: it stays at 0 points",
                                   out.string(), item.pseudonym, report::label(item.step)),
                       width);
  text += feedback_block("Notes", item.notes.empty() ? "none" : item.notes.substr(0, 4000), width);
  const fs::path source = out / "sources" / item.pseudonym / item.step.lesson / item.step.file;
  text += feedback_block("Source", source.string(), width) + lines_in_question(item.step, source);
  text += feedback_block(
      "Repeat", fmt::format("./ladder open {} {} {}", out.string(), item.pseudonym, report::label(item.step)),
      width);
  return text;
}

/// Whether another person has decided it since the list was made.
bool decided_meanwhile(Context& context, const GradeStore& store, const Open& item) {
  const auto record = store.record(item.pseudonym);
  for (const model::GradeDecision& decision : record.decisions)
    if (decision.step == grade::step_id(item.step) &&
        !waits(store.step(item.pseudonym, report::label(item.step)))) {
      context.terminal.print(fmt::format("{} {}: {} has decided meanwhile: {}", item.pseudonym,
                                         report::label(item.step), decision.by, decision.action));
      return true;
    }
  return false;
}

struct TypedDecision {
  grade::Decision decision{};
  bool quit = false;
  bool alike = false;  ///< for all with the same evidence
};

constexpr const char* keys_explained =
    "a: the points count as judged. d: so many points less. r: no points. Each asks for a reason, which the "
    "student reads.\n"
    "A: accept this one and all with the same evidence, with one reason. s, or nothing: it stays open. q: "
    "the "
    "rest stays open.";

/// What was typed for one item; nothing: the next one.
std::optional<TypedDecision> decided_at_the_keyboard(const Open& item, const std::string& by,
                                                     std::size_t more) {
  const std::string keys =
      fmt::format("a accept · {}d deduct · r reject · s later · q quit · ? help > ",
                  more > 0 ? fmt::format("A accept this and {} more with the same evidence · ", more) : "");
  for (;;) {
    const auto key = typed_in(keys);
    if (!key || *key == "q") return TypedDecision{.quit = true};
    if (*key == "s" || key->empty()) return std::nullopt;
    const bool all = *key == "A" && more > 0;
    if (*key != "a" && *key != "d" && *key != "r" && !all) {
      std::printf("%s\n", keys_explained);
      continue;
    }
    grade::Decision decision{.step = grade::step_id(item.step),
                             .action = *key == "d"   ? "deduct"
                                       : *key == "r" ? "reject"
                                                     : "accept",
                             .points = 0,
                             .by = by,
                             .reason = {},
                             .at = report::now()};
    if (*key == "d") {
      std::optional<double> points;
      while (!points || !(*points > 0)) {
        const auto typed = typed_in("points, more than 0 (1.5) > ");
        if (!typed) return TypedDecision{.quit = true};
        points = parsed_number(*typed);
      }
      decision.points = *points;
    }
    const auto reason = typed_in("reason > ");
    if (!reason) return TypedDecision{.quit = true};
    decision.reason = *reason;
    return TypedDecision{.decision = decision, .alike = all};
  }
}

/// Keeps a decision, for others like it too, and says what it has made of the points.
void decide(Context& context, const GradeStore& store, const std::string& pseudonym, const GradeEntry& step,
            const grade::Decision& decision, const std::vector<Open>& others) {
  const PointsOfCourse points(store.folder());
  Decisions all = {{pseudonym, decision}};
  for (const auto& one : decisions_for(others, decision)) all.push_back(one);
  for (auto& [whose, one] : all)
    if (one.action == "deduct") one.points = points.own(store.judged(whose), one.step, one.points);
  store.decide(all);
  const GradeEntry now =
      entry_of(points.scaled(store.with_decisions(store.judged(pseudonym))), grade::step_id(step)).value();
  context.terminal.print(fmt::format("{} {}: {}, {} points", pseudonym, report::label(step),
                                     now.student.verdict,
                                     grade::points_text(now.points.value_or(0), now.max_points.value_or(0))));
  if (others.empty()) return;
  std::vector<std::string> names;
  for (const Open& one : others) names.push_back(one.pseudonym + " " + report::label(one.step));
  context.terminal.print(
      fmt::format("and {} more with the same evidence: {}", names.size(), fmt::join(names, ", ")));
}

int one_decision(Context& context, const fs::path& out, const ReviewOptions& options) {
  const GradeStore store(out);
  const std::string &pseudonym = context.options.names[1], &label = context.options.names[2];
  const GradeEntry step = store.step(pseudonym, label);
  const auto others = options.alike ? alike(open_items(store), pseudonym, step) : std::vector<Open>();
  decide(context, store, pseudonym, step,
         {.step = grade::step_id(step),
          .action = options.decision,
          .points = options.points,
          .by = options.by,
          .reason = options.reason,
          .at = report::now()},
         others);
  return 0;
}

/// Goes through what waits. Without a person at the keyboard it is only shown.
void go_through(Context& context, const GradeStore& store, const std::vector<Open>& items) {
  const ReviewOptions& options = context.options.review;
  const bool asks = ::isatty(0) == 1 || options.ask;
  std::set<std::string> done;
  const auto name = [](const Open& item) { return item.pseudonym + grade::step_id(item.step); };
  for (const Open& item : items) {
    if (done.contains(name(item)) || decided_meanwhile(context, store, item)) continue;
    context.terminal.print("\n" + shown(context, store.folder(), item));
    if (!asks) continue;
    const std::vector<Open> others = alike(open_items(store), item.pseudonym, item.step);
    const auto typed = decided_at_the_keyboard(item, options.by, others.size());
    if (typed && typed->quit) break;
    if (!typed || decided_meanwhile(context, store, item)) continue;
    const std::vector<Open> too = typed->alike ? others : std::vector<Open>();
    try {
      decide(context, store, item.pseudonym, item.step, typed->decision, too);
      for (const Open& one : too) done.insert(name(one));
    } catch (const UsageError& error) {  // no reason, no points
      context.terminal.print(error.text);
    }
  }
}

}  // namespace

void add_review_options(CLI::App& app, Options& o, Typed&) {
  app.add_option("--by", o.review.by, "who decides; the log keeps it")->type_name("NAME");
  const auto decide = [&o](const char* kind) {
    return [&o, kind](std::int64_t) { o.review.decision = kind; };
  };
  app.add_flag_function("--accept", decide("accept"), "one rung: it counts as judged");
  app.add_flag_function("--reject", decide("reject"), "one rung: no points");
  app.add_option_function<double>(
         "--deduct", [&o](double points) { o.review.decision = "deduct", o.review.points = points; },
         "one rung: that many points less")
      ->type_name("POINTS");
  app.add_option("--reason", o.review.reason, "why; the student reads it")->type_name("TEXT");
  app.add_flag("--alike", o.review.alike, "with one of these: every other item with the same evidence, too");
  app.add_flag("--ask", o.review.ask, "ask for each item also where input is no terminal");
  app.add_option("--course", o.grade.course, "the questions of a course file, instead of rungs")
      ->type_name("FILE");
  app.add_option("--assignment", o.grade.assignment, "which one of the course file")->type_name("NAME");
  app.add_option("--ta", o.review.assistant, "whose share of the questions")->type_name("NAME");
  app.add_option("--of", o.review.of, "among so many assistants they are dealt (default 1)")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  app.add_option("--number", o.review.number, "which of them this one is: 1, 2, …")
      ->check(CLI::PositiveNumber);
  app.add_flag("--settle", o.review.settle, "the questions in which two assistants differ");
}

int review(Context& context) {
  const auto& names = context.options.names;
  const ReviewOptions& options = context.options.review;
  if (!context.options.grade.course.empty() || !options.assistant.empty()) return review_questions(context);
  if (names.empty()) throw UsageError{"review what? For example: ./ladder review grades/ --by anna"};
  const fs::path out = fs::absolute(names[0]);
  if (options.by.empty()) throw UsageError{"--by NAME is missing: the log records who decides"};
  if (!options.decision.empty()) {
    if (names.size() != 3)
      throw UsageError{
          "--accept, --deduct and --reject are about one rung: ./ladder review grades/ S-ABCDEFGH 03/g2 "
          "--accept --reason … --by anna"};
    return one_decision(context, out, options);
  }
  if (options.alike) throw UsageError{"--alike needs --accept, --deduct or --reject, and one rung"};
  const GradeStore store(out);
  for (const std::string& line : store.unreadable()) context.terminal.print(line);
  const auto items = open_items(store);
  if (items.empty()) {
    context.terminal.print("nothing waits for a person");
    return 0;
  }
  context.terminal.print(items.size() == 1 ? "1 item waits for a person"
                                           : fmt::format("{} items wait for a person", items.size()));
  go_through(context, store, items);
  return 0;
}

}  // namespace ladder
