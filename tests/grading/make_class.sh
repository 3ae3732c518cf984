#!/bin/bash
# Makes a class: submissions of lesson 03's g1 to g3 by people of every kind, in every packing, and what each must get.
#   make_class.sh FOLDER SEED [COUNT]     COUNT: 100, or fewer; writes FOLDER/submissions and FOLDER/expected.csv
# Needs the program `cut` (LADDER_BUILD, build/ by default), zip, tar and xz. The same seed makes the same class.
# expected.csv has lines submission,step,verdict; several verdicts that are right are separated by |.
set -euo pipefail
folder=$1 seed=$2 count=${3:-100}
root=$(cd "$(dirname "$0")/../.." && pwd)
cut=${LADDER_BUILD:-$root/build}/bin/cut
[ -x "$cut" ] || { echo "make_class.sh: no $cut: ninja -C build cut" >&2; exit 2; }
lesson=03-dgemm
steps=(g1_naive g2_shared_tiles g3_register_tiles)
tests=$root/tests/$lesson
made=$folder/submissions expected=$folder/expected.csv
mkdir -p "$made"
echo submission,step,verdict >"$expected"
RANDOM=$seed
packed() { packing=${packings[RANDOM % $1]}; } # one of the first so many; no subshell, which has other random numbers

# --- steps: each of these writes the file $1/STEP.cu of one kind, and sets `verdict`

solution() { cp "$root/solutions/$lesson/$2.cu" "$1/"; verdict=PASS; }
skeleton() { cp "$root/lessons/$lesson/$2.cu" "$1/"; verdict='NOT STARTED'; }
none() { verdict='NOT STARTED'; }
mutant() { # folder step name
  "$cut" mutant "$root/solutions/$lesson/$2.cu" "$tests/mutants/$2.mutants" "$3" >"$1/$2.cu"
  verdict=$(awk -v name="$3" '$1 == "mutant" { mine = $2 == name } $1 == "verdict" && mine { sub(/^verdict /, ""); print; exit }' "$tests/mutants/$2.mutants")
  # A GPU may go on after a read past the end.
  if [ "$verdict" = CRASHED ] && nvidia-smi -L >/dev/null 2>&1; then verdict='CRASHED|WRONG'; fi
}
attempt() { # folder step name
  cp "$tests/attempts/$2.$3.cu" "$1/$2.cu"
  verdict=$(sed -n 's|^// verdict ||p' "$1/$2.cu" | head -n 1)
}
# The solution with a line of its own at the start of the function that the lesson calls.
with_line() { # folder step line verdict
  sed -e "/^void [a-z_]*(const Problem& p) {/a\\  $3" "$root/solutions/$lesson/$2.cu" >"$1/$2.cu"
  verdict=$4
}
hanging() { with_line "$1" "$2" 'for (volatile int forever = 1; forever;) {}' TIMEOUT; }
sleeping() { with_line "$1" "$2" 'for (;;) ladder_sleep();' TIMEOUT; sed -i '/#include "problem.hpp"/a #include <unistd.h>\nstatic void ladder_sleep() { sleep(3600); }' "$1/$2.cu"; }
segfault() { with_line "$1" "$2" '*(volatile int*)16 = 1;' CRASHED; }
aborting() { with_line "$1" "$2" '__builtin_trap();' CRASHED; }
throwing() { with_line "$1" "$2" 'throw 7;' CRASHED; }
leaving() { with_line "$1" "$2" '__builtin_exit(0);' REVIEW; sed -i 's/__builtin_exit/std::_Exit/; /#include "problem.hpp"/a #include <cstdlib>' "$1/$2.cu"; }
# Right, and a tenth of a second later than need be.
slow() { with_line "$1" "$2" 'usleep(20000);' PASS; sed -i '/#include "problem.hpp"/a #include <unistd.h>' "$1/$2.cu"; }
on_the_host() {
  cp "$root/solutions/$lesson/$2.cu" "$1/$2.cu"
  awk '/^void [a-z_]*\(const Problem& p\) \{/ { print; print "  for (int i = 0; i < p.m; ++i)"; print "    for (int j = 0; j < p.n; ++j) {"; print "      double sum = 0;"
    print "      for (int q = 0; q < p.k; ++q) sum += p.A[i * p.lda + q] * p.B[q * p.ldb + j];"; print "      p.C[i * p.ldc + j] = sum;"; print "    }"; print "}"; skip = 1; next }
    skip && /^}/ { skip = 0; next } !skip { print }' "$root/solutions/$lesson/$2.cu" >"$1/$2.cu"
  verdict=CRASHED # a kernel's memory is not the host's
}
forks() { with_line "$1" "$2" 'if (fork() == 0) for (;;) pause();' REVIEW; sed -i '/#include "problem.hpp"/a #include <unistd.h>' "$1/$2.cu"; }
kills() { with_line "$1" "$2" 'kill(getppid(), SIGKILL); kill(-1, SIGKILL);' REVIEW; sed -i '/#include "problem.hpp"/a #include <signal.h>\n#include <unistd.h>' "$1/$2.cu"; }
# A step that takes memory without end meets the limit of memory, or that of time where the machine gives memory slowly.
memory() { with_line "$1" "$2" 'for (std::size_t i = 0; i < (1u << 20); ++i) memset(malloc(1 << 20), 1, 1 << 20);' 'CRASHED|TIMEOUT'; sed -i '/#include "problem.hpp"/a #include <stdlib.h>\n#include <string.h>' "$1/$2.cu"; }
shares() { with_line "$1" "$2" 'shm_open("/left-by-a-step", O_CREAT | O_RDWR, 0600); (void)!system("touch /tmp/left-by-a-step /dev/shm/left-by-a-step");' REVIEW; sed -i '/#include "problem.hpp"/a #include <fcntl.h>\n#include <stdlib.h>\n#include <sys/mman.h>' "$1/$2.cu"; }
unbuilt() { { cat "$root/solutions/$lesson/$2.cu"; echo 'this is no C++;'; } >"$1/$2.cu"; verdict='BUILD ERROR'; }
no_header() { { echo '#include "of_my_own.hpp"'; cat "$root/solutions/$lesson/$2.cu"; } >"$1/$2.cu"; verdict='BUILD ERROR'; }
endless_template() { { cat "$root/solutions/$lesson/$2.cu"; echo 'template <int N> struct Deep { static constexpr int value = Deep<N + 1>::value; }; int deep = Deep<0>::value;'; } >"$1/$2.cu"; verdict='BUILD ERROR'; }
with_header() { # its own helper next to it
  { echo '#include "my_sizes.hpp"'; cat "$root/solutions/$lesson/$2.cu"; } >"$1/$2.cu"
  echo 'constexpr int my_size = 32;' >"$1/my_sizes.hpp"; verdict=PASS
}
crlf() { sed 's/$/\r/' "$root/solutions/$lesson/$2.cu" >"$1/$2.cu"; verdict=PASS; }
bom() { { printf '\357\273\277'; cat "$root/solutions/$lesson/$2.cu"; } >"$1/$2.cu"; verdict=PASS; }
latin1() { { printf '// M\374ller, \344\366\337\n'; cat "$root/solutions/$lesson/$2.cu"; } >"$1/$2.cu"; verdict=PASS; }
utf16() { iconv -f UTF-8 -t UTF-16 "$root/solutions/$lesson/$2.cu" >"$1/$2.cu"; verdict='NOT STARTED'; }
empty() { : >"$1/$2.cu"; verdict='NOT STARTED'; }
binary() { head -c 4000 /bin/true >"$1/$2.cu"; verdict='NOT STARTED'; }
huge() { { cat "$root/solutions/$lesson/$2.cu"; head -c 3000000 /dev/zero | tr '\0' '/'; } >"$1/$2.cu"; verdict='NOT STARTED'; }
a_link() { ln -s "$root/solutions/$lesson/$2.cu" "$1/$2.cu"; verdict='NOT STARTED'; }
a_secret() { ln -s /etc/passwd "$1/$2.cu"; verdict='NOT STARTED'; }
a_folder() { mkdir "$1/$2.cu"; verdict='NOT STARTED'; }

# --- packings: each makes $made/NAME from a folder with files; `lost`: nothing can be taken from it

packings=(plain nested as_zip as_tar_gz as_tar_xz as_tar wrapped mac canvas)
plain() { cp -a "$1" "$made/$2"; }
nested() { mkdir -p "$made/$2/homework 3/lessons"; cp -a "$1" "$made/$2/homework 3/lessons/$lesson"; }
as_zip() { (cd "$1" && zip -qry "$made/$2.zip" .); name=$2.zip; }
as_tar_gz() { tar -C "$1" -czf "$made/$2.tar.gz" .; name=$2.tar.gz; }
as_tar_xz() { tar -C "$1" -cJf "$made/$2.tar.xz" .; name=$2.tar.xz; }
as_tar() { tar -C "$1" -cf "$made/$2.tar" .; name=$2.tar; }
wrapped() { mkdir -p "$1.w/my work/src"; cp -a "$1/." "$1.w/my work/src/"; (cd "$1.w" && zip -qry "$made/$2.zip" .); name=$2.zip; }
mac() { mkdir -p "$1/__MACOSX"; for file in "$1"/*.cu; do [ -f "$file" ] && printf '\0\005\026\007junk' >"$1/__MACOSX/._$(basename "$file")"; done; as_zip "$1" "$2"; }
canvas() {
  mkdir -p "$made/$2"
  for file in "$1"/*; do case $file in *.cu) cp -a "$file" "$made/$2/smithbob_340934_208490284_$(basename "${file%.cu}")-1.cu" ;; *) cp -a "$file" "$made/$2/" ;; esac; done
}
truncated() { as_zip "$1" "$2"; truncate -s -600 "$made/$2.zip"; lost=yes; }
truncated_tar() { as_tar_gz "$1" "$2"; truncate -s 700 "$made/$2.tar.gz"; lost=yes; }
bomb() { head -c 300000000 /dev/zero >"$1/g1_naive.cu"; as_zip "$1" "$2"; lost=yes; }
path_trick() { mkdir -p "$1.t/deep"; mv "$1"/*.cu "$1.t/"; (cd "$1.t/deep" && tar -cPf "$made/$2.tar" ../*.cu); name=$2.tar; lost=yes; }
empty_folder() { mkdir "$made/$2"; lost=yes; }
empty_archive() { : >"$made/$2.zip"; name=$2.zip; lost=yes; }
plain_file() { cp "$1/g1_naive.cu" "$made/$2.cu"; name=$2.cu; lost=yes; }
not_an_archive() { echo 'I will hand in tomorrow' >"$made/$2.docx"; name=$2.docx; lost=yes; }
link_itself() { ln -s "$root/solutions/$lesson" "$made/$2"; lost=yes; }

number=0
# Hands in one: for each step what to do ("mutant float-sum"), then how it is packed.
student() { # packing g1 g2 g3
  [ "$number" -lt "$count" ] || return 0
  number=$((number + 1))
  local packing=$1 what verdicts=() i work
  shift
  work=$(mktemp -d)
  mkdir "$work/files"
  for i in 0 1 2; do
    read -ra what <<<"$1"
    shift
    "${what[0]}" "$work/files" "${steps[i]}" "${what[@]:1}"
    verdicts+=("$verdict")
  done
  name=$(printf 'student%03d' "$number") lost=''
  "$packing" "$work/files" "$name"
  for i in 0 1 2; do echo "$name,03/${steps[i]%%_*},${lost:+NOT STARTED}${lost:-${verdicts[i]}}" | sed 's/NOT STARTEDyes/NOT STARTED/' >>"$expected"; done
  rm -rf "$work"
}

# --- the class; a short one begins with one of each important kind
student plain solution 'mutant second-barrier-missing' skeleton
student truncated solution solution solution
student as_zip crlf 'mutant tile-too-large' hanging
student canvas segfault solution none
student plain_file solution none none
student as_tar_gz 'mutant columns-instead-of-rows' unbuilt skeleton
student plain on_the_host none none
student link_itself solution solution solution

for packing in truncated_tar bomb path_trick empty_folder empty_archive plain_file not_an_archive; do student "$packing" solution solution none; done
for packing in "${packings[@]}"; do student "$packing" solution solution solution; done
for packing in "${packings[@]}"; do student "$packing" skeleton skeleton skeleton; done
for odd in crlf bom latin1 utf16 empty binary huge a_link a_secret a_folder with_header no_header; do
  packed 7
  student "$packing" "$odd" solution none
done
for bad in hanging sleeping segfault aborting throwing leaving slow on_the_host forks kills memory shares endless_template; do
  packed 9
  student "$packing" solution "$bad" skeleton
  packed 9
  student "$packing" "$bad" none none
done
# The rest: a mutant or an attempt of each step.
for i in 0 1 2; do
  mapfile -t mutants < <(sed -n 's/^mutant //p' "$tests/mutants/${steps[i]}.mutants")
  for name_of in "${mutants[@]}"; do
    work=(none none none)
    work[i]="mutant $name_of"
    [ "$i" = 0 ] || work[0]=solution
    packed 9
    student "$packing" "${work[@]}"
  done
done
[ "$number" -eq "$count" ] || { echo "make_class.sh: only $number submissions" >&2; exit 1; }
