# shellcheck shell=sh disable=SC2015,SC2154,SC2317
# Part of ../../ladder: check, profile and bench on another machine (docs/remote.md). Builds and installs nothing, and needs
# sh, ssh and rsync only: it runs where the tool does not. The other part, there: remote_job.sh.
# Uses: root, verb, say, die and the arguments. Ends with the exit status of the command there.

quoted() { printf " '%s'" "$(printf %s "$1" | sed "s/'/'\\\\''/g")"; }
setting() { printf "%s='%s'\n" "$1" "$(printf %s "$2" | sed "s/'/'\\\\''/g")"; }

# A file that is written there comes back to where it would have been written here.
writes() {
  case $1 in
    - | '') ;;
    /* | ../* | */../*) die "$1: with --remote a file that is written is named by a path below this folder" ;;
    *) outputs="$outputs$1
" ;;
  esac
  case $2$1 in --json-) to_stderr=yes ;; esac
}

# Nothing else of a folder that is not ours leaves this machine.
sources() {
  find "$@" -type f \( -name '*.c' -o -name '*.cc' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' -o -name '*.h' -o -name '*.hh' \
    -o -name '*.hpp' -o -name '*.cl' -o -name '*.inl' -o -name '*.inc' \) ! -name '.*' >>"$temp/elsewhere"
}
# A program of one's own outside of the copy: it goes with the sources and headers next to it. What is in the copy goes with
# that.
reads() {
  folder=$(cd "$(dirname "$1")" && pwd -P)
  is_sent "$1" "$folder" || sources "$folder" -maxdepth 1
}
includes() {
  [ -d "$1" ] || return 0
  folder=$(cd "$1" && pwd -P)
  is_sent "-I $1" "$folder" || sources "$folder"
}
is_sent() {
  case ${1#-I } in /*) die "$1: with --remote a file or folder is named by a path from this folder" ;; esac
  case $where/$2/ in
    tree/"$root"/*) return 0 ;;
    tree/*) die "$1 is outside of this copy: with --remote, call ./ladder of this copy from a folder outside of it" ;;
  esac
  return 1
}

read_arguments() {
  host='' fetch='' outputs='' words='' to_stderr=''
  while [ $# -gt 0 ]; do
    case $1 in
      --) break ;;
      --remote=*) host=${1#*=} ;;
      --remote) case ${2--} in -*) ;; *) host=$2; shift ;; esac ;; # without a name: the course's
      --fetch) fetch=yes ;;
      --matrix | --matrix=*) die "--matrix: with --remote no matrix goes along; take the file there, and call ./ladder there" ;;
      --json | --html | --trace | -o)
        words="$words $(quoted "$1")"
        [ $# -lt 2 ] || { writes "$2" "$1"; words="$words $(quoted "$2")"; shift; }
        ;;
      --json=* | --html=* | --trace=*) writes "${1#*=}" "${1%%=*}"; words="$words $(quoted "$1")" ;;
      -I) includes "${2-}"; words="$words $(quoted "$1")" ;;
      -I*) includes "${1#-I}"; words="$words $(quoted "$1")" ;;
      *) [ ! -f "$1" ] || reads "$1"; words="$words $(quoted "$1")" ;;
    esac
    shift
  done
  for word; do words="$words $(quoted "$word")"; done
}

# A value of the course file's table [remote]; `course check` says what is wrong with it.
# Of the course file, or of what a handout has of it, where one key is in a line.
from_course() {
  if [ ! -e "$course" ]; then
    [ ! -e "$root/.handout/course.json" ] || awk -v key="$1" '/"remote": [{]/ { inside = 1 } inside && /[}]/ { exit }
      inside && match($0, "^[ \t]*\"" key "\": ") {
        value = substr($0, RLENGTH + 1); gsub(/^"|"?,?$/, "", value)
        print value; exit }' "$root/.handout/course.json"
    return 0
  fi
  awk -v key="$1" '/^[ \t]*\[/ { inside = $0 ~ /^[ \t]*\[remote\]/ }
    inside && match($0, "^[ \t]*" key "[ \t]*=[ \t]*") {
      value = substr($0, RLENGTH + 1); mark = substr(value, 1, 1)
      if (mark == "\"" || mark == "\047") { value = substr(value, 2); sub(mark ".*", "", value) }
      else sub(/[ \t]*(#.*)?$/, "", value)
      print value; exit }' "$course"
}

# One connection for everything, also for later calls: a password or a second factor is asked for once in ten minutes.
prepare_ssh() {
  ssh=${LADDER_SSH:-ssh}
  command -v "${ssh%% *}" >/dev/null || die "ssh is missing: install openssh-client"
  command -v rsync >/dev/null || die "rsync is missing: install it here too (apt-get install rsync)"
  case $host in
    '') die "--remote wants a host: ./ladder $verb … --remote HOST (or host in the table [remote] of $course)" ;;
    -* | [0-9][0-9] | *[!A-Za-z0-9._@%+:-]*)
      die "'$host' is no host: what is judged is before --remote, as in ./ladder $verb 03/g2 --remote HOST"
      ;;
  esac
  own=$($ssh -G -- "$host" 2>/dev/null | sed -n 's/^controlpath \(none\)\{0,1\}//p')
  ssh="$ssh -o ControlMaster=auto -o ControlPersist=600 -o ConnectTimeout=20"
  ssh="$ssh -o ServerAliveInterval=15 -o ServerAliveCountMax=4"
  [ -z "$own" ] || return 0
  sockets=/tmp/ladder-ssh-$(id -u)
  mkdir -m 700 "$sockets" 2>/dev/null || { [ -d "$sockets" ] && [ ! -L "$sockets" ] && [ -O "$sockets" ]; } ||
    die "$sockets is somebody else's: the connection would not be safe there"
  ssh="$ssh -o ControlPath=$sockets/%C"
}

there() { $ssh -- "$host" "$@"; }
# A mode of remote_job.sh, of the job with this name, as a shell there reads it.
part() { printf %s "sh$(quoted "$base/tree/common/tool/remote_job.sh") $1$(quoted "$base/jobs/$2")"; }
last_line() { grep -v '^$' "$temp/err" | tail -n 1; }

cannot_connect() {
  case $(cat "$temp/err") in
    *"Could not resolve"*) die "unknown host $host: neither a name that resolves nor a Host of ~/.ssh/config" ;;
    *"verification failed"*) die "the key of $host is not known here, or has changed: ssh $host once by hand shows it" ;;
    *"Permission denied"* | *"Too many authentication"*) die "no permission: $host does not let this user in ($(last_line))" ;;
    *) die "cannot reach $host: $(last_line)" ;;
  esac
}

transfer() { # rsync, with one line for what goes wrong
  try_transfer "$@"
  case $status$(cat "$temp/err") in
    0*) return ;;
    *"No space left"* | *"quota exceeded"*)
      die "no space on $host, in $base or here: $(grep -m 1 -E 'No space|quota' "$temp/err")"
      ;;
    255* | 12* | 2*"is your shell clean"*) lost_or "rsync to $host failed: $(last_line)" ;;
    *) die "rsync to $host failed: $(grep -m 1 rsync: "$temp/err" || last_line)" ;;
  esac
}
try_transfer() {
  status=0 whole=''
  for argument; do # a shell there would part it; rsync of macOS has no -s
    case $argument in "$host":*[!A-Za-z0-9_.,:/@%+-]*) whole=-s ;; esac
  done
  # shellcheck disable=SC2086  # none, or one
  rsync -e "$ssh" $whole -rlptz "$@" </dev/null 2>"$temp/err" || status=$?
}
lost_or() {
  case $(cat "$temp/err") in
    *"is your shell clean"*) die "the shell of $host prints text when one logs in, which rsync cannot read" ;;
  esac
  die "$1"
}

connect() { # the call that is to send, if it is; and one that has gone
  status=0
  there sh -s -- probe "$copy" "$@" <"$root/common/tool/remote_job.sh" >"$temp/facts" 2>"$temp/err" || status=$?
  if [ "$status" = 255 ]; then cannot_connect; fi
  base=$(sed -n 's/^ladder-base //p' "$temp/facts")
  [ "$status" = 0 ] && [ "$base" ] || { grep '^ladder: ' "$temp/err" >&2 || say "$host: $(last_line)"; exit 2; }
  busy=$(sed -n 's/^ladder-busy //p' "$temp/facts")
  case $#$busy in
    [01]) sends=$# ;;
    1"$(uname -n)":*)
      ! kill -0 "${busy##*:}" 2>/dev/null || another_sends
      connect "$1" "$busy"
      return
      ;;
    2) sends=1 ;;
    *) another_sends ;;
  esac
  earlier='' state=''
  while read -r mark name what; do
    [ "$mark" != ladder-job ] || earlier=$name state=$what
  done <"$temp/facts"
}

another_sends() {
  die "another ./ladder of this copy is about to start a job on $host ($busy): try again when it has, or 15 min after it was killed"
}
leave() {
  if [ "$sends" = 1 ]; then there "$(part free none)" </dev/null 2>/dev/null || true; fi
  rm -rf "$temp"
}

# What no .gitignore names, and how far the student is. The record of the job says what was sent: only what it changed comes
# back.
send() {
  transfer --delete --filter=':- .gitignore' --exclude=/.git --exclude=/.ladder "$root/" "$host:$base/tree/"
  transfer --delete --exclude=/remote "$root/.ladder/" "$host:$base/tree/.ladder/"
  if [ -e "$temp/elsewhere" ]; then transfer --files-from="$temp/elsewhere" / "$host:$base/elsewhere/"; fi
  {
    printf '%s\n%s\n%s\n' "$id" "$(pwd)" "$where"
    printf %s "$outputs"
    echo '# as sent:'
    (cd "$root/.ladder" && find . -type f ! -path './remote/*' -exec cksum {} +)
  } >"$record"
}

look_at_terminal() {
  if [ "$to_stderr" ]; then out=2; else out=1; fi
  live='' columns=${COLUMNS-}
  if [ -t "$out" ]; then live=1; fi
  [ -z "$live" ] || [ "$columns" ] || columns=$(stty size </dev/tty 2>/dev/null | cut -d ' ' -f 2)
}
settings() {
  setting verb "$verb"
  setting words "$words"
  setting where "$where"
  setting copy "$copy"
  setting host "$host"
  setting live "$live"
  setting columns "$columns"
  setting no_colour "${NO_COLOR-}"
  setting terminal "${TERM-dumb}"
  setting outputs "$outputs"
  setting scratch "${LADDER_SCRATCH-$(from_course scratch)}"
  setting slurm "${LADDER_SLURM-}"
  for key in account partition gres image time cpus; do setting "$key" "$(from_course $key)"; done
}

# Follows the job to its end. Ctrl-C ends it there, and then here, with what there is; a lost connection leaves it.
follow() { # mode, and its standard input
  # In a session of its own: Ctrl-C is not for ssh, the job there is ended first and says what it has.
  sends=0
  # shellcheck disable=SC2086  # a command
  alone $ssh -- "$host" "$(part "$1" "$id")" <"$2" &
  follower=$!
  trap cancel INT TERM
  trap 'kill "$follower"; exit 129' HUP
  followed=255 interrupted=yes
  while [ "$interrupted" ]; do
    interrupted='' status=0
    wait "$follower" || status=$?
    [ "$status" = 127 ] || followed=$status # 127: its end was known before a signal came
  done
  trap 'exit 130' INT TERM
  if [ "$followed" = 125 ]; then forget "$id"; exit 2; fi
  [ "$followed" != 255 ] ||
    die "the connection to $host is lost, the job goes on there: ./ladder $verb --remote $host --fetch brings it"
}
alone() {
  if command -v setsid >/dev/null; then exec setsid "$@"; fi
  exec perl -MPOSIX -e 'POSIX::setsid(); exec @ARGV' "$@" # macOS
}
forget() { there "$(part "done" "$1")" </dev/null || true; }
cancel() {
  interrupted=yes
  trap 'kill -KILL "$follower"; exit 130' INT TERM # the second one waits for nothing
  say "ending the job on $host"
  there "$(part cancel "$id")" </dev/null || true
}

# What the job left: .ladder, and the files that it was asked to write. First all of it comes over, then it takes its places:
# what is cut off before can be brought again.
bring() {
  record=$(record_of "$id")
  if [ -z "$record" ]; then
    say "another call has brought the results of this job"
    forget "$id"
    return 0
  fi
  mkdir -p "$temp/ladder" "$temp/files"
  transfer --no-links "$host:$base/jobs/$id/ladder/" "$temp/ladder/"
  folder=$(sed -n 2p "$record") at=$(sed -n 3p "$record")
  awk '/^# as sent:$/ { exit } NR > 3' "$record" >"$temp/outputs"
  while read -r file; do bring_file "$file"; done <"$temp/outputs"
  trap '' INT TERM HUP
  (cd "$temp/ladder" && find . -type f) >"$temp/left"
  while read -r file; do
    take "$file" || die "cannot write .ladder/${file#./} here: ./ladder $verb --remote $host --fetch brings it again"
  done <"$temp/left"
  while read -r file; do
    [ ! -e "$temp/files/$file" ] ||
      { mkdir -p "$folder/$(dirname "$file")" && cp "$temp/files/$file" "$folder/$file"; } ||
      say "cannot write $file here"
  done <"$temp/outputs"
  rm -f "$record"
  trap 'exit 130' INT TERM
  trap 'exit 129' HUP
  forget "$id"
}
# By its name: a host has several, and a job one record.
record_of() {
  for one in "$records"/*; do
    [ "$(sed -n 1p "$one" 2>/dev/null)" != "$1" ] || echo "$one"
  done
}
bring_file() {
  mkdir -p "$temp/files/$(dirname "$1")"
  try_transfer --no-links "$host:$base/$at/$1" "$temp/files/$(dirname "$1")/"
  case $status$(cat "$temp/err") in
    0*) ;;
    23*link_stat*"No such file"*) say "the job wrote no $1" ;;
    *) die "cannot bring $1: $(grep -m 1 rsync: "$temp/err" || last_line)" ;;
  esac
}
take() {
  mine=$root/.ladder/$1
  sent=$(awk -v file="$1" 'seen && $3 == file { print $1, $2 } /^# as sent:$/ { seen = 1 }' "$record")
  now=$(cksum 2>/dev/null <"$mine" | cut -d ' ' -f 1,2) || now=''
  fresh=$(cksum <"$temp/ladder/$1" | cut -d ' ' -f 1,2)
  case $fresh in "$sent" | "$now") return 0 ;; esac
  case $sent/$now/$1 in
    "$now/$now/"*.jsonl)
      if [ "${fresh#* }" -ge "$((${now#* } + 0))" ]; then place "$1"; else say "${1#./} is shorter there: it stays"; fi
      ;;
    "$now/$now/"*) place "$1" ;;
    *.jsonl) tail -c "+$((${sent#* } + 1))" "$temp/ladder/$1" >>"$mine" ;; # lines are only added to it, there and here
    *) say ".ladder/${1#./} changed here meanwhile and stays: this run's verdicts are in .ladder/history.jsonl only" ;;
  esac
}
place() { mkdir -p "${mine%/*}" && cp "$temp/ladder/$1" "$mine.part" && mv "$mine.part" "$mine"; }

temp=$(mktemp -d)
sends=0 # whether nobody else may send, until we have
trap leave EXIT
trap 'exit 130' INT TERM
trap 'exit 129' HUP
course=${LADDER_COURSE:-$root/course.toml}
here=$(pwd -P)
case $here/ in "$root"/*) where=tree ;; *) where=elsewhere ;; esac
read_arguments "$@"
if [ "$where" = tree ]; then where=tree${here#"$root"}; else where=elsewhere$here; fi
[ "$host" ] || host=$(from_course host)
records=$root/.ladder/remote
mkdir -p "$records" || die "cannot write in $root/.ladder"
if [ "$fetch" ] && [ -z "$host" ] && [ "$(ls "$records" | wc -l)" -eq 1 ]; then host=$(ls "$records"); fi
prepare_ssh
# The name of a machine may change; one that is copied elsewhere is another copy.
[ -s "$records/.copy" ] ||
  { od -An -N 8 -t x1 /dev/urandom | tr -d ' \n' >"$records/.copy.$$" && mv "$records/.copy.$$" "$records/.copy"; }
copy=$(printf %s "$(cat "$records/.copy"):$root" | cksum | cut -d ' ' -f 1)
if [ "$fetch" ]; then connect; else connect "$(uname -n):$$"; fi
case $state/$fetch in
  running/)
    die "a job of this copy runs on $host: ./ladder $verb --remote $host --fetch follows it, and Ctrl-C then ends it"
    ;;
  /yes) die "no job of this copy is on $host, or its results were brought already" ;;
  lost/yes | lost/) say "an earlier job on $host ended without a result: the machine was restarted, or somebody ended it"
    forget "$earlier"
    [ -z "$fetch" ] || exit 2 ;;
  ended/) id=$earlier
    say "an earlier job on $host has ended meanwhile: its results come first"
    bring ;;
esac
if [ "$fetch" ]; then
  id=$earlier
  follow follow /dev/null
else
  id=$(date -u +%Y%m%dT%H%M%S)-$$ record=$records/$host
  send
  look_at_terminal
  settings >"$temp/settings"
  follow start "$temp/settings"
fi
bring
exit "$followed"
