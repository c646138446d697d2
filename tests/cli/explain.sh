# entropic explain and predict --effects: tables, one row, and what cannot be explained.
set -u
. "$ENTROPIC_SOURCE/tests/_tap.sh"

"$ENTROPIC" generate ishigami --rows 20000 --quiet -o ishigami.csv
"$ENTROPIC" generate friedman1 --rows 300 --noise 1 --quiet -o friedman1.csv
"$ENTROPIC" fit ishigami.csv --target y --features 200 --quiet -o ishigami.entropic
"$ENTROPIC" fit friedman1.csv --target y --features 30 --select entropy --omega 1 --lambda 1e-4 --keep-statistics --quiet \
  -o model.entropic

# near NAME COLUMN VALUE: a share of the ishigami function is within 0.01 of its known value.
near() {
  awk -F '\t' -v name="$1" -v column="$2" -v value="$3" '
    $1 == name { found = 1; d = $column - value; if ($column !~ /^-?[0-9]/ || d > 0.01 || d < -0.01) { print; bad = 1 } }
    END { exit !found || bad }' shares.tsv
}

"$ENTROPIC" explain ishigami.entropic >shares.tsv
check "a table with a header" test "$(head -n 1 shares.tsv)" = "$(printf 'effect\tshare\ttotal')"
check "x1 alone" near x1 2 0.3139
check "x2 alone" near x2 2 0.4424
check "x3 does nothing alone" near x3 2 0
check "x1 in all" near x1 3 0.5576
check "x2 in all" near x2 3 0.4424
check "x3 in all" near x3 3 0.2437
check "x1 with x3" near "x1 x3" 2 0.2437

shares_add_up() {
  awk -F '\t' 'NR > 1 { sum += $2; bad = bad || $2 !~ /^-?[0-9]/ }
    END { d = sum - 1; exit bad || d > 1e-9 || d < -1e-9 }' shares.tsv
}
check "shares add up to 1" shares_add_up

# One row: base and effects add up to the score, which is the prediction.
row_adds_up() {
  "$ENTROPIC" explain model.entropic --row friedman1.csv:5 >row.tsv || return 1
  { head -n 1 friedman1.csv && sed -n 5p friedman1.csv; } >row.csv
  "$ENTROPIC" predict model.entropic row.csv --quiet | sed -n 2p >prediction
  awk -F '\t' -v prediction="$(cat prediction)" '
    NR == 1 { next } { bad = bad || $2 !~ /^-?[0-9]/ } $1 == "score" { score = $2; next } { sum += $2 }
    END { a = sum - score; b = score - prediction
          exit bad || !score || a > 1e-9 || a < -1e-9 || b > 1e-9 || b < -1e-9 }' row.tsv
}
check "the effects of a row add up to its score" row_adds_up
check "the row as JSON" /usr/bin/python3 -c "
import json, subprocess, os
row = json.loads(subprocess.run([os.environ['ENTROPIC'], 'explain', 'model.entropic', '--row', 'friedman1.csv:5', '--json'],
                                capture_output=True, check=True).stdout)
score = row['scores'][0]
assert row['line'] == 5 and abs(score['base'] + sum(e['value'] for e in score['effects']) - score['score']) < 1e-9
assert abs(score['score'] - row['prediction']) < 1e-9"

# refuses STATUS TEXT COMMAND...: it fails with this status, and says this.
refuses() {
  local status=$1 text=$2 found
  shift 2
  found=$("$@" 2>&1 >/dev/null)
  [ $? -eq "$status" ] && grep -qF -- "$text" <<<"$found" || { echo "$found" && return 1; }
}
check "a line that is the header" refuses 2 "line 1 is not a row; the first row is line 2" \
  "$ENTROPIC" explain model.entropic --row friedman1.csv:1
check "a line behind the end" refuses 2 "no row begins in line 302" \
  "$ENTROPIC" explain model.entropic --row friedman1.csv:302
check "no line" refuses 1 "expected DATA:LINE" "$ENTROPIC" explain model.entropic --row friedman1.csv
check "line 0" refuses 1 "expected DATA:LINE" "$ENTROPIC" explain model.entropic --row friedman1.csv:0
check "no file" refuses 2 "nofile.csv" "$ENTROPIC" explain model.entropic --row nofile.csv:3

"$ENTROPIC" fit friedman1.csv --target y --solver exact --kernel laplace --omega 1 --lambda 1e-3 --quiet -o exact.entropic
of_rows() {
  "$ENTROPIC" explain exact.entropic >exact.tsv && head -n 1 exact.tsv | grep -q "^effect.share.total$" &&
    head -n 2 exact.tsv | tail -n 1 | grep -q "^x4" &&
    awk -F'\t' 'NR > 1 { sum += $2 } END { exit !(sum > 0.999999999 && sum < 1.000000001) }' exact.tsv
}
check "shares of a model of all rows add up to 1" of_rows
rows_add_up() {
  "$ENTROPIC" predict exact.entropic friedman1.csv --effects >exact.csv 2>exact.log &&
    awk -F, 'NR > 1 { sum = 0; for (i = 3; i <= NF; i++) sum += $i; off = sum - $2; rows++
             if (!(off < 1e-10 && off > -1e-10)) bad++ } END { exit !(rows == 300 && !bad) }' exact.csv
}
check "its effects add up to the score" rows_add_up
one_of_rows() {
  "$ENTROPIC" explain exact.entropic --row friedman1.csv:2 >exact-row.tsv && grep -q "^x4" exact-row.tsv
}
check "one of its rows" one_of_rows

# Models solved from statistics have the marginals of their rows. Without any, rows will do.
"$ENTROPIC" collect friedman1.csv --design model.entropic --quiet -o rows.stat >receipt
"$ENTROPIC" solve rows.stat --quiet -o solved.entropic
mv solved.entropic solved-with.entropic
"$PYTHON" "$ENTROPIC_SOURCE/tests/_sections.py" solved-with.entropic marg solved.entropic
check "no marginals" refuses 1 "solved.entropic: the model keeps no marginals" "$ENTROPIC" explain solved.entropic
same_by_rows() {
  "$ENTROPIC" explain "$@" | cut -f 1-3 >by-rows.tsv || return 1
  "$ENTROPIC" explain model.entropic | cut -f 1-3 >by-model.tsv
  paste by-rows.tsv by-model.tsv | awk -F '\t' '
    NR > 1 { d = $2 - $5; if ($1 != $4 || $2 !~ /^-?[0-9]/ || d > 1e-9 || d < -1e-9) { print; bad = 1 } }
    END { exit bad || NR < 12 }'
}
check "rows in the place of marginals" same_by_rows solved.entropic friedman1.csv
check "marginals from statistics" same_by_rows solved-with.entropic
check "an empty table" refuses 2 "has no rows" sh -c 'head -n 1 friedman1.csv >empty.csv &&
  exec "$ENTROPIC" explain solved.entropic empty.csv'

# A model that keeps statistics keeps its marginals with them.
marginals_stay() {
  cp model.entropic updated.entropic
  "$ENTROPIC" update updated.entropic friedman1.csv --quiet >/dev/null &&
    [ "$("$ENTROPIC" explain updated.entropic --json | grep -o '"marginals": "[a-z]*"')" = '"marginals": "model"' ]
}
check "after an update" marginals_stay

for threads in 1 2 3; do
  "$ENTROPIC" explain model.entropic friedman1.csv --threads $threads --json >threads-$threads.json
  "$ENTROPIC" predict model.entropic friedman1.csv --effects --threads $threads --quiet -o threads-$threads.csv
done
check "the same on any number of threads" sh -c 'cmp threads-1.json threads-2.json && cmp threads-1.json threads-3.json &&
  cmp threads-1.csv threads-2.csv && cmp threads-1.csv threads-3.csv'

# The page. What it shows is tested by tests/browser/explain.py.
export SOURCE_DATE_EPOCH=1000000000
page_is_whole() {
  "$ENTROPIC" explain model.entropic friedman1.csv --html page.html >page.tsv &&
    cmp <("$ENTROPIC" explain model.entropic friedman1.csv) page.tsv && [ "$(wc -c <page.html)" -lt 1000000 ] &&
    grep -qF '<dd>2001-09-09</dd>' page.html && grep -qF "$(sha256sum model.entropic | cut -d ' ' -f 1)" page.html &&
    grep -qF 'explain model.entropic friedman1.csv --html page.html' page.html && tail -n 1 page.html | grep -qx '</html>'
}
check "a page, and the shares as ever" page_is_whole
check "it asks for nothing of the network" sh -c '! grep -oE "(src|href)=\"[^#\"]*|https?://[^\"]*|@import|url\(|\beval\(" page.html |
  grep -v "^http://www.w3.org/2000/svg$"'
same_pages() {
  for threads in 1 3; do
    "$ENTROPIC" explain model.entropic friedman1.csv --threads $threads --html threads.html >threads.tsv || return 1
    grep -v '<pre>' threads.html >threads-$threads.html
  done
  cmp threads-1.html threads-3.html
}
check "the same page on any number of threads" same_pages
check "a page of a model without marginals" sh -c '"$ENTROPIC" explain solved.entropic friedman1.csv --html solved.html >solved.tsv &&
  grep -q "No effects: the model keeps no marginals" solved.html'
check "a page of all rows" sh -c '"$ENTROPIC" explain exact.entropic friedman1.csv --html exact.html >exact-rows.tsv &&
  grep -q "contains 300 training rows" exact.html'
check "a page over the model" refuses 1 "the page would replace MODEL" "$ENTROPIC" explain model.entropic --html model.entropic
check "a page over the data" refuses 1 "the page would replace DATA" \
  "$ENTROPIC" explain model.entropic friedman1.csv --html friedman1.csv
check "a page and shares in one place" refuses 1 "standard output" "$ENTROPIC" explain model.entropic --html -
check "a page in no folder" refuses 3 "none/page.html" "$ENTROPIC" explain model.entropic --html none/page.html
check "a date that is none" refuses 1 "SOURCE_DATE_EPOCH" env SOURCE_DATE_EPOCH=soon \
  "$ENTROPIC" explain model.entropic --html date.html
constant_page() {
  awk 'BEGIN { print "x,y"; for (i = 0; i < 60; i++) print i % 7 "," 1 }' >constant.csv
  "$ENTROPIC" fit constant.csv --target y --task regression --quiet -o constant.entropic &&
    "$ENTROPIC" explain constant.entropic --html constant.html >constant.tsv && grep -q '"inputs":\[\]' constant.html
}
check "a page of a model that uses no input" constant_page
finish
