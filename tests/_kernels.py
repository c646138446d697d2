"""The kernels of the command, by name, and what the library says of them. Tests that go through all kernels take their
list from here, so that a new one is tested, too."""
import os
import re
import subprocess


def _driver(*arguments):
    return [os.path.join(os.environ["ENTROPIC_BUILD"], "tests", "python-kernels"), *arguments]


def _families():
    lines = subprocess.run(_driver(), check=True, capture_output=True, text=True).stdout.splitlines()
    return {name: (int(number), set(traits)) for name, number, *traits in map(str.split, lines)}


FAMILIES = _families()
NUMBERED = {number: name for name, (number, _) in FAMILIES.items()}  # as files have them


def has(name, trait):
    """Whether a family has a trait: omega, hats, constant, smooth, missing, saved, categories, functions."""
    return trait in FAMILIES[name][1]


def kernels():
    """What the option --kernel takes, as the help lists it, without custom, which needs expressions."""
    text = subprocess.run([os.environ["ENTROPIC"], "help", "fit"], check=True, capture_output=True, text=True).stdout
    names = re.search(r"--kernel ([a-z|]+)$", text, re.MULTILINE).group(1).split("|")
    return [name for name in names if not has(name, "functions")]


def options(name, omega):
    """The options of a command that ask for this kernel; omega is left out where it has none."""
    return ["--kernel", name] + (["--omega", str(omega)] if has(name, "omega") else [])


class Axis:
    """The kernel of one input as the library evaluates it, for families of which a test has no formula of its own."""

    def __init__(self, name, omega, interior=False, depth=16):
        basis = "interior" if interior else "full"
        self.process = subprocess.Popen(_driver(name, repr(float(omega)), basis, str(depth)), text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.atoms = [int(atoms) for atoms in self.process.stdout.readline().split()[1:]]  # of each level

    def _ask(self, *words):
        self.process.stdin.write(" ".join(words) + "\n")
        self.process.stdin.flush()
        return [float(word) for word in self.process.stdout.readline().split()[1:]]

    def value(self, x, y):
        return self._ask("value", repr(float(x)), repr(float(y)))[0]

    def atom(self, level, x):
        """The number of the atom of the level that x is in, and its value."""
        number, value = self._ask("atom", str(level), repr(float(x)))
        return int(number), value

    def __del__(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()
