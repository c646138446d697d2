# For test scripts: `. "$ENTROPIC_SOURCE/tests/_tap.sh"`, then `check "what" command...`, at the end `finish`.
tap_count=0
tap_failed=0

# check WHAT COMMAND...: passes if the command succeeds; shows what it printed if not.
check() {
  local what=$1 output
  shift
  tap_count=$((tap_count + 1))
  if output=$("$@" 2>&1); then
    echo "ok $tap_count - $what"
  else
    echo "not ok $tap_count - $what"
    printf '%s\n' "$output" | sed 's/^/# /'
    tap_failed=$((tap_failed + 1))
  fi
}

# fails COMMAND...: succeeds if the command fails.
fails() {
  ! "$@"
}

skip() {
  tap_count=$((tap_count + 1))
  echo "ok $tap_count - $1 # SKIP $2"
}

finish() {
  echo "1..$tap_count"
  [ "$tap_failed" -eq 0 ]
  exit
}
