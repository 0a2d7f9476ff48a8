#!/usr/bin/env bash
# userland.sh BUILD [NAME...]: popular npm packages, as they are, in our runtime. Installs the list
# of tests/userland/package.json below the build folder, runs each program of tests/userland with
# Node and with phasor and compares what they print. Skipped (77) where there is no npm, no Node 20,
# no runtime, or no registry to install from.
set -euo pipefail
build=$(realpath "${1:?usage: userland.sh BUILD [NAME...]}")
shift
source=$(realpath "$(dirname "$0")/../tests/userland")
phasor=$build/bin/phasor
home=$build/userland
limit=${USERLAND_LIMIT:-120}

skip() {
    echo "Skipped: $1."
    exit 77
}
[ -x "$phasor" ] || skip "there is no runtime in $build"
command -v npm >/dev/null || skip "there is no npm"
case "$(node --version 2>/dev/null || true)" in
v20.*) ;;
*) skip "there is no Node 20" ;;
esac

mkdir -p "$home"
if ! cmp -s "$source/package.json" "$home/package.json" || [ ! -f "$home/installed" ]; then
    rm -rf "$home/node_modules" "$home/installed"
    cp "$source/package.json" "$home/"
    echo "Installing $(grep -c '": "[0-9]' "$home/package.json") packages and what they need ..."
    (cd "$home" && timeout 600 npm install --no-package-lock --no-audit --no-fund \
        --ignore-scripts --loglevel=error >install.log 2>&1) || {
        tail -n 5 "$home/install.log"
        skip "the packages can't be installed; the registry may be out of reach"
    }
    touch "$home/installed"
fi
cp "$source"/*.js "$home/"
unset NODE_OPTIONS NODE_PATH NODE_DEBUG FORCE_COLOR NO_COLOR

# run PROGRAM NAME OUTPUT: gives the seconds that it took.
run() {
    local began=$EPOCHREALTIME status=0
    (cd "$home" && exec timeout -k 5 "$limit" "$1" "$2.js") >"$3" 2>"$3.err" </dev/null || status=$?
    echo "exit status $status" >>"$3"
    awk -v a="$began" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f", b - a }'
}

[ $# -gt 0 ] || set -- $(cd "$source" && ls ./*.js | sed 's#^\./##; s#\.js$##')
failed=0
printf '%-12s %-10s %8s %8s   %s\n' program result "node s" "phasor s" "what it does"
for name in "$@"; do
    node_time=$(run node "$name" "$home/$name.node")
    phasor_time=$(run "$phasor" "$name" "$home/$name.phasor")
    result=same
    if ! diff -u "$home/$name.node" "$home/$name.phasor" >"$home/$name.diff"; then
        result=DIFFERS
        failed=1
    fi
    if [ "$(tail -n 1 "$home/$name.node")" = "exit status 124" ]; then
        result=ENDLESS
        failed=1
    fi
    what=$(sed -n '1s#^// ##p' "$home/$name.js")
    printf '%-12s %-10s %8s %8s   %s\n' "$name" $result "$node_time" "$phasor_time" "$what"
    if [ $result = DIFFERS ]; then
        head -n 30 "$home/$name.diff"
        head -n 10 "$home/$name.phasor.err"
    fi
done
exit $failed
