# The same seed gives the same events; some other seed gives the other order of a timeout and an
# immediate.
. "$(dirname "$0")/common.bash"

cat >race.js <<'END'
setTimeout(() => console.log('timeout'), 0);
setImmediate(() => console.log('immediate'));
END
play race.js --seed 5 --events >one.txt
play race.js --seed 5 --events >two.txt
cmp one.txt two.txt || fail "two runs of one seed differ"
for seed in $(seq 24); do
    play race.js --seed "$seed" --events | grep '"out"' | head -n 1 | sed 's/.*1,//' >>first.txt
done
grep -q timeout first.txt || fail "timeout was never first"
grep -q immediate first.txt || fail "immediate was never first"
