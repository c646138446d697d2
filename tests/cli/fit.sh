# entropic fit: names, options, notices, summaries, determinism, interruptions. score.sh checks the accuracy.
set -u
. "$ENTROPIC_SOURCE/tests/_tap.sh"
. "$ENTROPIC_SOURCE/tests/cli/_ends.sh"
. "$ENTROPIC_SOURCE/tests/cli/_kernels.sh"
python=${PYTHON:-/usr/bin/python3}
fixed="--features 20 --omega 1 --lambda 1e-3"

"$ENTROPIC" generate friedman1 --rows 300 --noise 1 -o data.csv
# A category and a number as inputs, classes that depend on both, weights, groups, a constant, an identifier, missing values.
awk -F , 'BEGIN { OFS = ","; print "id,colour,size,same,w,g,class,y"; srand(1) } NR > 1 {
    c = int($1 * 3); print "row" NR, (NR == 9 ? "" : substr("redtanblu", 3 * c + 1, 3)), (NR % 50 ? $2 : ""), 7, 1 + NR % 3,
    int(NR / 10), ($2 + c / 2 > 0.9 ? "\"yes, sir\"" : "no"), (NR == 5 ? "" : $2 + c) }' data.csv >mixed.csv

# Names
named() {
  find . -name '*.entropic' -delete && "$ENTROPIC" fit "$1" --target y $fixed --quiet && [ "$(find . -name '*.entropic')" = "./$2" ]
}
mkdir sub
cp data.csv sub/data.csv && cp data.csv plain && cp data.csv data.v2 && cp data.csv .csv && cp data.csv UPPER.CSV
gzip -k data.csv && tr , '\t' <data.csv >tabs.tsv && gzip -k tabs.tsv
check "the model of data.csv" named data.csv data.entropic
check "the model of data.csv.gz" named data.csv.gz data.entropic
check "the model of tabs.tsv.gz" named tabs.tsv.gz tabs.entropic
check "the model of a name without ending" named plain plain.entropic
check "the model of a name with another ending" named data.v2 data.v2.entropic
check "the model of a name that is an ending" named .csv .csv.entropic
check "the model of a name in capitals" named UPPER.CSV UPPER.entropic
check "the model of a file in a folder" named sub/data.csv sub/data.entropic
rm -f sub/data.entropic

"$ENTROPIC" fit data.csv --target y $fixed --quiet -o base.entropic
piped() {
  "$ENTROPIC" generate friedman1 --rows 300 --noise 1 | "$ENTROPIC" fit - --target y $fixed --quiet -o piped.entropic && cmp piped.entropic base.entropic
}
check "from a pipe" piped
check "to a pipe" eval '"$ENTROPIC" fit data.csv --target y $fixed -o - 2>err | cmp - base.entropic && grep -q "to standard output" err'
check "a pipe has no name" ends 1 '-o MODEL is required' fit - --target y
check "nor has a pipe by another name" ends 1 '-o MODEL is required' fit <(cat data.csv) --target y
check "json and the model" ends 1 'the model and the summary cannot both go to standard output' fit data.csv --target y -o - --json
cp data.csv kept.csv && ln -s kept.csv link.csv
check "a model over its data" ends 1 'the model would replace DATA' fit kept.csv --target y -o kept.csv
check "a model over its data, through a link" ends 1 'the model would replace DATA' fit kept.csv --target y -o link.csv
check "a model over the rows of --valid" ends 1 'would replace the rows of --valid' fit data.csv --target y --valid kept.csv -o kept.csv
check "the data are still there" cmp data.csv kept.csv
check "an unwritable place, before the work" ends 3 'nowhere' fit data.csv --target y -o nowhere/m.entropic
check "a folder as model" ends 3 'folder' fit data.csv --target y -o sub

# Messages
check "quiet is quiet" eval '"$ENTROPIC" fit data.csv --target y $fixed --quiet -o q.entropic 2>err >out && [ ! -s err ] && [ ! -s out ]'
spoken() {
  "$ENTROPIC" fit mixed.csv --target y --ignore w,g,class $fixed -o m.entropic 2>err >out || return 1
  cat err
  [ ! -s out ] && grep -q 'notice: the target is treated as a number; --task classification' err &&
    grep -q 'notice: 1 input of categories: colour$' err && grep -q 'notice: 1 input dropped, the same in every row: same$' err &&
    grep -q 'notice: 1 input dropped, for numbering or naming the rows: id$' err &&
    grep -q 'notice: 1 row without a target dropped$' err && grep -q 'notice: 7 missing values:' err &&
    grep -qE '^task +regression of y$' err && grep -qE '^rows +299$' err && grep -qE '^inputs +2, all used$' err && grep -qE '^scale +(quantile|blend|minmax)(; the line.*)?$' err &&
    grep -qE '^kernel +centred, omega 1, smooth 3$' err && grep -qE '^select +residual: from the data$' err &&
    grep -qE '^references +mean [0-9.]+, linear [0-9.]+$' err && grep -qF 'id (identifier), same (constant), w (asked), g (asked), class (asked)' err &&
    grep -qE '^features +20, [0-9.]+ non-zeros a row$' err &&
    grep -qE '^lambda +0.001$' err && grep -qE '^loss +squared, solver ' err && grep -qE '^validation ' err &&
    grep -qE '^seconds +[0-9.]+ \(reading' err && grep -qE "^model +m.entropic, $(stat -c %s m.entropic) bytes$" err
}
check "notices and a summary" spoken

dated() {
  awk 'BEGIN { print "day,empty,x,y"; for (i = 0; i < 100; i++) printf "2024-%02d-%02d,,%d,%d\n", i % 12 + 1, i % 28 + 1, i * 7 % 31, i }' >dates.csv
  "$ENTROPIC" fit dates.csv --target y --features 20 --omega 1 --lambda 1e-3 -o dates.entropic 2>err || return 1
  cat err
  grep -q 'notice: 1 input of dates, taken as days since 1970-01-01 and their calendar parts: day$' err &&
    grep -q 'notice: 1 input dropped, the same in every row: empty$' err &&
    "$ENTROPIC" info dates.entropic | grep -q 'day: date$' && "$ENTROPIC" info dates.entropic --json | grep -q '"type": "date"' &&
    "$ENTROPIC" predict dates.entropic dates.csv --quiet >/dev/null &&
    "$ENTROPIC" fit dates.csv --target y --categorical day --features 20 --omega 1 --lambda 1e-3 -o texts.entropic 2>err &&
    ! grep -q 'of dates' err && "$ENTROPIC" info texts.entropic | grep -q 'day: 84 categories$'
}
check "dates, and a column without any value" dated
empty_ends() {
  awk 'BEGIN { print "x;y;;"; for (i = 0; i < 50; i++) printf "%d,5;%d;;\n", i * 7 % 31, i }' >ends.csv
  "$ENTROPIC" fit ends.csv --target y --features 5 --omega 1 --lambda 1e-3 -o ends.entropic 2>err && cat err &&
    grep -q 'notice: 2 trailing columns without a name or a value dropped$' err
}
check "empty columns at the end" empty_ends
# A word that stands for the default elsewhere may be the name of a column.
called_auto() {
  sed '1s/\by\b/auto/' data.csv >auto.csv && "$ENTROPIC" fit auto.csv --target auto --features 5 --omega 1 --lambda 1e-3 --json --quiet -o auto.entropic |
    grep -q '"targets": \["auto"\]'
}
check "a target called auto" called_auto
# Columns in several options are those of one list.
in_pieces() {
  local fixed="--features 5 --omega 1 --lambda 1e-3 --quiet"
  "$ENTROPIC" fit data.csv --target y --target x1 --ignore x2 --ignore x3,x4 $fixed -o pieces.entropic &&
    "$ENTROPIC" fit data.csv --target y,x1 --ignore x2,x3,x4 $fixed -o list.entropic && cmp pieces.entropic list.entropic
}
check "columns in several options" in_pieces
# Without marks a word is a category, and an empty field a missing value still.
no_marks() {
  awk 'BEGIN { print "a,y"; for (i = 0; i < 40; i++) print (i % 4 == 0 ? "NA" : i % 4 == 1 ? "" : "red") "," i % 4 }' >marks.csv
  "$ENTROPIC" fit marks.csv --target y --missing '' --features 3 --omega 1 --lambda 1 --json --quiet -o marks.entropic >out && cat out && grep -q '"missing": 10,' out
}
check "no marks of missing values" no_marks
check "a target twice" ends 1 'column y is listed as a target twice' fit data.csv --target y,y
malformed_date() {
  printf 'day,empty,x\n2024-02-28,,1\n2024-02-30,,1\n' >bad.csv
  "$ENTROPIC" predict dates.entropic bad.csv >out 2>err
  [ $? -eq 2 ] && cat err && grep -q "bad.csv, line 3, column 1 (day): found '2024-02-30', expected a date" err
}
check "a malformed date" malformed_date
# value KEY ARGUMENTS...: prints that key of the summary.
value() {
  local key=$1
  shift
  "$ENTROPIC" fit "$@" --quiet --json -o v.entropic | "$python" -c "import json, sys; j = json.load(sys.stdin); print((j$key))"
}
says() {
  local pattern=$1
  shift
  "$ENTROPIC" fit "$@" $fixed -o s.entropic 2>err && cat err && grep -qE -e "$pattern" err
}
check "text is classes" says 'notice: the target is text: 2 classes$' mixed.csv --target class
check "two values are classes" says 'treated as 2 classes; --task regression' <(awk -F , '{ print $1 "," (NR == 1 ? "y" : $2 > 0.5) }' data.csv) --target y
check "a task that is given needs no notice" fails says 'taken for' data.csv --target y --task regression
check "a category" says '^classes +2: no, yes, sir$' mixed.csv --target class
few="--target y --ignore x1,x2,x3,x4,x5,x6,x7 --max-level 0 --max-order 1"
check "fewer features than asked for, entropy" says 'the kernel has only 4 features within these limits' data.csv $few --smooth 0 --select entropy
check "and in the summary" says '^features +4, 4.0 non-zeros a row; 20 were requested$' data.csv $few --smooth 0 --select entropy
check "fewer features than asked for, residual" says 'only 4 features can be selected within these limits' data.csv $few --smooth 0
check "and in the summary" says '^features +4, 4.0 non-zeros a row; 20 were requested$' data.csv $few --smooth 0
check "polynomials are features too" says 'only 10 features can be selected within these limits' data.csv $few
check "as many as asked for" fails says 'requested' data.csv --target y
check "fewer than asked for in each of several models" eval '"$ENTROPIC" fit data.csv --target y --max-order 1 --max-level 3 --ensemble 2 --features 100 \
  -o s.entropic 2>err && cat err && grep -q "only [0-9]* features can be selected" err && grep -qE "^features .*; 100 were requested$" err'
check "features asked for, as JSON" test "$(value '["features_asked"], j["features"] < 100' data.csv --target y --max-order 1 --max-level 1 --features 100 --omega 1)" = "(100, True)"
check "no number was asked for, as JSON" test "$(value '["features_asked"]' data.csv --target y --features theory --omega 1)" = None
awk -F , '{ print $1 "," $2 "," (NR == 1 ? "class" : NR == 7 ? "rare" : $1 > 0.5 ? "far" : "near") }' data.csv >rare.csv
check "a loss that leaves out rows held out is not the better one" test \
  "$(value '["loss"] != "logistic", j["validation"]["rows"] == j["rows"], j["validation"]["error"] > 0' rare.csv --target class --features 20 --ensemble 5 --omega 1)" = "(True, True, True)"

keys() {
  "$ENTROPIC" fit mixed.csv --target class --ignore id,w,g,y --features 30 --omega 1 --json -o j.entropic --seed 5 --quiet >j.json 2>err || return 1
  cat j.json err
  [ ! -s err ] && [ "$(wc -l <j.json)" -eq 1 ] && "$python" - <<'PYTHON'
import json, os
j = json.load(open("j.json"))
for key in "rows inputs features nonzeros_per_row kernel omega lambda select validation seconds peak_rss_bytes".split():
    assert key in j, key
assert (j["rows"], j["inputs"], j["features"], j["kernel"], j["omega"], j["select"]) == (300, 2, 30, "centred", 1, "residual")
assert j["task"] == "classification" and j["classes"] == ["no", "yes, sir"] and j["targets"] == ["class"]
assert set(j["seconds"]) == {"read", "prepare", "validation", "design", "lift", "gram", "solve", "intervals", "collect", "other", "total"} and all(t >= 0 for t in j["seconds"].values())
assert j["seconds"]["total"] >= j["seconds"]["read"] and 1e6 < j["peak_rss_bytes"] < 4e9
v = j["validation"]
assert (v["kind"], v["rows"]) in (("folds", 300), ("part", 60)) and v["folds"] == 5 and 0 <= v["error"] < 0.3 and 0 < v["logloss"] < 0.7
assert "rmse" not in v and j["set_aside"][0] == {"name": "same", "why": "constant"} and [a["name"] for a in j["set_aside"][1:]] == ["id", "w", "g", "y"] and j["missing"] == 7
assert j["seed"] == 5 and j["converged"] is True and j["lambda"] > 0 and j["scale"] in ("quantile", "blend", "minmax") and j["dropped_rows"] == 0
assert j["model"] == "j.entropic" and j["model_bytes"] == os.path.getsize("j.entropic")
PYTHON
}
check "--json" keys
no_validation() {
  "$ENTROPIC" fit data.csv --target y $fixed --json --quiet -o n.entropic | "$python" -c '
import json, sys
j = json.load(sys.stdin)
v = j["validation"]
assert v["kind"] in ("none", "folds", "part"), v
assert v["kind"] != "none" or (v["rmse"] is None and v["folds"] is None and v["rows"] == 0), v
assert j["classes"] == [] and j["lambda"] == 1e-3 and j["features"] == 20 and j["rows"] == 300'
}
check "--json of numbers, nothing to choose" no_validation

# Each option changes the result; its default value does not.
alike() {
  "$ENTROPIC" fit data.csv --target y $fixed --quiet -o alike.entropic "$@" && cmp alike.entropic base.entropic
}
check "defaults spelt out" alike --task regression --loss squared --scale auto --select residual --ensemble 1 --basis full \
  --criterion l2 --max-level 8 --kernel centred --smooth 3 --solver direct --seed 1 --folds 5
check "auto is the default" alike --task auto --loss auto --solver auto --max-level auto --max-order auto --seed auto --folds auto --nonzeros auto \
  --select auto --ensemble auto --smooth auto
check "the target by number" eval '"$ENTROPIC" fit data.csv --target 11 $fixed --quiet -o n.entropic && cmp n.entropic base.entropic'
changes() {
  "$ENTROPIC" fit data.csv --target y --quiet -o changed.entropic "$@" && ! cmp -s changed.entropic base.entropic &&
    "$ENTROPIC" info changed.entropic >/dev/null
}
for kernel in $kernels; do
  [ $kernel = centred ] || check "--kernel $kernel makes a difference" changes --kernel $kernel --features 20 --lambda 1e-3 $(omega_of $kernel)
done
for option in "--basis interior" "--criterion sup" "--criterion data" \
  "--smooth 2" "--max-level 1" "--select paper --basis interior" "--scale minmax" "--scale none" "--select entropy" "--ensemble 2" "--seed 2" "--folds 3" \
  "--ignore x1" \
  "--ignore x1 --ignore 2,3" "--categorical x1" "--weights x1" "--groups x1"; do
  check "$option makes a difference" changes $fixed $option
done
# The scale is one of three.
scaled() {
  local scale equal=0
  for scale in quantile blend minmax; do
    "$ENTROPIC" fit data.csv --target y $fixed --quiet -o alike.entropic --scale $scale || return 1
    if cmp <("$ENTROPIC" predict alike.entropic data.csv --quiet) <("$ENTROPIC" predict base.entropic data.csv --quiet); then
      equal=$((equal + 1))
    fi
  done
  [ $equal -eq 1 ]
}
check "--scale auto is quantile, blend or minmax" scaled
check "a second target makes a difference" eval '"$ENTROPIC" fit data.csv --target y,x1 $fixed --quiet -o two.entropic && ! cmp -s two.entropic base.entropic'
check "--features makes a difference" changes --features 21 --omega 1 --lambda 1e-3
check "--nonzeros makes a difference" changes --nonzeros 20 --omega 1 --lambda 1e-3
check "--omega makes a difference" changes --features 20 --omega 2 --lambda 1e-3
check "a list of omegas makes a difference" changes --features 20 --omega 1,2,3,4,5,6,7,8,9,10 --lambda 1e-3
check "--lambda makes a difference" changes --features 20 --omega 1 --lambda 2e-3
check "--solver exact makes a difference" changes --solver exact --omega 1 --lambda 1e-3

check "--max-order" test "$(value '["features"]' data.csv --target y --max-order 1 --max-level 1 --select entropy --features 100 --omega 1 --lambda 1e-3)" = 21
check "--max-order, selected" test "$(value '["features"] <= 21' data.csv --target y --max-order 1 --max-level 1 --smooth 0 --features 100 --omega 1 --lambda 1e-3)" = True
check "--lambda theory" test "$(value '["lambda"] == 1 / 300 ** 0.5' data.csv --target y --features 20 --omega 1 --lambda theory)" = True
check "--features theory" test "$(value '["features"]' data.csv --target y --omega 1 --lambda 1e-3 --features theory)" = 5
check "--omega auto" test -n "$(value '["omega"]' data.csv --target y --features 20 --omega auto)"
check "--nonzeros is a limit" test "$(value '["nonzeros_per_row"] <= 20' data.csv --target y --nonzeros 20 --omega 1 --lambda 1e-3)" = True
for solver in direct dual iterative; do
  check "--solver $solver" test "$(value '["solver"]' data.csv --target y $fixed --solver $solver)" = $solver
done
check "--solver exact counts its rows" test "$(value '["features"]' data.csv --target y --omega 1 --lambda 1e-3 --solver exact)" = 300
check "--loss logistic" test "$(value '["loss"]' mixed.csv --target class --ignore id,y $fixed --loss logistic)" = logistic
check "--loss hinge" test "$(value '["loss"]' mixed.csv --target class --ignore id,y $fixed --loss hinge)" = hinge
check "--loss squared" test "$(value '["loss"]' mixed.csv --target class --ignore id,y $fixed --loss squared)" = squared
check "--task classification" test "$(value '["classes"]' mixed.csv --target w --ignore id $fixed --task classification)" = "['1', '2', '3']"
check "--groups" test "$(value '["inputs"]' mixed.csv --target y --groups g --ignore id,class,w --features 20 --omega 1)" = 2
check "--folds" test "$(value '["validation"]["folds"]' data.csv --target y --features 20 --omega 1 --folds 3)" = 3
"$ENTROPIC" generate friedman1 --rows 150 --seed 9 --noise 1 -o valid.csv
check "--valid" test "$(value '["validation"]["kind"]' data.csv --target y --features 20 --omega 1 --valid valid.csv)" = rows
check "--valid is counted" test "$(value '["validation"]["rows"]' data.csv --target y --features 20 --omega 1 --valid valid.csv)" = 75
sed 's/red/ochre/' mixed.csv >ochre.csv
check "a category that only --valid has" says 'ochre.csv: [0-9]+ values of categories that are not in DATA' mixed.csv --target y --ignore id,class --valid ochre.csv
awk -F , -v OFS=, '{ print $11, $2, $1, $4, $3, $6, $5, $8, $7 }' valid.csv >other.csv
check "--valid in another order and without what is ignored" test "$(value '["validation"]["rows"]' data.csv --target 11 --ignore 9,x10 --features 20 --omega 1 --valid other.csv)" = 75
other_order() {
  "$ENTROPIC" fit data.csv --target 11 --ignore 9,x10 --features 20 --omega 1 --quiet --valid valid.csv -o a.entropic &&
    "$ENTROPIC" fit data.csv --target 11 --ignore 9,x10 --features 20 --omega 1 --quiet --valid other.csv -o b.entropic && cmp a.entropic b.entropic
}
check "columns of --valid go by name, whatever the number" other_order
check "all rows of one group" says 'notice: --groups g puts all rows into one group: none can be held out' <(sed '1s/$/,g/; 1!s/$/,7/' data.csv) --target y --groups g
check "rows of several groups" fails says 'of one group' mixed.csv --target y --groups g --ignore id,class
check "a target that is always the same" says 'notice: the target is the same in every row' <(cut -d , -f 1-3 data.csv | sed '1s/$/,y/; 1!s/$/,0.1/') --target y
check "a target that is not" fails says 'the same in every row: the model' data.csv --target y
check "more models than folds" says 'notice: --ensemble 9: only 3 models can be averaged, one for each fold$' data.csv --target y --ensemble 9 --folds 3
check "more models than --valid has" says 'notice: --ensemble 2: only 1 model can be averaged, as --valid gives one split$' data.csv --target y --ensemble 2 --valid valid.csv
check "more models than the kernel has" says 'notice: --ensemble 2: only 1 model can be averaged, as features are not selected from the data$' data.csv --target y --ensemble 2 --kernel laplace
check "as many models as asked for" fails says '--ensemble' data.csv --target y --ensemble 3 --folds 3
single_rows() {
  head -n 11 data.csv >ten.csv
  for options in "--solver dual" "--select entropy" "--select residual" "--solver exact"; do
    "$ENTROPIC" fit ten.csv --target y --folds 10 $options --omega 1 --json --quiet -o ten.entropic >out || return 1
    "$python" -c 'import json; v = json.load(open("out"))["validation"]; print(v); assert v["standard_error"] > 0 and v["rmse"] > 0' || return 1
  done
  "$ENTROPIC" fit ten.csv --target y --folds 10 --omega 1 -o ten.entropic 2>err && grep -qE '^validation +rmse [0-9.]+ \+- [0-9.e-]+ \(' err
}
check "folds of one row have a standard error" single_rows
check "LIBSVM text needs no target" eval '"$ENTROPIC" features data.csv --target y --features 20 --quiet -o rows.libsvm &&
  "$ENTROPIC" fit rows.libsvm $fixed --quiet && [ -s rows.entropic ]'
check "read as told" eval 'tr , ";" <data.csv >semi.txt && "$ENTROPIC" fit semi.txt --target y --delimiter ";" --header yes --format text \
  --decimal point --quote none --comment none $fixed --quiet && cmp semi.entropic base.entropic'

# A row of weight 2 equals two rows.
weighty() {
  awk -F , 'NR == 1 { print $0 ",w" } NR > 1 { print $0 "," 1 + (NR % 4 == 0) }' data.csv >w.csv
  awk -F , 'NR == 1 { print } NR > 1 { print; if (NR % 4 == 0) print }' data.csv >twice.csv
  "$ENTROPIC" fit w.csv --target y --weights w $fixed --select entropy --scale minmax --quiet -o w.entropic &&
    "$ENTROPIC" fit twice.csv --target y $fixed --select entropy --scale minmax --quiet -o twice.entropic &&
    "$ENTROPIC" predict w.entropic valid.csv >a && "$ENTROPIC" predict twice.entropic valid.csv >b && "$ENTROPIC" predict base.entropic valid.csv >c &&
    paste -d , a b c | awk -F , 'NR > 1 { e = $1 - $2; if (!(e * e <= 1e-20)) bad = 1; if ($1 != $3) differs = 1 } END { print NR, bad; exit bad || !differs || NR != 151 }'
}
check "weights are copies of rows" weighty

# Equal fits are equal bytes.
for threads in 1 2 4 8; do
  check "the same bytes with $threads threads" alike --threads $threads
done
"$ENTROPIC" fit mixed.csv --target class --ignore id --omega 1 --features 20 --quiet -o class.entropic
for threads in 1 2 4 8; do
  check "the same bytes with $threads threads, classes by validation" eval '"$ENTROPIC" fit mixed.csv --target class --ignore id --omega 1 --features 20 --quiet \
    --threads $threads -o t.entropic && cmp t.entropic class.entropic'
done
check "no path in a model" eval 'cp data.csv sub/elsewhere.csv && "$ENTROPIC" fit sub/elsewhere.csv --target y $fixed --quiet && cmp sub/elsewhere.entropic base.entropic'

# Wrong use
check "no data" ends 1 'DATA is required; usage: entropic fit DATA' fit
check "no target" ends 1 '--target COL is required' fit data.csv
check "no such target" ends 1 'no column z' fit data.csv --target z
check "features and nonzeros" ends 1 '--features and --nonzeros cannot be combined' fit data.csv --target y --features 3 --nonzeros 3
check "folds and valid" ends 1 '--folds .* --valid' fit data.csv --target y --folds 3 --valid valid.csv
check "logistic for numbers, as told" ends 1 '--loss logistic and --task regression cannot be combined: the loss is for classes' fit data.csv --target y --loss logistic --task regression
check "logistic for numbers, as found" ends 1 '--loss logistic is for classes' fit data.csv --target y --loss logistic
check "hinge for numbers, as told" ends 1 '--loss hinge and --task regression cannot be combined: the loss is for classes' fit data.csv --target y --loss hinge --task regression
check "hinge for numbers, as found" ends 1 '--loss hinge is for classes, and the target is a number' fit data.csv --target y --loss hinge
check "exact with features" ends 1 '--solver exact and --features cannot be combined' fit data.csv --target y --solver exact --features 3
check "exact with nonzeros" ends 1 '--solver exact and --nonzeros cannot be combined' fit data.csv --target y --solver exact --nonzeros 3
check "exact with logistic" ends 1 '--solver exact and --loss [a-z]* cannot be combined' fit mixed.csv --target class --solver exact --loss logistic
check "exact with hinge" ends 1 '--solver exact and --loss [a-z]* cannot be combined' fit mixed.csv --target class --solver exact --loss hinge
check "another loss" ends 1 '--loss other: expected auto.squared.logistic.hinge' fit mixed.csv --target class --loss other
check "a list of omegas of the wrong length" ends 1 '--omega has 2 numbers, there are 10 inputs' fit data.csv --target y --omega 1,2
check "omega for bridge" ends 1 'bridge' fit data.csv --target y --kernel bridge --omega 1
check "another selection" ends 1 '--select other: expected auto.entropy.residual' fit data.csv --target y --select other
for option in "--nonzeros 20" "--kernel laplace" "--basis interior" "--criterion data" "--solver dual"; do
  check "--select residual with $option" ends 1 'selection by residual needs' fit data.csv --target y --select residual $option
done
check "no model to average" ends 1 '--ensemble 0: expected a whole number from 1 to 100' fit data.csv --target y --ensemble 0
check "balanced numbers" ends 1 '--class-weight balanced is for classes, and the target is a number' fit data.csv --target y --class-weight balanced
check "negative seconds" ends 1 '--seconds -1: expected a number from 0' fit data.csv --target y --seconds -1
check "a wrong lambda" ends 1 '--lambda big: expected a number from 0 to 1e300, auto or theory' fit data.csv --target y --lambda big
check "a wrong number of features" ends 1 '--features 0: expected a whole number from 1 to 2147483647, auto or theory' fit data.csv --target y --features 0
check "one fold" ends 1 '--folds 1: expected a whole number from 2 to 100' fit data.csv --target y --folds 1
check "everything from standard input" ends 1 'both come from standard input' fit - --target y --valid - -o m
check "paper without interior" ends 1 '--select paper needs --basis interior' fit data.csv --target y --select paper

# Bad data
check "no such file" ends 2 'missing.csv: No such file' fit missing.csv --target y
mkdir bare
check "a folder" ends 2 "the folder 'bare' has 0 files and no table" fit bare --target y
check "no such file for --valid" ends 2 'missing.csv: No such file' fit data.csv --target y --valid missing.csv
sed '31s/,[^,]*,/,oops,/' data.csv >odd.csv
check "a lone text among numbers" ends 2 'odd.csv, line 31, column 2 .*oops' fit odd.csv --target y
check "unless it is a category" eval '"$ENTROPIC" fit odd.csv --target y --categorical x2 $fixed --quiet'
cut -d , -f 1-2,4-11 valid.csv >cut.csv
cut -d , -f 1-10 valid.csv >aimless.csv
check "--valid without the target" ends 2 'aimless.csv: no column y, which is the target' fit data.csv --target y --valid aimless.csv --quiet
check "--valid without the weights" ends 2 'valid.csv: no column w, which is the weight' fit mixed.csv --target y --weights w --valid valid.csv --quiet
head -n 2 data.csv >single.csv
printf 'a,b,y\nm,kg,s\n' >units.csv && awk -F , 'NR > 1 && NR < 40 { print $1 "," $2 "," $11 }' data.csv >>units.csv
check "a line of units" ends 0 "notice: line 2 \\('m,kg,s'\\) has no numbers but stands above some: it is skipped" fit units.csv --target y --features 5 --omega 1 --lambda 1e-3
sed 's/^m,kg,s$/m,1,2/' units.csv >words.csv
check "a word above numbers" ends 2 "words.csv: no input is left, all 1 are constant or identifiers; a is text \\('m'\\) of nearly as many values as rows" fit words.csv --target y --ignore b
seq 1 50 | awk 'BEGIN { print "id,y" } { print $1 "," $1 % 7 }' >counted.csv
check "nothing but numbers of rows" ends 2 'counted.csv: no input is left, all 1 are constant or identifiers; id is an identifier' fit counted.csv --target y
check "one row" ends 2 'single.csv: there is one row to learn from, of 1; expected two or more' fit single.csv --target y
check "--valid without a column" ends 2 'cut.csv.*x3' fit data.csv --target y --valid cut.csv --quiet
printf 'a,y\n1,2\n1,3\n' >flat.csv
check "no input that says anything" ends 2 'flat.csv.*no input is left' fit flat.csv --target y --quiet
printf 'a,y\n1,5\n2,5\n3,5\n' >one.csv
check "one class" ends 2 'one.csv' fit one.csv --target y --task classification
printf 'a,w,y\n1,1,5\n2,-1,6\n3,1,7\n' >minus.csv
check "a negative weight" ends 2 'minus.csv' fit minus.csv --target y --weights w
# If the largest size is the best, a notice suggests more features.
at_the_end() {
  "$ENTROPIC" generate friedman1 --rows 60 -o short.csv && "$ENTROPIC" fit short.csv --target y --omega 1 --lambda 1e-6 --select entropy -o short.entropic >out 2>err
  cat err
  case $(sed -n 's/^features *\([0-9]*\),.*/\1/p' err) in
  100) grep -q 'notice: 100 features, the largest number tried, validated best' err ;;
  *) ! grep -q 'the largest number tried' err ;;
  esac && "$ENTROPIC" fit short.csv --target y --omega 1 --lambda 1e-6 --features 100 --select entropy -o short.entropic 2>err && ! grep -q 'the most that' err
}
check "a notice where more features may be better" at_the_end

finish
