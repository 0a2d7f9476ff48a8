#!/usr/bin/env bash
# same_output.sh EXPECTED COMMAND...: the command must succeed and print exactly what the file says.
set -euo pipefail
expected=$1
shift
diff -u "$expected" <("$@")
