#!/usr/bin/env bash
# A part of the library's tests in an emulator of arm64; make platforms runs all of them.
exec python3 -B tests/platforms/run.py "$1" --quick arm64
