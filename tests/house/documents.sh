# Documents describe what exists: docs/architecture.md names every file of src/ and of the Python package in a table, every
# path it quotes exists, and what is written about options and parameters is what the library says of them.
set -u
. "$ENTROPIC_SOURCE/tests/_tap.sh"
cd "$ENTROPIC_SOURCE" || exit 1

# The files named in the tables of "What each file does", as room/file.
named() {
  sed -n '/^## What each file does/,$p' docs/architecture.md | awk -F '|' '
    /^### / { room = substr($1, 5); sub(/:.*/, "", room) }
    /^\| `/ { n = split($2, file, "`"); for (i = 2; i <= n; i += 2) print room "/" file[i] }' | sort
}

present() {
  { find src -name '*.[ch]' -o -name '*.css' -o -name '*.js' -o -name '*.in' && find python/entropic -name '_[a-z]*.py'; } |
    sed 's|^src/||; s|^python/entropic/|python/|' | sort
}

# code_is_there DOCUMENT FILE...: every piece of code of the document stands in one of these files.
code_is_there() {
  "$PYTHON" - "$@" <<'END'
import re, sys
text, sources = open(sys.argv[1]).read(), [open(file).read() for file in sys.argv[2:]]
pieces = re.findall(r"^```(?:c|js)\n(.*?)^```$", text, re.M | re.S)
def plain(text):  # a line of a macro ends with a backslash, except the last one
    return re.sub(r" *\\$", "", text, flags=re.M)
strange = [piece for piece in pieces if not any(plain(piece) in plain(source) for source in sources)]
sys.exit("\n".join(strange) if strange else 0 if pieces else "no code found")
END
}

# Paths from the root that the text quotes and that do not exist.
lost_paths() {
  grep -oE '`(src|cli|bench|examples|include|scripts|tests|docs)/[A-Za-z0-9_./-]*`' docs/architecture.md | tr -d '`' |
    sort -u | while read -r path; do [ -e "$path" ] || echo "$path"; done
}

check "docs/architecture.md names the files of src/ and python/" diff <(present) <(named)
check "what it says of files is what their first comments say" \
  diff <(sed -n '/^<!-- files: /,/^<!-- end of files/{//!p}' docs/architecture.md) <(scripts/file-tables)
check "the paths in docs/architecture.md exist" diff /dev/null <(lost_paths)
check "docs/adding-a-kernel.md shows the code as it is" code_is_there docs/adding-a-kernel.md src/axis/neumann.c \
  include/entropic/features.h tests/unit/reference.h
check "docs/adding-a-language.md shows the code as it is" code_is_there docs/adding-a-language.md src/export/js.c src/export/model.js \
  src/export/template.c src/design/language_map.h
check "docs/adding-a-loss.md shows the code as it is" code_is_there docs/adding-a-loss.md src/loss/huber.c \
  include/entropic/learn.h
check "docs/adding-a-link.md shows the code as it is" code_is_there docs/adding-a-link.md src/loss/root.c src/loss/link.h
check "what is said of options and parameters is what the library says" "$PYTHON" scripts/reference --check "$ENTROPIC"
finish
