# entropic generate: lists, sizes, determinism, noise.
set -u
. "$ENTROPIC_SOURCE/tests/_tap.sh"

listed() {
  "$ENTROPIC" generate --list >list && "$ENTROPIC" generate >list2 && cmp list list2 && [ -s list ] &&
    awk -F '\t' 'NF != 3 || $2 + 0 < 1 { bad = 1 } END { exit bad }' list && grep -q '^friedman1	10	' list
}

# Every listed function gives rows of its inputs and y, all numbers.
every_one() {
  local name inputs rest
  while IFS=$'\t' read -r name inputs rest; do
    "$ENTROPIC" generate "$name" --rows 7 >table.csv || return 1
    awk -F , -v d="$inputs" 'NF != d + 1 { bad = 1 }
      NR == 1 { if ($1 != "x1" || $d != "x" d || $(d + 1) != "y") bad = 1; next }
      { for (i = 1; i <= NF; i++) if ($i !~ /^-?[0-9]/) bad = 1 }
      END { exit bad || NR != 8 }' table.csv || { echo "$name"; cat table.csv; return 1; }
  done <list
}

check "the list" listed
check "every function" every_one
check "1000 rows by default" test "$("$ENTROPIC" generate friedman1 | wc -l)" -eq 1001
"$ENTROPIC" generate friedman1 >a
check "the same again" cmp <("$ENTROPIC" generate friedman1 --rows 1000 --seed 1 --noise 0) a
check "a number of rows with an exponent" cmp <("$ENTROPIC" generate friedman1 --rows 1e3) a
check "auto is the default" cmp <("$ENTROPIC" generate friedman1 --rows auto --seed auto) a
check "another seed, other rows" fails cmp -s <("$ENTROPIC" generate friedman1 --seed 2) a
check "the largest seed" test "$("$ENTROPIC" generate friedman1 --seed 18446744073709551615 --rows 2 | wc -l)" -eq 3
check "fewer rows are the first ones" cmp <("$ENTROPIC" generate friedman1 --rows 10) <(head -n 11 a)
check "-o writes the same" eval '"$ENTROPIC" generate friedman1 -o b && cmp a b'
check "--output too" eval '"$ENTROPIC" generate friedman1 --output=b2 && cmp a b2'
check "a name in .gz does not gzip, and says so" eval '"$ENTROPIC" generate friedman1 -o b.gz 2>err && cmp a b.gz && grep -q "notice: b.gz: the output is not compressed" err'
"$ENTROPIC" generate friedman1 --noise 2 >noisy
check "noise changes y alone" eval 'cmp <(cut -d, -f1-10 a) <(cut -d, -f1-10 noisy) && ! cmp -s a noisy'
check "noise of the right size" awk -F , '
  NR == FNR { y[FNR] = $11; next } FNR > 1 { e = $11 - y[FNR]; s += e; q += e * e }
  END { n = FNR - 1; sd = sqrt(q / n); print sd; exit !(sd >= 1.8 && sd <= 2.2 && s / n <= 0.3 && s / n >= -0.3) }' a noisy
check "the definition of friedman1" awk -F , 'NR > 1 {
    pi = atan2(0, -1); y = 10 * sin(pi * $1 * $2) + 20 * ($3 - .5)^2 + 10 * $4 + 5 * $5
    if (!((y - $11)^2 <= 1e-20)) bad = 1 } END { exit bad || NR != 1001 }' a
finish
