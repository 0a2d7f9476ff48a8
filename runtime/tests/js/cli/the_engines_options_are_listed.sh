#!/usr/bin/env bash
# Tools (gulp, grunt) read the names of the engine's switches from --v8-options.
set -euo pipefail
"$1" --v8-options | grep -oE '^  --(expose-gc|stack-size|stack-trace-limit)\b' | sort -u
