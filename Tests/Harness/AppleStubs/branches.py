"""Reports the branches of `#if` that neither Linux nor any of the checked systems compiles.

    branches.py SYSTEM=MODULE,MODULE… … -- SOURCE.swift…

SYSTEM is the name that makes `os(…)` true, without a suffix that begins with a hyphen. The modules
are those for which `canImport(…)` is true.
"""

import pathlib
import re
import sys


def holds(condition, system, modules):
    """Evaluates a condition; returns None if it tests more than systems and modules."""
    text = re.sub(r"//.*", "", condition)
    text = re.sub(r"\bos\((\w+)\)", lambda match: str(match[1] == system), text)
    text = re.sub(r"\bcanImport\(([\w.]+)\)", lambda match: str(match[1] in modules), text)
    text = re.sub(r"\btargetEnvironment\(\w+\)", "False", text)
    words = text.replace("&&", " and ").replace("||", " or ").replace("!", " not ").split()
    if not re.fullmatch(r"(?:True|False|true|false|and|or|not|[()]|\s)*", " ".join(words)):
        return None
    return eval(" ".join(words).replace("true", "True").replace("false", "False"))  # Checked above.


def branches(text):
    """Yields each branch's line and its conditions: the last must hold, and the others must not."""
    stack = []
    for number, line in enumerate(text.splitlines(), 1):
        if match := re.match(r"\s*#(if|elseif|else|endif)\b(.*)", line):
            word, condition = match[1], match[2].strip()
            if word == "if":
                stack.append([])
            if word == "endif":
                stack.pop()
                continue
            stack[-1].append(condition or None)
            yield number, [list(one) for one in stack]


def is_compiled(nested, system, modules):
    for conditions in nested:
        *before, last = conditions
        if any(holds(one, system, modules) is True for one in before):
            return False
        if last is not None and holds(last, system, modules) is False:
            return False
    return True


def main():
    split = sys.argv.index("--")
    systems = []
    for argument in sys.argv[1:split]:
        name, modules = argument.split("=")
        systems.append((name.split("-")[0], set(modules.split(","))))
    failed = False
    for path in map(pathlib.Path, sys.argv[split + 1 :]):
        for number, nested in branches(path.read_text()):
            if not any(is_compiled(nested, *system) for system in systems):
                print(f"error: {path}:{number}: none of the checked systems compiles this branch")
                failed = True
    sys.exit(failed)


main()
