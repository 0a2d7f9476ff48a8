#!/usr/bin/env bash
# README.zh.md says what README.md says, as far as a program can tell.
exec python3 -B tests/style/translations.py
