"""Without memory for all of a file, reading it is an error, not a shorter file.

The sizes of pipes are not known beforehand, so the space for their bytes grows while they are read.
The limit is set when the program runs already: it needs some memory of its own.
"""
import os
import resource
import subprocess
import sys
import tempfile
import threading

SCRIPT = """
const fs = require('fs');
const { spawnSync } = require('child_process');
const tell = (name, error, bytes) => console.log(name, error ? error.code : bytes.length);
function readNow(name, ...options) {
  let bytes;
  try {
    bytes = fs.readFileSync('pipe', ...options);
  } catch (error) {
    return tell(name, error);
  }
  tell(name, null, bytes);
}
fs.readFile(__filename, () => {
  console.log('ready');
  process.stdin.once('data', () => {
    process.stdin.pause();
    readNow('bytes');
    readNow('text', 'latin1');
    const child = spawnSync('cat', ['pipe'], { maxBuffer: Infinity });
    tell('child', child.error, child.stdout);
    fs.readFile('pipe', (error, bytes) => tell('later', error, bytes));
  });
});
"""
READS = 4
SIZE = 512 << 20
SLACK = 160 << 20


def feed(path):
    """Writes to whoever opens the pipe, until it has had enough."""
    block = bytes(1 << 20)
    for _ in range(READS):
        pipe = os.open(path, os.O_WRONLY)
        try:
            for _ in range(SIZE // len(block)):
                os.write(pipe, block)
        except BrokenPipeError:
            pass
        os.close(pipe)


def size_of(pid):
    with open(f'/proc/{pid}/statm', encoding='ascii') as file:
        return int(file.read().split()[0]) * resource.getpagesize()


def main():
    phasor = os.path.realpath(sys.argv[1])
    options = os.environ.get('ASAN_OPTIONS', '')
    options += ':allocator_may_return_null=1:quarantine_size_mb=0'
    with tempfile.TemporaryDirectory() as folder:
        pipe = os.path.join(folder, 'pipe')
        script = os.path.join(folder, 'read.js')
        os.mkfifo(pipe)
        with open(script, 'w', encoding='ascii') as file:
            file.write(SCRIPT)
        with subprocess.Popen([phasor, script], cwd=folder, stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True,
                              env={**os.environ, 'ASAN_OPTIONS': options}) as program:
            assert program.stdout.readline() == 'ready\n'
            limit = size_of(program.pid) + SLACK
            resource.prlimit(program.pid, resource.RLIMIT_AS, (limit, limit))
            threading.Thread(target=feed, args=(pipe,), daemon=True).start()
            said, _ = program.communicate('go')
    expected = 'bytes ENOMEM\ntext ENOMEM\nchild ENOMEM\nlater ENOMEM\n'
    if said != expected or program.returncode != 0:
        sys.exit(f'said {said!r}, ended with {program.returncode}')


main()
