"""Turns the tables in tables/ into C that a compiler can judge.

generate.py types        asserts every type, size, offset, constant and signature (C11, C++11)
generate.py errors       a program that checks every error's value, name and message
generate.py layout       a program that prints every size, offset and constant that the
                         preprocessed header on standard input knows
generate.py sizes ARCH   asserts every struct's size on one of the processors of tables/sizes.txt
generate.py stubs NAME.. a library that defines the named functions (C2x: unnamed parameters)
generate.py names        the names of all functions
"""

import pathlib
import re
import sys

TABLES = pathlib.Path(__file__).parent / "tables"

# What functions.txt says, and what the header must say instead.
RENDERINGS = {
    # The name of a parameter that is a function pointer stands behind its type.
    "void (*)(void*) entry": "void (*entry)(void*)",
    # Debugging information drops the const of "const void".
    "int uv_inet_ntop(int af, void* src,": "int uv_inet_ntop(int af, const void* src,",
}

# Private fields that known programs reach into: struct, field, offset, type, who.
TOUCHED = [
    ("uv_handle_s", "close_cb", 24, "uv_close_cb", "node"),
    ("uv_handle_s", "flags", 88, "unsigned int", "uvloop, bind9"),
    ("uv_tcp_s", "io_watcher.fd", 184, "int", "dqlite"),
    ("uv_pipe_s", "io_watcher.fd", 184, "int", "dqlite"),
    ("uv_poll_s", "io_watcher.fd", 152, "int", "libwebsockets"),
]

TYPES_HEAD = """\
#include <uv.h>
#ifdef __cplusplus
#include <type_traits>
#define CHECK(what, condition) static_assert(condition, what)
#define SAME(what, found, ...) static_assert(std::is_same<found, __VA_ARGS__>::value, what)
#define IS_ENUM(what, type) static_assert(std::is_enum<type>::value && sizeof(type) == 4, what)
#define TYPEOF decltype
#else
#define CHECK(what, condition) _Static_assert(condition, what)
#define SAME(what, found, ...) \\
    _Static_assert(__builtin_types_compatible_p(found, __VA_ARGS__), what)
#define IS_ENUM(what, type) _Static_assert(_Generic((type)0, int: 4, unsigned: 4) == 4, what)
#define TYPEOF __typeof__
#endif
"""


def rows(table):
    lines = (TABLES / table).read_text().splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def structs():
    """A list of (name, size, [(offset, field, type)])."""
    found = []
    for row in rows("structs.txt"):
        if row[0]:
            found.append((row[0], int(row[1]), []))
        else:
            found[-1][2].append((int(row[1]), row[2], row[3]))
    return found


def functions():
    """A list of (name, declaration without the semicolon)."""
    text = (TABLES / "functions.txt").read_text()
    for rendered, real in RENDERINGS.items():
        if rendered not in text:
            sys.exit(f"functions.txt no longer says: {rendered}")
        text = text.replace(rendered, real)
    return [(re.search(r"\b(uv_\w+)\(", line)[1], line.rstrip(";")) for line in text.splitlines()]


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def field_checks(struct, field, offset, kind, note=""):
    place = f"{struct}.{field}{note}"
    yield f'CHECK("offset of {place}", offsetof(struct {struct}, {field}) == {offset});'
    union = re.fullmatch(r"union \{ (.*); \}", kind)
    if union is None:
        yield f'SAME("type of {place}", TYPEOF(((struct {struct}*)0)->{field}), {kind});'
        return
    for member in union[1].split("; "):
        member_kind, name = member.rsplit(" ", 1)
        yield from field_checks(struct, f"{field}.{name}", offset, member_kind, note)


def struct_checks():
    for struct, size, fields in structs():
        yield f'CHECK("size of {struct}", sizeof(struct {struct}) == {size});'
        for offset, field, kind in fields:
            yield from field_checks(struct, field, offset, kind)
    for struct, field, offset, kind, who in TOUCHED:
        yield from field_checks(struct, field, offset, kind, f", which {who} uses")


def typedef_checks():
    for name, kind in rows("typedefs.txt"):
        if kind == f"enum {name}":  # an enum without a tag of its own
            yield f'IS_ENUM("{name} is an enum", {name});'
        else:
            yield f'SAME("type {name}", {name}, {kind});'


def constant_checks():
    for name, value in rows("constants.txt"):
        if value == "double: infinity":
            yield f'CHECK("{name}", __builtin_isinf_sign({name}) == 1);'
        elif value == "double: not-a-number":
            yield f'CHECK("{name}", __builtin_isnan({name}));'
        elif name == "UV_ONCE_INIT":
            yield f'CHECK("{name}", {name} == {value});'
        else:
            yield f'CHECK("{name}", (long)({name}) == {value}L);'


def function_checks():
    for name, declaration in functions():
        kind = re.sub(rf"\b{name}\(", "(*)(", declaration, count=1)
        yield f'SAME("type of {name}", TYPEOF(&{name}), {kind});'


def types():
    print(TYPES_HEAD)
    for checks in (struct_checks, typedef_checks, constant_checks, function_checks):
        print("\n".join(checks()))
    for name, value, _ in rows("errors.txt"):
        print(f'CHECK("{name}", (int){name} == {value});')

def errors():
    print('#include <stdio.h>\n#include <string.h>\n#include <uv.h>')
    print("static const struct { int value; const char *name, *message; } table[] = {")
    for name, value, message in rows("errors.txt"):
        print(f"    {{{value}, {quoted(name.removeprefix('UV_'))}, {quoted(message)}}},")
    print("};")
    print((TABLES.parent / "errors.c").read_text())


def layout(header):
    """For what the header (as written by the preprocessor with -dD) has of the tables."""
    print("#include <stdio.h>\n#include <uv.h>\nint main(void) {")
    for struct, _, fields in structs():
        if not re.search(rf"struct {struct} {{|}} *{struct};", header):
            continue
        kind = f"struct {struct}" if struct.endswith("_s") else struct
        print(f'    printf("size of {struct}: %zu\\n", sizeof({kind}));')
        touched = [row[1] for row in TOUCHED if row[0] == struct]
        for field in [row[1] for row in fields] + touched:
            print(f'    printf("offset of {struct}.{field}: %zu\\n", offsetof({kind}, {field}));')
    for name, value in rows("constants.txt"):
        if value.lstrip("-").isdigit() and re.search(rf"\b{name}\b", header):
            print(f'    printf("{name}: %ld\\n", (long){name});')
    print("    return 0;\n}")


def sizes(processor):
    lines = rows("sizes.txt")
    column = lines[0].index(processor)
    print("#include <uv.h>")
    for row in lines[1:]:
        kind = f"struct {row[0]}" if row[0].endswith("_s") else row[0]
        print(f'_Static_assert(sizeof({kind}) == {row[column]}, "size of {row[0]}");')


def stubs(names):
    print("#include <stdlib.h>\n#include <uv.h>")
    for name, declaration in functions():
        if name in names:
            print(f"{declaration} {{ abort(); }}")


def main():
    what = sys.argv[1]
    if what == "types":
        types()
    elif what == "errors":
        errors()
    elif what == "layout":
        layout(sys.stdin.read())
    elif what == "sizes":
        sizes(sys.argv[2])
    elif what == "stubs":
        stubs(set(sys.argv[2:]))
    elif what == "names":
        print("\n".join(name for name, _ in functions()))
    else:
        sys.exit(__doc__)


main()
