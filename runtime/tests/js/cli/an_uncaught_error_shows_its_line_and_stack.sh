program=$1
cat >script.js <<'END'
const inner = () => {
  throw new TypeError('the `message`');
};
class Caller {
  call() { inner(); }
}
function outer() {
  new Caller().call();
}
outer();
END
"$program" script.js
echo "status $?"
