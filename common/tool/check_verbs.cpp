/// @file
/// The verbs of the program ladder-check: it is built first, and with little.

#include "common/tool/student/check.hpp"
#include "common/tool/student/diff.hpp"
#include "common/tool/student/hint.hpp"
#include "common/tool/student/list.hpp"
#include "common/tool/student/predict.hpp"
#include "common/tool/student/reset.hpp"
#include "common/tool/student/start.hpp"
#include "common/tool/verb_call.hpp"

namespace ladder {
namespace {

// ./ladder reads the first three fields of each row before there is a program: they are on one line.
constexpr Verb verb_rows[] = {
    // clang-format off
    {"check", "* lessons", "waits",
     "Build and judge rungs: correctness, and targets that need no clock. "
     "Or run a CUDA program of yours, with its own main, and say what is wrong in it.",
     "rungs or lessons; or the files of a program: .cu, .cpp, .c", "lessons",
     "./ladder check 03/g2\n"
     "  ./ladder check dgemm/shared_tiles --seed 7 --size 64\n"
     "  ./ladder check reduce.cu timer.cpp -I include -D N=4096 -- 1000 2",
     true, add_check_options, with_context<check>},
    {"predict", "*", "light",
     "Keep a number before profile shows the truth; it goes with a submission and earns no points.",
     "a rung, and METRIC=NUMBER", nullptr,
     "./ladder predict 03/g2 sectors=4000 --size 64\n"
     "  ./ladder predict 03/g2",
     false, add_predict_options, with_context<predict>},
    {"hint", "*", "light",
     "What was just measured and a question about it; then two hints, one more each time; then the page. For the rung that you "
     "missed last, or the one that you name.",
     "a rung", nullptr,
     "./ladder hint\n"
     "  ./ladder hint 03/g2",
     false, add_json_option, with_context<hint>},
    {"diff", "* lessons", "waits",
     "After PASS: your rung next to the reference, what differs and what both measured.",
     "a rung", nullptr,
     "./ladder diff 03/g2",
     false, add_diff_options, with_context<difference_to_reference>},
    {"start", "*", "light",
     "Begin a rung from the rung below it, yours or the reference; what was there is kept in .ladder/old.",
     "a rung", nullptr,
     "./ladder start 03/g4\n"
     "  ./ladder start 03/g4 --from reference",
     false, add_start_options, with_context<start>},
    {"list", "*", "light",
     "The lessons and their rungs: kind, hours, idea, how far you are, your time; in a course also points and deadlines.",
     "lessons; without one the lesson that you are in, and a line for each other", "lessons",
     "./ladder list 03\n"
     "  ./ladder list --all",
     false, add_list_options, with_context<list>},
    {"reset", "* lessons", "waits",
     "Put back the skeleton of a rung, or with --undo what was there before; each file that is replaced is kept in .ladder/old.",
     "rungs", nullptr,
     "./ladder reset 03/g2\n"
     "  ./ladder reset 03/g2 --undo",
     false, add_reset_options, with_context<reset>},
    // clang-format on
};

}  // namespace

std::vector<Verb> check_verbs() {
  return {std::begin(verb_rows), std::end(verb_rows)};
}

}  // namespace ladder
