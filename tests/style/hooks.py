#!/usr/bin/env python3
"""The functions that JavaScript hands to C: each name of runtime/engine/hooks.def is set somewhere
in runtime/js, and no other name is."""
import pathlib
import re
import sys

listed = set(re.findall(r'^HOOK\(\w+, "(\w+)"\)',
                        pathlib.Path("runtime/engine/hooks.def").read_text(encoding="utf-8"), re.M))
texts = [path.read_text(encoding="utf-8") for path in pathlib.Path("runtime/js").rglob("*.js")]
literal = {name for text in texts for name in re.findall(r"setHook\('(\w+)'", text)}
# for (const name of ['resolve', ...]) { setHook(name, ...
lists = {name for text in texts
         for words in re.findall(r"of \[([^\]]*)\]\) \{\s*setHook\(name", text)
         for name in re.findall(r"'(\w+)'", words)}
wrong = [f"{name}: no line of hooks.def" for name in sorted((literal | lists) - listed)]
wrong += [f"{name}: nobody sets it" for name in sorted(listed - literal - lists)]
print("\n".join(wrong) or f"{len(listed)} hooks")
sys.exit(1 if wrong else 0)
