# shellcheck shell=bash
# Sourced by scripts beside this one: the checkout, its tool, a scratch folder, and checks that say their names.
checkout=$(cd "${1:-$(dirname "${BASH_SOURCE[0]}")/../..}" && pwd)
build=${LADDER_BUILD:-$checkout/build}
tool=${LADDER_TOOL:-$build/bin/ladder-tool}  # not ./ladder, which would wait for the test that calls this
[ -x "$tool" ] || { echo "not tried: no program $tool"; exit 77; }
export LADDER_ROOT=$checkout LADDER_BUILD=$build
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
mkdir "$work/tmp" "$work/class"
chmod 1777 "$work/tmp"
export TMPDIR=$work/tmp
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
