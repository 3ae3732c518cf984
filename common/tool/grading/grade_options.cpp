#include "common/tool/grading/grade_options.hpp"

#include <CLI/CLI.hpp>

namespace ladder {

void add_sandbox(CLI::App& app, Options& o) {
  app.add_option("--sandbox", o.grade.sandbox, "bwrap, uid, or none; the best that works here by default")
      ->check(CLI::IsMember({"bwrap", "uid", "none"}))
      ->type_name("MODE");
}

void add_key_of_grades(CLI::App& app, Options& o) {
  app.add_option("--key", o.grade.key,
                 "the class key; by default class.key in the folder of the grades, or that of its course")
      ->type_name("FILE");
}

void add_course(CLI::App& app, Options& o, const char* what) {
  app.add_option("--course", o.grade.course, what)->type_name("FILE");
  app.add_option("--assignment", o.grade.assignment,
                 "which one of the course file; needless where it has one")
      ->type_name("NAME");
}

void add_class_key(CLI::App& app, Options& o) {
  add_key_of_grades(app, o);
  app.add_flag("--trust", o.grade.trust, "judge again without a sandbox what was graded without one");
}

void add_out(CLI::App& app, Options& o, const char* what) {
  app.add_option("--out", o.grade.out, what)->type_name("FOLDER");
}

void add_graded(CLI::App& app, Options& o) {
  app.add_option("--rungs", o.grade.rungs, "what is graded: 03/g1,03/g2 or 03/g1-g3 or 03")
      ->delimiter(',')
      ->type_name("RUNGS");
  add_course(app, o, "the course file: it says rungs, points, key, private tests, deadlines");
}

void add_private(CLI::App& app, Options& o) {
  app.add_option("--private", o.grade.private_tests,
                 "private tests: a folder outside of the checkout with NN-name/*.cpp, as "
                 "tests/grading/private/ has them")
      ->type_name("FOLDER");
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
  app.add_option("--budget", typed.budget, "final: seconds for timing a rung (default 10)")
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

}  // namespace ladder
