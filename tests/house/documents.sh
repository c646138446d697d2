# Documents say what is there: every file of the library has its place in docs/architecture.md, and no other has.
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
  find src -name '*.[ch]' | sed 's|^src/||' | sort
}

check "docs/architecture.md names the files of src/" diff <(present) <(named)
finish
