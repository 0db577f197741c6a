"""Reports which lines ran, and checks the explanations: judge.py ROOT LCOV EXPLANATIONS."""

import collections
import os
import re
import sys

ROOT, LCOV, EXPLANATIONS = sys.argv[1:]


def lines_of(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return [line.strip() for line in file.read().split("\n")]


def measured():
    """Returns for each file the lines that contain code, and how often each one ran.

    A line with only brackets, a comment, or a preprocessor condition belongs to the line before it.
    """
    counts = {}
    for line in open(LCOV, encoding="utf-8"):
        if line.startswith("SF:"):
            path = os.path.relpath(line[3:].strip(), ROOT)
            text = lines_of(path)
            counts[path] = {}
        elif line.startswith("DA:"):
            number, count = (int(field) for field in line[3:].split(",")[:2])
            if re.search(r"\w", text[number - 1]) and not re.match(r"#\s*(if|el|endif)|//|/\*|\*[ /]", text[number - 1]):
                # The data lists a function in a header once for each file that includes it.
                counts[path][number] = counts[path].get(number, 0) + count
    return counts


class Explanations:
    """The contents of `unreached`: the lines that never run, and those that run only sometimes."""

    def __init__(self):
        self.never = collections.Counter()
        self.sometimes = set()
        self.elsewhere = {}
        path, is_sometimes = None, False
        for number, line in enumerate(open(EXPLANATIONS, encoding="utf-8"), 1):
            line = line.rstrip("\n")
            if not line or line.startswith("#"):
                continue
            if line.startswith(" "):
                if not path:
                    sys.exit(f"{EXPLANATIONS}:{number}: a line of source precedes the first file")
                if is_sometimes:
                    self.sometimes.add((path, line.strip()))
                else:
                    self.never[path, line.strip()] += 1
                continue
            match = re.fullmatch(r"(\S+): (sometimes: |elsewhere: )?(\S.*)", line)
            if not match:
                sys.exit(f"{EXPLANATIONS}:{number}: expected 'file: reason' or an indented line of source")
            path, is_sometimes = match[1], match[2] == "sometimes: "
            if match[2] == "elsewhere: ":
                self.elsewhere[path] = match[3]
                path = None


def table(counts, elsewhere):
    print(f"{'lines':>7} {'run':>6} {'%':>6}")
    targets = collections.defaultdict(lambda: [0, 0])
    for path in sorted(counts):
        total, run = len(counts[path]), sum(1 for count in counts[path].values() if count)
        for name in (path.split("/")[1], "all of Sources"):
            targets[name][0] += total
            targets[name][1] += run
        if total:
            print(f"{total:7} {run:6} {100 * run / total:6.1f}  {path}")
    for path, reason in sorted(elsewhere.items()):
        print(f"{'-':>7} {'-':>6} {'-':>6}  {path}: {reason}")
    print()
    for name, (total, run) in sorted(targets.items(), key=lambda item: (item[0] == "all of Sources", item[0])):
        print(f"{total:7} {run:6} {100 * run / total:6.1f}  {name}")
    print()


def main():
    counts, explained = measured(), Explanations()
    complaints = []
    table(counts, explained.elsewhere)

    sources = [
        os.path.relpath(os.path.join(folder, name), ROOT)
        for folder, _, names in os.walk(os.path.join(ROOT, "Sources"))
        for name in names
        if name.endswith((".swift", ".c", ".h"))
    ]
    for path in sorted(sources):
        if path not in counts and path not in explained.elsewhere:
            complaints.append(f"{path}: the file was not measured; add the reason to {EXPLANATIONS}, with 'elsewhere:'")
    for path in explained.elsewhere:
        if path in counts or path not in sources:
            complaints.append(f"{path}: {EXPLANATIONS} lists it as 'elsewhere:', but it is measured or missing")

    print("Lines that no test ran (! marks those without an explanation):")
    unrun, never = 0, explained.never.copy()
    for path in sorted(counts):
        text = lines_of(path)
        for number, count in sorted(counts[path].items()):
            if count:
                continue
            key = (path, text[number - 1])
            if never[key] > 0:
                never[key] -= 1
                mark = " "
            elif key in explained.sometimes:
                mark = "~"
            else:
                mark = "!"
                complaints.append(f"{path}:{number}: no test runs this line; test it, or explain it in {EXPLANATIONS}")
            unrun += 1
            print(f"{mark} {path}:{number}: {text[number - 1]}")
    print(f"{unrun} lines; ~ marks those that only some runs reach\n")

    for (path, line), left in sorted(never.items()):
        if left > 0:
            complaints.append(f"{path}: {EXPLANATIONS} explains a line that is run or missing: {line}")
    for path, line in sorted(explained.sometimes):
        if path not in counts or line not in lines_of(path):
            complaints.append(f"{path}: {EXPLANATIONS} explains a line that is missing: {line}")
    for complaint in complaints:
        print(f"error: {complaint}")
    sys.exit(1 if complaints else 0)


main()
