#!/usr/bin/env bash
# Links lead somewhere; the map is complete.
exec python3 -B tests/style/documents.py
