# The binary interface: it is compatible with the recorded one, programs of that time still run, and scripts/abi finds each
# kind of break.
set -u
. "$ENTROPIC_SOURCE/tests/_tap.sh"
abi=$ENTROPIC_SOURCE/scripts/abi
old=$ENTROPIC_SOURCE/tests/abi/old
with_debug=${ENTROPIC_BUILD%/*}/abi/lib/libentropic.so
[ -n "${CC:-}" ] || CC=cc

exported() {
  nm -D --defined-only "$1" | awk '{ print $NF }' | sort
}

# old_program NAME: the program, built against the headers of its time, runs with the library of today.
old_program() {
  $CC -std=gnu11 -I"$old/include" "$old/$1.c" -o "old-$1" -L"$ENTROPIC_BUILD/lib" -lentropic -lm \
    "-Wl,-rpath,$ENTROPIC_BUILD/lib" && ldd "./old-$1" | grep -F "$ENTROPIC_BUILD/lib/libentropic.so" && "./old-$1"
}

# small HEADER CODE: a small tree, and a shared library of that code.
small() {
  mkdir -p tree/include/entropic tree/src tree/examples tree/build/abi/lib
  printf '%s\n' "$1" >tree/include/entropic/entropic.h
  printf '%s\n' "#include \"$PWD/tree/include/entropic/entropic.h\"" "$2" >tree/src/code.c
  : >tree/examples/one.c
  $CC -g -O0 -shared -fPIC -fvisibility=hidden "-ffile-prefix-map=$PWD/tree/include/entropic/=/public-" \
    -Wl,-soname,libentropic.so.0 -o tree/build/abi/lib/libentropic.so tree/src/code.c
}

show='__attribute__((visibility("default")))'
header="typedef enum entropic_status { ENTROPIC_OK, ENTROPIC_BAD } entropic_status;
typedef struct entropic_options { int rows; double lambda; } entropic_options;
typedef struct entropic_model entropic_model;
$show entropic_status entropic_fit(entropic_model *model, entropic_options options);
$show int entropic_rows(const entropic_model *model);"
code='struct entropic_model { int rows; };
entropic_status entropic_fit(entropic_model *model, entropic_options options) { model->rows = options.rows; return 0; }
int entropic_rows(const entropic_model *model) { return model->rows; }'

# after HEADER CODE: compares that with the header and code above.
after() {
  rm -rf tree && small "$header" "$code" && ENTROPIC_ROOT=$PWD/tree "$abi" baseline && small "$1" "$2" &&
    ENTROPIC_ROOT=$PWD/tree "$abi" compare
}

# A struct of which the callers say the size, here under a name that tests/abi allows.
sized_grows() {
  local sized="typedef struct entropic_model_info { int rows; } entropic_model_info;
$show int entropic_describe(entropic_model_info *info, unsigned long size);"
  local describe='int entropic_describe(entropic_model_info *info, unsigned long size) { info->rows = 1; return size > 0; }'
  rm -rf tree && small "$sized" "$describe" && ENTROPIC_ROOT=$PWD/tree "$abi" baseline &&
    cp "$ENTROPIC_SOURCE/tests/abi/allowed.suppr" tree/tests/abi && small "${sized/int rows;/int rows; int more;}" "$describe" &&
    ENTROPIC_ROOT=$PWD/tree "$abi" compare && small "${sized/int rows;/int more; int rows;}" "$describe" &&
    ! ENTROPIC_ROOT=$PWD/tree "$abi" compare
}

# broken HEADER CODE: the comparison fails for that, not for another reason.
broken() {
  after "$1" "$2"
  [ $? -eq 1 ]
}

# The same file from a tree at another place.
same_file() {
  rm -rf tree elsewhere && small "$header" "$code" && ENTROPIC_ROOT=$PWD/tree "$abi" baseline &&
    cp tree/tests/abi/libentropic.abi first.abi && fails grep -F "$PWD" first.abi && mkdir elsewhere &&
    (cd elsewhere && small "$header" "$code" && ENTROPIC_ROOT=$PWD/tree "$abi" baseline) &&
    cmp <(sed "s|path='[^']*'||" first.abi) <(sed "s|path='[^']*'||" elsewhere/tree/tests/abi/libentropic.abi)
}

if ! command -v abidw >/dev/null || ! command -v abidiff >/dev/null; then
  skip "the interface is compatible" "no abidw: it is in the Debian package abigail-tools"
elif [ ! -f "$with_debug" ]; then
  skip "the interface is compatible" "no library with debug information: make check builds it"
else
  # A baseline of another architecture says nothing here.
  "$abi" compare "$with_debug" >difference 2>&1
  if [ $? -eq 4 ]; then
    skip "the interface is compatible with that of tests/abi" "$(cat difference)"
  else
    check "the interface is compatible with that of tests/abi" "$abi" compare "$with_debug"
  fi
  check "what is compared exports what is installed" \
    diff <(exported "$ENTROPIC_BUILD/lib/libentropic.so") <(exported "$with_debug")
  check "nothing changed" after "$header" "$code"
  check "a new function is compatible" after "$header
$show int entropic_more(void);" "$code
int entropic_more(void) { return 1; }"
  check "a new status is compatible" after "${header/ENTROPIC_BAD/ENTROPIC_BAD, ENTROPIC_WORSE}" "$code"
  check "other fields of an opaque type are compatible" after "$header" "${code/int rows;/double first; int rows;}"
  check "a field in front of a public struct breaks it" broken "${header/int rows;/int first; int rows;}" "$code"
  check "a field at the end of a public struct breaks it" \
    broken "${header/double lambda;/double lambda; int last;}" "$code"
  check "a field at the end of a struct that is passed with its size is compatible" sized_grows
  check "another type of a field breaks it" broken "${header/double lambda/float lambda}" "$code"
  check "another number of a status breaks it" broken "${header/ENTROPIC_BAD/ENTROPIC_BAD = 7}" "$code"
  check "another parameter breaks it" \
    broken "${header/_options options/_options *options}" "${code/_options options/_options *options}"
  check "a function that is gone breaks it" broken "${header/$show int/int}" "$code"
  check "the file does not depend on the place of the tree" same_file
fi

if [ -d "$old" ]; then
  for source in "$old"/*.c; do
    name=$(basename "$source" .c)
    check "a program of the recorded interface runs: $name" old_program "$name"
  done
else
  check "programs of the recorded interface are there: make abi-baseline writes them" false
fi
finish
