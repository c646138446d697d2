# scripts/openblas-core: the OpenBLAS core that benchmarks use for all programs.
set -u
. "$ENTROPIC_SOURCE/tests/_tap.sh"
script=$ENTROPIC_SOURCE/scripts/openblas-core
unset OPENBLAS_CORETYPE

# chosen EXPECTED FLAGS...: the core chosen for a cpuinfo with these flags.
chosen() {
  local expected=$1 got
  shift
  printf 'processor\t: 0\nflags\t\t: fpu %s sse\nvmx flags\t: avx2\nprocessor\t: 1\nflags\t\t: fpu\n' "$*" >cpuinfo
  got=$("$script" cpuinfo) && echo "$got" && [ "$got" = "$expected" ]
}

told() {
  "$script" run sh -c 'echo "${OPENBLAS_CORETYPE-none}"' >out 2>err && cat out err && grep -q "$1" err && [ "$(cat out)" = "$2" ]
}

check "AVX-512" chosen SkylakeX avx2 fma avx512f avx512bw avx512cd avx512dq avx512vl
check "some of AVX-512" chosen Haswell avx2 fma avx512f avx512cd
check "AVX2" chosen Haswell fma avx2
check "AVX2 without fused products" chosen '' avx2
check "a name that only begins alike" chosen '' avx2x fma
check "another processor" eval 'printf "Features : asimd\n" >cpuinfo; [ -z "$("$script" cpuinfo)" ]'
check "what the user has set stays" eval '[ "$(OPENBLAS_CORETYPE=Zen "$script")" = Zen ]'
OPENBLAS_CORETYPE=Zen check "a program is run with it" told "code for Zen" Zen
check "the same for a program" eval '[ "$("$script" run sh -c "echo \${OPENBLAS_CORETYPE-}" 2>/dev/null)" = "$("$script")" ]'
finish
