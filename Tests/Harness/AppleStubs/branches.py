"""Reports the branches of `#if` that no system compiles.

    branches.py SYSTEM=MODULE,MODULE… … -- FOLDER…

SYSTEM is the name that makes `os(…)` true. The modules are those for which `canImport(…)` is true.
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
    text = text.replace("&&", " and ").replace("||", " or ").replace("!", " not ").strip()
    if not re.fullmatch(r"(?:True|False|and|or|not|[()]|\s)*", text):
        return None
    return eval(text)


def branches(text):
    """Yields each branch's line and its conditions: the last must hold, and the others must not."""
    stack = []
    for number, line in enumerate(text.splitlines(), 1):
        if match := re.match(r"\s*#(if|elseif|else|endif)\b(.*)", line):
            if match[1] == "endif":
                stack.pop()
                continue
            if match[1] == "if":
                stack.append([])
            stack[-1].append(match[2] if match[1] != "else" else "True")
            yield number, [list(conditions) for conditions in stack]


def is_compiled(nested, system, modules):
    return all(
        holds(last, system, modules) is not False and not any(holds(one, system, modules) for one in before)
        for *before, last in nested
    )


split = sys.argv.index("--")
systems = [(name, modules.split(",")) for name, modules in (one.split("=") for one in sys.argv[1:split])]
failed = False
for path in sorted(path for folder in sys.argv[split + 1 :] for path in pathlib.Path(folder).rglob("*.swift")):
    for number, nested in branches(path.read_text()):
        if not any(is_compiled(nested, *system) for system in systems):
            print(f"error: {path}:{number}: none of the checked systems compiles this branch")
            failed = True
sys.exit(failed)
