#!/usr/bin/env bash
# named serves a small zone on the loopback; dig asks over UDP and TCP. $PORT is free.
set -euo pipefail
work=$(mktemp -d)
trap 'kill "$server" 2>/dev/null || true; rm -rf "$work"' EXIT
chmod 755 "$work"

cat >"$work/named.conf" <<CONF
options {
    directory "$work";
    pid-file "$work/pid";
    session-keyfile "$work/session.key";
    listen-on port $PORT { 127.0.0.1; };
    listen-on-v6 { none; };
    recursion no;
    dnssec-validation no;
    allow-transfer { any; };
};
controls { };
zone "example" { type primary; file "$work/zone"; notify no; };
CONF
{
    printf '%s\n' '$TTL 300' '@ SOA ns.example. admin.example. 1 2 3 4 5' '@ NS ns.example.' \
        'ns A 127.0.0.1' 'www A 192.0.2.1' 'www AAAA 2001:db8::1' 'alias CNAME www' '@ MX 10 mail' \
        'mail A 192.0.2.2'
    for i in $(seq 200); do echo "host$i A 10.0.$((i / 250)).$((i % 250))"; done
    for i in $(seq 40); do echo "big TXT \"$(printf 'text%03d' "$i" | sed 's/.*/&&&&&&/')\""; done
} >"$work/zone"

named -g -c "$work/named.conf" >"$work/log" 2>&1 &
server=$!
ask() { dig @127.0.0.1 -p "$PORT" +tries=2 +time=5 "$@"; }
for _ in $(seq 100); do
    ask +short ns.example A 2>/dev/null | grep -q '^127' && break
    sleep 0.1
done
awk '/libuv\.so/ { print $6; exit }' "/proc/$server/maps" >"$CLIENT_LIBRARY"

ask +noall +answer www.example A
ask +noall +answer +tcp www.example AAAA
ask +short alias.example A
ask +noall +comments nothing.example A | grep -o 'status: [A-Z]*'
echo "truncated: $(ask +ignore +bufsize=512 +noedns big.example TXT | grep -c 'flags:.* tc')"
echo "after TCP: $(ask +short big.example TXT | sort | md5sum)"
echo "transfer: $(ask +noall +answer example AXFR | sort | md5sum)"
for i in $(seq 200); do echo "host$i.example A"; done >"$work/names"
echo "batch: $(ask +short -f "$work/names" | sort | md5sum)"
echo "batch over TCP: $(ask +tcp +keepopen +short -f "$work/names" | sort | md5sum)"
kill -TERM "$server"
wait "$server" && echo "ended with $?"
