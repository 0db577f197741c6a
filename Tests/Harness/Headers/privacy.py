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
PREFIX = "NSPrivacyAccessedAPICategory"
COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/', re.DOTALL)


def categories(name):
    return {category for category, (names, _) in CATEGORIES.items() if name in names.split()}


def names_in_swift(text):
    """Returns the identifiers of a Swift file, also those in strings, which can be keys."""
    code = COMMENT.sub(lambda match: match[0] if match[0].startswith('"') else " ", text)
    return set(re.findall(r"[A-Za-z_]\w*", code))


def names_in_symbols(text):
    """Returns the names in C of symbols such as `_stat$INODE64`."""
    return {line.strip().removeprefix("_").partition("$")[0] for line in text.splitlines()}


def declared(manifest, problems):
    """Returns the declared categories with their reasons."""
    expected = {"NSPrivacyTracking": False, "NSPrivacyTrackingDomains": [], "NSPrivacyCollectedDataTypes": []}
    for key, value in expected.items():
        if manifest.get(key) != value:
            problems.append(f"{key} is {manifest.get(key)!r} instead of {value!r}")
    result = {}
    for entry in manifest.get("NSPrivacyAccessedAPITypes", ["nothing"]):
        category = entry["NSPrivacyAccessedAPIType"].removeprefix(PREFIX) if isinstance(entry, dict) else entry
        if category not in CATEGORIES or category in result:
            problems.append(f"{category} is not a category, or it is declared twice")
            continue
        result[category] = entry.get("NSPrivacyAccessedAPITypeReasons", [])
        if not result[category] or not set(result[category]) <= set(CATEGORIES[category][1].split()):
            problems.append(f"{category} has no reason, or one of another category: {result[category]}")
    return result


def problems_of(manifest, uses):
    """Returns the differences between a manifest and the uses, which are pairs of a place and a name."""
    problems = []
    known = declared(manifest, problems)
    for place, name in sorted(uses):
        if categories(name) and not categories(name) & set(known):
            problems.append(f"{place} uses {name}, but the manifest does not declare {' or '.join(categories(name))}")
    used = set().union(*(categories(name) for _, name in uses))
    problems += [f"the manifest declares {category}, which nothing uses" for category in known if category not in used]
    return problems


def package(is_apple):
    """Returns the package as Package.swift describes it on an Apple system or on another one."""
    text = pathlib.Path("Package.swift").read_text()
    condition = "#if canImport(Darwin)\n"
    if text.count(condition) != 1:
        sys.exit("error: Package.swift does not have one condition on Darwin")
    with tempfile.TemporaryDirectory() as folder:
        text = text.replace(condition, "#if true\n" if is_apple else "#if false\n")
        pathlib.Path(folder, "Package.swift").write_text(text)
        return json.loads(subprocess.check_output(["swift", "package", "--package-path", folder, "dump-package"]))


def closure(dump, names):
    """Returns the targets that are linked into an app with these targets. Macros are not."""
    targets = {target["name"]: target for target in dump["targets"]}
    found, open_names = set(), list(names)
    while open_names:
        name = open_names.pop()
        if name not in found and targets[name]["type"] != "macro":
            found.add(name)
            open_names += [next(iter(dependency.values()))[0] for dependency in targets[name]["dependencies"]]
    return found


def resources(dump):
    return {(target["name"], resource["path"]) for target in dump["targets"] for resource in target["resources"]}


failed = False


def check(name, problems):
    global failed
    print(f"{'FAILED' if problems else 'ok    '}  {name}")
    for problem in problems:
        print(f"        {problem}")
    failed = failed or bool(problems)


apple, other = package(True), package(False)
libraries = [product for product in apple["products"] if "library" in product["type"]]
check(
    "privacy manifest: it is a resource on Apple systems only",
    [f"{resources(apple)} instead of {(TARGET, MANIFEST)}"] * (resources(apple) != {(TARGET, MANIFEST)})
    + [f"{resources(other)} are resources on other systems"] * bool(resources(other)))
check(
    "privacy manifest: every library contains it",
    [f"{product['name']} does not" for product in libraries if TARGET not in closure(apple, product["targets"])])
# SwiftPM generates an accessor that imports Foundation for a target with one of these files.
check(
    "privacy manifest: its target is in C",
    [f"{path} is not" for path in pathlib.Path("Sources", TARGET).rglob("*") if path.suffix in (".swift", ".m", ".mm")])

manifest = plistlib.loads(pathlib.Path("Sources", TARGET, MANIFEST).read_bytes())
calls = {(TARGET, name) for name in names_in_symbols(pathlib.Path(sys.argv[1]).read_text())}
if (TARGET, "clock_gettime") not in calls:
    sys.exit(f"error: {sys.argv[1]} is not the list of symbols, because it lacks clock_gettime")
uses = set(calls)
for target in closure(apple, [name for product in libraries for name in product["targets"]]):
    for path in pathlib.Path("Sources", target).rglob("*.swift"):
        uses |= {(str(path), name) for name in names_in_swift(path.read_text())}
check("privacy manifest: it declares what the libraries use", problems_of(manifest, uses))


# What the comparison must detect.
def declaring(category, *reasons):
    entry = {"NSPrivacyAccessedAPIType": PREFIX + category, "NSPrivacyAccessedAPITypeReasons": list(reasons)}
    return manifest | {"NSPrivacyAccessedAPITypes": [entry]}


swift = names_in_swift("let boot = ProcessInfo.processInfo.systemUptime  // UserDefaults, lstat\n/* activeInputModes */")
boot = {("A.swift", name) for name in swift}
expected = {
    "a use that is not declared": (
        problems_of(manifest, boot), ["A.swift uses systemUptime, but the manifest does not declare SystemBootTime"]),
    "a declared use": (problems_of(declaring("SystemBootTime", "35F9.1"), boot), []),
    "a key in a string": (
        problems_of(manifest, {("A.swift", name) for name in names_in_swift('"http://a" + "NSFileCreationDate"')}),
        ["A.swift uses NSFileCreationDate, but the manifest does not declare FileTimestamp"]),
    "a call of the C target": (
        problems_of(manifest, {(TARGET, name) for name in names_in_symbols("_fstat$INODE64\n_dlopen\n")}),
        ["RegistryC uses fstat, but the manifest does not declare FileTimestamp"]),
    "a declaration without a use": (
        problems_of(declaring("UserDefaults", "CA92.1"), set()), ["the manifest declares UserDefaults, which nothing uses"]),
    "a reason of another category": (
        problems_of(declaring("SystemBootTime", "CA92.1"), boot),
        ["SystemBootTime has no reason, or one of another category: ['CA92.1']"]),
    "tracking": (
        problems_of(manifest | {"NSPrivacyTracking": True}, set()), ["NSPrivacyTracking is True instead of False"]),
}
for name, (found, wanted) in expected.items():
    check(f"privacy manifest: {name}", [] if found == wanted else [f"{found} instead of {wanted}"])
sys.exit(failed)
