# Help and version of entropic and of every command.
set -u
. "$ENTROPIC_SOURCE/tests/_tap.sh"

# says STATUS PATTERN COMMAND...: that exit status, nothing on standard error, and the pattern in the output.
says() {
  local status=$1 pattern=$2 got
  shift 2
  "$@" >out 2>err
  got=$?
  cat out err
  [ "$got" -eq "$status" ] && grep -qE -e "$pattern" out && [ ! -s err ]
}

same() {
  "$ENTROPIC" help "$1" >a && "$ENTROPIC" "$1" --help >b && cmp a b && "$ENTROPIC" "$1" -h >b && cmp a b
}

# Each option of the help is accepted: `--name=` must not be an unknown option.
options_known() {
  local option
  "$ENTROPIC" help "$1" | grep -oE '^ +(-., )?--[a-z-]+' | grep -oE -e '--[a-z-]+' >options
  [ -s options ] || return 1
  while read -r option; do
    "$ENTROPIC" "$1" "$option=" 2>&1 </dev/null | grep -q "unknown option" && echo "$option" && return 1
  done <options
  true
}

# The manual page has every option of the help (common options are in entropic.1).
manual_complete() {
  local option page=$ENTROPIC_SOURCE/docs/man/entropic-$1.1
  "$ENTROPIC" help "$1" | grep -oE '^ +(-., )?--[a-z-]+' | grep -oE -e '--[a-z-]+' >options
  [ -s options ] || return 1
  while read -r option; do
    sed 's/\\-/-/g' "$page" "$ENTROPIC_SOURCE/docs/man/entropic.1" | grep -qE -e "$option( |$|\")" || { echo "$option"; return 1; }
  done <options
}

manual_clean() {
  groff -ww -man -Tutf8 "$ENTROPIC_SOURCE/docs/man/$1.1" 2>faults >page && cat faults && [ ! -s faults ] && [ -s page ]
}

narrow() {
  "$ENTROPIC" "$@" | awk 'length > 100 { print; bad = 1 } END { exit bad }'
}

check "--version" says 0 '^entropic [0-9]+\.[0-9]+\.[0-9]+$' "$ENTROPIC" --version
check "--help" says 0 '^usage: entropic COMMAND' "$ENTROPIC" --help
check "-h" says 0 '^usage: entropic COMMAND' "$ENTROPIC" -h
check "help" says 0 '^usage: entropic COMMAND' "$ENTROPIC" help
for word in help --help -h; do
  check "help $word" says 0 '^  help +what a command does' "$ENTROPIC" help $word
done
# attached COMMAND ARGUMENTS...: -oFILE is -o FILE.
attached() {
  "$ENTROPIC" "$@" -o apart.out 2>err && "$ENTROPIC" "$@" -ojoined.out 2>err && cmp apart.out joined.out
  local got=$?
  cat err
  rm -f apart.out joined.out
  return $got
}
"$ENTROPIC" generate friedman1 --rows 60 -osmall.csv --quiet
"$ENTROPIC" fit small.csv --target y --features 20 --quiet -osmall.entropic
check "generate -oFILE" attached generate friedman1 --rows 20
check "fit -oFILE" attached fit small.csv --target y --features 20
check "predict -oFILE" attached predict small.entropic small.csv
check "features -oFILE" attached features small.csv --features 10
check "design -oFILE" attached design --inputs 2 --features 10
check "export -oFILE" attached export small.entropic
"$ENTROPIC" --help | grep -oE '^  [a-z]+ ' | while read -r command; do
  [ "$command" = help ] || "$ENTROPIC" help "$command" | sed -nE "s/^  -([a-z]), --[a-z]+ [A-Z].*/$command -\1/p"
done >letters
check "no other short option takes a value" eval '[ "$(sort letters | tr "\n" ,)" = "collect -o,design -o,export -o,features -o,fit -o,forget -o,generate -o,merge -o,predict -o,solve -o,update -o," ]'
check "a short option that takes none" eval '"$ENTROPIC" fit small.csv -hx 2>err; [ $? -eq 1 ] && grep -q "unknown option -hx" err'
for command in generate fit predict score explain export info features design collect merge solve update forget receipt compare paper; do
  check "--help names $command" says 0 "^  $command " "$ENTROPIC" --help
  check "help $command" says 0 "^usage: entropic $command " "$ENTROPIC" help $command
  check "help $command has an example" says 0 '^  entropic ' "$ENTROPIC" help $command
  check "help $command, $command --help and -h agree" same $command
  check "$command --help wins over wrong use" says 0 '^usage' "$ENTROPIC" $command --help --quiet
  check "$command --version" says 0 '^entropic [0-9]' "$ENTROPIC" $command --version
  check "$command knows the options of its help" options_known $command
  check "help $command fits the screen" narrow help $command
  check "the manual page of $command has its options" manual_complete $command
done
# help --json: all commands, with the options of their help, and the parameters that they share.
reference() {
  "$ENTROPIC" help --json >reference.json 2>err && [ ! -s err ] && "${PYTHON:-python3}" - <<'END'
import json, os, re, subprocess
reference = json.load(open("reference.json"))
assert [c["name"] for c in reference["commands"]] == "generate fit predict score explain export info features design collect merge solve update forget receipt compare paper".split()
for command in reference["commands"]:
    text = subprocess.run([os.environ["ENTROPIC"], "help", command["name"]], capture_output=True, text=True).stdout
    shown = re.findall(r"^ +(?:-., )?--([a-z-]+)", text, re.M)
    parameters = [reference["parameters"][i] for i in command["parameters"]]
    told = [o["name"] for o in command["options"] + parameters + reference["common"]]
    assert sorted(shown) == sorted(told), (command["name"], shown, told)
    assert len(set(told)) == len(told), command["name"]
for p in reference["parameters"]:
    assert p["name"] and p["type"] and p["purposes"] and p["since"] and p["help"], p
    assert (p["type"] in ("integer", "number", "integers", "numbers")) == ("highest" in p), p
    assert (p["type"] == "choice") == bool(p["choices"]), p
    assert all(len(line) <= 70 for line in p["help"].split("\n")), p
    default = p["default"]
    if p["type"] == "choice":
        assert default in [c["name"] for c in p["choices"]], p
    if p["type"] in ("integer", "number") and default not in p["words"].split("|"):
        assert p["lowest"] <= float(default) <= p["highest"], p
END
}

check "help --json" reference
for page in entropic entropic-generate entropic-fit entropic-predict entropic-score entropic-explain entropic-export entropic-info entropic-features \
  entropic-design entropic-compare entropic-paper; do
  if command -v groff >/dev/null; then
    check "the manual page $page has no faults" manual_clean $page
  else
    skip "the manual page $page has no faults" "there is no groff"
  fi
done
finish
