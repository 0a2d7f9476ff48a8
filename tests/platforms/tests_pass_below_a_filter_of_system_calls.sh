#!/usr/bin/env bash
# A part of the library's tests where a sandbox refuses the newer system calls.
exec python3 -B tests/platforms/run.py "$1" --quick filter-docker
