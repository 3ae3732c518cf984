# shellcheck shell=sh disable=SC2154
# Part of ../image.sh: the zip from a root with a harness. The reference is graded in it first, by the path of submissions: a
# zip that would misjudge it is not made.
zip=$work/zip
mkdir -p "$zip/secret"
for lesson in $lessons; do
  [ -d "$LADDER_ROOT/solutions/$lesson" ] || die "no solutions of $lesson here: the autograder could not be tested"
  mkdir -p "$root/opt/ladder/solutions"
  cp -a "$LADDER_ROOT/solutions/$lesson" "$root/opt/ladder/solutions/"
done
say "grading the reference in it"
mkdir -p "$root/opt/check/submissions/nobody" "$root/opt/check/build"
inside -u LADDER_LOCKED LADDER_HARNESS=/opt/ladder/build LADDER_ROOT=/opt/ladder LADDER_BUILD=/opt/check/build \
  /opt/ladder/build/bin/ladder-class grade /opt/check/submissions --out /opt/check/grades --sandbox uid --jobs 1 --rungs "$(printf %s "$rungs" | tr " " ,)" ||
  die "the reference does not pass: $(tail -n 3 "$log")"
cp "$root/opt/check/grades/reference.json" "$zip/secret/"
cp "$root/opt/check/grades/class.key" "$zip/secret/platform.key" # of the zip alone: the class key stays where it is
rm -rf "$root/opt/ladder/solutions" "$root/opt/check"
say "packing"
tar -C "$root" -cJf "$zip/harness.tar.xz" opt/ladder
sed "s/@PACKAGES@/$(printf %s "$packages" | tr '\n' ' ')/" "$here/gradescope/setup.sh" >"$zip/setup.sh"
cp "$here/gradescope/run_autograder" "$zip/run_autograder"
chmod 755 "$zip/setup.sh" "$zip/run_autograder"
printf '%s\n' "$settings" >"$zip/gradescope.json"
(cd "$zip" && cmake -E tar cf "$work/autograder.zip" --format=zip -- *)
chmod 600 "$work/autograder.zip" # it has solutions and a key
mv "$work/autograder.zip" "$out"
