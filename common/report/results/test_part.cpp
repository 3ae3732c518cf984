#include "common/report/results/test_part.hpp"

namespace ladder::report {

const std::vector<TestPart>& test_part_table() {
  static const std::vector<TestPart> parts = {
      {"tree",
       "trees",
       "Every rung is in its table, its skeleton is the cut of its solution, its mutants apply and state "
       "words, and no "
       "number on a page was typed by hand.",
       {"docs/design.md#where-things-are", "docs/adding-a-lesson.md#the-mutants"}},
      {"lines",
       "a rung adds what one idea needs",
       "No solution adds more lines to the rung below it than one idea needs. "
       "No contract is longer than a page.",
       {"docs/contributing.md#style"}},
      {"copies",
       "a course's skeletons show no reference",
       "The skeletons that a course hands out show no line of a reference that a student has still to write.",
       {"docs/handout.md#what-is-cut-and-when-it-comes-back"}},
      {"format",
       "sources have one layout",
       "Every source is laid out as `.clang-format` says, by clang-format 14, and no line has more than 110 "
       "columns.",
       {"docs/contributing.md#style"}},
      {"units",
       "harness and tool",
       "Harness and tool do what the pages promise: the programs and scripts below.",
       {"docs/design.md#the-life-of-a-check"}},
      {"skeletons",
       "skeletons are NOT STARTED",
       "Every skeleton compiles, and is NOT STARTED until its student begins.",
       {"docs/rungs.md#what-the-words-mean"}},
      {"solutions",
       "solutions PASS",
       "Every reference solution passes all its problems and meets its targets; one of each lesson passes a "
       "problem of each size that is timed.",
       {"docs/rungs.md#the-rungs"}},
      {"nobody",
       "as nobody: harness, tool, lesson 00",
       "What root can do, a student without root's rights can do, too: verdicts do not depend on the user.",
       {"docs/design.md#what-each-process-may-do"}},
      {"attempts",
       "attempts get their verdicts",
       "Programs as students write them, right and wrong, get the verdict and the words that `check` owes "
       "them.",
       {"docs/student.md#the-loop-on-one-screen"}},
      {"attacks",
       "attacks on grading",
       "Submissions that attack grading gain nothing and leave nothing behind; honest and unusual ones lose "
       "nothing.",
       {"docs/grading.md#attacks", "docs/grading.md#two-sandboxes"}},
      {"mutants",
       "mutants get their verdicts",
       "The tests of each rung find known mistakes, and say of each what is wrong: its verdict and its "
       "words.",
       {"docs/adding-a-lesson.md#the-mutants"}},
      {"findings",
       "nothing is found in solutions",
       "No reference solution has a race, an access out of bounds or a leak that the observers can find.",
       {"docs/rungs.md#what-the-words-mean"}},
      {"nvcc",
       "CUDA sources compile with nvcc",
       "Every CUDA source that the executor runs is CUDA for NVIDIA's own compiler, too.",
       {"docs/executor.md"}},
      {"docs",
       "documentation",
       "The site builds without a warning, its links lead somewhere, it reads on a phone, and what its "
       "pages show in a terminal and in a notebook happens again.",
       {"docs/contributing.md#the-site", "docs/session.md",
        "docs/elsewhere.md#a-notebook-with-a-gpu-colab-and-others"},
       true,
       {"tests/tool/session/session.sh", "tests/tool/site/look.sh", "tests/tool/site/shots.sh",
        "tests/tool/notebook/notebook.sh"}},
      {"example",
       "the page about new rungs, followed",
       "Whoever follows the page about new rungs and lessons gets what it says.",
       {"docs/adding-a-lesson.md"},
       true,
       {"tests/tool/adding/follow.sh"}},
      {"endings",
       "tool and judge are ended",
       "Tool and judge can be ended at any of 400 moments, and leave neither processes nor shared memory.",
       {"docs/student.md#what-is-kept"},
       false},
      {"sanitized",
       "harness and tool under sanitizers",
       "Harness and tool have no undefined behaviour and no wrong access to memory in any of their own "
       "tests.",
       {"docs/contributing.md#tests"},
       false}};
  return parts;
}

}  // namespace ladder::report
