"""What tests in Python have to say, in the Test Anything Protocol; tests/run puts this where they find it."""
_tests = 0
_failed = 0


def check(what, passed, detail=""):
    """One test: what is to be, whether it is, and if not what there is instead."""
    global _tests, _failed
    _tests += 1
    _failed += not passed
    print("%s %d - %s" % ("ok" if passed else "not ok", _tests, what))
    if not passed:
        print("\n".join("# " + line for line in str(detail).splitlines()))


def skip(what, why):
    """A test that cannot be run here."""
    global _tests
    _tests += 1
    print("ok %d - %s # SKIP %s" % (_tests, what, why))


def end():
    """How many there were; returns whether any failed, to exit with."""
    print("1..%d" % _tests)
    return _failed > 0
