/// @file
/// The verb regrade: graded submissions again, after a test was fixed. A dry run shows whose points, verdict
/// or words would change; --apply does it.

#include "common/tool/review/regrade.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>
#include <set>

#include "common/base/files/json_file.hpp"
#include "common/base/usage_error.hpp"
#include "common/grade/record.hpp"
#include "common/grade/sha256.hpp"
#include "common/report/results/results.hpp"
#include "common/tool/grading/course_verb.hpp"
#include "common/tool/grading/grade_course.hpp"
#include "common/tool/grading/grade_options.hpp"
#include "common/tool/grading/grades_lock.hpp"
#include "common/tool/grading/submission/judge_again.hpp"
#include "common/tool/grading/submission/regrade_changes.hpp"
#include "common/tool/judging/private_tests.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

/// What the dry run keeps of one submission until --apply.
fs::path proposal_file(const GradeStore& store, const std::string& pseudonym) {
  return store.folder() / "proposed" / (pseudonym + ".json");
}

/// The records that are meant. @throws UsageError
std::vector<model::GradeRecord> meant(const Context& context, const GradeStore& store) {
  const auto& names = context.options.names;
  if (context.options.review.all == (names.size() == 2))
    throw UsageError{
        "regrade whom? ./ladder regrade grades/ S-ABCDEFGH, or all of them: ./ladder regrade grades/ --all"};
  if (!context.options.review.all) return {store.record(names[1])};
  return store.records();
}

/// The rungs of a record: what is judged again without --rungs.
std::vector<std::string> rungs_of(const std::vector<model::GradeRecord>& records) {
  std::vector<std::string> rungs;
  for (const model::GradeRecord& record : records)
    for (const model::GradeEntry& step : record.steps)
      if (const std::string label = report::label(step);
          std::find(rungs.begin(), rungs.end(), label) == rungs.end())
        rungs.push_back(label);
  return rungs;
}

/// Private tests are judged again where the final phase has judged them, and where they are.
void prepare_private_tests(Context& context, const GradeStore& store,
                           const std::vector<model::GradeRecord>& records) {
  GradeOptions& options = context.options.grade;
  take_private_tests(options, store.folder());
  const bool judged = std::any_of(records.begin(), records.end(), [](const model::GradeRecord& record) {
    return std::any_of(record.steps.begin(), record.steps.end(),
                       [](const model::GradeEntry& step) { return grade::is_private(step); });
  });
  if (judged && options.private_tests.empty())
    context.terminal.print("private parts stay as they are: with --course FILE they are judged again, too");
  options.private_too = judged && !options.private_tests.empty();
  if (!options.private_too) options.private_tests.clear();
}

/// Who gets other points by the course file, where --course names one: submissions are not people, and drafts
/// do not count.
class ByCourse {
 public:
  ByCourse(Context& context, const GradeStore& store) : context_(context), store_(store) {
    const GradeOptions& options = context.options.grade;  // taken at once: what is judged again forgets them
    if (options.course.empty()) return;
    course_ = course_of(options.course);
    assignment_ = assignment_of(store, *course_, options.assignment).name;
  }
  void say(const std::vector<model::GradeRecord>& changed) const {
    if (!course_) return;
    std::vector<model::GradeRecord> now = store_.records();
    const auto before = now;
    for (model::GradeRecord& record : now)
      for (const model::GradeRecord& other : changed)
        if (record.pseudonym == other.pseudonym) record = store_.with_decisions(other);
    for (const std::string& line :
         people_who_change(store_, *course_, course_->assignment(assignment_), before, now))
      context_.terminal.print(line);
  }

 private:
  Context& context_;
  const GradeStore& store_;
  std::optional<course::Course> course_{};
  std::string assignment_{};
};

/// The sums of the private tests by which these steps were just judged.
TestSums sums_of(const model::RegradeProposal& proposal, const fs::path& private_tests) {
  TestSums sums;
  for (const model::GradeEntry& entry : proposal.steps)
    if (grade::is_private(entry)) sums[grade::step_id(entry)] = private_sum(private_tests, entry.lesson);
  return sums;
}

int dry_run(Context& context, const GradeStore& store, const std::vector<model::GradeRecord>& records) {
  const ByCourse by_course(context, store);
  prepare_private_tests(context, store, records);
  const std::string private_tests = context.options.grade.private_tests;
  const ScratchFolder scratch;  // not the context's, which the processes that grade would remove
  const auto& rungs = context.options.grade.rungs;
  const auto fresh = judge_again(context, store, records,
                                 {.out = scratch.path(), .rungs = rungs.empty() ? rungs_of(records) : rungs});
  RegradeTally tally;
  std::vector<model::GradeRecord> changed;
  int missing = 0;
  context.terminal.print("");
  for (const model::GradeRecord& record : records) {
    const std::string pseudonym = record.pseudonym;
    const auto found = fresh.find(pseudonym);
    if (found == fresh.end()) {
      context.terminal.print(fmt::format("{}: it could not be judged again and stays as it is", pseudonym));
      tally.add_missing(), ++missing;
      continue;
    }
    model::RegradeProposal proposal = proposal_of(store, record, found->second);
    proposal.private_tests = sums_of(proposal, private_tests);
    grade::write_document(proposal_file(store, pseudonym), to_json(proposal));
    const Changes changes = changes_of(store, proposal, context.options.review.may_lower);
    for (const std::string& line : changes.lines) context.terminal.print(line);
    const auto parts = private_parts_missing(record, found->second);
    for (const std::string& line : parts) context.terminal.print(line);
    missing += static_cast<int>(parts.size());
    tally.add(changes);
    if (changes.changed > 0) changed.push_back(changes.record);
  }
  for (const std::string& line : tally.lower_text(known_lower(store))) context.terminal.print(line);
  by_course.say(changed);
  context.terminal.print(fmt::format("{}; nothing is changed yet{}", tally.text(false),
                                     tally.changing() > 0 ? ": --apply does it" : ""));
  return missing + tally.not_judged() == 0 ? 0 : 1;
}

/// What was kept of all records in the dry run. @throws UsageError where there was none, or a record has
/// changed since
std::vector<model::RegradeProposal> proposals_of(const GradeStore& store,
                                                 const std::vector<model::GradeRecord>& records) {
  std::vector<model::RegradeProposal> all;
  for (const model::GradeRecord& record : records) {
    const std::string pseudonym = record.pseudonym;
    const fs::path file = proposal_file(store, pseudonym);
    const json stored = read_json(file);
    if (!stored.is_object())
      throw UsageError{fmt::format("no dry run of {} yet: run it without --apply first", pseudonym)};
    auto proposal = model::proposal_from_json(stored, file.string());
    if (proposal.base_sha256 != sha256(read_text(store.file_of(pseudonym))))
      throw UsageError{fmt::format(
          "the record of {} has changed since the dry run: first the same without --apply", pseudonym)};
    all.push_back(std::move(proposal));
  }
  return all;
}

/// The private tests by which all proposals were judged; a step that two of them have judged by different
/// ones is left out.
TestSums sums_of_all(const std::vector<model::RegradeProposal>& proposals) {
  TestSums sums;
  std::set<std::string> differ;
  for (const model::RegradeProposal& proposal : proposals)
    for (const auto& [id, sum] : proposal.private_tests)
      if (sums.emplace(id, sum).first->second != sum) differ.insert(id);
  for (const std::string& id : differ) sums.erase(id);
  return sums;
}

int apply(Context& context, const GradeStore& store, const std::vector<model::GradeRecord>& records) {
  const GradesLock lock(store.folder(), GradesLock::changes);
  const ByCourse by_course(context, store);
  const auto proposals = proposals_of(store, records);
  std::vector<Changes> all;
  std::vector<model::GradeRecord> changed;
  for (const model::RegradeProposal& proposal : proposals) {
    all.push_back(changes_of(store, proposal, context.options.review.may_lower));
    if (all.back().changed > 0) changed.push_back(all.back().record);
  }
  by_course.say(changed);
  RegradeTally tally;
  for (const Changes& changes : all) {
    for (const std::string& line : changes.lines) context.terminal.print(line);
    if (changes.changed + changes.words > 0) store.replace(changes.record);
    tally.add(changes);
    fs::remove(proposal_file(store, changes.record.pseudonym));
  }
  for (const std::string& line : tally.lower_text(known_lower(store))) context.terminal.print(line);
  keep_known_lower(store, tally.lower());
  if (context.options.review.all) keep_private_sums(store, sums_of_all(proposals));
  store.write_pages();
  context.terminal.print(
      fmt::format("{}; what they were is in {}", tally.text(true), (store.folder() / "old").string()));
  return 0;
}

}  // namespace

void add_regrade_options(CLI::App& app, Options& o, Typed& typed) {
  add_device_options(app, o, typed);
  app.add_flag("--all", o.review.all, "all submissions of the folder");
  app.add_flag("--apply", o.review.apply, "do what the dry run before has shown");
  app.add_flag("--may-lower", o.review.may_lower, "also where a rung gets fewer points than it has");
  app.add_option("--rungs", o.grade.rungs,
                 "only these: 03/g1,03/g2 or 03/g1-g3; all that were graded by default")
      ->delimiter(',')
      ->type_name("RUNGS");
  app.add_option("--course", o.grade.course,
                 "the course file: its private tests again too, after the final phase")
      ->type_name("FILE");
  app.add_option("--private", o.grade.private_tests,
                 "the same without a course file: the folder with private tests")
      ->type_name("FOLDER");
  app.add_option("--jobs", typed.jobs, "submissions at once; by default one for two cores")->type_name("N");
  add_class_key(app, o);
}

int regrade(Context& context) {
  const auto& names = context.options.names;
  if (names.empty() || names.size() > 2)
    throw UsageError{"regrade what? For example: ./ladder regrade grades/ --all --rungs 03/g2"};
  const GradeStore store(fs::absolute(names[0]));
  const auto records = meant(context, store);
  store.try_to_write_here();
  return context.options.review.apply ? apply(context, store, records) : dry_run(context, store, records);
}

}  // namespace ladder
