program=$1
echo 'console.log("required in", require("worker_threads").threadId)' >required.js
cat >imported.mjs <<'EOF'
import { threadId } from 'node:worker_threads';
console.log('imported in', threadId);
EOF
cat >main.js <<'EOF'
const { Worker, isMainThread, threadId } = require('worker_threads');
console.log('running in', threadId);
if (isMainThread) new Worker(__filename);
EOF
"$program" --require ./required.js --import ./imported.mjs main.js

# What is loaded first may change what is frozen then.
echo 'Object.prototype.added = "added";' >adds.js
"$program" --no-warnings --frozen-intrinsics --require ./adds.js -p '({}).added'

cat >older.mjs <<'EOF'
export function globalPreload({ port }) {
  port.postMessage('from the hooks');
  return `this.found = getBuiltin('node:os').EOL.length;
    port.onmessage = ({ data }) => { console.log(data); port.close(); };`;
}
EOF
"$program" --no-warnings --experimental-loader ./older.mjs -e 'console.log(typeof found, found)'
