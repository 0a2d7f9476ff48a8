program=$1
cat >script.js <<'END'
const cause = new RangeError('below');
throw Object.assign(new Error('above', { cause }), { code: 'ECODE', more: { a: [1, 2] } });
END
"$program" script.js
echo "status $?"
