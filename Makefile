# The front door. CMake and Ninja do the work underneath, in build/.
BUILD := build
PREFIX ?= /usr/local

.PHONY: all demo test bench conformance clients install format lint clean packages

all: packages
	@scripts/build.sh $(BUILD)

# Everything that a fresh Debian machine lacks.
packages:
	@scripts/packages.sh

demo: all
	@scripts/demo.sh $(BUILD)

test: packages
	@scripts/test.sh $(BUILD)

bench: packages
	@scripts/packages.sh bench
	@bench/run.sh $(BUILD) $(ONLY)

install: all
	@cmake --install $(BUILD) --prefix $(PREFIX)

format: packages
	@git ls-files '*.c' '*.h' | xargs clang-format -i

lint: all
	@scripts/lint.sh $(BUILD)

clean:
	rm -rf $(BUILD)
