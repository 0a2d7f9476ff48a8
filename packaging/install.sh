#!/bin/sh
# install.sh [--prefix FOLDER] [--sha256 HASH] ARCHIVE   installs a phasor-*.tar.gz
# install.sh [--prefix FOLDER] --uninstall               removes it
#
# No root is needed: FOLDER is ~/.local unless told otherwise. The tree goes into FOLDER/opt/phasor;
# the command, the man pages and the completions are links into it. ARCHIVE is a file, or an address
# that curl or wget fetches. Its SHA-256 must be HASH, or what ARCHIVE.sha256 or SHA256SUMS beside
# it says.
set -eu

usage() {
    sed -n '2,3s/^# //p' "$0" >&2
    exit 2
}
fail() {
    echo "install.sh: $1" >&2
    exit 1
}

prefix=${HOME:-}/.local hash="" archive="" uninstall=""
while [ $# -gt 0 ]; do
    case $1 in
    --prefix) [ $# -gt 1 ] || usage; prefix=$2; shift ;;
    --prefix=*) prefix=${1#*=} ;;
    --sha256) [ $# -gt 1 ] || usage; hash=$2; shift ;;
    --sha256=*) hash=${1#*=} ;;
    --uninstall) uninstall=yes ;;
    --help) sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 0 ;;
    -*) echo "install.sh: unknown option $1" >&2; usage ;;
    *) [ -z "$archive" ] || usage; archive=$1 ;;
    esac
    shift
done
case $prefix in
/.local | "") fail "there is no home folder; --prefix says where to" ;;
/*) ;;
*) prefix=$PWD/$prefix ;;
esac
tree=$prefix/opt/phasor

# each_link COMMAND: COMMAND LINK TARGET for everything that stands outside of the tree.
each_link() {
    "$1" "$prefix/bin/phasor" "$tree/bin/phasor"
    for page in "$tree"/share/man/man1/*.1; do
        "$1" "$prefix/share/man/man1/${page##*/}" "$page"
    done
    for file in bash-completion/completions/phasor zsh/site-functions/_phasor \
        fish/vendor_completions.d/phasor.fish; do
        "$1" "$prefix/share/$file" "$tree/share/$file"
    done
}
check_link() { # what somebody else has put there stays
    [ ! -e "$1" ] && [ ! -L "$1" ] || [ "$(readlink "$1")" = "$2" ] ||
        fail "$1 is there already, and is not phasor's: remove it first"
}
make_link() {
    [ -e "$2" ] || return 0
    mkdir -p "${1%/*}"
    ln -sfn "$2" "$1"
}
remove_link() {
    [ "$(readlink "$1")" != "$2" ] || rm "$1"
    # Folders below the prefix that hold nothing any more.
    folder=${1%/*}
    (cd "$prefix" && rmdir -p "${folder#"$prefix"/}") 2>/dev/null || true
}

remove() {
    [ -e "$tree/bin/phasor" ] || fail "no phasor in $prefix"
    each_link remove_link
    rm -rf "$tree"
    rmdir "$prefix/opt" 2>/dev/null || true
}

if [ -n "$uninstall" ]; then
    [ -z "$archive" ] || usage
    remove
    echo "phasor is removed from $prefix"
    exit 0
fi
[ -n "$archive" ] || usage

mkdir -p "$prefix/opt" || fail "$prefix can't be written"
temp=$(mktemp -d "$prefix/opt/.phasor-XXXXXX") || fail "$prefix/opt can't be written"
trap 'rm -rf "$temp"; rmdir "$prefix/opt" 2>/dev/null || true' EXIT
trap 'exit 1' HUP INT TERM

fetch() { # fetch ADDRESS FILE
    if command -v curl >/dev/null; then
        curl -fsSL -o "$2" "$1"
    elif command -v wget >/dev/null; then
        wget -q -O "$2" "$1"
    else
        fail "neither curl nor wget is here to fetch $1"
    fi
}
# named_in FILE NAME: the hash that a list of sha256sum has for it
named_in() { sed -n "s/^\([0-9a-f]\{64\}\) [ *]$2\$/\1/p" "$1" 2>/dev/null || true; }

name=${archive##*/}
pattern=$(printf '%s' "$name" | sed 's/[.[\*^$]/\\&/g')
case $archive in
*://*)
    file=$temp/$name
    fetch "$archive" "$file" || fail "$archive can't be fetched"
    [ -n "$hash" ] || { fetch "$archive.sha256" "$temp/list" 2>/dev/null ||
        fetch "${archive%/*}/SHA256SUMS" "$temp/list" 2>/dev/null || true
        hash=$(named_in "$temp/list" "$pattern"); }
    ;;
*)
    file=$archive
    [ -f "$file" ] || fail "$file is not a file"
    folder=$(dirname "$file")
    [ -n "$hash" ] || hash=$(named_in "$file.sha256" "$pattern")
    [ -n "$hash" ] || hash=$(named_in "$folder/SHA256SUMS" "$pattern")
    ;;
esac
[ -n "$hash" ] || fail "nothing says which SHA-256 $name has; --sha256 does"
found=$(sha256sum "$file" | cut -d ' ' -f 1)
[ "$found" = "$hash" ] || fail "$name is damaged or another: its SHA-256 is $found, not $hash"

mkdir "$temp/tree"
tar -xzf "$file" -C "$temp/tree" --strip-components=1 --no-same-owner ||
    fail "$name can't be unpacked"
[ -x "$temp/tree/bin/phasor" ] || fail "$name holds no phasor"
"$temp/tree/bin/phasor" --version >"$temp/version" 2>"$temp/why" ||
    fail "the phasor in $name does not run here: $(cat "$temp/why")"

# The links of what was there before name the same places.
[ ! -e "$tree" ] || [ -e "$tree/bin/phasor" ] || fail "$tree is there already, and is not phasor's"
each_link check_link
if [ -e "$tree" ]; then
    each_link remove_link
    mv "$tree" "$temp/before"
fi
mkdir -p "$prefix/opt"
mv "$temp/tree" "$tree"
each_link make_link
echo "$(head -n 1 "$temp/version") is installed: $prefix/bin/phasor"
case :$PATH: in
*:"$prefix/bin":*) ;;
*) echo "Add it to your PATH: export PATH=\"$prefix/bin:\$PATH\"" ;;
esac
