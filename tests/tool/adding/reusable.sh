#!/bin/sh
# reusable.sh CHECKOUT BUILD WORD…: the objects of a build that are newer than all they were made of, none of which has a WORD
# in its path. One a line, relative to the build.
set -u
checkout=$1 build=$2
shift 2
cd "$build" || exit 1
# Of copies: ninja repairs the log that it reads, to which another one may be writing.
copies=$(mktemp -d)
trap 'rm -rf "$copies"' EXIT
mkdir "$copies/build"
cp .ninja_deps .ninja_log "$copies/build/" 2>/dev/null
ln -s "$PWD"/* "$copies/build/"
ninja -C "$copies/build" -t deps 2>/dev/null | grep -v '^ninja: ' >"$copies/deps" || true
awk '/^ / { print $1 }' "$copies/deps" | sort -u | xargs -r stat -c '%Y %n' 2>/dev/null >"$copies/times"
awk '/^[^ ].*: #deps/ { sub(/:.*/, ""); print }' "$copies/deps" | xargs -r stat -c '%Y %n' 2>/dev/null >>"$copies/times"
awk -v words="$*" '
  BEGIN { count = split(words, word, " ") }
  NR == FNR { time[$2] = $1; next }
  /^[^ ].*: #deps/ {
    if (object != "" && good) print object
    valid = /VALID/; object = $1; sub(/:$/, "", object)
    good = valid && (object in time)
    next
  }
  /^ / {
    if (!($1 in time) || time[$1] > time[object]) good = 0
    for (i = 1; i <= count; ++i) if (index($1, word[i])) good = 0
  }
  END { if (object != "" && good) print object }' "$copies/times" "$copies/deps"
