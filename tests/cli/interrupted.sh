# entropic fit interrupted: it never leaves a partial model.
set -u
. "$ENTROPIC_SOURCE/tests/_tap.sh"

"$ENTROPIC" generate friedman1 --rows 20000 -o long.csv
"$ENTROPIC" generate friedman1 --rows 50 -o many.csv

# Many features and few rows: a model that is fitted fast and takes a while to write.
big="--solver dual --features 100000 --omega 1 --quiet"
"$ENTROPIC" fit many.csv --target y $big --lambda 1e-3 -o old.entropic || exit 1
"$ENTROPIC" fit many.csv --target y $big --lambda 1e-2 -o new.entropic || exit 1

# stopped SIGNAL STATUS: the signal ends a fit at once and leaves no file.
stopped() {
  rm -rf box && mkdir box
  # A shell without job control makes what it puts into the background ignore SIGINT.
  env --default-signal "$ENTROPIC" fit long.csv --target y --features 4000 -o box/m.entropic 2>err &
  local process=$! start
  sleep 1
  start=$(date +%s%N)
  kill -s "$1" $process || { echo "it had ended"; return 1; }
  wait $process
  local got=$? took=$((($(date +%s%N) - start) / 1000000))
  echo "status $got after $took ms"
  ls -A box
  [ $got -eq "$2" ] && [ $took -lt 2000 ] && [ -z "$(ls -A box)" ]
}

# Killed as soon as writing begins, or at any moment: the file is the complete older or newer model.
killed() {
  local i process kept=0 replaced=0 caught=0
  rm -rf box && mkdir box && cp old.entropic box/m.entropic
  for i in $(seq 16); do
    "$ENTROPIC" fit many.csv --target y $big --lambda 1e-2 -o box/m.entropic &
    process=$!
    if [ $((i % 2)) -eq 0 ]; then
      while kill -0 $process 2>/dev/null; do
        set -- box/.entropic-*
        [ -e "$1" ] && { caught=$((caught + 1)); break; }
      done
    else
      sleep 0.$((i % 10))
    fi
    kill -9 $process 2>/dev/null
    wait $process 2>/dev/null
    rm -f box/.entropic-*
    "$ENTROPIC" info box/m.entropic >/dev/null || return 1
    if cmp -s box/m.entropic old.entropic; then
      kept=$((kept + 1))
    elif cmp -s box/m.entropic new.entropic; then
      replaced=$((replaced + 1))
      cp old.entropic box/m.entropic
    else
      echo "neither the older nor the newer model"
      return 1
    fi
  done
  echo "kept $kept, replaced $replaced, caught while writing $caught"
  [ $((kept + replaced)) -eq 16 ] && [ $kept -gt 0 ] && [ $caught -gt 0 ]
}

# The disk becomes full while the model is written.
full_disk() {
  rm -rf box && mkdir box && cp old.entropic box/m.entropic
  (
    ulimit -f 8
    "$ENTROPIC" fit many.csv --target y $big --lambda 1e-2 -o box/m.entropic 2>err
    [ $? -eq 3 ]
  ) && cat err && [ -s err ] && cmp box/m.entropic old.entropic && [ "$(ls -A box)" = m.entropic ]
}

# Progress on a terminal only: a bar, or the seconds of a step whose end is not known. It appears after a second, so the work
# is made large enough to take three seconds on this machine.
progress() {
  local rows=20000 start work="'$ENTROPIC' fit wait.csv --target y --features 1500 --threads 1 --quiet -o bar.entropic"
  local line=$'(\\[#*\\.*\\] +[0-9]+ %|[a-z]: [0-9]+ s)[^\r]*\033\\[K'
  while :; do
    "$ENTROPIC" generate friedman1 --rows $rows -o wait.csv --quiet || return 1
    start=$(date +%s%N)
    eval "$work" || return 1
    [ $((($(date +%s%N) - start) / 1000000)) -ge 3000 ] && break
    rows=$((2 * rows))
  done
  echo "$rows rows"
  work="'$ENTROPIC' fit wait.csv --target y --features 1500 --threads 1 -o bar.entropic"
  script -qec "$work" shown </dev/null >/dev/null && grep -qaE "$line" shown &&
    eval "$work" 2>err && ! grep -qaE "$line" err && ! grep -qa $'\r' err
}

check "SIGINT while learning" stopped INT 130
check "SIGTERM while learning" stopped TERM 143
check "SIGHUP while learning" stopped HUP 129
check "SIGKILL at any moment" killed
check "a full disk keeps the older model" full_disk
check "a full standard output" eval '"$ENTROPIC" fit many.csv --target y $big -o - >/dev/full 2>err; [ $? -eq 3 ] && grep -qi "cannot write standard output: no space" err'
check "a full standard output for the summary" eval '"$ENTROPIC" fit many.csv --target y --features 20 --omega 1 --json -o f.entropic >/dev/full 2>err; [ $? -eq 3 ]'
if script -qec true shown </dev/null >/dev/null 2>&1; then
  check "progress on terminals" progress
else
  skip "progress on terminals" "there is no script(1), or no pseudo-terminal"
fi
finish
