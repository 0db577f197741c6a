"""Checks Documentation/Diagnostics.md against the code.

Fails if a code has no entry or an entry has no code, if an entry lacks its meaning, its example, its
message, or its fix, and if a message contains words that no string literal of Sources contains.
"""

import glob
import os
import re
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../..")
PAGE = "Documentation/Diagnostics.md"
MARK = "\0"
# The words of severities, and the texts of other programs and of the examples in messages.
FOREIGN = r"^(\S.*?: )?(error|warning|note): |No such file or directory|cannot open shared object file|no customer is logged in|no box 7|(?<=: )origin:|modu \{.*\}"


def literals(text):
    """Returns the string literals of Swift code, with a mark for each interpolation.

    Literals that `+` joins count as one.
    """
    found, end, joins = [], 0, False
    token = re.compile(r'//[^\n]*|/\*.*?\*/|"""|"', re.S)
    position = 0
    while match := token.search(text, position):
        if match[0][0] == "/":
            position = match.end()
            continue
        literal, position, inner = read_literal(text, match.end(), match[0])
        if found and joins_previous(text[end : match.start()]):
            found[-1] += literal
        else:
            found.append(literal)
        end = position
        for expression in inner:
            found[-1:-1] = literals(expression)
    return found


def joins_previous(between):
    return re.fullmatch(r"\s*\+\s*", between) is not None


def read_literal(text, position, quote):
    pieces, inner = [], []
    while position < len(text) and not text.startswith(quote, position):
        if text.startswith("\\(", position):
            end = end_of_interpolation(text, position + 2)
            inner.append(text[position + 2 : end])
            pieces.append(MARK)
            position = end + 1
        elif text[position] == "\\":
            pieces.append({"n": "\n", '"': '"', "\n": ""}.get(text[position + 1], text[position + 1]))
            position += 2
        else:
            pieces.append(text[position])
            position += 1
    return "".join(pieces), position + len(quote), inner


def end_of_interpolation(text, position):
    depth = 1
    while position < len(text):
        if text[position] == '"':
            _, position, _ = read_literal(text, position + 1, '"')
            continue
        depth += {"(": 1, ")": -1}.get(text[position], 0)
        if depth == 0:
            return position
        position += 1
    return position


def sources():
    for pattern in ("Sources/**/*.swift", "Sources/**/*.c", "Plugins/**/*.swift"):
        for path in sorted(glob.glob(os.path.join(ROOT, pattern), recursive=True)):
            with open(path, encoding="utf-8") as file:
                yield os.path.relpath(path, ROOT), file.read()


def codes_in_sources():
    """Returns each code with the file that declares it."""
    codes = {}
    for path, text in sources():
        for extension in re.finditer(r"^(?:public |package )?extension Diagnostic\.Code \{\n(.*?)^\}", text, re.S | re.M):
            for code in re.findall(r'Self\(rawValue: "([^"]+)"\)', extension[1]):
                codes.setdefault(code, path)
        for enumeration in re.finditer(r"enum (?:Code|ProblemCode): String.*?\{\n(.*?)^\s*\}", text, re.S | re.M):
            for code in re.findall(r'case \w+ = "([^"]+)"', enumeration[1]):
                codes.setdefault(code, path)
            for code in re.findall(r"^\s*case (\w+)$", enumeration[1], re.M):
                codes.setdefault(code, path)
        for code in re.findall(r'\bFailure\(\s*"([a-z-]+)",', text):
            codes.setdefault(code, path)
        for message in literals(text):
            if match := re.search(r" \[([a-z]+(?:-[a-z]+)*)\]:?$", message.split("\n")[0].strip() or message.strip()):
                codes.setdefault(match[1], path)
    return codes


def entries():
    """Returns the entries of the page: code, line number, and text."""
    with open(os.path.join(ROOT, PAGE), encoding="utf-8") as file:
        lines = file.read().split("\n")
    found, fence = [], False
    for number, line in enumerate(lines, 1):
        if line.startswith("```"):
            fence = not fence
        if not fence and (match := re.fullmatch(r"### `([^`]+)`", line)):
            found.append([match[1], number, ""])
        elif not fence and re.match(r"#{1,3} ", line):
            found.append([None, number, ""])
        elif found:
            found[-1][2] += line + "\n"
    return [entry for entry in found if entry[0]]


def words_of(text):
    """Returns the words of a text, with one word in place of each text in quotes."""
    text = re.sub(r"(?<![^\s(\[])'[^'\0]*'|\"[^\"\0]*\"", "X", text)
    words = [word.strip("'\"`,;:.()[]?…") for word in text.split()]
    return [word for word in words if word]


class Vocabulary:
    """The pairs of successive words in the string literals of Sources."""

    def __init__(self):
        self.pairs, self.single = set(), set()
        for _, text in sources():
            for literal in literals(text):
                for run in re.sub(f"'[^' ]*{MARK}[^' ]*'", "X", literal).split(MARK):
                    words = words_of(run)
                    self.pairs.update(zip(words, words[1:]))
                    self.single.update(words[:1] + words[-1:])

    def unknown(self, message):
        """Returns the first word that is not part of a text in Sources, or None.

        Names, paths, and numbers are not checked.
        """
        words = words_of(re.sub(FOREIGN, "", message))
        for index, word in enumerate(words):
            if not re.fullmatch(r"[a-z]+", word):
                continue
            before = index > 0 and (words[index - 1], word) in self.pairs
            after = index + 1 < len(words) and (word, words[index + 1]) in self.pairs
            if not before and not after and word not in self.single:
                return word
        return None


def problems():
    codes, documented = codes_in_sources(), entries()
    vocabulary, seen = Vocabulary(), set()
    for code, number, text in documented:
        where = f"{PAGE}:{number}: '{code}'"
        if code in seen:
            yield f"{where} has two entries; delete one"
        seen.add(code)
        if code not in codes:
            yield f"{where} is no code in Sources; delete the entry or correct the name"
        blocks = re.findall(r"^```(.*?)\n(.*?)^```$", text, re.S | re.M)
        messages = [body for kind, body in blocks if kind == "text"]
        prose = [part for part in re.split(r"^```.*?^```$", text, flags=re.S | re.M) if part.strip()]
        if not text.lstrip().startswith("*"):
            yield f"{where} must begin with its severity or its error, such as '*Warning.*', and the meaning"
        if len(blocks) < 2 or not messages:
            yield f"{where} needs an example that produces it, and the message in a block of kind 'text'"
        elif not any(f"[{code}]" in message for message in messages):
            yield f"{where}: no message contains '[{code}]'"
        if len(prose) < 2 or not text.rstrip().endswith(prose[-1].strip()):
            yield f"{where} must end with the fix"
        for message in messages:
            for line in message.split("\n"):
                if f"[{code}]" in line and (word := vocabulary.unknown(line)):
                    yield f"{where}: no text in Sources contains '{word}' as in '{line.strip()}'; copy the current message"
    for code, path in sorted(codes.items()):
        if code not in seen:
            yield f"{path}: '{code}' has no entry in {PAGE}; add '### `{code}`' with its meaning, example, message, and fix"


def main():
    found = list(problems())
    for problem in found:
        print(f"error: {problem}")
    if not found:
        print(f"{len(entries())} codes have an entry in {PAGE}")
    sys.exit(1 if found else 0)


main()
