# entropic fit on tables with copies of columns: they are dropped, with a notice, and change no bit of the predictions.
set -u
. "$ENTROPIC_SOURCE/tests/_tap.sh"
. "$ENTROPIC_SOURCE/tests/cli/_ends.sh"
python=${PYTHON:-/usr/bin/python3}

"$ENTROPIC" generate friedman1 --rows 300 --noise 1 | awk -F , 'BEGIN { OFS = "," } NR == 1 { print "a,b,c,kind,y"; next }
  { print $1, (NR % 17 ? $2 : ""), $4, (NR % 29 ? substr("redtanblu", 3 * int($3 * 3) + 1, 3) : ""), $11 }' >plain.csv
# A copy of every input; two of the copies are between other columns.
awk -F , 'BEGIN { OFS = "," } NR == 1 { print "a,b,b2,c,kind,kind2,a2,c2,y"; next } { print $1, $2, $2, $3, $4, $4, $1, $3, $5 }' plain.csv >twice.csv
sed '1s/b,b2/first,b/' twice.csv >renamed.csv
"$ENTROPIC" fit plain.csv --features 20 --target y --quiet || exit 1
"$ENTROPIC" fit twice.csv --features 20 --target y 2>err || exit 1
check "a notice" grep -qF 'notice: 4 inputs dropped, copies of other inputs: b2 (of b), kind2 (of kind), a2 (of a), c2 (of c)' err
check "a line of the summary" grep -qE '^ignored +b2 \(copy of b\), kind2 \(copy of kind\), a2 \(copy of a\), c2 \(copy of c\)$' err
check "the inputs that are left" grep -qE '^inputs +4, (all|[0-9]+) used' err
check "the same model" cmp plain.entropic twice.entropic

# alike DATA: both models have the same predictions and scores on this table.
alike() {
  "$ENTROPIC" predict plain.entropic plain.csv --quiet >expected && "$ENTROPIC" predict twice.entropic "$1" --quiet | cmp - expected &&
    "$ENTROPIC" score plain.entropic plain.csv --json >expected && "$ENTROPIC" score twice.entropic "$1" --json | cmp - expected
}
check "rows without the copies" alike plain.csv
check "rows with the copies" alike twice.csv
awk -F , 'BEGIN { OFS = "," } NR > 1 { $3 = $8 = "?" } 1' twice.csv >other.csv
check "rows with something else in their place" alike other.csv
check "the first stays, whatever its name" eval '"$ENTROPIC" fit renamed.csv --features 20 --target y -o r.entropic 2>err && grep -qF "b (of first)" err'
check "rows of --valid without the copies" eval '"$ENTROPIC" fit twice.csv --features 20 --valid plain.csv --target y -o v.entropic --quiet &&
  "$ENTROPIC" fit plain.csv --features 20 --valid plain.csv --target y -o w.entropic --quiet && cmp v.entropic w.entropic'
check "long lists are cut short" eval '"$ENTROPIC" fit <(paste -d , twice.csv <(cut -d , -f 1,2,4 plain.csv | sed 1s/.*/p,q,r/)) --target y --features 20 -o l.entropic 2>err &&
  cat err && grep -qF "7 inputs dropped, copies of other inputs: b2 (of b), kind2 (of kind), a2 (of a), c2 (of c), p (of a) and 2 more" err'

json() {
  "$ENTROPIC" fit twice.csv --features 20 --target y --ignore c --json --quiet -o j.entropic >j.json 2>err && [ ! -s err ] && "$python" -c '
import json
aside = json.load(open("j.json"))["set_aside"]
assert aside == [{"name": "b2", "why": "copy", "of": "b"}, {"name": "kind2", "why": "copy", "of": "kind"},
                 {"name": "a2", "why": "copy", "of": "a"}, {"name": "c", "why": "asked"}], aside'
}
check "--json; what is ignored has no copies" json

# Classes; categories that are numbers.
classes() {
  awk -F , 'BEGIN { OFS = "," } { print (NR == 1 ? "n" : int(7 * $1)), $2, (NR == 1 ? "class" : $5 > 14 ? "high" : "low") }' plain.csv >classes.csv
  awk -F , 'BEGIN { OFS = "," } { print $1, $2, (NR == 1 ? "m" : $1), $3 }' classes.csv >again.csv
  "$ENTROPIC" fit classes.csv --features 20 --target class --categorical n --quiet -o one.entropic &&
    "$ENTROPIC" fit again.csv --features 20 --target class --categorical n,m --quiet -o two.entropic && cmp one.entropic two.entropic &&
    "$ENTROPIC" fit again.csv --features 20 --target class --categorical n -o three.entropic 2>err && ! grep -q "inputs* dropped" err
}
check "categories: as such they are copies, numbers beside them are not" classes

# Other formats.
"$python" - <<'PYTHON'
import numpy as np
r = np.random.RandomState(1)
x = r.rand(200, 3)
x[x < 0.2] = 0
y = x[:, 0] + 2 * x[:, 1] * x[:, 2] + 0.1 * r.randn(200)
both = np.hstack([x, x])
np.save("plain.npy", np.column_stack([x, y]))
np.save("twice.npy", np.column_stack([both, y]))
np.save("rows.npy", x)
np.save("more.npy", both)
for name, values in ("plain", x), ("twice", both):
    with open(name + ".libsvm", "w") as out:
        for row, label in zip(values, y):
            out.write("%r %s\n" % (float(label), " ".join("%d:%r" % (i + 1, float(v)) for i, v in enumerate(row) if v)))
PYTHON
libsvm() {
  "$ENTROPIC" fit plain.libsvm --features 20 --quiet -o s1.entropic && "$ENTROPIC" fit twice.libsvm --features 20 -o s2.entropic 2>err && cat err && cmp s1.entropic s2.entropic &&
    grep -qF '3 inputs dropped, copies of other inputs: x4 (of x1), x5 (of x2), x6 (of x3)' err &&
    "$ENTROPIC" predict s2.entropic plain.libsvm --quiet >p1 && "$ENTROPIC" predict s2.entropic twice.libsvm --quiet | cmp - p1
}
check "LIBSVM text" libsvm
npy() {
  "$ENTROPIC" fit plain.npy --features 20 --target 4 --quiet -o n1.entropic && "$ENTROPIC" fit twice.npy --features 20 --target 7 -o n2.entropic 2>err && cat err &&
    grep -qF '3 inputs dropped, copies of other inputs: x4 (of x1), x5 (of x2), x6 (of x3)' err &&
    "$ENTROPIC" predict n1.entropic rows.npy --quiet >p1 && "$ENTROPIC" predict n2.entropic rows.npy --quiet | cmp - p1 &&
    "$ENTROPIC" predict n2.entropic more.npy --quiet | cmp - p1
}
check "NumPy arrays" npy
finish
