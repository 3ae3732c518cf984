#!/bin/sh
# The verb doctor says what is wrong with OpenCL drivers that misbehave. Two seconds.
# Guards: docs/elsewhere.md#requirements
#   doctor_test.sh [CHECKOUT]     uses the tool in LADDER_BUILD, or in CHECKOUT/build
# queue: targets bin/ladder-dev bin/confine bin/probe-opencl
# queue: cost 10
# queue: memory 1
set -u
LADDER_ROOT=$(cd "${1:-$(dirname "$0")/../../..}" && pwd)
LADDER_BUILD=${LADDER_BUILD:-$LADDER_ROOT/build}
export LADDER_ROOT LADDER_BUILD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=''

doctor() { "$LADDER_BUILD/bin/ladder-dev" doctor --no-measure "$@" >"$work/out" 2>&1; status=$?; }
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
says "what rungs are kept to" "Confinement rungs write only what is theirs"
OCL_ICD_VENDORS=$work/vendors doctor
says "a driver that crashes is named" "the OpenCL driver of $work/vendors/broken.icd crashes (signal 6)"
says "…and what that costs" "OpenCL rungs are SKIPPED"
says "…and the other devices are there" "executor"
OCL_ICD_VENDORS=$work/none doctor
says "no OpenCL device" "an OpenCL device"
says "…and what to install" "apt-get install pocl-opencl-icd"
doctor --json "$work/machine.json"
grep -qF '"schema": "gpu-ladder/3"' "$work/machine.json" || status="no schema"
says "--json" "Devices"

# On the executor no memory has a latency: each is an error with its reason, and none a number.
if [ -x "$LADDER_BUILD/bin/ceilings-executor" ]; then
  "$LADDER_BUILD/bin/ceilings-executor" launches >"$work/out" 2>&1
  status=$?
  [ "$(grep -c '"what":"latency, .*"error":"the executor has no caches"' "$work/out")" = 5 ] || status="not five"
  ! grep '"what":"latency' "$work/out" | grep -q median || status="a number"
  says "latencies on the executor" "the executor has no caches"
fi

# The answers are kept until something changes; a changed setting is something.
doctor
says "a setting that is taken back" "opencl:0"

# With a GPU (a probe that says so) cuDSS is missed, until CMake has found it: then its path is in the build folder.
mkdir -p "$work/build/bin" "$work/build/found"
cp "$LADDER_BUILD/bin/ladder-dev" "$LADDER_BUILD/bin/probe-opencl" "$work/build/bin/"
probe() { printf '#!/bin/sh\necho '"'%s'"'\n' "$2" >"$work/build/bin/$1"; chmod +x "$work/build/bin/$1"; }
lacks() { # name, text
  if [ "$status" = 0 ] && ! grep -qF -- "$2" "$work/out"; then
    echo "ok      $1"
  else
    echo "FAILED  $1 (status $status)"
    failed="$failed; $1"
  fi
}
LADDER_BUILD=$work/build
PATH=$work/build/bin:$PATH
probe nvcc 'release 13.0'
probe probe-cuda '{"devices": [], "reason": "none"}'
doctor
lacks "cuDSS is not missed without a GPU" libcudss.so
probe probe-cuda '{"driver": "999.1", "cuda": "99.0", "devices": [{"name": "a GPU", "capability": "9.0", '\
'"compute_units": 1, "memory_bytes": 1e9, "address": "0000:01:00.0"}]}'
doctor
says "a GPU, and no cuDSS" "libcudss.so the row of cuDSS in reproduce 04"
echo /somewhere/libcudss.so >"$work/build/found/libcudss.so"
doctor
says "a GPU" "a GPU, 1 multiprocessors"
lacks "cuDSS is found" libcudss.so

[ -z "$failed" ] || echo "failed: ${failed#; }"
[ -z "$failed" ]
