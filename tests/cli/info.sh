# entropic info: its output, the list of features, files that are not models, and damaged models.
set -u
. "$ENTROPIC_SOURCE/tests/_tap.sh"
. "$ENTROPIC_SOURCE/tests/cli/_ends.sh"
python=${PYTHON:-/usr/bin/python3}
fixed="--omega 1 --lambda 1e-3 --quiet"

"$ENTROPIC" generate friedman1 --rows 300 -o data.csv
awk -F , 'BEGIN { OFS = "," } NR == 1 { print "size", "the colour", "y", "class" } NR > 1 { c = int($2 * 3)
  print (NR == 9 ? "" : $1), (NR == 8 ? "" : substr("redtanblu", 3 * c + 1, 3)), $1 + c, (c == 2 ? "c" : $1 > .5 ? "a" : "b") }' data.csv >mixed.csv
"$ENTROPIC" fit data.csv --target y --features 60 $fixed --select entropy -o data.entropic || exit 1
"$ENTROPIC" fit mixed.csv --target y --ignore class --features 60 $fixed -o mixed.entropic || exit 1
"$ENTROPIC" fit mixed.csv --target class --ignore y --features 20 $fixed -o class.entropic || exit 1
"$ENTROPIC" fit data.csv --target y --solver exact $fixed -o exact.entropic || exit 1

has() {
  local pattern
  "$ENTROPIC" info "$1" >out 2>err || return 1
  cat out err
  shift
  [ ! -s err ] || return 1
  for pattern in "$@"; do
    grep -qE -e "$pattern" out || { echo "no $pattern"; return 1; }
  done
}
check "lines" has data.entropic '^model +data.entropic$' "^size +$(stat -c %s data.entropic) bytes$" '^task +regression of y$' '^rows +300$' \
  '^inputs +10, all used$' '^scale +quantile$' '^kernel +centred, omega 1$' '^features +60, [0-9.]+ non-zeros a row$' '^lambda +0.001$' '^loss +squared' \
  '^validation ' '^seed +1$' '^columns +x1: number$' '^ +x10: number$'
check "categories and missing values" has mixed.entropic '^columns +size: number, sometimes missing$' '^ +the colour: 3 categories, sometimes missing$'
check "classes" has class.entropic '^task +classification of class$' '^classes +3: a, b, c$'
check "the exact kernel" has exact.entropic '^features +none: a sum over 300 rows$' '^loss +squared, solver exact$'
check "from a pipe" eval '"$ENTROPIC" info - <data.entropic | grep -q "from standard input"'

json_form() {
  "$ENTROPIC" info mixed.entropic --json >i.json && cat i.json && "$ENTROPIC" fit mixed.csv --target y --ignore class --features 60 $fixed --json -o again.entropic >f.json &&
    "$python" - <<'PYTHON'
import json, os
i, f = json.load(open("i.json")), json.load(open("f.json"))
for key in ("standard_error", "heaviest_rows", "heaviest_share"):
    assert f["validation"].pop(key) > 0  # printed by fit only: model files do not have it
for key in "rows inputs inputs_used range features nonzeros_per_row kernel omega lambda select task loss solver scale targets classes seed converged validation".split():
    assert i[key] == f[key], key
assert i["model"] == "mixed.entropic" and i["model_bytes"] == f["model_bytes"] == os.path.getsize("mixed.entropic")
size, colour = i["columns"]
assert size == {"name": "size", "type": "number", "missing": True, "used": True}, size
assert sorted(colour.pop("categories")) == ["blu", "red", "tan"] and colour == {"name": "the colour", "type": "category", "missing": True, "used": True}
assert len(i["offsets"]) == 1 and "list" not in i
PYTHON
}
check "--json" json_form

listed() {
  "$ENTROPIC" info data.entropic --list >list && head -n 5 list || return 1
  [ "$(head -n 1 list)" = $'feature\tweight\tterms' ] && [ "$(wc -l <list)" -eq 61 ] &&
    awk -F '\t' 'NR > 1 && (NF != 3 || $1 != NR - 1 || $2 !~ /^-?[0-9]/) { bad = 1 } END { exit bad }' list &&
    grep -qP '\tx1:linear$' list && grep -qP '\tx3:hat2#1$' list && grep -qP '\tx3:hat2#2$' list && ! cut -f 3 list | sort | uniq -d | grep .
}
check "--list" listed
listed_categories() {
  "$ENTROPIC" info mixed.entropic --list >list && cat list && for name in red tan blu missing; do grep -qP "\tthe colour=$name$" list || return 1; done &&
    "$ENTROPIC" info class.entropic --list >list && [ "$(head -n 1 list)" = $'feature\tweight_a\tweight_b\tweight_c\tterms' ] && [ "$(wc -l <list)" -eq 21 ]
}
check "--list of categories and classes" listed_categories

# The list is complete: with --scale none, the lifted rows times the weights are the predictions.
whole() {
  "$ENTROPIC" fit data.csv --target y --features 80 --scale none --select entropy $fixed -o none.entropic && "$ENTROPIC" info none.entropic --list --json >l.json &&
    "$ENTROPIC" features data.csv --target y --features 80 --scale none --omega 1 --quiet >rows.libsvm && "$ENTROPIC" predict none.entropic data.csv --quiet >p.csv &&
    "$ENTROPIC" design --inputs 10 --features 80 --omega 1 --json >d.json && "$python" - <<'PYTHON'
import json
model, design = json.load(open("l.json")), json.load(open("d.json"))
weights = [f["weights"][0] for f in model["list"]]
assert len(weights) == 80 == model["features"]
for line, p in zip(open("rows.libsvm"), list(open("p.csv"))[1:]):
    total = model["offsets"][0] + sum(weights[int(i) - 1] * float(v) for i, v in (t.split(":") for t in line.split()[1:]))
    assert abs(total - float(p)) <= 1e-9, (total, p)
at = 0
for group in design["list"]:
    for _ in range(group["features"]):
        terms = model["list"][at]["terms"]
        assert [(t["name"], t["level"]) for t in terms] == [(t["name"], t["level"]) for t in group["terms"]]
        assert all(t["atom"] >= 1 for t in terms)
        at += 1
PYTHON
}
check "the list is the model" whole
check "no list of the exact kernel" ends 1 'exact.entropic has no features, it is a sum over the kernel at 300 rows' info exact.entropic --list

# Files that are not models
check "no model" ends 1 'MODEL is required; usage: entropic info MODEL' info
check "no such file" ends 2 'missing.entropic: No such file' info missing.entropic
check "a folder" ends 2 'folder' info .
: >empty.entropic
check "an empty file" ends 2 'empty.entropic' info empty.entropic
check "a table" ends 2 'data.csv' info data.csv

# Cut short anywhere, or with any byte changed: status 2 with a message, never a crash.
damaged() {
  local size=$(stat -c %s data.entropic) at status
  for at in 0 1 7 8 20 $((size / 3)) $((size / 2)) $((size - 9)) $((size - 1)); do
    head -c "$at" data.entropic >cut.entropic
    "$ENTROPIC" info cut.entropic >out 2>err
    status=$?
    [ $status -eq 2 ] && [ ! -s out ] && grep -q cut.entropic err || { echo "cut at $at: status $status"; cat err; return 1; }
  done
  cat data.entropic data.entropic >double.entropic
  "$ENTROPIC" info double.entropic >out 2>err
  [ $? -eq 2 ] || { echo "twice the file is taken"; return 1; }
  "$python" - "$size" <<'PYTHON'
import os, subprocess, sys
data = open("data.entropic", "rb").read()
size = len(data)
for at in sorted({0, 4, 8, 9, 12, 16, 24, 32, 40} | {i * (size - 1) // 150 for i in range(151)}):
    for change in (0x01, 0x80):
        open("bad.entropic", "wb").write(data[:at] + bytes([data[at] ^ change]) + data[at + 1:])
        done = subprocess.run([os.environ["ENTROPIC"], "info", "bad.entropic"], capture_output=True)
        assert done.returncode == 2 and not done.stdout and b"bad.entropic" in done.stderr, (at, change, done)
PYTHON
}
check "damaged models" damaged
printf '\011' | cat <(head -c 8 data.entropic) - <(tail -c +10 data.entropic) >newer.entropic
check "a model of a newer version" ends 2 'newer.entropic: a newer version of Entropic wrote it: format 9, expected at most 8' info newer.entropic
check "a damaged model does not predict" ends 2 'cut.entropic' predict cut.entropic data.csv
check "a damaged model is not scored" ends 2 'cut.entropic' score cut.entropic data.csv
check "a full disk" eval '"$ENTROPIC" info data.entropic >/dev/full 2>err; [ $? -eq 3 ] && grep -qi "no space" err'
finish
