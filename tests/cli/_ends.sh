# ends STATUS PATTERN ARGUMENTS...: the command has that exit status, the pattern on standard error, and no output.
ends() {
  local status=$1 pattern=$2 got
  shift 2
  "$ENTROPIC" "$@" >out 2>err </dev/null
  got=$?
  echo "status $got"
  cat out err
  [ "$got" -eq "$status" ] && grep -qE -e "$pattern" err && [ ! -s out ]
}
