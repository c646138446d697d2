# The programs of unit and fault tests have a suite for each file, found by its name; ctest runs what tests/run does.
set -u
. "$ENTROPIC_SOURCE/tests/_tap.sh"
programs=$ENTROPIC_BUILD/tests

# suites PROGRAM FILE...: its suites are those of the files.
suites() {
  local program=$1
  shift
  diff <("$programs/$program") <(basename -s .c -- "$@" | LC_ALL=C sort)
}

# listed PROGRAM: tests.list has them all.
listed() {
  diff <("$programs/$1") <(awk -F '\t' -v suite="$1" '$1 == suite { print $5 }' "$ENTROPIC_BUILD/tests.list" | LC_ALL=C sort)
}

one_alone() {
  CMOCKA_MESSAGE_OUTPUT=TAP "$programs/unit" base_random >output && cat output && [ "$(grep -c '^1\.\.' output)" -eq 1 ] &&
    grep -q '^ok 1 ' output
}

unknown() {
  fails "$programs/unit" base_rando 2>message && cat message && grep -q 'no base_rando$' message
}

of_ctest() {
  diff <(ctest --test-dir "$ENTROPIC_BUILD" -N | sed -n 's/^ *Test *#[0-9]*: //p' | LC_ALL=C sort) \
    <(awk -F '\t' '{ print $1 "/" $2 }' "$ENTROPIC_BUILD/tests.list" | LC_ALL=C sort)
}

# by_ctest NAME TEXT: ctest runs it alone, and it prints that.
by_ctest() {
  ctest --test-dir "$ENTROPIC_BUILD" -V -R "^$1\$" >output && cat output && grep -qF "$2" output &&
    grep -q '^100% tests passed, 0 tests failed out of 1$' output
}

check "ctest has what tests/run has" of_ctest
check "ctest runs a script" by_ctest house/faults '/house/faults '
if [ -x "$programs/unit" ]; then
  check "unit tests: a suite for each file" suites unit "$ENTROPIC_SOURCE"/tests/unit/*.c
  check "fault tests: a suite for each file" suites fault "$ENTROPIC_SOURCE"/tests/fault/*_faults.c
  check "all suites of unit tests are listed" listed unit
  check "all suites of fault tests are listed" listed fault
  check "a suite runs alone" one_alone
  check "ctest runs a suite" by_ctest unit/base_random '/unit/base_random '
  check "a name that no suite has is refused" unknown
else
  skip "suites of unit and fault tests" "built without cmocka"
fi
finish
