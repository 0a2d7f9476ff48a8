"""The prompt on a terminal: evaluation, several lines, editing keys, history, completion."""
import os
import sys
import tempfile

from terminal import Terminal

UP, DOWN, RIGHT, LEFT, HOME, END = ('\x1b[' + letter for letter in 'ABCDHF')
DELETE, CTRL_LEFT, CTRL_RIGHT, BACKSPACE = '\x1b[3~', '\x1b[1;5D', '\x1b[1;5C', '\x7f'
A, B, C, D, E, F, K, P, R, U, W, Y = (chr(ord(letter) - 64) for letter in 'ABCDEFKPRUWY')
WAITING = "setTimeout(console.log, 1, 'it waits'); await new Promise(() => {})"
ESCAPED, LONG = '\x1b', 'x' * 70
INTERRUPTED = 'Error [ERR_SCRIPT_EXECUTION_INTERRUPTED]: Script execution was ' \
    'interrupted by `SIGINT`'


def start():
    terminal = Terminal([phasor], environment={'HOME': home, 'NO_COLOR': '1'})
    terminal.last_lines('Type ".help" for more information.', '>')
    return terminal


def evaluation(t):
    t.answer('1 + 1', '> 1 + 1', '2')
    t.answer('_ * 21', '42')
    t.keys('let a = {\r')
    t.last_lines('> let a = {', '...')
    t.keys('b: [1,\r2]\r')
    t.last_lines('... b: [1,', '... 2]', '...')
    t.answer('}', '... }', 'undefined')
    t.answer('a', "{ b: [ 1, 2 ] }")
    t.answer('const later = await new Promise((f) => setTimeout(f, 20, "later"))', 'undefined')
    t.answer('later', "'later'")
    t.answer('throw new Error("bad")', 'Uncaught Error: bad')
    t.answer('let y = ;', 'let y = ;', '        ^', '',
             "Uncaught SyntaxError: Unexpected token ';'")
    t.answer('function f() { throw new TypeError("deep") }', 'undefined')
    t.answer('f()', 'Uncaught TypeError: deep', '    at f (REPL12:1:22)')


def editing(t):
    t.answer('13' + LEFT + '2', '> 123', '123')
    t.answer('23' + HOME + '1' + END + '4', '> 1234', '1234')
    t.answer('23' + A + '1' + E + '4', '> 1234', '1234')
    t.answer('12' + B + B + F + '9', '> 192', '192')
    t.answer('1234' + LEFT + LEFT + K, '> 12', '12')
    t.answer('1234' + LEFT + LEFT + U, '> 34', '34')
    t.answer('1 + two' + W + '2', '> 1 + 2', '3')
    t.answer('5 ' + W + '6 + 1' + A + K + Y, '> 6 + 1', '7')
    t.answer('123' + BACKSPACE, '> 12', '12')
    t.answer('123' + A + DELETE, '> 23', '23')
    t.answer('123' + A + D, '> 23', '23')
    t.answer('10 + 20' + CTRL_LEFT + '1', '> 10 + 120', '130')
    t.answer('10 + 20' + A + CTRL_RIGHT + '-', '> 10 -+ 20', '-10')
    t.answer('10 + 20' + ESCAPED + BACKSPACE + '5', '> 10 + 5', '15')
    t.answer("'äöü'" + LEFT + LEFT + BACKSPACE + 'o', "> 'äoü'", "'äoü'")
    # A line longer than the terminal is wide.
    t.answer("'" + LONG + "abcdefghij'" + A + RIGHT + DELETE + E + LEFT + 'k' * 3,
             "> '" + LONG[1:] + 'abcdefgh', "ijkkk'", "'" + LONG[1:] + 'abcdefghij', "kkk'")
    t.keys('nonsense (')
    t.last_lines('> nonsense (')
    t.keys(C)
    t.last_lines('> nonsense (', '>')
    t.keys('[1,\r')
    t.last_lines('> [1,', '...')
    t.keys(C)
    t.last_lines('...', '>')


def history(t):
    t.answer("'first'", "'first'")
    t.answer("'second'", "'second'")
    t.answer(UP, "> 'second'", "'second'")
    t.answer(UP + UP, "> 'first'", "'first'")
    t.keys('draft' + UP)
    t.last_lines('> draft')
    t.keys(U + "'s" + UP)
    t.last_lines("> 'second'")
    t.keys(DOWN)
    t.last_lines("> 's")
    t.keys(U + R + 'ir')
    t.last_lines("> 'first'", 'bck-i-search: ir_')
    t.answer('', "> 'first'", "'first'")


def completion(t):
    t.keys('process.versi\t')
    t.last_lines('> process.version')
    t.keys('\t')
    t.last_lines('process.version   process.versions', '', '> process.version')
    t.answer('s.node\t', "> process.versions.node", "'20.20.2'")
    t.answer('let longName = 5', 'undefined')
    t.keys('longN\t')
    t.last_lines('> longName')
    t.answer('', '> longName', '5')


def commands(t):
    t.keys('.help\r')
    t.last_lines('.save     Save all evaluated commands in this REPL session to a file', '',
                 'Press Ctrl+C to abort current expression, Ctrl+D to exit the REPL', '>')
    t.keys('.editor\r')
    t.last_lines('// Entering editor mode (Ctrl+D to finish, Ctrl+C to cancel)', '')
    t.keys('function twice(x) {\rreturn 2 * x }\rtwice(4)\r' + D)
    t.last_lines('twice(4)', '', '8', '>')
    script = os.path.join(home, 'script.js')
    with open(script, 'w') as file:
        file.write('var loaded = 1;\nloaded + 1\n')
    t.answer('.load ' + script, '2')
    t.answer('loaded', '1')
    saved = os.path.join(home, 'saved.js')
    t.answer('.save ' + saved, 'Session saved to: ' + saved)
    with open(saved) as file:
        assert 'function twice(x) {\nreturn 2 * x }' in file.read()


def interrupts(t):
    t.keys('console.log("it runs"); for (;;);\r')
    t.last_lines('it runs', '')
    t.keys(C)
    t.last_lines('^CUncaught:', INTERRUPTED[:80], INTERRUPTED[80:], '>')
    t.answer('1', '1')
    # Told by the loop: the line has been evaluated, and keys are keys again.
    t.keys(WAITING + '\r')
    t.last_lines('> ' + WAITING, 'it waits', '')
    t.keys(C)
    t.last_lines('Uncaught:', INTERRUPTED[:80], INTERRUPTED[80:], '>')
    t.answer('1', '1')
    t.keys(C)
    t.last_lines('(To exit, press Ctrl+C again or Ctrl+D or type .exit)', '>')
    t.keys(C)
    t.end(0)


def ends():
    t = start()
    t.keys(UP + UP)
    t.last_lines('> ' + WAITING)
    t.keys(U + D)
    t.end(0)
    t = start()
    t.keys('process.exitCode = 3\r')
    t.last_lines('3', '>')
    t.keys('.exit\r')
    t.end(3)
    assert os.stat(os.path.join(home, '.phasor_history')).st_mode & 0o777 == 0o600


phasor = os.path.realpath(sys.argv[1])
with tempfile.TemporaryDirectory() as home:
    terminal = start()
    for part in (evaluation, editing, history, completion, commands, interrupts):
        part(terminal)
    ends()
