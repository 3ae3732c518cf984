/// @file
/// grade publish: private parts that students may read whole from now on.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <set>

#include "common/base/files/files.hpp"
#include "common/base/text/text.hpp"
#include "common/base/usage_error.hpp"
#include "common/grade/key.hpp"
#include "common/report/results/results.hpp"
#include "common/tool/grading/export/grade_publish.hpp"
#include "common/tool/grading/grade_options.hpp"
#include "common/tool/grading/grades_lock.hpp"
#include "common/tool/grading/grading.hpp"
#include "common/tool/grading/submission/judge_again.hpp"
#include "common/tool/judging/private_tests.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

/// The key that the inputs of a private part came from: of what was judged, fixed or not, as the final phase
/// took it.
std::string key_of_part(const GradeStore& store, const model::GradeRecord& record,
                        const model::GradeEntry& step, const grade::Key& class_key,
                        const std::string& key_name, const fs::path& scratch) {
  const fs::path mine = scratch / record.pseudonym;
  if (!fs::exists(mine)) lay_out(store, record, mine);
  const std::string hash = hash_of_step(grade::step_id(step), step.backend, mine / step.lesson / step.file);
  return grade::hex(grade::plan_key(class_key, hash, record.submission.attempt, key_name));
}

/// Whether private tests have judged a step to a result that its student may read.
bool was_judged(const model::GradeEntry& step) {
  return grade::is_private(step) && step.staff.verdict != Verdict::not_started;
}

bool is_open(const model::GradeRecord& record) {
  return std::any_of(record.open.begin(), record.open.end(),
                     [](const model::OpenPoints& item) { return item.what == grade::private_part; });
}

}  // namespace

void add_grade_publish_options(CLI::App& app, Options& o, Typed&) {
  add_private(app, o);
  add_course(app, o, "the course file, which says so, too");
  add_key_of_grades(app, o);
  app.add_option("--by", o.review.by, "who publishes; the log keeps it")->type_name("NAME");
}

int publish_private(Context& context) {
  const auto& names = context.options.names;
  GradeOptions options = context.options.grade;
  const std::string& by = context.options.review.by;
  if (names.size() != 1)
    throw UsageError{"publish what? For example: ./ladder grade publish grades/ --private exam/ --by anna"};
  if (by.empty()) throw UsageError{"--by NAME is missing: the log records who publishes"};
  const GradeStore store(fs::absolute(names[0]));
  const GradesLock lock(store.folder(), GradesLock::changes);
  take_private_tests(options, store.folder());
  if (options.private_tests.empty())
    throw UsageError{"name the tests they were judged by: --private FOLDER or --course FILE"};
  const auto records = store.records();
  const grade::Key class_key = key_of(context, store, records);
  const std::string folder = fs::weakly_canonical(options.private_tests).filename().string();
  const ScratchFolder scratch;

  std::set<std::string> lessons;
  for (const model::GradeRecord& record : records)
    for (const model::GradeEntry& step : record.steps)
      if (was_judged(step)) lessons.insert(step.lesson);
  if (lessons.empty())
    throw UsageError{
        fmt::format("{}: no private part is judged yet; --phase final judges them", store.folder().string())};
  PrivateTests(options.private_tests, {lessons.begin(), lessons.end()});  // refuses a folder that has none

  std::vector<json> lines;
  std::vector<std::string> open;
  for (const model::GradeRecord& record : records) {
    for (const model::GradeEntry& step : record.steps) {
      if (!was_judged(step)) continue;
      lines.push_back({{"student", record.pseudonym},
                       {"step", grade::step_id(step)},
                       {"action", grade::publish_action},
                       {"key", key_of_part(store, record, step, class_key,
                                           private_key_name(options.private_tests), scratch.path())},
                       {"folder", folder},
                       {"by", by},
                       {"at", report::now()}});
    }
    if (is_open(record)) open.push_back(record.pseudonym);
  }
  for (const json& line : lines) store.log(line);
  store.write_pages();
  context.terminal.print(fmt::format(
      "{}: {} private parts are told from now on, cases, messages and keys; the class key stays secret.\n"
      "Give students the tests, {}: ./ladder check 03/g1 --private {} --seed KEY repeats what a page "
      "says.",
      (store.folder() / "pages").string(), lines.size(), options.private_tests, folder));
  if (fs::exists(store.folder() / "published"))
    context.terminal.print("Pages of ./ladder grade export --course are made again by it.");
  if (!open.empty())
    context.terminal.print(
        fmt::format("Not judged yet, and open as before: {}. Whoever is judged later can know these tests.",
                    some_of(open, 10)));
  return 0;
}

}  // namespace ladder
