"""The package passes mypy, strictly but for classes and decorators of scikit-learn, which has no types."""
import importlib.util
import subprocess
import sys

from _package import SOURCE
from _tap import check, end, skip

if importlib.util.find_spec("mypy") is None:
    skip("types", "no mypy")
else:
    ran = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports",
                          "--allow-subclassing-any", "--allow-untyped-decorators", "--cache-dir", "cache",
                          SOURCE + "/python/entropic"], capture_output=True, text=True)
    check("mypy --strict", ran.returncode == 0, ran.stdout + ran.stderr)
sys.exit(end())
