"""Which code OpenBLAS uses: the same for every program in a race. To be imported before numpy."""
import os
import subprocess

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "scripts", "openblas-core")


def tell():
    """Sets OPENBLAS_CORETYPE for this program and those it starts, by the rule of scripts/openblas-core."""
    core = subprocess.run([SCRIPT], capture_output=True, text=True, check=True).stdout.strip()
    if core:
        os.environ["OPENBLAS_CORETYPE"] = core


def in_use():
    """What the OpenBLAS of numpy says it uses; what it was told, or "its own choice", where that cannot be found out."""
    try:
        import numpy  # noqa: F401: it loads it
        import threadpoolctl
        cores = [pool["architecture"] for pool in threadpoolctl.threadpool_info() if pool.get("architecture")]
    except ImportError:
        cores = []
    return cores[0] if cores else os.environ.get("OPENBLAS_CORETYPE", "its own choice")
