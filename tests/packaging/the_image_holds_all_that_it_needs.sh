#!/usr/bin/env bash
# FROM scratch: the command runs with nothing of this system in reach. Built and run by podman or
# docker where one works, and below chroot.
. tests/packaging/common.bash
[ -f "$build/dist/SHA256SUMS" ] || skip "there are no archives: make dist makes them"
logged scripts/image.sh "$build"
image=$build/image
size=$(du -sk "$image/root" | cut -f 1)
[ "$size" -lt 30000 ] || fail "the image has $size kB"
echo 'setTimeout(() => console.log("it runs", require("fs").readdirSync("/").includes("usr")), 1)' \
    >"$temp/app.js"
checked=""
if [ "$(id -u)" = 0 ]; then
    cp -r "$image/root" "$temp/root"
    cp "$temp/app.js" "$temp/root/app/"
    says "it runs false" chroot "$temp/root" /bin/phasor /app/app.js
    says true chroot "$temp/root" /bin/phasor -e \
        'require("zlib").gzip("a", () => console.log(true))'
    checked="chroot"
fi
for tool in podman docker; do
    command -v $tool >/dev/null && $tool info >/dev/null 2>&1 || continue
    logged $tool build -t phasor-test "$image"
    says "it runs false" $tool run --rm --network none -v "$temp/app.js:/app/app.js:ro" \
        phasor-test app.js
    logged $tool rmi phasor-test
    checked="$checked $tool"
    break
done
[ -n "$checked" ] || skip "neither root nor a tool for containers is here"
echo "$size kB, run by: $checked"
