#!/usr/bin/env bash
# unpack.sh FOLDER PACKAGE...: Debian's packages, with what they need and the machine lacks,
# unpacked into FOLDER/root. The system is not changed: apt only downloads, into folders of its own,
# and no service is started.
set -euo pipefail
folder=$1
shift
[ "$(cat "$folder/complete" 2>&1)" != "$*" ] || exit 0

mkdir -p "$folder/apt/lists/partial" "$folder/apt/cache/archives/partial"
folder=$(cd "$folder" && pwd)
options=(-o "Dir::State::Lists=$folder/apt/lists" -o "Dir::Cache=$folder/apt/cache"
    -o Debug::NoLocking=1 -o APT::Sandbox::User=root)

# "debian-nodejs" is Debian's node, even where another vendor's newer one is installed, and the
# library that it is made of, whose name carries a version.
names() {
    local name version
    for name in "$@"; do
        if [ "$name" != debian-nodejs ]; then
            echo "$name"
            continue
        fi
        version=$(apt-cache "${options[@]}" madison nodejs |
            awk -F'|' '{ gsub(/ /, "", $2); if ($2 ~ /dfsg/) { print $2; exit } }')
        echo "nodejs=$version"
        apt-cache "${options[@]}" show "nodejs=$version" |
            sed -nE 's/^Depends:.*(libnode[0-9]+).*/\1/p'
    done
}

# shellcheck disable=SC2046
download() {
    apt-get "${options[@]}" update
    apt-get "${options[@]}" install -y --download-only --no-install-recommends --allow-downgrades \
        $(names "$@")
}

if ! download "$@" >"$folder/apt/log" 2>&1; then
    tail -n 5 "$folder/apt/log" >&2
    echo "The packages could not be downloaded." >&2
    exit 1
fi
rm -rf "$folder/root"
mkdir "$folder/root"
for package in "$folder"/apt/cache/archives/*.deb; do
    [ ! -e "$package" ] || dpkg -x "$package" "$folder/root"
done
mkdir -p "$folder/root/usr"
rm -rf "$folder/apt"
echo "$*" >"$folder/complete"
