"""Makes a notebook of the cells in docs/elsewhere.md, executes it in Jupyter, and looks at what its cells print.

Called by notebook.sh. The page says that a step is written with %%writefile: that cell has the reference, and a check follows.
"""

import json
import os
import subprocess
import sys

HEADING = "## A notebook with a GPU"
URL = "https://example.org/gpu-ladder.git"  # git is told to take the checkout for it
STEP = "lessons/03-dgemm/g2_shared_tiles.cu"
SKIPPED = 77  # the exit status of a test that could not run
CHECK = "!./ladder check 03/g2"


def cells_of(page):
    """The lines of the first block of code below the heading, each a cell."""
    lines = page[page.index(HEADING) :].splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("    "))
    cells = []
    for line in lines[first:]:
        if not line.startswith("    "):
            break
        cells.append(line.strip().replace("URL", URL))
    return cells


def notebook_of(cells):
    code = [
        {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": cell} for cell in cells
    ]
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    return {"cells": code, "metadata": kernel, "nbformat": 4, "nbformat_minor": 4}


def executed(notebook, origin, harness, folder):
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("LADDER_", "GIT_"))}
    if "LADDER_PREFIX" in os.environ:
        environment["LADDER_PREFIX"] = os.environ["LADDER_PREFIX"]
    environment.update(
        HOME=folder, TMPDIR=folder, LC_ALL="C.UTF-8", LADDER_HARNESS=harness, LADDER_OFFLINE="1",
        CUDA_VISIBLE_DEVICES="",  # on the executor, whatever the machine has
        GIT_CONFIG_COUNT="2", GIT_CONFIG_KEY_0="url." + origin + ".insteadOf", GIT_CONFIG_VALUE_0=URL,
        GIT_CONFIG_KEY_1="safe.directory", GIT_CONFIG_VALUE_1="*",
    )
    with open(os.path.join(folder, "cells.ipynb"), "w", encoding="utf-8") as out:
        json.dump(notebook, out)
    ended = subprocess.run(
        ["jupyter", "nbconvert", "--to", "notebook", "--execute", "--allow-errors", "--ExecutePreprocessor.timeout=300",
         "--output", "executed", "cells.ipynb"],
        cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        check=False, text=True,
    )
    if "No such kernel" in ended.stdout:
        print("needs a kernel for Python in Jupyter (package python3-ipykernel)")
        sys.exit(SKIPPED)
    if ended.returncode:
        sys.exit("jupyter nbconvert failed:\n" + ended.stdout[-4000:])
    with open(os.path.join(folder, "executed.ipynb"), encoding="utf-8") as file:
        return json.load(file)


def printed(cell):
    return "".join("".join(one.get("text", "")) + one.get("evalue", "") for one in cell["outputs"])


# What a cell must print, by the words that it begins with, in this order.
EXPECTED = [
    ("!git clone", "GPU"),
    ("%cd ladder", "/ladder"),
    (CHECK, "NOT STARTED"),
    ("%%writefile", "Overwriting"),
    (CHECK, "PASS"),
]


def main(checkout, origin, harness, folder):
    with open(os.path.join(checkout, "docs/elsewhere.md"), encoding="utf-8") as page:
        cells = cells_of(page.read())
    with open(os.path.join(checkout, STEP.replace("lessons/", "solutions/")), encoding="utf-8") as solution:
        cells += ["%%writefile " + STEP + "\n" + solution.read(), CHECK]
    if len(cells) != len(EXPECTED):
        sys.exit(f"docs/elsewhere.md has {len(cells) - 2} cells, and the test knows {len(EXPECTED) - 2}")
    wrong = []
    done = executed(notebook_of(cells), origin, harness, folder)["cells"]
    for cell, (begin, words) in zip(done, EXPECTED):
        text = printed(cell)
        if not "".join(cell["source"]).startswith(begin) or words not in text:
            wrong.append(f"a cell that begins with {begin} does not print {words}, but:\n{text[-2000:]}")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main(*sys.argv[1:])
