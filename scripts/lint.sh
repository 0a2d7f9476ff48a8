#!/usr/bin/env bash
# lint.sh BUILD [FILE...]: builds everything with clang and warnings as errors, then checks the
# format and runs clang-tidy (.clang-tidy) over the sources (or the given files only). The last line
# says how it went.
set -euo pipefail
build=${1:?the build folder}
shift
clang=$build/clang
failed=""

step() { # step NAME COMMAND...: stays quiet unless it fails
    local name=$1 log
    shift
    log=$build/lint.log
    echo "Lint: $name"
    if ! "$@" >"$log" 2>&1; then
        # clang-tidy counts on standard error what it left out; that is no finding
        grep -vE '^[0-9]+ warnings? (generated|treated)|^Suppressed |^Use -header-filter' "$log" \
            >&2 || true
        failed="$failed, $name"
    fi
    rm -f "$log"
}

mkdir -p "$build"
step "clang build" scripts/build.sh "$clang" -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Debug
if [ ! -e "$clang/compile_commands.json" ]; then
    echo "Lint: failed, the tree does not configure" >&2
    exit 1
fi

# Sources that the build knows: what it does not compile, clang-tidy can't either. Each once: those
# of the second build of the library too, of which clang-tidy's second look sees what is not there.
once=$build/lint
mkdir -p "$once"
python3 - "$clang/compile_commands.json" >"$once/compile_commands.json" <<'END'
import json, sys
print(json.dumps(list({entry["file"]: entry for entry in reversed(json.load(open(sys.argv[1])))}
                      .values())))
END
if [ $# = 0 ]; then
    mapfile -t files < <(python3 - "$clang/compile_commands.json" <<'END'
import json, os, sys
files = {os.path.relpath(entry["file"]) for entry in json.load(open(sys.argv[1]))}
print("\n".join(sorted(f for f in files if f.startswith(
    ("lib/", "trace/", "sim/", "phasor/", "runtime/", "go/", "bench/", "examples/")))))
END
    )
else
    files=("$@")
fi

if scripts/format.sh version >/dev/null 2>&1; then
    step "format" scripts/format.sh check
else
    echo "Lint: the format is not checked, there is no clang-format of our version"
fi

suspends() { # those that may suspend a coroutine are marked
    find go -name '*.[ch]' -print0 | xargs -0 python3 -B go/scripts/suspends.py
}
step "functions that suspend" suspends

provenance() { scripts/provenance.sh "$build"; }
if bash tests/provenance/fetch.sh "$build/provenance" 2>/dev/null; then
    step "provenance" provenance
else
    echo "Lint: the provenance is not checked, the sources of others can't be had here"
fi

tidy() { printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "$(nproc)" clang-tidy --quiet -p "$once"; }
step "clang-tidy on ${#files[@]} files" tidy

if [ -n "$failed" ]; then
    echo "Lint: failed (${failed#, })"
    exit 1
fi
echo "Lint: clean"
