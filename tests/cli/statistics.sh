# collect, merge, solve, update, forget and receipt: files that are equal, and what is refused.
set -u
. "$ENTROPIC_SOURCE/tests/_tap.sh"

"$ENTROPIC" generate friedman1 --rows 400 --noise 1 -o all.csv
"$ENTROPIC" generate friedman1 --rows 150 --noise 1 --seed 2 -o more.csv
(head -1 all.csv; tail -n +2 all.csv | head -170) >a.csv
(head -1 all.csv; tail -n +2 all.csv | tail -230) >b.csv
(head -1 all.csv; tail -n +2 all.csv | shuf --random-source=all.csv) >shuffled.csv
"$ENTROPIC" fit all.csv --target y --features 40 --ensemble 3 --quiet -o plain.entropic
"$ENTROPIC" fit all.csv --target y --features 40 --ensemble 3 --keep-statistics --quiet -o kept.entropic
cp kept.entropic first.entropic

# says FILE TEXT: the file has that text.
says() {
  grep -qF -- "$2" "$1" || { cat "$1" && return 1; }
}

# refused STATUS TEXT COMMAND...: it ends with that status and says that on standard error, and prints nothing.
refused() {
  local status=$1 text=$2
  shift 2
  "$@" >out.txt 2>err.txt
  [ $? -eq "$status" ] && [ ! -s out.txt ] && says err.txt "$text" || { cat out.txt err.txt && return 1; }
}

same_receipt() {
  [ "$("$ENTROPIC" receipt "$1")" = "$("$ENTROPIC" receipt "$2")" ]
}

for name in all a b shuffled; do
  "$ENTROPIC" collect $name.csv --design kept.entropic --quiet >$name.receipt
done
check "the default name is that of the data" test -s all.stat
check "collect prints the receipt" test "$(cat all.receipt)" = "$("$ENTROPIC" receipt all.stat)"
check "a receipt has 64 digits" grep -qxE '[0-9a-f]{64}' all.receipt
check "rows in another order give the same bytes" cmp all.stat shuffled.stat
"$ENTROPIC" merge a.stat b.stat -o ab.stat --quiet >/dev/null
"$ENTROPIC" merge b.stat a.stat -o ba.stat --quiet >/dev/null
check "shards give the bytes of all rows" cmp all.stat ab.stat
check "in any order" cmp all.stat ba.stat
check "a shard can be collected from a pipe" sh -c \
  'cat a.csv | "$ENTROPIC" collect - --design b.stat -o pipe.stat --quiet >/dev/null && cmp pipe.stat a.stat'
for threads in 1 2 4 8; do
  check "$threads threads give the same bytes" sh -c \
    "\"\$ENTROPIC\" collect all.csv --design kept.entropic --threads $threads -o t.stat --quiet >/dev/null && cmp t.stat all.stat"
done
check "a model keeps what collect gives" same_receipt kept.entropic all.stat

solves_alike() {
  "$ENTROPIC" solve ab.stat -o solved.entropic --quiet
  for model in plain solved kept; do
    "$ENTROPIC" predict $model.entropic more.csv --quiet -o $model.csv
  done
  "$PYTHON" - <<'P'
def numbers(name):
    return [float(line) for line in open(name + ".csv").read().split()[1:]]
plain, solved, kept = numbers("plain"), numbers("solved"), numbers("kept")
mean = sum(plain) / len(plain)
deviation = (sum((p - mean) ** 2 for p in plain) / len(plain)) ** 0.5
worst = max(abs(s - k) for s, k in zip(solved, kept)) # the knots of plain are values of rows
assert max(abs(p - k) for p, k in zip(plain, kept)) <= deviation
assert len(plain) == 150 and worst <= 1e-7 * deviation, worst
P
}
check "what is solved predicts as what is fitted" solves_alike
check "solve can keep the statistics" sh -c \
  '"$ENTROPIC" solve ab.stat -o again.entropic --keep-statistics --quiet && [ "$("$ENTROPIC" receipt again.entropic)" = "$(cat all.receipt)" ]'
"$ENTROPIC" solve ab.stat -o gcv.entropic --lambda auto >/dev/null 2>gcv.txt
check "lambda auto says that it is optimistic" says gcv.txt "optimistic"
check "a lambda that is given is taken" sh -c \
  '"$ENTROPIC" solve ab.stat -o given.entropic --lambda 0.125 --quiet --json | grep -qF "\"lambda\": 0.125,"'

"$ENTROPIC" update kept.entropic more.csv >update.txt 2>/dev/null
check "update prints the receipt" test "$(cat update.txt)" = "$("$ENTROPIC" receipt kept.entropic)"
"$ENTROPIC" info kept.entropic >info.txt
check "info counts the rows" says info.txt "rows         550"
check "info says that validation is not current" says info.txt "not current"
check "score says it in JSON" sh -c \
  '"$ENTROPIC" score kept.entropic more.csv --json --quiet | grep -qF "\"validation_current\": false"'
"$ENTROPIC" score kept.entropic more.csv >/dev/null 2>score.txt
check "and for people" says score.txt "out of date"
check "info says what statistics take" says info.txt "kept, "
check "the same in JSON" sh -c '"$ENTROPIC" info kept.entropic --json | grep -qF "\"current\": false"'
"$ENTROPIC" forget kept.entropic more.csv --json >forget.json 2>/dev/null
# A model file without its intervals, which update and forget drop.
without_intervals() {
  "$PYTHON" - "$1" <<'P'
import struct, sys, zlib
data = open(sys.argv[1], "rb").read()
at, kept = 20, data[:12] + bytes(8)
while at < len(data) - 4:
    end = at + 12 + struct.unpack("<Q", data[at + 4:at + 12])[0]
    kept += b"" if data[at:at + 4] in (b"intv", b"memb") else data[at:end]
    at = end
kept = kept[:12] + struct.pack("<Q", len(kept) + 4) + kept[20:]
sys.stdout.buffer.write(kept + struct.pack("<I", zlib.crc32(kept)))
P
}
without_intervals first.entropic >bare.entropic
check "a fit with statistics has intervals" fails cmp -s bare.entropic first.entropic
mv bare.entropic first.entropic
check "forget after update gives the file before, without its intervals and bands" cmp kept.entropic first.entropic
check "then the figures are current again" sh -c \
  '"$ENTROPIC" score kept.entropic more.csv --json | grep -qF "\"validation_current\": true"'
check "forget reports in JSON" says forget.json "\"rows\": 150, \"total_rows\": 400"
"$ENTROPIC" forget kept.entropic a.csv -o without.entropic --quiet >/dev/null
check "what is left is what collect gives for the other rows" same_receipt without.entropic b.stat
check "with -o the model is not replaced" cmp kept.entropic first.entropic

"$ENTROPIC" generate friedman1 --rows 60 -o other.csv
"$ENTROPIC" fit other.csv --target y --features 9 --select entropy --omega 1 --lambda 0.1 --quiet -o other.entropic
"$ENTROPIC" collect other.csv --design other.entropic --quiet >/dev/null
check "statistics of another design are refused by name" refused 2 "they differ in the inputs in use" \
  "$ENTROPIC" merge all.stat other.stat -o x.stat
check "nothing is left of that" test ! -e x.stat
sed '5s/,[^,]*$/,9999/' more.csv >far.csv
check "a target beyond the scale is refused with its line" refused 2 "far.csv, line 5 (y): found 9999, expected a target from" \
  "$ENTROPIC" update kept.entropic far.csv
check "and the model is as it was" cmp kept.entropic first.entropic
check "rows never added are refused" refused 2 "never added" "$ENTROPIC" forget without.entropic all.csv
check "all rows cannot be forgotten" refused 2 "no rows" "$ENTROPIC" forget kept.entropic all.csv
check "a model without statistics cannot be updated" refused 2 "--keep-statistics" \
  "$ENTROPIC" update plain.entropic more.csv
awk -F, -v OFS=, 'NR == 1 { print; next } { $NF = $NF > 14 ? "high" : "low"; print }' a.csv >classes.csv
"$ENTROPIC" fit classes.csv --target y --loss logistic --features 10 --lambda 0.1 --omega 1 --select entropy --quiet \
  -o logistic.entropic
check "the logistic loss has no statistics" refused 2 "--loss squared" \
  "$ENTROPIC" collect classes.csv --design logistic.entropic -o x.stat
check "nor updates" refused 2 "update --rows-only" "$ENTROPIC" update logistic.entropic classes.csv
cp logistic.entropic before.entropic
(head -1 classes.csv; tail -n +2 classes.csv | head -120) >some.csv
check "but weights from rows alone" "$ENTROPIC" update logistic.entropic some.csv --rows-only --quiet
check "which are others" fails cmp -s logistic.entropic before.entropic
check "the rows are counted, and validation is none" eval \
  '"$ENTROPIC" info logistic.entropic >info.txt; says info.txt "rows         120" && says info.txt "validation   none"'
check "a model that keeps statistics has better ways" refused 2 "change it exactly" \
  "$ENTROPIC" update kept.entropic more.csv --rows-only
check "nor can they be kept" refused 1 "--keep-statistics is for the squared loss" \
  "$ENTROPIC" fit classes.csv --target y --loss logistic --keep-statistics
check "a model is no file of statistics" refused 2 "but a model" "$ENTROPIC" solve kept.entropic -o x.entropic
check "and the other way round" refused 2 "but statistics" "$ENTROPIC" predict all.stat all.csv
check "--design is needed" refused 1 "--design MODEL is required" "$ENTROPIC" collect all.csv
check "-o of merge is needed" refused 1 "-o STAT is required" "$ENTROPIC" merge a.stat b.stat
check "-o of solve is needed" refused 1 "-o MODEL is required" "$ENTROPIC" solve a.stat
check "DATA must not be replaced" refused 1 "all.csv" "$ENTROPIC" collect all.csv --design plain.entropic -o all.csv
finish
