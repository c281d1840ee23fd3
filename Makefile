# Makefile - `make demo` and `make check` for newcomers, and the few commands of who works here.
#
# System packages: tools/deps names what a target needs and installs it where it may; TSR_DEPS=no
# forbids that.

JOBS ?= $(shell nproc 2>/dev/null || echo 2)
FUZZ_RUNS ?= 1000000
PEER_PROGRAMS ?= 300
PEER_SEED ?= 1
PEER_DRAWS ?= 200
CASES ?=
RUNS ?= 7
SECONDS ?= 0.5
LIMIT ?= 60
SIZE ?= full
ISA ?=
NEIGHBOUR ?=
CROWD ?=
PREFIX ?= /usr/local
CONFIGURE = tools/configure.sh
BUILD = MAKEFLAGS=--no-print-directory cmake --build
# one more than there are processors, since some tests wait for what they have started
TEST = ctest --no-label-summary --output-on-failure -j $(shell expr $(JOBS) + 1) --test-dir

.PHONY: all demo check check-slow peer-check bench bench_processes bench_python bench_cases dev \
	fuzz docs install deb wheel clean

all:
	@tools/deps build engine
	@$(CONFIGURE) release
	@$(BUILD) build/release --parallel $(JOBS)

# the product of the first seed on eight virtual devices
demo:
	@tools/deps build engine
	@$(CONFIGURE) release
	@$(BUILD) build/release --parallel $(JOBS) --target example_matmul
	@build/release/examples/matmul

# every test but the slow ones; first those labelled unit or asan under the sanitizers
check:
	@tools/deps build engine mpi tests
	@$(CONFIGURE) release -DTSR_TESTS=ON
	@$(BUILD) build/release --parallel $(JOBS)
	@$(CONFIGURE) asan -DTSR_TESTS=ON
	@$(BUILD) build/asan --parallel $(JOBS) --target sanitized
	@$(TEST) build/asan -L 'unit|asan' -LE slow
	@$(TEST) build/release -LE slow

# the slow ones, and processes that are threads under the thread sanitizer
check-slow: check
	@$(BUILD) build/release --parallel $(JOBS) --target ranks
	@$(CONFIGURE) tsan -DTSR_TESTS=ON
	@$(BUILD) build/tsan --parallel $(JOBS) --target raced
	@$(TEST) build/tsan -L tsan
	@$(TEST) build/release -L slow

# the same random programs, and draws of each primitive and function, here and in JAX, which is
# installed below build/ unless PYTHON has it
peer-check:
	@tools/deps build engine tests peer
	@$(CONFIGURE) release -DTSR_TESTS=ON
	@$(BUILD) build/release --parallel $(JOBS) --target peer_sample peer_rows peer_params \
		peer_optimizers tsr_tool tsr_native
	@PYTHON="$(PYTHON)" tests/peer/run.sh build/release $(PEER_PROGRAMS) $(PEER_SEED) \
		$(PEER_DRAWS)

# each case here and in JAX, in alternation; CASES=list says which there are, and how to choose.
# CASES=processes: exchanges between two processes, against those of MPI; CASES=python: calls from
# Python, against those of JAX
bench: bench_$(or $(filter processes python,$(CASES)),cases)
bench_python:
	@tools/deps build engine bench
	@$(CONFIGURE) release
	@$(BUILD) build/release --parallel $(JOBS) --target tsr_shared tsr_native
	@$$(PYTHON="$(PYTHON)" tools/jax.sh) bench/python_calls.py --rounds $(RUNS)
bench_processes:
	@tools/deps build engine bench
	@$(CONFIGURE) release
	@$(BUILD) build/release --parallel $(JOBS) --target bench_processes
	@PYTHON="$(PYTHON)" sh bench/processes/run.sh mpirun.openmpi build/release/bench/processes
bench_cases:
	@tools/deps build engine bench
	@$(CONFIGURE) release
	@$(BUILD) build/release --parallel $(JOBS) --target bench example_matmul
	@PYTHON="$(PYTHON)" python3 bench/run.py --cases "$(CASES)" --size $(SIZE) \
		--runs $(RUNS) --seconds $(SECONDS) --limit $(LIMIT) \
		$(if $(ISA),--isa $(ISA)) $(if $(filter-out 0,$(NEIGHBOUR)),--neighbour) \
		$(if $(filter-out 0,$(CROWD)),--crowd)

# assertions and all warnings, as errors
dev:
	@tools/deps build engine tests
	@$(CONFIGURE) dev -DTSR_TESTS=ON
	@$(BUILD) build/dev --parallel $(JOBS)

fuzz:
	@tools/deps build engine fuzz
	@$(CONFIGURE) fuzz
	@$(BUILD) build/fuzz --parallel $(JOBS)
	@tools/fuzz.sh build/fuzz $(FUZZ_RUNS)

docs:
	@tools/deps docs
	@tools/docs.sh

install: all
	@cmake --install build/release --prefix $(DESTDIR)$(PREFIX)

# Debian packages in dist/, of what this Debian or Ubuntu has
deb:
	@tools/deps build engine mpi packages
	@$(CONFIGURE) deb
	@$(BUILD) build/deb --parallel $(JOBS)
	@rm -f dist/*.deb
	@python3 tools/packaging/deb.py build/deb dist
	@! command -v lintian >/dev/null || lintian --allow-root --fail-on error,warning dist/*.deb

# a wheel of the Python module in dist/, with the library in it
wheel:
	@tools/deps build engine packages
	@$(CONFIGURE) wheel
	@$(BUILD) build/wheel --parallel $(JOBS)
	@rm -f dist/*.whl
	@tools/packaging/wheel.sh build/wheel dist

clean:
	@cmake -E rm -rf build
