# Sourced by dist.sh: how an archive's platform is built. $build is the build folder.
all_platforms=(amd64-glibc arm64-glibc amd64-musl arm64-musl)
machine=$(uname -m | sed 's/x86_64/amd64/; s/aarch64/arm64/')

# The compiler's prefix for another processor, empty for this machine's own.
prefix_of() {
    case ${1%-*} in
    "$machine") ;;
    amd64) echo x86_64-linux-gnu- ;;
    arm64) echo aarch64-linux-gnu- ;;
    esac
}
emulator_of() {
    case ${1%-*} in
    amd64) echo qemu-x86_64 ;;
    arm64) echo qemu-aarch64 ;;
    esac
}

# cannot_build PLATFORM: why not, nothing if it can be built
cannot_build() {
    local prefix
    prefix=$(prefix_of "$1")
    case $1 in
    *-glibc) ;;
    *-musl) command -v musl-gcc >/dev/null || { echo "there is no musl-gcc"; return; } ;;
    esac
    case " ${all_platforms[*]} " in
    *" $1 "*) ;;
    *) echo "it is none of: ${all_platforms[*]}"; return ;;
    esac
    [ -n "$prefix" ] || return 0
    for tool in "${prefix}gcc" "$(emulator_of "$1")"; do
        command -v "$tool" >/dev/null || { echo "there is no $tool"; return; }
    done
}

# platform_options PLATFORM: sets $options, what CMake is told, $flags, what the compiler is told,
# and $strip, and exports what pkg-config reads. Another processor's libraries are Debian's,
# unpacked below the build folder.
platform_options() {
    local prefix root=""
    prefix=$(prefix_of "$1")
    options=() flags="" strip=${prefix}strip
    unset PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR
    if [ -n "$prefix" ]; then
        root=$build/sysroots/${1%-*}
        bash tests/platforms/sysroot.bash "$root" "${1%-*}"
        options+=(-DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR="${prefix%%-*}"
            -DCMAKE_CROSSCOMPILING_EMULATOR="$(emulator_of "$1");-L;$root")
    fi
    case $1 in
    *-glibc) glibc_options "$root" "${prefix%-}" ;;
    *-musl) musl_options "$root" "${prefix%-}" ;;
    esac
}

glibc_options() { # glibc_options ROOT TRIPLE
    options+=(-DPHASOR_GLIBC=2.28)
    [ -n "$1" ] || return 0
    export PKG_CONFIG_LIBDIR=$1/usr/lib/$2/pkgconfig:$1/usr/share/pkgconfig
    export PKG_CONFIG_SYSROOT_DIR=$1
    options+=(-DCMAKE_C_COMPILER="$2-gcc" -DCMAKE_SYSROOT="$1"
        -DCMAKE_FIND_ROOT_PATH_MODE_PROGRAM=NEVER)
}

# musl's compiler knows no headers but musl's: the kernel's and zlib's are Debian's. So is zlib
# itself, of which nothing is used that differs between C libraries.
musl_options() { # musl_options ROOT TRIPLE
    local triple=${2:-$(gcc -print-multiarch)} headers compiler=musl-gcc tool name
    headers=$build/sysroots/$triple-headers
    rm -rf "$headers"
    mkdir -p "$headers"
    for place in linux asm-generic "$triple/asm" zlib.h zconf.h "$triple/zconf.h"; do
        [ ! -e "$1/usr/include/$place" ] || ln -s "$1/usr/include/$place" "$headers/"
    done
    if [ -n "$1" ]; then
        compiler=$build/sysroots/$triple-musl-gcc
        foreign_musl "$triple" "$compiler"
        for tool in ar ranlib strip ld objcopy; do # CMake calls ld the linker
            name=$(sed 's/^ld$/linker/; s/.*/\U&/' <<<$tool)
            options+=("-DCMAKE_$name=$(command -v "$triple-$tool")")
        done
    fi
    flags="-isystem $headers"
    options+=(-DCMAKE_C_COMPILER="$compiler" -DPHASOR_STATIC=ON -DPHASOR_SIM=OFF
        -DPHASOR_ZLIB_FILE="$1/usr/lib/$triple/libz.a")
}

# fetch_package FOLDER ARCH PACKAGE: unpacked there, without what it depends on
fetch_package() {
    local apt=$PWD/scripts/testing-apt.sh
    local options=(-o "APT::Architecture=$2" -o "APT::Architectures::=$2")
    SUITE=$(. /etc/os-release && echo "${VERSION_CODENAME:-bookworm}")
    export SUITE
    mkdir -p "$1"
    "$apt" "$1/apt" "${options[@]}" update
    (cd "$1" && "$apt" "$1/apt" "${options[@]}" download "$3" && dpkg-deb -x "$3"_*.deb .)
    rm -rf "$1/apt" "$1/$3"_*.deb
}

# foreign_musl TRIPLE COMPILER: makes a compiler of musl's for another processor, from its package
# and Debian's cross compiler.
foreign_musl() {
    local root=$2.root specs=$2.specs arch=arm64
    [ "$1" != x86_64-linux-gnu ] || arch=amd64
    if [ ! -e "$root/complete" ]; then
        fetch_package "$root" $arch musl-dev
        touch "$root/complete"
    fi
    sed "s#/usr/#$root/usr/#g" "$root/usr/lib/${1%-gnu}-musl/musl-gcc.specs" >"$specs"
    # What gcc calls to learn which atomic instructions there are is in glibc alone.
    cat >"$2" <<END
#!/bin/sh
exec $1-gcc -mno-outline-atomics "\$@" -specs $specs
END
    chmod +x "$2"
}
