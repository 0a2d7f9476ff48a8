#!/usr/bin/env python3
"""options_for_what_is_not_there_are_refused.py PHASOR: startup snapshots and ShadowRealm, which
Node has, end the program at once with a sentence that says so, wherever the option stands."""
import os
import subprocess
import sys
import tempfile

program = sys.argv[1]
CASES = [
    (["--build-snapshot", "entry.js"], "the engine cannot write its heap down"),
    (["--build-snapshot-config", "config.json"], "the engine cannot write its heap down"),
    (["--build-snapshot-config=config.json"], "the engine cannot write its heap down"),
    (["--snapshot-blob", "one.blob", "entry.js"], "the engine cannot write its heap down"),
    (["--snapshot-blob=one.blob", "entry.js"], "the engine cannot write its heap down"),
    (["--experimental-shadow-realm", "entry.js"], "there is no ShadowRealm"),
]


def run(*words, **environment):
    return subprocess.run([program, *words], capture_output=True, text=True, timeout=100,
                          env={**os.environ, **environment}, check=False)


def expect_refusal(done, option, reason):
    assert done.returncode == 9, (option, done)
    assert done.stdout == "", (option, done)
    assert f"{option} is not supported: {reason}" in done.stderr, (option, done)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    with open("entry.js", "w", encoding="utf-8") as entry:
        entry.write("console.log('ran')")
    for arguments, why in CASES:
        expect_refusal(run(*arguments), arguments[0].split("=")[0], why)
    for arguments, why in CASES[4:]:
        expect_refusal(run("entry.js", NODE_OPTIONS=arguments[0]), arguments[0].split("=")[0], why)

# Programs may ask whether a snapshot is being built; what only makes sense then says so.
CODE = """
const { startupSnapshot } = require('v8');
console.log(startupSnapshot.isBuildingSnapshot(), typeof ShadowRealm);
for (const name of Object.keys(startupSnapshot).filter((one) => !one.startsWith('is'))) {
  try { startupSnapshot[name](() => {}); } catch (error) { console.log(name, error.code); }
}
"""
done = run("-e", CODE)
assert done.stdout == """false undefined
addDeserializeCallback ERR_NOT_BUILDING_SNAPSHOT
addSerializeCallback ERR_NOT_BUILDING_SNAPSHOT
setDeserializeMainFunction ERR_NOT_BUILDING_SNAPSHOT
""", done
