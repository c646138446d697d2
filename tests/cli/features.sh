# entropic features: options, columns, formats, notices, determinism. kernel_matrix.py checks the numbers.
set -u
. "$ENTROPIC_SOURCE/tests/_tap.sh"
python=${PYTHON:-/usr/bin/python3}

"$ENTROPIC" generate friedman1 --rows 3000 -o data.csv
"$ENTROPIC" features data.csv --target y -o out.libsvm 2>err
check "a summary for people on standard error" grep -q '^entropic features: notice: 3000 rows, 10 inputs, 200 features, ' err
check "labels are the target" cmp <(cut -d ' ' -f 1 out.libsvm) <(tail -n +2 data.csv | cut -d , -f 11)
check "one line a row" test "$(wc -l <out.libsvm)" -eq 3000
check "indices ascend from 1 to 200, values are not 0" awk '{ last = 0
  for (i = 2; i <= NF; i++) { split($i, p, ":"); if (p[1] <= last || p[1] > 200 || p[2] + 0 == 0) bad = 1; last = p[1]; if (last > top) top = last } }
  END { exit bad || top != 200 }' out.libsvm

# alike ARGUMENTS...: the output equals out.libsvm.
alike() {
  "$ENTROPIC" features "$@" >alike.libsvm && cmp alike.libsvm out.libsvm
}
check "defaults spelt out" alike data.csv --target y --kernel centred --omega 1 --features 200 --basis full \
  --criterion l2 --smooth 0 --max-level 16 --scale quantile
check "auto is the default" alike data.csv --target=y --omega auto --features auto --max-level auto
check "a list of equal omegas" alike data.csv --target y --omega 1,1,1,1,1,1,1,1,1,1
check "a number of features with an exponent" alike data.csv --target y --features 2e2 --max-level 1.6e1
check "the target by number" alike data.csv --target 11
for threads in 1 2 8; do
  check "the same bytes with $threads threads" alike data.csv --target y --threads $threads
done

npz_threads() {
  "$ENTROPIC" features data.csv --target y --threads 1 -o one.npz --quiet &&
    "$ENTROPIC" features data.csv --target y --threads "$1" -o many.npz --quiet && cmp one.npz many.npz
}
check "the same npz with 2 threads" npz_threads 2
check "the same npz with 8 threads" npz_threads 8

columns() {
  cut -d , -f 2-3,5-10 data.csv >cut.csv && "$ENTROPIC" features cut.csv >a &&
    "$ENTROPIC" features data.csv --ignore x1,4,y >b && cmp a b && [ "$(cut -d ' ' -f 1 a | sort -u)" = 0 ]
}
check "columns left out by name and number, label 0 without a target" columns

ignored() {
  "$ENTROPIC" features data.csv --quiet "$@" >c && cmp b c
}
check "blanks in a list of columns" ignored --ignore ' x1, 4 ,y'
check "a name that ends with a blank" eval \
  'printf "a,\"b \"\n1,2\n" | "$ENTROPIC" features - --quiet --ignore "b " --features 3 >/dev/null'
check "--ignore adds up" ignored --ignore x1 --ignore 4 --ignore=y
check "blanks in a list of omegas" alike data.csv --target y --omega '1, 1,1 ,1,1,1,1,1,1, 1'

no_header() {
  tail -n +2 data.csv >bare.csv && "$ENTROPIC" features bare.csv --target 11 >a && cmp a out.libsvm &&
    "$ENTROPIC" features bare.csv --target x11 >a && cmp a out.libsvm
}
check "a table without a header" no_header

# Another dialect, with the options that describe it.
rewritten() {
  local edit=$1
  shift
  sed "$edit" data.csv >other.txt && "$ENTROPIC" features other.txt --target y "$@" >other.libsvm && cmp other.libsvm out.libsvm
}
check "--delimiter semicolon" rewritten 's/,/;/g' --delimiter semicolon --header yes
check "--delimiter as a character" rewritten 's/,/;/g' '--delimiter=;' --format text
check "--delimiter tab" rewritten 's/,/\t/g' --delimiter tab
check "--delimiter pipe" rewritten 's/,/|/g' --delimiter pipe --decimal point
check "--delimiter space" rewritten 's/,/  /g' --delimiter space
check "--decimal comma" rewritten 's/,/;/g; 2,$s/\./,/g' --decimal comma --delimiter ';'
check "--comment" rewritten '1i % nothing\n% at all' --comment %
check "--quote" rewritten "s/,/','/g; s/^/'/; s/\$/'/" --quote "'"
check "--quote none" rewritten '' --quote none --comment none
check "auto, all of them" rewritten '' --format auto --delimiter auto --header auto --decimal auto --quote auto --comment auto

first_line() {
  tail -n +2 data.csv >bare.csv
  [ "$("$ENTROPIC" features bare.csv --target 11 --header no --quiet | wc -l)" -eq 3000 ] &&
    [ "$("$ENTROPIC" features bare.csv --target 11 --header yes --quiet | wc -l)" -eq 2999 ]
}
check "--header yes and no" first_line
check "--missing marks are refused as such" eval \
  'printf "a,b\n1,-9\n2,3\n" | "$ENTROPIC" features - --missing=-9,x 2>&1 | grep -q "line 2, column 2"'

changes() {
  "$ENTROPIC" features data.csv --target y --quiet "$@" >other.libsvm && ! cmp -s other.libsvm out.libsvm
}
for option in "--kernel laplace" "--omega 2" "--omega 1,2,3,4,5,6,7,8,9,10" "--features 201" "--nonzeros 100" \
  "--basis interior" "--criterion sup" "--criterion data" "--smooth 3" "--max-level 0" "--max-order 1" \
  "--scale minmax" "--scale none" "--scale blend"; do
  check "$option makes a difference" changes $option
done

clamped() {
  printf 'a,b\n-1,0.5\n2,0.5\n0.25,7\n' >wild.csv
  "$ENTROPIC" features wild.csv --scale none >a 2>err && cat err && grep -q 'notice: wild.csv: 3 values outside \[0,1\] clamped' err &&
    printf 'a,b\n0,0.5\n1,0.5\n0.25,1\n' >tame.csv && "$ENTROPIC" features tame.csv --scale none >b 2>err && ! grep -q clamped err && cmp a b &&
    "$ENTROPIC" features wild.csv --scale none --quiet 2>err >/dev/null && [ ! -s err ]
}
check "values outside [0,1] are counted and clamped" clamped

exhausted() {
  printf 'a\n0.3\n' | "$ENTROPIC" features - --max-level 1 --features 50 --scale none >a 2>err && cat a err &&
    grep -q 'fewer than requested' err
}
check "an exhausted design says so" exhausted

# Without --criterion data the values of one file do not change the features of another.
alone() {
  head -n 11 data.csv >few.csv && "$ENTROPIC" features few.csv --target y --scale none --features 300 >a &&
    "$ENTROPIC" features data.csv --target y --scale none --features 300 | head -n 10 >b && cmp a b
}
check "two files are lifted alike" alone

summary() {
  "$ENTROPIC" features data.csv --target y --json -o s.libsvm >s.json 2>err && cat s.json err && [ ! -s err ] && cmp s.libsvm out.libsvm &&
    [ "$(wc -l <s.json)" -eq 1 ] && "$python" -m json.tool s.json >/dev/null && "$python" - <<'END'
import json
s = json.load(open("s.json"))
rows = [len(line.split()) - 1 for line in open("out.libsvm")]
assert (s["rows"], s["inputs"], s["features"], s["kernel"], s["omega"]) == (3000, 10, 200, "centred", 1)
assert abs(s["nonzeros_per_row"] - sum(rows) / 3000) <= 1e-9 and max(rows) <= s["groups"] <= 200
t = s["seconds"]
assert set(t) == {"read", "design", "lift", "total"} and all(v >= 0 for v in t.values())
assert abs(t["total"] - t["read"] - t["design"] - t["lift"]) <= 1e-9
END
}
check "--json" summary

npz_label() {
  "$ENTROPIC" features data.csv --target y -o l.npz 2>err && cat err && grep -q 'cannot hold labels: --labels FILE' err
}
check "npz says that it has no labels" npz_label

labels() {
  "$ENTROPIC" features data.csv --target y -o "$1" --labels labels.txt 2>err && cat err && ! grep -q 'labels' err &&
    cmp labels.txt <(cut -d ' ' -f 1 out.libsvm)
}
check "labels in a file of their own, npz" labels labelled.npz
check "labels in a file of their own, text" labels labelled.libsvm
check "labels on standard output" cmp <("$ENTROPIC" features data.csv --target y -o l.npz --labels - --quiet) labels.txt

upper_npz() {
  "$ENTROPIC" features data.csv --target y --quiet -o lower.npz && "$ENTROPIC" features data.csv --target y --quiet -o UPPER.NPZ &&
    cmp lower.npz UPPER.NPZ
}
check "npz in capitals" upper_npz

to_csv() {
  "$ENTROPIC" features data.csv --target y -o rows.csv 2>err && cat err && cmp rows.csv out.libsvm &&
    grep -q 'notice: rows.csv: features are written as LIBSVM text, not as CSV' err
}
check "csv as a name is noticed" to_csv

# mentions TEXT ARGUMENTS...: that notice; without TEXT no notice about a target.
mentions() {
  local text=$1
  shift
  "$ENTROPIC" features "$@" 2>err >rows && cat err && [ "$(grep -e --target err)" = "${text:+entropic features: notice: $text}" ]
}
check "no target is noticed" mentions 'no --target: all 11 columns are inputs, labels are 0' data.csv
check "no target is noticed, npz" mentions 'no --target: all 11 columns are inputs' data.csv -o n.npz
check "no notice with a target" mentions '' data.csv --target y
check "no notice if quiet" mentions '' data.csv --quiet
check "quiet is quiet" eval '"$ENTROPIC" features data.csv --target y -o q.npz --quiet 2>err && [ ! -s err ]'

constant() {
  printf 'a,b\n5,1\n5,2\n5,3\n' | "$ENTROPIC" features - --features 30 >a && ! grep -qi nan a && [ "$(wc -l <a)" -eq 3 ]
}
check "a constant column" constant

bits() {
  printf 'a,b\r\n"0.5",0.25\r\n' | "$ENTROPIC" features - --scale none --features 3 >a && cat a && [ "$(cut -d ' ' -f 2 a)" = 1:1 ]
}
check "quotes and CR LF" bits
finish
