/// @file
/// The verbs that the program ladder-class adds to those of ladder-student: of people who teach. No handout
/// has them.

#include "common/tool/exam/exam.hpp"
#include "common/tool/exam/similarity.hpp"
#include "common/tool/exam/viva.hpp"
#include "common/tool/grading/course_verb.hpp"
#include "common/tool/grading/export/grade_export.hpp"
#include "common/tool/grading/export/grade_publish.hpp"
#include "common/tool/grading/grade.hpp"
#include "common/tool/grading/grade_batch.hpp"
#include "common/tool/grading/grade_options.hpp"
#include "common/tool/grading/image.hpp"
#include "common/tool/handout/handout.hpp"
#include "common/tool/review/amend.hpp"
#include "common/tool/review/open.hpp"
#include "common/tool/review/regrade.hpp"
#include "common/tool/review/review.hpp"
#include "common/tool/verb_call.hpp"

namespace ladder {
namespace {

// ./ladder reads the first three fields of each row before there is a program: they are on one line.
constexpr Verb verb_rows[] = {
    // clang-format off
    {"course", "* *archive *course", "light",
     "The course file: assignments, points, deadlines; and its trial.",
     nullptr, nullptr,
     "./ladder course new course.toml\n"
     "  ./ladder course check course.toml --assignment hw1",
     false, add_no_options, nullptr},
    {"course new", "* *archive *course", "light",
     "A commented course file.",
     "the file; course.toml by default", nullptr,
     "./ladder course new course.toml",
     false, add_no_options, with_context<course_new>},
    {"course check", "* *archive *course lessons blas grade", "waits",
     "What is wrong with a course file, by line and column; then a trial of each assignment: it grades reference, skeleton, mutants and odd archives as submissions.",
     "the file; course.toml by default", nullptr,
     "./ladder course check course.toml --assignment hw1",
     false, add_course_check_options, with_context<course_check>},
    {"course purge", "* *archive *course", "light",
     "Delete code and evidence of a course's grades, and keep points.",
     "the course file, course.toml by default; then folders of grades, those next to it by default", nullptr,
     "./ladder course purge course.toml --apply",
     false, add_course_purge_options, with_context<course_purge>},
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
    {"grade", "* *archive *course lessons blas grade", "waits",
     "Grade a folder of untrusted submissions: each confined, by the judge that check uses.",
     "the folder", nullptr,
     "./ladder grade submissions/ --out grades/ --rungs 03/g1-g3\n"
     "  ./ladder grade --phase final --into grades/",
     false, add_grade_options, with_context<privately<grade_submissions>>},
    {"grade key", "* *archive *course", "light",
     "A new class key, from which the inputs of a class are drawn.",
     "the file", nullptr,
     "./ladder grade key class.key",
     false, add_no_options, with_context<privately<new_class_key>>},
    {"grade merge", "* *archive *course", "light",
     "The shards of a batch as one folder of grades.",
     "the folders of the shards", nullptr,
     "./ladder grade merge part-1/ part-2/ --out grades/",
     false, add_grade_merge_options, with_context<privately<merge_shards>>},
    {"grade export", "* *archive *course", "light",
     "Grades as CSV, or as a platform reads them.",
     "the folder of the grades", nullptr,
     "./ladder grade export grades/ --names --out points.csv\n"
     "  ./ladder grade export grades/ --roster roster.csv --as canvas --column \"Homework 2 (12345)\" --out canvas.csv",
     false, add_grade_export_options, with_context<privately<export_grades>>},
    {"grade publish", "* *archive *course", "light",
     "Tell students the private parts of their grades, with the keys that repeat them.",
     "the folder of the grades", nullptr,
     "./ladder grade publish grades/ --private exam/ --by anna",
     false, add_grade_publish_options, with_context<privately<publish_private>>},
    {"grade calibrate", "* *archive *course lessons blas grade", "waits",
     "Bounds of time for this machine, from the reference's own times.",
     nullptr, nullptr,
     "./ladder grade calibrate --rungs 03/c1 --out this-machine.json",
     false, add_grade_calibrate_options, with_context<privately<calibrate>>},
    {"grade gradescope", "* *archive *course lessons blas grade", "waits",
     "One run of an autograder, inside it.",
     "the folder, /autograder", nullptr,
     "./ladder grade gradescope /autograder",
     false, add_no_options, with_context<privately<grade_for_gradescope>>},
    {"review", "* *archive *course", "light",
     "What a person has to look at in a folder of grades, and what they decide; each decision has a reason and a name.",
     "the folder of the grades; for one decision also a submission and a rung", nullptr,
     "./ladder review grades/ --by anna\n"
     "  ./ladder review grades/ --course course.toml --ta anna --of 3 --number 1\n"
     "  ./ladder review grades/ S-ABCDEFGH 03/g2 --accept --reason \"own idea, see notes\" --by anna",
     false, add_review_options, with_context<privately<review>>},
    {"open", "* *archive *course lessons blas grade", "shares but --diff",
     "Repeat what failed of one graded rung: same case, same inputs, same sandbox; or look at its changes or its profile.",
     "the folder of the grades, a submission, a rung", nullptr,
     "./ladder open grades/ S-ABCDEFGH 03/g2\n"
     "  ./ladder open grades/ S-ABCDEFGH 03/g2 --diff",
     false, add_open_options, with_context<privately<open_submission>>},
    {"amend", "* *archive *course lessons blas grade", "waits",
     "Fix a slip in a submission, at a price: the rung is judged again, and the record keeps both verdicts and the change.",
     "the folder of the grades, a submission, a rung; and the fixed file, or an editor opens", nullptr,
     "./ladder amend grades/ S-ABCDEFGH 03/g2 --deduct 1 --reason \"a semicolon\" --by anna\n"
     "  ./ladder amend grades/ S-ABCDEFGH 03/g2 fixed.cu --deduct 1 --reason \"a semicolon\" --by anna",
     false, add_amend_options, with_context<privately<amend>>},
    {"regrade", "* *archive *course lessons blas grade", "waits",
     "Judge graded submissions again, with their inputs, after a test was fixed: first what would change, then --apply.",
     "the folder of the grades; a submission, or --all", nullptr,
     "./ladder regrade grades/ --all --rungs 03/g2\n"
     "  ./ladder regrade grades/ --all --apply",
     false, add_regrade_options, with_context<privately<regrade>>},
    {"viva", "* *archive *course lessons blas grade", "waits",
     "One page for a talk about a submission: its file, and questions that are small edits of it, run in the sandbox.",
     "the folder of the grades, a submission, a rung", nullptr,
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
     "A root or image in which everything but rungs is built: students start at once, offline. Or an autograder for Gradescope.",
     "lessons; all by default", nullptr,
     "./ladder image --out ladder.tar\n"
     "  ./ladder image --gradescope --rungs 03/g1-g3 --out autograder.zip",
     false, add_image_options, with_context<image>},
    {"image prebuild", "* *archive *course lessons blas", "waits",
     "The same in the build folder, for LADDER_HARNESS.",
     "lessons; all by default", nullptr,
     "LADDER_BUILD=/opt/ladder/build ./ladder image prebuild",
     false, add_image_prebuild_options, with_context<prebuild_here>},
    // clang-format on
};

}  // namespace

std::vector<Verb> class_verbs() {
  std::vector<Verb> all = student_verbs();
  all.insert(all.end(), std::begin(verb_rows), std::end(verb_rows));
  return all;
}

}  // namespace ladder
