#!/bin/sh
# remote_job.sh MODE …: the part of `./ladder check --remote HOST` that runs on HOST; the other one is remote.sh.
#   probe COPY [CALL [GONE]]
#                      makes the folder of this copy, says where it is and whether a job of it is there. CALL is going to
#                      send, and nobody else before its job has started; the call GONE does so no longer
#   start JOB          reads its settings from standard input, starts it so that it outlives the connection, follows it
#   follow JOB         prints what it prints, from its beginning; ends with its exit status
#   cancel JOB         ends it and all its processes; done JOB: removes it; free JOB: its call does not send after all
#   work JOB, node JOB the job itself, where one logs in; its part on the machine that computes (Slurm's, or the same one)
# shellcheck disable=SC2015,SC2119,SC2120,SC2154
set -u
machine=$(uname -n)
problem() { echo "ladder: $machine: $*" >&2; exit 2; }

probe() {
  [ "$(uname -s)" = Linux ] || problem "it runs $(uname -s); GPU Ladder's programs run on Linux"
  command -v rsync >/dev/null || problem "rsync is missing there: its administrator installs it (apt-get install rsync)"
  base=${XDG_CACHE_HOME:-$HOME/.cache}/gpu-ladder/remote/$1
  why=$({
    umask 077
    mkdir -p "$base/jobs" "$base/tree/.ladder" "$base/elsewhere" && echo >"$base/try" && rm "$base/try"
  } 2>&1) ||
    problem "cannot write in $base: ${why##*: }"
  echo "ladder-base $base"
  [ -z "${2-}" ] || claim "$2" "${3-}" || return 0
  last=$(cat "$base/last" 2>/dev/null) || return 0
  job=$base/jobs/$last
  [ -e "$job/settings" ] || return 0
  if lost; then state=lost; elif [ -e "$job/status" ]; then state=ended; else state=running; fi
  echo "ladder-job $last $state"
}

# A link, which is made with its text or not at all. One of a quarter of an hour ago is of a call that has gone.
claim() {
  by=$(readlink "$base/busy")
  if [ -n "$by" ] && { [ "$by" = "$2" ] || [ $(($(date +%s) - $(stat -c %Y "$base/busy"))) -gt 900 ]; }; then
    rm -f "$base/busy"
  fi
  ln -s "$1" "$base/busy" 2>/dev/null || { echo "ladder-busy $(readlink "$base/busy")"; return 1; }
}

# Whether the job can still end by itself. Of one that was started on another machine (clusters have several to log in to)
# Slurm knows. Where nobody says that it has gone, it is there: what is given up is deleted.
alive() {
  pid=$(cat "$job/pid" 2>/dev/null) || return 1
  here=''
  read -r where_started <"$job/machine" || where_started=$machine
  if [ "$where_started" = "$machine" ]; then
    ! tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline" | grep -qF "$job " || { here=yes; return 0; }
    # shellcheck disable=SC1091
    (. "$job/settings"; uses_slurm) || return 1
  fi
  queued=$(squeue -h -n "ladder-${job##*/}" 2>/dev/null) || return 0
  [ -n "$queued" ]
}
# Its status is written a little after it has left the queue, and comes late over the network.
lost() {
  for _ in 1 2 3 4 5 6; do
    if [ -e "$job/status" ] || alive; then return 1; fi
    sleep 1
  done
}

start() {
  mkdir -p "$job" && cat >"$job/settings" && : >"$job/out" && : >"$job/err" && echo "$machine" >"$job/machine" &&
    echo "${job##*/}" >"$base/last" || { rm -f "$base/busy"; problem "cannot write in $job"; }
  setsid sh "$0" work "$job" </dev/null >/dev/null 2>&1 &
  echo $! >"$job/pid"
  rm -f "$base/busy"
  follow </dev/null
}

# What a file has beyond so many bytes, up to its size. (tail --pid can miss what comes last.)
show() {
  size=$(stat -c %s "$1")
  [ "$size" = "$2" ] || tail -c "+$(($2 + 1))" "$1" | head -c "$((size - $2))"
}

follow() {
  [ -e "$job/settings" ] || problem "no such job: $job"
  out=0 err=0 turn=0 over=''
  while [ -z "$over" ]; do
    if [ $((turn % 10)) = 9 ] && lost; then over=yes; fi
    if [ -e "$job/status" ]; then over=yes; fi
    show "$job/err" "$err" >&2
    err=$size
    show "$job/out" "$out"
    out=$size
    turn=$((turn + 1))
    [ "$over" ] || sleep 0.2
  done
  if [ ! -e "$job/status" ]; then
    echo "ladder: $machine: the job ended without a result: it was killed, or the machine restarted" >&2
    exit 125
  fi
  exit "$(cat "$job/status")"
}

# What the job's processes get, this one gets too (they are one group): it stays to write down how they ended.
work() {
  trap : TERM
  set -- sh "$base/tree/common/tool/remote_job.sh" node "$job"
  [ -z "$image" ] || set -- apptainer exec --nv --bind "$base" "$image" "$@"
  if uses_slurm; then
    waiting=$(squeue -h -t PD ${partition:+-p "$partition"} 2>/dev/null | wc -l)
    [ "$waiting" = 0 ] ||
      echo "ladder: $machine: $waiting jobs wait${partition:+ in partition $partition} before this one" >>"$job/err"
    # shellcheck disable=SC2086  # options, one word each
    set -- srun --job-name="ladder-${job##*/}" --ntasks=1 --input=none --quiet ${account:+--account="$account"} \
      ${partition:+--partition="$partition"} ${gres:+--gres="$gres"} ${time:+--time="$time"} \
      ${cpus:+--cpus-per-task="$cpus"} $slurm "$@"
  fi
  status=143
  [ -e "$job/cancelled" ] || { "$@" </dev/null >>"$job/out" 2>>"$job/err"; status=$?; }
  case $status in 125 | 255) status=2 ;; esac # these mean that the job, or the connection, is lost
  write_down "$status"
}
write_down() { # the exit status, and .ladder, of which the next job brings another
  rm -rf "$job/ladder.part"
  [ -d "$job/ladder" ] ||
    { cp -R "$base/tree/.ladder" "$job/ladder.part" && mv "$job/ladder.part" "$job/ladder"; } 2>>"$job/err" ||
    set -- 2
  echo "$1" >"$job/status.part" && mv "$job/status.part" "$job/status"
}
# Its programs alone do not make a cluster.
uses_slurm() {
  [ "$slurm" != none ] && command -v srun >/dev/null || return 1
  [ -n "${SLURM_CONF-}" ] || [ -e /etc/slurm/slurm.conf ] || sinfo -h >/dev/null 2>&1
}

node() {
  [ -d "$base/tree" ] || problem "there is no $base: what computes must see the home folder of where one logs in"
  mkdir -p "$base/$where" && cd "$base/$where" || exit 2
  # Of an earlier job; where git would ignore it, it is still there.
  printf %s "$outputs" | while IFS= read -r file; do rm -f "./$file"; done
  build_folder
  eval "set -- $words"
  [ "$verb" != bench ] || queue
  [ -z "$columns" ] || export COLUMNS="$columns"
  [ -z "$no_colour" ] || export NO_COLOR="$no_colour"
  export TERM="$terminal" LADDER_LIVE="$live" LADDER_HOST="$host" LADDER_OFFLINE=1
  exec "$base/tree/ladder" "$@"
}

# Object files of one machine do not run on every other one (-march=native), nor do those of another toolkit.
build_folder() {
  [ -z "${LADDER_BUILD-}" ] || return 0
  place=${TMPDIR:-/tmp}
  case $scratch in
    *[!A-Za-z0-9_./\${}-]*) problem "scratch '$scratch' is no path" ;;
    ?*) # it may name variables: /scratch/$USER
      (eval ": $scratch") 2>/dev/null || problem "scratch '$scratch' names a variable that is not set there"
      eval "place=$scratch"
      ;;
  esac
  kind=$({
    grep -m 2 -E '^(model name|flags|CPU part|Features)' /proc/cpuinfo
    uname -m
    g++ --version
    PATH=$PATH:${CUDA_HOME:-/usr/local/cuda}/bin nvcc --version
    nvidia-smi --query-gpu=compute_cap --format=csv,noheader
  } 2>/dev/null | cksum)
  place=$place/ladder-$(id -u)
  { mkdir -p "${place%/*}" && mkdir -m 700 "$place"; } 2>/dev/null || { [ -d "$place" ] && [ -O "$place" ]; } ||
    problem "cannot build in $place: set scratch in the course file, or LADDER_SCRATCH, to a folder of yours there"
  export LADDER_BUILD="$place/$copy-${kind%% *}"
}

# One bench at a time on a machine, whoever started it. The lock lives on in the tool, which has the same process id.
queue() {
  lock=${LADDER_QUEUE:-/tmp/gpu-ladder-bench.lock}
  [ -e "$lock" ] || (umask 022; set -C; : >"$lock") 2>/dev/null
  [ -r "$lock" ] || problem "cannot read $lock, which keeps benches apart"
  exec 8<"$lock"
  flock -n 8 && return
  waiting=$(grep -c -- "-> FLOCK .*:$(stat -Lc %i "$lock") " /proc/locks)
  echo "ladder: $machine: another bench runs, $waiting more wait: this one is next after them" >&2
  flock 8
}

cancel() {
  pid=$(cat "$job/pid" 2>/dev/null) || return 0
  ! uses_slurm || scancel --name="ladder-${job##*/}" --user="$(id -un)"
  if alive && [ "$here" ]; then kill -TERM "-$pid"; fi
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    for _ in 1 2 3 4 5; do [ ! -e "$job/status" ] || return 0; sleep 0.2; done
  done
  # The fields after the name, which may hold anything: state, parent, group, session.
  [ "$where_started" != "$machine" ] || for stat in /proc/[0-9]*/stat; do
    read -r line <"$stat" 2>/dev/null || continue
    # shellcheck disable=SC2086
    set -- ${line##*) }
    [ "$4" != "$pid" ] || { process=${stat#/proc/}; kill -KILL "${process%/stat}"; }
  done
  [ -e "$job/status" ] || write_down 137
}

mode=$1
if [ "$mode" = probe ]; then shift; probe "$@"; exit; fi
job=$2 base=${2%/jobs/*}
if [ "$mode" = cancel ]; then # it may come before the job has begun, which then ends at once
  mkdir -p "$job" && : >"$job/cancelled"
  [ -e "$job/settings" ] || exit 0
fi
# shellcheck disable=SC1090
case $mode in work | node | cancel) . "$job/settings" ;; esac
case $mode in
  start) start ;;
  follow) follow ;;
  cancel) cancel ;;
  done) rm -rf "$job" ;;
  free) rm -f "$base/busy" ;;
  work) work ;;
  node) node ;;
  *) problem "remote_job.sh: no mode $mode" ;;
esac
