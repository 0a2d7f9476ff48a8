program=$1
show() {
    "$program" "$1" 2>&1 | grep -v '^    at .*node:\|^    at Module\.\|^Node.js v' | sed -n '4,$p' |
        sed "s#$PWD/##"
}
cat >plain.js <<'EOF'
const { EventEmitter } = require('events');
const error = new Error('made here');
function emit() {
  new EventEmitter().emit('error', error);
}
process.nextTick(emit);
EOF
cat >named.js <<'EOF'
const { EventEmitter } = require('events');
class Radio extends EventEmitter {}
const error = new Error('made here');
process.nextTick(() => new Radio().emit('error', error));
EOF
cat >handled.js <<'EOF'
const { EventEmitter } = require('events');
try {
  new EventEmitter().emit('error', new Error('caught'));
} catch (error) {
  console.log('\n\n');
  console.log(error.stack.includes('Emitted'), Object.keys(error));
}
EOF
show plain.js
show named.js
show handled.js
