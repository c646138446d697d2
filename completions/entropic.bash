# Completion of entropic for bash. Written by scripts/reference.
_entropic() {
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
  local commands='generate fit predict score explain export info features design collect merge solve update forget receipt compare paper' options='' kind='' values=''
  # --name=value comes in three words.
  if [ "$word" = = ]; then
    word=
  elif [ "$previous" = = ]; then
    previous=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W "$commands help --help --version" -- "$word")
    return
  fi
  case $command in
  help) kind=words values=$commands ;;
  generate)
    options='--rows --noise --seed -o --output --list --quiet -h --help --version'
    case $previous in
    --rows | --noise | --seed) kind=words ;;
    -o | --output) kind=files ;;
    esac
    ;;
  fit)
    options='-o --output --valid --html --checkpoint --json --target --weights --groups --time --ignore --keep --categorical --task --loss --class-weight --scale --target-scale --features --nonzeros --select --kernel --p --q --alpha --beta --left --right --omega --basis --criterion --smooth --max-level --max-order --only --without --unrestricted --lambda --target-means --keep-statistics --ensemble --effort --rows-in-model --solver --folds --sample --seconds --seed --memory --spool --sql --format --delimiter --header --decimal --quote --comment --missing --from-zero --any-order --threads --quiet -h --help --version'
    case $previous in
    -o | --output | --valid | --html) kind=files ;;
    --checkpoint | --spool) kind=folders ;;
    --target | --weights | --groups | --time | --ignore | --keep | --categorical | --p | --q | --alpha | --beta | --left | --right | --only | --without | --sql | --missing | --threads) kind=words ;;
    --task) kind=words values='auto regression classification' ;;
    --loss) kind=words values='auto squared logistic hinge huber' ;;
    --class-weight) kind=words values='none balanced' ;;
    --scale) kind=words values='auto quantile minmax none blend' ;;
    --target-scale) kind=words values='auto plain root' ;;
    --features | --lambda) kind=words values='auto theory' ;;
    --nonzeros | --omega | --smooth | --max-level | --max-order | --ensemble | --folds | --sample | --seconds | --seed) kind=words values='auto' ;;
    --select) kind=words values='auto entropy residual paper' ;;
    --kernel) kind=words values='centred sobolev laplace cosh brownian bridge custom neumann' ;;
    --basis) kind=words values='full interior' ;;
    --criterion) kind=words values='l2 sup data' ;;
    --unrestricted | --rows-in-model) kind=words values='yes no' ;;
    --target-means) kind=words values='auto no' ;;
    --effort) kind=words values='fast default best' ;;
    --solver) kind=words values='auto direct dual iterative exact' ;;
    --memory) kind=words values='auto none' ;;
    --format) kind=words values='auto text libsvm npy' ;;
    --delimiter | --decimal | --quote | --comment) kind=words values='auto tab space comma semicolon pipe point none' ;;
    --header) kind=words values='auto yes no' ;;
    esac
    ;;
  predict)
    options='-o --output --with --proba --interval --std --effects --json --sql --format --delimiter --header --decimal --quote --comment --missing --from-zero --any-order --threads --quiet -h --help --version'
    case $previous in
    -o | --output) kind=files ;;
    --with | --interval | --sql | --missing | --threads) kind=words ;;
    --format) kind=words values='auto text libsvm npy' ;;
    --delimiter | --decimal | --quote | --comment) kind=words values='auto tab space comma semicolon pipe point none' ;;
    --header) kind=words values='auto yes no' ;;
    esac
    ;;
  score)
    options='--interval --json --weights --sql --format --delimiter --header --decimal --quote --comment --missing --from-zero --any-order --threads --quiet -h --help --version'
    case $previous in
    --interval | --weights | --sql | --missing | --threads) kind=words ;;
    --format) kind=words values='auto text libsvm npy' ;;
    --delimiter | --decimal | --quote | --comment) kind=words values='auto tab space comma semicolon pipe point none' ;;
    --header) kind=words values='auto yes no' ;;
    esac
    ;;
  explain)
    options='--row --html --json --sql --format --delimiter --header --decimal --quote --comment --missing --from-zero --any-order --threads --quiet -h --help --version'
    case $previous in
    --row | --sql | --missing | --threads) kind=words ;;
    --html) kind=files ;;
    --format) kind=words values='auto text libsvm npy' ;;
    --delimiter | --decimal | --quote | --comment) kind=words values='auto tab space comma semicolon pipe point none' ;;
    --header) kind=words values='auto yes no' ;;
    esac
    ;;
  export)
    options='-o --output --lang --float --name --quiet -h --help --version'
    case $previous in
    -o | --output) kind=files ;;
    --lang) kind=words values='c js json' ;;
    --name) kind=words ;;
    esac
    ;;
  info)
    options='--list --json --quiet -h --help --version'
    case $previous in
    esac
    ;;
  features)
    options='-o --output --labels --design --save-design --json --target --ignore --keep --scale --features --nonzeros --select --kernel --p --q --alpha --beta --left --right --omega --basis --criterion --smooth --max-level --max-order --seed --sql --format --delimiter --header --decimal --quote --comment --missing --from-zero --any-order --threads --quiet -h --help --version'
    case $previous in
    -o | --output | --labels | --design | --save-design) kind=files ;;
    --target | --ignore | --keep | --p | --q | --alpha | --beta | --left | --right | --sql | --missing | --threads) kind=words ;;
    --scale) kind=words values='quantile minmax none blend' ;;
    --features | --nonzeros | --omega | --smooth | --max-level | --max-order | --seed) kind=words values='auto' ;;
    --select) kind=words values='entropy paper' ;;
    --kernel) kind=words values='centred sobolev laplace cosh brownian bridge custom neumann' ;;
    --basis) kind=words values='full interior' ;;
    --criterion) kind=words values='l2 sup data' ;;
    --format) kind=words values='auto text libsvm npy' ;;
    --delimiter | --decimal | --quote | --comment) kind=words values='auto tab space comma semicolon pipe point none' ;;
    --header) kind=words values='auto yes no' ;;
    esac
    ;;
  design)
    options='--inputs -o --output --design --save-design --json --target --ignore --keep --ranges --target-range --classes --scale --features --nonzeros --select --kernel --p --q --alpha --beta --left --right --omega --basis --criterion --smooth --max-level --max-order --lambda --seed --sql --format --delimiter --header --decimal --quote --comment --missing --from-zero --any-order --threads --quiet -h --help --version'
    case $previous in
    --inputs | --target | --ignore | --keep | --ranges | --target-range | --classes | --p | --q | --alpha | --beta | --left | --right | --sql | --missing | --threads) kind=words ;;
    -o | --output | --design | --save-design) kind=files ;;
    --scale) kind=words values='quantile minmax none blend' ;;
    --features | --nonzeros | --omega | --smooth | --max-level | --max-order | --lambda | --seed) kind=words values='auto' ;;
    --select) kind=words values='entropy paper' ;;
    --kernel) kind=words values='centred sobolev laplace cosh brownian bridge custom neumann' ;;
    --basis) kind=words values='full interior' ;;
    --criterion) kind=words values='l2 sup data' ;;
    --format) kind=words values='auto text libsvm npy' ;;
    --delimiter | --decimal | --quote | --comment) kind=words values='auto tab space comma semicolon pipe point none' ;;
    --header) kind=words values='auto yes no' ;;
    esac
    ;;
  collect)
    options='--design -o --output --json --weights --sql --format --delimiter --header --decimal --quote --comment --missing --from-zero --any-order --threads --quiet -h --help --version'
    case $previous in
    --design | -o | --output) kind=files ;;
    --weights | --sql | --missing | --threads) kind=words ;;
    --format) kind=words values='auto text libsvm npy' ;;
    --delimiter | --decimal | --quote | --comment) kind=words values='auto tab space comma semicolon pipe point none' ;;
    --header) kind=words values='auto yes no' ;;
    esac
    ;;
  merge)
    options='-o --output --quiet -h --help --version'
    case $previous in
    -o | --output) kind=files ;;
    esac
    ;;
  solve)
    options='-o --output --json --lambda --keep-statistics --threads --quiet -h --help --version'
    case $previous in
    -o | --output) kind=files ;;
    --lambda) kind=words values='auto design' ;;
    --threads) kind=words ;;
    esac
    ;;
  update)
    options='-o --output --rows-only --json --weights --sql --format --delimiter --header --decimal --quote --comment --missing --from-zero --any-order --threads --quiet -h --help --version'
    case $previous in
    -o | --output) kind=files ;;
    --weights | --sql | --missing | --threads) kind=words ;;
    --format) kind=words values='auto text libsvm npy' ;;
    --delimiter | --decimal | --quote | --comment) kind=words values='auto tab space comma semicolon pipe point none' ;;
    --header) kind=words values='auto yes no' ;;
    esac
    ;;
  forget)
    options='-o --output --json --weights --sql --format --delimiter --header --decimal --quote --comment --missing --from-zero --any-order --threads --quiet -h --help --version'
    case $previous in
    -o | --output) kind=files ;;
    --weights | --sql | --missing | --threads) kind=words ;;
    --format) kind=words values='auto text libsvm npy' ;;
    --delimiter | --decimal | --quote | --comment) kind=words values='auto tab space comma semicolon pipe point none' ;;
    --header) kind=words values='auto yes no' ;;
    esac
    ;;
  receipt)
    options='--quiet -h --help --version'
    case $previous in
    esac
    ;;
  compare)
    options='--html --json --target --groups --ignore --keep --categorical --task --scale --features --kernel --p --q --alpha --beta --left --right --seed --runs --sql --format --delimiter --header --decimal --quote --comment --missing --from-zero --any-order --threads --quiet -h --help --version'
    case $previous in
    --html) kind=files ;;
    --target | --groups | --ignore | --keep | --categorical | --p | --q | --alpha | --beta | --left | --right | --sql | --missing | --threads) kind=words ;;
    --task) kind=words values='auto regression classification' ;;
    --scale) kind=words values='auto quantile minmax none blend' ;;
    --features | --seed | --runs) kind=words values='auto' ;;
    --kernel) kind=words values='centred sobolev laplace cosh brownian bridge custom neumann' ;;
    --format) kind=words values='auto text libsvm npy' ;;
    --delimiter | --decimal | --quote | --comment) kind=words values='auto tab space comma semicolon pipe point none' ;;
    --header) kind=words values='auto yes no' ;;
    esac
    ;;
  paper)
    options='--data --runs --only --results --most --quick --claims --html --checkpoint --seed --json --threads --quiet -h --help --version'
    case $previous in
    --data | --checkpoint) kind=folders ;;
    --runs | --only | --most | --seed | --threads) kind=words ;;
    --results | --html) kind=files ;;
    esac
    ;;
  esac
  if [ -z "$kind" ] && [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
    return
  fi
  if [ -z "$kind" ] && [ "$command" = generate ]; then
    kind=words values=$(entropic generate --list 2>/dev/null | cut -f 1)
  fi
  case $kind in
  words)
    compopt +o default 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -W "$values" -- "$word")
    ;;
  folders) mapfile -t COMPREPLY < <(compgen -d -- "$word") ;;
  esac
}
# What is left without an answer is a file.
complete -o default -F _entropic entropic
