#!/usr/bin/env bash
# User callbacks have one caller.
exec python3 -B tests/style/callbacks.py
