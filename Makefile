# The front door. A bare `make` lists what there is.
.DEFAULT_GOAL := help
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
VENV := .venv
BIN := $(VENV)/bin
# Whose packages the tests want: one study for each of their kinds.
TESTED := $(addprefix studies/,$(addsuffix .toml,first forums database-capacity processor-and-memory compilers woodcrest-2006 storage-and-network))
CRATES := $(shell find crates -name '*.rs' -o -name Cargo.toml 2>/dev/null) Cargo.toml Cargo.lock .cargo/config.toml
# Python's bytecode is kept: without it each of our fifty starts of Python compiles all of our modules anew.
export PYTHONDONTWRITEBYTECODE :=
# As in `headtohead` itself: matrices are small, and a second thread for them takes CPU time while it waits.
export OPENBLAS_NUM_THREADS := 1
# The files that hold tests of a mark: to read all others would take longer than some of these tests.
marked = $$(grep -rl --include='test_*.py' 'mark\.$(1)' tests)
# A new folder: in memory where 2 GB of it are free and programs may run there, as quick tests make and remove tens of
# thousands of small files.
in-memory = roomy=/dev/shm; [ "$$(df --output=avail --block-size=1M $$roomy 2>/dev/null | tail -1)" -gt 2000 ] 2>/dev/null \
	&& [ -w $$roomy ] && ! grep -q " $$roomy [^ ]* [^ ]*noexec" /proc/mounts || roomy=$${TMPDIR:-/tmp}; \
	mktemp -d "$$roomy/headtohead-tests-XXXXXX"
# $(call timed,what,command): how long it took, and its CPU time, are shown at the end of `make test`.
timed = @mkdir -p build; SECONDS=0; $(2); times > build/times-$$$$; \
	awk -v s=$$SECONDS -F '[ms ]+' 'NR == 2 { printf "%5d s, %4d s of CPU  %s\n", s, 60 * ($$1 + $$3) + $$2 + $$4, "$(1)" }' \
	build/times-$$$$ >> build/phases; rm build/times-$$$$
# Programs are linked statically, so that every user may run a copy of them. Tests are built with the same flags: else they
# would not find the same dependencies built (ADR 45, 80).
STATIC := RUSTFLAGS='-C target-feature=+crt-static'
ON_HOST := --profile shared --target "$$(rustc -vV | sed -n 's/^host: //p')"
PROGRAMS := $(STATIC) cargo build --quiet --locked $(ON_HOST)
BUILT := target/"$$(rustc -vV | sed -n 's/^host: //p')"/shared
# Targets of a make of its own run side by side; each shows its output when it ends.
BESIDE := --no-print-directory --jobs=4 --output-sync=target

help: ## list the commands
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 20

run: ## set up what is missing, run the first study, print the verdicts and the report's path
	@$(MAKE) --no-print-directory --jobs=2 setup
	@$(BIN)/headtohead setup --yes studies/first.toml || echo "Going on with what is there." >&2
	@$(BIN)/headtohead run studies/first.toml

# Each reader of foreign bytes gets spoiled ones for 3 s, all together for more than a minute.
test: ## all that CI does: builds, checks and tests side by side; the tests that need the machine alone come last
	@rm -f build/phases
	@echo "Setting up, building, checking and testing, side by side (9 minutes on 2 CPUs the first time) ..." >&2
	@H2H_FUZZ_S=$(or $(H2H_FUZZ_S),3) $(MAKE) $(BESIDE) real-tests rust-tests quick-tests
	$(call timed,tests alone,$(BIN)/pytest -q -m alone --durations=20 $(call marked,alone))
	@echo "Where the time went:"; sort -rn build/phases

# Real tests mostly wait: for starts, for ends, for the time a load takes. Three at a time leave CPU for the other tests,
# which give way to them.
real-tests: setup packages check bytecode tests/browser/node_modules/.ready
	$(call timed,real tests,$(BIN)/pytest -q -m "real and not alone" -n 3 --dist worksteal --durations=20 $(call marked,real))

rust-tests: packages rust-tests-built
	$(call timed,Rust tests,$(LINTED))

# Two processes, each with half of the files: a worker of pytest-xdist would collect, and compile, all files. Dealt out by
# size, to and fro, the halves take equally long. They begin while the tests of Rust are built, which leaves CPU time.
QUICK := quick-tests-0 quick-tests-1
quick-tests: $(QUICK)
$(QUICK): quick-tests-%: setup packages bytecode
	$(call timed,$@,place=$$($(in-memory)); trap 'rm -rf "$$place"' EXIT; \
		nice $(BIN)/pytest -q -m "not real" --durations=20 --basetemp="$$place/tests" \
		$$(find tests -name 'test_*.py' -printf '%s %p\n' | sort -rn | awk 'int(NR % 4 / 2) == $* { print $$2 }' | sort))

check: lint types rust-tests-built ## formatters, linters, types, import contracts

lint: $(VENV)/.ready
	$(BIN)/ruff format --check src tests subjects datasets benches
	$(BIN)/ruff check src tests subjects datasets benches
	$(BIN)/lint-imports
	cargo fmt --all --check

types: $(VENV)/.ready
	$(call timed,types of Python,$(BIN)/mypy)

# Clippy's compiler builds what it checks: one pass over our crates instead of two. Built without optimization, programs
# are the same (ADR 44). Cargo cannot use make's own jobs, and complains of them.
LINTED := env -u MAKEFLAGS -u MFLAGS RUSTC_WORKSPACE_WRAPPER=clippy-driver CLIPPY_ARGS=-Dwarnings__CLIPPY_HACKERY__ $(STATIC) \
	cargo --config .cargo/tests.toml test --quiet --locked --workspace $(ON_HOST)
rust-tests-built: target/release/h2h-probe # copied before programs of the same names are built for tests
	$(call timed,Rust linted and its tests built,$(LINTED) --no-run)

# Made once, before five processes at a time would each make all of it.
bytecode: $(VENV)/.ready
	$(call timed,bytecode of real tests,$(BIN)/pytest -q --collect-only -m real $(call marked,real) >/dev/null)

packages: $(VENV)/.ready
	$(call timed,packages,$(BIN)/headtohead setup --yes $(TESTED) || echo "Tests of what is missing are skipped." >&2; \
		$(BIN)/python -m tests.rig.packages || echo "The tests on a rig are skipped." >&2; \
		command -v chromium chromium-browser google-chrome >/dev/null \
		|| DEBIAN_FRONTEND=noninteractive apt-get install --quiet --yes --no-install-recommends chromium >/dev/null \
		|| echo "Chromium could not be installed: the tests in a browser are skipped." >&2)

fix: setup ## mend what formatters and linters can mend
	$(BIN)/ruff check --fix src tests subjects datasets benches
	$(BIN)/ruff format src tests subjects datasets benches
	cargo fmt --all

snapshots: setup ## write the expected outputs anew; read the difference before you commit it
	$(BIN)/pytest -q --snapshot-update
	INSTA_UPDATE=always cargo test --quiet --locked --workspace

docs: setup ## write the reference pages anew that are made from what they describe
	$(BIN)/pytest -q tests/docs --snapshot-update

# The reports in docs/reports.
STUDIES := first database-capacity aces-2003 anandtech-2005 linux-magazine-2003 openbench-2003 woodcrest-2006 forum-capacity
gallery: setup ## measure the studies of docs/reports anew (STUDIES="first" for that one) and put their reports there; fourteen hours of quiet wanted
	@for each in $(STUDIES); do \
		$(BIN)/headtohead setup --yes "studies/$$each.toml" || echo "Going on with what is there." >&2; \
		$(BIN)/headtohead run "studies/$$each.toml" --results build/gallery \
			|| echo "Not all of studies/$$each.toml was measured; its report has the reasons." >&2; \
		cp "$$(ls -td build/gallery/*-"$$each"* | head -1)/report.html" "docs/reports/$$each.html"; \
	done

gallery-bench: setup ## measure two servers of a rig, one with half a CPU, and put that report into docs/reports; root and 10 minutes of quiet wanted
	@$(BIN)/headtohead setup --yes studies/first.toml studies/database-capacity.toml
	@rm -rf build/gallery/bench && mkdir -p build/gallery
	$(BIN)/python -m benches.bench_rig --only half --kept build/gallery/bench
	@cp build/gallery/bench/report.html docs/reports/bench.html

RIG := --servers 2 --drivers 2
rig: setup ## several machines on one, each with its own sshd and network: a shell between them; root wanted
	@$(BIN)/python -m tests.rig $(RIG)

bench: setup ## what watching costs; minutes of quiet wanted
	$(BIN)/headtohead host
	target/release/h2h-probe watch --cost --seconds 60

bench-load: setup build/benches/.ready ## what a request costs h2h-load and other clients, and how soon it has a response; nginx, Apache, wrk and ab wanted; 20 minutes of quiet
	$(BIN)/python -m benches.bench_load

bench-http2: setup ## what a request over HTTP/2 costs h2h-load and h2load (nghttp2-client), which is its bar; nginx and 3 minutes of quiet wanted
	$(BIN)/python -m benches.bench_http2

bench-sql: setup build/benches/.ready ## what a query costs h2h-load in both polls, sysbench and pgbench; MariaDB, PostgreSQL and sysbench wanted; 5 minutes of quiet
	$(BIN)/python -m benches.bench_sql

bench-memory: setup ## what h2h-memory says of memory, held against plain C and stress-ng; gcc wanted; 5 minutes of quiet
	$(BIN)/python -m benches.bench_memory

bench-by-hand: setup ## what the laboratory says of storage and network beside the same programs run by hand; root and an hour of quiet wanted
	$(BIN)/python -m benches.bench_by_hand

bench-truth: setup build/benches/.ready ## what h2h-load says of servers whose behavior is known, in both polls; 12 minutes of quiet
	$(BIN)/python -m benches.bench_truth

bench-open: setup ## how long a browser takes to open the report of RESULTS; Chromium and a minute of quiet wanted
	@$(BIN)/python -m benches.bench_open $(RESULTS)

bench-search: setup build/benches/.ready ## how right a search for the capacity is, against servers of known capacity; 20 minutes of quiet
	$(BIN)/python -m benches.bench_search

bench-compare: setup ## what it takes to compare 10,000 systems; 2 GB of disk and 2 minutes of quiet
	$(BIN)/python -m benches.bench_compare

bench-foreign: setup ## whether a busy process on an unused CPU spoils runs or names winners; 8 minutes of quiet
	@$(BIN)/headtohead setup --yes studies/noise.toml studies/processor-and-memory.toml
	$(BIN)/python -m benches.bench_foreign

bench-race: setup ## whether a race of two programs agrees with hyperfine about them; hyperfine and 3 minutes of quiet wanted
	$(BIN)/python -m benches.bench_race

bench-report: setup ## what a report takes, from 100 runs to 10,000; 1 GB of disk and 5 minutes of quiet
	$(BIN)/python -m benches.bench_report

bench-verdicts: setup ## how often verdicts are wrong, by simulation: days, carry-over, unlike tails, suites, queues; 10 minutes
	$(BIN)/python -m benches.bench_verdicts

bench-planted: setup ## whether a slowdown of 10 % and of 3 % that was put there is found, and how soon; root and 10 minutes of quiet wanted
	@$(BIN)/headtohead setup --yes studies/planted.toml
	$(BIN)/python -m benches.bench_planted

bench-ci: setup ## whether a pipeline fails for a regression of 10 %, and in 19 of 20 for nothing; half an hour of quiet, `--short` 3 minutes
	$(BIN)/python -m benches.bench_ci

bench-kills: setup ## whether a study killed at 1,000 random moments loses, doubles or leaves anything; root and two hours wanted
	@$(BIN)/headtohead setup --yes studies/first.toml studies/forums.toml studies/storage-and-network.toml
	$(BIN)/python -m benches.bench_kills

bench-rig: setup build/benches/.ready ## whether studies of several machines find what is known, on a rig: equal servers, 0.8 CPU, two CPUs, half a CPU, six drivers, what control connections take; root and 20 minutes of quiet wanted
	@$(BIN)/headtohead setup --yes studies/first.toml studies/database-capacity.toml
	$(BIN)/python -m benches.bench_rig

bench-rig-faults: setup ## whether anything is left or lost when a controller, a connection, a cable or a driver of a rig fails, 20 times each; root and an hour wanted
	@$(BIN)/headtohead setup --yes studies/first.toml
	$(BIN)/python -m benches.bench_rig_faults

FUZZ_S := 60
fuzz: $(VENV)/.ready ## give each reader of foreign bytes spoiled inputs for a minute, or FUZZ_S=N seconds, and tests of properties new examples; FUZZ_SEED=N repeats a run
	@seed=$(or $(FUZZ_SEED),$$(date +%s)); export H2H_FUZZ_S=$(FUZZ_S) H2H_FUZZ_SEED=$$seed; \
		cargo test --quiet --locked -p h2h-load --bin h2h-load -- spoiled --nocapture --test-threads=1; \
		$(BIN)/pytest -q -s tests/store/test_spoiled_texts.py tests/store/test_response_times.py tests/cli/test_spoiled_values.py -k spoiled; \
		$(BIN)/pytest -q -m "not real" --hypothesis-seed=$$seed $$(grep -rl --include='test_*.py' '^@given' tests)

fuzz-guided: ## let code coverage guide spoiled HTTP responses, for a minute or FUZZ_S=N seconds; needs a nightly compiler and cargo-fuzz
	@rustc +nightly --version >/dev/null 2>&1 || { echo "Fuzzing needs a nightly Rust compiler beside the stable one: rustup toolchain install nightly." >&2; exit 2; }
	@cargo fuzz --version >/dev/null 2>&1 || { echo "Fuzzing needs cargo-fuzz: cargo install --locked cargo-fuzz." >&2; exit 2; }
	cargo +nightly run --quiet --locked --manifest-path fuzz/Cargo.toml --example seeds -- fuzz/corpus/answer
	cargo +nightly fuzz run answer -- -max_total_time=$(FUZZ_S) -max_len=65536 -timeout=10

clean: ## take away what was built here (results stay)
	rm -rf $(VENV) target build tests/browser/node_modules

setup: $(VENV)/.ready target/release/h2h-probe ## virtual environment from the lock, release build of the Rust binaries

# The pip of Python 3.11 compares each of the 85,000 files that the index lists for our packages with each tag that this
# machine can run: 9 s of CPU more than this one takes (ADR 67). Python's own pip, if it has one, installs it: to unpack another
# one first takes 4 s.
PIP := pip==26.3 --hash=sha256:f3b60b20ffaadd4415ed7957212a38ac63fa4c5fa375bd0f4a797777940fad13
QUIETLY := install --quiet --disable-pip-version-check --no-compile --require-hashes
COMMA := ,
$(VENV)/.ready: requirements.lock pyproject.toml
	@command -v python3 >/dev/null || { echo "Head to Head needs Python 3.11 or newer as python3: install it (Debian: apt-get install python3 python3-venv)." >&2; exit 2; }
	@python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Head to Head needs Python 3.11 or newer; python3 here is $$(python3 -V)." >&2; exit 2; }
	@python3 -c 'import venv, ensurepip' 2>/dev/null || { echo "Python's venv module is missing: install it (Debian: apt-get install python3-venv)." >&2; exit 2; }
	@echo "Setting up $(VENV) from requirements.lock (about a minute) ..." >&2
	@rm -rf $(VENV)
	$(call timed,Python packages,python3 -m venv --without-pip $(VENV); echo '$(PIP)' > $(VENV)/pip.lock; \
		python3 -m pip --python $(BIN)/python $(QUIETLY) -r $(VENV)/pip.lock 2>/dev/null \
		|| { $(BIN)/python -m ensurepip --upgrade --default-pip >/dev/null; $(BIN)/pip $(QUIETLY) -r $(VENV)/pip.lock; } \
		|| echo "This pip cannot be had: going on with Python's own$(COMMA) which is slower." >&2; \
		$(BIN)/pip $(QUIETLY) -r requirements.lock; \
		$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .)
	@touch $@

target/release/h2h-probe: $(CRATES)
	@command -v cargo >/dev/null || { echo "Head to Head builds its load generator and probe with Rust 1.89 or newer: install it with rustup (Debian's is older) and run make again." >&2; exit 2; }
	@command -v cc >/dev/null || { echo "Rust needs a C compiler to link with: install one (Debian: apt-get install gcc libc6-dev)." >&2; exit 2; }
	@echo "Building h2h-load, h2h-memory and h2h-probe (3 minutes of CPU the first time) ..." >&2
	$(call timed,programs built,$(PROGRAMS) -p h2h-load -p h2h-memory -p h2h-probe; mkdir -p target/release; \
		cp -f $(BUILT)/h2h-load $(BUILT)/h2h-memory $(BUILT)/h2h-probe target/release/)
	@touch $@

# axe-core, for the tests that look at a report in a browser; where it cannot be had they are skipped, and say so.
tests/browser/node_modules/.ready: tests/browser/package-lock.json tests/browser/.npmrc
	@if command -v npm >/dev/null && npm ci --silent --prefix $(dir $<); then touch $@; \
	else echo "axe-core could not be fetched (npm, and the network, are wanted): the tests in a browser are skipped." >&2; fi

# The bare loop, and the servers of known behavior, for the benches alone.
build/benches/.ready: benches/bare_epoll.c target/release/h2h-probe
	@mkdir -p $(@D)
	$(CC) -O2 -std=c17 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Werror \
		-o $(@D)/bare_epoll $< -lm
	@$(PROGRAMS) -p h2h-known; cp -f $(BUILT)/h2h-known $(@D)/
	@touch $@

.PHONY: help run test real-tests rust-tests quick-tests $(QUICK) check lint types rust-tests-built bytecode packages fix snapshots docs bench bench-by-hand bench-ci bench-compare bench-foreign bench-load bench-memory bench-open bench-planted bench-race bench-report bench-rig bench-rig-faults bench-search bench-sql bench-truth bench-verdicts fuzz fuzz-guided gallery gallery-bench clean rig setup
