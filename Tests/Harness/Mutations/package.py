"""A copy of the package with faults in its sources, and its build."""

import hashlib
import os
import re
import shutil
import subprocess

import weave

# The copy's additional dependencies, so that every target can query the active fault.
DEPENDENCIES = [
    ('.target(name: "RoutePatterns")', '.target(name: "RoutePatterns", dependencies: ["RegistryC"])'),
    ('.target(name: "MacroExpansion", dependencies: ["RoutePatterns"])',
     '.target(name: "MacroExpansion", dependencies: ["RoutePatterns", "RegistryC"])'),
]
# A fault that leaves out a lock calls these functions. If two threads then are inside at once, the
# test ends with an error, as it does in CI under ThreadSanitizer. The pause makes that more likely.
LOCKED = "Sources/Registry/Concurrency/Locked.swift"
LOCKED_CHANGES = [
    (b"  private var value: Value\n", b"  private var value: Value\n  private let inside = UnsafeMutablePointer<CInt>.allocate(capacity: 1)\n"),
    (b"    self.value = value\n", b"    self.value = value\n    inside.initialize(to: 0)\n"),
    (b"    registry_lock_destroy(lock)\n", b"    registry_lock_destroy(lock)\n    inside.deallocate()\n"),
    (b"    registry_lock_acquire(lock)\n    defer { registry_lock_release(lock) }\n",
     b"""    registry_lock_acquire(lock)
    registry_mutants_enter(inside)
    defer {
      registry_mutants_leave(inside)
      registry_lock_release(lock)
    }
"""),
    (b"  package func withLock<", b"""  package func withoutLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    registry_mutants_enter(inside)
    defer { registry_mutants_leave(inside) }
    registry_mutants_pause()
    return try body(&value)
  }
  package func withLock<"""),
]
# The targets and kinds of a sample's faults, and the suites that try it. Faults of these kinds
# almost always compile, so a sample needs only one or two builds.
SAMPLED = ["RegistryC", "Registry"]
SAMPLED_KINDS = ["statement", "logic", "comparison", "operand", "return"]
FEW_SUITES = """
package.targets.removeAll { $0.type == .test && !["%s"].contains($0.name) }
""" % '", "'.join(name + "Tests" for name in SAMPLED)


class BuildFailure(Exception):
    pass


def files(root):
    """Returns the files that a commit of the working tree would contain."""
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=root, check=True,
        capture_output=True, text=True).stdout.split("\0")
    return sorted(name for name in set(names) if name and os.path.isfile(os.path.join(root, name)))


def fingerprint(root):
    """Returns a hash of everything that determines the existing faults and the failing tests."""
    digest = hashlib.sha256()
    for name in files(root):
        is_test = name.startswith("Tests/") and not name.startswith("Tests/Harness/")
        decides_faults = os.path.basename(name) in {"list", "faults.py", "source.py", "weave.py"}
        if name.startswith(("Sources/", "Package.swift")) or is_test or decides_faults:
            with open(os.path.join(root, name), "rb") as file:
                digest.update(name.encode() + b"\0" + file.read())
    return digest.hexdigest()[:16]


class Copy:
    """A copy of the package in a folder. With `few_suites`, it has only the suites of a sample."""

    def __init__(self, root, folder, few_suites):
        self.root, self.folder, self.few_suites = root, folder, few_suites

    def refresh(self, woven):
        """Updates the copy, but does not touch unchanged files, so that little is built again.

        `woven` holds the files with faults, by path.
        """
        names = files(self.root)
        added = {
            "Sources/RegistryC/include/registry_mutants.h": weave.HEADER,
            "Sources/RegistryC/mutants.c": weave.WITH_IMPLEMENTATION,
        }
        kept = set(names) | set(added)
        for folder, folders, inside in os.walk(self.folder):
            folders[:] = [name for name in folders if name != ".build"]
            for name in inside:
                path = os.path.join(folder, name)
                if os.path.relpath(path, self.folder) not in kept:
                    os.remove(path)
        for name in names:
            text = woven[name].text if name in woven else self.plain(name)
            for old, new in LOCKED_CHANGES if name == LOCKED else []:
                if old not in text:
                    raise BuildFailure(
                        f"error: {LOCKED} no longer contains {old.decode()}; correct LOCKED_CHANGES in package.py")
                # This replaces the text in every copy of a body that has faults.
                text = text.replace(old, new)
            self.write(name, text)
        for name, text in added.items():
            self.write(name, text.encode())

    def plain(self, name):
        with open(os.path.join(self.root, name), "rb") as file:
            text = file.read()
        if name == "Package.swift":
            for old, new in DEPENDENCIES:
                if old.encode() not in text:
                    raise BuildFailure(
                        f"error: Package.swift no longer contains {old}; correct DEPENDENCIES in package.py")
                text = text.replace(old.encode(), new.encode())
            if self.few_suites:
                # The line is inserted before the settings that apply to all targets.
                start = text.index(b"// Upcoming language features")
                text = text[:start] + FEW_SUITES.encode() + text[start:]
        return text

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        if os.path.isfile(path):
            with open(path, "rb") as file:
                if file.read() == text:
                    return
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(text)
        original = os.path.join(self.root, name)
        if os.path.exists(original):
            shutil.copymode(original, path)

    def build(self, woven):
        """Builds everything that tests need.

        Returns the numbers of the faults that do not compile, or no numbers if the build succeeded.
        """
        command = ["swift", "build", "--build-tests", "-Xswiftc", "-suppress-warnings", "-Xcc", "-w",
                   "-Xswiftc", "-continue-building-after-errors"]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("REGISTRY_")}
        if not self.few_suites:
            environment["REGISTRY_ALL_TESTS"] = "1"
        result = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, env=environment)
        if result.returncode == 0:
            return set()
        output = result.stdout + result.stderr
        with open(self.folder + ".log", "w", encoding="utf-8") as file:
            file.write(output)
        broken = set()
        for error in re.finditer(r"^(?:.*?/)?(Sources/\S+?):(\d+):\d+: error: .*", output, re.M):
            if error[1] in woven:
                broken.update(woven[error[1]].faults_at(int(error[2])))
        if not broken:
            errors = [line for line in output.split("\n") if "error:" in line]
            raise BuildFailure("error: the package does not build:\n" + "\n".join(errors[:20] or output.split("\n")[-20:]))
        return broken

    def test_program(self):
        folder = os.path.join(self.folder, ".build", "debug")
        return next(os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".xctest"))
