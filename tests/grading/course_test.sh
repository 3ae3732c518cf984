#!/bin/bash
# A course from its file to exported grades: new, check with its trial, grade, export, a changed deadline.
# `./ladder test` calls this with the checkout.
#   course_test.sh [CHECKOUT]      exit status 77: it could not run, and the last line says why
[ -n "${BASH_VERSION-}" ] || exec bash "$0" "$@"
set -u
. "$(dirname "$0")/prepare.sh"
mkdir "$work/class/ana" "$work/class/ben"
cd "$work" || exit 1

# --- the file
ladder course new course.toml
check "course new writes a file" [ -s course.toml ]
check "and not a second time" refuses "is there already" course new course.toml
ladder course check course.toml
check "what must be filled in is all that is wrong" [ "$(grep -c . output)" = 2 ]
check "the name" says "course.toml:4:10: course is empty"
check "the time zone" says "course.toml:5:12: timezone is empty"
sed -i 's|^course = ""|course = "CS"|; s|^timezone = ""|timezone = "America/Chicago"|; s|^# roster|roster|
  s|^opens = [^ ]*|opens = 2027-02-01T09:00|; s|^due = .*|due = 2027-02-14T23:59|
  s|^rungs = .*|rungs = { "03/g1" = 10, "03/g99" = 8 }|' course.toml
printf 'id,name\nana,Ana\nben,"=O'"'"'Brien, Søren"\ncleo,Cleo\n' >roster.csv
check "an unknown rung has its place" refuses 'course.toml:31:25: unknown step' course check course.toml
sed -i 's|, "03/g99" = 8||' course.toml
check "an unknown assignment" refuses "unknown assignment 'hw2'; nearest: hw1" grade class --course course.toml --assignment hw2 --out grades
check "rungs are said once" refuses "leave them away" grade class --course course.toml --rungs 03/g1 --out grades

# --- the trial
ladder course check course.toml
trial=$?
check "the trial passes" [ $trial = 0 ]
check "with the reference" grep -qE 'the reference +PASS, all points +PASS, 8 of 8 +ok' output
check "the skeleton" grep -qE 'the skeletons +NOT STARTED, no points +NOT STARTED, 0 of' output
check "a mutant of each verdict" grep -qE 'mutant .* of 03/g1 +WRONG +WRONG' output
check "half an archive" grep -qE 'half an archive +NOT STARTED' output
check "odd folders" grep -qE 'in odd folders +PASS, all points +PASS, 8 of 8 +ok' output
check "and says what the class costs" says "A class of 3, one different submission each, costs about"

# --- grades, deadlines, exports
cp "$checkout/solutions/03-dgemm/g1_naive.cu" class/ana/
cp "$checkout/solutions/03-dgemm/g1_naive.cu" class/ben/
printf 'submission,received\nana,2027-02-14 23:59\nben,2027-02-15 00:14:01\n' >class/received.csv
ladder grade class --course course.toml --out grades
check "graded by the course file" [ "$(ls grades/records | grep -c json)" = 2 ]
ladder grade export grades --course course.toml --out hw1.csv
check "in time at the last second: all points of the file" grep -qE '^ana,Ana,S-[A-Z0-9]+,10,10,10,in time' hw1.csv
check "a second after grace: a day" grep -qE "^ben,\"'=O'Brien, Søren\",S-[A-Z0-9]+,9,10,10,\"1 hour late, 10 % taken\"" hw1.csv
check "who has handed in nothing has no points" grep -qE '^cleo,Cleo,,,' hw1.csv
printf 'student,assignment,until\nben,hw1,2027-02-16 23:59\n' >extensions.csv
sed -i 's|^# extensions|extensions|; s|^due = .*|due = 2027-02-13T23:59|' course.toml
ladder grade export grades --course course.toml --out hw1.csv
check "a changed deadline says who changes" says "ana: 10 → 9 points (10 of 10 points; 24 hours late, 10 % taken)"
check "an extension, too" says "ben: 9 → 10 points (10 of 10 points; in time)"
ladder grade export grades --course course.toml --out hw1.csv
check "and nobody the second time" says_not "→"
check "others cannot read the last export" [ "$(stat -c %a grades/export.json)" = 600 ]
sed -i 's|"03/g1" = 10|"03/g1" = 12|' course.toml
check "other points need a new check" refuses "has changed since it was checked" grade export grades --course course.toml --out hw1.csv
check "nothing is left behind" [ -z "$(ls -A "$work/tmp")" ]
exit $failed
