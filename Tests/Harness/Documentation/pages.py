"""Divides pages into prose and code blocks, for all checks of the documentation.

    python3 Tests/Harness/Documentation/pages.py FOLDER PAGE…

As a program, it writes each code block to FOLDER/KIND/PAGE-LINE.swift, .m, .c, or .txt, with a
directive that makes the compiler report errors at the page and the line. The kind is the text after
the opening fence, with hyphens, such as "swift" or "swift-body". Each kind is checked in its own
way; see DocumentationTests.swift and check-blocks:

    swift              declarations
    swift body         statements, which become the body of a function
    swift manifest     a package manifest, which can omit the import
    swift rejected     code that must not compile; the next block, "text", is the first error
    swift UIKit        a file for an Apple system; also AppKit, WatchKit, SwiftUI, and os
    swift file         a file of a package that Tests/Harness/Consumers/run builds
    objc, objc body    declarations and statements in Objective-C
    c                  declarations in C

Tests/Harness/Tutorial/run explains the kinds on the tutorial. Preludes/PAGE.swift and
Preludes/PAGE.h declare what the code on a page uses but does not show.
"""

import os
import re
import sys
from typing import NamedTuple

ENDINGS = {"swift": "swift", "objc": "m", "c": "c"}
DIRECTIVES = {"swift": '#sourceLocation(file: "{0}", line: {1})\n', "m": '#line {1} "{0}"\n', "c": '#line {1} "{0}"\n'}


class Block(NamedTuple):
    """A code block with the line of its first line of code and the text after its opening fence."""

    line: int
    kind: str
    text: str

    @property
    def language(self):
        return self.kind.split(" ")[0]


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def finish(errors, summary):
    """Prints a check's errors and summary, and ends the script, with the status 1 if there are errors."""
    print(*(f"error: {error}" for error in errors), summary, sep="\n")
    sys.exit(bool(errors))


def parts(page, text=None):
    """Returns the prose, as strings, and the code blocks of a page in their order."""
    found, lines, block = [], [], None
    for number, line in enumerate((read(page) if text is None else text).splitlines(keepends=True), 1):
        where = f"{page}:{number}: error:"
        if re.match(" +```", line):
            sys.exit(f"{where} an indented code block is not checked; begin it at the margin")
        if not line.startswith("```"):
            lines.append(line)
        elif block:
            found.append(block._replace(text="".join(lines)))
            lines, block = [], None
        else:
            found.append("".join(lines))
            lines, block = [], Block(number + 1, line[3:].strip(), "")
    if block:
        sys.exit(f"{where} the last code block has no end")
    return [*found, "".join(lines)]


def blocks(page, text=None):
    """Returns the code blocks of a page, or of a part of its text."""
    return [part for part in parts(page, text) if isinstance(part, Block)]


def prose(page, text=None):
    """Returns the text of a page outside its code blocks."""
    return "".join(part for part in parts(page, text) if isinstance(part, str))


def write_blocks(folder, page):
    name = os.path.basename(page).removesuffix(".md")
    for block in blocks(page):
        if not block.kind:
            sys.exit(f"{page}:{block.line - 1}: error: the code block has no language; write it after the fence")
        kind = re.sub("[^A-Za-z0-9]+", "-", block.kind)
        ending = ENDINGS.get(kind.split("-")[0], "txt")
        os.makedirs(f"{folder}/{kind}", exist_ok=True)
        with open(f"{folder}/{kind}/{name}-{block.line:04}.{ending}", "w", encoding="utf-8") as file:
            file.write(DIRECTIVES.get(ending, "").format(page, block.line) + block.text)


if __name__ == "__main__":
    for each in sys.argv[2:]:
        write_blocks(sys.argv[1], each)
