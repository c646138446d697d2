# entropic fit --only and --without: the summary, files, and words about what is wrong.
set -u
. "$ENTROPIC_SOURCE/tests/_tap.sh"

"$ENTROPIC" generate friedman1 --rows 200 --quiet -o f.csv
given=(--target y --features 20 --omega 1 --lambda 1e-3)

"$ENTROPIC" fit f.csv "${given[@]}" --only 'x1:x2,x3' --only 4 -o m.entropic 2>summary
check "terms can be given several times" grep -qx 'only  *x1:x2,x3,x4' summary
check "the summary has the error of all terms" grep -q '^all terms  *rmse [0-9.]* +- [0-9.]* on the same rows: the terms left out cost [0-9]' summary
check "info has the terms" sh -c "'$ENTROPIC' info m.entropic | grep -qx 'only  *x1:x2,x3,x4'"
check "info knows of no cost" sh -c "! '$ENTROPIC' info m.entropic | grep -q 'all terms'"
check "no input besides" sh -c "'$ENTROPIC' info m.entropic | grep -qx 'inputs  *10, 4 used: x1, x2, x3, x4'"
check "no effect besides" sh -c "test \"\$('$ENTROPIC' explain m.entropic | cut -f 1 | sort | tr '\n' ',')\" = 'effect,higher,x1,x1 x2,x2,x3,x4,'"

"$ENTROPIC" fit f.csv "${given[@]}" --only 'x1:x2,x3' --only 4 --threads 2 --unrestricted no -o n.entropic 2>summary
check "the model is the same without its cost, and on two threads" cmp m.entropic n.entropic
check "the cost can be left out" sh -c "! grep -q 'all terms' summary"
"$ENTROPIC" fit f.csv "${given[@]}" --only '*:*:*:*:*:*:*:*:*:*' --unrestricted no --quiet -o all.entropic
"$ENTROPIC" fit f.csv "${given[@]}" --quiet -o plain.entropic
check "a restriction to everything changes no prediction" sh -c "'$ENTROPIC' predict all.entropic f.csv --quiet >a
  '$ENTROPIC' predict plain.entropic f.csv --quiet >b; cmp a b && test -s a"

# refused MESSAGE OPTIONS...: exit status 1, and these words.
refused() {
  local words=$1
  shift
  "$ENTROPIC" fit f.csv "${given[@]}" "$@" -o refused.entropic 2>message
  [ $? -eq 1 ] && grep -qF -- "$words" message && [ ! -e refused.entropic ]
}
check "an input that is not there" refused '--only: there is no input x11: did you mean x1?' --only x1,x11
check "the target" refused '--without: column y is the target, expected inputs' --without y
check "nothing left" refused '--without: the terms leave no input' --without '*'
check "a kernel without the constant" refused 'terms need a kernel with the constant' --only x1 --kernel laplace
check "the exact kernel" sh -c "'$ENTROPIC' fit f.csv --target y --solver exact --without x1 -o no.entropic 2>&1 | grep -q -e '--solver exact and --without cannot be combined'"
finish
