#!/usr/bin/env python3
"""The same files through `./ladder grade` and through the zip for Gradescope: the same points, step by step?
  same_points.py ZIP GRADES DOWNLOADS --base JAMMY [--most N] [--keep FOLDER]     as root
GRADES    what ./ladder grade DOWNLOADS --course … has made; its records say what each must get
JAMMY     a root of Ubuntu 22.04, which is copied
Of all submissions N are taken (20 by default) that differ most: sources, encodings, packages, refused files, groups.
Each arrives on the platform as its platform's download has it, with Canvas's own words taken out of the names.
--keep FOLDER   a new folder, for the submissions and their results.json
"""
import argparse, json, os, re, shutil, subprocess, sys, tempfile, time
from pathlib import Path

sys.dont_write_bytecode = True  # nothing of ours appears in the checkout
CHECKOUT = Path(__file__).resolve().parents[2]
CANVAS = re.compile(r"^[^_]+_(?:LATE_)?(\d+)_\d+_(.*?)(?:-\d+)?(\.[^-]*)$")
LESSON = re.compile(r"^(\d+)-")


def files_of(key, downloads):
    """The files of a submission: of a path in the download to the name that the student gave."""
    download, _, name = key.partition("~")
    folder = downloads / download
    if name.startswith("canvas_"):
        found = [(f, CANVAS.match(f.name)) for f in sorted(folder.iterdir())]
        return {f: m[2] + m[3] for f, m in found if m and m[1] == name.removeprefix("canvas_")}
    if name.startswith("participant_"):
        number = name.removeprefix("participant_")
        folder = next(folder.glob(f"*_{number}_assignsubmission_file"))
    else:
        folder = next(folder.rglob(name))
    return {f: str(f.relative_to(folder)) for f in sorted(folder.rglob("*")) if f.is_file()}


def features(record, handed, files):
    """What makes a submission another one than the rest."""
    about = record["submission"]
    found = {(f["path"], f["sha256"]) for f in about["files"]}
    found |= {("changed", word) for f in about["files"] for word in f["changed"]}
    found |= {("refused", refused["why"]) for refused in about["refused"]}
    found |= {("verdict", step["name"], step["student"]["verdict"]) for step in instant(record)}
    found |= {("packed", handed["platform"], Path(name).suffix)
              for name in files.values() if not name.endswith((".cu", ".md"))}
    found.add(("steps", handed["platform"], len(about["files"])))
    if len(handed["people"]) > 1: found.add(("group", len(handed["people"])))
    if not handed["people"]: found.add(("unknown person",))
    return found


def instant(record):
    return [step for step in record["steps"] if step["phase"] == "instant"]


def choose(records, handed, downloads, most):
    """Each next one has most of what none before it has."""
    left = {key: features(record, handed[key], files_of(key, downloads)) for key, record in records.items()}
    chosen, seen = [], set()
    while left and len(chosen) < most:
        key = min(left, key=lambda key: (-len(left[key] - seen), key))
        if not left[key] - seen: break
        seen |= left.pop(key)
        chosen.append(key)
    return chosen


def must_get(record, worth):
    """Points and most points of each step; verdicts as students read them."""
    result = {}
    for step in instant(record):
        rung = LESSON.match(step["lesson"])[1] + "/" + step["name"].split("_")[0]
        most = step["max_points"]
        share = worth[rung] / most if rung in worth and most else 1
        result[rung] = (round(share * step["points"], 2), round(share * most, 2), step["student"]["verdict"])
    return result


def got(results):
    return {test["name"].split()[0]: (round(test.get("score", -1), 2), round(test.get("max_score", -1), 2),
                                      test.get("extra_data", {}).get("verdict", test["output"]))
            for test in results["tests"] if not test["name"].endswith(", open")}


def worth_in(zip_file):
    """Points of the course file, which the zip's own settings have."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["cmake", "-E", "tar", "xf", zip_file, "gradescope.json"], cwd=folder, check=True)
        return json.loads((Path(folder) / "gradescope.json").read_text()).get("points", {})


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    for name in ("zip", "grades", "downloads"): parser.add_argument(name, type=Path)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--most", type=int, default=20)
    parser.add_argument("--keep", type=Path)
    args = parser.parse_args()
    all_records = [json.loads(f.read_text()) for f in sorted((args.grades / "records").glob("*.json"))]
    records = {record["submission"]["name"]: record for record in all_records}
    handed = {one["key"]: one for one in json.loads((args.grades / "handed.json").read_text())["handed"]}
    chosen = choose(records, handed, args.downloads, args.most)
    work = args.keep or Path(tempfile.mkdtemp(dir="/var/tmp"))
    try:
        sys.exit(not compare(args, work, chosen, records))
    finally:
        if not args.keep: shutil.rmtree(work)


def compare(args, work, chosen, records):
    (work / "results").mkdir(parents=True)
    for key in chosen:
        for file, name in files_of(key, args.downloads).items():
            target = work / "submissions" / key / name
            target.parent.mkdir(parents=True, exist_ok=True)
            if target.suffix == ".zip": shutil.unpack_archive(file, target.parent)  # as the platform does
            else: shutil.copyfile(file, target)
        (work / "submissions" / key).mkdir(parents=True, exist_ok=True)
    worth, begin = worth_in(args.zip.resolve()), time.monotonic()
    print(f"{len(chosen)} of {len(records)} submissions, load {os.getloadavg()[0]:.0f}", flush=True)
    tried = subprocess.run([CHECKOUT / "common/tool/gradescope/try_zip.sh", args.zip, work / "submissions",
                            work / "results", args.base, ""])
    steps = equal = 0
    for key in chosen:
        file = work / "results" / (key + ".json")
        must = must_get(records[key], worth)
        has = got(json.loads(file.read_text())) if file.exists() else {}
        same = sum(has.get(rung) == what for rung, what in must.items())
        steps, equal = steps + len(must), equal + same
        print(f"{'ok     ' if same == len(must) else 'DIFFERS'} {key}: "
              + ", ".join(f"{rung} {verdict} {points:g} of {most:g}"
                          for rung, (points, most, verdict) in must.items()))
        for rung, what in must.items():
            if has.get(rung) != what: print(f"        {rung} in the zip: {has.get(rung, 'no result')}")
    print(f"{equal} of {steps} steps are equal; {time.monotonic() - begin:.0f} s, load {os.getloadavg()[0]:.0f}")
    return tried.returncode == 0 and equal == steps > 0


main()
