# Every public function is called in a fault test, where allocations fail or must not happen.
set -u
. "$ENTROPIC_SOURCE/tests/_tap.sh"

# What the shared library exports, and the tools of the static one.
public() {
  {
    nm -D --defined-only "$ENTROPIC_BUILD/lib/libentropic.so" | awk '{ print $NF }' | grep '^entropic_'
    grep -v '^#' "$ENTROPIC_SOURCE/include/entropic/tools.h" | tr '\n' ' ' | grep -oE 'ENTROPIC_STATIC [^;(]*\(' |
      sed -E 's/\($//; s/.*[ *]//'
  } | sort -u
}

# The functions that some fault test calls or passes on.
called() {
  grep -ohwE 'entropic_[a-z0-9_]+' "$ENTROPIC_SOURCE"/tests/fault/*_faults.c "$ENTROPIC_SOURCE"/tests/fault/exchange.h | sort -u
}

all_are_called() {
  local left
  left=$(comm -23 <(public) <(called))
  [ -z "$left" ] || { echo "not in tests/fault:" $left && return 1; }
}

check "there are public functions" test "$(public | wc -l)" -gt 200
check "each is called in a fault test" all_are_called
finish
