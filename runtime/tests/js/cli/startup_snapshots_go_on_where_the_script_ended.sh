# --build-snapshot and --snapshot-blob: what the script did is there, and it is not done again where
# somebody could see it.
program=$1
echo 'the first text' >text
cat >entry.js <<'END'
// compare: stdout
const fs = require('fs');
const { startupSnapshot: snapshot } = require('v8');
const { execFileSync } = require('child_process');
const { WHO, MAIN } = process.env;
console.log('building', Boolean(snapshot.isBuildingSnapshot()), process.argv.length, WHO);
globalThis.shared = { text: fs.readFileSync('text', 'utf8'), who: process.env.WHO, log: [] };
shared.child = execFileSync('sh', ['-c', 'echo told by a child; echo x >>runs']).toString();
setTimeout(() => { shared.log.push('late'); }, 5);
snapshot.addSerializeCallback((log) => log.push('serialized'), shared.log);
snapshot.addDeserializeCallback((log) => log.push('deserialized'), shared.log);
if (MAIN) {
  snapshot.setDeserializeMainFunction((data) => {
    console.log('main', data, process.argv.slice(1), process.env.WHO, shared);
    console.log(Boolean(snapshot.isBuildingSnapshot()));
  }, 'data');
  try {
    snapshot.setDeserializeMainFunction(() => {});
  } catch (error) {
    console.log(error.code);
  }
}
try {
  require('./text');
} catch (error) {
  console.log(error.code);
}
END
echo 'console.log("program", shared, process.argv.slice(2), process.env.WHO)' >program.js
WHO=builder "$program" --snapshot-blob one.blob --build-snapshot entry.js extra
WHO=builder MAIN=1 "$program" --snapshot-blob two.blob --build-snapshot entry.js
echo 'another text' >text
WHO=user "$program" --snapshot-blob one.blob program.js a b
WHO=user "$program" --snapshot-blob one.blob -p 'shared.text'
WHO=user "$program" --snapshot-blob two.blob a b
wc -l <runs
for call in addSerializeCallback addDeserializeCallback setDeserializeMainFunction; do
    "$program" -p "try { v8.startupSnapshot.$call(() => {}) } catch (error) { error.code }"
done
"$program" --build-snapshot 2>/dev/null || echo "status $?"
"$program" --snapshot-blob missing.blob program.js 2>/dev/null || echo "status $?"
echo 'throw new Error("no")' >broken.js
"$program" --snapshot-blob broken.blob --build-snapshot broken.js 2>/dev/null || echo "status $?"
ls
