# scripts/setup, with stand-ins for apt-get, sudo and the like: nothing is installed here.
set -u
. "$ENTROPIC_SOURCE/tests/_tap.sh"
setup=$ENTROPIC_SOURCE/scripts/setup
export LOG=$PWD/log

fake() {
  printf '#!/bin/sh\n%s\n' "$2" >"bin/$1" && chmod +x "bin/$1"
}

# world USER SUDO MISSING: a machine with that user number, where `sudo -n` works or not, and that package is missing.
world() {
  rm -rf bin log && mkdir bin && : >log
  fake id "echo $1"
  fake sudo "if [ $2 = no ]; then exit 1; fi; shift; echo \"sudo \$*\" >>\$LOG; exec \"\$@\""
  fake apt-get 'echo "apt-get $*" >>$LOG'
  fake dpkg-query "case \"\$*\" in *' $3') exit 1 ;; esac; echo installed"
  fake pkg-config 'exit 1'
  fake clang-format 'exit 0'
}

run_setup() {
  PATH=$PWD/bin:$PATH "$setup" "$@"
}

nothing_missing() {
  world 1000 no none && run_setup check lint fuzz coverage valgrind browser && [ ! -s log ]
}

as_root() {
  world 0 no zlib1g-dev && run_setup build && cat log &&
    diff log <(printf '%s\n' 'apt-get update' 'apt-get install -y --no-install-recommends zlib1g-dev')
}

with_sudo() {
  world 1000 yes libcmocka-dev && run_setup check && cat log && grep -q '^sudo .*apt-get' log &&
    grep -qx 'apt-get install -y --no-install-recommends libcmocka-dev' log
}

neither() {
  world 1000 no libopenblas-pthread-dev && ! run_setup blas 2>message && cat message && [ ! -s log ] &&
    grep -qx 'apt-get update && apt-get install -y --no-install-recommends libopenblas-pthread-dev' message
}

other_provider() {
  world 1000 no libopenblas-pthread-dev && fake pkg-config 'exit 0' && run_setup blas && [ ! -s log ]
}

apt_fails() {
  world 0 no zlib1g-dev && fake apt-get 'exit 100' && ! run_setup build
}

only_its_group() {
  world 1000 no libopenblas-pthread-dev && run_setup build && [ ! -s log ]
}

check "nothing missing: does nothing" nothing_missing
check "root: installs what is missing" as_root
check "sudo: installs through it" with_sudo
check "neither: prints the line to run, and fails" neither
check "another provider will do" other_provider
check "a failing apt-get is a failure" apt_fails
check "a group asks for no other group's packages" only_its_group
check "an unknown group is refused" fails "$setup" cellar
finish
