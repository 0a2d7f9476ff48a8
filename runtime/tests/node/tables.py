"""The tables of this folder: families of tests, reasons why some fail, names of those that pass."""

import fnmatch
import re


def rows(path):
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            yield line


def names(path):
    return set(rows(path)) if path.exists() else set()


def matches(name, pattern):
    return fnmatch.fnmatchcase(name if "/" in pattern else name.partition("/")[2], pattern)


def is_search(word):
    return len(word) > 2 and word.startswith("/") and word.endswith("/")


class Families:
    """Which family a test belongs to, and which families are marked ! or ~."""

    def __init__(self, path, tests):
        self.tests = tests
        self.marks = {}
        self.rules = []
        for row in rows(path):
            family, patterns = row.split(None, 1)
            if family[0] in "!~":
                self.marks[family[1:]] = family[0]
                family = family[1:]
            searches = re.findall(r"(?:^|\s)/(.*?)/(?=\s|$)", patterns)
            globs = [] if searches else patterns.split()
            self.rules.append((family, globs, [re.compile(search, re.S) for search in searches]))
        self.known = {}

    def find(self, name):
        text = None
        for family, globs, searches in self.rules:
            if any(matches(name, glob + ("" if "." in glob else "*")) for glob in globs):
                return family
            if searches:
                text = text or (self.tests / name).read_text(encoding="utf-8", errors="replace")
                if any(search.search(text) for search in searches):
                    return family
        return re.split(r"[-.]", name.partition("/")[2])[1]

    def of(self, name):
        if name not in self.known:
            self.known[name] = self.find(name)
        return self.known[name]


class Reasons:
    """REASON: PATTERN...; a pattern with a slash at both ends is searched in the first error."""

    def __init__(self, path):
        self.rules = []
        for row in rows(path):
            reason, _, patterns = row.partition(": ")
            search = patterns.strip()
            self.rules.append((reason, re.compile(search[1:-1]) if is_search(search)
                               else patterns.split()))

    def of(self, name, error):
        for reason, rule in self.rules:
            if isinstance(rule, re.Pattern):
                if rule.search(error):
                    return reason
            elif any(matches(name, pattern) for pattern in rule):
                return reason
        return None
