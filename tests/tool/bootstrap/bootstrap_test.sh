#!/bin/sh
# Tests of ./ladder with a stand-in for the project: a tool that only says how it was called. About ten seconds.
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
  cp "$checkout"/common/tool/packages.* "$checkout"/common/tool/prefix.sh "$checkout"/common/tool/verbs.cpp "$project/common/tool/"
  cat >"$project/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(stand-in LANGUAGES CXX)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
add_executable(ladder-tool tool.cpp)
END
  cat >"$project/tool.cpp" <<'END'
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>
int main(int count, char** arguments) {
  const char* vendors = std::getenv("OCL_ICD_VENDORS");
  std::printf("tool %d in %s vendors %s", getpid(), std::getenv("LADDER_BUILD"), vendors ? vendors : "-");
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
check "--help before anything is built" printed LADDER_PREFIX
ln -s "$project/ladder" "$work/link"
ladder run 'a b' "c'd" --no-install
check "paths and arguments with spaces" printed "[run] [a b] [c'd]"
check "--no-install is not the tool's" hides "--no-install"
check "builds in build/" printed "in $project/build "
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
ladder list
check "another verb neither" nothing_said
"$work/link" run >"$work/out" 2>"$work/err"
check "…nor a call through a link" nothing_said

mv "$project" "$project moved" && project="$project moved"
ladder list
check "a moved checkout is configured afresh" printed "in $project/build "

echo 'int broken = "text";' >>"$project/tool.cpp"
ladder list
check "a tool that does not compile: status 2" ended 2
check "…the compiler's error" said "invalid conversion"
check "…the log's place" said "$project/build/ladder.log"
check "…and the old tool does not run" hides " vendors "

# ---- two at once

new_checkout twice
ladder list
"$project/ladder" run slowly >"$work/first" 2>&1 &
first=$!
sleep 0.7
ladder list
check "a light verb does not wait" nothing_said
ladder check
wait $first
check "the second of two waits" said "waiting for the ladder"
check "…and names the holder's process" said "(process $(sed -n 's/^tool \([0-9]*\) .*/\1/p' "$work/first"))"
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
for light in "check --help" "grade export g --out points.csv" "grade key k" "open g S-A 03/g1 --diff"; do
  # shellcheck disable=SC2086
  ladder $light
  check "what builds nothing does not wait: $light" nothing_said
done
check "what judges waits while another builds" waits open g S-A 03/g1
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
XDG_CACHE_HOME=$work/cache as_user "$project/ladder" list >"$work/out" 2>"$work/err" || status=$?
check "a read-only checkout builds in the cache" printed "in $work/cache/gpu-ladder/"
check "…and says so" said "building in $work/cache/gpu-ladder/"
status=0
LADDER_BUILD=$work/elsewhere as_user "$project/ladder" list >"$work/out" 2>"$work/err" || status=$?
check "LADDER_BUILD" printed "in $work/elsewhere "
status=0
XDG_CACHE_HOME=$project/none as_user "$project/ladder" list >"$work/out" 2>"$work/err" || status=$?
check "no place at all: status 2" ended 2
check "…and what to set" said "set LADDER_BUILD"

# ---- installing

# A machine without compiler and CMake: a PATH with little more than what every Debian has.
bare=$work/bare
mkdir "$bare"
for program in sh env cat cut cksum chmod cp date dirname find flock grep id ln mkdir mktemp readlink rm sed \
  sleep tail touch tr true uname; do
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
PATH=$bare LADDER_OFFLINE='' as_user "$(command -v sh)" "$project/ladder" list >"$work/out" 2>"$work/err" || status=$?
check "no packages and no way to install: status 2" ended 2
check "…what is missing and why" said "g++ (the compiler)"
check "…the command to ask for" grep -q "apt-get install --no-install-recommends.* cmake" "$work/err"
check "…nothing that only tests need" hides doxygen
check "…what one lesson needs, listed in that lesson" said "libtoy-dev (the toy of lesson 07)"
check "…for the verbs that it is for" hides toy-tools
PATH=$bare LADDER_OFFLINE='' as_user "$(command -v sh)" "$project/ladder" test >"$work/out" 2>"$work/err"
check "the verb test asks for more" said g++-aarch64-linux-gnu
check "…also in lessons" said "toy-tools (the play of 07)"
rm "$project/lessons/07-toy/given/packages.txt"
status=0
as_user "$project/ladder" list >"$work/out" 2>"$work/err" || status=$?
check "goes on when the packages are there" printed "[list]"

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
case "\$*" in *install*) ;; *) exit 0 ;; esac
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
LADDER_PREFIX="$work/prefix" ladder list
check "the vendors of a prefix stand beside the system's" printed "vendors $project/build/prefix/vendors"
check "…all of them" test -e "$project/build/prefix/vendors/stand-in.icd"
LADDER_PREFIX="$work/prefix" OCL_ICD_VENDORS="$project/build/prefix/vendors" ladder list
check "a ladder that another one started finds them where they are" printed "vendors $project/build/prefix/vendors"
mkdir -p "$work/prefix/usr/lib/$(uname -m)-linux-gnu"
touch "$work/prefix/usr/lib/$(uname -m)-linux-gnu/libOpenCL.so.1"
LADDER_PREFIX="$work/prefix" ladder list
check "a prefix's OpenCL loader comes before CUDA's" printed "libraries $project/build/prefix/lib:"
check "…and is that one" [ "$(readlink "$project/build/prefix/lib/libOpenCL.so.1")" = "$work/prefix/usr/lib/$(uname -m)-linux-gnu/libOpenCL.so.1" ]
check "a prefix without Oclgrind names none" hides oclgrind
mkdir -p "$work/prefix/usr/lib/oclgrind"
touch "$work/prefix/usr/lib/oclgrind/liboclgrind-rt.so"
LADDER_PREFIX="$work/prefix" ladder list
check "Oclgrind is found where its package puts it" printed "oclgrind $work/prefix/usr/lib/oclgrind/liboclgrind-rt.so"
LADDER_PREFIX="$work/prefix" LADDER_OCLGRIND=mine ladder list
check "…unless one is named" printed "oclgrind mine"
mkdir -p "$work/pre fix/usr"
LADDER_PREFIX="$work/pre fix" ladder list
check "a prefix with a space: status 2" ended 2
LADDER_PREFIX=$work/bare ladder list
check "a prefix without usr/: status 2" ended 2
check "…and why" said "has no usr/"

[ -z "$failed" ] || echo "failed: ${failed#; }"
[ -z "$failed" ]
