# Sourced: make_chroot and inside, a small Debian of another release, for building packages and for
# trying them. $build is the build folder, $temp one that goes away; logged runs a command quietly.

# make_chroot SUITE FOLDER [PACKAGE...]: from the mirror that this machine uses, or says why there
# can be none and returns 77. It is kept in the build folder: the next one need not fetch it.
make_chroot() {
    local suite=$1 folder=$2 kept=$build/chroots/$1.tar valid
    shift 2
    [ "$(id -u)" = 0 ] || { echo "only root can make another system"; return 77; }
    command -v mmdebstrap >/dev/null || { echo "there is no mmdebstrap"; return 77; }
    if [ ! -e "$kept" ]; then
        mkdir -p "$build/chroots"
        SUITE=$suite scripts/testing-apt.sh "$temp/apt-$suite" update ||
            { echo "$suite can't be reached"; return 77; }
        # A mirror that stands still is taken where this machine takes it.
        valid=$(apt-config dump Acquire::Check-Valid-Until)
        logged mmdebstrap --quiet --variant=apt --mode=root --include=apt-utils \
            --aptopt='Acquire::Languages "none"' \
            ${valid:+--aptopt="$valid"} "$suite" \
            "$build/chroots/new-$suite.tar" "$temp/apt-$suite/sources.list"
        mv "$build/chroots/new-$suite.tar" "$kept"
    fi
    mkdir -p "$folder"
    tar -C "$folder" --exclude='./dev/*' -xf "$kept"
    printf '#!/bin/sh\nexit 101\n' >"$folder/usr/sbin/policy-rc.d"
    chmod +x "$folder/usr/sbin/policy-rc.d"
    for file in resolv.conf hosts; do
        [ ! -e "/etc/$file" ] || cp -L "/etc/$file" "$folder/etc/$file"
    done
    logged inside "$folder" apt-get update -qq
    [ $# = 0 ] || logged inside "$folder" apt-get install -qq --no-install-recommends "$@"
}

# inside FOLDER COMMAND...: in that system, with /proc of its own
inside() {
    local folder=$1
    shift
    unshare --mount --pid --fork --kill-child sh -c '
        mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" &&
        root=$1 && shift && exec chroot "$root" /usr/bin/env -i HOME=/ LC_ALL=C \
            ${http_proxy:+http_proxy="$http_proxy"} \
            PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"' \
        sh "$folder" "$@"
}
