#!/usr/bin/env bash
# tls-clients.sh BUILD [REQUESTS]: other people's TLS, HTTPS and HTTP/2 with ours, both ways, and a
# probe of our servers. Debian's packages are unpacked below the build folder.
set -euo pipefail
build=$(realpath "$1")
requests=${2:-10000}
# shellcheck disable=SC2046
bash lib/tests/clients/unpack.sh "$build/servers" $(cat runtime/tests/userland/servers.txt)
status=0
python3 -B runtime/tests/js/cli/tls_clients.py "$build/bin/phasor" "$requests" || status=1
python3 -B runtime/tests/js/cli/http_peers.py "$build/bin/phasor" "$requests" || status=1
python3 -B runtime/tests/js/cli/tls_probe.py "$build/bin/phasor" || status=1
exit $status
