#!/usr/bin/env bash
# A program is recorded; its page says the same as its report.
exec python3 -B trace/tests/viewer/recording.py "$1"
