"""A copy of the package with faults in its sources, and its build."""

import collections
import os
import pathlib
import re
import shutil
import subprocess

import weave

FOLDER = ".build-mutations/copy"
HEADER = "Sources/RegistryC/include/registry_mutants.h"
# These targets have no dependency through which they could query the active fault.
DEPENDENCIES = b"""
for target in package.targets where ["RoutePatterns", "MacroExpansion"].contains(target.name) {
  target.dependencies.append("RegistryC")
}
"""


def build(faults):
    """Builds a copy of the package with faults, and returns those that compile."""
    while True:
        by_path = collections.defaultdict(list)
        for fault in faults:
            by_path[fault.source.path].append(fault)
        woven = {path: weave.Woven(group[0].source, group) for path, group in by_path.items()}
        write(woven.values())
        broken = errors(woven)
        if not broken:
            return faults
        print(f"{len(broken)} faults do not compile", flush=True)
        faults = [fault for fault in faults if fault.number not in broken]


def write(woven):
    """Updates the copy, but does not touch unchanged files, so that little is built again."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = set(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split("\0"))
    texts = {name: pathlib.Path(name).read_bytes() for name in names if os.path.isfile(name)}
    texts["Package.swift"] += DEPENDENCIES
    texts[HEADER] = weave.HEADER
    for file in woven:
        texts |= file.files
    for folder, folders, inside in os.walk(FOLDER):
        folders[:] = [name for name in folders if name != ".build"]
        for path in (os.path.join(folder, name) for name in inside):
            if os.path.relpath(path, FOLDER) not in texts:
                os.remove(path)
    for name, text in texts.items():
        path = os.path.join(FOLDER, name)
        if not os.path.isfile(path) or pathlib.Path(path).read_bytes() != text:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            pathlib.Path(path).write_bytes(text)
            if os.path.exists(name):
                shutil.copymode(name, path)


def errors(woven):
    """Builds everything that tests need, and returns the numbers of the faults with errors."""
    command = [
        "bash", "Tests/Harness/build-tests", "-Xswiftc", "-suppress-warnings", "-Xcc", "-w",
        "-Xswiftc", "-continue-building-after-errors",
    ]
    environment = os.environ | {"REGISTRY_ALL_TESTS": "1"}
    result = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, env=environment)
    if result.returncode == 0:
        return set()
    output, broken = result.stdout + result.stderr, set()
    pathlib.Path(FOLDER + ".log").write_text(output)
    for path, line in re.findall(r"^(?:.*?/)?(Sources/\S+?)(?:\.woven)?:(\d+):\d+: error: ", output, re.M):
        if path in woven:
            broken |= woven[path].faults_at(int(line))
    if not broken:
        raise SystemExit(f"error: the package does not build; the compiler's output is in {FOLDER}.log")
    return broken


def test_program():
    folder = os.path.abspath(os.path.join(FOLDER, ".build/debug"))
    return next(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".xctest"))
