#!/bin/bash
# A course from its file to exported grades, on a small class of three platforms: new, check with its trial, both
# phases of grading, exports, a wrong private test found afterwards, a changed deadline.
# `./ladder test` calls this with the checkout.
# Guards: docs/instructor.md, docs/course.md
#   course_test.sh [CHECKOUT]      exit status 77: it could not run, and the last line says why
# queue: targets bin/ladder-class bin/cut bin/confine judges/03-dgemm workers/lessons/03-dgemm/g1_naive.executor workers/lessons/03-dgemm/g1_naive.observed workers/lessons/03-dgemm/g1_naive.lint
# queue: cost 60
# queue: memory 4
[ -n "${BASH_VERSION-}" ] || exec bash "$0" "$@"
set -u
. "$(dirname "$0")/prepare.sh"
command -v python3 >/dev/null || { echo "not tried: no python3"; exit 77; }
python3 "$checkout/tests/grading/make_course.py" "$work/made" 48 10 18 --rungs g1 || exit 1
mkdir "$work/kinds"
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$checkout/tests/grading python3 - "$work/kinds" <<'PY' || exit 1
import sys
from course_sources import KINDS
for name, kind in KINDS["g1"].items():
    if kind[0]: open(f"{sys.argv[1]}/{name}.cu", "w").write(kind[0])
PY
known "$work"/kinds/*
cd "$work" || exit 1

# --- the file
ladder course new course.toml
check "course new writes a file" [ -s course.toml ]
check "and not a second time" refuses "already exists" course new course.toml
ladder course check course.toml
check "what must be filled in is all that is wrong" [ "$(grep -c . output)" = 2 ]
check "the name" says "course.toml:4:10: course is empty"
check "the time zone" says "course.toml:5:12: timezone is empty"
sed -i 's|^course = ""|course = "CS"|; s|^timezone = ""|timezone = "America/Chicago"|
  s|^rungs = .*|rungs = { "03/g1" = 10, "03/g99" = 8 }|' course.toml
check "an unknown rung has its place" refuses 'course.toml:41:25: unknown rung' course check course.toml
cd made || exit 1
by_course=(grade downloads --course course.toml --out grades)
check "an unknown assignment" refuses "unknown assignment 'hw2'; nearest: hw1" "${by_course[@]}" --assignment hw2
cp course.toml as-it-was.toml
sed -i 's|^record = .*|record = "cuda:77"|' course.toml
check "the device whose verdicts count must be here" refuses "device 'cuda:77' is not on this machine" "${by_course[@]}"
mv as-it-was.toml course.toml
check "rungs are said once" refuses "omit them" "${by_course[@]}" --rungs 03/g1

# --- the trial, with the private test as it will be fixed: it is long, and is done once
test=private/hw1/03-dgemm/private_test.cpp fixed=fixed/hw1/03-dgemm/private_test.cpp
cp "$test" wrong.cpp
cp "$fixed" "$test"
begin=$(date +%s)
ladder course check course.toml
trial=$? took=$(($(date +%s) - begin))
if says "cannot be sandboxed here"; then echo "not tried: $(tail -n 1 "$work/output")"; exit 77; fi
check "the trial passes" [ $trial = 0 ]
check "with the reference" grep -qE 'the reference +PASS, all points +PASS, 8 of 8 +ok' "$work/output"
check "the skeleton" grep -qE 'the skeletons +NOT STARTED, no points +NOT STARTED, 0 of' "$work/output"
check "a mutant of each verdict" grep -qE 'mutant .* of 03/g1 +WRONG +WRONG' "$work/output"
check "half an archive" grep -qE 'half an archive +NOT STARTED' "$work/output"
check "odd folders" grep -qE 'in odd folders +PASS, all points +PASS, 8 of 8 +ok' "$work/output"
check "when the last attempt counts, with slip days" grep -qE "The last attempt that counts for hw1: .*for a person who has all [0-9]+ left: " "$work/output"
# A line every 15 seconds; a trial that is over before has none.
[ "$took" -lt 40 ] || check "how far it is, without a terminal" grep -qE "^ *[0-9]+ %.* of [0-9]+ graded" "$work/output"
check "and says what the class costs" says "A class of 10, one submission each, costs here, with --jobs"

# --- both phases, and what everybody must get
export_as() { ladder grade export grades --course course.toml --out "$1.csv"; } # a phase of expected.csv
gets() { python3 "$checkout/tests/grading/check_course.py" . "$1" "$1.csv" >>"$work/output"; }
ladder "${by_course[@]}"
check "all are taken in" says "18 submissions in 7 downloads, of 9 people on the roster; 1 of the roster handed in nothing: u010"
check "an unknown person is said" says "canvas-0224~canvas_999999: nobody on the roster"
grep -l '"PROVISIONAL"' grades/records/*.json | while read -r record; do
  ladder review grades "$(basename "$record" .json)" 03/g1 --accept --reason "atexit is allowed" --by anna
done
export_as instant
check "whose work is of nobody on the roster" says "of nobody on the roster: canvas-0224~canvas_999999"
check "points after lateness, slip days, extensions" gets instant
check "who has handed in nothing has no points" grep -qE '^u010,[^,]*"[^"]*",,,' instant.csv
check "a name that is no formula" grep -q "^u003,\"'=O'Brien, Søren\"," instant.csv
check "others cannot read the last export" [ "$(stat -c %a grades/export.json)" = 600 ]
cp wrong.cpp "$test"
ladder grade --phase final --into grades --course course.toml
check "other tests need a new check" refuses "has changed since it was checked" \
  grade export grades --course course.toml --out final.csv
cp "$fixed" "$test"
export_as final
check "a fixed test that nobody was judged by is said" says "judged by other private tests"
check "points with private tests" gets final
check "what each platform reads" ladder grade export grades --course course.toml --as gradescope --out results
check "is of its own people, and says what the table has" python3 - grades final.csv results <<'PY'
import csv, json, os, re, sys
grades, table, results = sys.argv[1:]
points = {row["id"]: row["points"] for row in csv.DictReader(open(table, encoding="utf-8-sig"))}
mine = os.listdir(results)
assert 0 < len(mine) < len(points), mine
for who in mine:
    score = json.load(open(f"{results}/{who}/results.json"))["score"]
    assert abs(score - float(points[who])) < 0.006, (who, score, points[who])
for who, had in points.items():
    page = f"{grades}/published/{who}.html"
    assert os.path.exists(page) == (had != ""), who
    assert not had or f"Points: {had} of " in open(page).read(), (who, had)
PY
check "others cannot read the pages" [ "$(stat -c %a grades/published)" = 700 ]
ladder grade export grades --as gradescope --out own
check "without the course file it says which points these are" says "These are the rungs' own points"

# --- grades are out, and a private test was wrong
ladder regrade grades --all --course course.toml
check "who would change" says "03/g1, private part: MISSED, 3 of 6 points → PASS, 6 of 6 points"
check "nobody would lose" grep -qE '^  03/g1, private part: PASS, 6 of 6 .* → MISSED' "$work/output"
check "and which people change" grep -qE '^hw1: [0-9]+ (person gets|people get) other points:$' "$work/output"
check "a file that was not taken keeps its reason" says_not "no g1_naive.cu in the submission"
ladder regrade grades --all --course course.toml --apply
export_as regraded
check "nothing is to be regraded any more" says_not "other private tests"
check "points after the regrade" gets regraded

# --- the private tests may be known
check "private parts are published" ladder grade publish grades --course course.toml --by eva
export_as published
check "nobody gets other points by that" says_not "→"
check "and they are on the pages that are given out" grep -rqE "check 03/g1 --private hw1 --seed [0-9a-f]{64}" grades/published

# --- a changed deadline
sed -i 's|^due = .*|due = 2027-02-10T23:59|' course.toml
export_as early
check "a changed deadline says who changes" grep -qE 'u00.: 14 → [0-9.]+ points .* late' "$work/output"
export_as early
check "and nobody the second time" says_not "→"
check "nothing is left behind" [ -z "$(ls -A "$work/tmp")" ]
exit $failed
