#!/usr/bin/env bash
# A part of the library's tests without tick counter and pause, as on a processor that nobody knows.
exec python3 -B tests/platforms/run.py "$1" --quick plain
