/// @file
/// The verb viva: a page for a talk about a submission, with questions that are small edits of it.

#include "common/tool/exam/viva.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "common/base/usage_error.hpp"
#include "common/grade/record.hpp"
#include "common/report/html/html.hpp"
#include "common/report/results/results.hpp"
#include "common/tool/exam/code_mutations.hpp"
#include "common/tool/exam/exam_pages.hpp"
#include "common/tool/grading/grade_options.hpp"
#include "common/tool/grading/submission/judge_again.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t questions = 3, max_runs = 7, max_of_a_kind = 3;

/// An edit, and what came of it.
struct Asked {
  CodeMutation edit;
  model::GradeEntry result;
};

/// At most so many edits, different kinds in turn.
std::vector<CodeMutation> to_run(std::vector<CodeMutation> all) {
  std::vector<CodeMutation> chosen;
  for (std::size_t round = 0; round < max_of_a_kind; ++round) {
    std::set<std::string> kinds;
    for (CodeMutation& edit : all)
      if (!edit.text.empty() && chosen.size() < max_runs && kinds.insert(edit.kind).second)
        chosen.push_back(std::move(edit)), edit.text.clear();
  }
  return chosen;
}

std::string staff_verdict(const model::GradeEntry& entry) {
  return std::string(name(entry.staff.verdict));
}

/// Every number of a row, as it was counted.
std::map<std::string, double> amounts_of(const model::GradeEntry& entry) {
  std::map<std::string, double> all;
  for (const model::Target& target : entry.targets)
    if (target.amount) all[target.metric] = *target.amount;
  return all;
}

/// Whether a run tells something: it ran, and differs from what was submitted.
bool has_effect(const model::GradeEntry& before, const model::GradeEntry& after) {
  const Verdict verdict = after.staff.verdict;
  if (verdict == Verdict::not_run || verdict == Verdict::skipped || verdict == Verdict::build_error)
    return false;
  return verdict != before.staff.verdict || amounts_of(after) != amounts_of(before);
}

/// Three of them, of different kinds where there are; those that only move a counter come last.
std::vector<Asked> chosen(std::vector<Asked> all) {
  std::stable_partition(all.begin(), all.end(), [](const Asked& one) {
    return one.result.staff.verdict != Verdict::pass && one.result.staff.verdict != Verdict::review;
  });
  std::vector<Asked> three;
  std::set<std::string> kinds;
  for (const bool new_kind : {true, false})
    for (Asked& one : all)
      if (three.size() < questions && !one.edit.text.empty() &&
          kinds.insert(one.edit.kind).second >= new_kind)
        three.push_back(one), one.edit.text.clear();
  std::sort(three.begin(), three.end(),
            [](const Asked& a, const Asked& b) { return a.edit.line < b.edit.line; });
  return three;
}

std::string counted(const model::GradeEntry& before, const model::GradeEntry& after) {
  std::string text;
  const auto was = amounts_of(before), is = amounts_of(after);
  for (const auto& [metric, amount] : is)
    text += fmt::format("{}{}: {:.10g}, in the submission {}", text.empty() ? "" : "; ", metric, amount,
                        was.contains(metric) ? fmt::format("{:.10g}", was.at(metric)) : "not counted");
  return text;
}

void add_answer(report::HtmlPage& page, const model::GradeEntry& before, const Asked& one,
                std::size_t number) {
  page.heading(fmt::format("Answer {}: {}", number, staff_verdict(one.result)));
  page.paragraph(one.edit.asked);
  std::vector<std::pair<std::string, std::string>> said = {
      {"Before", one.edit.was}, {"After", one.edit.is}, {"check says", one.result.staff.evidence}};
  if (said.back().second.empty()) said.back().second = one.result.message;
  std::size_t details = 0;
  for (const auto& block : one.result.details)
    if (block.first != "Next" && details++ < 3) said.push_back(block);
  said.emplace_back("Counted", counted(before, one.result));
  page.facts(said);
}

std::string page_of(const std::string& pseudonym, const model::GradeEntry& step, const std::string& source,
                    const std::vector<Asked>& asked, const std::string& command) {
  const std::string label = report::label(step);
  report::HtmlPage page(fmt::format("{}, {}: questions on your own program", pseudonym, label));
  page.paragraph(
      "Ten minutes. Each question changes one place of your program, and nothing else. Say what happens "
      "then, and why. Say in which "
      "line one would see it.");
  page.listing(step.lesson + "/" + step.file, exam::shown_lines(source));
  std::size_t number = 0;
  for (const Asked& one : asked) {
    page.heading(fmt::format("Question {}", ++number));
    page.paragraph(fmt::format("{} What happens?", one.edit.asked));
    if (one.edit.is != ";") page.verbatim("The program then has", one.edit.is);
  }
  page.part("For the examiner: what the runs have shown");
  page.paragraph(fmt::format("Submitted, it got {}.", staff_verdict(step)));
  number = 0;
  for (const Asked& one : asked) add_answer(page, step, one, ++number);
  page.heading("Points");
  page.answer("Points:");
  page.answer("Note, in a sentence:", 2);
  page.answer("Who asked, and when:");
  page.verbatim("Into the log", command);
  return page.text();
}

/// What the talk was worth, into the log of decisions.
int keep_points(Context& context, const GradeStore& store, const std::string& pseudonym,
                const model::GradeEntry& step) {
  const ReviewOptions& options = context.options.review;
  if (options.by.empty()) throw UsageError{"--by NAME is missing: the log records who asked"};
  if (options.reason.empty()) throw UsageError{"--note TEXT is missing: a sentence for the log"};
  if (!(options.points >= 0)) throw UsageError{fmt::format("--points {}: must be 0 or more", options.points)};
  store.try_to_write_here();
  store.log({{"student", pseudonym},
             {"step", grade::step_id(step)},
             {"action", "viva"},
             {"points", options.points},
             {"by", options.by},
             {"reason", options.reason},
             {"at", report::now()}});
  context.terminal.print(fmt::format("{} {}: {} points for the talk, in {}", pseudonym, report::label(step),
                                     grade::points_text(options.points),
                                     (store.folder() / "decisions.jsonl").string()));
  return 0;
}

/// Runs the edits next to the submission itself. The numbers of both come from runs of today.
std::vector<Asked> run_edits(Context& context, const GradeStore& store, const std::string& pseudonym,
                             const model::GradeEntry& step, std::vector<CodeMutation> edits,
                             model::GradeEntry& submitted) {
  const std::string file = step.lesson + "/" + step.file;
  std::vector<std::map<std::string, std::string>> variants(1);  // as it was submitted
  for (const CodeMutation& edit : edits) variants.push_back({{file, edit.text}});
  const ScratchFolder scratch;  // not the context's, which the processes that grade would remove
  context.options.device = context.options.device.empty() ? "executor" : context.options.device;
  const auto records = judge_variants(
      context, store, store.judged(pseudonym),
      {.out = scratch.path() / "grades", .rungs = {report::label(step)}, .known = true, .quiet = true},
      variants);
  const std::string id = grade::step_id(step);
  const auto result = [&](std::size_t i) { return records[i] ? entry_of(*records[i], id) : std::nullopt; };
  const auto as_submitted = result(0);
  if (!as_submitted || as_submitted->staff.verdict == Verdict::not_run)
    throw UsageError{"it could not be judged here; ./ladder regrade says why"};
  submitted = *as_submitted;
  std::vector<Asked> asked;
  for (std::size_t i = 0; i < edits.size(); ++i)
    if (const auto after = result(i + 1); after && has_effect(submitted, *after))
      asked.push_back({std::move(edits[i]), *after});
  return asked;
}

}  // namespace

void add_viva_options(CLI::App& app, Options& o, Typed& typed) {
  add_device_options(app, o, typed);
  app.add_option("--out", o.grade.out,
                 "the page; by default viva/STUDENT-STEP.html in the folder of the grades")
      ->type_name("FILE");
  app.add_option_function<double>(
         "--points", [&o](double points) { o.review.decision = "viva", o.review.points = points; },
         "what the talk was worth; goes into the log, with --note and --by")
      ->type_name("POINTS");
  app.add_option("--note", o.review.reason, "what was said, in a sentence")->type_name("TEXT");
  app.add_option("--by", o.review.by, "who asked; the log keeps it")->type_name("NAME");
  add_class_key(app, o);
}

int viva(Context& context) {
  const auto names = context.options.names;
  if (names.size() != 3)
    throw UsageError{"viva on what? For example: ./ladder viva grades/ S-ABCDEFGH 03/g2"};
  const GradeStore store(fs::absolute(names[0]));
  const model::GradeEntry step = store.step(names[1], names[2]);
  if (context.options.review.decision == "viva") return keep_points(context, store, names[1], step);
  if (!step.file.ends_with(".cu"))
    throw UsageError{fmt::format("{}: the edits are of CUDA kernels", names[2])};
  const fs::path mended = amended_file(store, names[1], step);
  const std::string source = read_text(fs::exists(mended) ? mended : submitted_file(store, names[1], step));
  const fs::path out = context.options.grade.out.empty()
                           ? store.folder() / "viva" /
                                 fmt::format("{}-{}-{}.html", names[1], step.lesson.substr(0, 2), step.name)
                           : fs::absolute(context.options.grade.out);
  try_to_write(out);
  auto edits = to_run(code_mutations(source));
  if (edits.empty()) throw UsageError{fmt::format("{} has no place for an edit that viva knows", step.file)};
  const std::size_t tried = edits.size();
  model::GradeEntry submitted;
  const auto asked = chosen(run_edits(context, store, names[1], step, std::move(edits), submitted));
  write_text(out, page_of(names[1], submitted, source, asked,
                          fmt::format("./ladder viva {} {} {} --points 2 --note \"…\" --by …", names[0],
                                      names[1], names[2])));
  for (const Asked& one : asked)
    context.terminal.print(fmt::format("{:<12} {}", staff_verdict(one.result), one.edit.asked));
  context.terminal.print(
      fmt::format("{} questions of {} edits that were run: {}", asked.size(), tried, out.string()));
  return asked.empty() ? 1 : 0;
}

}  // namespace ladder
