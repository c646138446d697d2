"""Runs the examples of README.md and docs/guide.md; manual.py those of docs/manual.md.

The ```sh and ```python blocks of a document run in order in one folder, with `entropic` on the path and the tables of
examples/data; each must succeed. An ```output block that follows must equal what was printed. A ```text block that shows what
fit prints has the lines of the last fit, by their names. A block that runs a program of NEEDED is skipped without it.
"""
import os
import re
import shutil
import subprocess
import sys

from _tap import check, end, skip

SOURCE = os.environ["ENTROPIC_SOURCE"]
PYTHON = os.environ.get("PYTHON", sys.executable)
NEEDED = ("mpirun", "parallel")
# Debian's Open MPI warns root, and counts processors.
MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
       "OMPI_MCA_btl": "self,vader", "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
       "OMPI_MCA_plm_rsh_agent": "false"}


def blocks(path):
    """(line, language, text) of each fenced block."""
    with open(path) as file:
        text = file.read()
    for match in re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.M | re.S):
        yield text.count("\n", 0, match.start()) + 1, match.group(1), match.group(2)


def run(language, text, folder, environment):
    command = ["bash", "-euo", "pipefail", "-c", text] if language == "sh" else [PYTHON, "-c", text]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=600)


def lacks(text, path):
    """The programs that a block of shell commands runs and that are not there."""
    runs = [name for name in NEEDED if re.search(r"^%s " % name, text, re.M)]
    if "mpirun" in runs:
        runs.append("entropic-mpi")
    return [name for name in runs if shutil.which(name, path=path) is None]


def summary_lines(text):
    """The names of the lines of a fit's summary, but for the seconds; of the last fit if there are several."""
    lines = text[text.rfind("task  "):].splitlines() if "task  " in text else []
    return [line.split("  ")[0] for line in lines if re.match(r"[a-z]+  +\S", line) and not line.startswith("seconds")]


def run_document(name):
    folder = os.path.abspath(name.replace("/", "-") + ".d")
    tools = os.path.join(folder, "bin")
    os.makedirs(tools)
    os.symlink(os.environ["ENTROPIC"], os.path.join(tools, "entropic"))
    ranks = os.path.join(os.path.dirname(os.environ["ENTROPIC"]), "entropic-mpi")
    if os.path.exists(ranks):
        os.symlink(ranks, os.path.join(tools, "entropic-mpi"))
    for table in ("weather-train.csv", "weather-test.csv"):
        shutil.copy(os.path.join(SOURCE, "examples", "data", table), folder)
    environment = dict(os.environ, **MPI, PATH=tools + os.pathsep + os.environ["PATH"], PYTHONPATH=os.path.join(SOURCE, "python"),
                       ENTROPIC_LIBRARY=os.path.join(os.environ["ENTROPIC_BUILD"], "lib", "libentropic.so"))
    printed, fitted = None, []
    examples = 0
    for line, language, text in blocks(os.path.join(SOURCE, name)):
        where = "%s, line %d" % (name, line)
        lacking = lacks(text, environment["PATH"]) if language == "sh" else []
        if lacking:
            skip(where, "no " + " and no ".join(lacking))
        elif language in ("sh", "python"):
            done = run(language, text, folder, environment)
            printed = done.stdout
            fitted = summary_lines(done.stderr) or fitted
            examples += 1
            check(where, done.returncode == 0, "status %d\n%s%s" % (done.returncode, done.stdout, done.stderr))
        elif language == "output":
            check(where + ": what it prints", printed == text, "printed:\n%s\nexpected:\n%s" % (printed, text))
        elif language == "text" and text.startswith("task  "):
            check(where + ": the lines of a fit", summary_lines(text) == fitted, "%s, expected %s" % (summary_lines(text), fitted))
    check(name + " has examples", examples > 0)


def main(*names):
    for name in names:
        run_document(name)
    return end()


if __name__ == "__main__":
    raise SystemExit(main("README.md", "docs/guide.md"))
