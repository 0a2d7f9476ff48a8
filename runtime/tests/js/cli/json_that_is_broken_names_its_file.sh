program=$1
echo '{"a": }' >broken.json
cat >script.js <<'END'
try {
    require('./broken.json');
} catch (e) {
    console.log(e.name, e.message.split(':')[0].split('/').pop());
}
END
"$program" script.js
echo "status $?"
