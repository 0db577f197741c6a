"""Checks that the selectors that a file lists or spells exist in the frameworks' stand-ins.

    selectors.py METHODS LIST…       lines of LIST: a class or protocol, a selector, and optionally
                                     a type encoding
    selectors.py METHODS SOURCE.swift…

METHODS is a folder that holds clang's output for the headers of each system: NAME.ll, which is code
that names every protocol, and NAME.ast. The compiler writes the type encodings that a device's
runtime uses.
"""

import pathlib
import re
import sys

# The encoding, without offsets, of the methods that each function of MethodHook can replace.
SHAPES = {
    "void1": "v@:@",
    "void2": "v@:@@",
    "void3": "v@:@@@",
    "bool2": "B@:@@",
    "bool3": "B@:@@@",
    "object1": "@@:@",
    "awaited": "v@:@@@?",
}

# The protocols, by their case of DelegateMethod.
ROLES = {
    "application": "UIApplicationDelegate",
    "scene": "UIWindowSceneDelegate",
    "notificationCenter": "UNUserNotificationCenterDelegate",
    "desktopApplication": "NSApplicationDelegate",
    "watchApplication": "WKApplicationDelegate",
}


class Methods:
    """The methods of classes and protocols, with their encodings if those are known."""

    def __init__(self, folder):
        self.types = {}
        for path in sorted(pathlib.Path(folder).glob("*.ast")):
            self.read_declarations(path.read_text())
        for path in sorted(pathlib.Path(folder).glob("*.ll")):
            self.read_protocols(path.read_text())
        if not any(self.types.values()):
            sys.exit(f"error: no methods in {folder}")

    def read_declarations(self, text):
        current, is_category, parents = {}, False, {}
        for line in text.splitlines():
            if match := re.match(r"^[|`]-ObjC(Interface|Protocol)Decl .* (\w+)$", line):
                current, is_category, name = self.types.setdefault(match[2], {}), False, match[2]
            elif match := re.match(r"^[| ] [|`]-super ObjCInterface 0x\w+ '(\w+)'$", line):
                parents[name] = match[1]
            elif match := re.match(r"^[|`]-(ObjCCategoryDecl)?", line):
                current, is_category = {}, match[1] is not None
            elif is_category and (match := re.match(r"^[| ] [|`]-ObjCInterface 0x\w+ '(\w+)'$", line)):
                # The class that the category extends.
                current, is_category = self.types.setdefault(match[1], {}), False
            elif match := re.search(r"ObjCMethodDecl .* [-+] (\S+) '", line):
                current.setdefault(match[1], None)
        for name, parent in parents.items():
            while parent:
                self.types[name] = {**self.types.get(parent, {}), **self.types[name]}
                parent = parents.get(parent)

    def read_protocols(self, text):
        strings = dict(re.findall(r'^@(OBJC_METH_VAR_(?:NAME|TYPE)_[.\d]*) = .* c"(.*?)\\00"', text, re.M))
        for name, methods in re.findall(
            r'^@"_OBJC_\$_PROTOCOL_(?:INSTANCE|CLASS)_METHODS_(?:OPT_)?(\w+)" = (.*)$', text, re.M
        ):
            found = self.types.setdefault(name, {})
            for selector, types in re.findall(
                r"_objc_method \{ ptr @(OBJC_METH_VAR_NAME_[.\d]*), ptr @(OBJC_METH_VAR_TYPE_[.\d]*)", methods
            ):
                found[strings[selector]] = re.sub(r"\d+", "", strings[types])
        for name, parents in re.findall(r'^@"_OBJC_\$_PROTOCOL_REFS_(\w+)" = (.*)$', text, re.M):
            for parent in re.findall(r'@"_OBJC_PROTOCOL_\$_(\w+)"', parents):
                self.types[name] = {**self.types.get(parent, {}), **self.types.get(name, {})}

    def problem(self, name, selector, encoding=None):
        """Returns the problem with a method of a class or protocol, or None."""
        if name not in self.types:
            return f"there is no {name}"
        if selector not in self.types[name]:
            near = [other for other in self.types[name] if other.lower() == selector.lower()]
            return f"{name} has no method {selector}" + (f"; did you mean {near[0]}?" if near else "")
        known = self.types[name][selector]
        if encoding and known is None:
            return f"the encoding of {selector} is unknown, because {name} is a class"
        if encoding and re.sub(r"\d+", "", encoding) != known:
            return f"{name} declares {selector} with the encoding {known}, not {encoding}"
        return None

    def encodings(self, selector, is_end=False):
        """Returns the known encodings of a selector, or of all selectors with this ending."""
        return {
            encoding
            for methods in self.types.values()
            for name, encoding in methods.items()
            if name == selector or is_end and name.endswith(selector)
        }


def check_list(methods, path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        fields = line.split()
        if not fields or fields[0].startswith("#"):
            continue
        if len(fields) not in (2, 3):
            yield f"{path}:{number}: expected a class or protocol, a selector, and optionally an encoding"
        elif problem := methods.problem(*fields):
            yield f"{path}:{number}: {problem}"


def own_selectors():
    """Returns the selectors that the package itself declares for Objective-C."""
    own = set()
    for path in pathlib.Path("Sources/AppHost").rglob("*.swift"):
        text = path.read_text()
        own |= set(re.findall(r"@objc\((\w+:[\w:]*)\)", text))
        own |= {f"{name}:" for name in re.findall(r"@objc optional func (\w+)\(_ \w+: \w+\)", text)}
    return own


def check_swift(methods, path):
    text = path.read_text()

    def place(match):
        return f"{path}:{text.count(chr(10), 0, match.start()) + 1}"

    # This expression finds every literal that looks like a selector.
    for match in re.finditer(r'(hasSuffix\()?"((?:[A-Za-z]\w*:)+)"', text):
        if match[2] not in own_selectors() and not methods.encodings(match[2], bool(match[1])):
            yield f"{place(match)}: no class or protocol has a method {match[2]}"
    # This expression finds the entries of the delegate methods' table.
    for match in re.finditer(r'\.(' + "|".join(ROLES) + r')\(\s*"([\w:]+)"', text):
        problem = methods.problem(ROLES[match[1]], match[2])
        if problem:
            yield f"{place(match)}: {problem}"
    # A function that replaces a method must have the method's encoding.
    for match in re.finditer(
        r'(?:case |selector == |wrap\()"([\w:]+)"(?:(?!case |selector ==|wrap\(|\n\n)[\s\S]){0,120}?hook\.(\w+)', text
    ):
        if match[2] not in SHAPES:
            yield f"{place(match)}: the encoding of hook.{match[2]} is unknown; add it to SHAPES"
            continue
        shape, encodings = SHAPES[match[2]], methods.encodings(match[1]) - {None}
        # A block is an object, but a function that awaits a block needs a block.
        fits = {encoding if shape.endswith("@?") else encoding.replace("@?", "@") for encoding in encodings}
        if encodings and fits != {shape}:
            known = " or ".join(encodings)
            yield f"{place(match)}: hook.{match[2]} has the encoding {shape}, and {match[1]} has {known}"


def main():
    methods = Methods(sys.argv[1])
    problems = []
    for path in map(pathlib.Path, sys.argv[2:]):
        problems += (check_swift if path.suffix == ".swift" else check_list)(methods, path)
    for problem in problems:
        print(f"error: {problem}")
    sys.exit(1 if problems else 0)


main()
