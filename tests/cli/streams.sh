# Standard input and output, full disks, closed pipes, signals.
set -u
. "$ENTROPIC_SOURCE/tests/_tap.sh"

# full ARGUMENTS...: a full disk is status 3, with a message.
full() {
  "$ENTROPIC" "$@" >/dev/full 2>err
  [ $? -eq 3 ] && cat err && grep -qi 'no space' err
}

# closed ARGUMENTS...: if the reader of a pipe closes it, the command ends without a message.
closed() {
  set +o pipefail
  { "$ENTROPIC" "$@" 2>err; echo $? >status; } | head -n 1 >first
  cat status err
  [ ! -s err ] && [ -s first ] && [ "$(cat status)" -eq 141 ]
}

# A closed standard output is a write error, and no other file gets its descriptor.
not_open() {
  "$ENTROPIC" "$@" >&- 2>err
  [ $? -eq 3 ] && cat err && [ -s err ]
}

no_temporaries() {
  ! find "$1" -name '.entropic-*' | grep .
}

# stopped SIGNAL STATUS: the signal in the middle of the work leaves neither the file nor a temporary one.
stopped() {
  rm -rf box && mkdir box
  # A shell without job control makes what it puts into the background ignore SIGINT.
  env --default-signal "$ENTROPIC" generate friedman1 --rows 2000000 -o box/out.csv &
  local process=$! i
  for i in $(seq 500); do
    ls -A box | grep -q . && break
    sleep 0.02
  done
  ls -A box | grep -q '^\.entropic-' || { echo "no temporary file was seen"; kill -9 $process; return 1; }
  kill -s "$1" $process
  wait $process
  local got=$?
  echo "status $got"
  ls -A box
  [ $got -eq "$2" ] && [ -z "$(ls -A box)" ]
}

# The same for the rows of `features`.
features_stopped() {
  rm -rf box && mkdir box
  "$ENTROPIC" generate friedman1 --rows 100000 -o many.csv || return 1
  "$ENTROPIC" features many.csv --features 2000 -o box/out.libsvm 2>/dev/null &
  local process=$! i
  for i in $(seq 1000); do
    ls -A box | grep -q . && break
    sleep 0.02
  done
  kill -s TERM $process
  wait $process
  local got=$?
  echo "status $got"
  ls -A box
  [ $got -eq 143 ] && [ -z "$(ls -A box)" ]
}

older_kept() {
  rm -rf box && mkdir box && echo old >box/out.csv
  (
    ulimit -f 64
    trap '' XFSZ
    "$ENTROPIC" generate friedman1 --rows 100000 -o box/out.csv 2>err
    [ $? -eq 3 ]
  ) && cat err && grep -q old box/out.csv && no_temporaries box
}

# A progress bar on a terminal, for work of more than a second; none elsewhere, none with --quiet.
bar() {
  local work="'$ENTROPIC' generate friedman1 --rows 4000000 -o /dev/null"
  script -qec "$work" shown </dev/null >/dev/null && grep -qa 'writing \[#*\.*\]' shown &&
    script -qec "$work --quiet" shown </dev/null >/dev/null && ! grep -qa writing shown &&
    eval "$work" 2>err && [ ! -s err ]
}

pipe_through() {
  "$ENTROPIC" generate friedman1 --rows 50 | "$ENTROPIC" features - --target y --features 20 >piped.libsvm &&
    "$ENTROPIC" generate friedman1 --rows 50 -o direct.csv &&
    "$ENTROPIC" features direct.csv --target y --features 20 -o - >direct.libsvm && cmp piped.libsvm direct.libsvm &&
    [ "$(wc -l <piped.libsvm)" -eq 50 ]
}

gzipped() {
  gzip -kf direct.csv && "$ENTROPIC" features direct.csv.gz --target y --features 20 >gz.libsvm && cmp gz.libsvm direct.libsvm &&
    "$ENTROPIC" features - --target y --features 20 <direct.csv.gz >gz.libsvm && cmp gz.libsvm direct.libsvm
}

dash_file() {
  printf 'a,b\n0,1\n1,0\n' >--odd.csv
  "$ENTROPIC" features --features 4 -- --odd.csv >odd.libsvm && [ "$(wc -l <odd.libsvm)" -eq 2 ]
}

limited() {
  mkdir limit || return 1
  (ulimit -f 1 && exec "$ENTROPIC" generate friedman1 -o limit/long.csv) 2>err
  [ $? -eq 3 ] && grep -q "cannot write 'limit/long.csv': File too large" err && [ -z "$(ls -A limit)" ]
}
check "from a pipe to a pipe" pipe_through
check "gzip, as a file and as a stream" gzipped
check "a name that begins with dashes" dash_file
check "a full disk: generate" full generate friedman1
check "a full disk: generate --list" full generate --list
check "a full disk: features" full features direct.csv
check "a full disk: design" full design --inputs 3
check "a full disk: design --json" full design --inputs 3 --json
check "a full disk: design saved" full design --inputs 3 --save-design - -o list
check "a full disk: labels" full features direct.csv --target y --labels - -o kept.libsvm --quiet
check "a full disk: help" full --help
check "a full disk: version" full --version
check "a file beyond the limit leaves nothing behind" limited
check "a full device as a file" fails "$ENTROPIC" generate friedman1 -o /dev/full
check "the device is still there" test -c /dev/full
check "a closed pipe: generate" closed generate friedman1 --rows 200000
check "a closed pipe: features" closed features direct.csv --features 20000 --quiet
check "a closed pipe: design" closed design --inputs 10 --features 200000
check "no standard output: generate" not_open generate friedman1
check "no standard output: version" not_open --version
check "no standard output: the summary does not end up in the rows" not_open features direct.csv -o kept.libsvm --json
check "and the rows are whole" test "$(wc -l <kept.libsvm)" -eq 50
check "SIGINT leaves nothing behind" stopped INT 130
check "SIGTERM leaves nothing behind" stopped TERM 143
check "SIGHUP leaves nothing behind" stopped HUP 129
check "SIGTERM to features leaves nothing behind" features_stopped
check "a failed write keeps the older file" older_kept
if script -qec true shown </dev/null >/dev/null 2>&1; then
  check "a progress bar on terminals" bar
else
  skip "a progress bar on terminals" "there is no script(1), or no pseudo-terminal"
fi
check "no temporary files anywhere" no_temporaries .
finish
