#!/bin/bash
# docs/grade.slurm on a real Slurm of this machine, made for the test and gone with it: a job array of two shards, a task that is
# started again, and the merged grades, which are those of one batch. `./ladder test` calls this with the checkout.
# Guards: docs/grading.md#many-machines
#   slurm_array_test.sh [CHECKOUT]     exit status 77: it could not run, and the last line says why
# queue: targets bin/ladder-class bin/confine judges/03-dgemm workers/lessons/03-dgemm/g1_naive.executor workers/lessons/03-dgemm/g1_naive.observed workers/lessons/03-dgemm/g1_naive.lint
# queue: cost 20
# queue: memory 4
[ -n "${BASH_VERSION-}" ] || exec bash "$0" "$@"
set -u
. "$(dirname "$0")/../tool/remote/slurm.sh"
. "$(dirname "$0")/prepare.sh"
clean_up() {
  # shellcheck disable=SC2086
  [ -z "$started" ] || kill $started 2>/dev/null
  wait
  rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

# --- a checkout whose ./ladder is the tool itself: the real one would wait for the test that calls this
project=$work/project
mkdir -p "$project/docs"
cp "$checkout/docs/grade.slurm" "$project/docs/"
printf '#!/bin/sh\nexec "%s" "$@"\n' "$tool" >"$project/ladder"
chmod +x "$project/ladder"
lesson=03-dgemm rungs=03/g1
mkdir "$work/class/anna" "$work/class/ben" "$work/class/carl" "$work/class/dora" "$work/class/emil"
cp "$checkout/solutions/$lesson/g1_naive.cu" "$work/class/anna/"
cp "$checkout/lessons/$lesson/g1_naive.cu" "$work/class/ben/"
echo 'not C++' >"$work/class/carl/g1_naive.cu"
sed 's/double sum = 0;/double sum = 1;/' "$checkout/solutions/$lesson/g1_naive.cu" >"$work/class/dora/g1_naive.cu"
cp "$work/class/dora/g1_naive.cu" "$work/class/emil/"
echo 'I am ill.' >"$work/class/fred.txt"
known "$work/class/dora/g1_naive.cu"

# --- one batch
ladder grade key "$work/class.key"
if ! ladder grade "$work/class" --out "$work/one" --rungs "$rungs" --key "$work/class.key"; then
  if says "cannot be sandboxed here"; then echo "not tried: $(tail -n 1 "$work/output")"; exit 77; fi
fi
check "the batch is graded" says "overview.html"

# --- the same as a job array
start_slurm 8
cd "$project" || exit 1
ended() { # no job is left: a squeue that fails has not said so
  for _ in $(seq 6000); do left=$(squeue -h -o %A 2>/dev/null) && [ -z "$left" ] && return 0; sleep 0.2; done
  return 1
}
job=$(sbatch --parsable --array=1-2 docs/grade.slurm "$work/class" "$work/grades" "$rungs" "$work/class.key" 2>"$work/output")
check "Slurm takes the job array" test -n "$job" || exit 1
check "and ends it" ended
cat ladder-grade-*.log >"$work/output" 2>&1
check "each task has graded its shard" test "$(grep -c 'sandbox: ' "$work/output")" = 2
check "and none the other's" test -z "$(ls "$work"/grades/part-*/records | grep '^S-' | sort | uniq -d)"
# Slurm would wait two minutes, for what the first start was allowed with to expire.
again() { scontrol requeue "${job}_1" >"$work/output" 2>&1 && scontrol update JobId="${job}_1" StartTime=now >>"$work/output" 2>&1; }
check "a task is started again" again
check "and ends" ended
cat "ladder-grade-${job}-1.log" >"$work/output"
check "and judges nothing twice" grep -qE '([0-9]+) submissions, \1 of them graded already' "$work/output"
ladder grade merge "$work"/grades/part-* --out "$work/grades"
# The records, without the moment of each, the limit of a call, which follows from the reference's time, and the commit.
records() { sed '/^  "received": /d; /^  "commit": /d; s/return within [0-9.]* s/return in time/' "$1"/records/S-*.json; }
same() { diff <(records "$work/one") <(records "$work/grades") >"$work/output" && diff "$work/one/grades.csv" "$work/grades/grades.csv" >>"$work/output"; }
check "the merged grades are those of one batch" same
check "all of them" test "$(ls "$work/grades/records" | grep -c '^S-')" = "$(ls "$work/class" | wc -l)"
exit $failed
