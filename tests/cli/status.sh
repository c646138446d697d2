# Every exit status and its messages.
set -u
. "$ENTROPIC_SOURCE/tests/_tap.sh"
. "$ENTROPIC_SOURCE/tests/cli/_ends.sh"

# A sanitizer takes more address space than any limit allows.
sanitized() {
  grep -qa __asan_init "$ENTROPIC"
}

out_of_memory() {
  (
    ulimit -v 300000
    "$ENTROPIC" design --inputs 30 --features 100000000 -o big.tsv 2>err
    [ $? -eq 3 ] && cat err && grep -q memory err && [ ! -e big.tsv ]
  )
}

printf 'a,b,y\n0.1,0.2,1\n0.3,0.4,2\n0.5,0.9,3\n' >good.csv
printf 'a,b,y\n0.1,0.2,1\n0.3,oops,2\n' >bad.csv
printf 'a,b\n0.1,0.2\n0.3\n' >short.csv
printf 'a,b\n0.1,nan\n' >nan.csv
printf 'age,age\n1,2\n' >twins.csv
: >empty.csv
printf 'nonsense\n' >bad.design

# 1: wrong use.
check "no command" ends 1 '^entropic: a command is required'
check "an unknown command" ends 1 'unknown command fetures: did you mean features\?' fetures
check "a command like no other" ends 1 'unknown command zzzzzzzzz: see' zzzzzzzzz
check "version is no command" ends 1 'unknown command version: did you mean --version\?' version
check "a hint must be near" ends 1 "unknown command vision: see" vision
check "an unknown option before the command" ends 1 'unknown option --json' --json
check "help for an unknown command" ends 1 'did you mean design' help desing
check "help for two" ends 1 'usage: entropic help' help design features
check "an unknown option" ends 1 '^entropic features: unknown option --fetures: did you mean --features\?$' features good.csv --fetures 3
check "an unknown option with a value" ends 1 'unknown option --omgea: did you mean --omega' features good.csv --omgea=3
check "an unknown letter" ends 1 'unknown option -x' features good.csv -x
check "letters together" ends 1 'unknown option -ho' features good.csv -ho file
check "an option like no other" ends 1 "unknown option --zzzzzzz: see 'entropic help features'" features good.csv --zzzzzzz
check "a value is missing" ends 1 '--features needs a value: M' features good.csv --features
check "an option where a value should be" ends 1 '--target needs a value: COL' features good.csv --target --quiet
check "an empty value" ends 1 '--target needs a value that is not empty' features good.csv --target=
check "a value for a flag" ends 1 '--json takes no value' features good.csv --json=yes
check "an option given twice" ends 1 '--features is given twice' features good.csv --features 3 --features 4
check "too small a number" ends 1 '--features 0: expected a whole number from 1 to 2147483647' features good.csv --features 0
check "too large a number" ends 1 '--max-level 31: expected a whole number from 0 to 30' features good.csv --max-level 31
check "no number" ends 1 '--rows ten: expected a whole number from 1 to 1000000000' generate friedman1 --rows ten
check "not a whole number" ends 1 '--rows 15e-1: expected a whole number' generate friedman1 --rows 15e-1
check "too large a whole number with an exponent" ends 1 '--rows 1e10: expected' generate friedman1 --rows 1e10
check "a power beyond exactness" ends 1 '--seed 1e17: expected' generate friedman1 --seed 1e17
check "a power beyond numbers" ends 1 '--rows 1e999: expected' generate friedman1 --rows 1e999
check "a power without digits" ends 1 '--rows e3: expected' generate friedman1 --rows e3
check "a number beyond 64 bits" ends 1 '--seed 18446744073709551616: expected' generate friedman1 --seed 18446744073709551616
check "a negative number" ends 1 '--noise -1: expected a number from 0 to 1000000$' generate friedman1 --noise -1
check "not a number" ends 1 '--noise nan: expected a number' generate friedman1 --noise nan
check "a wrong choice" ends 1 '--kernel lapalce: expected centred\|.*did you mean laplace' features good.csv --kernel lapalce
check "a choice like no other" ends 1 '--criterion zzzz: expected l2\|sup\|data$' features good.csv --criterion zzzz
check "omega out of range" ends 1 '--omega 0: expected a number from 1e-6 to 1e4$' features good.csv --omega 0
check "a list of omegas of the wrong length" ends 1 '--omega has 2 numbers, there are 3 inputs' features good.csv --omega 1,2
check "a hole in the list of omegas" ends 1 '--omega : expected a number' features good.csv --omega 1,,2
check "a delimiter of two characters" ends 1 '--delimiter ab: expected one character' features good.csv --delimiter ab
check "a decimal mark that is none" ends 1 "decimal is 'x', expected '.' or ','" features good.csv --decimal x
check "a delimiter that numbers are made of" ends 1 "delimiter is '1', expected a character that is not part of a number" features good.csv --delimiter 1
check "decimal and delimiter alike" ends 1 'both' features good.csv --delimiter comma --decimal comma
check "features and nonzeros" ends 1 '--features and --nonzeros cannot be combined' features good.csv --features 3 --nonzeros 3
check "no data" ends 1 'DATA is required; usage: entropic features DATA' features
check "two data" ends 1 'unexpected argument two.csv' features good.csv two.csv
check "an unknown column" ends 1 'good.csv: no column x; there are a, b, y$' features good.csv --target x
check "a misspelt column" ends 1 'no column ages: did you mean age\?' features <(printf 'age,b\n1,2\n') --ignore ages
check "an unknown column among many" ends 1 'no column q; there are 21, the first is c1$' \
  features <(seq -f 'c%g' 21 | paste -sd,; seq 21 | paste -sd,) --ignore q
check "a column in the wrong case" ends 1 'no column AGE: did you mean age\?' features <(printf 'age,b\n1,2\n') --ignore AGE
check "a column number out of range" ends 1 'no column 4; there are 3' features good.csv --target 4
check "column 0" ends 1 'no column 0; there are 3' features good.csv --target 0
check "no input left" ends 1 'no input is left' features good.csv --target y --ignore a,b
check "the target ignored" ends 1 'the target and cannot be ignored' features good.csv --target y --ignore y
check "json with rows on standard output" ends 1 '--json needs -o' features good.csv --json
check "design with kernel options" ends 1 '--design and --kernel cannot be combined' features good.csv --design d --kernel laplace
check "paper without interior" ends 1 '--select paper needs --basis interior' features good.csv --select paper
check "smooth without centred" ends 1 '--smooth cannot be combined with --kernel laplace' features good.csv --smooth 2 --kernel laplace
check "omega for a kernel without one" ends 1 '--omega cannot be combined with --kernel bridge' features good.csv --kernel bridge --omega 2
check "the same for design" ends 1 '--omega cannot be combined with --kernel bridge' design --inputs 2 --kernel bridge --omega 1
check "a seed for nothing" ends 1 '--seed needs --select paper' features good.csv --seed 3
check "the same for design" ends 1 '--seed needs --select paper' design --inputs 2 --seed 1
check "labels without a target" ends 1 '--labels needs --target' features good.csv --labels l
check "rows and labels in one place" ends 1 'the rows and the labels cannot both go to out.txt' features good.csv --target y -o out.txt --labels out.txt
check "one place in two spellings" ends 1 'the rows and the labels cannot both go to out.txt' features good.csv --target y -o out.txt --labels .//./out.txt
check "rows and design on standard output" ends 1 'the rows and the design cannot both go to standard output' features good.csv --save-design -
check "labels and summary on standard output" ends 1 'the labels and the summary' features good.csv --target y -o o --json --labels -
check "list and design on standard output" ends 1 'the list and the design cannot' design --inputs 2 --save-design -
check "a hole in the list of columns" ends 1 '--ignore a,,b: a name is empty' features good.csv --ignore a,,b
check "--ignore as often as one likes" eval '"$ENTROPIC" features good.csv --target y $(for i in $(seq 40); do echo --ignore a; done) --quiet >out && "$ENTROPIC" features good.csv --target y --ignore a --quiet | cmp - out'
check "a size twice" ends 1 '--features: 50 appears twice' compare good.csv --target y --features 50,20,50
check "an unknown option that another command has" ends 1 'unknown option --weights' predict good.entropic good.csv --weights a
check "smooth 1" ends 1 'start at degree 2' features good.csv --smooth 1
check "an unknown function" ends 1 'did you mean friedman1' generate freidman1
check "a function's name is missing" ends 1 'name of a function is required' generate --rows 5
check "a list of a name" ends 1 '--list and a name cannot be combined' generate friedman1 --list
check "design of nothing" ends 1 'DATA, --inputs D, --design FILE or --ranges is required' design
check "design of data and inputs" ends 1 'DATA and --inputs cannot be combined' design good.csv --inputs 3
check "design by data without data" ends 1 '--criterion data needs DATA' design --inputs 3 --criterion data
check "design with columns and no data" ends 1 '--target needs DATA' design --inputs 3 --target y
check "design with reading options and no data" ends 1 '--delimiter needs DATA' design --inputs 3 --delimiter tab
check "a saved design with inputs" ends 1 '--design and --inputs cannot be combined' design --design d --inputs 3

# 2: bad data; the message names file, line and column.
check "no such file" ends 2 '^entropic features: missing.csv: No such file' features missing.csv
mkdir bare
check "a folder" ends 2 "the folder 'bare' has 0 files and no table" features bare
check "text where a number belongs" ends 2 'bad.csv.*line 3, column 2.*oops' features bad.csv
check "a short line" ends 2 'short.csv.*line 3' features short.csv
check "a name of two columns" ends 0 'is renamed age.1' features twins.csv -o twins.libsvm
check "an empty file" ends 2 'empty.csv' features empty.csv
check "not a number in the data" ends 2 'nan.csv' features nan.csv
check "no such design" ends 2 'missing.design: No such file' features good.csv --design missing.design
check "a file that is no design" ends 2 'bad.design.*line 1' features good.csv --design bad.design
check "a design to list that is none" ends 2 'bad.design' design --design bad.design
"$ENTROPIC" design --inputs 2 --features 5 --save-design two.design >list
check "a design of other inputs" ends 2 'two.design: the design is for 2 inputs, good.csv has 3' features good.csv --design two.design
check "a design of other inputs, listed" ends 2 'two.design: the design is for 2 inputs' design good.csv --design two.design

# 3: the system.
check "an unwritable place" ends 3 'nowhere' generate friedman1 -o nowhere/out.csv
check "an unwritable place for rows" ends 3 'nowhere' features good.csv -o nowhere/out.libsvm
check "an unwritable place for npz" ends 3 'nowhere' features good.csv -o nowhere/out.npz
check "an unwritable place for a design" ends 3 'nowhere' design --inputs 2 --save-design nowhere/d
check "an unwritable place for a list" ends 3 'nowhere' design --inputs 2 -o nowhere/d
check "an unwritable place for labels" ends 3 'nowhere' features good.csv --target y --labels nowhere/l
check "a folder as output" ends 3 'directory' features good.csv -o .
check "a folder as model to update" ends 2 'folder' update . good.csv
check "a folder as model to forget from" ends 2 'folder' forget . good.csv
check "a folder as design" ends 2 'folder' features good.csv --design .
cp good.csv kept.csv
ln -s kept.csv link.csv
check "output over the input" ends 1 'would replace DATA' features kept.csv --target y -o ./kept.csv
check "labels over the input, through a link" ends 1 'would replace DATA' features kept.csv --target y -o rows.npz --labels link.csv
check "a list over the input" ends 1 'would replace DATA' design kept.csv --target y -o link.csv
check "the input is still there" cmp good.csv kept.csv
check "the paper's choice with a limit of order" ends 1 'max_order' design --inputs 4 --select paper --basis interior --max-order 1
if sanitized; then
  skip "out of memory" "sanitizers need the memory"
else
  check "out of memory" out_of_memory
fi
finish
