#!/bin/sh
# Runs the session of docs/session.md again, on a terminal: a clone, then what a student types and edits up to 03/g2.
# Guards: docs/session.md
#   session.sh [CHECKOUT]           says what is another than on the page, or in docs/session.svg
#   session.sh [CHECKOUT] --renew   writes page and picture again
# It builds nothing but the student's step, against what the checkout's build folder has. Exit status 77: it could not run, and the
# last line says why.
set -eu
checkout=$(cd "${1:-$(dirname "$0")/../../..}" && pwd)
build=$(cd "${LADDER_BUILD:-$checkout/build}" && pwd)
tool=$build/bin/ladder-dev # not ./ladder, which would wait for the test that calls this
for program in ladder-dev cut; do
  [ -x "$build/bin/$program" ] || { echo "no program $build/bin/$program: it is built before"; exit 1; }
done
[ -d "$checkout/solutions" ] || { echo "this copy has no solutions: its steps may be a student's"; exit 77; }
for program in git python3 clang++; do # without clang a check says that it left something out
  command -v "$program" >/dev/null || { echo "needs $program"; exit 77; }
done
export PYTHONDONTWRITEBYTECODE=1 # nothing next to the sources
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# What is cloned: the checkout as it is now, committed or not.
origin=$work/origin
mkdir "$origin" "$work/student"
if [ -e "$checkout/.git" ]; then
  (cd "$checkout" && git ls-files -z --cached --others --exclude-standard | tar --null --ignore-failed-read -T - -cf -) | tar -C "$origin" -xf -
else
  tar -C "$checkout" --exclude=./build --exclude=./.ladder -cf - . | tar -C "$origin" -xf -
fi
git -C "$origin" init -q
git -C "$origin" add -A
git -C "$origin" -c user.name=ladder -c user.email=ladder@localhost commit -q -m "The checkout"

# A harness that looks like the build folder. Prebuild writes two files there: they are taken from it, and what was there is put back.
harness=$work/harness
mkdir "$harness" "$work/kept"
cp -p "$build/toolchain.json" "$work/kept/"
[ ! -e "$build/prebuilt.json" ] || cp -p "$build/prebuilt.json" "$work/kept/"
put_back() {
  rm -f "$build/prebuilt.json"
  cp -p "$work"/kept/* "$build/"
}
trap 'put_back; rm -rf "$work"' EXIT
export LADDER_ROOT="$checkout" LADDER_BUILD="$build"
"$tool" image prebuild 03 >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
cp -p "$build/prebuilt.json" "$work/prebuilt.json"
cp "$build/toolchain.json" "$work/"
put_back
for file in "$build"/* "$build"/.[!.]*; do ln -s "$file" "$harness/"; done
rm -f "$harness/toolchain.json" "$harness/prebuilt.json"
mv "$work/toolchain.json" "$work/prebuilt.json" "$harness/"

python3 "$(dirname "$0")/session.py" "$checkout" "$origin" "$harness" "$work/student" ${2+"$2"}
