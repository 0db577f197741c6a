"""Checks that the selectors that the package spells as text exist in the frameworks' stand-ins.

    spelled_selectors.py [FILE…]     the files of AppHost, or these instead

For each system, clang compiles code that names every protocol. The output has the type encodings
that a device's runtime uses.
"""

import pathlib
import re
import subprocess
import sys

MODULES = pathlib.Path("Tests/Harness/AppleStubs/Modules")
SYSTEMS = {
    "iOS": ("arm64-apple-ios15.0", "UIKit"),
    "macOS": ("arm64-apple-macos13.0", "AppKit"),
    "watchOS": ("arm64-apple-watchos9.0", "WatchKit"),
}
# The encodings, without offsets, of the methods that hooks can replace.
SHAPES = re.compile(r"v@:(@\??){1,3}|B@:(@\??){2,3}|@@:@")
# The protocols, by their labels in SystemEvent.from.
ROLES = {
    "apps": ("UIApplicationDelegate", "NSApplicationDelegate"),
    "uiKit": ("UIApplicationDelegate",),
    "appKit": ("NSApplicationDelegate",),
    "watchKit": ("WKApplicationDelegate",),
    "scene": ("UIWindowSceneDelegate",),
    "center": ("UNUserNotificationCenterDelegate",),
}


def clang(system, *options):
    """Returns clang's output for code that names the protocols of a system."""
    target, framework = SYSTEMS[system]
    headers = "\n".join(path.read_text() for name in (framework, "UserNotifications") for path in (MODULES / name).glob("*.h"))
    source = f"#include <{framework}/{framework}.h>\n#include <UserNotifications/UserNotifications.h>\n" + "\n".join(
        f"void *use_{name}(void) {{ return (__bridge void *)@protocol({name}); }}"
        for name in re.findall(r"^@protocol (\w+) <", headers, re.M))
    command = ["clang", "-x", "objective-c", "-target", target, "-nostdlibinc", "-fblocks", "-fobjc-arc", "-Wall",
               "-Wno-pragma-clang-attribute", "-Werror", f"-DSTAND_IN_{system}=1", "-I", MODULES, *options, "-"]
    result = subprocess.run(command, input=source, capture_output=True, text=True)
    return result.stdout if result.returncode == 0 else sys.exit(result.stderr)


def read_protocols(text, protocols):
    """Adds each protocol's selectors with their encodings, from LLVM's representation of the code."""
    strings = dict(re.findall(r'^@(OBJC_METH_VAR_(?:NAME|TYPE)_[.\d]*) = .* c"(.*?)\\00"', text, re.M))
    for name, methods in re.findall(
        r'^@"_OBJC_\$_PROTOCOL_(?:INSTANCE|CLASS)_METHODS_(?:OPT_)?(\w+)" = (.*)$', text, re.M
    ):
        for selector, types in re.findall(
            r"_objc_method \{ ptr @(OBJC_METH_VAR_NAME_[.\d]*), ptr @(OBJC_METH_VAR_TYPE_[.\d]*)", methods
        ):
            protocols.setdefault(name, {})[strings[selector]] = re.sub(r"\d+", "", strings[types])
    for name, parents in re.findall(r'^@"_OBJC_\$_PROTOCOL_REFS_(\w+)" = (.*)$', text, re.M):
        for parent in re.findall(r'@"_OBJC_PROTOCOL_\$_(\w+)"', parents):
            protocols[name] = {**protocols.get(parent, {}), **protocols.get(name, {})}


def own_selectors():
    """Returns the selectors that the package itself declares for Objective-C."""
    text = "\n".join(path.read_text() for path in pathlib.Path("Sources/AppHost").rglob("*.swift"))
    optional = re.findall(r"@objc optional func (\w+)\(_ \w+: \w+\)", text)
    return {*re.findall(r"@objc\((\w+:[\w:]*)\)", text), *(f"{name}:" for name in optional)}


def problems(text, protocols, known):
    """Yields the offset and the text of each problem in a Swift file."""
    # This expression finds every literal that looks like a selector.
    for match in re.finditer(r'(hasSuffix\()?"((?:[A-Za-z]\w*:)+)"', text):
        if match[2] not in known and not (match[1] and any(one.endswith(match[2]) for one in known)):
            yield match.start(), f"no class or protocol has a method {match[2]}"
    # This expression finds the selectors of the catalog of events.
    for match in re.finditer(r'\b(' + "|".join(ROLES) + r'): "([\w:]+)"', text):
        for protocol in ROLES[match[1]]:
            encoding = protocols[protocol].get(match[2])
            if encoding is None:
                yield match.start(), f"{protocol} has no method {match[2]}"
            elif match[1] != "watchKit" and not SHAPES.fullmatch(encoding):
                yield match.start(), f"hooks cannot replace {match[2]}, whose encoding is {encoding}"


protocols, known = {}, own_selectors()
for system in SYSTEMS:
    read_protocols(clang(system, "-S", "-emit-llvm", "-o", "-"), protocols)
    declarations = clang(system, "-fsyntax-only", "-Xclang", "-ast-dump", "-fno-color-diagnostics")
    known |= set(re.findall(r"ObjCMethodDecl .* [-+] (\S+) '", declarations))
failed = False
for path in map(pathlib.Path, sys.argv[1:] or sorted(pathlib.Path("Sources/AppHost").rglob("*.swift"))):
    text = path.read_text()
    for offset, problem in problems(text, protocols, known):
        print(f"{path}:{text.count(chr(10), 0, offset) + 1}: error: {problem}")
        failed = True
sys.exit(failed)
