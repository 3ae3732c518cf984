# shellcheck shell=sh disable=SC2154
# Read by scripts that do what a student does in a clone: makes $origin, which git clones, and $harness, with which the clone's
# ./ladder builds nothing but the student's step. Needs $checkout, $build, $tool, and the folder $work, which it removes at the end.
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
