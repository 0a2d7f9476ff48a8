#!/usr/bin/env bash
# What does not fit on a few screens is split.
exec python3 -B tests/style/lengths.py
