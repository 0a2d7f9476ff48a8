# The front door. CMake and Ninja do the work underneath, in build/.
BUILD := build
PREFIX ?= /usr/local

.PHONY: all demo test coverage mutants bench bench-go bench-runtime bench-pollers bench-trace conformance promises differential clients tls-clients sim userland nodes node-tests napi-tests wasm-tests llhttp intl js-expected js-differential fuzz engine-refresh install dist deb install-check platforms format lint provenance clean packages test-packages

all: packages
	@scripts/build.sh $(BUILD)

# Everything that a fresh Debian machine lacks.
packages:
	@scripts/packages.sh

test-packages:
	@scripts/packages.sh test

demo: all
	@scripts/demo.sh $(BUILD)

test: test-packages
	@scripts/test.sh $(BUILD)

# Which lines and branches of the library the tests take: make coverage [MISSED=1].
coverage: test-packages
	@scripts/coverage.sh $(BUILD) $(if $(MISSED),--missed)

# Breaks the library in random places: make mutants [COUNT=300 SEED=1].
mutants: test-packages
	@scripts/mutants.sh $(BUILD) $(or $(COUNT),300) $(or $(SEED),1)

bench: test-packages
	@bench/run.sh $(BUILD) $(ONLY)

# Coroutines beside callbacks, and the figures that they must reach.
bench-go: test-packages
	@go/bench/run.sh $(BUILD) $(ROUNDS)

# What one event costs with few and with many descriptors, by select, poll, epoll and our loop.
bench-pollers: packages
	@python3 -B bench/pollers/run.py $(BUILD) docs

bench-trace: test-packages
	@bench/trace.sh $(BUILD)

# Our JavaScript runtime and Node, side by side.
bench-runtime: test-packages all
	@bench/runtime/run.sh $(BUILD) $(BENCH)

# libuv's own tests, and other people's programs, on our library and on Debian's.
conformance: test-packages all
	@scripts/conformance.sh $(BUILD)

clients: test-packages all
	@scripts/clients.sh $(BUILD)

# Other people's TLS and HTTP/2 with ours, both ways: 10,000 requests of each.
tls-clients: test-packages all
	@scripts/tls-clients.sh $(BUILD)

# Random programs on our library, on Debian's libuv and on testing's: SEEDS=1-20000 says which.
differential: test-packages all
	@scripts/differential.sh $(BUILD) $(SEEDS)

# Our behaviour tests on libuv itself: what they ask is what its documentation promises.
promises: test-packages all
	@scripts/promises.sh $(BUILD)

# The simulated world: its tests, and random programs with faults in many worlds (SEEDS=10000).
sim: test-packages all
	@scripts/sim.sh $(BUILD) $(SEEDS)

# Popular npm packages, as they are, with Node and with our runtime.
userland: test-packages all
	@scripts/userland.sh $(BUILD) $(ONLY) || [ $$? = 77 ]
	@[ -n "$(ONLY)" ] || scripts/userland.sh $(BUILD) top || [ $$? = 77 ]

# Official builds of Node, 18 to 26, each recorded: its functions have names.
nodes: test-packages all
	@scripts/nodes.sh $(BUILD) && ctest --test-dir $(BUILD) -R trace.every_node --output-on-failure || [ $$? = 77 ]

# Node's own tests, as they are: make node-tests [ONLY="fs net"].
node-tests: test-packages all
	@scripts/node-tests.sh $(BUILD) $(ONLY) || [ $$? = 77 ]

# Node's own tests of Node-API: make napi-tests [ONLY="test_object"].
napi-tests: test-packages all
	@scripts/napi-tests.sh $(BUILD) $(ONLY) || [ $$? = 77 ]

# The standard's own tests of WebAssembly: make wasm-tests [ONLY="i32 simd_load"].
wasm-tests: test-packages all
	@scripts/wasm-tests.sh $(BUILD) $(ONLY) || [ $$? = 77 ]

# Our parser of HTTP beside Node's, on random messages: make llhttp [COUNT=5000000 SEED=1].
llhttp: test-packages
	@mkdir -p $(BUILD) && scripts/llhttp.sh $(BUILD) $(or $(COUNT),5000000) $(or $(SEED),1)
	@scripts/llhttp.sh $(BUILD) time

# Numbers, dates and texts of forty locales, in Node and in our runtime.
intl: test-packages all
	@python3 -B runtime/tests/intl/compare.py $(BUILD)/bin/phasor

# What the JavaScript programs of the tests print, from Node 20.
js-expected:
	@scripts/js-expected.sh $(ONLY)

# Random programs about order, in Node 20 and in our runtime.
js-differential: all
	@runtime/tests/js/random.sh $(BUILD)/bin/phasor $(or $(COUNT),2000) $(or $(SEED),1)

# Coverage-guided fuzzing of the engine, the parsers, TLS and HTTP/2: make fuzz [TIME=60 ONLY="tls"],
# so many seconds for each target.
fuzz: test-packages
	@mkdir -p $(BUILD) && scripts/fuzz.sh $(BUILD) $(or $(TIME),60) $(ONLY)

# The engine's patches on another version of it: make engine-refresh VERSION=0.18.0-1 or a folder.
engine-refresh: packages
	@runtime/scripts/engine-refresh.sh $(BUILD) $(VERSION)

# The library's tests on other processors, C libraries, kernels' filters and limits; writes
# docs/PLATFORMS.md: make platforms [ONLY="arm64 musl-static"].
platforms: packages
	@scripts/packages.sh platforms
	@scripts/platforms.sh $(BUILD) $(ONLY)

install: all
	@cmake --install $(BUILD) --prefix $(PREFIX)

# Archives that are unpacked anywhere, with their installer, in build/dist: make dist
# [PLATFORMS="amd64-glibc arm64-glibc amd64-musl arm64-musl"].
dist: all
	@scripts/packages.sh dist
	@scripts/dist.sh $(BUILD) $(PLATFORMS)

# Debian packages, in build/deb: make deb [SUITE=trixie ARCH=arm64] for others than this machine's.
deb: all
	@scripts/packages.sh deb
	@scripts/deb.sh $(BUILD) $(SUITE) $(ARCH)

# Both, and all other ways in, made, installed, used and removed: make install-check [ONLY="npm rpm"].
install-check: test-packages dist deb
	@scripts/packages.sh check
	@scripts/install-check.sh $(BUILD) $(ONLY)

format: test-packages
	@scripts/format.sh

lint: test-packages all
	@scripts/lint.sh $(BUILD)

# Our functions whose shape is that of Node's, libuv's or the engine's: make provenance [ONLY=file].
provenance: all
	@scripts/provenance.sh $(BUILD) $(ONLY) || [ $$? = 77 ]

clean:
	rm -rf $(BUILD)
