#!/usr/bin/env bash
# Each folder includes only what stands below it, and each product what it may.
exec python3 -B tests/style/includes.py
