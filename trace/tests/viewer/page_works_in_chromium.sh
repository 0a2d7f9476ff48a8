#!/usr/bin/env bash
# The page's behaviour, tested in a browser.
exec python3 -B trace/tests/viewer/page.py
