"""Compares InspectionProbe's output with that of llvm-objdump and readelf for the same files.

The script `truth` starts this program.
"""

import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import files
import truth_elf
import truth_macho

LEAST = 300


def main():
    start = time.time()
    wheels, why = files.from_wheels(pathlib.Path(os.environ["REGISTRY_CACHE"]))
    if why:
        print(f"skipped the Mach-O files: {why}")
    own = files.of_this_system(pathlib.Path(os.environ["TOOLCHAIN"]))
    print(f"{len(wheels)} Mach-O files from wheels, {len(own)} ELF files of this system ({time.time() - start:.0f} s)")
    paths = wheels + own
    errors = []
    if not why and len(paths) < LEAST:
        errors.append(f"error: there are only {len(paths)} files; at least {LEAST} are required")

    start = time.time()
    seen = {path: [] for path in paths}
    for line in probe(paths):
        row = json.loads(line)
        seen[row["file"]].append(row)
    print(f"the reader found {sum(len(rows) for rows in seen.values())} binaries in them ({time.time() - start:.0f} s)")

    start = time.time()
    counts = {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, (found, counted) in zip(paths, pool.map(lambda path: compare(path, seen[path]), paths)):
            errors += [f"{path}: error: {message}" for message in found]
            for what, count in counted.items():
                counts[what] = counts.get(what, 0) + count
    print(f"compared with llvm-objdump and readelf ({time.time() - start:.0f} s):")
    for what in sorted(counts):
        print(f"  {counts[what]:>9} {what}")
    # A comparison of nothing would always agree.
    wanted = ["sections", "contents", "contents as printed", "notes", "pointers of ELF", "Swift types"]
    if not why:
        wanted += ["slices", "pointers of Mach-O", "pointers of Mach-O in chains", "classes of Objective-C"]
    errors += [f"error: no {what} were compared" for what in wanted if not counts.get(what)]
    for error in errors[:100]:
        print(error)
    print(f"FAILED: {len(errors)} differences" if errors else "no differences")
    return 1 if errors else 0


def probe(paths):
    """Runs two probes, each with half of the files, and returns the lines that they print."""
    halves = [paths[0::2], paths[1::2]]
    children = [
        subprocess.Popen([os.environ["PROBE"]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in halves
    ]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda pair: pair[0].communicate("\n".join(pair[1]) + "\n")[0], zip(children, halves)))
    for child in children:
        if child.returncode != 0:
            sys.exit(f"error: InspectionProbe ended with status {child.returncode}")
    return [line for answer in answers for line in answer.splitlines()]


def compare(path, rows):
    """Returns the differences, and the numbers of compared items."""
    counts = {}
    refused = [row["error"] for row in rows if "error" in row]
    if refused:
        return [f"the reader rejected the file: {refused[0]}"], counts
    if not rows:
        return ["the reader found no binary"], counts
    judge = truth_macho if rows[0]["format"] == "Mach-O" else truth_elf
    try:
        return list(judge.differences(path, rows, counts)), counts
    except Exception as error:  # The other program's output could not be parsed.
        return [f"{type(error).__name__}: {error}"], counts


sys.exit(main())
