#include "common/tool/core/verb_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>

namespace ladder {
namespace {

/// For verbs that take the files of a CUDA program instead of steps.
void add_program_options(CLI::App& app, Options& o, Typed& typed) {
  app.add_option("-I", o.include_dirs, "program: a folder with headers")
      ->type_name("DIR")
      ->allow_extra_args(false);
  app.add_option("-D", o.defines, "program: define a macro")
      ->type_name("NAME[=VALUE]")
      ->allow_extra_args(false);
  app.add_option("--std", o.standard, "program: c++17 (default) or c++20")->type_name("STANDARD");
  app.add_option("--seconds", typed.seconds, "program: limit of a run (default 120)")->type_name("SECONDS");
  app.add_option("--memory", typed.memory, "program: limit of a run (default 8)")->type_name("GIB");
}

/// For the verb that judges one such program.
void add_one_program_options(CLI::App& app, Options& o, Typed& typed) {
  add_program_options(app, o, typed);
  app.add_option("-o", o.output, "program: keep it as FILE")->type_name("FILE");
  app.add_flag("--plain", o.plain, "program: run it without looking for findings, which takes longer");
}

void add_sandbox(CLI::App& app, Options& o) {
  app.add_option("--sandbox", o.grade.sandbox, "bwrap, uid, or none; the best that works here by default")
      ->check(CLI::IsMember({"bwrap", "uid", "none"}))
      ->type_name("MODE");
}

void add_class(CLI::App& app, Options& o) {
  app.add_option("--class", o.class_name, "only the problem size of this name, as benchmarks have them")
      ->type_name("NAME")
      ->excludes("--size");
}

void add_strict(CLI::App& app, Options& o) {
  app.add_flag(
      "--strict", o.strict,
      "only PASS with every number passes: not SKIPPED, not INCONCLUSIVE, not \"PASS, … not measured\"");
}

void add_seed(CLI::App& app, Typed& typed) {
  app.add_option("--seed", typed.seed, "repeat the inputs of an earlier run")->type_name("N");
}

void add_size(CLI::App& app, Typed& typed) {
  app.add_option("--size", typed.size, "only this problem size")->type_name("N");
}

void add_inputs(CLI::App& app, Typed& typed) {
  add_seed(app, typed);
  add_size(app, typed);
}

/// For verbs that run steps.
void add_step_options(CLI::App& app, Options& o, Typed& typed) {
  add_json(app, o);
  add_device_options(app, o, typed);
  app.add_option("--tree", o.tree, "lessons (yours) or solutions (the reference)")->type_name("TREE");
  add_inputs(app, typed);
}

/// For verbs that judge steps, and whose exit status says how.
void add_judge_options(CLI::App& app, Options& o, Typed& typed) {
  add_step_options(app, o, typed);
  add_strict(app, o);
}

void add_key_of_grades(CLI::App& app, Options& o) {
  app.add_option("--key", o.grade.key,
                 "the class key; by default class.key in the folder of the grades, or that of its course")
      ->type_name("FILE");
}

/// A course file, and one of its assignments.
void add_course(CLI::App& app, Options& o, const char* what) {
  app.add_option("--course", o.grade.course, what)->type_name("FILE");
  app.add_option("--assignment", o.grade.assignment,
                 "which one of the course file; needless where it has one")
      ->type_name("NAME");
}

/// For verbs that judge again what grade has judged.
void add_class_key(CLI::App& app, Options& o) {
  add_key_of_grades(app, o);
  app.add_flag("--trust", o.grade.trust, "judge again without a sandbox what was graded without one");
}

void add_out(CLI::App& app, Options& o, const char* what) {
  app.add_option("--out", o.grade.out, what)->type_name("FOLDER");
}

/// What is graded.
void add_graded(CLI::App& app, Options& o) {
  app.add_option("--rungs", o.grade.rungs, "what is graded: 03/g1,03/g2 or 03/g1-g3 or 03")
      ->delimiter(',')
      ->type_name("RUNGS");
  add_course(app, o, "the course file: it says rungs, points, key, private tests, deadlines");
}

void add_groups(CLI::App& app, Options& o) {
  app.add_option("--groups", o.grade.groups, "lines `SUBMISSION: ID, ID …`: one work of several people")
      ->type_name("FILE");
}

void add_private(CLI::App& app, Options& o) {
  app.add_option("--private", o.grade.private_tests,
                 "private tests: a folder outside of the checkout with NN-name/*.cpp, as "
                 "tests/grading/private/ has them")
      ->type_name("FOLDER");
}

}  // namespace

void add_json(CLI::App& app, Options& o) {
  app.add_option("--json", o.json, "write the results as JSON to FILE, or to standard output for -")
      ->type_name("FILE|-");
}

void add_device_options(CLI::App& app, Options& o, Typed&) {
  app.add_option("--device", o.device, "executor, cpu, cuda:0, opencl:0, pocl; the best there is by default")
      ->type_name("NAME");
}

void add_remote_options(CLI::App& app, Options& o) {
  const auto seen = [&o](const std::vector<std::string>&) { return o.elsewhere = true; };
  app.add_option("--remote", seen, "the same on a machine with a GPU, over ssh; without HOST the course's")
      ->expected(0, 1)
      ->type_name("[HOST]");
  app.add_flag_callback(
      "--fetch", [&o] { o.elsewhere = true; }, "bring what a --remote did after a lost connection");
}

void add_no_options(CLI::App&, Options&, Typed&) {}

void add_json_option(CLI::App& app, Options& o, Typed&) {
  add_json(app, o);
}

void add_predict_options(CLI::App& app, Options& o, Typed& typed) {
  add_json(app, o);
  add_size(app, typed);
}

void add_diff_options(CLI::App& app, Options& o, Typed& typed) {
  add_json(app, o);
  add_device_options(app, o, typed);
  add_inputs(app, typed);
}

void add_run_options(CLI::App& app, Options& o, Typed& typed) {
  add_judge_options(app, o, typed);
  add_class(app, o);
  app.add_flag("--npb", o.npb, "print NPB's standard result block of each step; no table");
  app.add_option("--report", o.report, "write table, figures and JSON into this folder")->type_name("FOLDER");
  app.add_option("--budget", typed.budget,
                 "seconds for timing all steps (default 10 for each; 180 where there is a GPU), but five "
                 "rounds of calls at least")
      ->type_name("SECONDS");
}

void add_check_options(CLI::App& app, Options& o, Typed& typed) {
  add_judge_options(app, o, typed);
  add_class(app, o);
  app.add_option("--private", o.grade.private_tests,
                 "by published private tests, instead of the lesson's own: the folder with NN-name/*.cpp")
      ->type_name("FOLDER");
  add_remote_options(app, o);
  add_one_program_options(app, o, typed);
}

void add_watch_options(CLI::App& app, Options& o, Typed& typed) {
  add_step_options(app, o, typed);
  app.add_flag("--poll", o.poll,
               "look at the files twice a second, also where the file system tells of saves");
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
                 "run the step under a program of yours and show what that prints: \"ncu --metrics …\", "
                 "\"nsys profile …\", \"perf stat\"; the step is not confined")
      ->type_name("COMMAND")
      ->excludes("--as")
      ->excludes("--html")
      ->excludes("--trace")
      ->excludes("--hardware");
  add_program_options(app, o, typed);
  add_remote_options(app, o);
}

void add_bench_options(CLI::App& app, Options& o, Typed& typed) {
  add_judge_options(app, o, typed);
  add_class(app, o);
  app.add_option("--budget", typed.budget, "seconds for timing all steps (default 10 for each)")
      ->type_name("SECONDS");
  app.add_option("--html", o.html, "write a page with the curves of points")->type_name("FILE");
  add_remote_options(app, o);
}

void add_submit_options(CLI::App& app, Options& o, Typed&) {
  add_json(app, o);
  app.add_option("--assignment", o.grade.assignment,
                 "in a course's handout: which one; the next that is due by default")
      ->type_name("NAME");
  app.add_option("--out", o.grade.out, "the zip; submission-NAME.zip in this copy by default")
      ->type_name("FILE.zip");
  app.add_flag("--anyway", o.anyway, "pack also what does not build in a clean folder");
}

void add_reproduce_options(CLI::App& app, Options& o, Typed& typed) {
  add_step_options(app, o, typed);
  app.add_option("--budget", typed.budget,
                 "seconds for a cell of a table, or a twelfth of a sweep (default 20)")
      ->type_name("SECONDS");
  app.add_option("--max-size", typed.max_size, "largest size")->type_name("N");
  app.add_option("--only", o.only,
                 "print and store only tables with this in their titles; 04 to 06 measure no others")
      ->type_name("TEXT");
  app.add_option("--report", o.report, "write tables, figures and JSON into this folder")
      ->type_name("FOLDER");
}

void add_test_options(CLI::App& app, Options& o, Typed& typed) {
  add_json(app, o);
  add_device_options(app, o, typed);
  add_inputs(app, typed);
  add_strict(app, o);
  app.add_option(
         "--part", o.parts,
         fmt::format("only this part: {}; the last two are in no plain test", fmt::join(test_parts(), ", ")))
      ->type_name("PART");
  app.add_flag(
      "--changed", o.changed,
      "only what can have changed since it passed in this build folder, and a random tenth of the rest");
  app.add_flag(
      "--renew", o.renew,
      "run the tests that compare outputs with approved files (NAMES: their programs or sources) and "
      "write these files: read the difference before you commit it");
  app.add_flag("--times", o.times, "say at the end where the time went; --json has it always");
}

void add_report_options(CLI::App& app, Options& o, Typed&) {
  add_json(app, o);
  app.add_option("--html", o.html, "the page; report.html by default")->type_name("FILE");
}

void add_docs_options(CLI::App& app, Options& o, Typed& typed) {
  add_json(app, o);
  app.add_option("--out", o.docs.out,
                 "copy it into this folder, for a web server; build/site/html by default")
      ->type_name("FOLDER");
  app.add_flag("--serve", o.docs.serve, "show it to browsers of this machine until Ctrl-C");
  app.add_option("--port", typed.port, "of --serve (default 8000)")->type_name("N")->needs("--serve");
}

void add_results_add_options(CLI::App& app, Options& o, Typed&) {
  add_json(app, o);
  app.add_option("--as", o.as, "the machine: a folder of docs/results; for a new one also what pages call it")
      ->type_name("NAME[=TEXT]");
}

void add_course_check_options(CLI::App& app, Options& o, Typed& typed) {
  add_device_options(app, o, typed);
  app.add_option("--assignment", o.grade.assignment, "only this one; all by default")->type_name("NAME");
  add_sandbox(app, o);
  app.add_flag("--trust", o.grade.trust, "go on where submissions cannot be confined");
  app.add_option("--jobs", typed.jobs, "submissions at once; by default one for two cores")->type_name("N");
  app.add_option("--zip", o.course_zip, "also inside this autograder for Gradescope; needs root")
      ->type_name("FILE");
  app.add_option("--base", o.image.base, "for --zip: a root of Ubuntu 22.04, not one by debootstrap")
      ->type_name("FOLDER");
  app.add_option("--mirror", o.image.mirror, "for --zip: of packages; by default Ubuntu's own")
      ->type_name("URL");
}

void add_course_purge_options(CLI::App& app, Options& o, Typed&) {
  app.add_flag("--apply", o.review.apply, "delete what the list without it has shown");
  app.add_flag("--now", o.review.now, "also before the retention date");
}

void add_grade_options(CLI::App& app, Options& o, Typed& typed) {
  add_device_options(app, o, typed);
  add_out(app, o, "the folder for grades: records, pages, logs");
  add_graded(app, o);
  add_sandbox(app, o);
  app.add_flag("--trust", o.grade.trust, "go on where submissions cannot be confined");
  app.add_option("--key", o.grade.key, "the class key; by default one of its own in the folder of --out")
      ->type_name("FILE");
  app.add_option("--only", o.grade.only, "only this submission, by its name or pseudonym")->type_name("NAME");
  app.add_option("--attempt", typed.attempt,
                 "the number of this submission round (default 1): its inputs are its own")
      ->type_name("N");
  app.add_option("--reference", o.grade.reference,
                 "the reference.json of earlier grades of the same rungs: the reference is not judged again")
      ->type_name("FILE");
  // Of an autograder for Gradescope, which has no course file. Not listed: grading again would not know of
  // them.
  app.add_option("--allow-symbols", o.grade.allowed)->delimiter(',')->group("");
  app.add_option("--allow-headers", o.grade.headers)->delimiter(',')->group("");
  app.add_option("--jobs", typed.jobs, "submissions at once; by default one for two cores")->type_name("N");
  app.add_option("--shard", o.grade.shard, "the i-th of N parts of the submissions; merge puts them together")
      ->type_name("i/N");
  add_private(app, o);
  app.add_option("--opens", o.grade.opens,
                 "when the private part opens, as students read it: \"after 2027-02-14 23:59\"")
      ->type_name("TEXT");
  app.add_option("--phase", o.grade.phase,
                 "instant: no clock, the default; final: adds time and private tests to grades")
      ->check(CLI::IsMember({"instant", "final"}))
      ->type_name("PHASE");
  app.add_option("--into", o.grade.into, "final: the folder of the grades that it adds to")
      ->type_name("FOLDER");
  app.add_option("--bounds", o.grade.bounds, "bounds of time of this machine, as calibrate writes them")
      ->type_name("FILE");
  app.add_option("--budget", typed.budget, "final: seconds for timing a step (default 10)")
      ->type_name("SECONDS");
  app.add_option("--seed", typed.seed, "final: the seed of its inputs")->type_name("N");
  app.add_flag("--resume", o.grade.resume, "keep what is graded already, and do the rest");
  app.add_option("--roster", o.grade.roster,
                 "the people of the class (id,name,…): the folder is a download of Gradescope, Canvas or "
                 "Moodle, or of clones")
      ->type_name("FILE");
  app.add_option("--received", o.grade.received,
                 "times of the server (submission,received): for clones and Canvas's files, which have none")
      ->type_name("FILE");
}

void add_grade_merge_options(CLI::App& app, Options& o, Typed&) {
  add_out(app, o, "the folder for the merged grades");
}

void add_grade_export_options(CLI::App& app, Options& o, Typed&) {
  app.add_option("--out", o.grade.out, "the file; standard output by default")->type_name("FILE");
  app.add_flag("--names", o.grade.names, "with the names of the submissions, or the ids of --groups");
  add_groups(app, o);
  add_course(app, o, "the course file");
  app.add_option("--as", o.grade.as, "for this platform: canvas, moodle, gradescope or classroom50")
      ->check(CLI::IsMember({"canvas", "moodle", "gradescope", "classroom50"}))
      ->type_name("PLATFORM");
  app.add_option("--roster", o.grade.roster, "the people of the class (id,name,…), whose points they are")
      ->type_name("FILE");
  app.add_option("--column", o.grade.column, "for Canvas: the assignment, \"Homework 2 (12345)\"")
      ->type_name("NAME");
  app.add_option("--worksheet", o.grade.worksheet,
                 "for Moodle: the grading worksheet that it let you download; it is filled in")
      ->type_name("FILE");
  app.add_flag("--semicolon", o.grade.semicolon, "';' between fields, for spreadsheets that want it");
}

void add_grade_publish_options(CLI::App& app, Options& o, Typed&) {
  add_private(app, o);
  add_course(app, o, "the course file, which says so, too");
  add_key_of_grades(app, o);
  app.add_option("--by", o.review.by, "who publishes; the log keeps it")->type_name("NAME");
}

void add_grade_calibrate_options(CLI::App& app, Options& o, Typed& typed) {
  add_device_options(app, o, typed);
  add_graded(app, o);
  app.add_option("--out", o.grade.out, "the file for the bounds")->type_name("FILE");
  add_sandbox(app, o);
  app.add_flag("--trust", o.grade.trust, "go on where programs cannot be confined");
  app.add_option("--runs", o.grade.runs, "runs of each program (default 20)")
      ->check(CLI::Range(2, 1000))
      ->type_name("N");
  app.add_option("--full", o.grade.full_share,
                 "full points at this share of the lower end of the reference's interval (default 0.8)")
      ->check(CLI::Range(0.01, 1.0))
      ->type_name("SHARE");
  app.add_option("--budget", typed.budget, "seconds for timing a step (default 10)")->type_name("SECONDS");
}

void add_validate_options(CLI::App& app, Options& o, Typed& typed) {
  add_json(app, o);
  app.add_option("--device", o.device, "executor (the default) or cuda: compute-sanitizer on a GPU")
      ->type_name("NAME");
  app.add_option("--suite", o.validate.suite, "the folder with the programs")->type_name("DIR");
  app.add_option(
         "--labels", o.validate.labels,
         "what is wrong in each: a TOML or CSV file, or the name of a public suite (common/tool/suites); "
         "labels.toml or labels.csv in the folder by default")
      ->type_name("FILE|NAME");
  app.add_option("--only", o.only, "only programs with this in their paths")->type_name("TEXT");
  app.add_option("--sample", typed.sample, "only so many programs, always the same ones")->type_name("N");
  app.add_option("--jobs", typed.jobs, "programs at once; by default one per core")->type_name("N");
  app.add_flag("--resume", o.validate.resume, "keep the results that --json FILE has, and do the rest")
      ->needs("--json");
  app.add_option("--report", o.report, "keep the counts as FOLDER/suites.json: docs/results/MACHINE")
      ->type_name("FOLDER");
  add_program_options(app, o, typed);
}

void add_image_options(CLI::App& app, Options& o, Typed&) {
  app.add_option("--out", o.image.out, "a folder: the root; .tar: an OCI image; .zip, with --gradescope")
      ->type_name("FOLDER|FILE");
  app.add_option("--base", o.image.base,
                 "a root that is there (Debian 12; --gradescope: Ubuntu 22.04) instead of one by debootstrap")
      ->type_name("FOLDER");
  app.add_option("--mirror", o.image.mirror, "of packages; by default the distribution's own")
      ->type_name("URL");
  app.add_flag("--gradescope", o.image.gradescope, "an autograder for Gradescope, on Ubuntu 22.04");
  app.add_option("--rungs", o.grade.rungs, "gradescope: what it grades: 03/g1,03/g2 or 03/g1-g3")
      ->delimiter(',')
      ->type_name("RUNGS");
  app.add_option("--course", o.grade.course,
                 "gradescope, instead of --rungs: points and what steps may use, too")
      ->type_name("FILE");
  app.add_option("--assignment", o.grade.assignment, "which one of the course file")->type_name("NAME");
  app.add_option("--per-day", o.image.per_day,
                 "gradescope: submissions of a student that are graded in 24 hours")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
}

void add_image_prebuild_options(CLI::App& app, Options& o, Typed&) {
  app.add_flag("--prune", o.image.prune, "delete what was only needed to build it");
}

void add_review_options(CLI::App& app, Options& o, Typed&) {
  app.add_option("--by", o.review.by, "who decides; the log keeps it")->type_name("NAME");
  const auto decide = [&o](const char* kind) {
    return [&o, kind](std::int64_t) { o.review.decision = kind; };
  };
  app.add_flag_function("--accept", decide("accept"), "one step: it counts as judged");
  app.add_flag_function("--reject", decide("reject"), "one step: no points");
  app.add_option_function<double>(
         "--deduct", [&o](double points) { o.review.decision = "deduct", o.review.points = points; },
         "one step: that many points less")
      ->type_name("POINTS");
  app.add_option("--reason", o.review.reason, "why; the student reads it")->type_name("TEXT");
  app.add_flag("--alike", o.review.alike, "with one of these: every other item with the same evidence, too");
  app.add_flag("--ask", o.review.ask, "ask for each item also where input is no terminal");
  app.add_option("--course", o.grade.course, "the questions of a course file, instead of steps")
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

void add_open_options(CLI::App& app, Options& o, Typed& typed) {
  add_device_options(app, o, typed);
  app.add_flag("--diff", o.review.diff,
               "what it changed: against the reference and against the skeleton; judges nothing");
  app.add_flag("--profile", o.review.profile, "what its launches did, as profile shows it");
  app.add_flag("--gdb", o.review.gdb,
               "stop its worker before its first call, that of the failing case, in the sandbox, under gdb");
  app.add_option("--course", o.grade.course, "its private part: by the private tests of this course file")
      ->type_name("FILE");
  app.add_option("--private", o.grade.private_tests,
                 "the same without a course file: the folder with private tests")
      ->type_name("FOLDER");
  app.add_flag("--whole", o.review.whole, "judge all of the step, not only the case that failed");
  add_class_key(app, o);
}

void add_amend_options(CLI::App& app, Options& o, Typed& typed) {
  add_device_options(app, o, typed);
  app.add_option("--by", o.review.by, "who fixes; the log keeps it")->type_name("NAME");
  app.add_option_function<double>(
         "--deduct", [&o](double points) { o.review.decision = "amend", o.review.points = points; },
         "what the slip costs")
      ->type_name("POINTS");
  app.add_option("--reason", o.review.reason, "why; the student reads it")->type_name("TEXT");
  app.add_option("--lines", o.review.lines, "most lines that may change (default 20)")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  add_class_key(app, o);
}

void add_regrade_options(CLI::App& app, Options& o, Typed& typed) {
  add_device_options(app, o, typed);
  app.add_flag("--all", o.review.all, "all submissions of the folder");
  app.add_flag("--apply", o.review.apply, "do what the dry run before has shown");
  app.add_flag("--may-lower", o.review.may_lower, "also where a step gets fewer points than it has");
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

void add_handout_options(CLI::App& app, Options& o, Typed&) {
  add_json(app, o);
  app.add_option("--rungs", o.grade.rungs, "what is handed out: 03/g1,03/g2 or 03/g1-g3 or 03")
      ->delimiter(',')
      ->type_name("RUNGS");
  app.add_option("--out", o.grade.out, "a zip, or a folder that is empty or an older handout")
      ->type_name("FILE.zip|FOLDER");
  app.add_option("--released", o.handout.released, "with the solutions of these rungs")
      ->delimiter(',')
      ->type_name("RUNGS");
  app.add_option("--course", o.grade.course, "instead of --rungs: the course file, checked by course check")
      ->type_name("FILE");
  app.add_option("--assignment", o.grade.assignment, "which one of the course file")->type_name("NAME");
}

void add_solutions_options(CLI::App& app, Options& o, Typed&) {
  add_json(app, o);
  app.add_option("--release", o.handout.released, "the rungs: 03/g1 or 03/g1-g3 or 03")
      ->delimiter(',')
      ->type_name("RUNGS");
}

void add_update_options(CLI::App& app, Options& o, Typed&) {
  add_json(app, o);
  app.add_flag("--undo", o.handout.undo, "back to the handout before the last update");
}

void add_exam_options(CLI::App& app, Options& o, Typed& typed) {
  add_device_options(app, o, typed);
  app.add_option("--rungs", o.grade.rungs, "what is asked about: 00/g3-g7,03/g1-g3")
      ->delimiter(',')
      ->type_name("RUNGS");
  app.add_option("--students", o.exam.students, "the roster: a CSV with the columns id and name")
      ->type_name("FILE");
  app.add_option("--out", o.grade.out, "the folder for sheets and key")->type_name("FOLDER");
  app.add_option("--key", o.grade.key, "the class key, from which the questions are drawn; or --seed")
      ->type_name("FILE");
  app.add_option("--seed", typed.seed, "a number instead of the class key")->type_name("N");
  app.add_option("--format", o.exam.format, "moodle-xml: counts and comparisons as questions for Moodle too")
      ->check(CLI::IsMember({"moodle-xml"}))
      ->type_name("FORMAT");
  app.add_option("--check", o.exam.check, "an exam that is there: run everything again and compare its key")
      ->type_name("FOLDER");
}

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

void add_similarity_options(CLI::App& app, Options& o, Typed&) {
  add_json(app, o);
  app.add_flag("--strict", o.strict, "exit with 1 where this cannot be looked for here");
  app.add_option("--steps", o.similar_steps,
                 "steps that a pair must share (default 3); 1 for homework of one or two rungs")
      ->check(CLI::Range(1, 100))
      ->type_name("N");
  app.add_option("--against", o.against,
                 "a folder with one folder for each work to compare with: an earlier year")
      ->type_name("FOLDER");
}

void add_start_options(CLI::App& app, Options& o, Typed&) {
  add_json(app, o);
  app.add_option("--from", o.from,
                 "mine (the default) or reference: the rung below, as you wrote it or as it is given")
      ->type_name("mine|reference");
  app.add_flag("--yes", o.yes, "ask nothing, also where a PASS is replaced");
}

void add_doctor_options(CLI::App& app, Options& o, Typed&) {
  add_json(app, o);
  app.add_flag(
      "--report", o.staff_report,
      "one text for the staff: machine, versions, what is missing, the last failures; no user, host or path");
  app.add_flag("!--no-measure", o.measure, "do not measure the ceilings");
}

}  // namespace ladder
