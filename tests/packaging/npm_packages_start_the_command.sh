#!/usr/bin/env bash
# npx phasor, from a registry on this machine that knows nothing but our two packages.
. tests/packaging/common.bash
command -v npm >/dev/null || skip "there is no npm"
[ -f "$build/dist/SHA256SUMS" ] || skip "there are no archives: make dist makes them"
logged scripts/npm.sh "$build"
tools=$build/verdaccio
if [ ! -x "$tools/node_modules/.bin/verdaccio" ]; then
    mkdir -p "$tools"
    # One of its parts names another by a tag that not every registry has.
    echo '{"private": true, "overrides": {"node-fetch": "^2"}}' >"$tools/package.json"
    npm install --silent --no-audit --no-fund --prefix "$tools" verdaccio@6 >"$temp/log" 2>&1 ||
        skip "verdaccio can't be had: $(tail -n 3 "$temp/log")"
fi

port=$(python3 -c 'import socket
place = socket.socket()
place.bind(("127.0.0.1", 0))
print(place.getsockname()[1])')
cat >"$temp/verdaccio.yaml" <<END
storage: $temp/storage
listen: 127.0.0.1:$port
auth: {htpasswd: {file: $temp/htpasswd}}
packages: {'**': {access: \$all, publish: \$all}}
log: {type: stdout, level: warn}
max_body_size: 200mb
END
"$tools/node_modules/.bin/verdaccio" --config "$temp/verdaccio.yaml" >"$temp/registry.log" 2>&1 &
registry=$!
trap 'kill $registry 2>/dev/null || true; clean' EXIT
until (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do
    kill -0 $registry 2>/dev/null || fail "the registry does not run: $(cat "$temp/registry.log")"
    sleep 0.2
done
export HOME=$temp/home npm_config_userconfig=$temp/npmrc npm_config_cache=$temp/cache
mkdir "$HOME" "$temp/app"
cat >"$temp/npmrc" <<END
registry=http://127.0.0.1:$port/
//127.0.0.1:$port/:_authToken=nobody
audit=false
fund=false
update-notifier=false
END
for archive in "$build"/npm/*.tgz; do
    logged npm publish --access public "$archive"
done

cd "$temp/app"
echo 'setTimeout(() => console.log(process.argv[2], typeof process.versions.uv), 1)' >app.js
echo '{"name": "app", "version": "1.0.0"}' >package.json
says "an argument string" npx --yes phasor app.js "an argument"
logged npx --yes phasor trace -o js.trace app.js
logged npm install phasor
says "phasor $version" sh -c 'npx phasor --version | head -n 1'
status=0
npx phasor -e 'process.exit(7)' || status=$?
[ $status = 7 ] || fail "the exit status is $status, not 7"
status=0
node_modules/.bin/phasor -e 'process.kill(process.pid, "SIGKILL")' || status=$?
[ $status = 137 ] || fail "the status after a signal is $status, not 137"
if nm -D "$(command -v node)" 2>/dev/null | grep -q ' T uv_run'; then
    logged npx phasor trace -o node.trace node app.js
    npx phasor report node.trace | grep -q timer || fail "nothing was recorded of node"
fi
rm -rf node_modules/@phasor
! npx phasor app.js >out 2>&1 || fail "it runs without its platform"
grep -q 'the package @phasor/linux-.* is not installed' out ||
    fail "it does not say why: $(cat out)"
