# Installs into a temporary folder, moves that folder, and builds and runs a tiny program against it in each supported
# way: pkg-config (shared, static) and CMake (shared, static), and those of MPI if there is one.
set -u
. "$ENTROPIC_SOURCE/tests/_tap.sh"
here=$ENTROPIC_SOURCE/tests/install
prefix=$PWD/moved
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
version=$(sed -nE 's/^#define ENTROPIC_VERSION_(MAJOR|MINOR|PATCH) ([0-9]+)$/\2/p' \
  "$ENTROPIC_SOURCE/include/entropic/base.h" | paste -sd.)
soversion=0
[ -n "${CC:-}" ] || CC=cc

install_and_move() {
  cmake --install "$ENTROPIC_BUILD" --prefix "$PWD/first" && mv first moved
}

by_pkg_config() {
  $CC "$here/tiny.c" -o tiny-pc $(pkg-config --cflags --libs entropic) "-Wl,-rpath,$prefix/lib" &&
    readelf -d tiny-pc | grep -q 'NEEDED.*\[libentropic\.so\.'"$soversion"'\]' && [ "$(./tiny-pc)" = "$version" ]
}

by_pkg_config_static() {
  $CC -static "$here/tiny.c" -o tiny-pc-static $(pkg-config --static --cflags --libs entropic) &&
    fails grep -q 'libentropic\.so' tiny-pc-static && [ "$(./tiny-pc-static)" = "$version" ]
}

by_find_package() {
  cmake -S "$here" -B tiny -DCMAKE_PREFIX_PATH="$prefix" && cmake --build tiny &&
    readelf -d tiny/tiny-shared | grep -q 'NEEDED.*\[libentropic\.so\.'"$soversion"'\]' &&
    fails grep -q 'libentropic\.so' tiny/tiny-static &&
    [ "$(tiny/tiny-shared)" = "$version" ] && [ "$(tiny/tiny-static)" = "$version" ]
}

# files FOLDER: what is in it, without what depends on versions.
files() {
  (cd "$1" && find . ! -type d | LC_ALL=C sort)
}

# The four components are the whole, and no file is in two of them.
components() {
  local name
  mkdir parts && for name in runtime development python doc; do
    cmake --install "$ENTROPIC_BUILD" --component "$name" --prefix "$PWD/parts/$name" && [ -d "parts/$name" ] || return 1
  done && diff <(files "$prefix" | grep -v __pycache__) <(for name in parts/*; do files "$name"; done | LC_ALL=C sort)
}

# in_component NAME PATTERN...: each is a file of it, and no other component has one.
in_component() {
  local name=$1 pattern
  shift
  for pattern in "$@"; do
    compgen -G "parts/$name/$pattern" && [ "$(compgen -G "parts/*/$pattern" | cut -d/ -f2 | sort -u)" = "$name" ] ||
      return 1
  done
}

# With nothing but the component of its own, the command runs.
runtime_alone() {
  in_component runtime bin/entropic 'lib/libentropic.so.*' share/bash-completion/completions/entropic &&
    env -u LD_LIBRARY_PATH parts/runtime/bin/entropic --version | grep -F "$version"
}

# tiny_mpi PROGRAM: it runs as one rank.
tiny_mpi() {
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl=self OMPI_MCA_plm_rsh_agent=false "$1" |
    tee said | grep -i 'shard' || { cat said && return 1; }
}

mpi_by_pkg_config() {
  mpicc "$here/tiny_mpi.c" -o tiny-mpi $(pkg-config --cflags --libs entropic_mpi) && fails grep -q 'libentropic\.so' tiny-mpi &&
    [ "$(pkg-config --modversion entropic_mpi)" = "$version" ] && tiny_mpi ./tiny-mpi
}

mpi_by_find_package() {
  cmake -S "$here" -B with-mpi -DWITH_MPI=ON -DCMAKE_PREFIX_PATH="$prefix" && cmake --build with-mpi &&
    tiny_mpi with-mpi/tiny-mpi
}

# Where the component was not installed, asking for it says so.
mpi_missing() {
  cp -r "$prefix" without && rm without/lib/cmake/entropic/entropic-mpi-targets*.cmake &&
    fails cmake -S "$here" -B without-mpi -DWITH_MPI=ON -DCMAKE_PREFIX_PATH="$PWD/without" 2>output && cat output &&
    grep -q 'no component mpi' output
}

installed_command() {
  env -u LD_LIBRARY_PATH "$prefix/bin/entropic" --version | grep -F "$version"
}

# The command has the library in it and looks for none. Nothing may remember where it was built or installed first.
no_paths_left() {
  readelf -d "$prefix/bin/entropic" >needed && fails grep -E 'libentropic|RPATH|RUNPATH' needed &&
    fails grep -rlF -e "$PWD/first" -e "$ENTROPIC_BUILD" "$prefix/lib/pkgconfig" "$prefix/lib/cmake" "$prefix/bin"
}

soname() {
  readelf -d "$prefix/lib/libentropic.so" | grep 'SONAME.*\[libentropic\.so\.'"$soversion"'\]' &&
    [ "$(readlink -f "$prefix/lib/libentropic.so")" = "$(readlink -f "$prefix")/lib/libentropic.so.$version" ]
}

manual_pages() {
  local page
  for page in "$ENTROPIC_SOURCE"/docs/man/*.1; do
    [ -f "$prefix/share/man/man1/$(basename "$page")" ] || return 1
  done
}

completion() {
  cmp "$ENTROPIC_SOURCE/completions/entropic.bash" "$prefix/share/bash-completion/completions/entropic" &&
    cmp "$ENTROPIC_SOURCE/completions/_entropic" "$prefix/share/zsh/site-functions/_entropic"
}

# The program of the guide's part on C, as it is printed.
guide_program() {
  mkdir guide && awk '/^## From C/ { part = 1 } part && /^```$/ { exit } inside { print } part && /^```c$/ { inside = 1 }' \
    "$ENTROPIC_SOURCE/docs/manual.md" >guide/program.c &&
    awk 'BEGIN { print "area,price"; for (i = 1; i <= 60; i++) print i % 13 + 1 "," (i % 13 + 1) ^ 2 + i % 5 }' >guide/houses.csv &&
    $CC -std=c99 -pedantic-errors -Wall -Wextra -Werror guide/program.c -o guide/program \
      $(pkg-config --cflags --libs entropic) -lm "-Wl,-rpath,$prefix/lib" && cd guide && ./program |
    grep -E '^validation rmse [0-9.]+$' && [ -s houses.entropic ] && rm houses.csv && fails ./program
}

header_alone() {
  printf '#include <entropic/entropic.h>\n' >header.c &&
    $CC -std=c99 -pedantic-errors -Wall -Wextra -Werror -fsyntax-only -I"$prefix/include" header.c
}

header_in_cplusplus() {
  printf '#include <entropic/entropic.h>\n' >header.cc &&
    c++ -std=c++11 -pedantic-errors -Wall -Wextra -Werror -fsyntax-only -I"$prefix/include" header.cc
}

# The package finds the library beside it, wherever the folder is. It has no caches of the one who installs.
python_package() {
  env -u ENTROPIC_LIBRARY -u LD_LIBRARY_PATH PYTHONPATH="$prefix/lib/python3" "$PYTHON" -B -c '
import entropic, sys
model = entropic.EntropicRegressor(features=5, reg_lambda=0.1, omega=1).fit([[i % 7, i % 5] for i in range(40)], range(40))
assert entropic.__version__ == sys.argv[1] and len(model.predict([[1, 2]])) == 1
print([line for line in open("/proc/self/maps") if "libentropic" in line][0])' "$version" | grep -F "$prefix/lib/" &&
    [ -f "$prefix/lib/python3/entropic/py.typed" ] && [ -z "$(find "$prefix/lib/python3" -name __pycache__)" ]
}

check "installs into a folder that can be moved" install_and_move
check "pkg-config, shared" by_pkg_config
check "pkg-config, static" by_pkg_config_static
check "find_package, shared and static" by_find_package
check "four components are the whole" components
check "component runtime: the command runs with it alone" runtime_alone
check "component development" in_component development lib/libentropic.so lib/libentropic.a include/entropic/entropic.h \
  lib/pkgconfig/entropic.pc lib/cmake/entropic/entropic-config.cmake
check "component python" in_component python lib/python3/entropic/__init__.py
check "component doc" in_component doc share/man/man1/entropic-fit.1
if [ -f "$prefix/lib/libentropic_mpi.a" ] && command -v mpicc >/dev/null; then
  check "component development: MPI" in_component development lib/libentropic_mpi.a lib/pkgconfig/entropic_mpi.pc
  check "pkg-config, MPI" mpi_by_pkg_config
  check "find_package, MPI" mpi_by_find_package
  check "find_package, MPI that was not installed" mpi_missing
else
  skip "programs over ranks" "no MPI: libopenmpi-dev is needed"
fi
check "the installed command runs and knows its version" installed_command
check "no absolute paths left" no_paths_left
check "library name and version" soname
check "manual pages" manual_pages
check "completion of bash and zsh" completion
check "the header compiles as C99" header_alone
if command -v c++ >/dev/null; then
  check "the header compiles as C++11" header_in_cplusplus
else
  skip "the header compiles as C++11" "no C++ compiler"
fi
check "the program of the guide" guide_program
check "the Python package" python_package
finish
