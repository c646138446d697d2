# The front door; `make help` lists what is behind it. CMakePresets.json says how each build folder is configured.

PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || echo 1)
FUZZ_SECONDS ?= 60
PAPER_RUNS ?= 50
RACE_ROWS ?= 1e4,1e5
RACE_CAP ?= 120

# What is installed, as targets of CMake.
product = entropic entropic_static entropic_command entropic_ranks

# $(race) PROGRAM: for races against what uses OpenBLAS, with the same code of it for all. bench-lift sees to that
# itself: it also races OpenBLAS as it is.
race = scripts/openblas-core run

# $(call build,PRESET[,TARGETS]): configures build/PRESET and builds. MAKEFLAGS are ours, not those of the inner make.
define build
	@MAKEFLAGS= cmake --preset $(1) --log-level=WARNING >/dev/null
	@MAKEFLAGS= cmake --build --preset $(1) -j $(JOBS) $(if $(2),--target $(2)) -- --no-print-directory -s
endef

.PHONY: help setup check-mpi demo demo-kernel check build install check-asan check-tsan check-valgrind coverage lint \
        format check-latest check-duckdb check-effects bench-explain check-export check-arm bench-lift bench-read \
        bench-learn bench-fixed bench-pass bench-dense bench-scaling bench-corners bench-predict bench-export \
        bench-random bench-encoder cancel-gaps accuracy race compare-tables honesty bench-intervals bench-calendar bench-paired check-axe wheel \
        check-python check-wheel \
        honesty-compare paper fuzz limits rooms abi-baseline cross-arm64 regenerate release-check dist deb sbom docs check-packages clean

help:
	@echo 'make demo           the main job on a real table: fit, score, compare, and a page to look at'
	@echo 'make check          all tests; the last line is a summary'
	@echo 'make build          library and command, in build/release'
	@echo 'make install PREFIX=DIR   bin/, lib/, include/, share/ and the Python package under DIR (default $(PREFIX))'
	@echo 'make wheel          the Python package for pip, with the library in it, in build/packages'
	@echo 'make setup          the Debian packages that demo and check need (they do this by themselves)'
	@echo
	@echo 'make check-asan     all tests with address and undefined-behaviour sanitizers'
	@echo 'make check-tsan     unit tests with the thread sanitizer'
	@echo 'make check-mpi      fits over ranks of MPI, and ranks that are killed at 30 moments'
	@echo 'make check-valgrind unit tests under valgrind'
	@echo 'make check-python   the Python package whole: all checks of scikit-learn, 200 interrupts, shared tables'
	@echo 'make check-wheel    the wheel, installed by pip where there is nothing else'
	@echo 'make check-latest   the same with the newest packages in a venv, tables from them, and Shapley values beside shap'
	@echo 'make check-duckdb   Parquet, databases and SQL, with DuckDB'"'"'s library from npm'
	@echo 'make check-effects  shares of known functions, and contributions that add up on all shared tables'
	@echo 'make check-axe      pages in a browser, with axe-core from npm'
	@echo 'make check-export   exported C and JavaScript on 100,000 rows, the size of objects, and make check-arm'
	@echo 'make check-arm      exported C on 32-bit ARM, in an emulator'
	@echo 'make coverage       lines of src/ that the tests run; fails below 95 %'
	@echo 'make lint           formatting, cppcheck, clang-tidy'
	@echo 'make format         formats the sources'
	@echo 'make rooms          do the rooms stay apart?'
	@echo 'make accuracy       how good models are on real tables, compared with other learners; see docs/accuracy.md'
	@echo 'make race           time, memory and error beside other software, RACE_ROWS=$(RACE_ROWS) rows, RACE_CAP=$(RACE_CAP) s; docs/races.md'
	@echo 'make compare-tables our features compared with others on the tables of classes; into docs/accuracy.md'
	@echo 'make honesty        are the figures of fit true, on simulated tables? An hour; ends with make honesty-compare'
	@echo 'make honesty-compare  entropic compare on coin flips and noise: does it find what is not there?'
	@echo 'make bench-paired BEFORE=COMMAND  another build of the command on the same rows of all tables: which errs less?'
	@echo 'make bench-calendar   what are dates worth beside hours, weekdays and seasons by hand? Minutes'
	@echo 'make bench-intervals  do intervals hold what they say? Hours, and it can be stopped; see docs/intervals.md'
	@echo 'make demo-kernel    how well M features stand for the kernel, beside random ones'
	@echo 'make bench-lift     how fast rows are lifted'
	@echo 'make bench-read     how fast tables are read, compared with pandas and data.table'
	@echo 'make bench-learn    how fast statistics are collected and equations solved'
	@echo 'make bench-fixed    how fast fixed-point statistics are collected, compared with dsyrk of OpenBLAS'
	@echo 'make bench-pass     how fast passes over kept lifted rows are, in each form of them'
	@echo 'make bench-dense    how fast our own linear algebra is, compared with OpenBLAS'
	@echo 'make bench-scaling  how time and memory grow with the rows, compared with scikit-learn; see docs/scaling.md'
	@echo 'make bench-corners  how long fits of many classes or inputs take'
	@echo 'make bench-random   how fast random maps lift rows and choose landmarks'
	@echo 'make bench-explain  how long explanations take, and what fits pay for the marginals'
	@echo 'make bench-predict  how fast models predict, compared with OpenBLAS on lifted rows'
	@echo 'make bench-export   how fast exported C predicts a row, compared with scikit-learn'
	@echo 'make cancel-gaps    how often long calls call back, and how soon they end when they are cancelled'
	@echo 'make bench-encoder  the auto-encoder on MNIST, compared with principal components'
	@echo 'make paper          the source paper run anew, PAPER_RUNS=$(PAPER_RUNS) splits of each data set, into docs/paper.json and .md;'
	@echo '                    PAPER_ONLY=grid,table3 runs these alone'
	@echo 'make limits         20 limits of memory and 150 signals at random moments: no hang, no crash, nothing left behind'
	@echo 'make fuzz           each fuzz target for FUZZ_SECONDS=$(FUZZ_SECONDS)'
	@echo
	@echo 'make cross-arm64    cross-builds for arm64 and runs the unit tests in an emulator'
	@echo 'make abi-baseline   records the binary interface in tests/abi; make check compares with it'
	@echo 'make regenerate     writes what is generated in README.md and docs/ anew'
	@echo 'make docs           the documents as one site to look at, in build/site'
	@echo 'make dist           the source archive, in build/packages'
	@echo 'make deb            the Debian packages, in build/packages'
	@echo 'make sbom           what the packages are made of, as SPDX'
	@echo 'make check-packages installs the packages in a new Debian root and uses them; needs root'
	@echo 'make release-check  everything that a release needs; see RELEASING.md'
	@echo 'make clean          removes build/'

setup:
	@scripts/setup check

# The build is quiet, so that the demo is all one sees.
demo:
	@scripts/setup build
	@[ -x build/release/bin/entropic ] || echo 'Building the command first, which takes half a minute.'
	@mkdir -p build && MAKEFLAGS= $(MAKE) --no-print-directory build >build/demo.log 2>&1 || { cat build/demo.log; exit 1; }
	@scripts/demo

demo-kernel:
	@scripts/setup blas
	$(call build,release,bench-kernel)
	@build/release/bin/bench-kernel

build:
	@scripts/setup build
	$(call build,release,$(product))

# The browser is large and for one suite alone: without it that suite is skipped. Unit tests that fit whole models take
# longest under the sanitizer (unit_long, fault_long) and are left to check-asan; their allocation failures are tested here.
check:
	@scripts/setup check
	@scripts/setup browser || echo 'check: no browser, so the tests of pages in one are skipped' >&2
	@scripts/setup mpi || echo 'check: no MPI, so the tests of ranks are skipped' >&2
	@scripts/check-rooms
	$(call build,release)
	$(call build,asan,unit fault)
	$(call build,abi,entropic)
	@tests/run -q asan -x 'release/mpi/killed' \
	  build/release:house,install,abi,unit,fault,cli,python,browser,mpi,duckdb,examples \
	  build/asan:unit,fault

install:
	@scripts/setup build
	$(call build,release,$(product))
	@cmake --install build/release --prefix '$(abspath $(PREFIX))' | sed '/Up-to-date/d'

wheel:
	@scripts/setup wheel
	@python3 python/wheel_backend.py build/packages

# ENTROPIC_EXPORT_ROWS: how many rows, 100,000 unless it is set.
check-export:
	@scripts/setup check arm
	$(call build,release,entropic_command)
	@tests/run -t 1800 build/release:export

check-arm:
	@scripts/setup check arm
	$(call build,release,entropic_command)
	@tests/run -t 1800 -x 'release/export/many_rows' build/release:export

check-asan:
	@scripts/setup check
	$(call build,asan)
	@tests/run -t 900 build/asan:unit,unit_long,fault,fault_long,cli,examples

check-mpi:
	@scripts/setup check mpi
	$(call build,release)
	@ENTROPIC_KILLS=30 tests/run -t 1800 build/release:mpi

# Newer kernels spread addresses wider than the thread sanitizer of gcc 12 can take; setarch -R asks for less.
check-tsan:
	@scripts/setup check
	$(call build,tsan)
	@ENTROPIC_TEST_QUICK=1 tests/run -t 1200 -w 'setarch -R' build/tsan:unit,examples

check-valgrind:
	@scripts/setup valgrind
	$(call build,debug)
	@ENTROPIC_TEST_QUICK=1 tests/run -t 900 -w 'valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite' \
	  build/debug:unit

# The same wheel, built twice and used where nothing of this tree is found.
check-wheel:
	@scripts/setup check wheel
	$(call build,release,$(product))
	@tests/run -t 900 -n '*/wheel' build/release:package

# What make check does of it takes seconds, this takes minutes.
check-python:
	@scripts/setup check
	$(call build,release,$(product))
	@tests/run -t 1800 build/release:package

# The newest packages, in build/latest. Without it, say offline, the suite says that it was skipped.
check-latest:
	@scripts/setup build
	@scripts/latest build/latest || echo 'check-latest: the packages cannot be had, so its tests are skipped' >&2
	$(call build,release)
	@PYTHON=$$([ -x build/latest/bin/python ] && echo '$(abspath build/latest/bin/python)' || echo python3) \
	  tests/run -t 1800 build/release:latest,package

# DuckDB's library, in build/duckdb. Without it, say offline, the suite says that it was skipped.
check-duckdb:
	@scripts/setup check
	@scripts/duckdb build/duckdb || echo 'check-duckdb: the library cannot be had, so its tests are skipped' >&2
	$(call build,release)
	@tests/run -t 900 build/release:duckdb

# Shares of known functions, and contributions on the tables of ENTROPIC_DATA: three minutes.
check-effects:
	@scripts/setup check
	$(call build,release)
	@ENTROPIC_DATA="$$(realpath -m "$${ENTROPIC_DATA:-../shared/data}")" tests/run -t 900 build/release:effects

# The pages with axe-core, which looks for what screen readers stumble over. It is not a Debian package.
check-axe:
	@scripts/setup browser
	$(call build,release)
	@mkdir -p build/axe && cd build/axe && { [ -f package/axe.min.js ] || { npm pack --silent axe-core && tar xzf axe-core-*.tgz; }; }
	@AXE='$(abspath build/axe/package/axe.min.js)' tests/run build/release:browser

coverage:
	@scripts/setup coverage
	$(call build,coverage)
	@find build/coverage -name '*.gcda' -delete
	@tests/run -t 1200 build/coverage:unit,fault,cli
	@gcovr --root . --filter src/ --object-directory build/coverage --gcov-ignore-parse-errors \
	  --fail-under-line 95 build/coverage

rooms:
	@scripts/setup check
	@scripts/check-rooms
	$(call build,release)
	@scripts/check-rooms build/release/lib/libentropic.so

lint:
	@scripts/setup check lint
	$(call build,release)
	@scripts/lint build/release

format:
	@scripts/setup lint
	@scripts/lint --format

# ACCURACY: options of bench/accuracy.py, e.g. ACCURACY='--only airfoil --splits 2'.
accuracy: build
	@scripts/setup accuracy
	@$(race) /usr/bin/python3 bench/accuracy.py $(ACCURACY)

# RACE: options of bench/race.py, e.g. RACE='--tables friedman1,adult --learners entropic,xgboost'. It can be stopped: what
# is in build/race/log.jsonl is not run again.
race: build
	@scripts/setup race
	@scripts/latest build/race/venv race
	@$(race) build/race/venv/bin/python -B bench/race.py --rows $(RACE_ROWS) --cap $(RACE_CAP) $(RACE)

# COMPARE: options of bench/compare_tables.py, e.g. COMPARE='--only grid --runs 2'.
compare-tables: build
	@scripts/setup accuracy
	@$(race) /usr/bin/python3 bench/compare_tables.py --docs docs/accuracy.md $(COMPARE)

# $(coins): entropic compare where there is nothing to learn, in a folder that is removed after it.
coins = folder=$$(mktemp -d) && cd "$$folder" && ENTROPIC='$(CURDIR)/build/release/bin/entropic' \
  PYTHONDONTWRITEBYTECODE=1 PYTHONPATH='$(CURDIR)/tests' /usr/bin/python3 '$(CURDIR)/tests/cli/compare_noise.py' --all; \
  status=$$?; rm -rf "$$folder"; exit $$status

# HONESTY: options of bench/honesty.py, e.g. HONESTY='--only power,two --seeds 5'. Coins are flipped in any case.
honesty: build
	@scripts/setup check
	@/usr/bin/python3 -B bench/honesty.py $(HONESTY); limits=$$?; ($(coins)) && exit $$limits

honesty-compare: build
	@$(coins)

# INTERVALS: options of bench/intervals.py, e.g. INTERVALS='--only noise --splits 5'.
bench-intervals: build
	@scripts/setup check
	@/usr/bin/python3 -B bench/intervals.py $(INTERVALS)

# BEFORE: the other build; PAIRED: options of bench/paired.py, e.g. PAIRED='--only fiat,mic --splits 5'. It can be stopped.
bench-paired: build
	@/usr/bin/python3 -B bench/paired.py --before '$(BEFORE)' $(PAIRED)

# CALENDAR: options of bench/calendar_parts.py, e.g. CALENDAR='--only week,nothing'.
bench-calendar: build
	@scripts/setup check
	@/usr/bin/python3 -B bench/calendar_parts.py $(CALENDAR)

bench-lift:
	@scripts/setup blas
	$(call build,release,bench-lift)
	@build/release/bin/bench-lift

bench-read:
	@scripts/setup blas bench
	$(call build,release,bench-read)
	@$(race) scripts/bench-read build/release

bench-learn:
	@scripts/setup blas
	$(call build,release,bench-learn)
	@$(race) build/release/tests/bench-learn

bench-fixed:
	@scripts/setup blas
	$(call build,release,bench-fixed)
	@$(race) build/release/tests/bench-fixed

bench-pass:
	$(call build,release,bench-pass)
	@build/release/tests/bench-pass

bench-dense:
	@scripts/setup blas
	$(call build,release,bench-dense)
	@$(race) build/release/tests/bench-dense

# SCALING: options of bench/scaling.py, e.g. SCALING='--only small --repeats 5'.
bench-scaling: build
	@scripts/setup accuracy bench
	@$(race) /usr/bin/python3 -B bench/scaling.py --build build/release $(SCALING)

# EXPLAIN: options of bench/explain.py, e.g. EXPLAIN='--repeats 5'.
bench-explain: build
	@scripts/setup check
	@/usr/bin/python3 -B bench/explain.py --build build/release $(EXPLAIN)

bench-corners: build
	@scripts/bench-corners build/release

# CANCEL_GAPS: SECONDS, CANCELS and NAME of bench-cancel, e.g. CANCEL_GAPS='20 50 "fit airfoil"'.
cancel-gaps:
	@scripts/setup blas
	$(call build,release,bench-cancel)
	@build/release/tests/bench-cancel "$${ENTROPIC_DATA:-../shared/data}" $(CANCEL_GAPS)

bench-predict:
	@scripts/setup blas
	$(call build,release,bench-predict)
	@$(race) build/release/tests/bench-predict

# BENCH_EXPORT: options of bench/export.py, e.g. BENCH_EXPORT='--repeats 20'.
bench-export: build
	@scripts/setup accuracy
	@$(race) /usr/bin/python3 -B bench/export.py --build build/release $(BENCH_EXPORT)

bench-random:
	@scripts/setup blas
	$(call build,release,bench-random)
	@$(race) build/release/tests/bench-random

bench-encoder:
	@scripts/setup blas
	$(call build,release,bench-encoder)
	@$(race) build/release/tests/bench-encoder "$${ENTROPIC_DATA:-../shared/data}"

# The results are docs/paper.json. The page stays in build/, and so do the logs of runs, from which an interrupted one goes
# on. PAPER_ONLY=grid,table3 runs these alone; PAPER_ONLY=none writes docs/paper.md from the results alone.
paper: build
	@build/release/bin/entropic paper --runs $(PAPER_RUNS) --data "$${ENTROPIC_DATA:-../shared/data}" \
	  $(if $(PAPER_ONLY),--only $(PAPER_ONLY)) --results docs/paper.json --html build/paper.html >build/paper.tsv
	@scripts/paper-tables docs/paper.json build/paper.html

# What make check does with a few. Each test prints its own lines, in a folder that is removed after it.
limits: build
	@export ENTROPIC_LIMITS=all ENTROPIC='$(CURDIR)/build/release/bin/entropic' PYTHONPATH='$(CURDIR)/tests'; \
	export PYTHONDONTWRITEBYTECODE=1; scratch=$$(mktemp -d) && trap 'rm -rf "$$scratch"' EXIT && cd "$$scratch" && \
	/usr/bin/python3 '$(CURDIR)/tests/cli/limits.py' && /usr/bin/python3 '$(CURDIR)/tests/cli/signals.py' && \
	ENTROPIC_SOURCE='$(CURDIR)' /usr/bin/python3 '$(CURDIR)/tests/cli/spool.py'

fuzz:
	@scripts/setup fuzz
	$(call build,fuzz)
	@scripts/fuzz build/fuzz $(FUZZ_SECONDS)

# A change of tests/abi belongs to a release; RELEASING.md says when.
abi-baseline:
	@scripts/setup check
	$(call build,abi,entropic)
	@scripts/abi baseline

cross-arm64:
	@scripts/setup arm64
	@JOBS='$(JOBS)' scripts/cross-arm64

regenerate: build
	@scripts/setup check
	@scripts/regenerate

docs:
	@scripts/setup docs
	@scripts/site

dist:
	@scripts/dist

deb:
	@scripts/setup packages
	@scripts/deb

sbom:
	@scripts/sbom

check-packages: deb
	@scripts/setup packages
	@scripts/check-packages

release-check:
	@scripts/setup check
	@scripts/release-check

clean:
	@rm -rf build
