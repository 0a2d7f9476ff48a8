"""A program on a terminal: keys go in, and what a person would see can be asked for."""
import fcntl
import os
import pty
import re
import select
import struct
import termios
import time


class Screen:
    """The few control sequences that a line editor uses."""

    def __init__(self, columns):
        self.columns = columns
        self.rows = [[]]
        self.row = self.column = 0
        self.wrap = False  # the last column is written; the next character opens a row

    def put(self, character):
        if self.wrap:
            self.row, self.column, self.wrap = self.row + 1, 0, False
        while len(self.rows) <= self.row:
            self.rows.append([])
        line = self.rows[self.row]
        line.extend(' ' * (self.column + 1 - len(line)))
        line[self.column] = character
        if self.column == self.columns - 1:
            self.wrap = True
        else:
            self.column += 1

    def control(self, numbers, kind):
        count = int(numbers.split(';')[0] or 0)
        if kind != 'm':
            self.wrap = False
        if kind == 'A':
            self.row = max(0, self.row - max(1, count))
        elif kind == 'B':
            self.row += max(1, count)
        elif kind == 'C':
            self.column += max(1, count)
        elif kind == 'D':
            self.column = max(0, self.column - max(1, count))
        elif kind == 'G':
            self.column = max(1, count) - 1
        elif kind == 'H':
            self.row = self.column = 0
        elif kind in 'JK' and self.row < len(self.rows):
            del self.rows[self.row][self.column:]
            if kind == 'J':
                del self.rows[self.row + 1:]

    def feed(self, text):
        for part in re.findall(r'\x1b\[[0-9;?]*[A-Za-z]|.', text, re.S):
            if part[0] == '\x1b' and len(part) > 1:
                self.control(part[2:-1], part[-1])
            elif part == '\r':
                self.column, self.wrap = 0, False
            elif part == '\n':
                self.row, self.wrap = self.row + 1, False
                self.rows.extend([] for _ in range(self.row + 1 - len(self.rows)))
            elif part >= ' ':
                self.put(part)

    def lines(self):
        return [''.join(row).rstrip() for row in self.rows]


class Terminal:
    def __init__(self, command, columns=80, environment=None):
        self.text = ''
        self.seen = 0
        self.screen = Screen(columns)
        self.status = None
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update({'TERM': 'xterm', 'PHASOR_CHECK_LEAKS': '1'})
            for name in ('NO_COLOR', 'FORCE_COLOR', 'NODE_OPTIONS'):
                os.environ.pop(name, None)
            os.environ.update(environment or {})
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', 24, columns, 0, 0))
            os.execvp(command[0], command)

    def read(self, seconds):
        """True if something came."""
        ready, _, _ = select.select([self.fd], [], [], seconds)
        if not ready:
            return False
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            data = b''
        if not data:
            self.finish()
            return False
        text = data.decode('utf8', 'replace')
        self.text += text
        self.screen.feed(text)
        return True

    def finish(self):
        if self.status is None:
            self.status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
            os.close(self.fd)

    def keys(self, text):
        os.write(self.fd, text.encode())

    def wait(self, what, condition):
        end = time.monotonic() + 20
        while not condition():
            if self.status is not None or time.monotonic() > end:
                raise AssertionError('%s is not there:\n%s' % (
                    what, '\n'.join(self.screen.lines()[-24:])))
            self.read(0.5)

    def last_lines(self, *lines):
        """The screen ends with these lines."""
        self.wait(repr(lines), lambda: tuple(self.screen.lines()[-len(lines):]) == lines)

    def answer(self, typed, *lines):
        """Typing a line prints these lines and a new prompt."""
        self.keys(typed + '\r')
        self.last_lines(*lines, '>')

    def raw(self, text):
        """The program has written this, control sequences and all."""
        self.wait(repr(text), lambda: text in self.text[self.seen:])
        self.seen = self.text.index(text, self.seen) + len(text)

    def end(self, status):
        end = time.monotonic() + 20
        while self.status is None:
            assert time.monotonic() < end, 'it does not end'
            self.read(0.5)
        assert self.status == status, 'status %d instead of %d:\n%s' % (
            self.status, status, self.text[-2000:])
