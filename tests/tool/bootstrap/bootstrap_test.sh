#!/bin/sh
# ./ladder installs, configures, builds and waits as it says, for a project whose tool only says how it was called. About ten seconds.
# Guards: docs/elsewhere.md#requirements
#   bootstrap_test.sh [CHECKOUT]     exit status 77: it could not run, and the last line says why
# Installing for real is tried by hand on a fresh root; here apt-get is a stand-in too.
# queue: cost 30
# queue: memory 1
set -u
[ -z "${LADDER_PREFIX-}" ] || { echo "not tried: this system's own packages come from LADDER_PREFIX"; exit 77; }
checkout=$(cd "${1:-$(dirname "$0")/../../..}" && pwd)
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
chmod 755 "$work"
unset LADDER_BUILD LADDER_PREFIX LADDER_OFFLINE LADDER_LOCKED LADDER_OCLGRIND
export LADDER_OFFLINE=1 # only the tests of installing lift this

# As somebody who is not root, for whom modes count.
setpriv=$(command -v setpriv)
as_user() { if [ "$(/usr/bin/id -u)" = 0 ]; then "$setpriv" --reuid 65534 --regid 65534 --clear-groups "$@"; else "$@"; fi; }

# A checkout with a tool that prints its arguments; in a path with spaces.
new_checkout() {
  project=$work/"a checkout $1"
  mkdir -p "$project/common/tool"
  cp "$checkout/ladder" "$project/"
  cp "$checkout"/common/tool/packages.* "$checkout"/common/tool/prefix.sh "$checkout"/common/tool/first_build.sh \
    "$checkout"/common/tool/*verbs.* "$project/common/tool/"
  cat >"$project/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(stand-in LANGUAGES CXX)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
foreach(program ladder-check ladder-student ladder-class ladder-dev)
  add_executable(${program} EXCLUDE_FROM_ALL tool.cpp)
endforeach()
END
  cat >"$project/tool.cpp" <<'END'
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>
int main(int count, char** arguments) {
  const char* vendors = std::getenv("OCL_ICD_VENDORS");
  const std::string path = arguments[0];
  std::printf("%s %d in %s", path.substr(path.rfind("ladder-")).c_str(), getpid(), std::getenv("LADDER_BUILD"));
  std::printf(" vendors %s", vendors ? vendors : "-");
  if (const char* libraries = std::getenv("LD_LIBRARY_PATH")) std::printf(" libraries %s", libraries);
  if (const char* oclgrind = std::getenv("LADDER_OCLGRIND")) std::printf(" oclgrind %s", oclgrind);
  if (std::getenv("LADDER_SHARED")) std::printf(" shared");
  for (int i = 1; i < count; ++i) std::printf(" [%s]", arguments[i]);
  std::puts("");
  std::fflush(stdout);
  if (count > 2 && arguments[2] == std::string("slowly")) sleep(2);
}
END
}

ladder() { "$project/ladder" "$@" >"$work/out" 2>"$work/err"; status=$?; }

# shellcheck source=tests/tool/checks.sh
. "$(dirname "$0")/../checks.sh"
hides() { ! grep -qF -- "$1" "$work/out" "$work/err"; }
nothing_said() { [ ! -s "$work/err" ]; }

# ---- the ordinary way

new_checkout plain
ladder --help
check "--help before anything is built" printed "./ladder help --all"
ln -s "$project/ladder" "$work/link"
ladder run 'a b' "c'd" --no-install
check "paths and arguments with spaces" printed "[run] [a b] [c'd]"
check "--no-install is not the tool's" hides "--no-install"
check "builds in build/" printed "in $project/build "
errors_are() { grep -q "^LADDER_WARNINGS_ARE_ERRORS:BOOL=$1" "$project/build/CMakeCache.txt"; }
check "run: warnings are no errors" eval '! errors_are ON'
ladder test
check "test: they are" errors_are ON
ladder run
check "…and stay so: nothing is compiled again" errors_are ON
cmake -B "$project/build" -S "$project" -DLADDER_WARNINGS_ARE_ERRORS:BOOL=OFF >"$work/out" 2>&1
ladder test
check "…but where somebody has said no" errors_are OFF
# What takes long is to configure, to compile and to ask apt: programs that write down that they were started.
mkdir "$work/watched"
for program in cmake ctest ninja g++ c++ cc ld as apt-get apt-cache apt dpkg sudo; do
  real=$(command -v "$program") || continue
  printf '#!/bin/sh\necho %s >>"%s/started"\nexec "%s" "$@"\n' "$program" "$work" "$real" >"$work/watched/$program"
done
chmod 755 "$work"/watched/*
PATH=$work/watched:$PATH ladder run
check "a second call configures and builds nothing" nothing_said
cp "$work/started" "$work/out"
check "a second call starts ninja once, and neither CMake nor compiler nor apt" test "$(cat "$work/started")" = ninja
ladder report
check "another verb of the same program neither" nothing_said
"$work/link" run >"$work/out" 2>"$work/err"
check "…nor a call through a link" nothing_said

ladder hint
check "a verb of another program builds that one" said "building bin/ladder-check"
check "…and starts it" printed "ladder-check "
check "…and no other" test ! -e "$project/build/bin/ladder-class"
ladder grade key k
check "a verb of people who teach builds theirs" printed "ladder-class "

mv "$project" "$project moved" && project="$project moved"
ladder hint
check "a moved checkout is configured afresh" printed "in $project/build "

echo 'int broken = "text";' >>"$project/tool.cpp"
ladder hint
check "a tool that does not compile: status 2" ended 2
check "…the compiler's error" said "invalid conversion"
check "…the log's place" said "$project/build/ladder.log"
check "…and the old tool does not run" hides " vendors "

# ---- two at once

new_checkout twice
ladder hint
ladder grade key k
ladder run
"$project/ladder" run slowly >"$work/first" 2>&1 &
first=$!
sleep 0.7
ladder hint
check "a light verb does not wait" nothing_said
ladder check
wait $first
check "the second of two waits" said "waiting for the ladder"
check "…and names the holder's process" said "(process $(sed -n 's/^ladder-student \([0-9]*\) .*/\1/p' "$work/first"), since "
check "…and its call" said ": ./ladder run slowly)"
check "…then goes on" printed "[check]"

# Another one holds the lock: -x builds or measures, -s is a batch that has built what it needs.
hold() {
  (exec 8>>"$project/build/.lock" && flock "$1" 8 && : >"$work/held" && exec sleep 60) &
  holder=$!
  wait_for test -e "$work/held"
  rm "$work/held"
}
let_go() { kill "$holder"; wait "$holder" 2>/dev/null; }
waits() { # until the other has let go
  "$project/ladder" "$@" >"$work/out" 2>"$work/err" &
  caller=$!
  wait_for said "waiting for the ladder"
  said=$?
  let_go
  wait "$caller"
  return "$said"
}
hold -x
for light in "check --help" "run -h" "--json state.json" "--json state.json grade key k" \
  "grade export g --out points.csv" "grade key k" "open g S-A 03/g1 --diff"; do
  # shellcheck disable=SC2086
  ladder $light
  check "what builds nothing does not wait: $light" nothing_said
done
echo "42 %  judging 03/g2" >"$project/build/.doing"
touch -d '1 hour ago' "$project/build/.lock" "$project/build/ladder.log"
waits_and_sees() { # what the other one does, until it has let go
  "$project/ladder" check >"$work/out" 2>"$work/err" &
  caller=$!
  wait_for said "$1"
  said=$?
  kill "$caller"
  wait "$caller" 2>/dev/null
  return "$said"
}
check "who waits sees what the other one does" waits_and_sees "it is at: 42 %  judging 03/g2"
touch -d '1 minute ago' "$project/build/.lock"
touch -d '2 hours ago' "$project/build/.doing"
echo '[30/57] Building CXX object tool.o' >"$project/build/ladder.log"
check "…and its build, where it is at that" waits_and_sees "it is at: [30/57] Building"
check "what judges waits while another builds" waits open g S-A 03/g1
hold -x
check "the value of --json is no verb: what judges waits" waits --json results.json check 03/g2
hold -s
ladder open g S-A 03/g1
check "it does not wait for a batch that has built" nothing_said
check "…and knows that it builds nothing" printed " shared [open]"
ladder grade export g
check "an export needs no lock" hides " shared"
check "what builds waits for a batch" waits grade downloads --out export
ladder open g S-A 03/g1
check "alone it has the lock for itself" hides " shared"

# ---- where nothing can be written

new_checkout read-only
chmod -R a+rX,a-w "$project"
mkdir "$work/cache" "$work/elsewhere" && chmod 777 "$work/cache" "$work/elsewhere"
chmod a+rx "$work"
status=0
XDG_CACHE_HOME=$work/cache as_user "$project/ladder" hint >"$work/out" 2>"$work/err" || status=$?
check "a read-only checkout builds in the cache" printed "in $work/cache/gpu-ladder/"
check "…and says so" said "building in $work/cache/gpu-ladder/"
status=0
LADDER_BUILD=$work/elsewhere as_user "$project/ladder" hint >"$work/out" 2>"$work/err" || status=$?
check "LADDER_BUILD" printed "in $work/elsewhere "
status=0
XDG_CACHE_HOME=$project/none as_user "$project/ladder" hint >"$work/out" 2>"$work/err" || status=$?
check "no place at all: status 2" ended 2
check "…and what to set" said "set LADDER_BUILD"

# ---- installing

# A machine without compiler and CMake: a PATH with little more than what every Debian has.
bare=$work/bare
mkdir "$bare"
for program in sh awk env cat cut cksum chmod cp date dirname find flock grep head id ln mkdir mktemp nproc readlink rm sed \
  sleep sort tail touch tr true uname; do
  ln -s "/usr/bin/$program" "$bare/$program"
done

new_checkout bare
mkdir -p "$project/lessons/07-toy/given" "$project/lessons/08-plain/given"
cat >"$project/lessons/07-toy/given/packages.txt" <<'END'
# what this lesson needs
*          toy.h                            libtoy-dev             the toy of lesson 07
lessons    toy-player                       toy-tools              the play of 07; SKIPPED
END
chmod -R a+rwX "$project"
status=0
PATH=$bare LADDER_OFFLINE='' as_user "$(command -v sh)" "$project/ladder" hint >"$work/out" 2>"$work/err" || status=$?
check "no packages and no way to install: status 2" ended 2
check "…what is missing and why" said "g++ (the compiler)"
check "…the command to ask for" grep -q "apt-get install --no-install-recommends.* cmake" "$work/err"
check "…nothing that only tests need" hides doxygen
check "…nothing that only a lesson needs" hides libtoy-dev
PATH=$bare LADDER_OFFLINE='' as_user "$(command -v sh)" "$project/ladder" check 08 >"$work/out" 2>"$work/err"
check "…not for another lesson" hides toy
PATH=$bare LADDER_OFFLINE='' as_user "$(command -v sh)" "$project/ladder" check 07 >"$work/out" 2>"$work/err"
check "what one lesson needs, listed in that lesson" said "libtoy-dev (the toy of lesson 07)"
check "…without which only some of it works" said "toy-tools (the play of 07)"
PATH=$bare LADDER_OFFLINE='' as_user "$(command -v sh)" "$project/ladder" test >"$work/out" 2>"$work/err"
check "the verb test asks for more" said g++-aarch64-linux-gnu
check "…also in lessons" said "toy-tools (the play of 07)"
rm "$project/lessons/07-toy/given/packages.txt"
status=0
as_user "$project/ladder" hint >"$work/out" 2>"$work/err" || status=$?
check "goes on when the packages are there" printed "[hint]"

# What is installed for what: a list whose packages are nowhere, and what ./ladder would install of it.
new_checkout needs
rungs=$project/lessons
mkdir -p "$rungs/00-first/given" "$rungs/01-lu" "$rungs/03-dgemm" "$rungs/04-sparse/given"
echo '# 00 · First steps' >"$rungs/00-first/README.md"
printf '/// @file\n/// g1: a first kernel. More of it.\n' >"$rungs/00-first/g1_first.cu"
touch "$rungs/01-lu/g1_naive.cpp" "$rungs/03-dgemm/m1_mpi.cpp" "$rungs/03-dgemm/m2_gpus.cu" "$rungs/03-dgemm/c1_openmp.cpp" \
  "$rungs/04-sparse/c1_one.cpp"
echo '*  no/such-metis.h  libmetis-dev  orders' >"$rungs/04-sparse/given/packages.txt"
sed 's|^\([^#][^ ]*  *\)[^ ]*|\1no/such-thing.h|' "$checkout/common/tool/packages.txt" >"$project/common/tool/packages.txt"
asks() { ladder "$@"; sed -n 's/^ *apt-get install --no-install-recommends \(.*\)/ \1 /p' "$work/err" >"$work/asked"; }
wants() { for package; do grep -q " $package " "$work/asked" || return 1; done; }
wants_none() { for package; do ! grep -q " $package " "$work/asked" || return 1; done; }
later="libomp-dev libopenmpi-dev pocl-opencl-icd ocl-icd-opencl-dev oclgrind libmetis-dev libopenblas-dev libeigen3-dev
  libarchive-dev libyaml-cpp-dev bubblewrap doxygen"
# shellcheck disable=SC2086  # names, one word each, here and below
{
  asks check 00/g1
  check "check 00/g1: what a first verdict needs" wants g++ cmake libcli11-dev libseccomp-dev clang
  check "…and nothing else" wants_none $later
  asks check --size 1 01/g1
  check "check 01/g1: OpenCL" wants ocl-icd-opencl-dev pocl-opencl-icd oclgrind
  check "…and neither MPI nor sparse matrices" wants_none libopenmpi-dev libmetis-dev
  asks --json results.json check 03/c1
  check "--json FILE before the verb: what the verb's rung needs" wants libomp-dev
  check "…and nothing else" wants_none pocl-opencl-icd libopenmpi-dev libmetis-dev
  asks check 03/m1
  check "check 03/m1: Open MPI" wants libopenmpi-dev openmpi-bin
  check "…and no OpenCL" wants_none pocl-opencl-icd
  asks check 03/m2
  check "check 03/m2, CUDA in several processes: Open MPI" wants libopenmpi-dev openmpi-bin
  check "…and what a .cu file needs" wants clang
  asks check 03/c1
  check "check 03/c1: what looks for races" wants libomp-dev libclang-rt-dev
  asks check sparse
  check "check sparse: what its list has" wants libmetis-dev
  asks bench 03/c1
  check "bench: libraries to be compared with" wants libopenblas-dev libarchive-dev
  check "…and no course files" wants_none libyaml-cpp-dev libopenmpi-dev
  asks grade submissions --rungs 00/g1,03/c1
  check "grade: course files, and what its rungs need" wants libtomlplusplus-dev libyaml-cpp-dev bubblewrap clang libomp-dev
  check "…and nothing of other rungs" wants_none libopenmpi-dev libmetis-dev pocl-opencl-icd
  everything="clang libomp-dev libopenmpi-dev pocl-opencl-icd libmetis-dev libopenblas-dev"
  asks run
  check "run: all lessons" wants $everything
  check "…and nothing for those who teach" wants_none libyaml-cpp-dev doxygen
  asks run --budget 3
  check "the value of an option names no lesson" wants $everything
  asks test
  check "test: all" wants $everything libtomlplusplus-dev doxygen bubblewrap zip
  for one in 00-g1 00g1 00/g1_first.cu lessons/00-first/g1_first.cu "$project/lessons/00-first/g1_first.cu"; do
    asks check "$one"
    check "a rung as people type it, $one: what it needs" wants clang
    check "…and nothing else" wants_none $later
  done
  cd "$project/lessons/00-first" || exit 1
  asks check g1_first.cu
  check "a rung's file, from its folder" wants_none $later
  cd "$work" || exit 1
  mkdir "$project/.ladder" && echo '{"step":"00-first/g1_first","verdict":"PASS"}' >"$project/.ladder/history.jsonl"
  asks check g1
  check "a rung of the lesson that one is in" wants_none $later
  rm -r "$project/.ladder"
  asks check reduce.cu -- 03/m1
  check "a program of one's own" wants clang
  check "…whose arguments are its own" wants_none libopenmpi-dev libmetis-dev
}

# ---- what is answered before anything is installed or built

for words in --help -h help "help check" "check --help" --version list "list 00" "list --all" "help --all" "" \
  "chekc 00/g1" "check g1" "check 00/g9" "help chekc"; do
  before=$(date +%s)
  # shellcheck disable=SC2086
  LADDER_OFFLINE='' ladder $words
  check "answered by itself: ./ladder $words" hides "must be built"
  check "…in seconds" test $(($(date +%s) - before)) -le 5
  case $words in chekc* | check\ [g0]* | *chekc) expected=2 ;; *) expected=0 ;; esac
  check "…status $expected" ended $expected
done
check "nothing was configured" test ! -e "$project/build/build.ninja"
lines() { wc -l <"$work/out"; }
widest() { awk '!/LADDER_|--no-install/ { if (length($0) > most) most = length($0) } END { print most + 0 }' "$work/out"; }
ladder help
check "help is short" test "$(lines)" -le 40
check "…has the verbs of students" printed "  check      Build and judge"
check "…first what is needed first" test "$(sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p' "$work/out" | head -n 3 | tr '\n' ' ')" = "check watch hint "
check "…and none for those who teach" hides similarity
check "…but says where these are" printed "./ladder help --all"
for call in "help --all" "--help --all" "--all help" "help"; do
  for columns in 62 80; do
    # shellcheck disable=SC2086
    COLUMNS=$columns ladder $call
    check "in $columns columns: ./ladder $call" test "$(widest)" -le "$columns"
  done
done
ladder help --all
check "help --all has every verb of every table" printed "  similarity Rare passages"
check "…and what can be set" printed LADDER_PREFIX
ladder help grade
check "help of a verb: what it is, and an example" printed "./ladder grade submissions/"
check "…and its parts" printed "  publish    Tell students"
ladder help course
check "…which is all that some have: no names" hides "NAMES:"
check "…and the example is where it belongs" printed "  ./ladder course new course.toml"
ladder help grade key
check "help of a part" printed "./ladder grade key class.key"
ladder grade key --help
check "…also when asked of it" printed "./ladder grade key class.key"
ladder list
check "list: lessons by their pages" printed "00 · First steps   (1 rung)"
check "…rungs of the first, by the first sentence of their files" printed "00/g1   first                    a first kernel."
check "…and of no other" hides "  01/g1"
check "…but how to see them" printed "./ladder list --all"
ladder list --all
check "list --all: the rungs of all lessons" printed "  01/g1   naive"
ladder chekc 00/g1
check "a verb that is mistyped: the nearest" said "unknown verb 'chekc'; nearest: check."
ladder check g1
check "a rung without its lesson: those that there are" said "00/g1 (first), 01/g1 (naive)"
ladder check 03/g9
check "a rung that is not there: those that are" said "03-dgemm has no rung 'g9'; it has 03/c1, 03/m1, 03/m2."
ladder check dgem/c1
check "a lesson that is mistyped" said "unknown lesson 'dgem'; nearest: 03-dgemm"
ladder check 00/g1
check "the first screen: what is built" said "bin/ladder-check and what 00-first needs must be built: about"
check "…how long, how much" grep -q "about [0-9]* min on [0-9]* cores, [0-9]* MB in" "$work/err"
check "…what to read meanwhile" said "read meanwhile: lessons/00-first/README.md"

# apt-get and sudo that write down how they were called. The first installation is broken off; what is installed at the
# second are links to the real programs.
new_checkout install
chmod -R a+rwX "$project"
cp -a "$bare" "$work/apt" && cd "$work/apt" || exit 1
cat >sudo <<'END'
#!/bin/sh
[ "$1" != -n ] || shift
exec "$@"
END
cat >apt-cache <<'END'
#!/bin/sh
shift 2
for name; do [ "$name" = oclgrind ] || echo "Package: $name"; done
END
cat >apt-get <<END
#!/bin/sh
echo "\${DEBIAN_FRONTEND-} \$*" >>"$work/calls"
case "\$*" in
  *--assume-no*)
    echo "Need to get 91.5 MB of archives."
    echo "After this operation, 372 MB of additional disk space will be used."
    exit 1
    ;;
  *install*) ;;
  *) exit 0 ;;
esac
[ -e "$work/broken-off" ] || { touch "$work/broken-off"; echo "E: dpkg was interrupted"; exit 100; }
for program in g++ nm cmake ninja as ld c++ ar ranlib gcc cc; do ln -sf "/usr/bin/\$program" "$work/apt/\$program"; done
END
printf '#!/bin/sh\necho "dpkg $*" >>"%s/calls"\n' "$work" >dpkg
chmod 755 sudo apt-cache apt-get dpkg
cd "$work" || exit 1
touch "$work/calls" && chmod 777 "$work" "$work/apt" && chmod 666 "$work/calls"
status=0
PATH=$work/apt LADDER_OFFLINE='' as_user "$(command -v sh)" "$project/ladder" run >"$work/out" 2>"$work/err" || status=$?
check "installs through sudo and goes on" printed "[run]"
check "…says what and why" said "installing g++ (the compiler)"
check "…how much that is" said ": 91.5 MB to download, 372 MB on disk"
check "…without questions and recommended packages" grep -q "^noninteractive .*install -y --no-install-recommends g++" "$work/calls"
check "…puts a broken-off installation right" grep -q "^dpkg --configure -a" "$work/calls"
check "…names what apt does not know" said "apt does not know oclgrind"
check "…and what it goes on without" said "going on without"
cat "$work/calls" >"$work/err"
check "installs nothing that the verb does not need" hides doxygen
PATH=$work/apt LADDER_OFFLINE='' as_user "$(command -v sh)" "$project/ladder" run >"$work/out" 2>"$work/err"
check "does not try again at each call" nothing_said

# ---- a prefix

new_checkout prefix
mkdir -p "$work/prefix/usr/bin" "$work/prefix/etc/OpenCL/vendors"
echo libstand-in.so >"$work/prefix/etc/OpenCL/vendors/stand-in.icd"
LADDER_PREFIX="$work/prefix" ladder hint
check "the vendors of a prefix stand next to the system's" printed "vendors $project/build/prefix/vendors"
check "…all of them" test -e "$project/build/prefix/vendors/stand-in.icd"
LADDER_PREFIX="$work/prefix" OCL_ICD_VENDORS="$project/build/prefix/vendors" ladder hint
check "a ladder that another one started finds them where they are" printed "vendors $project/build/prefix/vendors"
mkdir -p "$work/prefix/usr/lib/$(uname -m)-linux-gnu"
touch "$work/prefix/usr/lib/$(uname -m)-linux-gnu/libOpenCL.so.1"
LADDER_PREFIX="$work/prefix" ladder hint
check "a prefix's OpenCL loader comes before CUDA's" printed "libraries $project/build/prefix/lib:"
check "…and is that one" [ "$(readlink "$project/build/prefix/lib/libOpenCL.so.1")" = "$work/prefix/usr/lib/$(uname -m)-linux-gnu/libOpenCL.so.1" ]
check "a prefix without Oclgrind names none" hides oclgrind
mkdir -p "$work/prefix/usr/lib/oclgrind"
touch "$work/prefix/usr/lib/oclgrind/liboclgrind-rt.so"
LADDER_PREFIX="$work/prefix" ladder hint
check "Oclgrind is found where its package puts it" printed "oclgrind $work/prefix/usr/lib/oclgrind/liboclgrind-rt.so"
LADDER_PREFIX="$work/prefix" LADDER_OCLGRIND=mine ladder hint
check "…unless one is named" printed "oclgrind mine"
mkdir -p "$work/pre fix/usr"
LADDER_PREFIX="$work/pre fix" ladder hint
check "a prefix with a space: status 2" ended 2
LADDER_PREFIX=$work/bare ladder hint
check "a prefix without usr/: status 2" ended 2
check "…and why" said "has no usr/"

[ -z "$failed" ] || echo "failed: ${failed#; }"
[ -z "$failed" ]
