/// @file
/// The verb course check: what a class will hand in, graded before the class does, by the same path and
/// sandbox.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "common/base/clock.hpp"
#include "common/base/files/json_file.hpp"
#include "common/base/text/numbers.hpp"
#include "common/base/usage_error.hpp"
#include "common/course/deadlines.hpp"
#include "common/course/marks.hpp"
#include "common/course/platforms/roster.hpp"
#include "common/course/summary.hpp"
#include "common/grade/record.hpp"
#include "common/grade/sha256.hpp"
#include "common/report/results/results.hpp"
#include "common/report/text/table.hpp"
#include "common/skeleton/skeletonize.hpp"
#include "common/tool/catalogue/catalogue.hpp"
#include "common/tool/course/course_zip.hpp"
#include "common/tool/grading/course_verb.hpp"
#include "common/tool/grading/grade.hpp"
#include "common/tool/grading/grade_batch.hpp"
#include "common/tool/grading/grade_course.hpp"
#include "common/tool/grading/grade_lanes.hpp"
#include "common/tool/grading/gradescope.hpp"

namespace ladder {
namespace fs = std::filesystem;
namespace {

using nlohmann::json;

constexpr const char* own_reference = "nested.tar.gz";  // the reference, of sources that nobody else has

/// A submission of the trial, and what it must get.
struct Tried {
  std::string name;
  std::string what;  ///< as the table has it
  std::string rung;  ///< that the verdict is of; empty: all of them
  std::string verdict;
  bool all_points = false, no_points = false;
  std::string got{};
  bool right = false;
};

/// The trial of one assignment.
class Trial {
 public:
  Trial(Context& context, const course::Course& course, const course::Assignment& assignment)
      : context_(context), course_(course), assignment_(assignment) {
    // Submissions may pass through it to what is theirs.
    fs::permissions(work_.path(), fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec);
    for (const std::string& name : assignment.rung_names())
      steps_.push_back(context.catalogue.resolve({name}).front());
  }

  bool run() {
    lay_out();
    context_.terminal.print(fmt::format("{}: grading the reference, then {} of the trial; this takes minutes",
                                        assignment_.name, counted(tried_.size(), "submission")));
    const Stopwatch clock;
    grade(true);  // builds what all share, and judges the reference
    once_ = clock.seconds();
    grade(false);
    read_records();
    print();
    if (!context_.options.course_zip.empty()) go_through_zip();
    keep();
    return gradescope::wrong_in_zip(zip_).empty() &&
           std::all_of(tried_.begin(), tried_.end(), [](const Tried& one) { return one.right; });
  }

 private:
  fs::path folder(const std::string& name) const { return work_.path() / "submissions" / name; }

  void write(const std::string& name, const StepEntry& step, const std::string& text) const {
    write_text(folder(name) / step.lesson / step.file, text);
  }

  static void pack(const fs::path& archive, std::vector<std::string> what) {
    what.insert(what.begin(), {"tar", "-czf", archive.string()});
    const ProcessResult ended = run_process({.arguments = std::move(what), .seconds = 60});
    if (!ended.ok()) throw UsageError{"tar does not pack: " + ended.output + ended.error};
  }

  void lay_out() {
    for (const StepEntry* step : steps_) {
      write("reference", *step, read_text(source_of(context_.root, "solutions", *step)));
      write("skeleton", *step, read_text(source_of(context_.root, "lessons", *step)));
    }
    tried_ = {
        {.name = "reference", .what = "the reference", .rung = "", .verdict = "PASS", .all_points = true},
        {.name = "skeleton",
         .what = "the skeletons",
         .rung = "",
         .verdict = "NOT STARTED",
         .no_points = true}};
    for (const StepEntry* step : steps_) add_mutants(*step);
    lay_out_archives();
  }

  /// One mutant of each verdict: the first one that the executor can judge.
  void add_mutants(const StepEntry& step) {
    const fs::path file = edits_of(context_.root, step, "mutants");
    if (!fs::exists(file)) return;
    const std::string solution = read_text(source_of(context_.root, "solutions", step));
    for (const cut::Mutant& mutant : cut::read_mutants(read_text(file), file.string())) {
      const bool here = mutant.device.empty() || mutant.device == "executor";
      if (!here || !mutant.other_verdict.empty()) continue;
      if (mutant.verdict == "PASS" || !verdicts_.insert(mutant.verdict).second) continue;
      const std::string name = fmt::format("mutant-{}-{}", step.id(), mutant.name);
      write(name, step, cut::mutate(solution, mutant, file.string()));
      tried_.push_back({.name = name,
                        .what = fmt::format("mutant {} of {}", mutant.name, step.label()),
                        .rung = step.label(),
                        .verdict = mutant.verdict});
    }
  }

  void lay_out_archives() {
    const fs::path empty = folder("empty.tar.gz"), broken = folder("broken.tar.gz"),
                   nested = folder(own_reference);
    pack(empty, {"-T", "/dev/null"});
    const fs::path odd = work_.path() / "odd" / "Homework (final) 2" / "new folder" / "src";
    // A line more than the others have, so that it is judged: what that takes, the class will take.
    for (const StepEntry* step : steps_)
      write_text(odd / step->file, read_text(source_of(context_.root, "solutions", *step)) + "\n");
    pack(nested, {"-C", (work_.path() / "odd").string(), "."});
    const std::string whole = read_text(nested);
    write_text(broken, whole.substr(0, whole.size() / 2));
    for (const auto& [name, what] :
         {std::pair("empty.tar.gz", "an empty archive"), {"broken.tar.gz", "half an archive"}})
      tried_.push_back({.name = name, .what = what, .rung = "", .verdict = "NOT STARTED", .no_points = true});
    tried_.push_back({.name = own_reference,
                      .what = "the reference, in odd folders",
                      .rung = "",
                      .verdict = "PASS",
                      .all_points = true});
  }

  fs::path out() const { return work_.path() / "grades"; }

  void grade(bool reference_only) {
    const Options before = context_.options;
    GradeOptions& options = context_.options.grade;
    options.course = course_.file.string();
    options.assignment = assignment_.name;
    options.out = out().string();
    options.key = (work_.path() / "class.key").string();
    if (!fs::exists(options.key)) grade::write_new_key(options.key);
    options = with_course(options);
    options.course.clear(), options.assignment.clear(), options.roster.clear();
    options.only = reference_only ? "reference" : "";
    options.resume = !reference_only;
    context_.options.names = {(work_.path() / "submissions").string()};
    context_.terminal.mute(true);
    try {
      grade_submissions(context_);
    } catch (...) {
      context_.terminal.mute(false);
      context_.options = before;
      throw;
    }
    context_.terminal.mute(false);
    context_.options = before;
  }

  void read_records() {
    for (const auto& entry : fs::directory_iterator(out() / "records"))
      if (entry.path().extension() == ".json") {
        model::GradeRecord record = grade::read_record(entry.path());
        const std::string name = record.submission.name;  // first: the assignment takes the record away
        records_[name] = std::move(record);
      }
    for (Tried& one : tried_) {
      if (records_.contains(one.name))
        compare(one, records_[one.name]);
      else
        one.got = "no record";
    }
  }

  /// The same submissions on the platform: they get there what grade has given them here.
  void go_through_zip() {
    zip_ =
        try_zip(context_, assignment_, context_.options.course_zip, work_.path() / "submissions", records_);
    report::Table table({{"submission, in the zip"}, {"must get"}, {"got", false, true}, {""}});
    for (const json& row : zip_["rows"])
      if (row["right"])
        table.add({row["submission"], row["must_get"], "the same", "ok"});
      else
        table.add({row["submission"], row["must_get"], row["got"], "DIFFERS"});
    context_.terminal.print("\n" + table.text(static_cast<std::size_t>(context_.terminal.width())));
  }

  /// What a submission got, in a few words, and whether that is what it must get.
  void compare(Tried& one, const model::GradeRecord& record) const {
    std::set<std::string> verdicts;
    for (const model::GradeEntry& step : record.steps)
      if (one.rung.empty() || report::label(step) == one.rung) {
        const bool tolerated = one.verdict == "PASS" && step.staff.verdict == Verdict::skipped;
        verdicts.insert(tolerated ? "PASS" : std::string(name(step.staff.verdict)));
      }
    const double points = record.points, most = record.max_points;
    const model::GradeRecord shown = course::in_points_of(assignment_, record);
    one.got =
        fmt::format("{}, {}", fmt::join(verdicts, " "), grade::points_text(shown.points, shown.max_points));
    one.right = verdicts == std::set<std::string>{one.verdict} &&
                (!one.all_points || (points == most && most > 0)) && (!one.no_points || points == 0) &&
                (one.all_points || one.verdict == "REVIEW" || points < most || most == 0);
    if (one.right) return;
    for (const model::GradeEntry& step : record.steps)
      if ((one.rung.empty() || report::label(step) == one.rung) && name(step.staff.verdict) != one.verdict) {
        one.got += fmt::format(": {} {}", report::label(step), step.staff.evidence);
        break;
      }
  }

  void print() const {
    report::Table table(
        {{"submission"}, {"must get"}, {"got, in the course file's points", false, true}, {""}});
    for (const Tried& one : tried_)
      table.add({one.what,
                 one.verdict + (one.all_points  ? ", all points"
                                : one.no_points ? ", no points"
                                                : ""),
                 one.got, one.right ? "ok" : "DIFFERS"});
    context_.terminal.print(fmt::format("\n{}, due {}: {} points", assignment_.name,
                                        course_.timezone.text(assignment_.due),
                                        grade::points_text(assignment_.points())));
    if (const std::string last = course::last_moment_text(course_, assignment_); !last.empty())
      context_.terminal.print(last);
    context_.terminal.print(table.text(static_cast<std::size_t>(context_.terminal.width())));
    if (const auto found = records_.find("reference"); found != records_.end())
      if (const std::string scale = course::scale_text(assignment_, found->second); !scale.empty())
        context_.terminal.print(
            fmt::format("The rungs' own points become those of the course file: {}", scale));
    print_cost();
  }

  LaneSeconds took(const std::string& name) const {
    const auto found = records_.find(name);
    return found == records_.end() ? LaneSeconds{} : lane_seconds(out(), found->second.pseudonym);
  }

  void print_cost() const {
    std::size_t people = 100;
    if (!course_.roster.empty()) people = course::read_roster(course_.roster).size();
    const auto jobs = lanes_of(context_.options.grade);
    const LaneSeconds own = took(own_reference);
    const std::string cost = course::cost_text({.different = own.clock,
                                                .cpu = own.cpu,
                                                .known = took("reference").clock,
                                                .once = once_,
                                                .people = people,
                                                .jobs = static_cast<int>(jobs)});
    context_.terminal.print(fmt::format(
        "A class of {}{}, one submission each, {}; {:.0f} MB of disk while grading and {:.0f} MB "
        "afterwards{}.",
        people, course_.roster.empty() ? " (no roster)" : "", cost,
        room_bytes * static_cast<double>(jobs + 1) / 1e6, kept_bytes * static_cast<double>(people + 10) / 1e6,
        assignment_.time || assignment_.private_tests
            ? "; the final phase judges one after another, and was not tried"
            : ""));
  }

  void keep() const;

  Context& context_;
  const course::Course& course_;
  const course::Assignment& assignment_;
  ScratchFolder work_{};
  std::vector<const StepEntry*> steps_{};
  std::vector<Tried> tried_{};
  std::set<std::string> verdicts_{};
  std::map<std::string, model::GradeRecord> records_{};  ///< by the submission's name
  json zip_{};
  double once_ = 0;  ///< seconds for what all share, and the reference
};

/// @param kind  only files with this extension; empty: all
void add_sums(std::string& all, const fs::path& folder, const std::string& kind = "") {
  std::vector<fs::path> files;
  if (fs::is_directory(folder))
    for (const auto& entry : fs::recursive_directory_iterator(folder))
      if (entry.is_regular_file() && (kind.empty() || entry.path().extension() == kind))
        files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files)
    all += file.lexically_relative(folder).string() + "\n" + sha256(read_text(file)) + "\n";
}

/// All that the verdicts and points of an assignment depend on; no deadline.
std::string fingerprint(const Context& context, const course::Course& course,
                        const course::Assignment& assignment) {
  std::string all = course.record + "\n";
  std::set<std::string> lessons;
  Catalogue catalogue = context.catalogue;
  for (const auto& [rung, points] : assignment.rungs) {
    all += fmt::format("{} {}\n", rung, points);
    const StepEntry& step = *catalogue.resolve({rung}).front();
    lessons.insert(step.lesson);
    for (const char* tree : {"lessons", "solutions"})
      all += sha256(read_text(source_of(context.root, tree, step))) + "\n";
  }
  for (const std::string& symbol : assignment.allow.symbols) all += "symbol " + symbol + "\n";
  for (const std::string& lesson : lessons) {
    add_sums(all, context.root / "tests" / lesson);
    for (const char* ending : {".hpp", ".toml"})  // the problem, and what its rungs are asked for
      add_sums(all, context.root / "lessons" / lesson, ending);
  }
  if (assignment.private_tests) {
    all += fmt::format("private {}\n", assignment.private_tests->points);
    add_sums(all, assignment.private_tests->folder);
  }
  return sha256(all);
}

fs::path checked_file(const course::Course& course) {
  return state_of(course) / "checked.json";
}

json checked(const course::Course& course) {
  json all = read_json(checked_file(course));
  return all.is_object() ? all : json::object();
}

void Trial::keep() const {
  json rows = json::array();
  for (const Tried& one : tried_)
    rows.push_back(
        {{"submission", one.what}, {"must_get", one.verdict}, {"got", one.got}, {"right", one.right}});
  json all = checked(course_);
  const std::string now = fingerprint(context_, course_, assignment_);
  json& mine = all[assignment_.name];
  // A check without --zip takes nothing back that one with it has found.
  const bool kept = zip_.is_null() && mine.is_object() && mine.value("fingerprint", "") == now;
  const json zip = kept ? mine.value("zip", json()) : zip_;
  mine = {{"fingerprint", now}, {"at", report::now()}, {"rows", rows}, {"zip", zip}};
  fs::create_directories(state_of(course_));
  fs::permissions(state_of(course_), fs::perms::owner_all);
  write_text(checked_file(course_), report::dump(all, 1) + "\n");
}

}  // namespace

std::string why_unchecked(const Context& context, const course::Course& course,
                          const course::Assignment& assignment) {
  const std::string again =
      fmt::format("./ladder course check {} --assignment {}", course.file.string(), assignment.name);
  const json all = checked(course);
  if (!all.contains(assignment.name))
    return fmt::format("{} of {} was not checked yet: {}", assignment.name, course.file.string(), again);
  const json& one = all[assignment.name];
  if (one.value("fingerprint", "") != fingerprint(context, course, assignment))
    return fmt::format("{} of {} has changed since it was checked: {}", assignment.name, course.file.string(),
                       again);
  for (const json& row : one.value("rows", json::array()))
    if (!row.value("right", false))
      return fmt::format("{} of {} was checked, and {} got {}, not {}: fix it, then {}", assignment.name,
                         course.file.string(), row.value("submission", ""), row.value("got", ""),
                         row.value("must_get", ""), again);
  if (const std::string wrong = gradescope::wrong_in_zip(one.value("zip", json())); !wrong.empty())
    return fmt::format("{} of {}: {}; make the zip again, then {} --zip FILE", assignment.name,
                       course.file.string(), wrong, again);
  return "";
}

int check_course(Context& context, const fs::path& file) {
  const course::Course course = course_of(file);
  if (!context.options.course_zip.empty()) may_try_zip(context, course);
  std::vector<std::string> problems = problems_of_files(course);
  for (std::string& problem : problems_of_rungs(context, course)) problems.push_back(std::move(problem));
  if (!problems.empty()) throw UsageError{fmt::format("{}", fmt::join(problems, "\n"))};
  context.terminal.print(
      fmt::format("{}: {} assignments, nothing wrong in the file", file.string(), course.assignments.size()));
  bool right = true;
  for (const course::Assignment& assignment : course.assignments)
    if (context.options.grade.assignment.empty() ||
        &chosen_assignment(course, context.options.grade.assignment) == &assignment)
      right = Trial(context, course, assignment).run() && right;
  if (!right) context.terminal.print("A row differs: nothing is handed out or exported before it is fixed.");
  return right ? 0 : 1;
}

}  // namespace ladder
