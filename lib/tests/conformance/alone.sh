#!/usr/bin/env bash
# alone.sh COMMAND...: runs the command in a network of its own, where the tests' fixed ports are
# free and nothing leaves the machine: what is sent outside vanishes, as the tests of time limits
# want it, name servers are out of reach at once, and the loopback has its names. Without the right
# to make such a network, runs it as it is.
set -euo pipefail
namespace=(unshare --net --mount)
[ "$(id -u)" = 0 ] || namespace=(unshare --net --mount --map-current-user --keep-caps)
if ! command -v ip >/dev/null || ! "${namespace[@]}" ip link set lo up 2>/dev/null; then
    echo "No network namespace: the tests use the machine's own network."
    exec env -u CONFORMANCE_ALONE "$@"
fi
hosts=$(mktemp)
trap 'rm -f "$hosts"' EXIT
printf '127.0.0.1 localhost\n::1 localhost ip6-localhost\n' >"$hosts"
chmod 644 "$hosts"
HOSTS=$hosts "${namespace[@]}" sh -c '
    ip link set lo up multicast on
    ip route add default dev lo
    ip -6 route add default dev lo
    for server in $(sed -n "s/^nameserver *//p" /etc/resolv.conf); do
        ip route add unreachable "$server" 2>/dev/null || true
    done
    mount --bind "$HOSTS" /etc/hosts || true
    CONFORMANCE_ALONE=yes exec "$@"' alone "$@"
