#!/usr/bin/env bash
# userland.sh BUILD [quick | top] [NAME...]: popular npm packages, as they are, in our runtime.
# Installs the list of runtime/tests/userland/package.json below the build folder, runs each program
# of runtime/tests/userland with Node and with phasor and compares what they print. Programs with a
# line "// needs: NAME..." run beside those servers, which come from Debian's packages and are
# unpacked below the build folder, too. "quick" runs a part of them, where all is unpacked already;
# "top" the short programs of runtime/tests/userland/top, of the packages with the most downloads,
# and writes docs/NPM.md.
# Skipped (77) where there is no npm, no Node 20, no runtime, or no registry to install from.
set -euo pipefail
build=$(realpath "${1:?usage: userland.sh BUILD [quick | top] [NAME...]}")
shift
cd "$(dirname "$0")/.."
source=$PWD/runtime/tests/userland
home=$build/userland
servers=$build/servers

skip() {
    echo "Skipped: $1."
    exit 77
}
[ -x "$build/bin/phasor" ] || skip "there is no runtime in $build"
command -v npm >/dev/null || skip "there is no npm"
case "$(node --version 2>/dev/null || true)" in
v20.*) ;;
*) skip "there is no Node 20" ;;
esac

# install IGNORES_PEERS
install() {
    mkdir -p "$home"
    cmp -s "$source/package.json" "$home/package.json" && [ -f "$home/installed" ] && return
    rm -rf "$home/node_modules" "$home/installed"
    cp "$source/package.json" "$home/"
    echo "Installing $(grep -c '": "[0-9]' "$home/package.json") packages and what they need ..."
    (cd "$home" && timeout 600 npm install --no-package-lock --no-audit --no-fund \
        --ignore-scripts --legacy-peer-deps="$1" --loglevel=error >install.log 2>&1) || {
        tail -n 5 "$home/install.log"
        skip "the packages can't be installed; the registry may be out of reach"
    }
    touch "$home/installed"
}

if [ "${1:-}" = top ]; then
    shift
    source=$source/top
    home=$build/userland-top
    install true
    cp "$source"/*.js "$source/causes.json" "$home/"
    page=$PWD/docs/NPM.md
    [ $# = 0 ] || page=-
    [ $# -gt 0 ] || python3 -B runtime/tests/userland/plugins.py "$build" "$page"
    (cd "$home" && node compare.js "$build/bin/phasor" "$page" "$@")
    exit
fi

if [ "${1:-}" = quick ]; then
    shift
    [ -f "$home/installed" ] && [ -f "$servers/complete" ] ||
        skip "the packages are not unpacked (make userland does it)"
    set -- redis mqtt secure secure_ws mongodb
    home=$(mktemp -d)
    trap 'rm -rf "$home"' EXIT
    ln -s "$build/userland/node_modules" "$home/"
else
    install false
fi
cp "$source"/*.js "$home/"
unset NODE_OPTIONS NODE_PATH NODE_DEBUG FORCE_COLOR NO_COLOR
export KEYS=$PWD/runtime/tests/js/tls/keys
[ $# -gt 0 ] || set -- $(cd "$source" && ls ./*.js | sed 's#^\./##; s#\.js$##')

needed=$(for name in "$@"; do sed -n 's#^// needs: ##p' "$home/$name.js"; done | tr ' ' '\n' |
    sort -u | tr '\n' ' ')
run=()
if [ -n "${needed% }" ]; then
    # shellcheck disable=SC2046
    [ -f "$servers/complete" ] ||
        lib/tests/clients/unpack.sh "$servers" $(cat "$source/servers.txt") ||
        skip "the servers can't be downloaded"
    run=(bash lib/tests/conformance/alone.sh
        python3 -B runtime/tests/userland/servers.py "$servers/root"
        "$needed")
fi
status=0
"${run[@]}" bash runtime/tests/userland/compare.sh "$home" "$build/bin/phasor" "$@" || status=$?
exit $status
