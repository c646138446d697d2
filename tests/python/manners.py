"""A short run of tests/package/manners.py: threads, a forked child, a few interrupts."""
import os
import sys

long = os.path.join(os.environ["ENTROPIC_SOURCE"], "tests", "package", "manners.py")
os.execv(sys.executable, [sys.executable, long, "3", "threads", "forks", "interrupts"])
