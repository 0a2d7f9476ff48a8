#!/usr/bin/env bash
# In folders where others may put things: links, files of theirs and links to files of ours are not
# written to, and what is written only its user can read.
. trace/tests/common.bash
[ "$(id -u)" = 0 ] || skip "only root can become two users"
[ -z "$sanitizer" ] || skip "the sanitizer's libraries may be where others can't read"
victim=(setpriv --reuid=65534 --regid=65534 --clear-groups)
attacker=(setpriv --reuid=1 --regid=1 --clear-groups)
chmod 755 "$temp"
mkdir bin lib shared home
cp "$phasor" bin
cp "$program" bin/program
cp "$build/lib/libuv.so.1" lib
mkdir lib/phasor
cp "$build/lib/phasor/libphasor-trace.so" lib/phasor
cp "$build"/lib/phasor/binaries.so lib/phasor 2>/dev/null || true
chmod -R a+rX bin lib
chmod 777 shared
chown 65534 home
phasor=$temp/bin/phasor
program=$temp/bin/program
export LD_LIBRARY_PATH=$temp/lib
"${victim[@]}" "$program" turns 1 2>/dev/null || skip "other users can't come here"

# recorded FILE: it is there, and private
recorded() {
    [ "$(stat -c '%u %a %F' "$1")" = "65534 600 regular file" ] ||
        fail "$1: $(stat -c '%u %a %F' "$1")"
    "${victim[@]}" "$phasor" report "$1" >out 2>&1 || fail "$1: $(cat out)"
}

# A link to something precious.
"${victim[@]}" sh -c 'echo precious >home/mine; umask 0; : >home/empty'
for target in mine empty; do
    "${attacker[@]}" ln -s "$temp/home/$target" "shared/link-$target"
    "${victim[@]}" env PHASOR_TRACE="$temp/shared/link-$target" "$program" turns 3 2>err
    recorded shared/link-"$target".[0-9]*
done
[ "$(cat home/mine)" = precious ] || fail "the file is gone"
[ ! -s home/empty ] || fail "it was written through a link"

# A file that the other one made, and may read.
"${attacker[@]}" sh -c 'umask 0; : >shared/theirs'
"${victim[@]}" env PHASOR_TRACE="$temp/shared/theirs" "$program" turns 3 2>err
[ ! -s shared/theirs ] || fail "it was written to another user's file"
recorded shared/theirs.[0-9]*

# The command says whose it is, whatever is in it.
"${attacker[@]}" env PHASOR_TRACE="$temp/shared/recording" "$program" turns 3
expect 1 "${victim[@]}" "$phasor" trace -o "$temp/shared/recording" "$program" turns 3
says err "is there already, and belongs to another user"
expect 1 "${victim[@]}" "$phasor" report shared/recording
says err "can't read shared/recording: Permission denied"

# Another name of a file of ours.
"${victim[@]}" env PHASOR_TRACE="$temp/home/old" "$program" turns 3
ln home/old shared/hard
cp -p home/old before
"${victim[@]}" env PHASOR_TRACE="$temp/shared/hard" "$program" turns 3 2>err
cmp -s before home/old || fail "it was written through another name"
recorded shared/hard.[0-9]*

# A recording that others could read becomes private when it is replaced.
rm shared/hard
"${victim[@]}" chmod 666 home/old
"${victim[@]}" env PHASOR_TRACE="$temp/home/old" "$program" turns 3
recorded home/old

# By command: what others have put there is not taken for a recording of this run.
"${attacker[@]}" ln -s "$temp/home/mine" shared/trace
"${victim[@]}" "$phasor" trace -o "$temp/shared/trace" "$program" turns 3 >out 2>&1 &&
    fail "$(cat out)"
says out "is there already"

# phasor top's own recording is in a folder of its own.
"${victim[@]}" "$program" clock >ticking &
clock=$!
children+=($clock)
wait_for 20 test -s ticking
"${victim[@]}" env TMPDIR="$temp/shared" "$phasor" top $clock -n 30 --interval 0.2 >out 2>err &
top=$!
children+=($top)
folder() {
    compgen -G 'shared/phasor-top-*' >found
}
wait_for 20 folder
[ "$(stat -c '%u %a' "$(cat found)")" = "65534 700" ] || fail "$(stat "$(cat found)")"
case $(cat found) in *$clock*) fail "the name can be guessed" ;; esac
"${attacker[@]}" ls "$(cat found)" 2>/dev/null && fail "another user gets in"
kill $top
wait $top || true
folder && fail "the folder is left"
# And for root, who looks at another user's process.
TMPDIR=$temp/shared "$phasor" top $clock -n 1 --interval 0.2 >out 2>err || fail "$(cat out err)"
says out on_tick
