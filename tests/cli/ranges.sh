# entropic design --ranges and entropic collect --design: a design that has seen no row, and what is refused.
set -u
. "$ENTROPIC_SOURCE/tests/_tap.sh"

# refused STATUS TEXT COMMAND...: it ends with that status and says that on standard error, and prints nothing.
refused() {
  local status=$1 text=$2
  shift 2
  "$ENTROPIC" "$@" >out.txt 2>err.txt
  [ $? -eq "$status" ] && [ ! -s out.txt ] && grep -qF -- "$text" err.txt || { cat out.txt err.txt && return 1; }
}

# rows NAME LINE...: a table of these rows.
rows() {
  local name=$1
  shift
  (echo 'age,sex,"income, yearly",price' && printf '%s\n' "$@") >"$name"
}

printf '%s\n' '# people' 'age = 0:120' 'sex=f|m?' 'income, yearly=0:1e6?' >list.txt
given=(--target price --target-range -10:90 --features 20)
"$ENTROPIC" design --ranges list.txt "${given[@]}" --save-design d.txt >groups.txt
check "the list has the names of columns" grep -qP '\tage:linear sex:category$' groups.txt
"$ENTROPIC" design --design d.txt >again.txt
check "so has that of the saved design" cmp groups.txt again.txt
check "names with commas are lines of their own" grep -qx 'input income, yearly' d.txt
check "a file and a text give the same" sh -c \
  '"$ENTROPIC" design --ranges "a=0:1,b=u|v" --target y --classes k,l --save-design one.txt -o list &&
   printf "a=0:1\nb=u|v\n" >two && "$ENTROPIC" design --ranges two --target y --classes k,l --save-design two.txt -o list &&
   cmp one.txt two.txt'

rows sound.csv 30,f,20000,5 130,m,3,7 40,,,9 50,x,70000,11
"$ENTROPIC" collect sound.csv --design d.txt -o sound.stat >receipt.txt 2>notices.txt
check "rows are collected" test "$(cat receipt.txt)" = "$("$ENTROPIC" receipt sound.stat)"
check "values beyond ranges, other categories and missing values are counted" grep -qF \
  '1 value beyond the range learnt from (it counts as its end), 1 value of a category never seen, 2 missing values' notices.txt
rows clamped.csv 30,f,20000,5 120,m,3,7 40,,,9 50,x,70000,11
"$ENTROPIC" collect clamped.csv --design d.txt -o clamped.stat --quiet >/dev/null
check "a value beyond its range counts as its end" cmp sound.stat clamped.stat
"$ENTROPIC" solve sound.stat --keep-statistics -o sound.entropic --quiet
check "solve takes the lambda of the design" sh -c '"$ENTROPIC" info sound.entropic | grep -q "^lambda  *0.0001$"'

rows hole.csv 30,f,1,5 NA,f,1,5
for design in d.txt sound.stat; do
  check "a missing value without an atom is refused, by $design" refused 2 \
    'hole.csv, line 3 (age): found no value, expected a number' collect hole.csv --design $design -o hole.stat
done
check "and by update" refused 2 'hole.csv, line 3 (age): found no value' update sound.entropic hole.csv
check "nothing is written then" test ! -e hole.stat
rows far.csv 30,f,1,5 30,f,1,600
check "a target beyond the head-room is refused" refused 2 'far.csv, line 3 (price): found 600, expected a target from ' \
  collect far.csv --design d.txt -o far.stat
"$ENTROPIC" design --ranges list.txt --target price --target-range -10:91 --features 20 --save-design other.txt -o list
"$ENTROPIC" collect sound.csv --design other.txt -o other.stat --quiet >/dev/null
check "another range is another design" refused 2 'they differ in the shift of the target' merge sound.stat other.stat -o sum.stat
sed 's/^missing refused/missing atom/; s/unit 0$/unit 0 missing 1/' d.txt >kind.txt
"$ENTROPIC" collect sound.csv --design kind.txt -o kind.stat --quiet >/dev/null
check "and so is another rule for missing values" refused 2 'they differ in how columns are read' \
  merge sound.stat kind.stat -o sum.stat

sed 's/^range 0 120$/range 120 0/' d.txt >bad.txt
check "a fault of the text is named with its line" refused 2 \
  'bad.txt, line 4: found a range from 120 to 0, expected two finite numbers' collect sound.csv --design bad.txt -o bad.stat
"$ENTROPIC" design --inputs 3 --save-design plain.txt -o list
check "a design without columns is refused" refused 2 'plain.txt, line 1: found a design that does not say' \
  collect sound.csv --design plain.txt -o bad.stat
check "a fault of the ranges is named with its line" sh -c \
  'printf "a=0:1\nb=1:0\n" >bad.lst; ! "$ENTROPIC" design --ranges bad.lst --target y --target-range 0:1 2>err && grep -qF "bad.lst, line 2: found" err'
check "ranges need a target" refused 1 '--ranges needs --target' design --ranges a=0:1 --target-range 0:1
check "and its range or classes" refused 1 '--target-range for a number or --classes' design --ranges a=0:1 --target y
check "without ranges there is no lambda" refused 1 '--lambda needs --ranges' design --inputs 2 --lambda 1
check "ranges go without data" refused 1 '--ranges and DATA cannot be combined' design sound.csv --ranges a=0:1 "${given[@]}"
check "and without what is about data" refused 1 '--scale needs DATA' design --ranges a=0:1 "${given[@]}" --scale none
check "a list that is not there" refused 2 'nothing.txt' design --ranges nothing.txt "${given[@]}"
check "the list is not overwritten" refused 1 'list.txt' design --ranges list.txt "${given[@]}" --save-design list.txt
check "columns are not dropped in silence" refused 1 'copy the file' design --design d.txt --save-design e.txt
check "features has no ranges" refused 1 'unknown option --ranges' features sound.csv --ranges a=0:1
finish
