"""Makes a program smaller while it still shows what it shows."""


def without_idle_places(lines):
    """Leaves out callbacks without operations."""
    kept = []
    for number, line in enumerate(lines):
        following = lines[number + 1] if number + 1 < len(lines) else "on"
        if line.startswith("on ") and not following.startswith(" "):
            continue
        kept.append(line)
    return kept


def without_unused_objects(lines):
    """Leaves out objects that no operation names."""
    named = set()
    for line in lines:
        if not line.startswith("object "):
            named.update(word for word in line.split()[1:])
    return [line for line in lines if not line.startswith("object ") or line.split()[1] in named]


def removable(line):
    return line.startswith(" ")


def attempts(lines):
    """Smaller versions, those that leave out the most first."""
    steps = [number for number, line in enumerate(lines) if removable(line)]
    size = len(steps)
    while size >= 1:
        for start in range(0, len(steps), size):
            gone = set(steps[start:start + size])
            yield [line for number, line in enumerate(lines) if number not in gone]
        size //= 2
    for number, line in enumerate(lines):
        if line.startswith("object "):
            yield lines[:number] + lines[number + 1:]


def shrink(text, shows):
    """The smallest program found for which shows(text) is true."""
    lines = text.rstrip("\n").split("\n")
    smaller = True
    while smaller:
        smaller = False
        for attempt in attempts(lines):
            attempt = without_unused_objects(without_idle_places(attempt))
            if len(attempt) < len(lines) and shows("\n".join(attempt) + "\n"):
                lines, smaller = attempt, True
                break
    return "\n".join(lines) + "\n"
