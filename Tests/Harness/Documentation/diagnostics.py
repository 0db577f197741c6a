"""Checks the code and Documentation/Diagnostics.md against the table Documentation/DiagnosticCodes.txt.

Fails if the table, the page, and the code do not have the same codes with the same severities, if an entry
lacks its meaning, its message, or its fix, and if a message contains words that no string literal of Sources
contains. The fix is the end of an entry, or the part of its message after a semicolon.

A message of the compiler must be proven: by the rejected block before it, which DocumentationTests compiles,
or by a test that expects the message.
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
TABLE = "Documentation/DiagnosticCodes.txt"
TOOL_PAGE = "Documentation/RegistryTool.md"
# The tests that expect messages of the compiler, with any names in quotes.
PROOFS = ("Tests/CompileTests/Rejections/*.swift", "Tests/MacroExpansionTests/**/*.swift")
# ProblemTests expects these messages exactly as the page shows them.
PROVEN = {"object-format", "unreadable-message"}
# The uses of a severity with a code's constant. A use that names no severity reports a note.
USES = [
    r"\.(?P<severity>warning|error),\s*(?:code: )?\.(?P<code>\w+)",
    r"(?:\.note, code: |\bnote\()\.(?P<code>\w+)",
    r"\.(?P<code>\w+), \.note\b",
]
# Text in quotes, which an apostrophe in a word does not begin.
QUOTED = r"(?<![^\s(\[])'[^']*'"
# The words of severities, and the texts of other programs and of the examples in messages.
FOREIGN = r"^(\S.*?: )?(error|warning|note): |No such file or directory|no customer is logged in|no box 7|(?<=: )origin:|modu (\{.*\})?"


def sources():
    for pattern in ("Sources/**/*.swift", "Sources/**/*.c", "Plugins/**/*.swift"):
        for path in sorted(glob.glob(pattern, recursive=True)):
            yield path, pages.read(path)


def codes_in_sources():
    """Returns the targets that declare each code, and the files that report each code with a severity."""
    owners, constants, texts = {}, {}, list(sources())
    for path, text in texts:
        codes = re.findall(r'\bFailure\(\s*"([a-z-]+)",', text)
        for name, code in re.findall(r'^  package static var (\w+): Self \{ "([a-z-]+)" \}', text, re.M):
            constants[name] = code
            codes.append(code)
        for property in re.finditer(r"var code: Diagnostic\.Code \{\n(.*?)^  \}", text, re.S | re.M):
            codes += re.findall(r'case [.\w, ]+: "([a-z-]+)"', property[1])
        for enumeration in re.finditer(r"enum Code: String.*?\{\n(.*?)^\s*\}", text, re.S | re.M):
            codes += re.findall(r'case \w+ = "([^"]+)"', enumeration[1])
        for message in swift.literals(text):
            if match := re.search(r" \[([a-z]+(?:-[a-z]+)*)\]:?$", message.split("\n")[0].strip() or message.strip()):
                codes.append(match[1])
        for code in codes:
            owners.setdefault(code, set()).add(path.split("/")[1 if path.startswith("Sources") else 0])
    uses = {}
    for path, text in texts:
        for use in (use.groupdict() for pattern in USES for use in re.finditer(pattern, text)):
            if code := constants.get(use["code"]):
                uses.setdefault((code, use.get("severity", "note")), path)
    return owners, uses


def table():
    """Returns the severities and the targets of each code in the table, whose last column is a title."""
    rows = [[cell.strip() for cell in row.split("|")] for row in pages.read(TABLE).splitlines()[1:]]
    return {code: (set(severities.split(", ")), set(owners.split(", "))) for code, severities, owners, _ in rows}


def severities(text):
    """Returns the severities in the emphasized words of an entry or of a row."""
    words = re.sub("`[^`]*`", "", " ".join(re.findall(r"\*([^*]+)\*", text))).lower()
    return set(re.findall("compile error|compile warning|error|warning|note|thrown", words))


def entries():
    """Yields the entries of the page: code, line number, and the prose and blocks below the heading."""
    text = pages.read(PAGE)
    for match in re.finditer(r"^### `([^`]+)`\n(.*?)(?=^##|\Z)", text, re.DOTALL | re.MULTILINE):
        yield match[1], text.count("\n", 0, match.start()) + 1, pages.parts(PAGE, match[2])


def pattern_of(message):
    """Returns a message with one word in place of each text in quotes."""
    return re.sub(QUOTED, "X", message.removeprefix("error: ").removeprefix("warning: "))


def expected_messages():
    """Returns the messages that tests expect: literals, and comments as in RejectedCode.swift."""
    found = set()
    for path in sorted(path for pattern in PROOFS for path in glob.glob(pattern, recursive=True)):
        text = pages.read(path)
        found.update(swift.literals(text))
        for comment in re.findall(r"^ *// (?:\d+: )?(?:error|warning): (.*\n(?: *//   .*\n)*)", text, re.M):
            found.add(re.sub(r"\s*\n *//  ", "", comment).strip())
    return {pattern_of(message) for message in found}


def is_expected(message, expected):
    """Returns whether a test expects a message, in which '…' replaces text that is left out."""
    pattern = ".*".join(re.escape(part) for part in pattern_of(message).split("…"))
    return any(re.fullmatch(pattern, other) for other in expected)


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
    (codes, uses), rows, vocabulary, seen = codes_in_sources(), table(), Vocabulary(), set()
    expected = expected_messages()
    if list(rows) != sorted(codes):
        yield f"{TABLE} must list the codes of Sources in order; these differ: {sorted(set(rows) ^ set(codes))}"
    for code, (_, owners) in rows.items():
        if owners != codes.get(code, owners):
            yield f"{TABLE}: the targets of '{code}' are {', '.join(sorted(codes[code]))}"
    for (code, severity), path in uses.items():
        if severity not in rows.get(code, [severity])[0]:
            yield f"{path} reports '{code}' as {severity}; add this severity to {TABLE} and to the entry"
    for names, meaning in re.findall(r"^\| (`[a-z`, -]+`) \| (\*.*)", pages.read(TOOL_PAGE), re.M):
        for code in re.findall("[a-z-]+", names):
            if not severities(meaning) <= rows.get(code, [set()])[0]:
                yield f"{TOOL_PAGE}: '{code}' has other severities in {TABLE}"
    for code, number, parts in entries():
        where = f"{PAGE}:{number}: '{code}'"
        if code in seen:
            yield f"{where} has two entries; delete one"
        seen.add(code)
        if code not in rows:
            yield f"{where} is not in {TABLE}; delete the entry or correct the name"
        elif severities(str(parts[0])) != rows[code][0]:
            yield f"{where} must begin with the severities in {TABLE}, such as '*Warning.*', and the meaning"
        elif len(re.sub(r"\*[^*]+\*", "", parts[0]).split()) < 3:
            yield f"{where}: the severity must be followed by the meaning, before the message"
        blocks = [part for part in parts if isinstance(part, pages.Block)]
        messages = [block.text for block in blocks if block.kind == "text"]
        if not messages:
            yield f"{where} needs the message in a block of kind 'text'"
        elif not any(f"[{code}]" in message for message in messages):
            yield f"{where}: no message contains '[{code}]'"
        lines = [line for line in "".join(messages).split("\n") if f"[{code}]" in line]
        # The part of a message that states the fix is not text in quotes, and is not left out.
        fixes = [part for line in lines for part in re.sub(QUOTED, "X", line).split("; ")[1:] if part[0] != "…"]
        if not str(parts[-1]).strip() and not fixes:
            yield f"{where} must end with the fix, because the message does not state it"
        is_rejected = any(block.kind == "swift rejected" for block in blocks)
        for line in lines:
            if word := vocabulary.unknown(line):
                yield f"{where}: no text in Sources contains '{word}' as in '{line.strip()}'; copy the current message"
            is_compile_time = "compile" in " ".join(rows.get(code, [set()])[0])
            if is_compile_time and not is_rejected and code not in PROVEN and not is_expected(line, expected):
                yield f"{where}: no test expects '{line.strip()}'; copy the current message, or add a rejected block"
    for code in sorted(set(rows) - seen):
        yield f"'{code}' has no entry in {PAGE}; add '### `{code}`' with its meaning, message, and fix"


pages.finish(list(problems()), f"{len(list(entries()))} entries in {PAGE}")
