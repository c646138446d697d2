"""Running the command on ranks: shared by the tests of this folder."""
import os
import random
import shutil
import subprocess
import sys

ENTROPIC = os.environ["ENTROPIC"]
ENTROPIC_MPI = os.path.join(os.path.dirname(ENTROPIC), "entropic-mpi")
# Debian's Open MPI warns root, and looks for networks that a machine alone does not need.
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_btl="self,vader", OMPI_MCA_btl_vader_single_copy_mechanism="none",
                   OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_plm_rsh_agent="false",
                   OMPI_MCA_hwloc_base_binding_policy="none")


def there():
    """Whether ranks can be run at all; ends the test as skipped if not."""
    if os.path.exists(ENTROPIC_MPI) and shutil.which("mpirun"):
        return True
    print("1..0 # SKIP no MPI: libopenmpi-dev and openmpi-bin are needed")
    sys.exit(0)


def command(ranks, *arguments):
    return ["mpirun", "-n", str(ranks), ENTROPIC_MPI, *map(str, arguments)]


def run(ranks, *arguments, **more):
    """The command on so many ranks; 0: in one process without MPI."""
    line = [ENTROPIC, *map(str, arguments)] if ranks == 0 else command(ranks, *arguments)
    return subprocess.run(line, capture_output=True, text=True, env=ENVIRONMENT, timeout=300, **more)


def read(name):
    with open(name, "rb") as file:
        return file.read()


def table(name, rows, seed, classes=False):
    """Numbers, categories with delimiters and line feeds in quotes, dates, missing values, weights, groups; rows without
    a target; an identifier, a copy and a constant."""
    draw = random.Random(seed)
    with open(name, "w", newline="") as file:
        file.write("id,a,b,c,when,twin,same,w,g,y\n")
        for i in range(rows):
            a, b = draw.random(), draw.gauss(0, 1)
            c = draw.choice(["plain", '"with, comma"', '"two\nlines"', "blue", '"a ""quote"""'])
            gap = draw.random() < .05
            score = 4 * a * a + (0 if gap else b) * (c == "blue") + draw.gauss(0, .3)
            y = ("yes" if score > 1.2 else "no") if classes else "%.4f" % score
            file.write("%d,%.6f,%s,%s,2024-%02d-%02d,%.6f,7,%s,g%d,%s\n" % (
                i + 1, a, "" if gap else "%.6f" % b, c, draw.randint(1, 12), draw.randint(1, 28), a,
                draw.choice(["1", "2", "0.5"]), draw.randint(0, 30), "" if draw.random() < .02 else y))
