# Custom kernels from the command line: --kernel custom with --p and --q, or with an equation.
set -u
. "$ENTROPIC_SOURCE/tests/_tap.sh"
. "$ENTROPIC_SOURCE/tests/cli/_ends.sh"
python=${PYTHON:-/usr/bin/python3}

"$ENTROPIC" generate friedman1 --rows 150 -o f.csv --quiet
cut -d, -f1-3,11 f.csv >data.csv # x1, x2, x3 and y

# same_design FAMILY OMEGA OPTIONS...: a family restated lists the same features, with scores that agree to 1e-9.
same_design() {
  local family=$1 omega=$2 basis
  shift 2
  for basis in full interior; do
    "$ENTROPIC" design --inputs 3 --features 300 --basis $basis --kernel $family $omega --json >theirs.json &&
      "$ENTROPIC" design --inputs 3 --features 300 --basis $basis --kernel custom $omega "$@" --json >ours.json || return 1
    "$python" - <<'END' || return 1
import json
ours, theirs = json.load(open("ours.json")), json.load(open("theirs.json"))
assert ours["kernel"] == "custom" and ours["expressions"], ours["kernel"]
assert len(ours["list"]) == len(theirs["list"]) and ours["base"] == theirs["base"]
for a, b in zip(ours["list"], theirs["list"]):
    assert (a["terms"], a["features"], a.get("members")) == (b["terms"], b["features"], b.get("members")), (a, b)
    assert abs(a["score"] / b["score"] - 1) <= 1e-9, (a, b)
END
  done
}
check "sobolev by p and q" same_design sobolev "--omega 2" --p "1 + w*x" --q 1
check "sobolev by an equation" same_design sobolev "--omega 2" --alpha 1/w --beta 0 --left 1,-w --right 1,0
check "laplace by p and q" same_design laplace "--omega 3" --p "exp(w*x)" --q "exp(-w*x)"
check "laplace by an equation" same_design laplace "--omega 3" --alpha "1/(2*w)" --beta=-w/2 --left 1,-w --right 1,w
check "cosh by p and q" same_design cosh "--omega 0.7" --p "w*cosh(w*x)/sinh(w)" --q "cosh(w*(1-x))"
check "cosh by an equation" same_design cosh "--omega 0.7" --alpha 1/w^2 --beta -1 --left 1,0 --right 1,0
check "brownian by p and q" same_design brownian "--omega 1.5" --p "w*x" --q 1
check "brownian by an equation" same_design brownian "--omega 1.5" --alpha 1/w --beta 0 --left 0,1 --right 1,0
check "bridge by p and q" same_design bridge "" --p x --q 1-x
check "bridge by an equation" same_design bridge "" --alpha 1 --beta 0 --left 0,1 --right 0,1

# same_features FAMILY OPTIONS...: lifted rows agree to 1e-11.
same_features() {
  local family=$1
  shift
  "$ENTROPIC" features data.csv --target y --features 200 --kernel $family --omega 2 -o theirs.libsvm --quiet &&
    "$ENTROPIC" features data.csv --target y --features 200 --kernel custom --omega 2 "$@" -o ours.libsvm --quiet || return 1
  "$python" - <<'END'
def rows(path):
    return [{int(k): float(v) for k, v in (field.split(":") for field in line.split()[1:])} for line in open(path)]
worst = 0
for a, b in zip(rows("ours.libsvm"), rows("theirs.libsvm"), strict=True):
    for k in a.keys() | b.keys():
        worst = max(worst, abs(a.get(k, 0) - b.get(k, 0)))
assert worst <= 1e-11, worst
END
}
check "features of sobolev" same_features sobolev --p "1 + w*x" --q 1
check "features of laplace" same_features laplace --alpha "1/(2*w)" --beta=-w/2 --left 1,-w --right 1,w

kept=(--kernel custom --p "exp(x^2) - 1 + x/10" --q "1 + w*(1 - x)^3")
equation=(--kernel custom --alpha "(1+x)^2" --beta=-w^2 --left 1,-w --right 0,1)

# A model says its expressions, predicts what it did, and is the same with any number of threads.
fitted() {
  "$ENTROPIC" fit data.csv --target y "$@" --omega 2 --features 80 --lambda 1e-4 --scale minmax -o one.entropic --threads 1 --quiet &&
    "$ENTROPIC" fit data.csv --target y "$@" --omega 2 --features 80 --lambda 1e-4 --scale minmax -o three.entropic --threads 3 --quiet &&
    cmp one.entropic three.entropic && "$ENTROPIC" predict one.entropic data.csv -o a.csv --threads 1 --quiet &&
    "$ENTROPIC" predict three.entropic data.csv -o b.csv --threads 3 --quiet && cmp a.csv b.csv &&
    "$ENTROPIC" info one.entropic >info.txt && cat info.txt && grep -q '^kernel  *custom, omega 2$' info.txt
}
check "a model by p and q" fitted "${kept[@]}"
check "info says p" grep -qF 'p            exp(x^2) - 1 + x/10' info.txt
check "info says q" grep -qF 'q            1 + w*(1 - x)^3' info.txt
check "info says p as JSON" eval '"$ENTROPIC" info one.entropic --json | grep -qF "\"p\": \"exp(x^2) - 1 + x/10\""'
check "a model by an equation" fitted "${equation[@]}"
check "info says the ends" grep -q '^left  *1,-w$' info.txt
check "the exact kernel" eval '"$ENTROPIC" fit data.csv --target y "${equation[@]}" --solver exact --omega 1 --lambda 1e-3 -o x.entropic --quiet'

# The kernel alone chooses the features; omega is tuned where there is w.
tuned() {
  "$ENTROPIC" fit data.csv --target y "${kept[@]}" --features 60 -o t.entropic --json --quiet >fit.json && grep -q '"select": "entropy"' fit.json &&
    grep -qE '"omega": [0-9.]+' fit.json && "$ENTROPIC" fit data.csv --target y --kernel custom --p 1+x --q 1 --features 60 -o u.entropic --json --quiet >fit.json &&
    grep -q '"omega": null' fit.json
}
check "omega is tuned" tuned

saved() {
  "$ENTROPIC" design --inputs 2 --features 100 "$@" --save-design saved.design >a && "$ENTROPIC" design --design saved.design >b && cmp a b &&
    "$ENTROPIC" design --design saved.design --save-design again.design >b && cmp saved.design again.design &&
    [ "$(head -n 1 saved.design)" = "entropic design 2" ]
}
check "a design by p and q is saved and read again" saved "${kept[@]}" --omega 1,2
check "a design by an equation is saved and read again" saved "${equation[@]}"
check "features by a saved design" eval '"$ENTROPIC" features data.csv --target y "${kept[@]}" --save-design f.design --features 70 -o a.libsvm --quiet &&
  "$ENTROPIC" features data.csv --target y --design f.design -o b.libsvm --quiet && cmp a.libsvm b.libsvm'
check "compare takes the kernel for EOF" eval '"$ENTROPIC" compare data.csv --target y --features 20 --runs 1 --kernel custom --p 1+w*x --q 1 --quiet >a &&
  "$ENTROPIC" compare data.csv --target y --features 20 --runs 1 --kernel sobolev --quiet >b &&
  [ "$(grep "^EOF.tuned" a | cut -f4 | cut -c1-9)" = "$(grep "^EOF.tuned" b | cut -f4 | cut -c1-9)" ]'

for command in "fit data.csv --target y" "design --inputs 2" "features data.csv" "compare data.csv --target y --features 20 --runs 1"; do
  name=${command%% *}
  check "$name: p without custom" ends 1 '\-\-p needs --kernel custom' $command --p x
  check "$name: custom alone" ends 1 '\-\-kernel custom needs --p and --q, or --alpha, --beta, --left and --right$' $command --kernel custom
  check "$name: p without q" ends 1 '\-\-p needs --q too' $command --kernel custom --p 1+x
  check "$name: q without p" ends 1 '\-\-q needs --p too' $command --kernel custom --q 1
  check "$name: an equation without an end" ends 1 '\-\-alpha needs --right too' $command --kernel custom --alpha 1 --beta 0 --left 0,1
  check "$name: both forms" ends 1 'not both' $command --kernel custom --p x --q 1 --alpha 1 --beta 0 --left 0,1 --right 1,0
  check "$name: a wrong expression" ends 1 '\-\-p: column 3: expected a number' $command --kernel custom --p '1+*' --q 1
  check "$name: a function that is none" ends 1 '\-\-p: column 1: .epx. is not known; did you mean exp?' $command --kernel custom --p 'epx(x)' --q 1
  check "$name: an end in x" ends 1 '\-\-left: column 1: x cannot be here' $command --kernel custom --alpha 1 --beta 0 --left x,1 --right 1,0
  check "$name: one number for an end" ends 1 '\-\-right: expected 2 expressions' $command --kernel custom --alpha 1 --beta 0 --left 0,1 --right 1
  check "$name: p/q does not increase" ends 1 'p/q must increase strictly' $command --kernel custom --p 2-x --q 1
  check "$name: p below 0" ends 1 'p\(.*\) = -.*: it must be above 0 inside' $command --kernel custom --p=-x --q 1
done
check "no omega without w" ends 1 'its expressions have no w' fit data.csv --target y --kernel custom --p 1+x --q 1 --omega 2
check "no selection by residual" ends 1 'selection by residual needs' fit data.csv --target y --kernel custom --p 1+x --q 1 --select residual
check "no smooth atoms" ends 1 '\-\-smooth cannot be combined with --kernel custom' design --inputs 1 --kernel custom --p 1+x --q 1 --smooth 3
check "not deeper than level 16" ends 1 'max_level: 17 is above 16' design --inputs 1 --kernel custom --p 1+x --q 1 --max-level 17
check "a megabyte" eval 'long=$(head -c 100000 /dev/zero | tr "\0" x); ends 1 "has 100000 bytes, expected at most 2000" design --inputs 1 --kernel custom --p "$long" --q 1'
check "alpha that is 0" ends 1 'alpha\(0\) = 0' design --inputs 1 --kernel custom --alpha x --beta 0 --left 1,0 --right 0,1
check "an equation without a Green's function" ends 1 "no positive Green's function" design --inputs 1 --kernel custom --alpha 1 --beta 0 --left 1,0 --right 1,0
check "another language's commas" eval 'for l in C de_DE.UTF-8; do LC_ALL=$l "$ENTROPIC" design --inputs 2 --kernel custom --p 1+0.5*x --q 1 --features 9 >$l.txt || exit 1; done; cmp C.txt de_DE.UTF-8.txt'
finish
