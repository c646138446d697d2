# What a newcomer meets first holds together: links, make help, the version to cite, what the hosted CI calls.
set -u
. "$ENTROPIC_SOURCE/tests/_tap.sh"
cd "$ENTROPIC_SOURCE" || exit 1

# Relative links of Markdown files that lead nowhere, as FILE: LINK.
lost_links() {
  local file link
  for file in *.md docs/*.md examples/data/*.md; do
    grep -oE '\]\([^)]+\)' "$file" | sed -E 's/^\]\((.*)\)$/\1/' | grep -vE '^(https?:|#)' | while read -r link; do
      [ -e "$(dirname "$file")/${link%%#*}" ] || echo "$file: $link"
    done
  done
}

# Links to a heading that is not there; a heading's name is its text in small letters, with - for blanks.
lost_headings() {
  local file link target
  for file in *.md docs/*.md; do
    grep -oE '\]\([^):]*#[^)]+\)' "$file" | sed -E 's/^\]\((.*)\)$/\1/' | while read -r link; do
      target=$file
      [ -z "${link%%#*}" ] || target=$(dirname "$file")/${link%%#*}
      sed -nE 's/^#+ +//p' "$target" | tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9 _-]//g; s/ /-/g' |
        grep -qxF -- "${link#*#}" || echo "$file: $link"
    done
  done
}

targets() {
  sed -n '/^\.PHONY:/,/[^\\]$/p' Makefile | sed 's/^\.PHONY://; s/\\$//' | tr -s ' \t' '\n' | sed '/^$/d; /^help$/d' | sort
}

helped() {
  sed -nE "s/^\t@echo 'make ([a-z0-9-]+) .*/\1/p" Makefile | sort
}

# Targets that the hosted CI calls and the Makefile does not have.
unknown_calls() {
  comm -23 <(sed -nE 's/^ *- run: make ([a-z0-9-]+)$/\1/p' .github/workflows/ci.yml | sort -u) <(targets)
}

cited_version() {
  local version
  version=$(sed -nE 's/^#define ENTROPIC_VERSION_(MAJOR|MINOR|PATCH) ([0-9]+)$/\2/p' include/entropic/base.h | paste -sd.)
  grep -x "version: $version" CITATION.cff
}

# The comparisons of docs/accuracy.md (ours against | tables | error ratio | wins | losses) that README.md does not repeat.
lost_figures() {
  awk -F ' *[|] *' '/^\| ours against/ { inside = 1; next } /^$/ { inside = 0 }
    inside && $3 ~ /^[0-9]+$/ { printf "| %.2f | %d of %d |\n", $4, $5, $3 }' docs/accuracy.md >"$figures"
  [ "$(wc -l <"$figures")" -ge 5 ] || echo "no comparisons in docs/accuracy.md"
  while read -r line; do grep -qF -- "$line" README.md || echo "$line"; done <"$figures"
}
figures=$(mktemp)

check "links lead somewhere" diff /dev/null <(lost_links)
check "links to headings lead to one" diff /dev/null <(lost_headings)
check "README.md has the figures of docs/accuracy.md" diff /dev/null <(lost_figures)
check "make help has every target" diff <(targets) <(helped)
check "the hosted CI calls targets that are there" diff /dev/null <(unknown_calls)
check "the hosted CI runs the tests" grep -qE '^ *- run: make check$' .github/workflows/ci.yml
check "the version to cite is the header's" cited_version
rm -f "$figures"
finish
