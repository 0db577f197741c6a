"""Checks that each branch of code for Apple systems is changed by a mutation, or listed.

    conditions.py ROOT EXCEPTIONS SCRIPT…

A branch of a condition in Sources counts if the condition names an Apple system or framework, or the object format. A
mutation of a SCRIPT changes a branch if its pattern matches text in the branch. EXCEPTIONS lists files (`code`) and
folders (`folder`) whose code neither runs as Mach-O nor has mutations. Prints the branches that are neither.
"""

import os
import re
import shlex
import sys

APPLE = re.compile(
    r"__APPLE__|__MACH__|canImport\((?:Darwin|os|ObjectiveC|UIKit|AppKit|WatchKit|SwiftUI|UserNotifications)\)"
    r"|objectFormat\(MachO\)|os\((?:macOS|iOS|tvOS|watchOS|visionOS)\)")
DIRECTIVE = re.compile(r"^ *# *(if|ifdef|ifndef|elif|elseif|else|endif)\b(.*)$", re.M)
# Mutations of the plugin's answers change all expansions. Their text is in this file.
EXPANSIONS = "Sources/MacroExpansion/Records/Record.swift"


def branches(text):
    """Yields the range and the condition of each branch for Apple systems, which begins with the condition."""
    open_branches = []
    for line in DIRECTIVE.finditer(text):
        word, condition = line[1], line[2].strip()
        if word not in ("if", "ifdef", "ifndef"):
            start, opened = open_branches.pop()
            if APPLE.search(opened):
                yield range(start, line.start()), opened
        if word != "endif":
            open_branches.append((line.start(), condition))


def is_mutable(text):
    """Returns whether a branch contains more than comments and imports."""
    code = re.sub(r"//.*|^ *#\s*(?:if|elif|elseif|else).*|^ *(#\s*include|(?:\w+ )?import) .*", "", text, flags=re.M)
    return bool(code.strip())


def mutations(script):
    """Yields the file and the pattern of each mutation in a script."""
    with open(script, encoding="utf-8") as file:
        text = re.sub(r"\\\n", " ", file.read())
    variables = {}
    for line in text.splitlines():
        if assignment := re.match(r" *(?:local )?(\w+)=(Sources/\S+)$", line):
            variables[assignment[1]] = assignment[2]
        elif re.match(r" *(\w+=\w+ )?(mutant|detects|rejects) ", line):
            words = shlex.split(re.sub(r"\$(\w+)", lambda name: variables.get(name[1], name[0]), line))
            if "same_with_plugin" in words:
                yield EXPANSIONS, words[words.index("same_with_plugin") + 1]
            for word, pattern in zip(words, words[1:]):
                if word.startswith("Sources/"):
                    yield word, pattern


def main():
    root, exceptions, *scripts = sys.argv[1:]
    listed, folders = set(), ()
    with open(exceptions, encoding="utf-8") as file:
        for line in file:
            kind, _, rest = line.partition(" ")
            if kind == "code":
                listed.add(rest.split()[0])
            elif kind == "folder":
                folders += (rest.split()[0] + "/",)
    patterns, used = {}, set()
    for script in scripts:
        for path, pattern in mutations(script):
            patterns.setdefault(path, []).append(pattern)
    missing = count = 0
    for folder, _, names in sorted(os.walk(os.path.join(root, "Sources"))):
        for name in sorted(names):
            path = os.path.relpath(os.path.join(folder, name), root)
            if not name.endswith((".swift", ".c", ".h", ".m")):
                continue
            with open(os.path.join(root, path), encoding="utf-8") as file:
                text = file.read()
            for branch, condition in branches(text):
                lines = text[branch.start:branch.stop]
                owner = path if path in listed else next((each for each in folders if path.startswith(each)), None)
                if owner:
                    used.add(owner)
                    continue
                if not is_mutable(lines):
                    continue
                count += 1
                matches = (
                    match for pattern in patterns.get(path, []) for match in re.finditer(pattern, text, re.M))
                if not any(match.start() < branch.stop and match.end() > branch.start for match in matches):
                    number = text.count("\n", 0, branch.start + 1) + 1
                    print(f"{path}:{number}: no mutation changes '{condition}'; add one, or list the file in exceptions")
                    missing += 1
    for each in sorted((listed | set(folders)) - used):
        print(f"{each} is listed, but contains no code for Apple systems")
        missing += 1
    if not count:
        print("no branch was found")
    return 0 if count and not missing else 1


sys.exit(main())
