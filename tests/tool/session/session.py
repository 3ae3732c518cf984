"""Runs the session of docs/session.md again and compares; called by session.sh. With --renew it writes page and picture again.

- In a block ```console a line that begins with "$ " is typed; the lines after it are what the terminal must show.
- <!-- edit STEP NAME -->: the student saves that mutant of a step of lesson 03, or its solution.
- <!-- picture TEXT -->: the block after it is drawn in docs/session.svg, whose description is TEXT, or the first one's.
"""

import difflib
import os
import re
import shutil
import subprocess
import sys

from picture import drawn
from terminal import Shell, text_of

URL = "https://example.org/gpu-ladder.git"  # git is told to take the checkout for it
LESSON = "03-dgemm"
RENEW = "tests/tool/session/session.sh . --renew"

SLOW = "Updating files: "  # a line that git shows where a clone takes longer than two seconds

# What differs from run to run, and what is in its place, in every line. A rule keeps the verdict and its words.
CHANGES = [
    (r"\b\d+ min in 1 session", "6 min in 1 session"),
]


def normal(line):
    """A line of the screen by the rules above; the style of what is replaced is that of its first character."""
    for pattern, instead in CHANGES:
        for found in reversed(list(re.finditer(pattern, text_of(line)))):
            style = line[found.start()][1]
            line = line[: found.start()] + [(c, style) for c in instead] + line[found.end() :]
    return line


class Run:
    """The session, command by command."""

    def __init__(self, checkout, origin, harness, folder):
        self.checkout, self.cut = checkout, os.path.join(harness, "bin", "cut")
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("LADDER_", "GIT_"))}
        for name in ("COLUMNS", "NO_COLOR", "CLICOLOR"):
            environment.pop(name, None)
        if "LADDER_PREFIX" in os.environ:
            environment["LADDER_PREFIX"] = os.environ["LADDER_PREFIX"]
        environment.update(
            TERM="xterm", HOME=folder, TMPDIR=folder, LC_ALL="C.UTF-8", LADDER_HARNESS=harness, LADDER_OFFLINE="1",
            CUDA_VISIBLE_DEVICES="",  # the page is about a machine without a GPU
            GIT_CONFIG_COUNT="2", GIT_CONFIG_KEY_0="url." + origin + ".insteadOf", GIT_CONFIG_VALUE_0=URL,
            GIT_CONFIG_KEY_1="safe.directory", GIT_CONFIG_VALUE_1="*",
        )
        self.copy = os.path.join(folder, "gpu-ladder")
        self.shell = Shell(folder, environment)

    def type(self, command):
        return [normal(line) for line in self.shell.answer(command) if not text_of(line).startswith(SLOW)]

    def edit(self, step, name):
        """What the student saves: a mutant, or the solution."""
        solution = os.path.join(self.checkout, "solutions", LESSON, step + ".cu")
        file = os.path.join(self.copy, "lessons", LESSON, step + ".cu")
        if name == "solution":
            shutil.copyfile(solution, file)
        else:
            mutants = os.path.join(self.checkout, "tests", LESSON, "mutants", step + ".mutants")
            subprocess.run([self.cut, "mutant", solution, mutants, name, "-o", file], check=True)


def blocks_of(page):
    """The page as (kind, lines): text, console. The fences are in the text."""
    kind, lines = "text", []
    for line in page.splitlines():
        if line.startswith("```"):
            fence = line[3:] or "text"
            if kind == "text":
                yield "text", lines + [line]
                kind, lines = fence, []
            else:
                yield kind, lines
                kind, lines = "text", [line]
        else:
            lines.append(line)
    yield kind, lines


def follow(page, run):
    """@return the page as it is now, the lines to be drawn, and the picture's description"""
    new, shown, what, drawing = [], [], "", False
    for kind, lines in blocks_of(page):
        if kind != "console":
            for line in lines:
                words = line.split()
                if words[:2] == ["<!--", "edit"]:
                    run.edit(words[2], words[3])
                if words[:2] == ["<!--", "picture"]:
                    drawing, what = True, what or " ".join(words[2:-1])
            new += lines
            continue
        for command in (line[2:] for line in lines if line.startswith("$ ")):
            answer = run.type(command)
            new += ["$ " + command] + [text_of(line) for line in answer]
            if drawing:
                shown += [[(c, "1") for c in "$ " + command]] + answer + [[]]
        drawing = False
    return "\n".join(new) + "\n", shown, what


def difference(name, old, new):
    lines = list(difflib.unified_diff(old.splitlines(), new.splitlines(), name, "now", n=1, lineterm=""))
    return "\n".join(line[:150] for line in lines[:9])


def main(checkout, origin, harness, folder, *how):
    files = {name: os.path.join(checkout, "docs", name) for name in ("session.md", "session.svg")}
    old = {name: open(path).read() if os.path.exists(path) else "" for name, path in files.items()}
    run = Run(checkout, origin, harness, folder)
    page, shown, what = follow(old["session.md"], run)
    run.shell.end()
    new = {"session.md": page, "session.svg": drawn(shown, "A session in a terminal", what)}
    if how == ("--renew",):
        for name, path in files.items():
            with open(path, "w") as out:
                out.write(new[name])
        return
    for name in files:
        if old[name] != new[name]:
            sys.exit("%s\ndocs/%s is not what the session shows now. Again: %s" % (difference(name, old[name], new[name]), name, RENEW))


if __name__ == "__main__":
    main(*sys.argv[1:])
