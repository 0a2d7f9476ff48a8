"""A font in which all characters are the same box: with it, pictures of a page do not depend on
the fonts of a machine."""

import struct

EM, ADVANCE, HEIGHT = 1000, 600, 700
ASCENT, DESCENT = 900, -300
BOX, SPACE = 1, 2


def characters(text):
    """cmap, format 12: a group for each character."""
    groups = b"".join(struct.pack(">LLL", one, one, SPACE if chr(one).isspace() else BOX)
                      for one in sorted({ord(one) for one in text}))
    table = struct.pack(">HHLLL", 12, 0, 16 + len(groups), 0, len(groups) // 12) + groups
    return struct.pack(">HHHHL", 0, 1, 3, 10, 12) + table


def outline():
    """glyf of a box, with corners left low, left high, right high, right low."""
    left, right = 50, ADVANCE - 50
    head = struct.pack(">hhhhh", 1, left, 0, right, HEIGHT) + struct.pack(">HH", 3, 0)
    across = struct.pack(">hhhh", left, 0, right - left, 0)
    upward = struct.pack(">hhhh", 0, HEIGHT, 0, -HEIGHT)
    return head + bytes([1] * 4) + across + upward + b"\0\0"


def names():
    records = [(1, "Boxes"), (2, "Regular"), (3, "Boxes"), (4, "Boxes"), (5, "1"), (6, "Boxes")]
    head, text = struct.pack(">HHH", 0, len(records), 6 + 12 * len(records)), b""
    for number, name in records:
        data = name.encode("utf-16-be")
        head += struct.pack(">HHHHHH", 3, 1, 0x409, number, len(data), len(text))
        text += data
    return head + text


def tables(text):
    glyph = outline()
    return {
        b"OS/2": struct.pack(">HhHHH", 4, ADVANCE, 400, 5, 0) + struct.pack(
            ">hhhhhhhhhhh", *[0] * 11) + bytes(10) + struct.pack(">LLLL", 1, 0, 0, 0) + b"NONE" +
        struct.pack(">HHHhhhHH", 0x40, 32, 0xFFFF, ASCENT, DESCENT, 0, ASCENT, -DESCENT) +
        struct.pack(">LLhhHHH", 1, 0, 500, HEIGHT, 0, 32, 1),
        b"cmap": characters(text),
        b"glyf": glyph,
        b"head": struct.pack(">LLLLHHqqhhhhHHhhh", 0x10000, 0x10000, 0, 0x5F0F3CF5, 3, EM, 0, 0, 0,
                             0, ADVANCE, HEIGHT, 0, 8, 2, 1, 0),
        b"hhea": struct.pack(">LhhhHhhhhhhhhhhhH", 0x10000, ASCENT, DESCENT, 0, ADVANCE, 0, 0,
                             ADVANCE, 1, 0, 0, 0, 0, 0, 0, 0, 3),
        b"hmtx": struct.pack(">HhHhHh", ADVANCE, 0, ADVANCE, 50, ADVANCE, 0),
        b"loca": struct.pack(">LLLL", 0, 0, len(glyph), len(glyph)),
        b"maxp": struct.pack(">LHHHHHHHHHHHHHH", 0x10000, 3, 4, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0),
        b"name": names(),
        b"post": struct.pack(">LLhhLLLLL", 0x30000, 0, -100, 50, 1, 0, 0, 0, 0),
    }


def checksum(data):
    padded = data + bytes(-len(data) % 4)
    return sum(struct.unpack(f">{len(padded) // 4}L", padded)) & 0xFFFFFFFF


def font(text):
    """The font, for the characters of a text."""
    parts = tables(text)
    head = struct.pack(">LHHHH", 0x10000, len(parts), 128, 3, len(parts) * 16 - 128)
    place, body = 12 + 16 * len(parts), b""
    for name, data in sorted(parts.items()):
        head += name + struct.pack(">LLL", checksum(data), place + len(body), len(data))
        body += data + bytes(-len(data) % 4)
    return head + body
