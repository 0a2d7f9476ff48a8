"""Which public names of Node 20 the runtime does not have: puts the list into
runtime/docs/missing.md.

    names.py PHASOR [--write DOCUMENT]

Both programs run names.js; the difference is told by module. What belongs to families that the
runtime does not have at all is counted only.
"""

import collections
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
MANY = 8  # members that are named one by one
BEGIN, END = "<!-- missing names -->", "<!-- end of missing names -->"
FAMILIES = {"tls, https": r"tls|https",
            "HTTP/2": r"http2", "cluster": r"cluster", "inspector": r"inspector(/promises)?",
            "WASI": r"wasi"}
# Copies of other modules, and constants of the families above in the old module `constants`.
COPIES = (r"(sys|path/posix|path/win32|assert/strict|dns/promises|stream/web)\."
          r"|constants\.(?!E[A-Z])")


def names_of(program):
    found = subprocess.run([program, "--no-warnings", HERE / "names.js"], capture_output=True,
                           text=True, check=True)
    return set(found.stdout.split())


def is_copy(name):
    return re.match(COPIES, name) or re.match(r"\w+\.(posix|win32|promises|strict)\.", name)


def grouped(missing):
    """Module -> the members that are not there; whole families apart."""
    groups = collections.defaultdict(list)
    families = collections.Counter()
    for name in sorted(missing):
        head, _, rest = name.partition(".")
        family = next((title for title, pattern in FAMILIES.items()
                       if re.fullmatch(pattern, head)), None)
        if family:
            families[family] += 1
        elif not is_copy(name):
            groups[head].append(rest)
    return groups, families


def members(rest):
    """A class that is not there is named once, without its members."""
    whole = [name for name in rest if name == "" or "." not in name]
    kept = [name for name in rest
            if not any(name.startswith(f"{one}.") for one in whole if one and one != name)]
    return ["all of it"] if "" in rest else collapsed(kept)


def collapsed(names):
    """Many members of one thing are told by their number."""
    homes = collections.Counter(name.rpartition(".")[0] for name in names)
    told = []
    for name in names:
        home = name.rpartition(".")[0]
        one = f"{home}.* ({homes[home]})" if home and homes[home] > MANY else name
        if one not in told:
            told.append(one)
    return [one.replace("prototype.", "#") for one in told]


def text_of(node, ours):
    groups, families = grouped(node - ours)
    lines = [f"{len(node & ours):,} of Node 20's {len(node):,} public names are there "
             "(`runtime/tests/node/names.py` counts them). Not there, and not in a family of its "
             "own:", ""]
    for head in sorted(groups):
        lines.append(f"- `{head}`: " + ", ".join(f"`{name}`" for name in members(groups[head])))
    lines += ["", "Names of families that are not there: " +
              ", ".join(f"{title} {count}" for title, count in families.items()) + "."]
    return "\n".join(lines).replace("`all of it`", "all of it")


def main():
    text = text_of(names_of("node"), names_of(sys.argv[1]))
    if "--write" not in sys.argv:
        print(text)
        return
    document = pathlib.Path(sys.argv[sys.argv.index("--write") + 1])
    before, _, rest = document.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    document.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}", encoding="utf-8")


main()
