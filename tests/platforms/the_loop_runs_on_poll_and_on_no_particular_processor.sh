#!/usr/bin/env bash
# A part of the library's tests on the poller for systems without epoll, without tick counter and
# pause, as on a processor that nobody knows.
exec python3 -B tests/platforms/run.py "$1" --quick poll-plain
