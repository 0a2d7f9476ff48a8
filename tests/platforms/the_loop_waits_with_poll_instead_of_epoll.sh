#!/usr/bin/env bash
# A part of the library's tests on the poller for systems without epoll.
exec python3 -B tests/platforms/run.py "$1" --quick poll
