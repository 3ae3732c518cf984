# shellcheck shell=bash
# Sourced by scripts next to this one: the checkout, its tool, a scratch folder, and checks that say their names. Scripts that source
# it run next to each other and next to a second copy of themselves: they take the build folder as it is, and each has users of its own.
checkout=$(cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}" && pwd)
build=${LADDER_BUILD:-$checkout/build}
tool=${LADDER_TOOL:-$build/bin/ladder-class}  # not ./ladder, which would wait for the test that calls this
export LADDER_ROOT=$checkout LADDER_BUILD=$build
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
mkdir "$work/tmp" "$work/class"
chmod 1777 "$work/tmp"
export TMPDIR=$work/tmp
. "$(dirname "${BASH_SOURCE[0]}")/users.sh"

# The build folder as it is: ninja would look for changes at each call, and two of them cannot share a folder. What the script's
# `# queue: targets` names is built before; what is missing all the same is built by one script after another (build.cpp).
missing=''
for target in $(sed -n 's/^# queue: targets //p' "$0"); do
  case $target in bin/*) [ -e "$build/$target" ] || missing="$missing $target" ;; esac
done
# shellcheck disable=SC2086  # a list
[ -z "$missing" ] || flock "$build/.built-by-scripts" ninja -C "$build" $missing >"$work/output" 2>&1 ||
  { tail -n 20 "$work/output"; echo "not built:$missing"; exit 1; }
[ -x "$tool" ] || { echo "no program $tool: name bin/ladder-class in the script's line '# queue: targets'"; exit 1; }  # no reason to skip
exec 9>>"$build/.lock"
[ -n "${LADDER_LOCKED-}" ] || flock -s 9  # ./ladder test, which calls this, holds it
export LADDER_LOCKED=$build LADDER_SHARED=tests

# Steps that were built already (common/tool/build/built_steps.hpp): of all scripts where the test names a store, else of this one.
if [ -z "${LADDER_BUILT_STEPS+set}" ]; then export LADDER_BUILT_STEPS=$work/steps; fi
[ -z "$LADDER_BUILT_STEPS" ] || (umask 022; mkdir -p "$LADDER_BUILT_STEPS/texts")
known() { # texts of ours, which the tool may build itself, and only once
  [ -n "$LADDER_BUILT_STEPS" ] || return 0
  sha256sum -- "$@" | while read -r sum _; do : >"$LADDER_BUILT_STEPS/texts/${sum#\\}"; done
}

failed=0
check() { # name, condition as a command
  local name=$1
  shift
  if "$@"; then echo "ok      $name"; else echo "FAILED  $name"; failed=1; tail -n 20 "$work/output" | sed 's/^/        /'; fi
}
ladder() { timeout 1800 "$tool" "$@" >"$work/output" 2>&1 </dev/null; }
says() { grep -qF -- "$1" "$work/output"; }
says_not() { ! says "$1"; }
refuses() { # what it says, then a command line; exit status 2
  local text=$1
  shift
  ladder "$@"
  [ $? = 2 ] && says "$text"
}
