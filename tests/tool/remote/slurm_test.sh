#!/bin/sh
# ./ladder check --remote on a host with Slurm: a cluster of this one machine, made for the test and gone with it.
# Guards: docs/remote.md#clusters
#   slurm_test.sh [CHECKOUT]     exit status 77: it could not run, and the last line says why
# queue: cost 8
# queue: memory 1
set -u
checkout=$(cd "${1:-$(dirname "$0")/../../..}" && pwd)
# shellcheck source=tests/tool/remote/slurm.sh
. "$(dirname "$0")/slurm.sh"
work=$(mktemp -d)
chmod 755 "$work"
# shellcheck source=tests/tool/remote/sshd.sh disable=SC2154
. "$(dirname "$0")/sshd.sh"
clean_up() {
  stop_sshd
  # shellcheck disable=SC2086
  [ -z "$started" ] || kill $started 2>/dev/null
  wait
  rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT TERM
start_sshd || exit

start_slurm 1

# shellcheck source=tests/tool/checks.sh
. "$(dirname "$0")/../checks.sh"
# shellcheck source=tests/tool/remote/stand_in.sh
. "$(dirname "$0")/stand_in.sh"
queue() { squeue -h -o '%P %j %t' | grep -q "$1"; }

# A checkout with a stand-in for the tool.
project=$work/project
make_stand_in
cat >"$project/tool.sh" <<'END'
#!/bin/sh
echo "tool $* in $SLURM_JOB_PARTITION"
[ "$2" != slowly ] || { trap 'echo as far as it got; exit 1' TERM; for _ in $(seq 600); do sleep 0.1; done; }
exit 1
END
host cluster "IdentityFile $work/sshd/user" "SLURM_CONF=$work/slurm.conf"
printf '[remote]\nhost = "cluster"\npartition = "gpu"\ntime = "00:02:00"\ncpus = 1\n' >"$project/course.toml"
export LADDER_SSH="$ssh" LADDER_OFFLINE=1
unset LADDER_BUILD LADDER_LOCKED LADDER_HARNESS LADDER_SLURM
cd "$project" || exit 1

status=0
./ladder check one --remote >"$work/out" 2>"$work/err" || status=$?
check "runs where Slurm says, in the course's partition" grep -qF "tool check one in gpu" "$work/out"
check "…with the status of there" test "$status" = 1

srun --quiet -p other sleep 60 &
holder=$!
wait_for queue 'other sleep R'
srun --quiet -p gpu sleep 60 2>/dev/null &
second=$!
wait_for queue 'gpu sleep PD'
status=0
./ladder check two --remote >"$work/out" 2>"$work/err" &
client=$!
wait_for queue 'gpu ladder-.* PD'
wait_for grep -q 'jobs wait' "$work/err"
check "waits in the queue, and says how many do" grep -qF "1 jobs wait in partition gpu" "$work/err"
scancel --name=sleep
wait $holder $second
wait $client || status=$?
check "…then goes on" grep -qF "tool check two in gpu" "$work/out"

setsid ./ladder check slowly --remote >"$work/out" 2>"$work/err" &
client=$!
wait_for grep -q slowly "$work/out"
kill -TERM $client
wait_for grep -q 'as far' "$work/out"
check "ended: what it has is printed" grep -qF "as far as it got" "$work/out"
no_job() { ! queue ladder-; }
wait_for no_job
check "…and no job is left" no_job

[ -z "$failed" ] || { echo "failed:${failed#;}"; exit 1; }
