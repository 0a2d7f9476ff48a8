"""Functions as shapes: streams of tokens without the words that an author chooses.

A shape keeps keywords, operators and the names that belong to a public interface; every other name
is "n", a string "s", a number "0", a regular expression "/". Node calls the engine's methods as
functions (ArrayPrototypePush(list, x)); those are read as the plain calls (list.push(x)) that they
stand for, so that the two spellings compare as one."""
import re

LENGTH = 9  # tokens in a gram

KEYWORDS = {
    "js": set("""async await break case catch class const continue debugger default delete do else
        export extends false finally for function get if import in instanceof let new null of return
        set static super switch this throw true try typeof undefined var void while with yield
        """.split()),
    "c": set("""auto break case char const continue default do double else enum extern float for
        goto if inline int long register restrict return short signed sizeof static struct switch
        typedef union unsigned void volatile while bool true false NULL""".split()),
}
# After one of these a slash divides; after anything else it begins a regular expression.
OPERAND = re.compile(r"[\w$)\]}]$")
WORD_BEFORE_REGEXP = {"return", "typeof", "case", "in", "of", "void", "delete", "throw", "new",
                      "else", "do", "instanceof", "await", "yield"}
NOT_A_FUNCTION = {"if", "for", "while", "switch", "catch", "with"}

TOKEN = {
    "js": re.compile(r"""(?P<space>\s+|//[^\n]*|/\*.*?\*/)
        |(?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
        |(?P<number>(?:0[xXbBoO][\da-fA-F_]+|\d[\d_]*\.?\d*(?:[eE][+-]?\d+)?|\.\d+)n?)
        |(?P<word>\#?[A-Za-z_$][\w$]*)
        |(?P<mark>\.\.\.|=>|\?\?=|\?\.(?!\d)|\?\?|&&=|\|\|=|===|!==|>>>=|\*\*=|<<=|>>=|>>>|\*\*
          |==|!=|<=|>=|&&|\|\||\+\+|--|\+=|-=|\*=|/=|%=|&=|\|=|\^=|<<|>>|.)""", re.X | re.S),
    "c": re.compile(r"""(?P<space>\s+|//[^\n]*|/\*.*?\*/|\#(?:[^\n\\]|\\.)*)
        |(?P<string>L?"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
        |(?P<number>\.?\d[\w.]*)
        |(?P<word>[A-Za-z_]\w*)
        |(?P<mark>\.\.\.|->|<<=|>>=|==|!=|<=|>=|&&|\|\||\+\+|--|\+=|-=|\*=|/=|%=|&=|\|=|\^=|<<|>>|.)
        """, re.X | re.S),
}
REGEXP = re.compile(r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/\w*")
TEMPLATE_TEXT = re.compile(r"(?:[^`\\$]|\\.|\$(?!\{))*", re.S)


def tokens_of(text, language):
    """Lists of (kind, word, place)."""
    found, place, open_templates, depth = [], 0, [], 0
    pattern = TOKEN[language]

    def template(at):
        end = TEMPLATE_TEXT.match(text, at).end()
        found.append(("string", "s", at))
        if text.startswith("${", end):
            found.append(("mark", "${", end))
            open_templates.append(depth)
            return end + 2
        return end + 1

    while place < len(text):
        if language == "js":
            letter = text[place]
            if letter == "`":
                place = template(place + 1)
                continue
            if letter == "}" and open_templates and open_templates[-1] == depth:
                open_templates.pop()
                found.append(("mark", "$}", place))
                place = template(place + 1)
                continue
            if letter == "/" and text[place + 1:place + 2] not in ("/", "*"):
                last = found[-1][1] if found else ""
                if not OPERAND.search(last) or last in WORD_BEFORE_REGEXP:
                    match = REGEXP.match(text, place)
                    if match:
                        found.append(("regexp", "/", place))
                        place = match.end()
                        continue
        match = pattern.match(text, place)
        kind = match.lastgroup
        if kind != "space":
            word = match.group()
            depth += (word == "{") - (word == "}")
            found.append((kind, word, place))
        place = match.end()
    return found


PRIMORDIAL = re.compile(r"^(?:Safe)?(?:Array|String|RegExp|Function|Object|Promise|Map|Set|WeakMap"
                        r"|WeakSet|Number|Date|Error|Symbol|TypedArray|DataView|BigInt|Uint8Array"
                        r"|ArrayBuffer|Iterator)Prototype(Symbol)?([A-Z]\w*)$")
STATIC = re.compile(r"^(Array|String|Object|Number|Math|Reflect|JSON|Promise|Symbol|Date|BigInt"
                    r"|Atomics|ArrayBuffer|Error)[A-Z]\w*$")


def lowered(name):
    return name if name.isupper() or "_" in name else name[0].lower() + name[1:]


def plain_calls(tokens):
    """Reads ArrayPrototypePush(list, x) as list.push(x), and ObjectKeys(x) as Object.keys(x)."""
    result, index = [], 0
    while index < len(tokens):
        kind, word, place = tokens[index]
        following = tokens[index + 1][1] if index + 1 < len(tokens) else ""
        if kind == "word" and following == "(":
            method = PRIMORDIAL.match(word)
            if method:
                # The first argument goes before the dot; its comma becomes the opening bracket.
                end, level = index + 2, 0
                while end < len(tokens):
                    mark = tokens[end][1]
                    if level == 0 and mark in (",", ")"):
                        break
                    level += (mark in "([{") - (mark in ")]}") if tokens[end][0] == "mark" else 0
                    end += 1
                result += plain_calls(tokens[index + 2:end])
                name = "call" if method[2] == "Call" else lowered(method[2])
                result += [("mark", ".", place), ("word", name, place), ("mark", "(", place)]
                if end < len(tokens) and tokens[end][1] == ")":
                    result.append(tokens[end])
                index = end + 1
                continue
        if kind == "word" and STATIC.match(word):
            owner = STATIC.match(word)[1]
            result += [("word", owner, place), ("mark", ".", place),
                       ("word", lowered(word[len(owner):]), place)]
        elif not (kind == "mark" and word == ";"):
            result.append(tokens[index])
        index += 1
    return result


def anonymous(tokens, language, public, everywhere):
    """The shape: public are the names kept after a dot, everywhere those kept wherever they are."""
    shape = []
    keywords, before = KEYWORDS[language], ""
    for kind, word, _ in tokens:
        if kind == "word":
            if before in (".", "?."):
                kept = word in public
            else:
                kept = word in keywords or word in everywhere
            shape.append(word if kept else "n")
        elif kind in ("string", "number", "regexp"):
            shape.append({"string": "s", "number": "0", "regexp": "/"}[kind])
        else:
            shape.append(word)
        before = word
    return shape


def grams_of(shape):
    return [hash(tuple(shape[i:i + LENGTH])) for i in range(len(shape) - LENGTH + 1)]


def brackets(tokens):
    """For each bracket's index, that of its partner."""
    partner, stack = {}, []
    for index, (kind, word, _) in enumerate(tokens):
        if kind != "mark":
            continue
        if word in ("(", "[", "{", "${"):
            stack.append(index)
        elif word in (")", "]", "}", "$}") and stack:
            partner[index] = stack.pop()
            partner[partner[index]] = index
    return partner


def functions_of(tokens, language):
    """(name, first token, last token) of every function with a body in braces, nested ones too."""
    partner, result = brackets(tokens), []
    for index, (kind, word, _) in enumerate(tokens):
        if kind != "mark" or word != "{" or index not in partner or index == 0:
            continue
        before = index - 1
        if tokens[before][1] == "=>":
            first, name = before - 1, "an arrow function"
            if tokens[first][1] == ")" and first in partner:
                first = partner[first]
            if first >= 2 and tokens[first - 1][1] in ("=", ":", "async"):
                name = tokens[first - 2][1] if tokens[first - 1][1] != "async" else name
        elif tokens[before][1] == ")" and before in partner and partner[before] > 0:
            first = partner[before] - 1
            name = tokens[first][1]
            if name in NOT_A_FUNCTION or (name == "await" and tokens[first - 1][1] == "for"):
                continue
        else:
            continue
        if language == "c" and name in ("n", "="):
            continue
        result.append((name, first, partner[index]))
    return result
