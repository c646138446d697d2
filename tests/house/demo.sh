# scripts/demo, as make demo runs it: it works, its comparison is what it claims, and README.md shows what it prints.
set -u
. "$ENTROPIC_SOURCE/tests/_tap.sh"
folder=$PWD/demo
data=$ENTROPIC_SOURCE/examples/data

run_demo() {
  DEMO_TIME=no "$ENTROPIC_SOURCE/scripts/demo" "$ENTROPIC" "$folder" >printed && [ -s "$folder/weather.html" ]
}

# error_of NAME: the figure of that line of the chart.
error_of() {
  awk -v name="$1" 'index($0, "  " name " ") == 1 && $NF ~ /^#+$/ { print $(NF - 1) }' printed
}

# figure NAME PREDICTIONS: the chart has the root mean square error of these predictions, computed here.
figure() {
  local error
  error=$(paste -d , "$data/weather-test.csv" "$2" |
    awk -F , 'NR > 1 { sum += ($NF - $(NF - 1)) ^ 2; n++ } END { printf "%.1f", sqrt(sum / n) }')
  echo "$1: $(error_of "$1"), computed: $error" && [ "$(error_of "$1")" = "$error" ]
}

# The mean of the training rows, for every test row.
means() {
  awk -F , 'FNR == 1 { if (NR > 1) print "prediction"; next } NR == FNR { sum += $NF; n++; next }
    { printf "%.15g\n", sum / n }' "$data/weather-train.csv" "$data/weather-test.csv" >means.csv
}

# The linear model has a constant, a slope for each number, and a term for each category and for what is missing.
linear_is_linear() {
  "$ENTROPIC" info "$folder/linear.entropic" --list | awk -F '\t' '
    $1 ~ /^[0-9]+$/ && $3 !~ /^(1|[a-z_]+:linear|[a-z_]+:missing|[a-z_]+=[A-Z]+)$/ { print; wrong = 1 }
    $1 ~ /^[0-9]+$/ { n++ }
    END { exit wrong || n < 10 }'
}

ours_is_best() {
  awk -v a="$(error_of Entropic)" -v b="$(error_of "a linear model")" -v c="$(error_of "always the mean")" \
    'BEGIN { exit !(a > 0 && 2 * a < b && b < c) }'
}

# README.md has the paths of make demo.
in_readme() {
  diff <(sed "s|$ENTROPIC|build/release/bin/entropic|g; s|$folder|build/demo|g" printed) \
    <(sed -n '/^<!-- demo: /,/^<!-- end of demo -->/p' "$ENTROPIC_SOURCE/README.md" | sed '1,2d' | sed '/^```$/,$d') ||
    { echo "make regenerate writes it anew"; return 1; }
}

# No row is in both files; together they have the rows that examples/data/README.md says.
split_apart() {
  local train test
  train=$(tail -n +2 "$data/weather-train.csv" | wc -l) && test=$(tail -n +2 "$data/weather-test.csv" | wc -l) &&
    grep -qF "(${train:0:1},${train:1} rows)" "$data/README.md" && grep -qF "($test rows)" "$data/README.md" &&
    [ -z "$(tail -qn +2 "$data"/weather-*.csv | cut -d , -f 2,3 | sort | uniq -d)" ]
}

check "it runs and leaves a page" run_demo
check "the error of the model is that of its predictions" figure Entropic "$folder/predictions.csv"
check "the error of the linear model is that of its predictions" figure "a linear model" "$folder/linear-predictions.csv"
means
check "the error of the mean is that of the mean of the training rows" figure "always the mean" means.csv
check "the linear model is linear" linear_is_linear
check "the model is better than half the linear one's error" ours_is_best
check "README.md shows what it prints" in_readme
check "training and test rows are apart" split_apart
check "its picture is drawn" eval '"$ENTROPIC_SOURCE/scripts/demo-picture" "$folder" | grep -c "<circle" | grep -qx 578'
finish
