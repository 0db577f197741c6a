"""Which branches of `#if` no system that is checked, and not Linux either, compiles: what is written there is checked by nobody.

    branches.py SYSTEM=MODULE,MODULE… … -- SOURCE.swift…

A system is what `os(…)` answers to, up to a hyphen, and its modules what `canImport(…)` does.
"""

import pathlib
import re
import sys


def holds(condition, system, modules):
    """Whether a condition holds; None if it asks for something else than systems and modules."""
    text = re.sub(r"//.*", "", condition)
    text = re.sub(r"\bos\((\w+)\)", lambda match: str(match[1] == system), text)
    text = re.sub(r"\bcanImport\(([\w.]+)\)", lambda match: str(match[1] in modules), text)
    text = re.sub(r"\btargetEnvironment\(\w+\)", "False", text)
    words = text.replace("&&", " and ").replace("||", " or ").replace("!", " not ").split()
    if not re.fullmatch(r"(?:True|False|true|false|and|or|not|[()]|\s)*", " ".join(words)):
        return None
    return eval(" ".join(words).replace("true", "True").replace("false", "False"))  # Nothing but those words.


def branches(text):
    """Each branch's line, and the conditions that must hold and must not."""
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
                print(f"error: {path}:{number}: no system that is checked compiles this branch")
                failed = True
    sys.exit(failed)


main()
