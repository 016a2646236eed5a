# `make` alone prints what there is to make.

SWIFT ?= swift
# More flags for every debug build, so that one build serves demo, test and check.
SWIFT_FLAGS ?=
# More flags for `swift test`, such as --filter MirrorCoreTests.
TEST_FLAGS ?=
# More flags for the benchmark, such as --rounds 3 --only large --assert.
BENCH_FLAGS ?=
# How long the fuzzer tries each door.
SECONDS ?= 60
PREFIX ?= /usr/local
DESTDIR ?=

SETUP := Tests/Setup/packages.sh
RELEASE := .build/release/mirror
SWIFT_FILES := Sources Tests Package.swift

.PHONY: help demo test check asan tsan fuzz build format lint bench install setup clean

help:
	@echo 'make demo      see it work: a server on loopback, a dry run, the run, the proof'
	@echo 'make test      build and run all tests'
	@echo 'make check     all there is: lint, tests with warnings as errors, asan, tsan, a little fuzz'
	@echo 'make asan      run all tests under AddressSanitizer and LeakSanitizer'
	@echo 'make tsan      run all tests under ThreadSanitizer'
	@echo 'make fuzz      run the fuzzer at every door through which text comes in (SECONDS=$(SECONDS) each)'
	@echo 'make build     build the program for use: $(RELEASE)'
	@echo 'make install   copy it to PREFIX/bin (PREFIX=$(PREFIX); DESTDIR is honoured)'
	@echo 'make bench     measure it beside curl, wget2 and aria2'
	@echo 'make format    format the sources in place'
	@echo 'make lint      check their format'
	@echo 'make setup     install the Debian packages that demo, test and build need'
	@echo 'make clean     remove everything that was built'

demo: setup
	@echo 'Building mirror; the first time takes some minutes.'
	@if [ -t 1 ]; then quiet=; else quiet=--quiet; fi; \
	    $(SWIFT) build $$quiet --product mirror $(SWIFT_FLAGS)
	@Tests/Demo/demo.sh .build/debug/mirror

test: setup
	$(SWIFT) build --build-tests $(SWIFT_FLAGS)
	$(SWIFT) test --skip-build $(SWIFT_FLAGS) $(TEST_FLAGS)

# With more moments at which a run is killed, and more ways to lose power.
check: lint
	MIRROR_KILLS=500 MIRROR_CUTS=4 $(MAKE) --no-print-directory test SWIFT_FLAGS='$(SWIFT_FLAGS) -Xswiftc -warnings-as-errors'
	$(MAKE) --no-print-directory asan
	$(MAKE) --no-print-directory tsan
	$(MAKE) --no-print-directory fuzz SECONDS=3

# Both have build folders of their own, below .build; so has the fuzzer.
asan: setup
	Tests/Sanitizers/run.sh address $(TEST_FLAGS)

tsan: setup
	Tests/Sanitizers/run.sh thread $(TEST_FLAGS)

fuzz: setup
	Tests/Fuzz/fuzz.sh $(SECONDS)

build:
	$(SWIFT) build -c release --static-swift-stdlib --product mirror

# Builds nothing, so that it can run as root where only the user has a Swift toolchain.
install:
	@[ -x $(RELEASE) ] || { echo 'There is no $(RELEASE) yet: run make build first.' >&2; exit 1; }
	install -d '$(DESTDIR)$(PREFIX)/bin'
	install -m 755 $(RELEASE) '$(DESTDIR)$(PREFIX)/bin/mirror'

bench:
	@$(SETUP) build bench
	@$(MAKE) --no-print-directory build
	Tests/Benchmarks/bench.sh $(BENCH_FLAGS) $(RELEASE)

format:
	$(SWIFT) format --in-place --recursive $(SWIFT_FILES)

lint:
	$(SWIFT) format lint --strict --recursive $(SWIFT_FILES)
	@for script in .ci/run Tests/*/*.sh; do bash -n "$$script" || exit 1; done

setup:
	@$(SETUP) build test

clean:
	rm -rf .build
