# scripts/release-check, in a small tree whose make targets are stand-ins: it passes when all is there, and finds what is not.
set -u
. "$ENTROPIC_SOURCE/tests/_tap.sh"
[ -n "${CC:-}" ] || CC=cc
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null

commit() {
  git add -A && git -c user.name=a -c user.email=a commit -qm "$1"
}

# A tree of version 1.2.3 that is ready.
fresh_tree() {
  rm -rf tree && mkdir -p tree/include/entropic tree/scripts tree/tests/abi && cd tree && git init -q || return 1
  printf '#define ENTROPIC_VERSION_%s\n' 'MAJOR 1' 'MINOR 2' 'PATCH 3' >include/entropic/base.h
  cp "$ENTROPIC_SOURCE"/scripts/{release-check,version,dist} scripts
  printf '#!/bin/sh\n[ "$1" = compare ]\n' >scripts/abi && chmod +x scripts/abi
  printf '# Changes\n\n## 1.2.3 (2020-02-02)\n- all of it\n\n## 1.2.2\n- before\n' >CHANGELOG.md
  printf 'title: Entropic\nversion: 1.2.3\n' >CITATION.cff
  echo "<abi-corpus soname='libentropic.so.1'>" >tests/abi/libentropic.abi
  echo 'build/' >.gitignore
  echo 'generated' >page.md
  cat >Makefile <<'END'
command = mkdir -p '$(1)' && printf '\043!/bin/sh\necho entropic 1.2.3\n' >'$(1)/entropic' && chmod +x '$(1)/entropic'
check:
	@mkdir -p build/release/lib && echo 'int f(void);' | $(CC) -shared -Wl,-soname,libentropic.so.1 \
	  -o build/release/lib/libentropic.so -x c -
build: include/entropic/base.h
	@$(call command,build/release/bin)
install:
	@$(call command,$(PREFIX)/bin) && mkdir -p '$(PREFIX)/lib/pkgconfig'
	@printf 'Name: entropic\nDescription: x\nVersion: 1.2.3\n' >'$(PREFIX)/lib/pkgconfig/entropic.pc'
regenerate:
	@echo generated >page.md
END
  export CC
  commit ready
}

ready() {
  (fresh_tree && scripts/release-check && [ -s build/packages/entropic-1.2.3.tar.gz ]) >output 2>&1
  local status=$?
  cat output
  [ $status -eq 0 ] && [ "$(tail -n 1 output)" = "release-check: 1.2.3 is ready: build/packages/entropic-1.2.3.tar.gz" ]
}

# refused WHAT CHANGE: after that change, which is committed, it is that and nothing else that is missing.
refused() {
  (fresh_tree && eval "$2" && commit change && scripts/release-check) >output 2>&1
  local status=$?
  cat output
  [ $status -ne 0 ] && [ "$(tail -n 1 output)" = "release-check: not ready: $1;" ]
}

uncommitted() {
  (fresh_tree && echo extra >extra.txt && scripts/release-check) >output 2>&1
  local status=$?
  cat output
  [ $status -ne 0 ] && [ "$(tail -n 1 output)" = "release-check: not ready: nothing is uncommitted;" ]
}

changes="CHANGELOG.md has version 1.2.3"
if command -v git >/dev/null && command -v pkg-config >/dev/null; then
  check "a tree that is ready" ready
  check "a file that is not committed" uncommitted
  check "no such version among the changes" refused "$changes" "sed -i 's/1.2.3/1.2.4/' CHANGELOG.md"
  check "a version that is called unreleased" refused "$changes" "sed -i 's/2020-02-02/unreleased/' CHANGELOG.md"
  check "a version without changes" refused "$changes" "sed -i '/all of it/d' CHANGELOG.md"
  check "another version to cite" refused "CITATION.cff has version 1.2.3" "echo 'version: 1.2.2' >CITATION.cff"
  check "tests that fail" refused "make check" "printf '\t@false\n' | sed -i '/-x c -/r /dev/stdin' Makefile"
  abi="the binary interface is that of tests/abi"
  check "another soname" refused "$abi" "sed -i 's/so.1/so.0/' tests/abi/libentropic.abi"
  check "an interface that broke" refused "$abi" "echo 'exit 1' >>scripts/abi"
  check "something generated that is old" refused "what is generated is up to date" "echo old >page.md"
  check "an installation of another version" refused "installs into another folder" \
    "sed -i 's/Version: 1.2.3/Version: 1.2.2/' Makefile"
  check "an archive that does not build" refused "the source archive builds" "echo '/include export-ignore' >.gitattributes"
else
  skip "release-check" "no git or no pkg-config"
fi
finish
