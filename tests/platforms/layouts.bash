# layouts.bash BUILD: downloads Debian's libuv1-dev of each processor and compares every size,
# offset and constant of its header with ours, in the emulator. Nothing is installed.
set -euo pipefail
build=$(cd "$1" && pwd)/platforms/layouts
mkdir -p "$build"
failed=0

fetch() { # fetch PROCESSOR: its package, unpacked
    local folder=$build/$1 options=(-o "APT::Architecture=$1" -o "APT::Architectures::=$1")
    [ ! -e "$folder/usr/include/uv.h" ] || return 0
    mkdir -p "$folder/apt"
    SUITE=trixie scripts/testing-apt.sh "$folder/apt" "${options[@]}" update &&
        (cd "$folder/apt" && SUITE=trixie "$OLDPWD/scripts/testing-apt.sh" "$folder/apt" \
            "${options[@]}" download libuv1-dev) && dpkg-deb -x "$folder"/apt/*.deb "$folder"
}

compare() { # compare PROCESSOR COMPILER EMULATOR [OPTIONS...]
    local folder=$build/$1 cc=$2 emulator=$3
    shift 3
    local options=(-static -D_GNU_SOURCE "$@")
    echo '#include <uv.h>' | $cc "${options[@]}" -I"$folder/usr/include" -E -dD -xc - \
        >"$folder/header"
    python3 -B lib/tests/abi/generate.py layout <"$folder/header" >"$folder/layout.c"
    $cc "${options[@]}" -I"$folder/usr/include" "$folder/layout.c" -o "$folder/theirs"
    $cc "${options[@]}" -Ilib/include "$folder/layout.c" -o "$folder/ours"
    $emulator "$folder/theirs" >"$folder/theirs.txt"
    $emulator "$folder/ours" >"$folder/ours.txt"
    diff -U0 --label libuv "$folder/theirs.txt" --label ours "$folder/ours.txt"
}

while read -r processor prefix emulator; do
    command -v "$prefix-gcc" "qemu-$emulator" >/dev/null || {
        echo "$processor: skipped, no compiler or emulator"
        continue
    }
    fetch "$processor" || {
        echo "$processor: skipped, libuv1-dev can't be downloaded"
        continue
    }
    if compare "$processor" "$prefix-gcc" "qemu-$emulator" &&
        compare "$processor" "$prefix-gcc" "qemu-$emulator" -D_FILE_OFFSET_BITS=64 -D_TIME_BITS=64
    then
        facts=$(wc -l <"$build/$processor/ours.txt")
        echo "$processor: $facts sizes, offsets and constants are libuv's"
    else
        failed=1
    fi
done <<'END'
arm64 aarch64-linux-gnu aarch64
riscv64 riscv64-linux-gnu riscv64
ppc64el powerpc64le-linux-gnu ppc64le
s390x s390x-linux-gnu s390x
armhf arm-linux-gnueabihf arm
i386 i686-linux-gnu i386
END
exit $failed
