"""Finds the comments and the string literals in Swift code, for the checks that read sources."""

import re
from typing import NamedTuple

MARK = "\0"
ESCAPES = {"n": "\n", '"': '"', "\n": ""}
START = re.compile(r'//[^\n]*|/\*.*?\*/|(#*)("""|")', re.DOTALL)


class Token(NamedTuple):
    """A comment or a literal. A literal has a mark in place of each interpolation."""

    start: int
    end: int
    literal: str | None = None
    interpolations: tuple[str, ...] = ()


def tokens(text):
    """Yields the comments and the literals of code in their order."""
    position = 0
    while match := START.search(text, position):
        token = read_literal(text, match) if match[2] else Token(match.start(), match.end())
        yield token
        position = token.end


def read_literal(text, match):
    escape, end, position = "\\" + match[1], match[2] + match[1], match.end()
    pieces, interpolations = [], []
    while position < len(text) and not text.startswith(end, position):
        if text.startswith(f"{escape}(", position):
            start = position + len(escape) + 1
            position = end_of_interpolation(text, start)
            interpolations.append(text[start:position])
            pieces.append(MARK)
            position += 1
        elif text.startswith(escape, position):
            position += len(escape) + 1
            pieces.append(ESCAPES.get(text[position - 1], text[position - 1]))
        else:
            pieces.append(text[position])
            position += 1
    return Token(match.start(), position + len(end), "".join(pieces), tuple(interpolations))


def end_of_interpolation(text, position):
    """Returns the index of the parenthesis that ends an interpolation, which can contain literals."""
    depth = 1
    while position < len(text):
        match = START.match(text, position)
        if match and match[2]:
            position = read_literal(text, match).end
            continue
        depth += {"(": 1, ")": -1}.get(text[position], 0)
        if depth == 0:
            return position
        position += 1
    return position


def literals(text):
    """Returns the literals of code, including those in interpolations. `+` joins literals."""
    found, nested, end = [], [], None
    for token in tokens(text):
        if token.literal is None:
            continue
        if end is not None and re.fullmatch(r"\s*\+\s*", text[end:token.start]):
            found[-1] += token.literal
        else:
            found.append(token.literal)
        end = token.end
        for interpolation in token.interpolations:
            nested += literals(interpolation)
    return found + nested


def code(text):
    """Returns code with blank comments and literals, and with the same lines."""
    parts, end = [], 0
    for token in tokens(text):
        parts += [text[end:token.start], re.sub(r"[^\n]", " ", text[token.start:token.end])]
        end = token.end
    return "".join(parts) + text[end:]
