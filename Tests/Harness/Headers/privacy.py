"""Checks that the privacy manifest declares the required-reason API that the libraries use on Apple systems.

    python3 Tests/Harness/Headers/privacy.py SYMBOLS

SYMBOLS is a file with the undefined symbols of the C target on Apple systems, which check-darwin
writes. Swift files are read as text without comments, because code for Apple systems cannot be
generated here. The names and reasons are those of Apple's article "Describing use of required
reason API".
"""

import json
import pathlib
import plistlib
import re
import subprocess
import sys
import tempfile

MANIFEST = "Resources/PrivacyInfo.xcprivacy"
TARGET = "RegistryC"
ATTRIBUTES = "getattrlist fgetattrlist getattrlistat "
# The names and the reasons of each category, in Swift and in Objective-C.
CATEGORIES = {
    "FileTimestamp": (
        ATTRIBUTES + "getattrlistbulk stat fstat fstatat lstat creationDate modificationDate fileModificationDate"
        " contentModificationDate contentModificationDateKey creationDateKey NSFileCreationDate NSFileModificationDate"
        " NSURLContentModificationDateKey NSURLCreationDateKey",
        "DDA9.1 C617.1 3B52.1 0A2A.1"),
    "SystemBootTime": ("systemUptime mach_absolute_time", "35F9.1 8FFB.1 3D61.1"),
    "DiskSpace": (
        ATTRIBUTES + "statfs statvfs fstatfs fstatvfs systemFreeSize systemSize volumeTotalCapacity"
        " volumeTotalCapacityKey volumeAvailableCapacity volumeAvailableCapacityKey"
        " volumeAvailableCapacityForImportantUsage volumeAvailableCapacityForImportantUsageKey"
        " volumeAvailableCapacityForOpportunisticUsage volumeAvailableCapacityForOpportunisticUsageKey"
        " NSFileSystemFreeSize NSFileSystemSize",
        "85F4.1 E174.1 7D9E.1 B728.1"),
    "ActiveKeyboards": ("activeInputModes", "3EC4.1 54BD.1"),
    "UserDefaults": ("UserDefaults NSUserDefaults AppStorage", "CA92.1 1C8F.1 C56D.1 AC6B.1"),
}
COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
# What the manifest says about tracking and collected data.
NOTHING = {"NSPrivacyTracking": False, "NSPrivacyTrackingDomains": [], "NSPrivacyCollectedDataTypes": []}


def names_in_swift(text):
    """Returns the identifiers of a Swift file, also those in strings, which can be keys."""
    code = COMMENT.sub(lambda match: match[0] if match[0].startswith('"') else " ", text)
    return set(re.findall(r"[A-Za-z_]\w*", code))


def package(is_apple):
    """Returns the package as Package.swift describes it on an Apple system or on another one."""
    text, condition = pathlib.Path("Package.swift").read_text(), "#if canImport(Darwin)\n"
    assert text.count(condition) == 1, "Package.swift does not have one condition on Darwin"
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "Package.swift").write_text(
            text.replace(condition, "#if true\n" if is_apple else "#if false\n"))
        return json.loads(subprocess.check_output(["swift", "package", "--package-path", folder, "dump-package"]))


def closure(dump, names):
    """Returns the targets that are linked into an app with these targets. Macros are not."""
    targets = {target["name"]: target for target in dump["targets"]}
    found, waiting = set(), list(names)
    while waiting:
        name = waiting.pop()
        if name not in found and targets[name]["type"] != "macro":
            found.add(name)
            waiting += [next(iter(dependency.values()))[0] for dependency in targets[name]["dependencies"]]
    return found


def package_problems(apple, other, libraries):
    for dump, expected in (apple, {(TARGET, MANIFEST)}), (other, set()):
        found = {(target["name"], resource["path"]) for target in dump["targets"] for resource in target["resources"]}
        if found != expected:
            yield f"the resources are {found} instead of {expected}"
    for product in libraries:
        if TARGET not in closure(apple, product["targets"]):
            yield f"the library {product['name']} does not contain the manifest"
    # SwiftPM generates an accessor that imports Foundation for a target with one of these files.
    for path in pathlib.Path("Sources", TARGET).rglob("*"):
        if path.suffix in (".swift", ".m", ".mm"):
            yield f"{path} is not in C"


def manifest_problems(manifest, uses):
    """Yields the differences between a manifest and the uses, which are pairs of a file and a name."""
    if any(manifest.get(key) != value for key, value in NOTHING.items()):
        yield f"the manifest does not state {NOTHING}"
    declared = {
        entry["NSPrivacyAccessedAPIType"].removeprefix("NSPrivacyAccessedAPICategory"): entry["NSPrivacyAccessedAPITypeReasons"]
        for entry in manifest.get("NSPrivacyAccessedAPITypes", [])}
    for category, reasons in declared.items():
        names, known = map(str.split, CATEGORIES.get(category, ("", "")))
        if not reasons or not set(reasons) <= set(known):
            yield f"{category} is not a category, or it has no reason, or one of another category: {reasons}"
        if not any(name in names for _, name in uses):
            yield f"the manifest declares {category}, which nothing uses"
    for place, name in sorted(uses):
        categories = {category for category, (names, _) in CATEGORIES.items() if name in names.split()}
        if categories and not categories & set(declared):
            yield f"{place} uses {name}, but the manifest does not declare {' or '.join(sorted(categories))}"


apple, other = package(True), package(False)
libraries = [product for product in apple["products"] if "library" in product["type"]]
# A symbol such as `_stat$INODE64` has the name `stat` in C.
symbols = pathlib.Path(sys.argv[1]).read_text().split()
uses = {(TARGET, symbol.removeprefix("_").partition("$")[0]) for symbol in symbols}
assert (TARGET, "clock_gettime") in uses, f"{sys.argv[1]} is not the list of symbols"
for target in closure(apple, [name for product in libraries for name in product["targets"]]):
    for path in pathlib.Path("Sources", target).rglob("*.swift"):
        uses |= {(str(path), name) for name in names_in_swift(path.read_text())}
manifest = plistlib.loads(pathlib.Path("Sources", TARGET, MANIFEST).read_bytes())
problems = [*package_problems(apple, other, libraries), *manifest_problems(manifest, uses)]
print("FAILED  privacy manifest" if problems else "ok      privacy manifest", *problems, sep="\n        ")
sys.exit(bool(problems))
