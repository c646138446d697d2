# Equal fits have equal bytes for any number of threads: every task, loss and solver.
set -u
. "$ENTROPIC_SOURCE/tests/_tap.sh"

# Enough rows for several blocks.
"$ENTROPIC" generate friedman1 --rows 600 --noise 1 --seed 3 | awk -F , 'BEGIN { OFS = "," } NR == 1 { print $0, "two", "many", "w", "g" }
  NR > 1 { print $0, ($11 > 14 ? "high" : "low"), ($11 > 18 ? "c" : $11 > 12 ? "b" : $11 > 7 ? "a" : "d"), 1 + NR % 3, "g" int(NR / 7) }' >data.csv

# alike OPTIONS...: 1, 2 and 8 threads.
alike() {
  local threads
  for threads in 1 2 8; do
    "$ENTROPIC" fit data.csv "$@" --threads $threads --quiet -o $threads.entropic || return 1
  done
  cmp 1.entropic 2.entropic && cmp 1.entropic 8.entropic
}

number="--target y --ignore two,many,w,g"
two="--target two --ignore y,many,w,g"
many="--target many --ignore y,two,w,g"
size="--features 20 --omega 1 --scale minmax"
check "numbers, selected" alike $number $size
check "two numbers" alike --target y,x1 --ignore two,many,w,g $size
check "weights and groups" alike --target y --weights w --groups g --ignore two,many $size
for solver in direct dual iterative; do
  check "numbers, solver $solver" alike $number $size --select entropy --solver $solver
  check "two classes, solver $solver" alike $two $size --select entropy --solver $solver --lambda 1e-3
done
check "numbers, exact" alike $number --omega 1 --lambda 1e-3 --folds 2 --solver exact
check "two classes, exact" alike $two --omega 1 --lambda 1e-3 --folds 2 --solver exact
for loss in auto squared logistic hinge; do
  check "two classes, loss $loss" alike $two $size --loss $loss
  check "many classes, loss $loss" alike $many $size --loss $loss
done
check "balanced classes" alike $many $size --class-weight balanced
finish
