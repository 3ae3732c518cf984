# shellcheck shell=sh disable=SC2154
# Read by scripts of tests: checks that say their names, of a program whose output is in $work/out, its errors in $work/err, its
# exit status in $status. What failed is in $failed.
failed=''
check() { # name, condition as a command
  name=$1
  shift
  if "$@"; then
    echo "ok      $name"
  else
    echo "FAILED  $name (status ${status-})"
    sed 's/^/        /' "$work/out" "$work/err"
    failed="$failed; $name"
  fi
}
said() { grep -qF -- "$1" "$work/err"; }
printed() { grep -qF -- "$1" "$work/out"; }
ended() { [ "$status" = "$1" ]; }
wait_for() { # a command, until it succeeds; what never comes is a failure, not a test without an end
  for _ in $(seq 600); do ! "$@" || return 0; sleep 0.1; done
}
