"""Checks Documentation/Diagnostics.md against the code.

Fails if a code has no entry or an entry has no code, if an entry lacks its meaning, its example, its
message, or its fix, and if a message contains words that no string literal of Sources contains.
"""

import glob
import os
import re
import sys

sys.dont_write_bytecode = True
os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../.."))
sys.path += ["Tests/Harness/Structure"]
import pages
import swift

PAGE = "Documentation/Diagnostics.md"
# The words of severities, and the texts of other programs and of the examples in messages.
FOREIGN = r"^(\S.*?: )?(error|warning|note): |No such file or directory|cannot open shared object file|no customer is logged in|no box 7|(?<=: )origin:|modu \{.*\}"


def sources():
    for pattern in ("Sources/**/*.swift", "Sources/**/*.c", "Plugins/**/*.swift"):
        for path in sorted(glob.glob(pattern, recursive=True)):
            yield path, pages.read(path)


def codes_in_sources():
    """Returns each code with the file that declares it."""
    codes = {}
    for path, text in sources():
        for extension in re.finditer(r"^(?:public |package )?extension Diagnostic\.Code \{\n(.*?)^\}", text, re.S | re.M):
            for code in re.findall(r'static let \w+: Self = "([^"]+)"', extension[1]):
                codes.setdefault(code, path)
        for enumeration in re.finditer(r"enum (?:Code|ProblemCode): String.*?\{\n(.*?)^\s*\}", text, re.S | re.M):
            for code in re.findall(r'case \w+ = "([^"]+)"', enumeration[1]):
                codes.setdefault(code, path)
            for code in re.findall(r"^\s*case (\w+)$", enumeration[1], re.M):
                codes.setdefault(code, path)
        for code in re.findall(r'\bFailure\(\s*"([a-z-]+)",', text):
            codes.setdefault(code, path)
        for message in swift.literals(text):
            if match := re.search(r" \[([a-z]+(?:-[a-z]+)*)\]:?$", message.split("\n")[0].strip() or message.strip()):
                codes.setdefault(match[1], path)
    return codes


def entries():
    """Yields the entries of the page: code, line number, and the prose and blocks below the heading."""
    text = pages.read(PAGE)
    for match in re.finditer(r"^### `([^`]+)`\n(.*?)(?=^##|\Z)", text, re.DOTALL | re.MULTILINE):
        yield match[1], text.count("\n", 0, match.start()) + 1, pages.parts(PAGE, match[2])


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
            for literal in swift.literals(text):
                for run in re.sub(f"'[^' ]*{swift.MARK}[^' ]*'", "X", literal).split(swift.MARK):
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
    codes, vocabulary, seen = codes_in_sources(), Vocabulary(), set()
    for code, number, parts in entries():
        where = f"{PAGE}:{number}: '{code}'"
        if code in seen:
            yield f"{where} has two entries; delete one"
        seen.add(code)
        if code not in codes:
            yield f"{where} is no code in Sources; delete the entry or correct the name"
        blocks = [part for part in parts if isinstance(part, pages.Block)]
        messages = [block.text for block in blocks if block.kind == "text"]
        if not parts[0].lstrip().startswith("*"):
            yield f"{where} must begin with its severity or its error, such as '*Warning.*', and the meaning"
        if len(blocks) < 2 or not messages:
            yield f"{where} needs an example that produces it, and the message in a block of kind 'text'"
        elif not any(f"[{code}]" in message for message in messages):
            yield f"{where}: no message contains '[{code}]'"
        if len(parts) < 2 or parts[-1] in blocks or not parts[-1].strip():
            yield f"{where} must end with the fix"
        for line in "".join(messages).split("\n"):
            if f"[{code}]" in line and (word := vocabulary.unknown(line)):
                yield f"{where}: no text in Sources contains '{word}' as in '{line.strip()}'; copy the current message"
    for code, path in sorted(codes.items()):
        if code not in seen:
            yield f"{path}: '{code}' has no entry in {PAGE}; add '### `{code}`' with its meaning, example, message, and fix"


found = list(problems())
for problem in found:
    print(f"error: {problem}")
print(f"{len(list(entries()))} entries in {PAGE}")
sys.exit(1 if found else 0)
