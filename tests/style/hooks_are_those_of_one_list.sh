#!/usr/bin/env bash
# What JavaScript hands to C with setHook() is what runtime/engine/hooks.def lists.
set -euo pipefail
python3 -B tests/style/hooks.py
