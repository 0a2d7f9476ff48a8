#!/usr/bin/env bash
# Each folder of src/ includes only what stands below it.
exec python3 -B tests/style/includes.py
