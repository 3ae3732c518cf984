#!/bin/bash
# docs/run.slurm on a real Slurm of two nodes of this machine, made for the test: ranks of 03/m1 and 08/m1 lie on both,
# and nothing is left there.
# Guards: docs/remote.md#rungs-of-several-processes-over-several-nodes
#   nodes_test.sh [CHECKOUT]     exit status 77: it could not run, and the last line says why
# queue: targets bin/ladder-class bin/confine judges/03-dgemm judges/08-npb-cg workers/solutions/03-dgemm/m1_mpi.mpi workers/solutions/03-dgemm/m1_mpi.mpi-memory workers/solutions/08-npb-cg/m1_gathered_pieces.mpi workers/solutions/08-npb-cg/m1_gathered_pieces.mpi-memory
# queue: cost 30
# queue: memory 2
[ -n "${BASH_VERSION-}" ] || exec bash "$0" "$@"
set -u
. "$(dirname "$0")/slurm.sh"
. "$(dirname "$0")/nodes.sh"
command -v mpirun >/dev/null || { echo "not tried: no mpirun here (openmpi-bin)"; exit 77; }
. "$(dirname "$0")/../../grading/prepare.sh"
clean_up() {
  # shellcheck disable=SC2086  # a list
  [ -z "$started" ] || kill -KILL $started 2>/dev/null # a node ignores all else
  wait 2>/dev/null
  rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT TERM
unset TMPDIR # each node has a /tmp of its own

# --- a checkout whose ./ladder is the tool itself: the real one would wait for the test that calls this
project=$work/project
mkdir -p "$project/docs"
cp "$checkout/docs/run.slurm" "$project/docs/"
printf '#!/bin/sh\nexec "%s" "$@"\n' "$tool" >"$project/ladder"
chmod +x "$project/ladder"
start_slurm_of_two_nodes 4 "$checkout" "$build" "${LADDER_BUILT_STEPS:-$work}"
job() { # options of sbatch, --, arguments of run.slurm
  local options=()
  while [ "$1" != -- ]; do options+=("$1"); shift; done
  shift
  on_first_node sbatch --wait "${options[@]}" -D "$project" -o "$work/job.log" "$project/docs/run.slurm" "$@" >"$work/submitted" 2>&1
  status=$?
  cat "$work/submitted" "$work/job.log" >"$work/output" 2>/dev/null
  return $status
}

check "both rungs pass" job --nodes=2 --ntasks-per-node=2 -- check 03/m1 08/m1 --tree solutions --json "$work/results.json"
both_nodes() { [ "$(grep -o 'of MPI ran on 2 nodes' "$work/results.json" | wc -l)" -ge 2 ]; }
check "with ranks on both nodes" both_nodes
launched() { grep -q 'launch task StepId=1\.' "$work/slurmd2.log"; }
check "which the second node has started" launched
nothing_left() { [ -z "$(on_node "$1" find /tmp /dev/shm -name '*ladder-ranks*' -o -name 'vader*')" ]; }
on_node() { nsenter -t "$(pgrep -P "$(echo "$started" | cut -d ' ' -f $(($1 + 1)))")" -m -p "${@:2}"; }
check "nothing is left on the first node" nothing_left 1
check "nothing is left on the second one" nothing_left 2

check "on one node they run as without Slurm" job --nodes=1 -- check 03/m1 --tree solutions --json "$work/one.json"
one_node() { grep -q '"m1_mpi"' "$work/one.json" && ! grep -q 'of MPI ran on' "$work/one.json"; }
check "and no other node is named" one_node
exit $failed
