# scripts/check-rooms: it passes on this tree, and finds each kind of violation.
set -u
. "$ENTROPIC_SOURCE/tests/_tap.sh"
rooms=$ENTROPIC_SOURCE/scripts/check-rooms

# A small tree without violations.
fresh_tree() {
  rm -rf tree && mkdir -p tree/src/base tree/src/lift tree/cli tree/include/entropic
  printf '#include "entropic/entropic.h"\n' >tree/src/base/a.c
  printf '#include "base/a.h"\n#include "lift/b.h"\n#include <stdio.h>\n' >tree/src/lift/b.c
  printf '#include "entropic/entropic.h"\n#include "own.h"\n' >tree/cli/main.c
  : >tree/cli/own.h
  mkdir -p tree/src/study && printf 'int ent_draw(int x);\n' >tree/src/study/study.h
  printf 'typedef struct ent_one {\n  int x;\n} ent_one;\n' >tree/src/base/a.h
  printf 'static inline int ent_of(int x) {\n  return x;\n}\n' >tree/src/lift/b.h
  cat >tree/include/entropic/entropic.h <<'END'
#define ENTROPIC_API
ENTROPIC_API int entropic_one(void);
ENTROPIC_API const char
    *entropic_two(int (*f)(int));
END
}

in_order() {
  fresh_tree && ENTROPIC_ROOT=$PWD/tree "$rooms"
}

# in_order_with FILE LINE: with that line added to that file the check passes.
in_order_with() {
  fresh_tree && printf '%s\n' "$2" >>"tree/$1" && ENTROPIC_ROOT=$PWD/tree "$rooms"
}

# refused FILE LINE [NAME]: with that line added to that file the check fails and names the file, or NAME.
refused() {
  fresh_tree && mkdir -p "$(dirname "tree/$1")" && printf '%s\n' "$2" >>"tree/$1"
  ! ENTROPIC_ROOT=$PWD/tree "$rooms" 2>message && grep -F "${3:-$1}" message
}

# long_template LINES: a room with a template of so many lines is refused.
long_template() {
  fresh_tree
  seq "$1" | sed 's/.*/int model_line_&;/' >tree/src/lift/b.c.in
  ! ENTROPIC_ROOT=$PWD/tree "$rooms" 2>message && grep -E "^src/lift/: .*expected at most" message
}

# library CODE: a shared library of that code, checked against the small tree's header.
library() {
  fresh_tree && printf '%s\n' "$1" >code.c && cc -shared -fPIC -fvisibility=hidden -o tree/lib.so code.c &&
    ENTROPIC_ROOT=$PWD/tree "$rooms" lib.so
}
show='__attribute__((visibility("default")))'
good="$show int entropic_one(void) { return 1; } $show const char *entropic_two(int (*f)(int)) { (void)f; return 0; }"

# large COUNT LINE: a header with so many functions and that line before them; what is counted stands in the message.
large() {
  fresh_tree
  { printf '#define ENTROPIC_API\n%s\n' "$2" && seq "$1" | sed 's/.*/ENTROPIC_API int entropic_more_&(void);/' && echo '#endif'; } \
    >tree/include/entropic/more.h
  echo '#include "entropic/more.h"' >>tree/include/entropic/entropic.h
  ENTROPIC_ROOT=$PWD/tree "$rooms" 2>message
}

# too_large COUNT FOUND
too_large() {
  ! large "$1" '#if 1' && grep -F "include/entropic: $2 stable functions, expected at most 175" message
}

# What ranks need counts, though a program does not see it.
large_with_ranks() {
  fresh_tree
  seq 174 | sed 's/.*/ENTROPIC_API int entropic_more_&(void);/' >tree/include/entropic/entropic_mpi.h
  ! ENTROPIC_ROOT=$PWD/tree "$rooms" 2>message && grep -F "176 stable functions" message
}

# A static library of that code beside the shared one, and a header that declares a function for it alone.
static_library() {
  fresh_tree && printf '#define ENTROPIC_STATIC\nENTROPIC_STATIC int entropic_tool(void);\n' >tree/include/entropic/tools.h
  printf '%s\n' "$good" >code.c && printf '%s\n' "$1" >static.c &&
    cc -shared -fPIC -fvisibility=hidden -o tree/lib.so code.c && cc -c static.c -o static.o && rm -f tree/lib.a &&
    ar rc tree/lib.a static.o && ENTROPIC_ROOT=$PWD/tree "$rooms" lib.so
}

# crowded COUNT LINES: a room of so many more files, or a file of so many lines, is refused.
crowded() {
  fresh_tree
  for i in $(seq "$1"); do echo "int ent_more_$i;" >"tree/src/lift/more_$i.c"; done
  seq "$2" | sed 's/.*/int ent_line_&;/' >>tree/src/lift/b.c
  ! ENTROPIC_ROOT=$PWD/tree "$rooms" 2>message && grep -E "^src/lift/: .*expected at most" message
}

check "the tree is in order" "$rooms"
check "the libraries have what the headers declare" "$rooms" "$ENTROPIC_BUILD/lib/libentropic.so"
check "a small tree in order passes" in_order
check "a later room is refused" refused src/base/a.c '#include "lift/b.h"'
check "a later room in angle brackets is refused" refused src/base/a.c '#include <lift/b.h>'
check "an include not written from src/ is refused" refused src/base/a.c '#include "a.h"'
check "an include through .. is refused" refused src/lift/b.c '#include "../base/a.h"'
check "a room of too many files is refused" crowded 70 0
check "a room of too many lines is refused" crowded 0 8000
check "lines of templates count" long_template 8000
check "a template is in order" in_order_with src/lift/b.c.in 'int model_x;'
check "a file of another kind is refused" refused src/lift/b.txt 'text'
check "a folder that is no room is refused" refused src/cellar/a.c '#include "base/a.h"' src/cellar
check "the command may not include a room" refused cli/main.c '#include "base/a.h"'
check "the command's compare may include the study" in_order_with cli/compare.c '#include "study/study.h"'
check "the command's paper may include the study" in_order_with cli/paper.c '#include "study/study.h"'
check "the rest of the command may not include the study" refused cli/main.c '#include "study/study.h"'
check "the command's paper may include no other header of the study" refused cli/paper.c '#include "study/paper.h"'
check "a later room may not include the study" refused src/mpi/a.c '#include "study/study.h"'
check "examples may not include a room" refused examples/a.c '# include "lift/b.h"'
twice='typedef struct ent_one {
  int y;
} ent_one;'
check "a type that is defined twice is refused" refused src/lift/b.c "$twice" ent_one
check "a function that is defined twice is refused" refused src/base/a.c 'int ent_of(int x) {' ent_of
check "a function that is only declared again is none" in_order_with src/base/a.c 'int ent_of(int x);'
check "headers that cannot be included together are refused" refused src/lift/c.h 'enum { ent_of };' together
check "a library in order passes" library "$good"
check "a declared name that is missing is refused" fails library "$show int entropic_one(void) { return 1; }"
check "a foreign name is refused" fails library "$good $show int other(void) { return 1; }"
check "a name that is not declared is refused" fails library "$good $show int entropic_three(void) { return 1; }"
check "175 stable functions pass" large 173 '#if 1'
check "more are refused" too_large 174 176
check "experimental ones do not count" large 300 '#ifdef ENTROPIC_EXPERIMENTAL'
check "those of ranks count" large_with_ranks
check "a function of the static library alone passes" static_library 'int entropic_tool(void) { return 1; }'
check "one that is not there is refused" fails static_library 'int entropic_other(void) { return 1; }'
finish
