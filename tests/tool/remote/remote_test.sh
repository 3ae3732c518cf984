#!/bin/sh
# ./ladder check --remote over a real sshd on this machine. Half a minute; what takes a build is a stand-in for the project, but
# the last test, a step of this checkout, is judged there by the real tool.
# Guards: docs/remote.md#what-happens, docs/remote.md#when-something-is-wrong
#   remote_test.sh [CHECKOUT]     exit status 77: it could not run, and the last line says why
# queue: build
# queue: targets bin/ladder-dev bin/confine judges/00-first-steps
# queue: cost 40
# queue: memory 2
set -u
checkout=$(cd "${1:-$(dirname "$0")/../../..}" && pwd)
work=$(mktemp -d)
trap 'stop_sshd; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
# shellcheck source=tests/tool/remote/sshd.sh disable=SC2154
. "$(dirname "$0")/sshd.sh"
start_sshd || exit
export LADDER_SSH="$ssh" TERM=xterm LADDER_OFFLINE=1 LADDER_SLURM=none
build=${LADDER_BUILD-} locked=${LADDER_LOCKED-}
unset LADDER_BUILD LADDER_PREFIX LADDER_LOCKED LADDER_HARNESS COLUMNS NO_COLOR

# shellcheck source=tests/tool/checks.sh
. "$(dirname "$0")/../checks.sh"
# shellcheck source=tests/tool/remote/stand_in.sh
. "$(dirname "$0")/stand_in.sh"
lines() { [ "$(grep -cF -- "$2" "$project/.ladder/$1")" = "$3" ]; }
ladder() { status=0; "$project/ladder" "$@" >"$work/out" 2>"$work/err" || status=$?; }
not() { ! "$@"; }
until_out() { wait_for grep -q "$1" "$work/out"; }
# Ends all connections: an sshd that is told a moment before it waits for its client sleeps on, so it is told until it has gone.
lose_connections() {
  for parent in $(pgrep -P "$sshd_process"); do
    while kill "$parent" 2>/dev/null; do sleep 0.1; done
  done
}
a_bench_waits() { grep -q -- "-> FLOCK .*:$(stat -c %i "$work/queue") " /proc/locks; }
typed() { # what types keys, then a command, on a terminal of 70 columns
  keys=$1
  shift
  { eval "$keys"; } | script -qfec "stty cols 70; trap : INT; $*" /dev/null >"$work/out" 2>"$work/err"
}

# A checkout with a stand-in for the tool, which says how it was called, keeps a line of history, and works slowly where asked.
project=$work/"a checkout"
make_stand_in
printf '/build/\n/.ladder/\n' >"$project/.gitignore"
cat >"$project/tool.sh" <<'END'
#!/bin/sh
printf 'tool'
printf ' [%s]' "$@"
echo " columns ${COLUMNS-none} live ${LADDER_LIVE-} files $(ls "$LADDER_ROOT/lessons" | tr '\n' ' ')"
for word; do
  case $word in
    missed) status=1 ;;
    lost) status=255 ;;
    slowly) trap 'echo as far as it got; exit 1' TERM; echo begun; for _ in $(seq 900); do [ ! -e "$LADDER_GO" ] || break; sleep 0.1; done ;;
    result.json) echo '{"schema": "x"}' >result.json ;;
    -) echo '{"schema": "x"}' ;;
    build) echo "$LADDER_BUILD" >&2 ;;
    *.cu) cat "$word" "$(dirname "$word")/of.cuh" ;;
  esac
done
echo "{\"step\": \"$2\", \"host\": \"${LADDER_HOST-}\"}" >>"$LADDER_ROOT/.ladder/history.jsonl"
echo "{\"last\": \"$2\", \"host\": \"${LADDER_HOST-}\"}" >"$LADDER_ROOT/.ladder/state.json"
echo 'a word to standard error' >&2
exit "${status-0}"
END

cd "$project" || exit 1

# ---- the same as here

echo old >"$project/lessons/old.cu"
ladder check 'a b' "c'd" '$HOME' --seed 7
cp "$work/out" "$work/here"
ladder check 'a b' "c'd" '$HOME' --seed 7 --remote gpu
check "the same output as here" cmp -s "$work/here" "$work/out"
check "…and exit status" ended 0
check "…and standard error" said "a word to standard error"
check "its history comes back, with the host" lines history.jsonl '{"step": "a b", "host": "gpu"}' 1
check "…next to what was here" lines history.jsonl '"host": ""' 1
check "…and the last verdict" lines state.json '"host": "gpu"' 1
rm "$project/lessons/old.cu"
echo new >"$project/lessons/new.cu"
ladder check missed --remote=gpu --json result.json --html never.html
check "the exit status of there" ended 1
check "files that are new or gone here are so there" grep -q 'files new.cu $' "$work/out"
check "a file that it writes comes back" test -e "$project/result.json"
check "…one that it does not write is named" said "the job wrote no never.html"
check "nothing is brought twice" lines history.jsonl '"step"' 3
base=$(dirname "$work/the cache/gpu-ladder/remote"/*/tree)
cp "$project/.gitignore" "$work/ignored"
echo stale.html >>"$project/.gitignore"
echo 'of an earlier job' >"$base/tree/stale.html"
ladder check lost --remote gpu --html stale.html
check "…nor is one of an earlier job in its place" said "the job wrote no stale.html"
check "a status that would mean a lost connection" ended 2
check "…is not taken for one" not said "is lost"
ladder check one -h --remote gpu
check "help is given here" printed "[-h] [--remote] [gpu]"
cp "$work/ignored" "$project/.gitignore"
ladder check one --remote gpu --json -
check "JSON on standard output" printed '{"schema": "x"}'

mkdir "$work/own" && cd "$work/own" || exit 1
echo 'a program of mine' >own.cu
echo 'and its header' >of.cuh
ladder check own.cu --json result.json --remote gpu -- --remote 7
check "a program outside of the copy, with its header" printed "and its header"
check "…what stands after -- is its own" printed "[--] [--remote] [7]"
ladder check own.cu --remote gpu -- --help
check "…also --help" printed "tool [check] [own.cu] [--] [--help]"
check "…its file comes back next to it" test -e "$work/own/result.json"
cd "$project" || exit 1
typed 'until_out word' "'$project/ladder' check one --remote gpu"
check "a terminal's width and liveliness" printed "columns 70 live 1"
NO_COLOR=1 COLUMNS=90 ladder check one --remote gpu
check "COLUMNS" printed "columns 90 live  "

# ---- where it builds

ladder check build --remote gpu
first=$(grep -F "$work/scratch/ladder-" "$work/err")
check "builds in the scratch folder" test -d "$first"
mkdir "$work/other"
printf '#!/bin/sh\necho g++ 99\n' >"$work/other/g++"
chmod +x "$work/other/g++"
key="IdentityFile $work/sshd/user"
key_with other "$work/other:$PATH"
host other "IdentityFile $work/sshd/other"
ladder check build --remote other
second=$(grep -F "$work/scratch/ladder-" "$work/err")
check "again with another compiler" test "$first" != "$second"
printf '[remote]\nhost = "gpu" # of the course\nscratch = "%s/$USER"\n[late]\nhost = "none"\n' "$work" >"$project/course.toml"
ladder check build --remote
check "host and scratch of the course file" said "$work/$(id -un)/ladder-$(id -u)/"
rm "$project/course.toml"
mkdir "$project/.handout"
printf '{\n "course": "c",\n "remote": {\n  "host": "gpu",\n  "scratch": "%s/of-handout"\n },\n "z": {\n  "host": "none"\n }\n}\n' "$work" >"$project/.handout/course.json"
ladder check build --remote
check "…and what a handout has of it" said "$work/of-handout/ladder-$(id -u)/"
rm -r "$project/.handout"

# ---- a bench waits for others

touch "$work/held"
(exec 8>>"$work/queue"; flock 8; echo >"$work/has"; while [ -e "$work/held" ]; do sleep 0.1; done) &
wait_for test -e "$work/has"
flock "$work/queue" true &
wait_for a_bench_waits
ladder check one --remote gpu
check "a check does not wait for a bench" ended 0
ladder bench one --remote gpu &
bench=$!
wait_for grep -q 'more wait' "$work/err"
check "a bench waits, and says how many do" said "another bench runs, 1 more wait"
rm "$work/held"
wait $bench
check "…then goes on" printed "tool [bench] [one]"

# ---- ended, and lost

typed "until_out begun; printf '\003'; until_out status" "'$project/ladder' check slowly --remote gpu; echo status \$?"
check "Ctrl-C: what it has is printed" printed "as far as it got"
check "…with the status of there" printed "status 1"
check "…and no process is left there" test -z "$(pgrep -f "$work/the cache/gpu-ladder")"

"$project/ladder" check slowly --remote gpu >"$work/lost" 2>&1 &
client=$!
wait_for grep -q begun "$work/lost"
ladder check one --remote gpu
check "one job of a copy at a time" said "a job of this copy runs on gpu"
lose_connections
wait $client
status=$?
check "a lost connection: status 2" ended 2
check "…and what to do" grep -qF "check --remote gpu --fetch brings it" "$work/lost"
ladder check meanwhile
touch "$work/go"
ladder check --remote gpu --fetch
check "--fetch brings all of the output" printed "tool [check] [slowly]"
check "…and the status" ended 0
check "…and the history" lines history.jsonl '{"step": "slowly", "host": "gpu"}' 1
check "…next to what was done here meanwhile" lines history.jsonl '"step": "meanwhile"' 1
check "…whose last verdict stays, and that is said" said ".ladder/state.json changed here meanwhile"
ladder check --remote gpu --fetch
check "…once" said "no job of this copy is on gpu"

# A call that has gone before its job began is known by its process; one that is there goes first.
sh -c : &
gone=$!
wait $gone
ln -s "$(uname -n):$gone" "$base/busy"
ladder check one --remote gpu
check "a call that was killed before its job began" ended 0
check "…and its mark has gone" test ! -L "$base/busy"
ln -s "$(uname -n):$$" "$base/busy"
ladder check one --remote gpu
check "two calls at once: the second is refused" said "is about to start a job on gpu"
check "…and the mark of the first stays" test -L "$base/busy"
rm "$base/busy"

# Another name of the same host, and a connection that goes after the job's end.
rm "$work/go"
"$project/ladder" check slowly --remote gpu >"$work/lost" 2>&1 &
client=$!
wait_for grep -q begun "$work/lost"
lose_connections
wait $client
touch "$work/go"
host alias "$key"
ladder check --remote alias --fetch
check "by another name of the host" ended 0
check "…its results come, too" lines history.jsonl '{"step": "slowly", "host": "gpu"}' 2

# ---- what can be wrong

few=$work/few # programs that every Debian has, without rsync; and these with it, without compiler and CMake
mkdir "$few" "$work/bare"
for program in sh bash uname cat mkdir rm id cksum tr grep setsid tail sleep cp mv cut sed dirname readlink find flock \
  touch chmod ls stat wc head date env awk true ln; do
  ln -s "$(command -v $program)" "$few/$program"
done
ln -s "$(command -v rsync)" "$work/bare/rsync"
key_with without "$few"
key_with bare "$work/bare:$few"
host without "IdentityFile $work/sshd/without"
host bare "IdentityFile $work/sshd/bare" "TMPDIR=$work/scratch/bare"
host denied "$key" "XDG_CACHE_HOME=/proc/nowhere"
host small "$key" "XDG_CACHE_HOME=$work/full"
host stranger "PasswordAuthentication no"

: >"$work/elsewhere.cu"
says() { # words for the message, then the call
  words=$1
  shift
  ladder "$@"
  check "says: $words" said "$words"
  check "…in one line, with status 2" test "$status $(grep -c . "$work/err")" = "2 1"
}
says "'03/g2' is no host" check --remote 03/g2
says "--remote wants a host" check 03/g2 --remote
says "'03' is no host" check --remote 03
says "../elsewhere.cu is outside of this copy" check ../elsewhere.cu --remote gpu
says "-I .. is outside of this copy" check -I .. --remote gpu
# shellcheck disable=SC2016  # of there
LADDER_SCRATCH='/tmp/$NO_SUCH' says "scratch '/tmp/\$NO_SUCH' names a variable that is not set there" check one --remote gpu
says "unknown host does-not-exist.invalid" check 03/g2 --remote does-not-exist.invalid
says "cannot reach 127.0.0.99" check 03/g2 --remote 127.0.0.99
says "no permission: stranger does not let this user in" check 03/g2 --remote stranger
says "rsync is missing there" check 03/g2 --remote without
says "cannot write in /proc/nowhere/" check 03/g2 --remote denied
says "/tmp/x: with --remote a file that is written" check 03/g2 --remote gpu --json /tmp/x
if [ "$around" ]; then
  head -c 100000 /dev/urandom >"$project/large"
  says "no space on small" check 03/g2 --remote small
  rm "$project/large"
else
  echo "SKIPPED no space: $passwords"
fi
ladder check one --remote bare
check "packages that are missing there are named, and not installed" said "apt-get install --no-install-recommends"
check "…with status 2" ended 2
LADDER_SSH=no-such-ssh ladder check one --remote gpu
check "no ssh here" said "ssh is missing"

# ---- with a password, which is asked for once

if [ "$passwords" = yes ]; then
  printf '#!/bin/sh\necho asked >>"%s/asked"\necho climb\n' "$work" >"$work/askpass"
  chmod +x "$work/askpass"
  export SSH_ASKPASS="$work/askpass" SSH_ASKPASS_REQUIRE=force
  ladder check one --remote word
  check "by password" ended 0
  ladder check one --remote word
  check "…asked for once in two calls" test "$(grep -c . "$work/asked")" = 1
  host own "PreferredAuthentications password"
  printf '  ControlPath %s/own-%%C\n' "$work" >>"$work/sshd/client"
  ladder check one --remote own
  ladder check one --remote own
  check "…also where the connection is one's own" test "$(grep -c . "$work/asked")" = 2
  $ssh -O exit own 2>/dev/null
else
  echo "SKIPPED by password: $passwords"
fi

# ---- a step of this checkout, by the real tool

# What is built already is used: the copy there is this checkout, its build folder the one there is.
real=${build:-$checkout/build}
if [ -x "$real/bin/ladder-dev" ]; then
  project=$checkout
  host real "$key" "LADDER_BUILD=$real" "LADDER_LOCKED=$locked"
  mkdir -p "$work/the cache/gpu-ladder/remote"
  mkdir -p "$checkout/.ladder/remote"
  [ -s "$checkout/.ladder/remote/.copy" ] || date +%s >"$checkout/.ladder/remote/.copy"
  copy=$(printf %s "$(cat "$checkout/.ladder/remote/.copy"):$checkout" | cksum | cut -d ' ' -f 1)
  mkdir -p "$work/the cache/gpu-ladder/remote/$copy" && ln -s "$checkout" "$work/the cache/gpu-ladder/remote/$copy/tree"
  export LADDER_BUILD="$real" LADDER_LOCKED="$locked"
  # Both ends are one folder: nothing may be deleted there that an editor saves here meanwhile.
  mkdir "$work/rsync"
  printf '#!/bin/sh\nfor a in "$@"; do shift; case $a in --delete*) ;; *) set -- "$@" "$a" ;; esac; done\nexec %s "$@"\n' \
    "$(command -v rsync)" >"$work/rsync/rsync"
  chmod +x "$work/rsync/rsync"
  PATH=$work/rsync:$PATH
  verdict() { grep -v '^ *[0-9]* %' "$work/out"; } # without progress
  ladder check 00/g1 --tree solutions --seed 7 --device executor
  verdict >"$work/here"
  expected=$status
  ladder check 00/g1 --tree solutions --seed 7 --device executor --remote real
  verdict >"$work/there"
  check "00/g1: the same output as here" cmp -s "$work/here" "$work/there"
  check "…and status" ended "$expected"
  check "…and it says something" printed 00/g1
else
  echo "SKIPPED 00/g1: this checkout has no tool in $real"
fi

[ -z "$failed" ] || { echo "failed:${failed#;}"; exit 1; }
