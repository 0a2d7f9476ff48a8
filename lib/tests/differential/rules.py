"""Where the contract leaves something open, both logs are brought to one form before they are
compared. Each rule has its paragraph in docs/DIFFERENTIAL.md."""

import re


def without_empty_turns(lines):
    """A turn in which nothing was called."""
    kept = []
    for line in lines:
        if line.strip() == "-- check" and kept and kept[-1].strip() == "-- poll":
            kept.pop()
        else:
            kept.append(line)
    return kept


def normalised(lines):
    return tuple(without_empty_turns(lines))


# Callbacks of descriptors: which of those that are ready comes first is the kernel's business.
DESCRIPTOR = re.compile(
    r"  (poll|read|written|shut|connected|connection|datagram|sent|changed) (\d+)")
MAIL = re.compile(r"  (async|worked|file|random|addrinfo|nameinfo|polled) (\d+)")
SLOW = ("addrinfo", "nameinfo")
STREAM_BYTES = re.compile(r"  (read (\d+) \d+ sum|written (\d+) ok queue)")


def first_difference(theirs, ours):
    for number, (left, right) in enumerate(zip(theirs, ours)):
        if left != right:
            return number
    return None


def comes_later(lines, number, head):
    return any(line.startswith(head) for line in lines[number:])


def is_kept_away(lines, number, target):
    """Whether something is done to the object in the rest of the phase: closed, stopped..."""
    for line in lines[number:]:
        if line.strip() == "-- check":
            return False
        if re.match(rf"    +\w+ {target}\b", line):
            return True
    return False


def is_open(theirs, ours):
    """Whether the first difference of two logs is one that the contract leaves open. What comes
    after it can't be compared any more."""
    number = first_difference(theirs, ours)
    if number is None:
        return False
    left, right = theirs[number], ours[number]
    for one, other in ((left, ours), (right, theirs)):
        end = re.match(r"  read (\d+) EOF", one)
        if end and (comes_later(other, number, one) or comes_later(other, number,
                                                                   f"  closed {end[1]} ")):
            return True
    empty = re.match(r"  (datagram \d+) nothing", left) or \
        re.match(r"  (datagram \d+) nothing", right)
    if empty and any(line.startswith(f"  {empty[1]} E") for line in ours[:number]):
        return True
    if left.startswith("  sent ") and (left[:-4] == right[:-4] or " EBADF " in left):
        return True
    if re.match(r"  closed ", left) and re.match(r"  closed ", right):
        return any(re.match(r" *(raise|spawn|process_kill) ", line) for line in ours[:number])
    mail = MAIL.match(left), MAIL.match(right)
    if all(mail) and any(match[1] in SLOW for match in mail):
        return comes_later(ours, number, left) and comes_later(theirs, number, right)
    descriptors = DESCRIPTOR.match(left) or mail[0], DESCRIPTOR.match(right) or mail[1]
    if all(descriptors) and not all(mail) and descriptors[0][2] != descriptors[1][2]:
        return all(comes_later(lines, number, match[0]) or is_kept_away(lines, number, match[2])
                   for lines, match in zip((ours, theirs), descriptors))
    pieces = STREAM_BYTES.match(left), STREAM_BYTES.match(right)
    return all(pieces) and pieces[0][1] == pieces[1][1]


def brought_near(theirs, ours):
    """Ours, where the descriptor of a loop is readable earlier than libuv's: its own wake-up
    descriptor is known to epoll from the beginning."""
    known = dict(enumerate(theirs))
    return tuple(known[n] if line[:-1] + "0" == known.get(n) and "backend_ready" in line else line
                 for n, line in enumerate(ours))


def has_died(lines):
    """Once is enough: a crash that comes and goes is a crash."""
    return any(re.match(r"(died of|ended with) ", line) for line in lines[-1:])


def gives_no_verdict(lines):
    """The program broke a rule of the API, and the library said so by ending the process."""
    return any(re.match(r"died of (Aborted|Segmentation fault)", line) for line in lines)


def ends_among_threads(text):
    """Such a program keeps the rules of the API, even though libuv may die of it."""
    return re.search(r"^ *leave\b", text, re.MULTILINE) is not None
