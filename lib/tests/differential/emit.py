"""emit.py FILE: a program (docs/DIFFERENTIAL.md) as C that stands alone and prints its log."""

import sys

import templates as t


class Emitter:
    def __init__(self, text):
        self.objects = {}  # id: (kind, loop)
        self.places = {}   # (id or "main", callback): [words of an operation]
        place = None
        for line in text.split("\n"):
            words = line.split()
            if not words or words[0] == "for":
                continue
            if words[0] == "object":
                self.objects[words[1]] = (words[2], words[3])
            elif words[0] in ("main", "on"):
                place = self.places.setdefault((words[1] if len(words) > 1 else "main",
                                                words[2] if len(words) > 2 else ""), [])
            else:
                place.append(words)

    def used(self):
        return {words[0] for place in self.places.values() for words in place}

    def names(self, words):
        """What a template may mention: the operation's arguments as a, b, c, d; x, y and z are the
        handles that the first three name; kind and loop are those of the first."""
        names = dict(zip("abcd", words[1:] + ["0"] * 4))
        names["text"] = " ".join(words)
        for letter, variable in zip("abc", "xyz"):
            kind, loop = self.objects.get(names[letter], ("", ""))
            names[variable] = f"{kind}_{names[letter]}" if kind else ""
            if letter == "a":
                names |= {"kind": kind, "loop": f"&loops[{loop}]"}
        return names

    def operation(self, words):
        names = self.names(words)
        template = t.OPERATIONS[words[0]]
        if not t.applies(words[0], names):
            return f"/* {names['text']}: skipped */"
        if callable(template):
            template = template(names)
        return template.format(**names)

    def body(self, place, indent):
        lines = []
        for words in self.places.get(place, []):
            lines += [" " * indent + line for line in self.operation(words).split("\n")]
        return lines

    def called(self, number):
        """The function that counts an object's callbacks and does what the program says."""
        lines = [f"static void called{number}(void) {{", "    static int count;", "    count++;"]
        for name, callback in sorted(self.places):
            if name == number:
                lines += [f"    if (count == {callback}) {{", *self.body((name, callback), 8),
                          "    }"]
        return lines + ["}", ""]

    def declarations(self):
        lines = []
        for number, (kind, _) in self.objects.items():
            lines += [f"static uv_{t.TYPES.get(kind, kind)}_t {kind}_{number};",
                      f"static void called{number}(void);"]
            if kind in t.WITH_ENDS:
                lines.append(f"static int ends{number}[2];")
        return lines + [""]

    def callbacks(self):
        """The callbacks that the operations name: each prints its line."""
        lines = []
        used = self.used()
        for number, (kind, _) in self.objects.items():
            for needed, template in t.CALLBACKS.get(kind, []):
                if needed is None or needed & used:
                    lines += template.format(n=number, kind=kind).split("\n")
            if kind not in t.REQUESTS and {"close", "reset"} & used:
                lines += t.ON_CLOSE.format(n=number).split("\n")
        return lines

    def main(self):
        loops = sorted({loop for _, loop in self.objects.values()})
        lines = ["int main(void) {"]
        if {"cancel"} & self.used():
            lines.append('    setenv("UV_THREADPOOL_SIZE", "1", 1);')
        lines += [f"    begin(&loops[{loop}]);" for loop in loops]
        for number, (kind, loop) in self.objects.items():
            if kind in t.BEGIN:
                lines.append("    " + t.BEGIN[kind].format(v=f"{kind}_{number}", n=number,
                                                           loop=f"&loops[{loop}]"))
        if {"cancel"} & self.used():
            lines.append("    uv_queue_work(&loops[0], &gate, at_gate, NULL);")
        return lines + self.body(("main", ""), 4) + ["    return 0;", "}"]

    def program(self):
        lines = [t.PROLOGUE]
        if {"cancel"} & self.used():
            lines.append(t.GATE)
        lines += self.declarations() + self.callbacks()
        for number in self.objects:
            lines += self.called(number)
        return "\n".join(lines + self.main()) + "\n"


def program(text):
    return Emitter(text).program()


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        print(program(file.read()), end="")
