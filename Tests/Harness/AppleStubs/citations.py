"""Checks that every declaration of the stand-ins cites its source.

    citations.py FILE…

A group of declarations is text without blank lines outside of classes, protocols, and braces. A
comment above the first declaration of each group begins with "SOURCE: ". A file whose first comment
contains "SOURCE of this file: " needs no others.
"""

import pathlib
import re
import sys

# Lines that declare nothing of a framework: macros, imports, forward declarations, closing braces.
IGNORED = re.compile(r"#|NS_HEADER_AUDIT_|@class\b|@protocol \w+;|(@_exported )?(public )?import\b|@?\}|\\$")


def check(path):
    text = path.read_text()
    if re.search(r"\A(//.*\n)*// SOURCE of this file: \S", text):
        return []
    problems, is_cited, depth, continues = [], False, 0, False
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if not stripped and depth == 0:
            is_cited = False
        elif stripped.startswith("//"):
            is_cited = is_cited or (depth == 0 and re.match(r"// SOURCE: \S", stripped) is not None)
        elif continues or stripped.startswith("#"):
            continues = stripped.endswith("\\")
        else:
            if stripped and depth == 0 and not is_cited and not IGNORED.match(stripped):
                problems.append(f"{path}:{number}: no SOURCE above this declaration: {stripped}")
                is_cited = True
            depth += line.count("{") - line.count("}")
            if re.match(r"@(interface|protocol)\b(?!.*;)", stripped):
                depth += 1
            elif stripped == "@end":
                depth -= 1
    return problems


found = [problem for name in sys.argv[1:] for problem in check(pathlib.Path(name))]
print("\n".join(found))
sys.exit(1 if found else 0)
