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

# Jobs of the hosted CI: each has a time limit and runs a target of the Makefile; prints those that do not.
jobs_without() {
  awk -v wanted="$1" '/^  [a-z0-9_-]+:$/ { if (job != "" && !found) print job; job = $1; found = 0 }
    index($0, wanted) { found = 1 } END { if (job == "" || !found) print job }' <(sed '1,/^jobs:/d' .github/workflows/ci.yml)
}

# The version of CMake that is said to suffice, wherever that is said.
cmake_versions() {
  sed -nE 's/^cmake_minimum_required\(VERSION ([0-9.]+)\)$/\1/p' CMakeLists.txt tests/install/CMakeLists.txt
  sed -nE 's/.*"cmakeMinimumRequired": \{ "major": ([0-9]+), "minor": ([0-9]+),.*/\1.\2/p' CMakePresets.json
  sed -nE 's/^ *cmake\) version_at_least ([0-9.]+) .*/\1/p' scripts/setup
  sed -nE 's/.*cmake \(>= ([0-9.]+)\).*/\1/p' debian/control
  sed -nE 's/^CMake ([0-9.]+) suffices.*/\1/p' CONTRIBUTING.md
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
check "each job of the hosted CI runs a target" diff /dev/null <(jobs_without '- run: make ')
check "each job of the hosted CI has a time limit" diff /dev/null <(jobs_without 'timeout-minutes: ')
check "one version of CMake suffices" diff <(printf '3.22\n%.0s' 1 2 3 4 5 6) <(cmake_versions)
check "presets of a form that this version reads" grep -qxF '  "version": 3,' CMakePresets.json
check "the version to cite is the header's" cited_version
rm -f "$figures"
finish
