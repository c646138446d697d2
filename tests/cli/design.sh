# entropic design: the list as text and JSON, saving, reloading.
set -u
. "$ENTROPIC_SOURCE/tests/_tap.sh"
. "$ENTROPIC_SOURCE/tests/cli/_kernels.sh"
python=${PYTHON:-/usr/bin/python3}

printf 'age,weight,y\n1,5,1\n2,6,0\n3,9,1\n9,7,0\n' >data.csv

text_form() {
  "$ENTROPIC" design --inputs 3 --features 30 >list || return 1
  cat list
  [ "$(head -n 1 list)" = $'group\tfeatures\tscore\torder\tterms' ] && [ "$(sed -n 2p list)" = $'1\t1\t1\t0\t1' ] &&
    grep -qP '\tx3:linear$' list && grep -qP '\tx2:hat1$' list && grep -qP '\tx1:linear x2:hat1$' list &&
    awk -F '\t' 'NR > 1 { n += $2; if ($1 != NR - 1 || NF != 5 || !($3 <= last || NR == 2)) bad = 1; last = $3 * (1 + 1e-12)
      if ($4 != ($5 == "1" ? 0 : split($5, parts, " "))) bad = 1 } END { exit bad || n != 30 }' list
}

json_form() {
  "$ENTROPIC" design --inputs 3 --features 30 --omega 0.5,1,2 --kernel laplace --json >list.json || return 1
  "$python" -m json.tool list.json >/dev/null && "$python" - <<'END'
import json
d = json.load(open("list.json"))
assert d["inputs"] == 3 and d["kernel"] == "laplace" and d["omega"] == [0.5, 1, 2] and d["criterion"] == "l2"
assert d["features"] == 30 == sum(g["features"] for g in d["list"]) and d["groups"] == len(d["list"])
assert d["nonzeros"] <= d["groups"] and d["basis"] == "full" and len(d["base"]) == 3
first = 1
for g in d["list"]:
    assert g["first"] == first and g["score"] > 0 and abs(2 ** g["log2_score"] / g["score"] - 1) <= 1e-8
    assert len(g.get("members", range(g["atoms"]))) == g["features"] <= g["atoms"]
    for t in g["terms"]:
        assert 1 <= t["input"] <= 3 and t["name"] == "x%d" % t["input"] and t["level"]
    first += g["features"]
END
}

no_negative_zero() {
  "$ENTROPIC" design --inputs 2 --features 2 --json >list.json && grep -F '"log2_score": 0,' list.json
}

names() {
  "$ENTROPIC" design data.csv --target y --features 10 | cut -f5 >terms
  cat terms
  grep -q '^age:linear$' terms && grep -q '^weight:hat1$' terms && ! grep -q 'y:' terms
}

odd_names() {
  printf '"a""b\\",caf\xe9,c\td\n1,2,3\n' >odd.csv
  "$ENTROPIC" design odd.csv --features 9 --json | "$python" -c '
import json, sys
names = {t["name"] for g in json.loads(sys.stdin.buffer.read())["list"] for t in g["terms"]}
assert names == {"a\"b\\", "caf\ufffd", "c\td"}, names' && "$ENTROPIC" design odd.csv --features 9 | awk -F '\t' 'NF != 5 { exit 1 }'
}

saved() {
  "$ENTROPIC" design "$@" --save-design saved.design >a && "$ENTROPIC" design "$@" >b && cmp a b && [ -s a ] &&
    "$ENTROPIC" design --design saved.design --json >a &&
    "$ENTROPIC" design "$@" --json >b && cmp a b && "$ENTROPIC" design --design saved.design --save-design again.design >b &&
    cmp saved.design again.design
}

into_file() {
  "$ENTROPIC" design --inputs 3 "$@" >a && "$ENTROPIC" design --inputs 3 "$@" -o b >printed && [ ! -s printed ] && cmp a b &&
    "$ENTROPIC" design --inputs 3 "$@" -o - >b && cmp a b
}

# first_terms TERMS OPTIONS...: the terms of the group without active inputs.
first_terms() {
  local terms=$1
  shift
  "$ENTROPIC" design --inputs 2 --features 4 "$@" | awk -F '\t' '$4 == "0" { print $5 }' >called
  cat called
  [ "$(cat called)" = "$terms" ]
}

# notices TEXT ARGUMENTS...: this notice and no other.
notices() {
  local text=$1
  shift
  "$ENTROPIC" design "$@" 2>err >list && cat err && [ -s list ] && [ "$(cat err)" = "${text:+entropic design: notice: $text}" ]
}

reused() {
  "$ENTROPIC" generate friedman1 --rows 40 -o f.csv &&
    "$ENTROPIC" features f.csv --target y --kernel cosh --omega 3 --features 70 --save-design f.design -o a.libsvm --quiet &&
    "$ENTROPIC" features f.csv --target y --design f.design -o b.libsvm --quiet && cmp a.libsvm b.libsvm
}

by_data() {
  "$ENTROPIC" generate friedman1 --rows 100 -o f.csv && "$ENTROPIC" design f.csv --target y --criterion data --features 50 >a &&
    "$ENTROPIC" design f.csv --target y --features 50 >b && ! cmp -s a b
}

nested() {
  "$ENTROPIC" design --inputs 6 --features 1000 | cut -f 3- | head -n 40 >a
  "$ENTROPIC" design --inputs 6 --features 300 | cut -f 3- | head -n 40 >b
  [ "$(wc -l <a)" -eq 40 ] && cmp a b
}

exhausted() {
  "$ENTROPIC" design --inputs 1 --max-level 2 --features 100 >list 2>err || return 1
  cat list err
  grep -q 'notice: .*fewer than requested' err && [ "$(awk 'NR > 1 { n += $2 } END { print n }' list)" -eq 5 ] &&
    "$ENTROPIC" design --inputs 1 --max-level 2 --features 100 --quiet 2>err >/dev/null && [ ! -s err ]
}

max_order() {
  "$ENTROPIC" design --inputs 5 --max-order 1 --features 300 --quiet | awk -F '\t' '$4 > 1 && NR > 1 { bad = 1 } END { exit bad || NR < 20 }'
}

paper() {
  local options="--inputs 8 --basis interior --select paper --features 161"
  [ "$("$ENTROPIC" design $options | awk 'NR > 1 { n += $2 } END { print n }')" -eq 161 ] &&
    "$ENTROPIC" design --inputs 8 --basis interior --select paper --features 100 --seed 1 --json >a &&
    "$ENTROPIC" design --inputs 8 --basis interior --select paper --features 100 --seed 2 --json >b && ! cmp -s a b &&
    "$ENTROPIC" design --inputs 8 --basis interior --select paper --features 100 --seed 1 --json >b && cmp a b
}

count_groups() {
  [ "$("$ENTROPIC" design --inputs 4 --nonzeros 25 | tail -n +2 | wc -l)" -eq 25 ]
}

check "the list" text_form
check "the list as JSON" json_form
check "the score of 1 is written without a sign" no_negative_zero
check "names from the header" names
check "odd names" odd_names
check "saved and read again" saved --inputs 4 --features 60
check "saved and read again, laplace" saved --inputs 4 --features 60 --kernel laplace --omega 1,2,3,4 --criterion sup
check "saved and read again, smooth" saved --inputs 2 --features 40 --smooth 4
check "saved and read again, interior" saved --inputs 3 --features 33 --basis interior
check "saved and read again, the paper's" saved --inputs 8 --features 100 --basis interior --select paper
for kernel in $kernels; do
  check "saved and read again, $kernel" saved --inputs 2 --features 50 --kernel $kernel
  base=$(design_says $kernel '"base": \["constant"\]' && echo 1 || echo base)
  check "no active input, $kernel" first_terms $base --kernel $kernel
done
check "the list into a file" into_file
check "the list as JSON into a file" into_file --json
check "no active input is the constant where there is one" first_terms 1 --kernel centred
check "no active input is the base where there is none" first_terms base --kernel laplace
check "names of a file read as told" eval \
  'tr , ";" <data.csv | "$ENTROPIC" design - --target y --delimiter ";" --features 10 | cut -f5 | cmp - terms && [ -s terms ]'
check "no target is noticed" notices 'no --target: all 3 columns are inputs' data.csv
check "no target is noticed, some ignored" notices 'no --target: all 2 columns left are inputs' data.csv --ignore y
check "no target is noticed, one column" notices 'no --target: the one column left is an input' data.csv --ignore y,age
check "no notice with a target" notices '' data.csv --target y
check "no notice if quiet" notices '' data.csv --quiet
check "no notice without data" notices '' --inputs 3
check "features with a saved design" reused
check "the criterion data looks at the data" by_data
check "designs are nested" nested
check "an exhausted design says so" exhausted
check "--max-order" max_order
check "--select paper" paper
check "--nonzeros" count_groups
check "bridge has no omega" eval '"$ENTROPIC" design --inputs 2 --kernel bridge --json | grep -q "\"omega\": null"'
finish
