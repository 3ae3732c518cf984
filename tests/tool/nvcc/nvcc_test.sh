#!/bin/sh
# Without a GPU one run of nvcc answers all that is asked of a source: whether it is accepted, and what ptxas says of its kernels.
# Guards: docs/executor.md
#   nvcc_test.sh [CHECKOUT]     a few seconds: nvcc is a script here
set -u
checkout=$(cd "${1:-$(dirname "$0")/../../..}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=tests/tool/checks.sh
. "$checkout/tests/tool/checks.sh"

mkdir "$work/bin" "$work/project"
ln -s "$checkout/common" "$work/project/common"
printf '#!/bin/sh\nexit 9\n' >"$work/bin/nvidia-smi"
cat >"$work/bin/nvcc" <<'NVCC'
#!/bin/sh
[ "$*" != --version ] || { echo "Cuda compilation tools, release 13.0, V13.0.1"; exit 0; }
echo "$*" >>"$CALLS"
for word; do
  case $before in -o) made=$word ;; -MF) depfile=$word ;; -MT) output=$word ;; esac
  case $word in -MD,-MF,*,-MT,*) depfile=${word#-MD,-MF,} output=${word##*,-MT,} depfile=${depfile%%,-MT,*} ;; esac
  before=$word source=$word
done
if grep -q nope "$source"; then echo "$source(1): error: identifier \"nope\" is undefined" >&2; exit 1; fi
echo "$source" >"$made"
echo "$output: $source" >"$depfile"
echo "ptxas info    : Used 24 registers, 380 bytes cmem[0]" >&2
NVCC
chmod +x "$work/bin/nvcc" "$work/bin/nvidia-smi"
echo "__global__ void f() {}" >"$work/project/right.cu"
echo "nope" >"$work/project/wrong.cu"
cat >"$work/project/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.22)
project(nvcc LANGUAGES CXX)
set(LADDER_EXECUTOR_DIR ${PROJECT_SOURCE_DIR}/common/executor)
include(common/cmake/cuda.cmake)
set(lesson_whole_step solutions/03-dgemm/g9_last)
foreach(path right wrong solutions/03-dgemm/g9_last)
  set(source ${PROJECT_SOURCE_DIR}/right.cu)
  if(path STREQUAL "wrong")
    set(source ${PROJECT_SOURCE_DIR}/wrong.cu)
  endif()
  ladder_nvcc_once(${path} 03-dgemm ${source} report)
  ladder_nvcc_object(${path} 03-dgemm ${source} object)
endforeach()
CMAKE

try() { # ninja TARGET...
  : >"$CALLS"
  ninja -C "$work/build" "$@" >"$work/out" 2>"$work/err"
  status=$?
}
calls() { [ "$(wc -l <"$CALLS")" = "$1" ]; }
export CALLS="$work/calls" PATH="$work/bin:$PATH"
: >"$CALLS"
cmake -G Ninja -S "$work/project" -B "$work/build" "-DLADDER_NVCC=$work/bin/nvcc" >"$work/out" 2>"$work/err"
status=$?
check "a project without a GPU is configured" ended 0
try nvcc/right.ptxas.cpp nvcc/right.cubin
check "a source that nvcc takes is accepted" ended 0
check "it is compiled once" calls 1
check "its report has ptxas' registers" grep -q "Used 24 registers" "$work/build/nvcc/right.ptxas.cpp"
try nvcc/right.ptxas.cpp nvcc/right.cubin
check "nothing is done again" calls 0
try nvcc/wrong.ptxas.cpp
check "of a source that nvcc refuses there is a report for the observed program" ended 0
try nvcc/wrong.cubin
check "the test of nvcc fails" ended 1
check "with nvcc's message" printed 'error: identifier "nope" is undefined'
check "nvcc is not asked again" calls 0
echo "right" >"$work/project/wrong.cu"
try nvcc/wrong.cubin
check "a source that is put right is accepted" ended 0
try nvcc/solutions/03-dgemm/g9_last.ptxas.cpp nvcc/solutions/03-dgemm/g9_last.o
check "of one solution nvcc makes the object of both sides" ended 0
check "by one run, too" calls 1
check "which compiles the host's side" grep -q -- " -c " "$CALLS"

[ -z "$failed" ] || { echo "nvcc: ${failed#; }"; exit 1; }
echo "nvcc: once per source"
