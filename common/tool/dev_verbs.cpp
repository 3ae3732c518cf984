/// @file
/// The verbs that the program ladder-dev adds to those of ladder-class: of people who work on this
/// repository. ladder-dev has all.

#include "common/tool/maintain/authoring.hpp"
#include "common/tool/maintain/docs.hpp"
#include "common/tool/maintain/reproduce.hpp"
#include "common/tool/maintain/testing/test.hpp"
#include "common/tool/validate/validate.hpp"
#include "common/tool/verb_call.hpp"

namespace ladder {
namespace {

// ./ladder reads the first three fields of each row before there is a program: they are on one line.
constexpr Verb verb_rows[] = {
    // clang-format off
    {"test", "* *archive *course lessons blas docs grade similarity test", "waits",
     "The tests of the repository: harness, trees, solutions, skeletons, mutants.",
     "lessons or rungs; all by default", nullptr,
     "./ladder test\n"
     "  ./ladder test 03 --part mutants\n"
     "  ./ladder test 03/g2",
     false, add_test_options, with_context<test>},
    {"new", "* *archive *course", "light",
     "The files of a new rung or lesson, with TODO where something is to be done.",
     nullptr, nullptr,
     "./ladder new rung 03/c3_transposed\n"
     "  ./ladder new lesson 07-jacobi",
     false, add_no_options, nullptr},
    {"new rung", "* *archive *course", "light",
     "Solution, skeleton, row and section of a new rung.",
     "LESSON/NAME", nullptr,
     "./ladder new rung 03/c3_transposed",
     false, add_json_option, with_context<new_files>},
    {"new lesson", "* *archive *course", "light",
     "The folders of a new lesson.",
     "NN-NAME", nullptr,
     "./ladder new lesson 07-jacobi",
     false, add_json_option, with_context<new_files>},
    {"new skeleton", "* *archive *course", "light",
     "A rung's skeleton, cut again from its solution.",
     "LESSON/STEP", nullptr,
     "./ladder new skeleton 03/c1",
     false, add_json_option, with_context<new_files>},
    {"results", "* *archive *course", "light",
     "Stored runs, and the pages that show them.",
     nullptr, nullptr,
     "./ladder results add run.json --as h200\n"
     "  ./ladder results pages",
     false, add_no_options, nullptr},
    {"results add", "* *archive *course", "light",
     "Take over a run, in whole tracks, and renew the pages that show it.",
     "FILE.json", nullptr,
     "./ladder results add run.json --as h200",
     false, add_results_add_options, with_context<stored_results>},
    {"results pages", "* *archive *course", "light",
     "Renew the pages that show stored runs.",
     nullptr, nullptr,
     "./ladder results pages",
     false, add_json_option, with_context<stored_results>},
    {"results rename", "* *archive *course", "light",
     "Give stored runs the names that rungs have now (field `was` of their rows).",
     nullptr, nullptr,
     "./ladder results rename",
     false, add_json_option, with_context<stored_results>},
    {"results convert", "* *archive *course", "light",
     "Rewrite results of the schema before as those of the current one.",
     "FILE.json ...", nullptr,
     "./ladder results convert run.json",
     false, add_json_option, with_context<convert_results>},
    {"results compare", "* *archive *course", "light",
     "What two results differ in, but for what a clock measured.",
     "A.json B.json", nullptr,
     "./ladder results compare g++12.json g++14.json",
     false, add_json_option, with_context<compare_results>},
    {"docs", "* *archive *course docs", "light",
     "The site: lessons, guides and code as a folder of files that a browser shows, without a server or a network.",
     nullptr, nullptr,
     "./ladder docs --serve\n"
     "  ./ladder docs --out public/",
     false, add_docs_options, with_context<docs>},
    {"reproduce", "* *archive *course lessons blas", "waits",
     "The source's tables and figures on this machine, theirs next to ours.",
     "lessons; or executor, with parts (programs, solutions, findings, costs) or rungs: its counters and findings next to the hardware's",
     "solutions",
     "./ladder reproduce 01 --budget 20 --max-size 1024",
     false, add_reproduce_options, with_context<reproduce>},
    {"validate", "* *archive *course", "waits",
     "Findings compared with labels: a folder of programs whose bugs are known, each judged as check judges it.",
     "findings", nullptr,
     "./ladder validate findings --suite my-programs --json results.json\n"
     "  ./ladder validate findings --suite my-programs --labels labels.csv -I include --jobs 8\n"
     "  ./ladder validate findings --suite my-programs --device cuda",
     false, add_validate_options, with_context<validate>},
    // clang-format on
};

}  // namespace

std::vector<Verb> dev_verbs() {
  std::vector<Verb> all = class_verbs();
  all.insert(all.end(), std::begin(verb_rows), std::end(verb_rows));
  return all;
}

}  // namespace ladder
