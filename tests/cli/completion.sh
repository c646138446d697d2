# Completion of shells: bash is asked as it asks, zsh at least reads what is written for it.
set -u
. "$ENTROPIC_SOURCE/tests/_tap.sh"
. "$ENTROPIC_SOURCE/completions/entropic.bash"
PATH=$(dirname "$ENTROPIC"):$PATH

# gives EXPECTED WORD...: what the last word of `entropic WORD...` can become.
gives() {
  local expected=$1
  shift
  COMP_WORDS=(entropic "$@")
  COMP_CWORD=$#
  COMPREPLY=()
  _entropic
  echo "${COMPREPLY[*]}"
  [ "${COMPREPLY[*]}" = "$expected" ]
}

# Every option of every help is offered.
offers_all() {
  local expected
  expected=$("$ENTROPIC" help "$1" | grep -oE '^ +(-., )?--[a-z-]+' | grep -oE -e '--[a-z-]+' | sort | tr '\n' ' ')
  COMP_WORDS=(entropic "$1" --)
  COMP_CWORD=2
  _entropic
  printf '%s\n' "${COMPREPLY[@]}"
  [ -n "$expected" ] && [ "$(printf '%s\n' "${COMPREPLY[@]}" | sort | tr '\n' ' ')" = "$expected" ]
}

check "a command" gives 'features' fea
check "all commands" gives 'generate fit predict score explain export info features design collect merge solve update forget receipt compare paper help --help --version' ''
check "help of a command" gives 'design' help de
check "an option" gives '--kernel' fit data.csv --ker
check "options that begin alike" gives '--target --target-scale --target-means' fit data.csv --tar
check "the names of a choice" gives 'centred sobolev laplace cosh brownian bridge custom neumann' fit --kernel ''
check "one of them" gives 'laplace' fit data.csv --kernel la
check "one of them behind =" gives 'laplace' fit data.csv --kernel = la
check "all of them behind =" gives 'full interior' design --basis =
check "words beside numbers" gives 'auto theory' fit --lambda ''
check "other words for another command" gives 'entropy paper' design --select ''
check "no words for a column" gives '' fit --target ''
check "files are left to the shell" gives '' fit --valid ''
check "the functions of generate" gives 'friedman1 friedman2 friedman3' generate friedman
for command in generate fit predict score explain export info features design collect merge solve update forget receipt compare paper; do
  check "all options of $command" offers_all $command
done
if command -v zsh >/dev/null; then
  check "zsh reads its own" zsh -n "$ENTROPIC_SOURCE/completions/_entropic"
else
  skip "zsh reads its own" "there is no zsh"
fi
finish
