#!/usr/bin/env bash
# A part of the library's tests with another C library; make platforms runs all of them.
exec python3 -B tests/platforms/run.py "$1" --quick musl-static
