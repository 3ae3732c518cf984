/// @file
/// The verbs that the program ladder-class adds to those of ladder-student: of people who teach. No handout has them.

#include "common/tool/grading/course_verb.hpp"
#include "common/tool/handout/handout.hpp"
#include "common/tool/verb_call.hpp"

namespace ladder {
namespace {

// ./ladder reads the first three fields of each row before there is a program: they stand on one line.
constexpr Verb table[] = {
    // clang-format off
    {"course", "* *archive *course lessons blas grade", "waits",
     "The course file: assignments, points, deadlines. check grades reference, skeleton, mutants and odd archives as submissions.",
     "new FILE: a commented course file; check FILE: what is wrong with it, by line and column, and a trial of each assignment; purge FILE [FOLDERS]: delete code and evidence of the grades, keep points. FILE is course.toml by default", nullptr,
     "./ladder course new course.toml\n"
     "  ./ladder course check course.toml --assignment hw1",
     false, add_course_options, with_context<course_verb>},
    {"handout", "* *archive *course", "light",
     "What students get: chosen rungs with skeletons, without solutions, mutants and answers, as a zip or a folder.",
     nullptr, nullptr,
     "./ladder handout --rungs 03/g1-g3 --out hw2.zip",
     false, add_handout_options, with_context<hand_out>},
    {"solutions", "* *archive *course", "light",
     "Release solutions into a handout, and what was cut because of them: skeletons of later rungs, answers, hints.",
     "the handouts: zips or folders", nullptr,
     "./ladder solutions hw2.zip --release 03/g1",
     false, add_solutions_options, with_context<release_solutions>},
    {"grade", "* *archive *course lessons blas grade", "waits but export key merge publish",
     "Grade a folder of submissions that nobody trusts: each confined, by the judge that check uses.",
     "the folder; key FILE: a new class key; merge FOLDERS: the shards of a batch into one; export FOLDER: its grades as CSV, or as a platform reads them; publish FOLDER: its private parts are told to students, with the keys that repeat them; gradescope FOLDER: one run of an autograder; calibrate: bounds of time for this machine", nullptr,
     "./ladder grade submissions/ --out grades/ --rungs 03/g1-g3\n"
     "  ./ladder grade key class.key\n"
     "  ./ladder grade calibrate --rungs 03/c1 --out this-machine.json\n"
     "  ./ladder grade publish grades/ --private exam/ --by anna\n"
     "  ./ladder grade export grades/ --names --out points.csv\n"
     "  ./ladder grade export grades/ --roster roster.csv --as canvas --column \"Homework 2 (12345)\" --out canvas.csv",
     false, add_grade_options, with_context<privately<grade_or_export>>},
    {"review", "* *archive *course", "light",
     "What a person has to look at in a folder of grades, and what they decide; each decision has a reason and a name.",
     "the folder of the grades; for one decision also a submission and a step", nullptr,
     "./ladder review grades/ --by anna\n"
     "  ./ladder review grades/ --course course.toml --ta anna --of 3 --number 1\n"
     "  ./ladder review grades/ S-ABCDEFGH 03/g2 --accept --reason \"own idea, see notes\" --by anna",
     false, add_review_options, with_context<privately<review>>},
    {"open", "* *archive *course lessons blas grade", "shares but --diff",
     "Repeat what failed of one graded step: same case, same inputs, same sandbox; or look at its changes or its profile.",
     "the folder of the grades, a submission, a step", nullptr,
     "./ladder open grades/ S-ABCDEFGH 03/g2\n"
     "  ./ladder open grades/ S-ABCDEFGH 03/g2 --diff",
     false, add_open_options, with_context<privately<open_submission>>},
    {"amend", "* *archive *course lessons blas grade", "waits",
     "Mend a slip in a submission, at a price: the step is judged again, and the record keeps both verdicts and the change.",
     "the folder of the grades, a submission, a step; and the mended file, or an editor opens", nullptr,
     "./ladder amend grades/ S-ABCDEFGH 03/g2 --deduct 1 --reason \"a semicolon\" --by anna\n"
     "  ./ladder amend grades/ S-ABCDEFGH 03/g2 mended.cu --deduct 1 --reason \"a semicolon\" --by anna",
     false, add_amend_options, with_context<privately<amend>>},
    {"regrade", "* *archive *course lessons blas grade", "waits",
     "Judge graded submissions again, with their inputs, after a test was mended: first what would change, then --apply.",
     "the folder of the grades; a submission, or --all", nullptr,
     "./ladder regrade grades/ --all --rungs 03/g2\n"
     "  ./ladder regrade grades/ --all --apply",
     false, add_regrade_options, with_context<privately<regrade>>},
    {"viva", "* *archive *course lessons blas grade", "waits",
     "One page for a talk about a submission: its file, and questions that are small edits of it, run in the sandbox.",
     "the folder of the grades, a submission, a step", nullptr,
     "./ladder viva grades/ S-ABCDEFGH 03/g2\n"
     "  ./ladder viva grades/ S-ABCDEFGH 03/g2 --points 2 --note \"knew why\" --by anna",
     false, add_viva_options, with_context<privately<viva>>},
    {"similarity", "* *archive *course similarity", "light",
     "Rare passages that submissions share, for a person to read; a report, no verdict.",
     "the folder of the grades", nullptr,
     "./ladder similarity grades/\n"
     "  ./ladder similarity grades/ --against ../2026/grades/sources",
     false, add_similarity_options, with_context<privately<similarity>>},
    {"exam", "* *archive *course lessons blas", "waits",
     "An exam on paper: one sheet per student, one key. Each answer is what a run on the executor has shown.",
     nullptr, nullptr,
     "./ladder exam --rungs 00/g3-g7,03/g1-g3 --students roster.csv --key class.key --out exam/\n"
     "  ./ladder exam --check exam/",
     false, add_exam_options, with_context<privately<make_exam>>},
    {"image", "* *archive *course lessons blas", "waits",
     "A root or image in which everything but steps is built: students start at once, offline. Or an autograder for Gradescope.",
     "lessons; all by default. Or prebuild [LESSONS]: such a harness in the build folder, for LADDER_HARNESS", nullptr,
     "./ladder image --out ladder.tar\n"
     "  ./ladder image --gradescope --rungs 03/g1-g3 --out autograder.zip\n"
     "  LADDER_BUILD=/opt/ladder/build ./ladder image prebuild",
     false, add_image_options, with_context<image>},
    // clang-format on
};

}  // namespace

std::vector<Verb> class_verbs() {
  std::vector<Verb> all = student_verbs();
  all.insert(all.end(), std::begin(table), std::end(table));
  return all;
}

}  // namespace ladder
