"""Checks that what pages name in code font, and what they link to, exists.

    python3 Tests/Harness/Documentation/names.py [PAGE…]

- A member of a public type, such as `ModuleManager.start(launch:)`, is in Documentation/API.
- Argument labels, such as `createService(for:named:)`, belong to a function or macro there.
- Other names occur in the sources, in a code block, or in the file foreign-names beside this script.
- A hyphenated name is a diagnostic, or occurs in the sources, as every option does. Commands and options
  of `registry-tool` are in its help, and links to Diagnostics.md name a code.
- A name like `startup.1000` is a row of the benchmarks.
- Files and headings that links name exist.

In the tables of migration pages, only the last column names what this package has. Pages for
contributors name internal members, so the first two rules do not apply there.
"""

import glob
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../.."))
import pages

GLOBS = ["README*.md", "Documentation/**/*.md", "Benchmarks/*.md", "Tests/*.md"]
ALL = sorted({path for each in GLOBS for path in glob.glob(each, recursive=True)})
SOURCES = ["Sources", "Plugins", "Examples", "Benchmarks", "Tests", ".ci", "Package.swift"]
ENDINGS = (".swift", ".c", ".h", ".m", ".py", ".txt", "")
TOOL_HELP = "".join(map(pages.read, sorted(glob.glob("Sources/registry-tool/*.swift"))))
COMMANDS = {"help", *re.findall(r'\bCommand\(\s*name: "([a-z]+)"', TOOL_HELP)}


def texts():
    files = subprocess.run(["git", "ls-files", *SOURCES], capture_output=True, text=True, check=True).stdout
    for path in files.splitlines():
        if os.path.isfile(path) and os.path.splitext(path)[1] in ENDINGS:
            with open(path, encoding="utf-8", errors="replace") as file:
                yield f"{path}\n{file.read()}"


def public_paths():
    """Returns the paths in Documentation/API, such as `Router.open(_:origin:)`."""
    lines = [line for path in glob.glob("Documentation/API/*.txt") for line in pages.read(path).splitlines()]
    return {line.split("  ")[0] for line in lines if line and not line.startswith("#")}


def anchors(path):
    headings = re.findall(r"^#+ +(.*)$", pages.prose(path), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def words(text):
    return set(re.findall(r"[A-Za-z_]\w*", text))


def labels(name):
    """Returns the base name and the labels of a name such as `open(_:origin:)`; the labels are None without any."""
    match = re.fullmatch(r"(\w+)\(((?:\w+:)*)\)", name)
    return (match[1], match[2] or None) if match else (name, None)


def shortens(shown):
    """Returns a function that returns whether labels contain the given ones in their order."""
    return re.compile("(?:\\w+:)*".join(map(re.escape, ["", *re.findall(r"\w+:", shown), ""]))).fullmatch


PATHS = public_paths()
TYPES = {path.split(".")[0] for path in PATHS if re.match(r"[A-Z]", path)}
MEMBERS = {".".join([*path.split(".")[:-1], labels(path.split(".")[-1])[0]]) for path in PATHS}
BASES = {}
for path in PATHS:
    *types, (name, shown) = *path.split(".")[:-1], labels(path.split(".")[-1])
    for base in [name, *(types[-1:] if name == "init" else [])]:
        BASES.setdefault(base, set()).add(shown or "")
FOREIGN = pages.read("Tests/Harness/Documentation/foreign-names")
FOREIGN = set(FOREIGN.split("\n")) | words(FOREIGN)
BLOCKS = [block for page in ALL for block in pages.blocks(page)]
SHOWN = words("".join(block.text for block in BLOCKS if block.language in ("swift", "objc", "c")))
SOURCE = "\n".join([*texts(), *FOREIGN])
TEXT = "\n".join([SOURCE, *(block.text for block in BLOCKS)])
KNOWN = words(TEXT)
HYPHENATED = set(re.findall(r"[a-z]+(?:-[a-z]+)+", SOURCE))
OPTIONS = set(re.findall(r"--[a-z][a-z-]*", SOURCE))
CODES = {line.split(" ")[0] for line in pages.read("Documentation/DiagnosticCodes.txt").splitlines()[1:]}
HEADINGS = anchors("Documentation/Diagnostics.md")
ROWS = [re.sub(r"\\\([^)]*\)", "10", row) for row in re.findall(r'"([a-z]+(?:\.[^"\s]+)+)"', TEXT)]
INTERNAL = ["Documentation/Design.md", "Benchmarks/README.md"]
GROUPS = "service|event|startup|route|plugin|url|creation|growth|load"


def problem(span, of_others, internal):
    """Returns what is wrong with a text in code font, or None."""
    if re.fullmatch(r"[a-z]+(-[a-z]+)+", span) and span not in CODES and span not in HYPHENATED:
        return "is no diagnostic and occurs nowhere in the sources"
    for option in re.findall(r"(?<![\w-])--[a-z][a-z-]*", span):
        if option not in OPTIONS:
            return f"names the option {option}, which occurs nowhere in the sources"
    call = re.match(r"[@#.]?[A-Za-z_]\w*(?:\.\w+)*(?=[({])", span)
    names = (words(call[0]) | set(re.findall(r"(\w+):(?!:)", span)) if call else set()) - KNOWN
    if names and not of_others and not re.fullmatch(r".*\((?:\w+:)*\)", span):
        return f"names {sorted(names)[0]}, which does not exist"
    row = re.sub(r"\b(?:[A-Z]|10+)\b", r"[\\w.-]+", re.escape(span))
    if re.fullmatch(rf"(?:{GROUPS})(?:\.[\w-]+)+", span) and not any(re.fullmatch(row, each) for each in ROWS):
        return "is no row of the benchmarks"
    if not re.fullmatch(r"[@#.]?[A-Za-z_]\w*(?:\.\w+)*(?:\((?:\w+:)*\))?", span):
        return None
    path = re.sub(r"^(\w+)\.shared\.", r"\1.", span.lstrip("@#."))
    first, last = path.split(".")[0], path.split(".")[-1]
    if first in TYPES and first != path and not internal and span not in FOREIGN:
        base = ".".join([*path.split(".")[:-1], labels(last)[0]])
        if base not in MEMBERS and base.split(".")[-1] not in ("self", "Type", "swift"):
            return "is no member of the public type"
    if of_others:
        return None
    name, shown = labels(last)
    if shown and not (internal or name in BASES or span in FOREIGN or name in SHOWN or name.startswith("application")):
        return "is no public function"
    if shown and name in BASES and not internal and span not in FOREIGN and not any(map(shortens(shown), BASES[name])):
        return "has other argument labels"
    # Tests read their variables with a function that adds the prefix.
    unknown = sorted(word for word in words(path) if not {word, word.removeprefix("REGISTRY_")} & KNOWN)
    return f"names {unknown[0]}, which does not exist" if unknown else None


# Parts, so that this file does not contain the names.
for parts in (["ModuleManager.", "begin()"], ["createService", "(named:for:)"], ["NoSuch", "Name"], ["startup.", "nothing"],
              ["no-", "recordz"], ["--", "frobnicate"], ["services.lookUp", "(for:)"]):
    assert problem("".join(parts), of_others=False, internal=False), parts

found = []
for page in sys.argv[1:] or ALL:
    of_others, internal = "Migrating" in page or "/From" in page, page in INTERNAL
    for number, line in enumerate(pages.read(page).splitlines(), 1):
        where = f"{page}:{number}"
        for code in re.findall(r"Diagnostics\.md#([\w-]+)", line):
            if code not in CODES and code not in HEADINGS:
                found.append(f"{where}: '{code}' is no diagnostic")
        for command in re.findall(r"\bregistry-tool ([a-z]+)\b", line if line.startswith("registry-tool ") else ""):
            if command not in COMMANDS:
                found.append(f"{where}: registry-tool has no command {command}")
        if "registry-tool " in line:
            for option in re.findall(r"(?<![\w-])--[a-z][a-z-]*", line.split("registry-tool ", 1)[1]):
                if option not in TOOL_HELP:
                    found.append(f"{where}: registry-tool has no option {option}")
    for part in pages.parts(page):
        if isinstance(part, str):
            for line in part.splitlines():
                # The last column of a migration page names what this package has.
                start = line.rstrip("| ").rfind(" | ") if of_others and line.startswith("|") else 0
                for span in re.finditer(r"(?<!`)`([^`\n]+)`(?!`)", line):
                    if text := problem(span[1], of_others and span.start() < max(start, 1), internal):
                        found.append(f"{page}: '{span[1]}' {text}")
    for target in re.findall(r"\]\(((?![a-z]+:)[^)\s]+)\)", pages.prose(page)):
        file, _, anchor = target.partition("#")
        path = os.path.normpath(os.path.join(os.path.dirname(page), file)) if file else page
        if not os.path.exists(path) or anchor and path.endswith(".md") and anchor not in anchors(path):
            found.append(f"{page}: the link {target} leads nowhere")
pages.finish(sorted(set(found)), f"{len(sys.argv[1:] or ALL)} pages, {len(PATHS)} public names")
