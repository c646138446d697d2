# docs/architecture.md names every file of src/ in the table of its room, and every file it names exists.
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

# Paths from the root that the text quotes and that do not exist.
lost_paths() {
  grep -oE '`(src|cli|bench|examples|include|scripts|tests|docs)/[A-Za-z0-9_./-]*`' docs/architecture.md | tr -d '`' |
    sort -u | while read -r path; do [ -e "$path" ] || echo "$path"; done
}

check "docs/architecture.md names the files of src/" diff <(present) <(named)
check "the paths in docs/architecture.md exist" diff /dev/null <(lost_paths)
finish
