#!/usr/bin/env python3
"""Makes a course: its file, roster, extensions, a private test that is wrong and the fixed one, what three
platforms let one download at three times, and what everybody must get. The same seed makes the same class.
  make_course.py FOLDER SEED [STUDENTS SUBMISSIONS]     150 and 400 by default; 10 and 18 make a small one
One assignment: 03/g1 to g3, or --rungs g1. Most sources are equal: they are judged once.
FOLDER/expected.csv: points of each person after the instant phase, after the final one with the wrong test,
after the regrade. FOLDER/LETTER.txt: what the teacher knows; LETTER2.txt, for when grades are out.
"""
import argparse, datetime as dt, gzip, io, math, random, sys, tarfile, zipfile
from pathlib import Path

sys.dont_write_bytecode = True  # nothing of ours appears in the checkout
from course_sources import FILES, LESSON, WORTH, DRAFTS, FINALS, KINDS, encoded, solution
from course_sources import MENDED, PRIVATE, WRONG
from course_texts import COURSE, LETTER, LETTER2

WINTER = dt.timedelta(hours=-6)  # Chicago; no clock changes in this February
DUE = dt.datetime(2027, 2, 14, 23, 59)
GRACE, DAY = dt.timedelta(minutes=15), dt.timedelta(days=1)
SLIP_DAYS, PER_DAY, AT_MOST = 1, 0.1, 3
DOWNLOADS = ["0210", "0215", "0224"]  # for feedback, after the deadline, after the last moment
FIRST = ["Anna", "Jörg", "Søren", "María José", "Łukasz", "Chloé", "Wei", "Nguyễn", "Olga", "Tomasz", "Zoë",
         "Ravi", "Aoife"]
LAST = ["Ek", "Müller", "=O'Brien", "de la Cruz", "Nowak", "Lefèvre", "Li", "Thị Mai", "Ivanova",
        "Weiß", "Smith-Jones", "Iyer"]


class Unit:
    """Who hands in together: one person, or a group."""

    def __init__(self, people, platform, number):
        self.people, self.platform, self.number = people, platform, number
        self.versions = []  # (time, {rung: kind}, encoding)


class Course:
    def __init__(self, args):
        self.folder, self.rungs = Path(args.folder), args.rungs.split(",")
        self.random = random.Random(args.seed)
        self.students, self.submissions = args.students, args.submissions
        self.large = args.students >= 100
        self.most = sum(WORTH[rung] for rung in self.rungs) + 6
        self.choose_people()
        self.choose_versions()

    def choose_people(self):
        self.people = []
        for i in range(self.students):
            who, first, last = f"u{i + 1:03}", FIRST[i % len(FIRST)], LAST[(i // len(FIRST) + i) % len(LAST)]
            middle = "ABCDEFGHIJKLMNOP"[i // 14 % 16]
            name = "=O'Brien, Søren" if i == 2 else f"{last}, {first} {middle}."
            platform = ["gradescope", "canvas", "moodle"][i * 3 // self.students]
            self.people.append({"id": who, "name": name, "email": who + "@uni.edu", "group": "",
                                "platform": platform, "index": i})
        missing = 4 if self.large else 1
        sizes = [2, 2, 2, 3, 3] if self.large else [2]
        # A group is of one section; the first of them is on Gradescope, which knows its own.
        free = self.people[: len(self.people) - missing]
        self.units, taken = [], set()
        for g, size in enumerate(sizes):
            platform = ["gradescope", "canvas", "moodle"][g % 3]
            group = [p for p in free if p["platform"] == platform and p["id"] not in taken][-size:]
            taken.update(p["id"] for p in group)
            for p in group: p["group"] = f"team-{g + 1}"
            self.units.append(Unit(group, platform, 500 + g))
        for p in free:
            if p["id"] not in taken: self.units.append(Unit([p], p["platform"], 100 + p["index"]))
        self.random.shuffle(self.units)

    def combination(self, of):
        return {rung: self.random.choice(of[rung]) for rung in self.rungs}

    def time_between(self, begin, end):
        return begin + dt.timedelta(minutes=self.random.randrange(int((end - begin).total_seconds() / 60)))

    def choose_versions(self):
        singles = [u for u in self.units if len(u.people) == 1]
        seconds = [u for u in singles if u.platform != "moodle"]  # Moodle shows minutes
        others = [u for u in singles if u not in seconds[:3]]
        # Hours after deadline and grace. The last one is after the last moment, also with a slip day.
        late = [1, 5, 23.5, 25, 30, 47, 50, 71, 80, 95.5, 100] if self.large else [25]
        self.late = [(seconds[0], 1 / 3600)] + list(zip(others, late))
        only_late = [u for u, _ in self.late[-3:]] if self.large else []
        extended = others[len(late) : len(late) + 3] if self.large else others[1:2]
        self.extensions = {u.people[0]["id"]: DUE + 3 * DAY for u in extended}
        count = len(self.units)
        drafts = self.submissions - (count + 1) - (count - len(only_late))
        if not 0 <= drafts <= count - len(only_late):
            raise SystemExit(f"make_course.py: {self.submissions} submissions are too many or too few")
        with_draft = [u for u in self.units if u not in only_late][:drafts]
        for unit in self.units:
            if unit in with_draft:
                time = self.time_between(dt.datetime(2027, 2, 3), dt.datetime(2027, 2, 9))
                unit.versions.append((time, self.combination(DRAFTS), ""))
            if unit in only_late or (unit in with_draft and self.random.random() < 0.2): continue
            time = self.time_between(dt.datetime(2027, 2, 11), DUE)
            unit.versions.append((time, self.combination(FINALS), ""))
        for unit, hours in self.late: self.add_late(unit, DUE, hours)
        for i, unit in enumerate(extended):  # within their own time; one of them after it
            self.add_late(unit, DUE + 3 * DAY if i == 2 else DUE, 3 if i == 2 else 40)
        self.at_the_last_second(seconds[1])
        taken = [u for u, _ in self.late] + extended + [seconds[1]]
        self.choose_odd([u for u in singles if u not in taken])

    def add_late(self, unit, due, hours):
        time = due + GRACE + dt.timedelta(seconds=round(hours * 3600))
        unit.versions.append((time, {rung: "reference" for rung in self.rungs}, ""))

    def at_the_last_second(self, unit):
        drafts = [v for v in unit.versions if v[0] < dt.datetime(2027, 2, 10)]
        unit.versions = drafts + [(DUE + GRACE, {rung: "reference" for rung in self.rungs}, "")]

    def choose_odd(self, units):
        """Encodings, empty ones, and kinds that no draw gives. The number of versions stays, and that of what
        the downloads have."""
        odd = [({"g1": "grid_stride"}, "crlf"), ({"g1": "looked_at"}, "")]
        if self.large:
            nothing = {rung: "none" for rung in self.rungs}
            empty = [next(u for u in units if u.platform == platform) for platform in ("moodle", "canvas")]
            units = empty + [u for u in units if u not in empty]
            odd = [(nothing, "empty")] * 2 + odd
            odd += [({"g1": "reference"}, encoding) for encoding in ("bom", "latin1", "utf16")]
            kinds = ("looked_at", "looked_at", "few_sizes", "few_sizes", "unbuilt")
            odd += [({"g1": kind}, "") for kind in kinds]
        for unit, (kinds, encoding) in zip(units, odd):
            unit.versions = [(time, {**old, **kinds}, encoding) for time, old, _ in unit.versions]
        self.unknown_time = next((u for u in units[len(odd):] if u.platform == "canvas"), None)

    # --- what platforms let one download

    def files_of(self, kinds, encoding):
        """Names and bytes."""
        files = {}
        for rung, kind in kinds.items():
            text = KINDS[rung][kind][0]
            if text is not None: files[FILES[rung]] = encoded(text, encoding if rung == "g1" else "")
        if encoding != "empty": files["notes.md"] = b"I used no language model for this homework.\n"
        return files

    def write_downloads(self):
        self.received = [("submission", "received")]
        for number, date in enumerate(DOWNLOADS):
            end = dt.datetime(2027, int(date[:2]), int(date[2:]), 9)
            here = []
            for unit in self.units:
                versions = [v for v in unit.versions if v[0] < end]
                if versions: here.append((unit, versions))
            for platform in ("gradescope", "canvas", "moodle"):
                mine = [(u, v) for u, v in here if u.platform == platform]
                write = getattr(self, "write_" + platform)
                last = number == len(DOWNLOADS) - 1
                if mine: write(self.folder / "downloads" / f"{platform}-{date}", mine, last)
        write_table(self.folder / "downloads/received.csv", self.received)

    def write_gradescope(self, folder, mine, last):
        export, lines = folder / "assignment_4711_export", ["---"]
        export.mkdir(parents=True)
        for unit, versions in mine:
            number = 900000 + unit.number * 10 + len(versions)  # each submission has a number of its own
            lines += [f"submission_{number}:", "  :submitters:"]
            for p in unit.people:
                lines += [f"  - :name: \"{p['name']}\"", f"    :sid: '{p['id']}'"]
                lines += [f"    :email: {p['email']}"]
            stamp = lambda v: f"{v[0] - WINTER:%Y-%m-%d %H:%M:%S}.000000000 Z"
            lines += [f"  :created_at: {stamp(versions[-1])}", "  :score: ", "  :status: processed"]
            if len(versions) > 1: lines.append("  :history:")
            for v in versions[:-1]: lines += [f"  - :created_at: {stamp(v)}", "    :score: "]
            write_files(export / f"submission_{number}", self.files_of(*versions[-1][1:]))
        (export / "submission_metadata.yml").write_text("\n".join(lines) + "\n")

    def write_canvas(self, folder, mine, last):
        folder.mkdir(parents=True)
        for unit, versions in mine:
            time, kinds, encoding = versions[-1]
            p = unit.people[0]
            user, files = 340000 + p["index"], self.files_of(kinds, encoding)
            if encoding == "empty": files = {FILES["g1"]: b""}
            if unit.number % 4 == 0: files = {"hw1.zip": zipped(files)}
            sort_name = "".join(c for c in p["name"].lower() if c.isalnum())
            for i, (name, data) in enumerate(files.items()):
                stem, dot, ending = name.partition(".")
                again = f"-{len(versions) - 1}" if len(versions) > 1 else ""
                late = "LATE_" if time > DUE else ""
                number = 700000 + unit.number * 100 + len(versions) * 10 + i
                named = f"{sort_name}_{late}{user}_{number}_{stem}{again}{dot}{ending}"
                (folder / named).write_bytes(data)
            if unit is not self.unknown_time:
                self.received.append((f"{folder.name}~canvas_{user}", f"{time:%Y-%m-%d %H:%M:%S}"))
        if last:  # an auditor whom the roster does not have
            (folder / f"strangerpat_999999_799999_{FILES['g1']}").write_text(solution("g1"))
            self.received.append((f"{folder.name}~canvas_999999", "2027-02-13 10:00:00"))

    def write_moodle(self, folder, mine, last):
        folder.mkdir(parents=True)
        sheet = [("Identifier", "Full name", "ID number", "Email address", "Status", "Grade", "Maximum Grade",
                  "Grade can be changed", "Last modified (submission)", "Last modified (grade)",
                  "Feedback comments")]
        of_person = {p["id"]: (u, v) for u, v in mine for p in u.people[:1]}
        for p in self.people:
            if p["platform"] != "moodle": continue
            shown, number = " ".join(reversed(p["name"].split(", "))), 50000 + p["index"]
            modified, status = "-", "No submission"
            if p["id"] in of_person:
                unit, versions = of_person[p["id"]]
                time, kinds, encoding = versions[-1]
                modified, status = f"{time:%A, %-d %B %Y, %-I:%M %p}", "Submitted for grading"
                mine = folder / f"{shown}_{number}_assignsubmission_file"
                pack_moodle(mine, self.files_of(kinds, encoding), unit.number % 3)
            sheet.append((f"Participant {number}", shown, p["id"], p["email"], status, "", f"{self.most:g}",
                          "Yes", modified, "-", ""))
        write_table(folder / "Grades-CS4-hw1.csv", sheet)

    # --- what everybody must get

    def points(self, kinds, encoding, phase):
        """Of one version: phase 0 instant, 1 with the wrong private test, 2 with the fixed one, which lowers
        nobody."""
        visible = private = most_private = 0
        for rung, kind in kinds.items():
            if encoding == "utf16" and rung == "g1": kind = "none"  # it is refused
            visible += WORTH[rung] * KINDS[rung][kind][1]
            private += KINDS[rung][kind][2][max(0, phase - 1)]
            most_private += KINDS[rung]["reference"][2][1]
        return visible + (6 * private / most_private if phase > 0 else 0)

    def share_left(self, unit, person, time):
        """Of earned points; none after the last moment."""
        end = max(DUE, self.extensions.get(person["id"], DUE)) + GRACE
        if unit is self.unknown_time or time <= end: return 1
        slip = min(SLIP_DAYS, math.ceil((time - end) / DAY))
        if time > end + (slip + AT_MOST) * DAY: return 0
        return 1 - min(0.5, PER_DAY * math.ceil(max(0, (time - end) / DAY - slip)))

    def write_expected(self):
        rows = [("id", "instant", "final", "regraded")]
        for p in self.people:
            unit = next((u for u in self.units if p in u.people), None)
            cells = ["", "", ""]
            for phase in range(3 if unit else 0):
                best = max(self.points(kinds, encoding, phase) * self.share_left(unit, p, time)
                           for time, kinds, encoding in unit.versions)
                cells[phase] = f"{round(best * 100) / 100:g}"
            rows.append((p["id"], *cells))
        write_table(self.folder / "expected.csv", rows)

    # --- the course

    def write_course(self):
        columns = ["id", "name", "email", "section", "group", "canvas_id", "moodle_id"]
        rows = [columns]
        for p in self.people:
            group = p["group"] if p["platform"] != "gradescope" else ""
            canvas = str(340000 + p["index"]) if p["platform"] == "canvas" else ""
            moodle = p["id"] if p["platform"] == "moodle" else ""
            rows.append([p["id"], p["name"], p["email"], p["platform"], group, canvas, moodle])
        write_table(self.folder / "roster.csv", rows)
        until = [(who, "hw1", f"{time:%Y-%m-%d %H:%M}") for who, time in self.extensions.items()]
        write_table(self.folder / "extensions.csv", [("student", "assignment", "until")] + until)
        worth = ", ".join(f'"03/{rung}" = {WORTH[rung]}' for rung in self.rungs)
        (self.folder / "course.toml").write_text(COURSE.format(worth=worth, slip=SLIP_DAYS))
        for name, target in (("private/hw1", WRONG), ("fixed/hw1", MENDED)):
            test = PRIVATE.replace("TARGET", target).encode()
            write_files(self.folder / name / LESSON, {"private_test.cpp": test})
        granted = "".join(f"  {p['name']} ({p['id']}) asked by mail: until Wednesday, 17 February, 23:59\n"
                          for p in self.people if p["id"] in self.extensions)
        (self.folder / "LETTER.txt").write_text(LETTER.format(granted=granted))
        (self.folder / "LETTER2.txt").write_text(LETTER2)
        key = self.folder / "class.key"
        key.write_text(bytes(self.random.randrange(256) for _ in range(32)).hex() + "\n")
        key.chmod(0o600)


def zipped(files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as z:
        for name, data in files.items(): z.writestr(zipfile.ZipInfo(name), data)
    return out.getvalue()


def write_files(folder, files):
    folder.mkdir(parents=True)
    for name, data in files.items(): (folder / name).write_bytes(data)


def pack_moodle(folder, files, how):
    """Loose, a zip, or a tar with a folder in it."""
    if how == 0: return write_files(folder, files)
    if how == 1: return write_files(folder, {"homework.zip": zipped(files)})
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        for name, data in files.items():
            info = tarfile.TarInfo("my work/" + name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    write_files(folder, {"homework.tar.gz": gzip.compress(out.getvalue(), mtime=0)})


def write_table(file, rows):
    quote = lambda text: '"' + text.replace('"', '""') + '"' if set(text) & set(',;"') else text
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(",".join(quote(field) for field in row) + "\n" for row in rows))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("seed", type=int)
    parser.add_argument("students", type=int, nargs="?", default=150)
    parser.add_argument("submissions", type=int, nargs="?", default=400)
    parser.add_argument("--rungs", default="g1,g2,g3")
    course = Course(parser.parse_args())
    course.folder.mkdir(parents=True, exist_ok=True)
    course.write_course()
    course.write_downloads()
    course.write_expected()


main()
