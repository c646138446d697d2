# For test scripts that go through all kernels: $kernels is what --kernel takes, as the help lists it, without custom, which
# needs expressions (custom.sh).
kernels=$("$ENTROPIC" help design | sed -n 's/^ *--kernel \([a-z|]*\)$/\1/p' | tr '|' '\n' | grep -vx custom | tr '\n' ' ')
kernels=${kernels% }

# design_says KERNEL PATTERN: whether the JSON of a small design with this kernel has it.
design_says() {
  "$ENTROPIC" design --inputs 1 --features 2 --kernel "$1" --json --quiet | grep -q "$2"
}

# omega_of KERNEL: the option that sets omega to 1; nothing for kernels that have none.
omega_of() {
  design_says "$1" '"omega": null' || echo "--omega 1"
}

check "the help names the kernels" eval 'case " $kernels " in *" centred "*" bridge "*) true ;; *) false ;; esac'
