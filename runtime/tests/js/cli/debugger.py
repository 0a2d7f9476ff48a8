"""For tests: a debugger at the terminal that is typed to, and what it answers."""

import re
import subprocess
import threading

LIMIT = 60


class Debugger:
    def __init__(self, command, folder=None):
        self.child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, cwd=folder)
        self.output = ""
        self.came = threading.Condition()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        while data := self.child.stdout.read1(65536):
            with self.came:
                self.output += data.decode(errors="replace").replace("\b", "")
                self.came.notify_all()

    def wait(self, pattern):
        with self.came:
            found = self.came.wait_for(lambda: re.search(pattern, self.output), LIMIT)
            assert found, f"{pattern} did not come: {self.output}"

    def type(self, line, *patterns):
        with self.came:
            self.output = ""
        self.child.stdin.write(line.encode() + b"\n")
        self.child.stdin.flush()
        for pattern in patterns:
            self.wait(pattern)
        self.wait(r"debug> $")
