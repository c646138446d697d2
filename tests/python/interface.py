"""The generated parts of the Python package agree with headers and table, and structs with the C compiler."""
import ctypes
import os
import re
import subprocess
import sys

import _package
from _tap import check, end

from entropic import _interface

SOURCE = _package.SOURCE

ran = subprocess.run([sys.executable, SOURCE + "/scripts/python-interface", "--check", _package.ENTROPIC],
                     capture_output=True, text=True)
check("generated files are what make regenerate writes", ran.returncode == 0, ran.stderr)

structs = {re.sub("(?<!^)([A-Z])", r"_\1", name).lower(): kind for name, kind in vars(_interface).items()
           if isinstance(kind, type) and issubclass(kind, ctypes.Structure) and kind is not ctypes.Structure}
lines = []
for name, kind in structs.items():
    lines.append('printf("%s %%zu\\n", sizeof(entropic_%s));' % (name, name))
    lines += ['printf("%s.%s %%zu %%zu\\n", offsetof(entropic_%s, %s), sizeof(((entropic_%s *)0)->%s));'
              % (name, field, name, field, name, field) for field, _ in kind._fields_]
numbers = [name for name, value in vars(_interface).items() if name.isupper() and isinstance(value, int)]
lines += ['printf("%s %%d\\n", (int)ENTROPIC_%s);' % (name, name) for name in numbers]
with open("sizes.c", "w") as file:
    file.write("#include <stddef.h>\n#include <stdio.h>\n#define ENTROPIC_EXPERIMENTAL\n#include <entropic/entropic.h>\nint main(void) {\n%s\n}\n"
               % "\n".join(lines))
built = subprocess.run([os.environ.get("CC", "cc"), "-I%s/include" % SOURCE, "sizes.c", "-o", "sizes"],
                       capture_output=True, text=True)
check("the program of sizes is built", built.returncode == 0, built.stderr)
expected = {line.split()[0]: [int(n) for n in line.split()[1:]]
            for line in subprocess.run(["./sizes"], capture_output=True, text=True).stdout.splitlines()}
found = {name: [getattr(_interface, name)] for name in numbers}
for name, kind in structs.items():
    found[name] = [ctypes.sizeof(kind)]
    for field, _ in kind._fields_:
        found["%s.%s" % (name, field)] = [getattr(kind, field).offset, getattr(kind, field).size]
wrong = {name: (found[name], expected.get(name)) for name in found if found[name] != expected.get(name)}
check("%d structs and %d constants are those of C" % (len(structs), len(numbers)),
      not wrong and len(structs) > 10 and len(numbers) > 60, wrong)

exported = subprocess.run(["nm", "-D", "--defined-only", os.environ["ENTROPIC_LIBRARY"]],
                          capture_output=True, text=True)
names = set(re.findall(r" T (entropic_\w+)", exported.stdout))
missing = names - set(_interface.FUNCTIONS)
check("every function of the library is declared", not missing and len(names) > 150, missing)
absent = set(_interface.FUNCTIONS) - names
check("every declared function is in the library", not absent, absent)

entropic = _package.entropic
for kind in (entropic.EntropicRegressor, entropic.EntropicClassifier, entropic.EntropicFeatures):
    check("%s has help for each parameter" % kind.__name__,
          all("\n    %s : " % name in kind.__doc__ for name in kind().get_params()), kind.__doc__)
sys.exit(end())
