# entropic score: its output equals the errors computed here from the predictions.
set -u
. "$ENTROPIC_SOURCE/tests/_tap.sh"
. "$ENTROPIC_SOURCE/tests/cli/_ends.sh"
python=${PYTHON:-/usr/bin/python3}
fixed="--omega 1 --lambda 1e-3 --quiet"

"$ENTROPIC" generate friedman1 --rows 600 --noise 1 -o data.csv
"$ENTROPIC" generate friedman1 --rows 400 --seed 2 | awk -F , 'NR == 1 { print $0 ",w" } NR > 1 { print $0 "," NR % 3 + 0.5 }' >new.csv
"$ENTROPIC" fit data.csv --target y --features 100 $fixed || exit 1

text() {
  "$ENTROPIC" score data.entropic new.csv >out 2>err && cat out err && grep -qE '^entropic score: notice: [0-9]+ values beyond the range' err && [ "$(wc -l <err)" -eq 1 ] &&
    [ "$(cut -f 1 out | tr '\n' ' ')" = 'rows task rmse mae r2 ' ] && [ "$(sed -n 1,2p out)" = $'rows\t400\ntask\tregression' ]
}
check "lines" text

# recomputed OPTIONS...: the same numbers, from predictions.
recomputed() {
  "$ENTROPIC" predict data.entropic new.csv --quiet >p.csv && "$ENTROPIC" score data.entropic new.csv --json "$@" >s.json && cat s.json &&
    "$python" - "$@" <<'PYTHON'
import csv, json, math, sys
s = json.load(open("s.json"))
rows = list(csv.DictReader(open("new.csv")))
p = [float(r["prediction"]) for r in csv.DictReader(open("p.csv"))]
y = [float(r["y"]) for r in rows]
w = [float(r["w"]) if "--weights" in sys.argv else 1 for r in rows]
total = sum(w)
mean = sum(a * b for a, b in zip(w, y)) / total
square = sum(a * (b - c) ** 2 for a, b, c in zip(w, y, p)) / total
assert list(s)[:5] == ["rows", "task", "rmse", "mae", "r2"] and s["rows"] == 400 and s["task"] == "regression"
assert abs(s["rmse"] - math.sqrt(square)) <= 1e-9 and s["rmse"] < 1.2
assert abs(s["mae"] - sum(a * abs(b - c) for a, b, c in zip(w, y, p)) / total) <= 1e-9
assert abs(s["r2"] - (1 - square * total / sum(a * (b - mean) ** 2 for a, b in zip(w, y)))) <= 1e-9 and s["r2"] > 0.9
assert "error" not in s
PYTHON
}
check "numbers, computed anew" recomputed
check "numbers with weights, computed anew" recomputed --weights w
check "weights make a difference" eval '! cmp -s <("$ENTROPIC" score data.entropic new.csv) <("$ENTROPIC" score data.entropic new.csv --weights w)'

# Classes: three by name, and two.
awk -F , 'BEGIN { OFS = "," } NR == 1 { print "a,b,class,two" } NR > 1 { s = $1 + $2 + $11 / 50
  print $1, $2, (s < 0.9 ? "low" : s < 1.4 ? "mid" : "high"), (s > 1.2) }' data.csv >class.csv
"$ENTROPIC" fit class.csv --target class --ignore two --features 60 $fixed || exit 1
"$ENTROPIC" fit class.csv --target two --ignore class --features 60 $fixed --loss logistic -o two.entropic || exit 1
"$ENTROPIC" fit class.csv --target two --ignore class --features 60 $fixed --loss squared -o square.entropic || exit 1
"$ENTROPIC" fit class.csv --target class --ignore two --features 60 $fixed --loss hinge -o hinge.entropic || exit 1
"$ENTROPIC" fit class.csv --target two --ignore class --features 60 $fixed --loss hinge -o hinge2.entropic || exit 1
classes() {
  "$ENTROPIC" predict "$1" class.csv --proba --quiet >p.csv && "$ENTROPIC" score "$1" class.csv --json --quiet >s.json && cat s.json &&
    "$python" - "$2" <<'PYTHON'
import csv, json, math, sys
s = json.load(open("s.json"))
truth = [r[sys.argv[1]] for r in csv.DictReader(open("class.csv"))]
rows = list(csv.DictReader(open("p.csv")))
names = [h[2:] for h in rows[0] if h.startswith("p_")]
assert list(s)[:6] == ["rows", "task", "error", "accuracy", "logloss", "auc"] and s["task"] == "classification" and s["rows"] == 600
wrong = sum(r["prediction"] != t for r, t in zip(rows, truth)) / len(truth)
assert abs(s["error"] - wrong) <= 1e-12 and abs(s["accuracy"] + wrong - 1) <= 1e-12 and wrong < 0.2
loss = -sum(math.log(float(r["p_" + t])) for r, t in zip(rows, truth)) / len(truth)
assert abs(s["logloss"] - loss) <= 1e-6, (s["logloss"], loss)

def area(scores, right):
    ins = [a for a, b in zip(scores, right) if b]
    out = [a for a, b in zip(scores, right) if not b]
    return sum((a > b) + (a == b) / 2 for a in ins for b in out) / (len(ins) * len(out))

wanted = names if len(names) > 2 else names[1:]
auc = sum(area([float(r["p_" + n]) for r in rows], [t == n for t in truth]) for n in wanted) / len(wanted)
assert abs(s["auc"] - auc) <= 1e-9 and auc > 0.9, (s["auc"], auc)
assert "rmse" not in s
PYTHON
}
check "three classes, computed anew" classes class.entropic class
check "two classes, logistic, computed anew" classes two.entropic two
check "two classes, squared, computed anew" classes square.entropic two
check "three classes, hinge, computed anew" classes hinge.entropic class
check "two classes, hinge, computed anew" classes hinge2.entropic two
check "info of a hinge model" test "$("$ENTROPIC" info hinge.entropic --json | "$python" -c 'import json, sys; print(json.load(sys.stdin)["loss"])')" = hinge
check "hinge and squared differ" eval '! cmp -s <("$ENTROPIC" predict hinge2.entropic class.csv --proba --quiet) <("$ENTROPIC" predict square.entropic class.csv --proba --quiet)'
check "lines for classes" eval '[ "$("$ENTROPIC" score two.entropic class.csv | cut -f 1 | tr "\n" " ")" = "rows task error accuracy logloss auc " ]'
one_class() {
  awk -F , 'NR == 1 || $4 == 1' class.csv >ones.csv && "$ENTROPIC" score two.entropic ones.csv --json | "$python" -c '
import json, sys
s = json.load(sys.stdin)
assert s["auc"] is None and 0 <= s["error"] <= 1' && "$ENTROPIC" score two.entropic ones.csv | grep -qx $'auc\tnan'
}
check "no area where one class is all there is" one_class

several() {
  awk -F , 'NR == 1 { print $0 ",z" } NR > 1 { printf "%s,%.17g\n", $0, -$11 }' data.csv >pair.csv
  "$ENTROPIC" fit pair.csv --target y,z --features 50 $fixed && "$ENTROPIC" score pair.entropic pair.csv >a && cat a &&
    "$ENTROPIC" fit pair.csv --target y --ignore z --features 50 $fixed -o single.entropic && "$ENTROPIC" score single.entropic pair.csv >b && cat b &&
    paste a b | awk -F '\t' 'NR > 2 { e = $2 - $4; if (!(e * e <= 1e-16)) bad = 1 } END { exit bad || NR != 5 }'
}
check "several targets: the mean of each" several

gaps() {
  awk -F , 'BEGIN { OFS = "," } NR == 3 || NR == 7 { $11 = "" } NR == 9 { $1 = "" } { print }' new.csv >gaps.csv
  "$ENTROPIC" score data.entropic gaps.csv >a 2>err && cat a err && grep -q $'^rows\t398$' a && grep -q 'notice: 2 rows without a target left out$' err &&
    grep -q 'notice: .*1 missing value$' err && "$ENTROPIC" score data.entropic gaps.csv --quiet 2>err >b && [ ! -s err ] && cmp a b &&
    "$ENTROPIC" score data.entropic gaps.csv --json --quiet | grep -q '"dropped_rows": 2'
}
check "rows without a target" gaps
for threads in 1 2 4 8; do
  check "the same with $threads threads" eval '"$ENTROPIC" score data.entropic new.csv --threads $threads | cmp - out'
done
check "from a pipe" eval '"$ENTROPIC" score data.entropic - <new.csv | cmp - out'
check "the model from a pipe" eval '"$ENTROPIC" score - new.csv <data.entropic | cmp - out'
check "read as told" eval 'tr , "|" <new.csv >pipes.txt && "$ENTROPIC" score data.entropic pipes.txt --delimiter pipe --header yes --format text --decimal point --quote none \
  --comment none --missing x | cmp - out'
check "LIBSVM text" eval '"$ENTROPIC" features data.csv --target y --features 30 --quiet -o rows.libsvm && "$ENTROPIC" fit rows.libsvm --features 30 $fixed &&
  "$ENTROPIC" score rows.entropic rows.libsvm | grep -qx "rows	600"'
# indices AWK OPTIONS...: rows with other indices give the same result with the options, and are refused without.
indices() {
  awk "$1" rows.libsvm >other.libsvm && shift && ! cmp -s rows.libsvm other.libsvm && ends 2 'other.libsvm, line 1, entry [23]: found .* an option' \
    fit other.libsvm --features 30 $fixed && "$ENTROPIC" fit other.libsvm --features 30 $fixed "$@" && cmp other.entropic rows.entropic &&
    ends 2 ' an option' score rows.entropic other.libsvm &&
    "$ENTROPIC" score rows.entropic other.libsvm "$@" | cmp - <("$ENTROPIC" score rows.entropic rows.libsvm)
}
check "LIBSVM text with indices from zero" indices '{ for (i = 2; i <= NF; i++) { split($i, p, ":"); $i = p[1] - 1 ":" p[2] } } 1' --from-zero
check "LIBSVM text with indices in any order" indices '{ a = $2; $2 = $NF; $NF = a } 1' --any-order
check "a good model with no options at all" eval '"$ENTROPIC" fit data.csv --target y --quiet -o auto.entropic &&
  "$ENTROPIC" score auto.entropic new.csv --json | "$python" -c "import json, sys; s = json.load(sys.stdin); print(s); assert s[\"r2\"] > 0.95"'

check "no data" ends 1 'DATA is required; usage: entropic score MODEL DATA' score data.entropic
check "both from standard input" ends 1 'both come from standard input' score - -
check "no such column of weights" ends 1 'no column v' score data.entropic new.csv --weights v
check "no such model" ends 2 'missing.entropic: No such file' score missing.entropic new.csv
check "no such data" ends 2 'missing.csv: No such file' score data.entropic missing.csv
cut -d , -f 1-10 new.csv >inputs.csv
check "no target" ends 2 'inputs.csv.*y' score data.entropic inputs.csv
tail -n +2 new.csv >bare.csv
check "no header" ends 2 "bare.csv has no names and 12 columns, expected a header that names the model's 10 inputs and target$" score data.entropic bare.csv
sed 's/high/huge/' class.csv >huge.csv
check "a class that is not known" ends 2 'huge' score class.entropic huge.csv
unknown_in_a_pipe() {
  "$ENTROPIC" score class.entropic - <huge.csv 2>err
  [ $? -eq 2 ] && cat err && grep -q "^entropic score: standard input, line [0-9]*, column .*found 'huge'" err
}
check "a class that is not known, in a pipe" unknown_in_a_pipe
awk -F , 'BEGIN { OFS = "," } NR > 1 { $11 = "" } { print }' new.csv >blank.csv
check "no row has a target" ends 2 'blank.csv' score data.entropic blank.csv
check "a full disk" eval '"$ENTROPIC" score data.entropic new.csv >/dev/full 2>err; [ $? -eq 3 ] && grep -qi "no space" err'
finish
