"""Colours on a terminal, none elsewhere; help, version, and output that can't be written."""
import os
import re
import subprocess
import sys
import tempfile

from terminal import Terminal


def piped(*arguments, **options):
    return subprocess.run([phasor, *arguments], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=20, **options)


def shown(*arguments, status=0, **environment):
    terminal = Terminal([phasor, *arguments], environment=environment)
    terminal.end(status)
    return terminal.text.replace('\r\n', '\n')


def colours():
    value = '({ a: 1, b: "two" })'
    coloured = "{ a: \x1b[33m1\x1b[39m, b: \x1b[32m'two'\x1b[39m }\n"
    plain = "{ a: 1, b: 'two' }\n"
    assert shown('-p', value) == coloured
    assert shown('-e', 'console.log(%s)' % value) == coloured
    assert shown('-e', 'console.error(%s)' % value) == coloured
    assert shown('-p', value, NO_COLOR='1') == plain
    assert shown('-e', 'console.log(%s)' % value, NO_COLOR='1') == plain
    assert shown('-e', 'console.log(%s)' % value, TERM='dumb') == plain
    assert piped('-p', value).stdout == plain
    assert piped('-e', 'console.log(%s)' % value).stdout == plain
    with open('thrower.js', 'w') as file:
        file.write('throw Object.assign(new Error("x"), { code: 1 });\n')
    assert '\x1b[33m1\x1b[39m' in shown('thrower.js', status=1)
    assert '\x1b' not in piped('thrower.js').stderr
    assert shown('-p', '[process.stdout.isTTY, process.stdin.isTTY, process.stdout.columns]',
                 NO_COLOR='1') == '[ true, true, 80 ]\n'


def questions():
    code = '''const readline = require('readline');
    const reader = readline.createInterface({ input: process.stdin, output: process.stdout });
    reader.question('name? ', (name) => { console.log('hello', name); reader.close(); });'''
    terminal = Terminal([phasor, '-e', code])
    terminal.last_lines('name?')
    terminal.keys('annx\x7fe\x1b[D\x1b[D\r')
    terminal.last_lines('name? anne', 'hello anne', '')
    terminal.end(0)


def own_words():
    told = piped('--help')
    assert told.returncode == 0 and told.stderr == ''
    for word in ('Usage: phasor', '--eval', '--print', '--check', '--require', '--version',
                 'trace', 'report', 'top', 'attach'):
        assert word in told.stdout, word
    assert piped('-h').stdout == told.stdout
    assert piped('--version').stdout == piped('-v').stdout
    assert re.fullmatch(r'phasor 0\.1\.0\nquickjs-ng [0-9.]+\nlibuv interface 1\.53\.0\n',
                        piped('--version').stdout)
    assert piped('-p', 'process.version').stdout.startswith('v20.')
    licenses = piped('--licenses').stdout
    for name in ('Phasor 0.1.0', 'quickjs-ng', 'OpenSSL', 'zlib'):
        assert f'==== {name}' in licenses, name
    assert max(len(line) for line in told.stdout.splitlines()) <= 100
    if os.path.exists('/dev/full'):
        with open('/dev/full', 'w') as full:
            for arguments in (['-p', '1'], ['-e', 'console.log(1)'], ['--help'], ['--version'],
                              ['--licenses']):
                lost = subprocess.run([phasor, *arguments], stdout=full, stderr=subprocess.PIPE,
                                      text=True, timeout=20)
                assert lost.stderr.lower() == ('phasor: standard output could not be written: '
                                               'no space left on device\n'), lost
                assert lost.returncode == 1, arguments


phasor = os.path.realpath(sys.argv[1])
for name in ('NO_COLOR', 'FORCE_COLOR', 'NODE_DISABLE_COLORS', 'CI', 'TMUX', 'TEAMCITY_VERSION'):
    os.environ.pop(name, None)
with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    colours()
    questions()
    own_words()
    os.chdir('/')
