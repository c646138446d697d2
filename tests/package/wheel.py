"""The wheel: the same bytes each time, and it works where nothing of this tree is found."""
import glob
import importlib.util
import os
import platform
import re
import shutil
import subprocess
import sys
import zipfile

from _package import SOURCE
from _tap import check, end, skip

if shutil.which("patchelf") is None:
    skip("the wheel", "no patchelf: scripts/setup wheel")
    sys.exit(end())

PROGRAM = """
import numpy, pickle, entropic
rng = numpy.random.default_rng(1)
X = rng.random((200, 3))
found = entropic.EntropicClassifier(features=10, reg_lambda=0.1, omega=1.0, loss="logistic").fit(X, X[:, 0] > 0.5)
assert pickle.loads(pickle.dumps(found)).score(X, X[:, 0] > 0.5) > 0.9
entropic.compare(X, X[:, 0], features=[5], runs=1)
print(entropic.__file__)
for line in open("/proc/self/maps"):
    if "libentropic" in line or "openblas" in line:
        print(line.split()[-1])
"""


def build(folder):
    done = subprocess.run([sys.executable, SOURCE + "/python/wheel_backend.py", folder], capture_output=True, text=True)
    check("a wheel is built", done.returncode == 0, done.stderr)
    return glob.glob(folder + "/*.whl")[0]


first, second = build("first"), build("second")
with open(first, "rb") as one, open(second, "rb") as other:
    check("the same bytes twice", os.path.basename(first) == os.path.basename(second) and one.read() == other.read())
if importlib.util.find_spec("pip"):
    done = subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index",
                           "--target", "there", first], capture_output=True, text=True)
    check("pip installs it", done.returncode == 0, done.stderr)
else:
    zipfile.ZipFile(first).extractall("there")
needs = subprocess.run(["readelf", "--version-info", "there/entropic/libentropic.so.0"], capture_output=True, text=True).stdout
newest = max(tuple(map(int, found)) for found in re.findall(r"Name: GLIBC_(\d+)\.(\d+)", needs))
if platform.libc_ver()[1] == "2.36":
    check("on Debian 12 the library needs no newer C library than OpenBLAS does: 2.34", newest <= (2, 34), newest)
else:
    skip("which C library is needed", "this is not that of Debian 12")
clean = {name: value for name, value in os.environ.items() if name not in ("ENTROPIC_LIBRARY", "LD_LIBRARY_PATH")}
ran = subprocess.run([sys.executable, "-c", PROGRAM], env={**clean, "PYTHONPATH": os.path.abspath("there")},
                     capture_output=True, text=True)
check("it works", ran.returncode == 0, ran.stderr)
check("it has its own library", os.path.abspath("there") + "/entropic/libentropic.so" in ran.stdout, ran.stdout)
# Debian's NumPy has loaded the system's OpenBLAS, which then serves both.
own = "openblas" if "dist-packages" in importlib.util.find_spec("numpy").origin else "there/entropic/libopenblas.so.0"
check("there is an OpenBLAS", own in ran.stdout, ran.stdout)
if importlib.util.find_spec("auditwheel") is None:
    skip("auditwheel", "it is not installed")
else:
    shown = subprocess.run([sys.executable, "-m", "auditwheel", "show", first], capture_output=True, text=True)
    tag = os.path.basename(first).split("-")[-1][:-len(".whl")]
    check("auditwheel: manylinux, nothing from outside", shown.returncode == 0 and
          'consistent with' in shown.stdout and tag in shown.stdout.replace("\n", ""), shown.stdout + shown.stderr)
sys.exit(end())
