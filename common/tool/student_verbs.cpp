/// @file
/// The verbs that the program ladder-student adds to those of ladder-check: numbers, pages, what is handed
/// in.

#include "common/tool/handout/handout.hpp"
#include "common/tool/student/bench.hpp"
#include "common/tool/student/doctor.hpp"
#include "common/tool/student/profile.hpp"
#include "common/tool/student/report.hpp"
#include "common/tool/student/run.hpp"
#include "common/tool/student/submit.hpp"
#include "common/tool/verb_call.hpp"
#include "common/tool/watch/watch.hpp"

namespace ladder {
namespace {

int run_doctor(const Options& options) {
  return doctor({.json = options.json, .measure = options.measure, .report = options.staff_report});
}

// ./ladder reads the first three fields of each row before there is a program: they are on one line.
constexpr Verb verb_rows[] = {
    // clang-format off
    {"run", "* *archive lessons blas", "waits",
     "Climb the reference ladders on this machine: correctness, targets and time.",
     "lessons or rungs; all by default", "solutions",
     "./ladder run 01 03\n"
     "  ./ladder run 03 --tree lessons --json results.json\n"
     "  ./ladder run 03/g2 --device executor\n"
     "  ./ladder run 05 --class B --npb",
     false, add_run_options, with_context<run>},
    {"watch", "* *archive lessons", "light",
     "Judge a rung each time its file is saved, until q: first the verdict, then counters and findings. Keys lead on: next, hint, bench, profile, diff.",
     "rungs or lessons; all by default", "lessons",
     "./ladder watch\n"
     "  ./ladder watch 03\n"
     "  ./ladder watch 03/g2 --poll",
     false, add_watch_options, with_context<watch>},
    {"profile", "* *archive lessons", "waits",
     "What the launches of rungs did: sectors, wavefronts, the worst lines, waves and a bound on a device. "
     "Or of a CUDA program of yours.",
     "rungs; or the files of a program: .cu, .cpp, .c", "lessons",
     "./ladder profile 03/g2\n"
     "  ./ladder profile 03/g2 --as \"GTX 1660\" --size 64 --html g2.html\n"
     "  ./ladder profile 03/g2 --under \"ncu --metrics l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum\"\n"
     "  ./ladder profile reduce.cu -- 1000",
     true, add_profile_options, with_context<profile>},
    {"bench", "* *archive lessons blas", "waits",
     "Time your rungs as ratios on this machine: against the baseline, the rung below and libraries, with points and the next point.",
     "rungs or lessons", "lessons",
     "./ladder bench 03/c1\n"
     "  ./ladder bench 03 --html bench.html",
     false, add_bench_options, with_context<bench>},
    {"submit", "* *archive lessons", "waits",
     "Pack what you hand in: rung files, headers, notes.md and predictions, after a build in a clean folder. Prints a receipt.",
     "rungs, ranges or lessons; those of the handout by default", "lessons",
     "./ladder submit 03/g1-g3\n"
     "  ./ladder submit --assignment hw2 --out hw2.zip",
     false, add_submit_options, with_context<submit>},
    {"doctor", "* *archive", "waits",
     "The devices and versions here, what is missing and what that costs, measured ceilings.",
     nullptr, nullptr,
     "./ladder doctor\n"
     "  ./ladder doctor --report > report.txt\n"
     "  ./ladder doctor --json machine.json",
     false, add_doctor_options, run_doctor},
    {"update", "* *archive", "waits",
     "In a handout: bring a newer one. Your rungs, headers, notes.md and .ladder/ stay as they are.",
     "the newer handout: a zip or a folder", nullptr,
     "./ladder update hw2-2.zip\n"
     "  ./ladder update --undo",
     false, add_update_options, with_context<update_handout>},
    {"report", "* *archive", "light",
     "One page about your ladder: verdicts, numbers next to the reference's, roofline, timelines, what has changed since.",
     "lessons; those that you have begun by default", nullptr,
     "./ladder report\n"
     "  ./ladder report 03 --html 03.html",
     false, add_report_options, with_context<make_report>},
    // clang-format on
};

}  // namespace

std::vector<Verb> student_verbs() {
  std::vector<Verb> all = check_verbs();
  all.insert(all.end(), std::begin(verb_rows), std::end(verb_rows));
  return all;
}

}  // namespace ladder
