#include "common/tool/verbs.hpp"

#include <algorithm>
#include <set>

#include "common/tool/authoring.hpp"
#include "common/tool/context.hpp"
#include "common/tool/course_verb.hpp"
#include "common/tool/doctor.hpp"
#include "common/tool/handout.hpp"

namespace ladder {
namespace {

template <auto verb>
int with_context(const Options& options) {
  Context context(options);
  static const std::set<std::string> of_repository = {"test",      "new",     "results",
                                                      "reproduce", "handout", "solutions", "docs"};
  const bool reference = options.verb == "run" && options.tree == "solutions" &&
                         !std::filesystem::exists(context.root / "solutions");
  if (reference || of_repository.contains(options.verb)) refuse_in_handout(context);
  return verb(context);
}

int run_doctor(const Options& options) {
  return doctor({.json = options.json, .measure = options.measure, .report = options.staff_report});
}

// ./ladder reads the first three fields of each row before there is a tool: they stand on one line.
constexpr Verb table[] = {
    // clang-format off
    {"run", "* lessons", "waits",
     "Climb the reference ladders on this machine: correctness, targets and time.",
     "lessons or steps; all by default", "solutions",
     "./ladder run 01 03\n"
     "  ./ladder run 03 --tree lessons --json results.json\n"
     "  ./ladder run 03/g2 --device executor\n"
     "  ./ladder run 05 --class B --npb",
     false, add_run_options, with_context<run>},
    {"check", "* lessons", "waits",
     "Build and judge steps: correctness, and targets that need no clock. "
     "Or run a CUDA program of yours, with its own main, and say what is wrong in it.",
     "steps or lessons; or the files of a program: .cu, .cpp, .c", "lessons",
     "./ladder check 03/g2\n"
     "  ./ladder check dgemm/shared_tiles --seed 7 --size 64\n"
     "  ./ladder check reduce.cu timer.cpp -I include -D N=4096 -- 1000 2",
     true, add_check_options, with_context<check>},
    {"watch", "* lessons", "light",
     "Judge a step each time its file is saved, until q: first the verdict, then counters and findings. Keys lead on: next, hint, bench, profile, diff.",
     "steps or lessons; all by default", "lessons",
     "./ladder watch\n"
     "  ./ladder watch 03\n"
     "  ./ladder watch 03/g2 --poll",
     false, add_watch_options, with_context<watch>},
    {"profile", "* lessons", "waits",
     "What the launches of steps did: sectors, wavefronts, the worst lines, waves and a bound on a device. "
     "Or of a CUDA program of yours.",
     "steps; or the files of a program: .cu, .cpp, .c", "lessons",
     "./ladder profile 03/g2\n"
     "  ./ladder profile 03/g2 --as \"GTX 1660\" --size 64 --html g2.html\n"
     "  ./ladder profile 03/g2 --under \"ncu --metrics l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum\"\n"
     "  ./ladder profile reduce.cu -- 1000",
     true, add_profile_options, with_context<profile>},
    {"bench", "* lessons", "waits",
     "Time your steps as ratios on this machine: against the baseline, the rung below and libraries, with points and the next point.",
     "steps or lessons", "lessons",
     "./ladder bench 03/c1\n"
     "  ./ladder bench 03 --html bench.html",
     false, add_bench_options, with_context<bench>},
    {"submit", "* lessons", "waits",
     "Pack what you hand in: step files, headers, notes.md and predictions, after a build in a clean folder. Prints a receipt.",
     "steps, ranges or lessons; those of the handout by default", "lessons",
     "./ladder submit 03/g1-g3\n"
     "  ./ladder submit --assignment hw2 --out hw2.zip",
     false, add_submit_options, with_context<submit>},
    {"predict", "*", "light",
     "Keep a number before profile shows the truth; it goes with a submission and earns no points.",
     "a step, and METRIC=NUMBER", nullptr,
     "./ladder predict 03/g2 sectors=5120 --size 64\n"
     "  ./ladder predict 03/g2",
     false, add_no_options, with_context<predict>},
    {"hint", "*", "light",
     "What was just measured and a question about it; then two hints, one more each time; then the page. For the step that you "
     "missed last, or the one that you name.",
     "a step", nullptr,
     "./ladder hint\n"
     "  ./ladder hint 03/g2",
     false, add_no_options, with_context<hint>},
    {"diff", "* lessons", "waits",
     "After PASS: your step beside the reference, what differs and what both measured.",
     "a step", nullptr,
     "./ladder diff 03/g2",
     false, add_no_options, with_context<difference_to_reference>},
    {"start", "*", "light",
     "Begin a step from the rung below it, yours or the reference; what was there is kept in .ladder/old.",
     "a step", nullptr,
     "./ladder start 03/g4\n"
     "  ./ladder start 03/g4 --from reference",
     false, add_start_options, with_context<start>},
    {"list", "*", "light",
     "The lessons and their steps: kind, hours, idea, how far you are, your time; in a course also points and deadlines.",
     "lessons; all by default", "lessons",
     "./ladder list 03",
     false, add_no_options, with_context<list>},
    {"doctor", "*", "waits",
     "The devices and versions here, what is missing and what that costs, measured ceilings.",
     nullptr, nullptr,
     "./ladder doctor\n"
     "  ./ladder doctor --report > report.txt\n"
     "  ./ladder doctor --json machine.json",
     false, add_doctor_options, run_doctor},
    {"test", "* lessons docs grade similarity test", "waits",
     "The tests of the repository: harness, trees, solutions, skeletons, mutants.",
     "lessons or steps; all by default", nullptr,
     "./ladder test\n"
     "  ./ladder test 03 --part mutants\n"
     "  ./ladder test 03/g2",
     false, add_test_options, with_context<test>},
    {"new", "*", "light",
     "The files of a new rung or lesson, with TODO where something is to be done.",
     "rung LESSON/NAME, lesson NAME, or skeleton LESSON/STEP: cut again from its solution", nullptr,
     "./ladder new rung 03/c3_transposed\n"
     "  ./ladder new lesson 07-jacobi\n"
     "  ./ladder new skeleton 03/c1",
     false, add_no_options, with_context<new_files>},
    {"handout", "*", "light",
     "What students get: chosen rungs with skeletons, without solutions, mutants and answers, as a zip or a folder.",
     nullptr, nullptr,
     "./ladder handout --rungs 03/g1-g3 --out hw2.zip",
     false, add_handout_options, with_context<hand_out>},
    {"solutions", "*", "light",
     "Release solutions into a handout, and what was cut because of them: skeletons of later rungs, answers, hints.",
     "the handouts: zips or folders", nullptr,
     "./ladder solutions hw2.zip --release 03/g1",
     false, add_solutions_options, with_context<release_solutions>},
    {"update", "*", "waits",
     "In a handout: bring a newer one. Your steps, headers, notes.md and .ladder/ stay as they are.",
     "the newer handout: a zip or a folder", nullptr,
     "./ladder update hw2-2.zip\n"
     "  ./ladder update --undo",
     false, add_update_options, with_context<update_handout>},
    {"results", "*", "light",
     "Stored runs: take over one, in whole tracks, and renew the pages that show them. Or what two results differ in.",
     "add FILE.json; compare A.json B.json; rename: give stored runs the names that rungs have now (field `was`); or pages: only renew these", nullptr,
     "./ladder results add run.json --as h200\n"
     "  ./ladder results compare g++12.json g++14.json\n"
     "  ./ladder results pages",
     false, add_results_options, with_context<stored_results>},
    {"course", "* lessons grade", "waits",
     "The course file: assignments, points, deadlines. check grades reference, skeleton, mutants and odd archives as submissions.",
     "new FILE: a commented course file; check FILE: what is wrong with it, by line and column, and a trial of each assignment; purge FILE [FOLDERS]: delete code and evidence of the grades, keep points. FILE is course.toml by default", nullptr,
     "./ladder course new course.toml\n"
     "  ./ladder course check course.toml --assignment hw1",
     false, add_course_options, with_context<course_verb>},
    {"grade", "* lessons grade", "waits but export key merge publish",
     "Grade a folder of submissions that nobody trusts: each confined, by the judge that check uses.",
     "the folder; key FILE: a new class key; merge FOLDERS: the shards of a batch into one; export FOLDER: its grades as CSV, or as a platform reads them; publish FOLDER: its private parts are told to students, with the keys that repeat them; gradescope FOLDER: one run of an autograder; calibrate: bounds of time for this machine", nullptr,
     "./ladder grade submissions/ --out grades/ --rungs 03/g1-g3\n"
     "  ./ladder grade key class.key\n"
     "  ./ladder grade calibrate --rungs 03/c1 --out this-machine.json\n"
     "  ./ladder grade publish grades/ --private exam/ --by anna\n"
     "  ./ladder grade export grades/ --names --out points.csv\n"
     "  ./ladder grade export grades/ --roster roster.csv --as canvas --column \"Homework 2 (12345)\" --out canvas.csv",
     false, add_grade_options, with_context<grade_or_export>},
    {"review", "*", "light",
     "What a person has to look at in a folder of grades, and what they decide; each decision has a reason and a name.",
     "the folder of the grades; for one decision also a submission and a step", nullptr,
     "./ladder review grades/ --by anna\n"
     "  ./ladder review grades/ --course course.toml --ta anna --of 3 --number 1\n"
     "  ./ladder review grades/ S-ABCDEFGH 03/g2 --accept --reason \"own idea, see notes\" --by anna",
     false, add_review_options, with_context<review>},
    {"open", "* lessons grade", "shares but --diff",
     "Repeat what failed of one graded step: same case, same inputs, same sandbox; or look at its changes or its profile.",
     "the folder of the grades, a submission, a step", nullptr,
     "./ladder open grades/ S-ABCDEFGH 03/g2\n"
     "  ./ladder open grades/ S-ABCDEFGH 03/g2 --diff",
     false, add_open_options, with_context<open_submission>},
    {"amend", "* lessons grade", "waits",
     "Mend a slip in a submission, at a price: the step is judged again, and the record keeps both verdicts and the change.",
     "the folder of the grades, a submission, a step; and the mended file, or an editor opens", nullptr,
     "./ladder amend grades/ S-ABCDEFGH 03/g2 --deduct 1 --reason \"a semicolon\" --by anna\n"
     "  ./ladder amend grades/ S-ABCDEFGH 03/g2 mended.cu --deduct 1 --reason \"a semicolon\" --by anna",
     false, add_amend_options, with_context<amend>},
    {"regrade", "* lessons grade", "waits",
     "Judge graded submissions again, with their inputs, after a test was mended: first what would change, then --apply.",
     "the folder of the grades; a submission, or --all", nullptr,
     "./ladder regrade grades/ --all --rungs 03/g2\n"
     "  ./ladder regrade grades/ --all --apply",
     false, add_regrade_options, with_context<regrade>},
    {"image", "* lessons", "waits",
     "A root or image in which everything but steps is built: students start at once, offline. Or an autograder for Gradescope.",
     "lessons; all by default. Or prebuild [LESSONS]: such a harness in the build folder, for LADDER_HARNESS", nullptr,
     "./ladder image --out ladder.tar\n"
     "  ./ladder image --gradescope --rungs 03/g1-g3 --out autograder.zip\n"
     "  LADDER_BUILD=/opt/ladder/build ./ladder image prebuild",
     false, add_image_options, with_context<image>},
    {"exam", "* lessons", "waits",
     "An exam on paper: one sheet per student, one key. Each answer is what a run on the executor has shown.",
     nullptr, nullptr,
     "./ladder exam --rungs 00/g3-g7,03/g1-g3 --students roster.csv --key class.key --out exam/\n"
     "  ./ladder exam --check exam/",
     false, add_exam_options, with_context<make_exam>},
    {"viva", "* lessons grade", "waits",
     "One page for a talk about a submission: its file, and questions that are small edits of it, run in the sandbox.",
     "the folder of the grades, a submission, a step", nullptr,
     "./ladder viva grades/ S-ABCDEFGH 03/g2\n"
     "  ./ladder viva grades/ S-ABCDEFGH 03/g2 --points 2 --note \"knew why\" --by anna",
     false, add_viva_options, with_context<viva>},
    {"similarity", "* similarity", "light",
     "Rare passages that submissions share, for a person to read; a report, no verdict.",
     "the folder of the grades", nullptr,
     "./ladder similarity grades/\n"
     "  ./ladder similarity grades/ --against ../2026/grades/sources",
     false, add_similarity_options, with_context<similarity>},
    {"report", "*", "light",
     "One page about your ladder: verdicts, numbers beside the reference's, roofline, timelines, what has changed since.",
     "lessons; those that you have begun by default", nullptr,
     "./ladder report\n"
     "  ./ladder report 03 --html 03.html",
     false, add_report_options, with_context<make_report>},
    {"docs", "* docs", "light",
     "The site: lessons, guides and code as a folder of files that a browser shows, without a server or a network.",
     nullptr, nullptr,
     "./ladder docs --serve\n"
     "  ./ladder docs --out public/",
     false, add_docs_options, with_context<docs>},
    {"reset", "* lessons", "waits",
     "Put back the skeleton of a step; your file is kept in .ladder/old.",
     "steps", nullptr,
     "./ladder reset 03/g2",
     false, add_no_options, with_context<reset>},
    {"reproduce", "* lessons", "waits",
     "The source's tables and figures on this machine, theirs beside ours.",
     "lessons; or executor, with parts (programs, solutions, findings, costs) or steps: its counters and findings beside the hardware's",
     "solutions",
     "./ladder reproduce 01 --budget 20 --max-size 1024",
     false, add_reproduce_options, with_context<reproduce>},
    // clang-format on
};

}  // namespace

std::span<const Verb> verbs() {
  return table;
}

std::vector<std::string> verb_names() {
  std::vector<std::string> names;
  for (const Verb& verb : table) names.push_back(verb.name);
  return names;
}

int run_verb(const Options& options) {
  for (const Verb& verb : table)
    if (options.verb == verb.name) return verb.run(options);
  return with_context<where_am_i>(options);
}

}  // namespace ladder
