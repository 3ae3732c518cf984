#!/usr/bin/env python3
"""Compares exported points with what make_course.py says that everybody must get.
  check_course.py FOLDER PHASE EXPORT.csv     PHASE: instant, final or regraded
EXPORT.csv is what `grade export --course` writes without --as.
"""
import csv, sys

folder, phase, export = sys.argv[1:]
rows = lambda file: {row["id"]: row for row in csv.DictReader(open(file, encoding="utf-8-sig"))}
expected, got = rows(f"{folder}/expected.csv"), rows(export)
wrong = [f"{who}: {got.get(who, {}).get('points', 'no row')!r}, not {row[phase]!r}"
         for who, row in expected.items() if got.get(who, {}).get("points") != row[phase]]
right = len(expected) - len(wrong)
wrong += [f"{who}: a row for nobody of the course" for who in got.keys() - expected.keys()]
print("\n".join(wrong + [f"{right} of {len(expected)} people have the points of phase {phase}"]))
sys.exit(bool(wrong))
