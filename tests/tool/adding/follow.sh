#!/bin/sh
# Follows docs/adding-a-lesson.md in a copy of the checkout: writes the files that are on the page, runs its commands.
# Guards: docs/adding-a-lesson.md
#   follow.sh [CHECKOUT]     about 2 minutes next to a build of the checkout; the first thing that is not as on the page ends it
#
# - "The whole file `PATH`:", "The row in `PATH`:" and "The section in `PATH`:" say where the code block goes that follows.
# - Indented lines that begin with ./ladder are run. After "# prints" stands what they must print; without it they must succeed.
set -u
checkout=$(cd "${1:-$(dirname "$0")/../../..}" && pwd)
build=${LADDER_BUILD:-$checkout/build}
[ -d "$checkout/solutions" ] || { echo "this copy has no solutions"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
here=$(dirname "$(readlink -f -- "$0")")
copy=$work/copy
mkdir "$copy"
tar -C "$checkout" --exclude=./build --exclude=./.git --exclude=./.ladder -cf - . | tar -C "$copy" -xf -

# Nothing but what the page changes is compiled again: reuse.sh takes the other objects from the checkout's own build.
"$here/reusable.sh" "$checkout" "$build" "/lessons/03-dgemm/" "/tests/03-dgemm/" >"$work/reusable"
export REUSABLE="$work/reusable" REUSED_BUILD="$build"
export CMAKE_CXX_COMPILER_LAUNCHER="$here/reuse.sh" CMAKE_C_COMPILER_LAUNCHER="$here/reuse.sh"
unset LADDER_LOCKED LADDER_ROOT LADDER_DEVICE
export LADDER_BUILD="$copy/build" LADDER_OFFLINE=1 COLUMNS=200

# The page as steps: "write PATH FILE", "row PATH FILE", "section PATH FILE", "run COMMAND<tab>TEXT".
awk -v work="$work" '
  /^## The fields of a row/ { exit }
  !fenced && match($0, /The (whole file|row in|section in) `[^`]+`:$/) {
    n = split(substr($0, RSTART, RLENGTH), part, "`"); path = part[n - 1]
    kind = part[1] ~ /whole/ ? "write" : part[1] ~ /row/ ? "row" : "section"
  }
  /^```/ {
    if (fenced) { if (path != "") print kind " " path " " file; path = ""; close(file); fenced = 0 }
    else { fenced = 1; file = work "/block" ++blocks; printf "" > file }
    next
  }
  fenced { print > file }
  !fenced && /^    \.\/ladder / {
    command = $0; text = ""
    if (match(command, / +# prints /)) { text = substr(command, RSTART + RLENGTH); command = substr(command, 1, RSTART - 1) }
    sub(/^ +/, "", command); print "run " command "\t" text
  }' "$checkout/docs/adding-a-lesson.md" >"$work/steps"

# Puts a block in the place of lines of a file: those from its first line to the next one that matches. A section is found by
# its rung ("c3"), whatever the level of its heading.
replace() { # file, block, pattern of what comes after
  awk -v block="$2" -v end="$3" '
    function rung(line) { return match(line, /^##+ [a-z][0-9]+ /) ? substr(line, index(line, " "), RLENGTH - index(line, " ")) : "" }
    BEGIN { getline first < block; close(block) }
    inside && $0 ~ end { inside = 0 }
    !inside && ($0 == first || (rung(first) != "" && rung($0) == rung(first))) {
      while ((getline line < block) > 0) print line
      if (rung(first) != "") print ""
      inside = found = 1; next
    }
    !inside { print }
    END { exit !found }' "$1" >"$work/new" && cp "$work/new" "$1"
}

cd "$copy" || exit 1
tab=$(printf '\t')
while read -r kind rest; do
  case $kind in
    run)
      command=${rest%%"$tab"*} text=''
      case $rest in *"$tab"*) text=${rest#*"$tab"} ;; esac
      echo "$command"
      (eval "$command") >"$work/out" 2>&1 </dev/null
      status=$?
      if [ -n "$text" ]; then grep -qF -- "$text" "$work/out"; else [ $status = 0 ]; fi || {
        tail -n 40 "$work/out"
        echo "$command: ended with status $status${text:+, and did not print \"$text\"}"
        exit 1
      }
      ;;
    *)
      path=${rest%% *} block=${rest#* }
      [ -e "$path" ] || { echo "$path: ./ladder new did not write it"; exit 1; }
      case $kind in
        write) cp "$block" "$path" ;;
        row) echo >>"$block" && replace "$path" "$block" '^\[\[rungs\]\]$' ;;
        section) replace "$path" "$block" '^##+ ' ;;
      esac || { echo "$path: nothing there begins as the page's block does"; exit 1; }
      ;;
  esac
done <"$work/steps"
[ -s "$REUSABLE.used" ] || [ "$(wc -l <"$REUSABLE")" -lt 100 ] ||
  { echo "the build has objects that could be taken, and none was: is reuse.sh started for compilers?"; exit 1; }
[ "$(grep -c '^run ' "$work/steps")" -ge 12 ] && [ "$(grep -c '^write ' "$work/steps")" -ge 8 ] || { echo "the page has fewer commands or files than it had"; exit 1; }
