# entropic predict: its output, columns by name and by position, unusual values, unusual names, pipes, unusual models.
set -u
. "$ENTROPIC_SOURCE/tests/_tap.sh"
. "$ENTROPIC_SOURCE/tests/cli/_ends.sh"
python=${PYTHON:-/usr/bin/python3}
fixed="--omega 1 --lambda 1e-3 --quiet"

"$ENTROPIC" generate friedman1 --rows 500 -o data.csv
"$ENTROPIC" generate friedman1 --rows 200 --seed 2 -o new.csv
"$ENTROPIC" fit data.csv --target y --features 100 $fixed || exit 1
"$ENTROPIC" predict data.entropic new.csv -o out.csv 2>err
check "a summary for people" grep -qE '^entropic predict: notice: 200 rows, [0-9.]+ s$' err
check "a header and a line a row" eval '[ "$(head -n 1 out.csv)" = prediction ] && [ "$(wc -l <out.csv)" -eq 201 ]'
check "the predictions are good" eval 'paste -d , out.csv new.csv | awk -F , "NR > 1 { e = \$1 - \$12; s += e * e; v += (\$12 - 14.4)^2 } END { print s / v; exit !(s / v <= 0.1) }"'

# alike MODEL DATA OPTIONS...: the same predictions.
alike() {
  "$ENTROPIC" predict "$@" --quiet >alike.csv 2>err && cmp alike.csv out.csv && [ ! -s err ]
}
check "on standard output" alike data.entropic new.csv
check "standard output by name" alike data.entropic new.csv -o -
check "from a pipe" eval 'alike data.entropic - <new.csv'
check "the model from a pipe" eval 'alike - new.csv <data.entropic'
check "gzipped" eval 'gzip -k new.csv && alike data.entropic new.csv.gz'
for threads in 1 2 4 8; do
  check "the same bytes with $threads threads" alike data.entropic new.csv --threads $threads
done
check "columns in another order, among others" eval \
  'awk -F , "BEGIN { OFS = FS } { print \$10, \$11, NR == 1 ? \"more\" : \"text\", \$9, \$8, \$7, \$6, \$5, \$4, \$3, \$2, \$1 }" new.csv >turned.csv && alike data.entropic turned.csv'
check "without a header, by place" eval 'tail -n +2 new.csv | cut -d , -f 1-10 >bare.csv && alike data.entropic bare.csv'
check "--header no" alike data.entropic bare.csv --header no
check "read as told" eval 'tr , ";" <new.csv >semi.txt && alike data.entropic semi.txt --delimiter semicolon --header yes --format text --decimal . --quote none --comment none --missing x'
# marks: a model reads the marks of missing values that it was fitted with, unless others are given.
marks() {
  awk -F , 'BEGIN { OFS = FS } NR > 1 && NR % 7 == 0 { $2 = "" } { print }' data.csv >gaps.csv
  awk -F , 'BEGIN { OFS = FS } NR > 1 && NR % 7 == 0 { $2 = "-999" } { print }' data.csv >marked.csv
  "$ENTROPIC" fit gaps.csv --target y --features 50 $fixed && "$ENTROPIC" fit marked.csv --target y --features 50 --missing -999 $fixed &&
    ! cmp -s gaps.entropic marked.entropic && "$ENTROPIC" predict gaps.entropic gaps.csv >a --quiet &&
    "$ENTROPIC" predict marked.entropic marked.csv --quiet | cmp - a && "$ENTROPIC" predict marked.entropic gaps.csv --quiet | cmp - a &&
    "$ENTROPIC" predict marked.entropic marked.csv --missing=-999,none --quiet | cmp - a &&
    ! "$ENTROPIC" predict marked.entropic marked.csv --missing none --quiet | cmp -s - a &&
    "$ENTROPIC" score gaps.entropic gaps.csv --quiet >b && "$ENTROPIC" score marked.entropic marked.csv --quiet | cmp - b
}
check "marks of missing values are kept" marks
check "rows do not depend on each other" eval 'head -n 8 new.csv >few.csv && "$ENTROPIC" predict data.entropic few.csv | cmp - <(head -n 8 out.csv)'
head -n 1 new.csv >none.csv
check "no rows" ends 2 'none.csv has no rows' predict data.entropic none.csv -o none.out
check "and no file" test ! -e none.out
long() {
  "$ENTROPIC" generate friedman1 --rows 30000 --seed 2 | "$ENTROPIC" predict data.entropic - >long.csv && [ "$(wc -l <long.csv)" -eq 30001 ] &&
    head -n 201 long.csv | cmp - out.csv
}
check "many blocks" long
# Blocks are written in parts, by threads that end in any order.
many_columns() {
  local columns="--effects --with y,x1 --quiet" threads
  "$ENTROPIC" generate friedman1 --rows 20000 --seed 2 -o columns.csv && "$ENTROPIC" predict data.entropic columns.csv $columns --threads 1 -o one.csv &&
    [ "$(wc -l <one.csv)" -eq 20001 ] && cut -d , -f 1,2 one.csv | cmp - <(awk -F , 'BEGIN { OFS = FS } { print $11, $1 }' columns.csv) &&
    head -n 201 one.csv | cut -d , -f 3 | cmp - out.csv || return 1
  for threads in 2 3 5 8; do
    "$ENTROPIC" predict data.entropic columns.csv $columns --threads $threads | cmp - one.csv || return 1
  done
}
check "many columns, by any number of threads" many_columns
memory() {
  "$ENTROPIC" generate friedman1 --rows 20000 -o short.csv && "$ENTROPIC" generate friedman1 --rows 300000 -o tall.csv && "$python" - <<'PYTHON'
import os, resource, subprocess
peak = []
for name in ("short.csv", "tall.csv"):
    subprocess.run([os.environ["ENTROPIC"], "predict", "data.entropic", name, "-o", "peak.csv", "--quiet"], check=True)
    peak.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
print(peak)
assert peak[1] <= 1.5 * peak[0]
PYTHON
}
check "memory does not grow with the rows" memory

# Unusual values
printf 'x1,x2,x3,x4,x5,x6,x7,x8,x9,x10\n5,,NA,.5,.5,.5,.5,.5,.5,.5\n-1,.5,.5,.5,.5,.5,.5,.5,.5,.5\n' >odd.csv
odd() {
  "$ENTROPIC" predict data.entropic odd.csv >odd.out 2>err && cat odd.out err && [ "$(wc -l <odd.out)" -eq 3 ] && ! grep -qi nan odd.out &&
    grep -q 'notice: 2 values beyond the range learnt from (they count as its end), 2 missing values$' err
}
check "values beyond the range, and missing ones" odd
beyond() {
  local top=$(tail -n +2 data.csv | cut -d , -f 1 | sort -g | tail -n 1) x
  { head -n 1 new.csv; for x in 9 "$top" 0.5; do echo "$x,.5,.5,.5,.5,.5,.5,.5,.5,.5,0"; done; } >ends.csv
  "$ENTROPIC" fit data.csv --target y --features 100 --scale minmax $fixed -o range.entropic &&
    "$ENTROPIC" predict range.entropic ends.csv --quiet >ends.out && cat ends.out && [ "$(wc -l <ends.out)" -eq 4 ] &&
    "$python" -c 'import sys; a, b, c = map(float, sys.argv[1:]); assert abs(a - b) < 0.01 < abs(b - c)' $(tail -n +2 ends.out) # the end is rounded outward
}
check "a value beyond counts as the end" beyond
summary() {
  "$ENTROPIC" predict data.entropic odd.csv --json -o j.csv >j.json 2>err && cat j.json err && "$python" -c '
import json
j = json.load(open("j.json"))
assert {k: j[k] for k in ("rows", "outside", "unseen", "missing")} == {"rows": 2, "outside": 2, "unseen": 0, "missing": 2} and j["seconds"] >= 0' && cmp j.csv odd.out
}
check "--json" summary

# Classes, with names that need quotes
awk -F , 'BEGIN { OFS = "," } NR == 1 { print "a", "colour", "\"class, by name\"" } NR > 1 { c = int($2 * 3)
  print $1, substr("redtanblu", 3 * c + 1, 3), ($1 < 0.3 ? "\"one, \"\"1\"\"\"" : $1 < 0.6 + c / 9 ? "two" : " three ") }' data.csv >class.csv
"$ENTROPIC" fit class.csv --target 3 --features 60 $fixed || exit 1
classes() {
  "$ENTROPIC" predict class.entropic class.csv --proba -o proba.csv --quiet && "$ENTROPIC" predict class.entropic class.csv -o plain.csv --quiet &&
    "$python" - <<'PYTHON'
import csv
data = list(csv.reader(open("class.csv")))[1:]
proba, plain = (list(csv.reader(open(name))) for name in ("proba.csv", "plain.csv"))
head = proba[0]
assert plain[0] == ["prediction"] and head[0] == "prediction" and all(h.startswith("p_") for h in head[1:]) and len(head) == 4, head
classes = [h[2:] for h in head[1:]]
assert classes == sorted(classes, key=str.encode) and "one, \"1\"" in classes and "two" in classes
right = 0
assert len(proba) == len(plain) == len(data) + 1
for row, only, truth in zip(proba[1:], plain[1:], data):
    p = [float(v) for v in row[1:]]
    assert abs(sum(p) - 1) <= 1e-12 and min(p) >= 0
    assert row[0] == only[0] == classes[p.index(max(p))]
    right += row[0].strip() == truth[2].strip()
assert right >= 0.85 * len(data), right
PYTHON
}
check "--proba, and names in quotes" classes
unseen() {
  printf 'a,colour\n.5,green\n.5,\n.2,red\n' | "$ENTROPIC" predict class.entropic - >u.csv 2>err && cat u.csv err && [ "$(wc -l <u.csv)" -eq 4 ] &&
    grep -q 'notice: 1 value of a category never seen, 1 missing value$' err
}
check "a category never seen" unseen
check "--proba for numbers" ends 1 '--proba needs a model of classes' predict data.entropic new.csv --proba

# Several targets
several() {
  awk -F , 'NR == 1 { print $0 ",\"y, too\"" } NR > 1 { printf "%s,%.17g\n", $0, 2 * $11 + 1 }' data.csv >two.csv
  "$ENTROPIC" fit two.csv --target '11,12' --features 50 $fixed && "$ENTROPIC" predict two.entropic two.csv >two.out && head -n 3 two.out &&
    [ "$(head -n 1 two.out)" = 'prediction_y,"prediction_y, too"' ] &&
    awk -F , 'NR > 1 { e = 2 * $1 + 1 - $2; if (!(e * e <= 1e-12)) bad = 1 } END { exit bad || NR != 501 }' two.out &&
    "$ENTROPIC" fit data.csv --target y --features 50 $fixed -o one.entropic && "$ENTROPIC" predict one.entropic two.csv >one.out &&
    paste -d , one.out two.out | awk -F , 'NR > 1 { e = $1 - $2; if (!(e * e <= 1e-16)) bad = 1 } END { exit bad || NR != 501 }'
}
check "several targets" several

"$ENTROPIC" fit data.csv --target y --features 100 $fixed --select entropy -o plain.entropic && "$ENTROPIC" predict plain.entropic new.csv >plain.csv
# Solvers agree; with many features the model tends to that of the exact kernel.
solvers() {
  "$ENTROPIC" fit data.csv --target y --features 100 $fixed --select entropy --solver "$1" -o s.entropic && "$ENTROPIC" predict s.entropic new.csv >s.csv &&
    paste -d , s.csv plain.csv | awk -F , -v most="$2" 'NR > 1 { e = $1 - $2; if (!(e * e <= most * most)) bad = 1 } END { exit bad || NR != 201 }'
}
check "--solver direct" solvers direct 1e-6
check "--solver dual" solvers dual 1e-6
check "--solver iterative" solvers iterative 1e-3
exact() {
  printf 'a,y\n' >line.csv && seq 0 50 | awk '{ print $1 / 50 "," sin($1 / 8) }' >>line.csv
  "$ENTROPIC" fit line.csv --target y --solver exact $fixed -o exact.entropic && "$ENTROPIC" fit line.csv --target y --features 4000 $fixed --select entropy -o line.entropic &&
    "$ENTROPIC" predict exact.entropic line.csv >e.csv && "$ENTROPIC" predict line.entropic line.csv >f.csv &&
    paste -d , e.csv f.csv | awk -F , 'NR > 1 { e = $1 - $2; if (!(e * e <= 1e-6)) bad = 1 } END { exit bad || NR != 52 }'
}
check "the exact kernel" exact

# Wrong use, wrong files
# Unused inputs may be missing, or hold anything
awk -F , 'BEGIN { OFS = FS } NR == 1 { print $0, "colour" } NR > 1 { print $0, substr("redtanblu", 3 * (NR % 3) + 1, 3) }' data.csv >wide.csv
awk -F , 'BEGIN { OFS = FS } NR == 1 { print $0, "colour" } NR > 1 { print $0, "red" }' new.csv >wide-new.csv
fewer() {
  "$ENTROPIC" fit wide.csv --target y --features 4 --ensemble 1 $fixed -o few.entropic --json >few.json && "$ENTROPIC" info few.entropic --json >info.json &&
    "$ENTROPIC" info few.entropic && "$python" - <<'PYTHON'
import csv, json
fit, info = json.load(open("few.json")), json.load(open("info.json"))
used = fit["inputs_used"]
assert used == info["inputs_used"] and fit["inputs"] == info["inputs"] == 11 and 0 < len(used) <= 8 and "colour" not in used
assert [c["name"] for c in info["columns"] if c["used"]] == used and [c["type"] for c in info["columns"]] == 10 * ["number"] + ["category"]
y = [float(row["y"]) for row in csv.DictReader(open("wide.csv"))]
half = 0.5 * (max(y) - min(y))
assert fit["range"] == info["range"] and all(0 <= d <= 0.02 * half for d in (min(y) - half - fit["range"][0][0], fit["range"][0][1] - max(y) - half))
rows = list(csv.DictReader(open("wide-new.csv")))
with open("narrow.csv", "w") as out:
    out.write("\n".join(",".join(line) for line in [used[::-1]] + [[row[name] for name in used[::-1]] for row in rows]) + "\n")
with open("odd.csv", "w") as out:
    names = [c["name"] for c in info["columns"]]
    out.write("\n".join(",".join(line) for line in [names] + [[row[n] if n in used else "inf" for n in names] for row in rows]) + "\n")
with open("lost.csv", "w") as out:
    out.write("\n".join(",".join(line) for line in [names[1:]] + [[row[n] for n in names if n != used[0]] for row in rows]) + "\n"
              if used[0] == names[0] else "")
PYTHON
}
check "fit and info tell which inputs are used, and the range" fewer
"$ENTROPIC" predict few.entropic wide-new.csv --quiet -o out.csv
check "without the columns that are not used" alike few.entropic narrow.csv
check "with anything there" alike few.entropic odd.csv
check "without names all columns count" eval 'tail -n +2 odd.csv >bare.csv && alike few.entropic bare.csv'
check "nothing is said of what is not used" eval '"$ENTROPIC" predict few.entropic odd.csv >few.out 2>err && ! grep -q missing err && cmp few.out out.csv'
check "a column that is used" ends 2 'lost.csv: no column x1, which is an input of the model' predict few.entropic lost.csv
check "score asks for no others" eval 'paste -d , narrow.csv <(cut -d , -f 11 wide-new.csv) >narrow-y.csv && "$ENTROPIC" score few.entropic narrow-y.csv >a && "$ENTROPIC" score few.entropic wide-new.csv >b && cmp a b'

check "no model" ends 1 'MODEL is required; usage: entropic predict MODEL DATA' predict
check "no data" ends 1 'DATA is required; usage: entropic predict MODEL DATA' predict data.entropic
check "a word behind the data" ends 1 'unexpected argument nowhere.csv' predict data.entropic new.csv nowhere.csv
check "json and predictions" ends 1 '--json needs -o OUT' predict data.entropic new.csv --json
check "both from standard input" ends 1 'both come from standard input' predict - -
cp new.csv kept.csv && cp data.entropic kept.entropic
check "predictions over the data" ends 1 'the predictions would replace DATA' predict data.entropic kept.csv -o kept.csv
check "predictions over the model" ends 1 'the predictions would replace MODEL' predict kept.entropic new.csv -o kept.entropic
check "both are still there" eval 'cmp kept.csv new.csv && cmp kept.entropic data.entropic'
check "no such model" ends 2 'missing.entropic: No such file' predict missing.entropic new.csv
check "a folder as model" ends 2 'folder' predict . new.csv
check "no such data" ends 2 'missing.csv: No such file' predict data.entropic missing.csv
check "a table as model" ends 2 'new.csv' predict new.csv new.csv
check "a model as data" ends 2 'data.entropic is a model of Entropic, expected delimited text' predict data.entropic data.entropic
cut -d , -f 1-2,4-11 new.csv >cut.csv
check "a column is missing" ends 2 'cut.csv.*x3' predict data.entropic cut.csv
sed '4s/,[^,]*,/,oops,/' new.csv >bad.csv
check "an unwritable place" ends 3 'nowhere' predict data.entropic new.csv -o nowhere/out.csv
check "text where a number belongs, with line and column" ends 2 'bad.csv.*line 4, column 2.*oops' predict data.entropic bad.csv -o bad.out
check "a full disk" eval '"$ENTROPIC" predict data.entropic new.csv >/dev/full 2>err; [ $? -eq 3 ] && grep -qi "no space" err'
check "a reader that goes away" eval '{ "$ENTROPIC" generate friedman1 --rows 100000 | "$ENTROPIC" predict data.entropic - 2>err; echo ${PIPESTATUS[1]} >status; } | head -n 1 >first; [ "$(cat status)" = 141 ] && [ ! -s err ]'
finish
