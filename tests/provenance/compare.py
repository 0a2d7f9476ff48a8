"""compare.py THEIRS RUNTIME [--all] [FILE...]: our functions whose shape is found in one file of
others: our JavaScript in Node's lib, our C in libuv's and in the engine's sources.

THEIRS holds the folders node, libuv and quickjs; those that are missing are left out. RUNTIME is a
program that runs public_names.js. Writes THEIRS/report.txt with both texts side by side, and fails
when a function is above the limit that neither by_nature.txt explains nor open.txt owes. Lines of
the two that name a function no longer above the limit are told, and can go. --all lists every
function above the limit."""
import bisect
import collections
import pathlib
import re
import subprocess
import sys

import shapes

LIMIT = 0.6     # of a function's grams, in one file of theirs
SMALLEST = 40   # tokens; a shorter function has not shape enough
PIECE = 20000   # tokens; a longer file of theirs has every short shape somewhere, so it is
                # compared in overlapping pieces of this length
HERE = pathlib.Path(__file__).parent
OURS = {"js": (["runtime/js"], ".js"),
        "c": (["lib", "trace", "sim", "phasor", "runtime", "go"], (".c", ".h"))}
LEFT_OUT = re.compile(r"(^|/)(tests|build|examples|bench)/")


class Source:
    """One file: its tokens, its functions and the grams of each."""

    def __init__(self, path, language, public, everywhere):
        self.path = path
        self.text = path.read_text(encoding="utf-8", errors="replace")
        tokens = shapes.tokens_of(self.text, language)
        if language == "js":
            tokens = shapes.plain_calls(tokens)
        self.places = [place for _, _, place in tokens]
        self.shape = shapes.anonymous(tokens, language, public, everywhere)
        self.grams = shapes.grams_of(self.shape)
        self.functions = shapes.functions_of(tokens, language)
        self.lines = [0] + [match.end() for match in re.finditer("\n", self.text)]

    def line(self, token):
        return bisect.bisect_right(self.lines, self.places[token])

    def grams_between(self, first, last):
        return self.grams[first:max(first, last + 2 - shapes.LENGTH)]

    def excerpt(self, first, last):
        return self.text.split("\n")[self.line(first) - 1:self.line(last)]


class Finding:
    def __init__(self, source, function, share, theirs):
        self.source, (self.name, self.first, self.last) = source, function
        self.share, self.theirs = share, theirs
        self.key = f"{source.path} {self.name}"
        wanted = set(source.grams_between(self.first, self.last))

        def alike(other):
            grams = theirs.grams_between(other[1], other[2])
            return sum(gram in wanted for gram in grams) / (len(grams) + len(wanted))
        self.other = max(theirs.functions, key=alike, default=("", 0, 0))

    def head(self):
        return (f"{self.share:.2f}  {self.source.path}:{self.source.line(self.first)} {self.name}"
                f"  in  {self.theirs.path}:{self.theirs.line(self.other[1])} {self.other[0]}")

    def side_by_side(self):
        left = self.source.excerpt(self.first, self.last)
        right = self.theirs.excerpt(self.other[1], self.other[2])
        rows = max(len(left), min(len(right), len(left) + 20))
        left += [""] * (rows - len(left))
        right += [""] * (rows - len(right))
        return "\n".join(f"  {a.expandtabs(4)[:95]:95} | {b.expandtabs(4)[:95]}"
                         for a, b in zip(left, right[:rows]))


def files_of(folders, suffix):
    for folder in folders:
        for path in sorted(pathlib.Path(folder).rglob("*")):
            if path.is_file() and path.name.endswith(suffix):
                yield path


def public_js(runtime):
    names = subprocess.run([*runtime.split(), str(HERE / "public_names.js")], check=True,
                           capture_output=True, text=True).stdout
    own, _, inner = names.partition("\n \n")
    return set(inner.split()), set(own.split())


def public_c(paths):
    """Names that neither side defines (the system's), and those of the two public headers."""
    used, defined, headers = set(), set(), set()
    for path in paths:
        text = path.read_text(encoding="utf-8", errors="replace")
        used.update(re.findall(r"\b([A-Za-z_]\w*)\s*\(", text))
        used.update(re.findall(r"\b([A-Z][A-Z0-9_]{2,})\b", text))
        defined.update(re.findall(r"^\s*#\s*define\s+(\w+)", text, re.M))
        defined.update(re.findall(r"\b(\w+)\s*\([^;{}]*\)\s*\{", text))
        defined.update(re.findall(r"^\s+([A-Z][A-Z0-9_]+)\s*(?:=[^,\n]*)?,", text, re.M))
        headers.update(re.findall(r"\b((?:uv|UV|JS)_\w+)\b", text))
    return (used - defined) | headers


def compare(ours, theirs, wanted):
    """The functions of ours above the limit, in the order of their places."""
    index, pieces = collections.defaultdict(set), []
    for source in theirs:
        for start in range(0, max(1, len(source.grams) - PIECE // 2), PIECE // 2):
            for gram in source.grams[start:start + PIECE]:
                index[gram].add(len(pieces))
            pieces.append(source)
    for source in ours:
        if wanted and str(source.path) not in wanted:
            continue
        for function in source.functions:
            _, first, last = function
            if last - first + 1 < SMALLEST:
                continue
            grams = source.grams_between(first, last)
            found = collections.Counter()
            for gram in grams:
                found.update(index.get(gram, ()))
            if not found:
                continue
            number, count = found.most_common(1)[0]
            if count / len(grams) > LIMIT:
                yield Finding(source, function, count / len(grams), pieces[number])


def reasons_of(name):
    """Lines of "PATH NAME: REASON"."""
    reasons = {}
    for line in (HERE / name).read_text().splitlines():
        if line and not line.startswith("#"):
            key, _, reason = line.partition(": ")
            reasons[key] = reason
    return reasons


def main(theirs_folder, runtime, *arguments):
    wanted = {argument for argument in arguments if not argument.startswith("--")}
    theirs_folder = pathlib.Path(theirs_folder)
    findings, compared = [], 0
    for language, others in (("js", ["node"]), ("c", ["libuv", "quickjs"])):
        our_paths = [path for path in files_of(*OURS[language]) if not LEFT_OUT.search(str(path))]
        their_paths = [path for other in others
                       for path in files_of([theirs_folder / other], OURS[language][1])
                       if "/deps/" not in str(path) and "/win/" not in str(path)]
        if language == "js":
            public, everywhere = public_js(runtime)
        else:
            public = everywhere = public_c(our_paths + their_paths)
        ours, theirs = ([Source(path, language, public, everywhere) for path in paths]
                        for paths in (our_paths, their_paths))
        compared += sum(last - first + 1 >= SMALLEST
                        for source in ours for _, first, last in source.functions)
        findings += compare(ours, theirs, wanted)
    reasons, owed = reasons_of("by_nature.txt"), reasons_of("open.txt")
    open_ones = [finding for finding in findings if finding.key not in {**reasons, **owed}]
    with open(theirs_folder / "report.txt", "w", encoding="utf-8") as report:
        for finding in sorted(findings, key=lambda f: -f.share):
            reason = reasons.get(finding.key)
            report.write(finding.head() + (f"\n  by nature: {reason}" if reason else "")
                         + "\n" + finding.side_by_side() + "\n\n")
    for finding in findings if "--all" in arguments else open_ones:
        print(finding.head())
    stale = {*reasons, *owed} - {finding.key for finding in findings} if not wanted else ()
    for key in sorted(stale):
        print(f"{key} is listed, and no longer above the limit")
    still_owed = sum(finding.key in owed for finding in findings)
    print(f"Provenance: {compared} functions compared, {len(findings)} above {LIMIT}, "
          f"{len(findings) - len(open_ones) - still_owed} of them by nature, {still_owed} owed, "
          f"{len(open_ones)} new; {theirs_folder}/report.txt")
    return 1 if open_ones else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
