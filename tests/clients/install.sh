#!/usr/bin/env bash
# install.sh FOLDER: Debian's own programs that use libuv, unpacked into FOLDER/root. The system is
# not changed: apt only downloads, into folders of its own, what the machine does not have.
set -euo pipefail
folder=$1
packages="neovim python3 python3-uvloop lua5.1 lua-luv bind9 bind9-dnsutils cmake
libsqlite3-dev liblz4-dev"
[ "$(cat "$folder/complete" 2>&1)" != "$packages" ] || exit 0

mkdir -p "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial"
folder=$(cd "$folder" && pwd)
options=(-o "Dir::State::Lists=$folder/apt/lists" -o "Dir::Cache=$folder/apt/cache"
    -o Debug::NoLocking=1 -o APT::Sandbox::User=root)

# Debian's node, even where another vendor's newer one is installed, and the library that it is made
# of, whose name carries a version.
node_packages() {
    local version
    version=$(apt-cache "${options[@]}" madison nodejs |
        awk -F'|' '{ gsub(/ /, "", $2); if ($2 ~ /dfsg/) { print $2; exit } }')
    echo "nodejs=$version"
    apt-cache "${options[@]}" show "nodejs=$version" |
        sed -nE 's/^Depends:.*(libnode[0-9]+).*/\1/p'
}

# shellcheck disable=SC2086
download() {
    apt-get "${options[@]}" update
    apt-get "${options[@]}" install -y --download-only --no-install-recommends --allow-downgrades \
        $(node_packages) $packages
}

if ! download >"$folder/apt/log" 2>&1; then
    tail -n 5 "$folder/apt/log" >&2
    echo "The clients could not be downloaded." >&2
    exit 1
fi
rm -rf "$folder/root"
mkdir "$folder/root"
for package in "$folder"/apt/cache/archives/*.deb; do
    dpkg -x "$package" "$folder/root"
done
rm -rf "$folder/apt"
echo "$packages" >"$folder/complete"
