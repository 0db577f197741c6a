"""Reads property lists in the OpenStep format, in which Xcode writes projects."""

import re

TOKEN = re.compile(r'\s+|//[^\n]*|/\*.*?\*/|([{}()=;,])|"((?:[^"\\]|\\.)*)"|([A-Za-z0-9_.$/:+-]+)', re.S)
ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}


def tokens(text):
    """Yields the punctuation and the strings of a text with their lines, without comments."""
    position = 0
    while position < len(text):
        match = TOKEN.match(text, position)
        line = text.count("\n", 0, position) + 1
        if not match:
            raise ValueError(f"line {line}: unexpected character {text[position]!r}")
        position = match.end()
        if match[1]:
            yield line, match[1], None
        elif match[2] is not None:
            yield line, "string", re.sub(r"\\(.)", lambda escape: ESCAPES.get(escape[1], escape[1]), match[2])
        elif match[3]:
            yield line, "string", match[3]
    yield text.count("\n") + 1, "the end", None


def parse(text):
    """Returns the dictionary, list, or string that a text contains."""
    stream = tokens(text)
    current = next(stream)

    def take(kind):
        nonlocal current
        line, found, value = current
        if found != kind:
            raise ValueError(f"line {line}: expected {kind}, found {value if found == 'string' else found!r}")
        current = next(stream, (line, "the end", None))
        return value

    def value():
        if current[1] == "{":
            take("{")
            result = {}
            while current[1] != "}":
                line, key = current[0], take("string")
                if key in result:
                    raise ValueError(f"line {line}: the key {key!r} occurs twice")
                take("=")
                result[key] = value()
                take(";")
            take("}")
            return result
        if current[1] == "(":
            take("(")
            result = []
            while current[1] != ")":
                result.append(value())
                if current[1] == ",":
                    take(",")
            take(")")
            return result
        return take("string")

    result = value()
    take("the end")
    return result
