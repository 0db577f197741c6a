#!/usr/bin/env bash
# Measures the size that exported services, exported modules, and needs add to a release binary. Each
# of its programs has 101 services, 101 modules, and 101 classes that look a service up. The programs
# differ only in the number of attributes: none, one of a kind, or all 101. A class without the
# attribute has a property that calls `createService`.
#
#   binary.sh SCRATCH
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
# The folder is kept, so that the library is compiled only once.
package=$root/Benchmarks/.build/exports
mkdir -p "$package/Sources"
[ -e "$package/swift-section-registry" ] || ln -s "$root" "$package/swift-section-registry"

python3 - "$package" <<'PYTHON'
import pathlib
import sys

package = pathlib.Path(sys.argv[1])
kinds = {"Services000": (0, 0, 0), "Services001": (1, 0, 0), "Services101": (101, 0, 0),
         "Modules0001": (0, 1, 0), "Modules0101": (0, 101, 0),
         "Needs000001": (0, 0, 1), "Needs000101": (0, 0, 101)}
# The names have one length, because every symbol and every record contains the module's name.
assert len(set(map(len, kinds))) == 1


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    # Do not touch a file that stays the same, so that it is not compiled again.
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


targets = ""
for name, (services, modules, needs) in kinds.items():
    lines = ["import Lifecycle", "import Registry"]
    for n in range(101):
        lines.append(f"public protocol Service{n:03}: AnyObject, Sendable {{}}")
        lines.append("@ExportService((any Service%03d).self, scope: .shared)" % n if n < services else "")
        lines.append(f"final class Class{n:03}: Service{n:03} {{ init() {{}} }}")
        lines.append("@ExportModule" if n < modules else "")
        lines.append(f"final class Module{n:03}: Module {{ init() {{}} }}")
        lines.append(f"public final class Reader{n:03} {{")
        lookup = "{ get throws { try ServiceManager.shared.createService(for: (any Service%03d).self) } }" % n
        attribute, accessor = ("@Service ", "") if n < needs else ("", lookup)
        lines.append(f"  {attribute}public var service: any Service{n:03} {accessor}")
        lines.append("}")
    write(package / "Sources" / name / "Exports.swift", "\n".join(lines) + "\n")
    write(
        package / "Sources" / name / "main.swift",
        "import Registry\n\nprint(RecordSource.loadedImages.records().count)\n",
    )
    targets += f"""
    .executableTarget(name: "{name}", dependencies: library),"""
write(package / "Package.swift", f"""// swift-tools-version: 6.3
import PackageDescription

let library: [Target.Dependency] = [
  .product(name: "Registry", package: "swift-section-registry"),
  .product(name: "Lifecycle", package: "swift-section-registry"),
]
let package = Package(
  name: "Exports", platforms: [.macOS(.v13)],
  dependencies: [.package(path: "swift-section-registry")],
  targets: [{targets}
  ])
""")
PYTHON

swift build -c release --package-path "$package" >&2
folder=$(swift build -c release --package-path "$package" --show-bin-path)

python3 - "$folder" <<'PYTHON'
import re
import subprocess
import sys

folder = sys.argv[1]


def run(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def measure(name):
    program = f"{folder}/{name}"
    sections = {}
    for line in run("size", "-A", "-d", program).splitlines():
        if match := re.match(r"(\.\S+|\w\S*)\s+(\d+)\s+\d+$", line):
            sections[match[1]] = int(match[2])
    # Count only sections that are loaded, not the symbols and notes for debuggers.
    loaded = sum(map(int, run("size", "-d", program).splitlines()[1].split()[:3]))
    relocations = len(re.findall(r"^[0-9a-f]{12,16}\s", run("readelf", "-rW", program), re.M))
    return {
        "bytes": loaded,
        "records": sections.get(".note.registry", 0),
        "relocations": relocations,
        "constructors": sections.get(".init_array", 0) // 8,
        "found": int(run(program)),
    }


none = measure("Services000")
print(f"{'':30} {'bytes':>9} {'in records':>11} {'relocations':>12} {'constructors':>13}")
wrong = []
programs = (
    ("exported service", "Services001", "Services101"), ("exported module", "Modules0001", "Modules0101"),
    ("need", "Needs000001", "Needs000101"),
)
for kind, one, many in programs:
    first, all_ = measure(one), measure(many)
    if first["found"] - none["found"] != 1 or all_["found"] - none["found"] != 101:
        wrong.append(
            f"{one} has {first['found']} records and {many} has {all_['found']}; "
            f"without attributes, there are {none['found']}")
    rows = {
        f"the first {kind}": [first[key] - none[key] for key in first],
        "each of a hundred more": [(all_[key] - first[key]) / 100 for key in first],
    }
    for name, row in rows.items():
        print(f"{name:30} {row[0]:9.0f} {row[1]:11.0f} {row[2]:12.2f} {row[3]:13.2f}")
    if all_["constructors"] != none["constructors"]:
        wrong.append(f"{many} adds static constructors")
sys.exit("error: " + "; ".join(wrong) if wrong else 0)
PYTHON
