#!/usr/bin/env bash
# epoch.sh: the time that packages of this tree carry, in seconds: SOURCE_DATE_EPOCH if it is set,
# else that of the last commit.
set -euo pipefail
[ -z "${SOURCE_DATE_EPOCH:-}" ] || { echo "$SOURCE_DATE_EPOCH"; exit; }
git log -1 --format=%ct 2>/dev/null || stat -c %Y CHANGELOG.md
