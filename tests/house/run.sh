# tests/run: correct counts, also of failures and crashes.
set -u
. "$ENTROPIC_SOURCE/tests/_tap.sh"
runner=$ENTROPIC_SOURCE/tests/run

# program NAME KIND BODY [ARGUMENT]: a program of the suite `s`.
program() {
  mkdir -p b && printf '#!/bin/sh\n%s\n' "$3" >"b/$1" && chmod +x "b/$1"
  printf 's\t%s\t%s\t%s%s\n' "$1" "$2" "$PWD/b/$1" "${4:+$'\t'$4}" >>b/tests.list
}

# sum EXPECTED STATUS: runs the programs in b/ and compares last line and exit status.
sum() {
  local status
  "$runner" -t 2 b:s >output 2>&1
  status=$?
  cat output
  [ "$(tail -n 1 output)" = "$1" ] && [ "$status" -eq "$2" ]
}

# alone KIND BODY EXPECTED STATUS
alone() {
  rm -rf b && program one "$1" "$2" && sum "$3" "$4"
}

pass='printf "ok 1 - a\nok 2 - b\n1..2\n"'

together() {
  rm -rf b && program good tap "$pass" && program bad tap 'printf "not ok 1 - a\n# because\n"; exit 1' &&
    program crash tap 'kill -SEGV $$' && program plain plain 'exit 0' && sum '3 passed, 2 failed, 0 skipped' 1 &&
    grep -q '# because' output && fails grep -q 'ok 2 - b' output
}

# Programs whose names match a pattern are left out, and no others.
left_out() {
  rm -rf b && program good tap "$pass" && program bad_one tap 'exit 1' && program bad_two tap 'exit 1' &&
    "$runner" -x 'b/s/bad_o*' -x 'b/s/bad_t*' b:s >output && [ "$(tail -n 1 output)" = '2 passed, 0 failed, 0 skipped' ]
}

# -n runs what matches its pattern alone, and -x leaves out of that.
alone_by_name() {
  rm -rf b && program good tap "$pass" && program bad_one tap 'exit 1' && program good_two tap "$pass" &&
    "$runner" -n 'b/s/good*' b:s >output && [ "$(tail -n 1 output)" = '4 passed, 0 failed, 0 skipped' ] &&
    "$runner" -n 'b/s/good*' -x '*_two' b:s >output && [ "$(tail -n 1 output)" = '2 passed, 0 failed, 0 skipped' ] &&
    fails "$runner" -n 'b/s/goo' b:s
}

# Locales are made once, and found again.
locales_are_kept() {
  local list='[ -d "$LOCPATH/de_DE.UTF-8" ] && [ -d "$LOCPATH/tr_TR.ISO-8859-9" ] && echo "ok 1"'
  [ -f /usr/share/i18n/locales/de_DE ] || return 0
  rm -rf b && program one tap "$list" && env -u LOCPATH "$runner" b:s && touch b/before && env -u LOCPATH "$runner" b:s &&
    [ -z "$(find b/locale-* -newer b/before)" ] && [ "$(find b -name 'locale*' | wc -l)" -eq 1 ]
}

# A program may be listed with an argument, and then gets that and nothing else.
argument() {
  rm -rf b && program with tap '[ "$*" = one ] && echo "ok 1"' one && program without tap '[ $# -eq 0 ] && echo "ok 1"' &&
    sum '2 passed, 0 failed, 0 skipped' 0
}

# skip_told BODY LINE: skipped tests are listed, with the reason.
skip_told() {
  rm -rf b && program one tap "$1" && "$runner" b:s >output
  cat output
  grep -qxF "     skipped: $2" output
}

# Two programs that print alternately: the output of each must stay together, in the order of the list.
not_interleaved() {
  local body='for i in 1 2 3 4 5; do echo "$0 $i"; sleep 0.05; done; echo "not ok 1"'
  rm -rf b && program x tap "$body" && program y tap "$body" && sum '0 passed, 2 failed, 0 skipped' 1 &&
    diff <(sed -n 's|.*/b/\([xy]\) \([0-9]\)$|\1\2|p' output) <(printf '%s\n' x1 x2 x3 x4 x5 y1 y2 y3 y4 y5)
}

nothing_ran() {
  rm -rf b && mkdir b && : >b/tests.list && sum '0 passed, 0 failed, 0 skipped' 1
}

clean_folder() {
  alone plain '[ -z "$(ls -A)" ] && [ -n "$ENTROPIC" ] && [ -d "$ENTROPIC_SOURCE" ]' '1 passed, 0 failed, 0 skipped' 0
}

check "passes" alone tap "$pass" '2 passed, 0 failed, 0 skipped' 0
check "a failed test" alone tap 'printf "ok 1\nnot ok 2\n"; exit 1' '1 passed, 1 failed, 0 skipped' 1
check "a failed test though the exit status is 0" alone tap 'echo "not ok 1"' '0 passed, 1 failed, 0 skipped' 1
check "a skipped test" alone tap 'printf "ok 1 - a # SKIP no\nok 2\n"' '1 passed, 0 failed, 1 skipped' 0
check "a test skipped as cmocka writes it" \
  alone tap 'printf "not ok 1 # SKIP a\nok 2\n"' '1 passed, 0 failed, 1 skipped' 0
check "a program skipped as a whole" alone tap 'echo "1..0 # SKIP no"' '0 passed, 0 failed, 1 skipped' 0
check "why a test was skipped" skip_told 'printf "ok 1\nok 2 - a - b # SKIP no c: d\n"' 'a - b: no c: d'
check "why cmocka skipped a test" skip_told 'printf "# no data\nnot ok 1 # SKIP a\n"' 'a: no data'
check "why a program was skipped" skip_told 'printf "1..0 # SKIP no data\n"' 'no data'
check "a crash after passing" alone tap "$pass; kill -SEGV \$\$" '2 passed, 1 failed, 0 skipped' 1
check "a crash after failing" alone tap 'echo "not ok 1"; kill -ABRT $$' '0 passed, 2 failed, 0 skipped' 1
check "a bad exit status without a failed test" alone tap "$pass; exit 3" '2 passed, 1 failed, 0 skipped' 1
check "no test at all" alone tap 'echo hello' '0 passed, 1 failed, 0 skipped' 1
check "fewer tests than planned" alone tap 'printf "1..3\nok 1\n"' '1 passed, 1 failed, 0 skipped' 1
check "out of time" alone tap "$pass; sleep 9" '2 passed, 1 failed, 0 skipped' 1
check "a plain program" alone plain 'echo "not ok but plain"' '1 passed, 0 failed, 0 skipped' 0
check "a plain program that fails" alone plain 'exit 1' '0 passed, 1 failed, 0 skipped' 1
check "programs are left out by name" left_out
check "programs are chosen by name" alone_by_name
check "locales are made once" locales_are_kept
check "a program called with an argument" argument
check "good, bad and crashing programs together" together
check "output is not interleaved" not_interleaved
check "nothing ran" nothing_ran
check "an empty folder and the environment" clean_folder
check "a build folder that is not there" fails "$runner" nowhere:s
finish
