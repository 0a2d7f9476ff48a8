#!/usr/bin/env bash
# Recordings of several processes: one page, on one axis.
exec python3 -B trace/tests/viewer/several.py "$1"
