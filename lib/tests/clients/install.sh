#!/usr/bin/env bash
# install.sh FOLDER: Debian's own programs that use libuv, unpacked into FOLDER/root.
set -euo pipefail
exec bash "$(dirname "$0")/unpack.sh" "$1" debian-nodejs neovim python3 python3-uvloop lua5.1 \
    lua-luv bind9 bind9-dnsutils cmake libsqlite3-dev liblz4-dev
