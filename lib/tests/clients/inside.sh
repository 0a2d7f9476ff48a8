#!/usr/bin/env bash
# inside.sh ROOT COMMAND...: runs the command where the packages unpacked in ROOT look installed. It
# sees ROOT/usr laid over /usr; nobody else does.
set -euo pipefail
root=$1
shift
user=()
[ "$(id -u)" = 0 ] || user=(--map-root-user)
exec unshare --mount "${user[@]}" sh -c '
    mount -t overlay overlay -o "lowerdir=$0/usr:/usr" /usr
    exec "$@"' "$root" "$@"
