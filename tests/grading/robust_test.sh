#!/bin/bash
# A batch of grades against everything that can go wrong around it: kill -9, Ctrl-C, a grader that dies or does not end, full
# and unwritable places; shards, and the same again. `./ladder test` calls this with the checkout.
# Guards: docs/grading.md#what-a-batch-does-when-something-goes-wrong
#   robust_test.sh [CHECKOUT]     exit status 77: it could not run, and the last line says why
# queue: targets bin/ladder-class bin/cut bin/confine judges/03-dgemm workers/lessons/03-dgemm/g1_naive.executor workers/lessons/03-dgemm/g1_naive.observed workers/lessons/03-dgemm/g1_naive.lint
# queue: cost 60
# queue: memory 4
[ -n "${BASH_VERSION-}" ] || exec bash "$0" "$@"
set -u
. "$(dirname "$0")/prepare.sh"
cut=$build/bin/cut
trap 'umount "$work/small" 2>/dev/null; rm -rf "$work"' EXIT
unset LADDER_GRADE_SECONDS

# --- the class: two equal mutants, a step that hangs, one that does not build, a solution, a skeleton, a text file
lesson=03-dgemm
for name in anna ben carl dora emil fred; do mkdir "$work/class/$name"; done
"$cut" mutant "$checkout/solutions/$lesson/g1_naive.cu" "$checkout/tests/$lesson/mutants/g1_naive.mutants" transposed >"$work/class/anna/g1_naive.cu"
cp "$work/class/anna/g1_naive.cu" "$work/class/ben/"
# It waits for itself: a loop that computes is ended in the same way, and takes a core whenever it is judged.
sed '/^#include "problem.hpp"/a #include <mutex>
/^void naive(const Problem& p) {/a std::mutex never; never.lock(); never.lock();' "$checkout/solutions/$lesson/g1_naive.cu" >"$work/class/carl/g1_naive.cu"
cp "$checkout/solutions/$lesson/g1_naive.cu" "$work/class/dora/"
echo 'not C++' >"$work/class/emil/g1_naive.cu"
cp "$checkout/lessons/$lesson/g1_naive.cu" "$work/class/fred/"
echo 'I am ill.' >"$work/class/gina.txt"
known "$work"/class/{anna,carl,dora,fred}/g1_naive.cu

grade() { # OUT, options
  local out=$1
  shift
  timeout 900 "$tool" grade "$work/class" --out "$work/$out" --rungs 03/g1 --trust "$@" >"$work/output" 2>&1
}
start() { # OUT, options: in the background, as `grader`; it compiles all: what is killed here must take a while
  local out=$1
  shift
  LADDER_BUILT_STEPS='' "$tool" grade "$work/class" --out "$work/$out" --rungs 03/g1 --trust --key "$work/one/class.key" "$@" >"$work/output" 2>&1 &
  grader=$!
}
until_true() { for _ in $(seq 3000); do "$@" && return 0; sleep 0.1; done; return 1; }
has_records() { [ "$(ls "$work/$1/records" 2>/dev/null | grep -c '\.json$')" -ge "$2" ]; }
lane_of() { cat /proc/"$1"/task/*/children 2>/dev/null | tr ' ' '\n' | grep . | tail -n 1; }
# The records, without the moment of each, the limit of a call, which follows from the reference's time here, and the state
# of the checkout, which may be at work.
records() { sed '/^  "received": /d; /^  "commit": /d; s/return within [0-9.]* s/return in time/' "$work/$1"/records/S-*.json; }
same() { [ "$(records one)" = "$(records "$1")" ] || { diff <(records one) <(records "$1") | head -n 5; false; }; }
# Workers and judges of these batches: their plans and folders lie below TMPDIR.
nobody() { ! grep -lsF "$TMPDIR/ladder-" /proc/[0-9]*/environ /proc/[0-9]*/cmdline >/dev/null; }
no_scratch() { [ -z "$(ls -A "$work/tmp")" ]; }
verdict_of() { sed -n '/"staff"/,/}/s/^ *"verdict": "\(.*\)"/\1/p' $(grep -l "\"name\": \"$2\"" "$work/$1"/records/*.json); }
is() { [ "$1" = "$2" ] || { echo "$1, not $2"; false; }; }

# --- before the work
ln -s /proc "$work/nobody-may"
check 'an unknown place is said' eval '! grade nobody-may/none && says "cannot make"'
touch "$work/file"
check 'a file in the place of the folder is said' eval '! grade file && says "cannot make"'
check 'grades among the submissions are refused' eval '! grade class/grades && says "lies in the folder of submissions"'
check 'an unknown submission is named' eval '! grade none --only anne && says "anna"'
if [ "$(id -u)" = 0 ]; then
  mkdir -m 700 "$work/closed"
  check 'a folder that users of submissions cannot pass through is said' \
    eval '! TMPDIR=$work/closed grade closed-out --sandbox uid && says "closed has mode 700, so that users of submissions do not get to"'
fi
mkdir "$work/small"
if mount -t tmpfs -o size=2m none "$work/small" 2>/dev/null; then
  check 'a full disk is said' eval '! grade small/out && says "2 MB free"'
  umount "$work/small"
fi

# --- the whole batch
check 'the batch is graded' grade one --jobs 2
for expected in anna:WRONG ben:WRONG carl:TIMEOUT dora:PASS "emil:BUILD ERROR" "fred:NOT STARTED" "gina.txt:NOT STARTED"; do
  check "${expected%%:*} gets ${expected#*:}" is "$(verdict_of one "${expected%%:*}")" "${expected#*:}"
done
check 'the reason of a refusal is in its record' grep -q 'the submission could not be read: it is no zip' "$work"/one/records/*.json
check 'equal sources are judged once' is "$(grep -l transposed "$work"/one/logs/*-judge.log 2>/dev/null | wc -l; ls "$work"/one/logs/*-judge.log | wc -l)" "$(printf '0\n4')"
check 'a hang is tried again, and counts when it comes again' grep -q TIMEOUT <(sed -n '/"runs"/,/]/p' "$(grep -l '"name": "carl"' "$work"/one/records/*.json)")
check 'nothing is left of it' eval 'nobody && no_scratch'

# --- the same again, in two shards
cp -r "$work/one" "$work/key"
check 'the first shard is graded' grade left --shard 1/2 --key "$work/one/class.key"
check 'the second shard is graded' grade right --shard 2/2 --key "$work/one/class.key"
"$tool" grade merge "$work/left" "$work/right" --out "$work/merged" >"$work/output" 2>&1
check 'merged shards are the batch, and the same key gives the same grades' same merged

# --- the grader is killed; the rest is done later
start killed
until_true has_records killed 2
kill -9 "$grader"
wait "$grader" 2>/dev/null
check 'kill -9 leaves no process' until_true nobody
rm -f "$work/killed/records/"*.new
check 'the rest is graded' grade killed --resume --key "$work/one/class.key"
check 'what was graded is kept' says 'graded already'
check 'a killed batch that is resumed is the batch' same killed
check 'the folder of a killed grader is removed by the next' no_scratch

# --- Ctrl-C
start stopped --jobs 2
until_true has_records stopped 2
kill -INT "$grader"
wait "$grader"
check 'Ctrl-C ends with status 1' is $? 1
check 'Ctrl-C leaves no process and no folder' eval 'nobody && no_scratch'
check 'Ctrl-C says how to go on' says '--resume'
check 'no record says NOT RUN' eval '! grep -q "NOT RUN" "$work"/stopped/records/*.json'
check 'the rest is graded after Ctrl-C' grade stopped --resume --key "$work/one/class.key"
check 'a stopped batch that is resumed is the batch' same stopped

# --- one process of the grader dies
start died
until_true has_records died 1
until_true eval 'lane=$(lane_of "$grader"); [ -n "$lane" ] && kill -9 "$lane" 2>/dev/null'
wait "$grader"
check 'a lane that dies is started again' is $? 0
check 'a batch with a lane that died is the batch' same died

# --- one does not end, or dies each time: the others are graded
cp -r "$work/one" "$work/slow"
carl=$(grep -l '"name": "carl"' "$work"/one/records/*.json)
rm "$work/slow/records/$(basename "$carl")" $(grep -l TIMEOUT "$work"/slow/judged/*)
LADDER_GRADE_SECONDS=2 grade slow --resume
check 'a submission that does not end is named' says 'it was not graded within 2 s'
check 'and its record says so' grep -q 'not graded within 2 s' "$work/slow/records/$(basename "$carl")"
check 'and it is the only one' is "$(grep -l 'NOT RUN' "$work"/slow/records/*.json | wc -l)" 1
check 'and nothing is left of it' eval 'until_true nobody && no_scratch'
check 'it is judged with --resume' eval 'grade slow --resume; same slow'

# --- one that dies each time
rm "$work/slow/records/$(basename "$carl")" $(grep -l TIMEOUT "$work"/slow/judged/*)
log=$work/slow/logs/$(basename "$carl" .json)-judge.log
rm "$log"
start slow --resume
for _ in 1 2; do
  until_true [ -e "$log" ]
  lane=$(lane_of "$grader")
  rm "$log"
  kill -9 "$lane"
  until_true eval '[ "$(lane_of "$grader")" != "$lane" ]'
done
wait "$grader"
check 'a lane that dies twice is named' says 'its grader died of signal 9 (Killed), twice'
check 'its record says so' grep -q 'died of signal 9' "$work/slow/records/$(basename "$carl")"
check 'a grader that dies leaves nothing' eval 'until_true nobody && no_scratch'

# --- another attempt has other inputs
check 'another attempt is judged again' eval 'grade slow --resume --attempt 2 --only dora && ls "$work"/slow/judged | grep -q attempt2'

# --- another key
"$tool" grade key "$work/other.key" >/dev/null 2>&1
check 'another key is refused when a batch goes on' eval '! grade slow --resume --key "$work/other.key" && says "another class key"'
exit $failed
