"""Sources that make_course.py hands in, what each is worth, and the private tests that judge them."""
import math, sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LESSON = "03-dgemm"
FILES = {"g1": "g1_naive.cu", "g2": "g2_shared_tiles.cu", "g3": "g3_register_tiles.cu"}
WORTH = {"g1": 8, "g2": 8, "g3": 10}


def text_of(path):
    lines = (ROOT / path).read_text().splitlines(keepends=True)
    while lines[0].startswith(("// verdict", "// must", "// not")):  # what a test says of itself
        lines.pop(0)
    return "".join(lines)


def solution(rung):
    return text_of(f"solutions/{LESSON}/{FILES[rung]}")


def attempt(rung, name):
    return text_of(f"tests/{LESSON}/attempts/{FILES[rung][:-3]}.{name}.cu")


def replaced(text, old, new):
    """A text that does not have what is replaced would make another submission than the one that is expected."""
    if text.count(old) != 1: sys.exit(f"course_sources.py: {text.count(old)} times {old!r}, not once")
    return text.replace(old, new)


def with_line(rung, line):
    """The solution with a line at the start of the function that the lesson calls."""
    return replaced(solution(rung), "(const Problem& p) {\n", "(const Problem& p) {\n  " + line + "\n")


# Rows that lie apart: 33/9 of the sectors. Full points up to 1.1 times the necessary amount, none at 8 times.
STRIDED = (33 * 256**3 / 32 + 256**2) / (9 * 256**3 / 32 + 256**2 / 4)
# The text, its share of the rung's points, and points of the private tests: at first, and when fixed.
KINDS = {
    "g1": {
        "reference": (solution("g1"), 1, (4, 4)),
        "grid_stride": (attempt("g1", "grid_stride"), 1, (2, 4)),  # right; not a thread for each element
        "flat_index": (attempt("g1", "flat_index"), 1, (4, 4)),
        "strided": (attempt("g1", "row_follows_x"), 1 - 0.5 * math.log(STRIDED / 1.1) / math.log(8 / 1.1),
                    (4, 4)),  # the fixed test would lower it: it stays
        "float_sum": (attempt("g1", "float_sum"), 0.5 / 7, (0, 0)),  # without elements it is right
        "few_sizes": (with_line("g1", "if (p.m == 73 || p.m == 46) return;"), 1, (2, 2)),
        "looked_at": (replaced(with_line("g1", "std::atexit([] {});"), '#include "problem.hpp"',
                               '#include "problem.hpp"\n#include <cstdlib>'), 1, (4, 4)),
        "unbuilt": (replaced(solution("g1"), "double sum = 0;", "double sum = 0"), 0, (0, 0)),
        "skeleton": (text_of(f"lessons/{LESSON}/{FILES['g1']}"), 0, (0, 0)),
        "none": (None, 0, (0, 0)),
    },
    "g2": {
        "reference": (solution("g2"), 1, (2, 2)),
        "dynamic": (attempt("g2", "dynamic_shared"), 1, (2, 2)),
        "flipped": (attempt("g2", "flipped_grid"), 1, (2, 2)),
        "skeleton": (text_of(f"lessons/{LESSON}/{FILES['g2']}"), 0, (0, 0)),
        "none": (None, 0, (0, 0)),
    },
    "g3": {
        "reference": (solution("g3"), 1, (0, 0)),
        "skeleton": (text_of(f"lessons/{LESSON}/{FILES['g3']}"), 0, (0, 0)),
        "none": (None, 0, (0, 0)),
    },
}
DRAFTS = {"g1": ["skeleton", "float_sum", "strided", "unbuilt", "reference"],
          "g2": ["none", "skeleton", "reference"],
          "g3": ["none", "skeleton"]}
FINALS = {"g1": ["reference"] * 4 + ["grid_stride"] * 2 + ["flat_index", "strided"],
          "g2": ["reference"] * 3 + ["dynamic", "flipped", "none"],
          "g3": ["reference"] * 2 + ["skeleton", "none"]}


def encoded(text, encoding):
    if encoding == "utf16": return text.encode("utf-16")
    if encoding == "latin1": return "// Jörg Müller\n".encode("latin-1") + text.encode("ascii", "replace")
    if encoding == "crlf": return text.replace("\n", "\r\n").encode()
    return (b"\xef\xbb\xbf" if encoding == "bom" else b"") + text.encode()


PRIVATE = """// Private tests of hw1.
#include "common/judge/private_tests.hpp"
#include "dgemm_test.cpp"  // the lesson's suite: its problems, how a result is verified

namespace {

std::vector<test::Case> private_cases(const Step&) {
  return {{"general", 73, 56, 104}, {"tails", 46, 71, 29}};
}

TARGET
const auto g1 = [](Step& row) {
  row.points.correctness = 2;
  row.points.targets = 2;
  row.targets[0] = of_g1;
};
const auto g2 = [](Step& row) { row.points.correctness = 2; };
const ladder::PrivateTable table({{"g1_naive.cu", g1}, {"g2_shared_tiles.cu", g2}});

}  // namespace

LADDER_PRIVATE_JUDGE(suite, table, private_cases)
"""
WRONG = """/// A thread for each element of C.
const ladder::Target of_g1{.metric = "work_items",
                           .relation = ">=",
                           .bound = 224 * 224,
                           .necessary = "1: the bound is the number of threads",
                           .amount = "as_it_is",
                           .size = 224};
"""
MENDED = """/// What the task asks for, at another size.
const ladder::Target of_g1{.metric = "sectors",
                           .relation = "<=",
                           .bound = 1.1,
                           .necessary = "9 n^3/32 + n^2/4 sectors",
                           .amount = "naive_sectors",
                           .size = 224};
"""
