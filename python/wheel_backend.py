"""Builds the wheel of the package, for pip (PEP 517) and for make wheel: one for every Python 3 of a platform.

The wheel has libentropic in it, and OpenBLAS with what that needs beyond the C library, so that nothing else has to be
installed. They find each other by relative paths. Its symbols are hidden from others: it is loaded by libentropic
alone, when that needs it. The same tree gives the same bytes.

    python3 python/wheel_backend.py FOLDER    writes the wheel into FOLDER and prints its name
"""
import base64
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Libraries that every Linux of manylinux has.
EVERYWHERE = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "libgcc_s.so.1", "libz.so.1"}
SUMMARY = "Learning from tables with entropic optimal features: estimators for scikit-learn"


def run(*command):
    try:
        return subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout
    except FileNotFoundError:
        raise SystemExit("wheel: there is no %s: run scripts/setup wheel" % command[0]) from None
    except subprocess.CalledProcessError as error:
        raise SystemExit("wheel: %s: %s" % (" ".join(command), error.stderr or error.stdout)) from None


def version():
    with open(os.path.join(ROOT, "include", "entropic", "base.h")) as file:
        return ".".join(re.findall(r"^#define ENTROPIC_VERSION_\w+ (\d+)$", file.read(), flags=re.M))


def build_library():
    """libentropic as it is installed: the path of its file."""
    run("cmake", "--preset", "release", "--log-level=WARNING")
    run("cmake", "--build", "--preset", "release", "--target", "entropic", "-j", str(os.cpu_count() or 1))
    return os.path.join(ROOT, "build", "release", "lib", "libentropic.so." + version())


def needed(path):
    return re.findall(r"\(NEEDED\).*\[(.*)\]", run("readelf", "-d", path))


def system_library(name):
    found = re.findall(r"^\s*%s .*=> (.*)$" % re.escape(name), run("/sbin/ldconfig", "-p"), flags=re.M)
    if not found:
        raise SystemExit("wheel: there is no %s: run scripts/setup wheel" % name)
    return os.path.realpath(found[0])


def gather_libraries(folder):
    """Copies the libraries into a folder, by the names that they are loaded by; each finds its neighbours."""
    waiting = [("libentropic.so.0", build_library()), ("libopenblas.so.0", system_library("libopenblas.so.0"))]
    found = {}
    while waiting:
        name, path = waiting.pop()
        if name in found:
            continue
        found[name] = os.path.join(folder, name)
        shutil.copy(path, found[name])
        os.chmod(found[name], 0o755)
        run("strip", "--strip-unneeded", found[name])
        run("patchelf", "--set-rpath", "$ORIGIN", found[name])
        waiting += [(other, system_library(other)) for other in needed(found[name])
                    if other not in EVERYWHERE and not other.startswith("ld-linux")]
    return found


def platform_tag(libraries):
    """manylinux of the newest version of the C library that a symbol needs."""
    versions = [tuple(map(int, found)) for path in libraries.values()
                for found in re.findall(r"Name: GLIBC_(\d+)\.(\d+)", run("readelf", "--version-info", path))]
    return "manylinux_%d_%d_%s" % (*max(versions), platform.machine())


def licences():
    """The texts of the licences: ours, and of the Debian packages that the other libraries are from."""
    yield "LICENSE", os.path.join(ROOT, "LICENSE")
    for package in ("libopenblas0-pthread", "libgfortran5"):
        path = "/usr/share/doc/%s/copyright" % package
        if os.path.exists(path):
            yield package + ".copyright", path


def metadata():
    with open(os.path.join(ROOT, "python", "README.md"), encoding="utf-8") as file:
        text = file.read()
    return ("Metadata-Version: 2.1\nName: entropic\nVersion: %s\nSummary: %s\nLicense: Apache-2.0\n"
            "Requires-Python: >=3.9\nRequires-Dist: numpy\nRequires-Dist: scipy\nRequires-Dist: scikit-learn>=1.2\n"
            "Classifier: Operating System :: POSIX :: Linux\nClassifier: Programming Language :: Python :: 3 :: Only\n"
            "Description-Content-Type: text/markdown\n\n%s" % (version(), SUMMARY, text))


def contents(libraries, tag, about):
    """Each file of the wheel but its list: name and bytes."""
    package = os.path.join(ROOT, "python", "entropic")
    for name in sorted(os.listdir(package)):
        if name.endswith(".py") or name == "py.typed":
            yield "entropic/" + name, read(os.path.join(package, name))
    for name in sorted(libraries):
        yield "entropic/" + name, read(libraries[name])
    yield about + "/METADATA", metadata().encode()
    yield about + "/WHEEL", ("Wheel-Version: 1.0\nGenerator: entropic\nRoot-Is-Purelib: false\nTag: py3-none-%s\n"
                             % tag).encode()
    for name, path in licences():
        yield "%s/licenses/%s" % (about, name), read(path)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, files, about):
    """A zip whose bytes depend on the files alone."""
    record = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in [*files, (about + "/RECORD", None)]:
            if data is None:
                data = ("\n".join(record + [name + ",,", ""])).encode()
            else:
                digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
                record.append("%s,sha256=%s,%d" % (name, digest, len(data)))
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.external_attr = (0o755 if ".so." in name else 0o644) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, data)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """PEP 517: writes the wheel and returns its name."""
    with tempfile.TemporaryDirectory() as folder:
        libraries = gather_libraries(folder)
        tag = platform_tag(libraries)
        about = "entropic-%s.dist-info" % version()
        name = "entropic-%s-py3-none-%s.whl" % (version(), tag)
        write(os.path.join(wheel_directory, name), contents(libraries, tag, about), about)
    return name


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: wheel_backend.py FOLDER")
    os.makedirs(sys.argv[1], exist_ok=True)
    print(os.path.join(sys.argv[1], build_wheel(sys.argv[1])))
