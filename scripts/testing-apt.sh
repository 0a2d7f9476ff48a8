#!/usr/bin/env bash
# testing-apt.sh FOLDER APT-GET-ARGUMENTS...: apt-get on Debian's testing suite (or another SUITE),
# with lists and caches of its own below FOLDER. The mirror and its key come from the machine's own
# settings, signatures are checked, and the machine's own packages and settings stay as they are.
# On Ubuntu, Debian's archive is looked for beside Ubuntu's, where many mirrors have it.
# PHASOR_DEBIAN_MIRROR names another one.
set -euo pipefail
suite=${SUITE:-forky}
debian_key=/usr/share/keyrings/debian-archive-keyring.gpg
mkdir -p "$1"
folder=$(cd "$1" && pwd)
shift

# The machine's Debian archive as "KEY ADDRESS", KEY being - if none is named. Reads both of apt's
# formats; the security archive does not carry the suite.
archive() {
    { cat /etc/apt/sources.list.d/*.sources 2>/dev/null || true; } | python3 -c '
import re, sys
for stanza in sys.stdin.read().split("\n\n"):
    field = dict(re.findall(r"^(\S+):[ \t]*(\S+)", stanza, re.M))
    if field.get("Types", "").startswith("deb") and "URIs" in field:
        print(field.get("Signed-By", "-"), field["URIs"])'
    { cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null || true; } | python3 -c '
import re, sys
for line in sys.stdin:
    found = re.match(r"deb\s+(\[.*?\]\s+)?(\S+)", line)
    if found:
        key = re.search(r"signed-by=([^\s\]]+)", found[1] or "")
        print(key[1] if key else "-", found[2])'
}

prepare() {
    mkdir -p "$folder/lists/partial" "$folder/cache/archives/partial" "$folder/empty"
    local found key
    if [ -n "${PHASOR_DEBIAN_MIRROR:-}" ]; then
        found="$debian_key $PHASOR_DEBIAN_MIRROR"
    else
        found=$(archive | grep -E '/debian/?$' || true)
        [ -n "$found" ] ||
            found=$(archive | sed -nE "s#^.* (.*)/ubuntu/?\$#$debian_key \\1/debian#p")
        found=${found%%$'\n'*}
    fi
    [ -n "$found" ] || {
        echo "No Debian archive in this machine's apt settings; PHASOR_DEBIAN_MIRROR names one." >&2
        exit 1
    }
    key=${found%% *}
    for type in deb deb-src; do
        echo "$type $([ "$key" = - ] || echo "[signed-by=$key] ")${found#* } $suite main"
    done >"$folder/sources.list"
    : >"$folder/status"
}

[ -e "$folder/sources.list" ] || prepare
exec apt-get -qq -o Dir::Etc::SourceList="$folder/sources.list" \
    -o Dir::Etc::SourceParts="$folder/empty" -o Dir::Etc::Preferences=/dev/null \
    -o Dir::Etc::PreferencesParts="$folder/empty" -o Dir::State="$folder" \
    -o Dir::State::Lists="$folder/lists" -o Dir::State::status="$folder/status" \
    -o Dir::Cache="$folder/cache" -o APT::Sandbox::User=root -o Acquire::Languages=none \
    -o APT::Get::AllowUnauthenticated=false "$@"
