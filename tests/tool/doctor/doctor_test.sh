#!/bin/sh
# Tests of the verb doctor with OpenCL drivers that misbehave. Two seconds.
#   doctor_test.sh [CHECKOUT]     uses the tool in LADDER_BUILD, or in CHECKOUT/build
set -u
LADDER_ROOT=$(cd "${1:-$(dirname "$0")/../../..}" && pwd)
LADDER_BUILD=${LADDER_BUILD:-$LADDER_ROOT/build}
export LADDER_ROOT LADDER_BUILD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=''

doctor() { "$LADDER_BUILD/bin/ladder-tool" doctor --no-measure "$@" >"$work/out" 2>&1; status=$?; }
says() { # name, text
  if [ "$status" = 0 ] && tr -s ' \n' ' ' <"$work/out" | grep -qF -- "$2"; then
    echo "ok      $1"
  else
    echo "FAILED  $1 (status $status)"
    sed 's/^/        /' "$work/out"
    failed="$failed; $1"
  fi
}

# A driver that ends the program that loads it.
mkdir "$work/vendors" "$work/none"
echo '#include <stdlib.h>
__attribute__((constructor)) void loaded(void) { abort(); }' >"$work/driver.cpp"
"${CXX:-g++}" -shared -fPIC "$work/driver.cpp" -o "$work/libdriver.so" || exit 1
echo "$work/libdriver.so" >"$work/vendors/broken.icd"

export COLUMNS=400
doctor
says "the devices" "cpu"
says "the versions" "cmake "
OCL_ICD_VENDORS=$work/vendors doctor
says "a driver that crashes is named" "the OpenCL driver of $work/vendors/broken.icd crashes (signal 6)"
says "…and what that costs" "OpenCL steps are SKIPPED"
says "…and the other devices are there" "executor"
OCL_ICD_VENDORS=$work/none doctor
says "no OpenCL device" "an OpenCL device"
says "…and what to install" "apt-get install pocl-opencl-icd"
doctor --json "$work/machine.json"
grep -qF '"schema": "gpu-ladder/1"' "$work/machine.json" || status="no schema"
says "--json" "Devices"

# The answers are kept until something changes; a changed setting is something.
doctor
says "a setting that is taken back" "opencl:0"

[ -z "$failed" ] || echo "failed: ${failed#; }"
[ -z "$failed" ]
