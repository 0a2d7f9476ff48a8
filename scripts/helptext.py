"""What `phasor --help` and `phasor COMMAND --help` print, as data: man pages and the completions of
shells are made of it, so that there is one text only."""

import re
import subprocess

USAGE = re.compile(r"Usage: | {7}phasor")
OPTION = re.compile(r"^  (-\S*(?:, --?\S+)*)(?: (\[?[A-Z]\S*))?(?:  +(\S.*))?$")


class Option:
    """names: ["-o"], ["-v", "--verbose"]; argument: "FILE" or None; what: one line."""

    def __init__(self, names, argument, what):
        self.names, self.argument, self.what = names, argument, what


def text_of(phasor, *words):
    return subprocess.run([phasor, *words, "--help"], capture_output=True, text=True,
                          check=True).stdout


def commands_of(text):
    """name -> what it does, from the main help."""
    listed = re.search(r"^Commands.*?:\n((?:  .*\n)+)", text, re.MULTILINE)
    return dict(re.findall(r"^  (\w+).*?  +(\S.*)", listed[1], re.MULTILINE))


def split_usage(text):
    """The lines that say how it is called, and the rest."""
    lines = text.rstrip("\n").split("\n")
    usage = []
    while lines and USAGE.match(lines[0]):
        usage.append(re.sub(r"^(Usage:| {6}) ", "", lines.pop(0)))
    return usage, lines


def options_of(text):
    """Those with a line of their own, then those that only the usage names, then --help."""
    usage, lines = split_usage(text)
    found = {}
    for line in lines:
        option = OPTION.match(line)
        if not option or option[1] in ("-", "--"):
            continue
        names = option[1].split(", ")
        argument = None if (option[2] or "[").startswith("[") else option[2]
        # "--inspect[=[HOST:]PORT]", "--input-type=TYPE": the argument is a part of the word.
        names = [re.sub(r"\[?=.*", "=" if "[" not in name else "", name) for name in names]
        found.setdefault(names[-1], Option(names, argument, option[3] or ""))
    for name, argument in re.findall(r"(?<=[\[ ])(--?[a-z][a-z-]*)(?: ([A-Z]+))?", " ".join(usage)):
        if not any(name in option.names for option in found.values()):
            found[name] = Option([name], argument or None, "")
    if not any("--help" in option.names for option in found.values()):
        found["--help"] = Option(["--help"], None, "says how it is used")
    return list(found.values())
