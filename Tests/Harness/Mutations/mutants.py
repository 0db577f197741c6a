"""Applies a mutant of the list: mutants.py SOURCES LIST (count | describe NUMBER | apply NUMBER | check)."""

import re
import sys

sources, path, command = sys.argv[1:4]


def read():
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"^#.*\n", "", file.read(), flags=re.M)
    mutants = []
    for block in re.split(r"\n\n+", text.strip("\n")):
        # A replacement may be no text, and then it is written as a line break.
        lines = block.split("\n")
        if len(lines) != 3 or " | " not in lines[0]:
            sys.exit(f"{path}: not 'what | file', a pattern and a replacement:\n{block}")
        what, file = lines[0].rsplit(" | ", 1)
        mutants.append((what, file, lines[1], lines[2]))
    return mutants


def changed(number):
    what, file, pattern, replacement = mutants[number - 1]
    with open(f"{sources}/{file}", encoding="utf-8") as source:
        text = source.read()
    result, count = re.subn(pattern, replacement, text, flags=re.M)
    if count != 1 or result == text:
        return f"{number} {what}: its pattern matches {count} times in {file}: mend it in {path}", None
    return None, (f"{sources}/{file}", result)


mutants = read()
if command == "count":
    print(len(mutants))
elif command == "check":
    problems = [problem for problem, _ in map(changed, range(1, len(mutants) + 1)) if problem]
    if problems:
        sys.exit("\n".join(problems))
else:
    number = int(sys.argv[4])
    if not 1 <= number <= len(mutants):
        sys.exit(f"there are mutants 1 to {len(mutants)}, and no {number}")
    if command == "describe":
        print(mutants[number - 1][0], "|", mutants[number - 1][1])
    else:
        problem, change = changed(number)
        if problem:
            sys.exit(problem)
        with open(change[0], "w", encoding="utf-8") as source:
            source.write(change[1])
