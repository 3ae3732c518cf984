#include "common/tool/maintain/checks/tree_checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>

#include "common/base/process/process.hpp"
#include "common/base/usage_error.hpp"
#include "common/model/document_json.hpp"
#include "common/sitegen/first_kernel.hpp"
#include "common/sitegen/layers.hpp"
#include "common/sitegen/pages.hpp"
#include "common/sitegen/pages/page_form.hpp"
#include "common/sitegen/site/spoilers.hpp"
#include "common/sitegen/test_promises.hpp"
#include "common/skeleton/skeletonize.hpp"
#include "common/tool/catalogue/todos.hpp"
#include "common/tool/maintain/checks/approved_outputs.hpp"
#include "common/tool/maintain/checks/english.hpp"
#include "common/tool/maintain/checks/gains.hpp"
#include "common/tool/maintain/checks/mutant_words.hpp"
#include "common/tool/maintain/checks/result_borders.hpp"

namespace ladder {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t fewest_mutants = 5;

/// Where two texts differ first, for a person who must fix it.
std::string first_difference(const std::string& file, const std::string& got, const std::string& wanted) {
  std::size_t line = 1, start = 0;
  for (std::size_t i = 0; i < std::min(got.size(), wanted.size()) && got[i] == wanted[i]; ++i)
    if (got[i] == '\n') ++line, start = i + 1;
  const auto shown = [&](const std::string& text) {
    return text.substr(start, text.find('\n', start) - start);
  };
  return fmt::format("{}:{} is\n{}\nit should be\n{}", file, line, start < got.size() ? shown(got) : "(end)",
                     start < wanted.size() ? shown(wanted) : "(end)");
}

void check_table(const Context& context, const LessonEntry& lesson, bool with_solutions,
                 TestSummary& summary) {
  const std::string name = "tree " + lesson.name + ": ";
  summary.expect(lesson.problem.empty(), name + "the table can be read", lesson.problem);
  if (!lesson.problem.empty()) return;
  for (const StepEntry& step : lesson.steps) {
    const std::string in_table = name + step.file + " is in the table and in the trees";
    std::vector<std::string> missing;
    if (!step.row.is_object()) missing.push_back("lessons/" + lesson.name + "/rungs.toml");
    if (!fs::exists(source_of(context.root, "lessons", step))) missing.push_back("lessons/" + lesson.name);
    if (with_solutions && !fs::exists(source_of(context.root, "solutions", step)))
      missing.push_back("solutions/" + lesson.name);
    summary.expect(missing.empty(), in_table, fmt::format("not in {}", fmt::join(missing, ", ")));
  }
  if (!with_solutions) return;
  std::vector<std::string> strangers;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(context.root / "solutions" / lesson.name, ignored)) {
    const std::string file = entry.path().filename();
    if (std::none_of(lesson.steps.begin(), lesson.steps.end(),
                     [&](const StepEntry& s) { return s.file == file; }))
      strangers.push_back(file);
  }
  summary.expect(strangers.empty(), name + "solutions/ has rungs only",
                 fmt::format("{} is no rung", fmt::join(strangers, ", ")));
}

void check_cut(const Context& context, const StepEntry& step, TestSummary& summary) {
  const std::string name = fmt::format("tree {}: lessons/{}", step.lesson, step.file);
  const fs::path solution_file = source_of(context.root, "solutions", step);
  const std::string solution = read_text(solution_file),
                    lesson = read_text(source_of(context.root, "lessons", step));
  if (solution.empty() || lesson.empty()) return;  // said by check_table
  const std::string file = "lessons/" + step.lesson + "/" + step.file;
  if (step.row.is_object() && step.kind() == "D") {
    summary.expect(!cut::has_regions(solution), name + " is a demonstration without regions",
                   "it has BEGIN SOLUTION");
    summary.expect(lesson == solution, name + " is the same in both trees",
                   first_difference(file, lesson, solution));
    return;
  }
  try {
    const std::string wanted = cut::skeleton(solution, solution_file.string());
    summary.expect(lesson == wanted, name + " is the cut of its solution",
                   first_difference(file, lesson, wanted));
    summary.expect(wanted.find("ladder::task()") != std::string::npos, name + " calls ladder::task()",
                   "a region of the solution needs the line //| ladder::task();  // Delete this line "
                   "when you start.");
  } catch (const cut::Error& error) {
    summary.fail(name + " is the cut of its solution", error.what());
  }
}

void check_mutants(const Context& context, const StepEntry& step, TestSummary& summary) {
  if (!step.row.is_object() || step.kind() == "D") return;
  const fs::path file = edits_of(context.root, step, "mutants");
  const std::string name = fmt::format("tree {}: mutants of {}", step.lesson, step.name);
  const std::string solution = read_text(source_of(context.root, "solutions", step));
  try {
    const auto mutants = cut::read_mutants(read_text(file), file.lexically_relative(context.root).string());
    summary.expect(mutants.size() >= fewest_mutants, name + " are five or more",
                   fmt::format("{} has {}", file.string(), mutants.size()));
    for (const cut::Mutant& m : mutants) {
      cut::mutate(solution, m, file.lexically_relative(context.root).string());
      summary.pass();
    }
  } catch (const cut::Error& error) {
    summary.fail(name + " apply", error.what());
  }
}

/// Every number on a page comes from a stored run. @param below  the page, or the folder of pages; empty: all
void check_pages(const Context& context, const report::Tables& tables, const std::string& below,
                 TestSummary& summary) {
  const std::string name = "tree: pages say what the stored runs say";
  try {
    const auto problems = report::check_pages(context.root, tables, below);
    for (const auto& problem : problems)
      summary.fail(name, problem.sentence() + "\n./ladder results pages writes the pages");
    if (problems.empty()) summary.pass();
  } catch (const std::exception& error) {
    summary.fail(name, error.what());
  }
}

/// A page begins with what to do, answers what it asks, and is not too long.
void check_form(const Context& context, const LessonEntry& lesson, TestSummary& summary) {
  const std::string file = "lessons/" + lesson.name + "/README.md", text = read_text(context.root / file);
  if (text.empty()) return;
  const std::string name = "tree: pages have the form of docs/adding-a-lesson.md";
  const auto problems = report::form_problems(file, lesson.name, text, [&](const std::string& picture) {
    return read_text(context.root / "lessons" / lesson.name / picture);
  });
  for (const auto& problem : problems) summary.fail(name, problem.sentence());
  if (problems.empty()) summary.pass();
}

/// Who begins has not much to read before the first kernel.
void check_first_kernel(const Context& context, TestSummary& summary) {
  const std::string lesson = "lessons/00-first-steps/", name = "tree: few words before the first kernel";
  const auto problems = report::first_kernel_problems(
      read_text(context.root / "README.md"), read_text(context.root / (lesson + "README.md")),
      read_text(context.root / (lesson + "g1_first_kernel.cu")));
  for (const auto& problem : problems) summary.fail(name, problem.sentence());
  if (problems.empty()) summary.pass();
}

/// What students read outside of a lesson's page gives away none of its answers: docs, and the tool's
/// examples.
void check_answers_elsewhere(const Context& context, const std::vector<LessonEntry*>& lessons,
                             TestSummary& summary) {
  const std::string name = "tree: no page and no example gives an answer away";
  std::vector<fs::path> files;
  if (fs::exists(context.root / "README.md")) files.push_back(context.root / "README.md");
  for (const char* folder : {"docs", "common/tool", "common/tool/student"}) {
    if (!fs::is_directory(context.root / folder)) continue;  // a course's clone lacks some
    for (const auto& entry : fs::directory_iterator(context.root / folder))
      // Pages about grading are for staff, and quote the judge's messages.
      if (!entry.path().filename().string().starts_with("grading") &&
          (entry.path().extension() == ".md" || entry.path().extension() == ".cpp"))
        files.push_back(entry.path());
  }
  std::ranges::sort(files);
  bool right = true;
  for (const LessonEntry* lesson : lessons) {
    const std::string page = read_text(context.root / "lessons" / lesson->name / "README.md");
    for (const fs::path& file : files)
      for (const auto& problem : report::answers_given_away(fs::relative(file, context.root).string(),
                                                            read_text(file), lesson->name.substr(0, 2), page))
        summary.fail(name, problem.sentence()), right = false;
  }
  if (right) summary.pass();
}

/// Values of the lessons' pages: [{"name": "g2.sectors", "value": 5120, "decimals": 0}, …]. @throws
/// UsageError
std::map<std::string, nlohmann::json> answers_of(Context& context, const std::vector<LessonEntry*>& lessons) {
  std::map<std::string, nlohmann::json> all;
  std::vector<std::string> targets;
  for (const LessonEntry* lesson : lessons)
    if (context.build.knows("answers/" + lesson->name)) targets.push_back("answers/" + lesson->name);
  const auto failures = context.build.make(targets, context.build_progress());
  for (const auto& [target, failure] : failures) throw UsageError{target + ": " + failure.line()};
  for (const LessonEntry* lesson : lessons) {
    all[lesson->name] = nlohmann::json::array();
    const std::string target = "answers/" + lesson->name;
    if (!context.build.knows(target)) continue;
    const ProcessResult said =
        run_process({.arguments = {context.build.file(target)}, .seconds = 20, .output_only = true});
    all[lesson->name] = nlohmann::json::parse(said.output, nullptr, false);
    if (!said.ok() || !all[lesson->name].is_array())
      throw UsageError{target + " prints no values: " + said.error};
  }
  return all;
}

}  // namespace

report::Tables tables_of(Context& context, const std::vector<LessonEntry*>& lessons) {
  report::Tables tables;
  const auto answers = answers_of(context, lessons);
  for (const LessonEntry* lesson : lessons) {
    tables[lesson->name] = {
        {"title", lesson->title}, {"steps", nlohmann::json::array()}, {"answers", answers.at(lesson->name)}};
    for (const StepEntry& step : lesson->steps)
      if (step.row.is_object()) tables[lesson->name]["steps"].push_back(step.row);
    tables[lesson->name]["mutants"] = model::to_json(mutants_of(context.root, *lesson));
  }
  return tables;
}

void check_trees(Context& context, const std::vector<LessonEntry*>& lessons,
                 const std::set<const StepEntry*>& chosen, TestSummary& summary) {
  const bool with_solutions = fs::exists(context.root / "solutions");
  std::optional<report::Tables> tables;
  try {
    tables = tables_of(context, lessons);
  } catch (const UsageError& error) {
    summary.fail("tree: values of the lessons' pages", error.what());
  }
  for (const LessonEntry* lesson : lessons) {
    const auto todos = todos_of(context.root, *lesson);
    for (const Todo& todo : todos)
      summary.fail(fmt::format("{}:{}: {}", todo.file, todo.line, todo.text), "");
    const auto left = unfinished(*lesson, todos);
    check_table(context, *lesson, with_solutions, summary);
    for (const StepEntry& step : lesson->steps) {
      if (!with_solutions || !chosen.contains(&step)) continue;
      check_cut(context, step, summary);
      if (!left.contains(step.name)) check_mutants(context, step, summary);
    }
    if (todos.empty()) check_form(context, *lesson, summary);
    if (tables && !context.options.names.empty() && todos.empty())
      for (const char* page : {"README.md", "reproduction.md"})  // others speak of other lessons, too
        check_pages(context, *tables, "lessons/" + lesson->name + "/" + page, summary);
  }
  if (context.options.names.empty()) {
    if (tables) check_pages(context, *tables, "", summary);
    const auto wrong = report::wrong_layers(report::layers_of(context.root));
    for (const std::string& why : wrong) summary.fail("tree: common is in layers", why);
    if (wrong.empty()) summary.pass();
    const auto upwards = report::includes_upwards(context.root);
    for (const std::string& why : upwards)
      summary.fail("tree: no room of the tool includes one above it", why);
    if (upwards.empty()) summary.pass();
    const auto uses = report::uses_of_tests(context.root);
    for (const std::string& use : uses)
      summary.fail("tree: common uses no tests but those of lessons and of grading", use);
    if (uses.empty()) summary.pass();
    const auto borders = wrong_result_borders(context.root);
    for (const std::string& why : borders)
      summary.fail("tree: code takes results as structures, not out of JSON", why);
    if (borders.empty()) summary.pass();
    check_answers_elsewhere(context, lessons, summary);
    if (with_solutions) check_first_kernel(context, summary);
    check_gains(context, lessons, summary);
    const auto phrases = unidiomatic_phrases(context.root);
    for (const auto& phrase : phrases)
      summary.fail("tree: pages, comments and messages are in plain English", phrase.sentence());
    if (phrases.empty()) summary.pass();
    const auto left_over = left_over_approved_files(context.root);
    for (const std::string& file : left_over)
      summary.fail("tree: every approved output is compared by a test",
                   file + ": no check of its test's source has this name\n./ladder test --renew removes it");
    if (left_over.empty()) summary.pass();
    const auto promises = report::wrong_promises(context.root);
    for (const std::string& why : promises)
      summary.fail("tree: every test says which promise it guards", why);
    if (promises.empty()) summary.pass();
  }
  if (!with_solutions) summary.skip("trees: the cut, mutants", "this copy has no solutions");
}

}  // namespace ladder
