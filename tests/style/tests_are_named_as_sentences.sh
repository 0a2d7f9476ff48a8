#!/usr/bin/env bash
# A test's name says what holds.
exec python3 -B tests/style/names.py
