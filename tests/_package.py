"""The Python package of this tree, over the library of the build folder; for tests of it."""
import os
import subprocess
import sys
import warnings

SOURCE, BUILD, ENTROPIC = os.environ["ENTROPIC_SOURCE"], os.environ["ENTROPIC_BUILD"], os.environ["ENTROPIC"]
os.environ["ENTROPIC_LIBRARY"] = os.path.join(BUILD, "lib", "libentropic.so")
sys.path.insert(0, os.path.join(SOURCE, "python"))
os.environ["PYTHONPATH"] = os.pathsep.join([os.path.join(SOURCE, "python"), os.environ.get("PYTHONPATH", "")])

import entropic  # noqa: E402

warnings.simplefilter("ignore", entropic.EntropicWarning)


def command(*arguments):
    """What the command prints; fails if it does."""
    done = subprocess.run([ENTROPIC, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError("entropic %s: %s" % (" ".join(map(str, arguments)), done.stderr))
    return done.stdout


def model_of_command(path, *options):
    """The bytes of the model that `entropic fit` makes of a CSV."""
    command("fit", path, "--quiet", "-o", "of_command.entropic", *options)
    with open("of_command.entropic", "rb") as file:
        return file.read()


def refused(kind, call, *said):
    """Whether a call raises this, with these words in its message; "" if so, otherwise what happened."""
    try:
        call()
    except kind as error:
        return "" if all(word in str(error) for word in said) else "says: %s" % error
    except Exception as error:  # noqa: BLE001
        return "raises %s: %s" % (type(error).__name__, error)
    return "nothing was raised"
