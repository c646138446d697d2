"""fit_shards on Dask's distributed scheduler with four workers: the bytes of one process, from files, parts of a file,
frames, Arrow tables, and frames that are with the workers already; also if a worker is killed meanwhile."""
import logging
import os
import random
import signal
import sys
import threading
import time

import pandas as pd

from _package import entropic, model_of_command, refused
from _tap import check, end, skip

try:
    import polars
    import pyarrow
    from distributed import Client, LocalCluster
except ImportError:
    skip("Dask", "no distributed, pyarrow or polars")
    sys.exit(end())

GIVEN = {"features": 30, "reg_lambda": 0.01, "omega": 1.0, "sample": 1000}
OPTIONS = ["--features", "30", "--lambda", "0.01", "--omega", "1", "--sample", "1000", "--target", "y"]


def write_rows(rows):
    draw = random.Random(11)
    with open("whole.csv", "w") as file:
        file.write("a,b,c,y\n")
        for _ in range(rows):
            a, b, c = draw.random(), draw.gauss(0, 1), draw.choice(["red", "green", "blue"])
            file.write("%.6f,%.6f,%s,%.5f\n" % (a, b, c, 3 * a * a + b * (c == "blue") + draw.gauss(0, 0.2)))
    frame = pd.read_csv("whole.csv")
    pieces = [frame.iloc[i * rows // 4:(i + 1) * rows // 4] for i in range(4)]
    names = ["part%d.csv" % i for i in range(4)]
    with open("whole.csv") as file:
        lines = file.readlines()
    for i, name in enumerate(names):
        with open(name, "w") as file:
            file.writelines(lines[:1] + lines[1 + i * rows // 4:1 + (i + 1) * rows // 4])
    return pieces, names


def bytes_of(shards, client, **more):
    return entropic.fit_shards(shards, "y", client, **GIVEN, **more).model_.to_bytes()


def killed(client, expected):
    """Workers are killed one after the other while fits run; each fit is that of one process."""
    inside = 0
    for number in range(3):
        begun = time.perf_counter()
        bytes_of("whole.csv", client, parts=8)
        lasts = time.perf_counter() - begun
        known = sorted(client.run(os.getpid).values())
        timer = threading.Timer(lasts * (0.2 + 0.25 * number), os.kill, (known[number % len(known)], signal.SIGKILL))
        timer.start()
        found = bytes_of("whole.csv", client, parts=8)
        inside += timer.finished.is_set()
        timer.join()
        check("worker %d is killed" % (number + 1), found == expected)
        client.wait_for_workers(4, timeout=60)
    check("while a fit runs, mostly", inside >= 2, inside)


def main():
    pieces, names = write_rows(20000)
    expected = model_of_command("whole.csv", *OPTIONS)
    with LocalCluster(n_workers=4, threads_per_worker=1, processes=True, dashboard_address=None,
                      silence_logs=logging.CRITICAL) as cluster, Client(cluster) as client:
        check("files", bytes_of(names, client) == expected)
        check("parts of a file", bytes_of("whole.csv", client, parts=7) == expected)
        check("frames", bytes_of(pieces, client) == expected)
        arrow = [pyarrow.Table.from_pandas(piece, preserve_index=False) for piece in pieces]
        check("Arrow", bytes_of(arrow, client) == expected)
        check("polars, here", bytes_of([polars.from_arrow(piece) for piece in arrow], None) == expected)
        check("frames with the workers", bytes_of(client.scatter(pieces), client) == expected)
        wrong = refused(entropic.EntropicSystemError, lambda: bytes_of(names[:3] + ["none.csv"], client), "none.csv")
        check("a file that is not there", not wrong, wrong)
        with open("part3.csv") as file:
            fewer = file.readlines()[:2000]
        with open("part3.csv", "w") as file:
            file.writelines(fewer)
        before = bytes_of(names, client)
        check("a file that has changed is read again", before != expected and
              before == entropic.fit_shards(names, "y", **GIVEN).model_.to_bytes())
        killed(client, expected)
    return end()


if __name__ == "__main__":
    sys.exit(main())
