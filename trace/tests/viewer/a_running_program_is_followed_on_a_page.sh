#!/usr/bin/env bash
# `phasor top --html`: a page that follows a process, for the browser on this machine alone.
exec python3 -B trace/tests/viewer/live.py "$1"
