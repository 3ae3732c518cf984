#!/bin/bash
# Private tests, and the final phase: what is refused, what each adds to records, and that nothing else in them changes.
# Guards: docs/grading.md#two-phases, docs/grading.md#private-tests
#   final_test.sh [CHECKOUT]     exit status 77: it could not run, and the last line says why
# queue: targets bin/ladder-class bin/confine judges/03-dgemm workers/lessons/03-dgemm/g1_naive.executor workers/lessons/03-dgemm/g1_naive.observed workers/lessons/03-dgemm/c1_openmp.cpu workers/lessons/03-dgemm/c1_openmp.memory workers/lessons/03-dgemm/c1_openmp.races workers/solutions/03-dgemm/g1_naive.executor workers/solutions/03-dgemm/g1_naive.observed workers/solutions/03-dgemm/g1_naive.lint workers/given/03-dgemm/baseline.cpu workers/given/03-dgemm/openblas.cpu workers/lessons/03-dgemm/g1_naive.lint workers/given/03-dgemm/cublas.executor
# queue: cost 60
# queue: memory 4
[ -n "${BASH_VERSION-}" ] || exec bash "$0" "$@"
set -u
. "$(dirname "$0")/prepare.sh"
refused_by() { # words that the one line of an error has, then a command line
  local words=$1
  shift
  "$tool" "$@" >"$work/output" 2>&1 && return 1
  says "$words"
}
refused() { # the same of grade
  local words=$1
  shift
  refused_by "$words" grade "$@"
}

# --- the class: the solution, also of c1, which is timed; one that knows the sizes of the visible cases; and one whose file cannot be
# taken
lesson=03-dgemm
for name in anna ben; do
  mkdir -p "$work/class/$name"
  cp "$checkout/solutions/$lesson/g1_naive.cu" "$work/class/$name/"
done
cp "$checkout/solutions/$lesson/c1_openmp.cpp" "$work/class/anna/"
sed -i 's/  if (p.m == 0 || p.n == 0) return;/  if (p.m == 0 || p.n == 0 || p.m == 97) return;/' "$work/class/ben/g1_naive.cu"
known "$work/class/ben/g1_naive.cu"
mkdir -p "$work/secret/exam" "$work/empty" "$work/class/carl"
{ printf '\xff\xfe'; sed 's/./&\x00/g' "$checkout/solutions/$lesson/g1_naive.cu"; } >"$work/class/carl/g1_naive.cu" # UTF-16
cp -r "$checkout/tests/grading/private/$lesson" "$work/secret/exam/"

# --- before the work
graded=("$work/class" --out "$work/grades" --rungs 03/g1,03/c1)
check "private tests without a sandbox are refused" refused "--private needs a sandbox" "${graded[@]}" --private "$work/secret/exam" --sandbox none --trust
if ! "$tool" grade "$work/class" --out "$work/probe" --rungs 03/g1 --only anna >"$work/output" 2>&1 && says "cannot be sandboxed here"; then
  [ "$failed" = 0 ] || exit 1
  echo "not tried: $(tail -n 1 "$work/output")"
  exit 77
fi
check "private tests in the checkout are refused" refused "outside of the checkout" "${graded[@]}" --private "$checkout/tests/grading/private"
check "a folder without tests of the lesson is refused" refused "no tests of" "${graded[@]}" --private "$work/empty"
check "final without a folder is refused" refused "name their folder with --into FOLDER" --phase final
check "final of several at once is refused" refused "one submission at a time" --phase final --into "$work/grades" --jobs 2
check "final without grades is refused" refused "no grades here" --phase final --into "$work/empty"

# --- instant: what opens later is announced, and is no 0
"$tool" grade "${graded[@]}" --private "$work/secret/exam" --opens "after 2027-02-14 23:59" >"$work/output" 2>&1
check "the instant phase is done" [ "$?" = 0 ]
pages() { cat "$work"/grades/pages/*.html; }
check "a page announces the private part" eval 'pages | grep -qF "private part, 3 points, opens after 2027-02-14 23:59"'
check "a page announces the time" eval 'pages | grep -qF "time, 2 points, opens when the grading machine has measured it"'
record_of() { grep -lF "\"name\": \"$1\"" "$work"/grades/records/*.json; }
anna=$(record_of anna) ben=$(record_of ben)
# The entries of a phase in a record; what is open in them follows from the others.
entries() { awk -v phase="\"phase\": \"$1\"" '/^  \{/{b=""} {b=b $0 "\n"} /^  \}/{if (index(b, phase)) printf "%s", b; b=""}' "$2" | grep -v '"open_points"' | sed 's/,$//'; }
check "nothing is final yet" [ -z "$(entries final "$anna")" ]
check "and nothing to publish" refused "no private part is judged yet" publish "$work/grades" --private "$work/secret/exam" --by eva
before=$(entries instant "$anna"; entries instant "$ben")

# --- final
"$tool" grade --phase final --into "$work/grades" --private "$work/secret/exam" --budget 1 --seed 7 >"$work/output" 2>&1
check "the final phase says its order" says "--seed 7"
after=$(entries instant "$anna"; entries instant "$ben")
check "no entry of the instant phase has changed" [ "$before" = "$after" ]
check "the solution has the points of the private part" eval 'entries final "$anna" | grep -qF "\"points\": 3"'
check "who knows the visible sizes has not" eval 'entries final "$ben" | grep -qF "WRONG"'
check "why a file was not taken is no other reason later" eval 'entries final "$(record_of carl)" | grep -qF "it is UTF-16"'
check "the time says where it was measured" eval 'entries final "$anna" | grep -qF "\"measured_on\""'
check "and so does the page" eval 'pages | grep -qF "Measured on"'
check "no key of private inputs is kept" eval '! entries final "$ben" | grep -qE "[0-9a-f]{64}.*key|\"key\""'
check "a student reads nothing of a private case" eval '! pages | grep -qF "m = 97"'
check "the first ones were measured twice" grep -qF '"again": [' "$work/grades/final.json"

# --- staff opens a private part that failed
check "an open part must be judged" refused_by "is not judged yet" open "$work/grades" "$(basename "$anna" .json)" 03/c1 --private "$work/secret/exam"
"$tool" open "$work/grades" "$(basename "$ben" .json)" 03/g1 --private "$work/secret/exam" >"$work/output" 2>&1
check "open repeats a private case" says "graded WRONG, now WRONG"
check "the one that failed" says "m = 97, n = 31, k = 66, lda = 71, ldb = 33, ldc = 40 alone, with its inputs"

# --- published: a page shows the private part, and check repeats it with the tests and the key
check "nobody publishes without a name" refused "--by NAME" publish "$work/grades" --private "$work/secret/exam"
check "nor by another folder" refused "no tests of 03-dgemm" publish "$work/grades" --private "$work/empty" --by eva
"$tool" grade publish "$work/grades" --private "$work/secret/exam" --by eva >"$work/output" 2>&1
check "private parts are published" says "2 private parts are told from now on"
page=$work/grades/pages/$(basename "$ben" .json).html
check "the page shows the private case" grep -qF "m = 97" "$page"
repeat=$(grep -oE "check 03/g1 --private exam --seed [0-9a-f]{64}" "$page" | head -n 1)
check "and how to repeat it" [ -n "$repeat" ]
"$tool" check 03/g1 --tree solutions --private "$work/secret/exam" --seed "${repeat##* }" --json "$work/checked.json" >"$work/output" 2>&1
check "check judges by these tests: the reference is right" [ "$?" = 0 ]
check "and by no others" eval 'grep -qF "\"class\": \"ill-scaled\"" "$work/checked.json" && ! grep -qF "\"class\": \"leading dimensions\"" "$work/checked.json"'

# --- regrade, where the judge of the private tests dies at ben's step: what else was judged again is good
mkdir -p "$work/dying/exam"
cp -r "$work/secret/exam/$lesson" "$work/dying/exam/"
cat >>"$work/dying/exam/$lesson/private_test.cpp" <<'END'
#include <cstdlib>
#include <fstream>
#include <iterator>
static const bool survives = [] {
  std::ifstream plan(std::getenv("LADDER_PLAN"));
  const std::string text{std::istreambuf_iterator<char>(plan), {}};
  return text.find("/reference/") != text.npos || (std::abort(), false);
}();
END
"$tool" regrade "$work/grades" "$(basename "$ben" .json)" --rungs 03/g1 --private "$work/dying/exam" >"$work/output" 2>&1
check "a private part that cannot be judged again is no success" [ "$?" = 1 ]
check "it is said, and stays" says "03/g1, private part: it could not be judged again and stays as it is"
check "and the rest of the rung is judged" eval '! says "NOT RUN"'

# --- bounds of this machine
"$tool" grade calibrate --rungs 03/c1 --runs 3 --out "$work/bounds.json" >"$work/output" 2>&1
check "calibrate measures this machine" [ "$?" = 0 ]
check "reference and slow version are in its file" [ "$(grep -c '"ratios"' "$work/bounds.json")" = 2 ]
final_by() { # file of bounds
  "$tool" grade --phase final --into "$work/grades" --rungs 03/c1 --bounds "$1" --budget 1 --seed 7 >"$work/output" 2>&1
}
check "the final phase takes these bounds" eval 'final_by "$work/bounds.json"; says "S-"'
sed -E 's/^( *"(model|peer)": ").*"/\1of another machine"/' "$work/bounds.json" >"$work/other.json"
check "and refuses those of another machine" eval '! final_by "$work/other.json" && says "./ladder grade calibrate --rungs 03/c1 measures them here"'
sed -i 's/"measured_on": ".*"/"measured_on": "another machine"/' "$anna"
check "times of two machines are refused" refused "all time points of a rung come from one machine" --phase final --into "$work/grades"
exit "$failed"
