#!/usr/bin/env bash
# packaging/install.sh with a small archive: only one with the right hash is installed, over an
# earlier one too; what others have put there stays; --uninstall leaves nothing behind.
set -euo pipefail
temp=$(mktemp -d "${TMPDIR:-/tmp}/phasor-installer-XXXXXX")
server=""
trap '[ -z "$server" ] || kill "$server"; rm -rf "$temp"' EXIT
installer=$PWD/packaging/install.sh
fail() {
    echo "$1" >&2
    exit 1
}
cd "$temp"

# make_archive VERSION: an archive whose command prints that version
make_archive() {
    mkdir -p tree/bin tree/share/man/man1 tree/share/bash-completion/completions
    printf '#!/bin/sh\necho phasor %s\n' "$1" >tree/bin/phasor
    chmod +x tree/bin/phasor
    echo page >tree/share/man/man1/phasor.1
    echo words >tree/share/bash-completion/completions/phasor
    mkdir -p "release-$1"
    tar -czf "release-$1/phasor-$1-linux.tar.gz" tree
    (cd "release-$1" && sha256sum -- *.tar.gz >SHA256SUMS)
    rm -rf tree
}
make_archive 1
make_archive 2
export HOME=$temp/home
mkdir -p "$HOME"
# says STATUS TEXT ARGUMENTS...
says() {
    local wanted=$1 text=$2 status=0
    shift 2
    sh "$installer" "$@" >out 2>&1 || status=$?
    [ $status = "$wanted" ] || fail "install.sh $*: status $status: $(cat out)"
    grep -qF -e "$text" out || fail "install.sh $*: no \"$text\": $(cat out)"
}
prints() { [ "$("$HOME/.local/bin/phasor")" = "$1" ] || fail "not $1 is installed"; }

says 0 "phasor 1 is installed" release-1/phasor-1-linux.tar.gz
prints "phasor 1"
grep -q page "$HOME/.local/share/man/man1/phasor.1" || fail "no man page"
grep -q words "$HOME/.local/share/bash-completion/completions/phasor" || fail "no completion"
says 0 "phasor 2 is installed" release-2/phasor-2-linux.tar.gz
prints "phasor 2"

# Damaged, without a hash, not an archive, not there: what is installed stays.
cp -r release-1 damaged
echo more >>damaged/phasor-1-linux.tar.gz
says 1 "is damaged or another" damaged/phasor-1-linux.tar.gz
rm damaged/SHA256SUMS
says 1 "nothing says which SHA-256" damaged/phasor-1-linux.tar.gz
says 1 "can't be unpacked" --sha256 "$(sha256sum <"$installer" | cut -d ' ' -f 1)" "$installer"
says 1 "is not a file" release-1/none.tar.gz
says 2 "install.sh" --fast
mkdir -p tree/bin broken
printf '#!/bin/sh\necho no such library >&2\nexit 127\n' >tree/bin/phasor
chmod +x tree/bin/phasor
tar -czf broken/phasor.tar.gz tree
(cd broken && sha256sum phasor.tar.gz >phasor.tar.gz.sha256)
says 1 "does not run here: no such library" broken/phasor.tar.gz
prints "phasor 2"
[ "$(ls -A "$HOME/.local/opt")" = phasor ] || fail "something is left: $(ls -A "$HOME/.local/opt")"

touch "$HOME/.local/bin/mine"
says 0 "is removed" --uninstall
[ "$(find "$HOME/.local" ! -type d)" = "$HOME/.local/bin/mine" ] ||
    fail "left behind: $(find "$HOME/.local")"
says 1 "no phasor in" --uninstall

# Another's file in the way; another folder, with blanks; from an address.
mkdir -p "$temp/a b/bin"
echo theirs >"$temp/a b/bin/phasor"
says 1 "is not phasor's" --prefix "$temp/a b" release-1/phasor-1-linux.tar.gz
grep -q theirs "$temp/a b/bin/phasor" || fail "another's file is gone"
rm "$temp/a b/bin/phasor"
says 0 "phasor 1 is installed" --prefix "$temp/a b" release-1/phasor-1-linux.tar.gz
[ "$("$temp/a b/bin/phasor")" = "phasor 1" ] || fail "it does not run from a folder with a blank"
if command -v curl >/dev/null || command -v wget >/dev/null; then
    python3 -uc 'import functools, http.server
class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *rest): pass
server = http.server.HTTPServer(("127.0.0.1", 0), Quiet)
print(server.server_port)
server.serve_forever()' >port &
    server=$!
    until [ -s port ]; do sleep 0.05; done
    address=http://127.0.0.1:$(cat port)
    says 0 "phasor 2 is installed" --prefix "$temp/fetched" \
        "$address/release-2/phasor-2-linux.tar.gz"
    says 1 "can't be fetched" --prefix "$temp/fetched" "$address/release-2/none.tar.gz"
fi
