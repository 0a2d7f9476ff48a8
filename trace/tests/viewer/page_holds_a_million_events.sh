#!/usr/bin/env bash
# A page with a million events loads, zooms, steps and finds; its figures are printed.
# alone
exec python3 -B trace/tests/viewer/million.py
