# The page looks as in the pictures that are stored (play/tests/pictures): in light and dark, in
# Chinese, on a telephone. Letters are boxes there, so that no font matters. With WRITE=1 they are
# made anew.
. "$(dirname "$0")/common.bash"

command -v chromium >/dev/null || { echo "chromium is not installed"; exit 77; }
cat >program.js <<'END'
const fs = require('fs');

fs.readFile(__filename, function onRead() {
  setTimeout(function timeout() { console.log('timeout'); }, 0);
  setImmediate(function immediate() { console.log('immediate'); });
  console.log('read');
});
process.nextTick(function tick() { console.log('tick'); });
Promise.resolve().then(function promise() { console.log('promise'); });
console.log('script');
END
play program.js --language en --save saved.html
timeout -k 5 300 python3 -B "$here/pictures.py" saved.html "$folder" ${WRITE:+write}
