#!/usr/bin/env bash
# No notes to self, tabs, long lines or paths of one machine.
exec python3 -B tests/style/tidiness.py
