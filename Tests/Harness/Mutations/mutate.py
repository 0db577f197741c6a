"""Draws faults, builds the package with them, and reports which of them the tests detect. See `run`."""

import argparse
import collections
import concurrent.futures
import glob
import hashlib
import json
import os
import random
import shutil
import sys

import faults
import package
import trial
import weave
from source import Source

TARGETS = [
    "RegistryC", "Registry", "Lifecycle", "LifecycleTracing", "ProcessHost", "Manifests", "AppHost", "Routing",
    "RoutePatterns", "MacroExpansion",
]
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.normpath(os.path.join(HERE, "../../.."))
WORK = os.path.join(ROOT, ".build-mutations")
# The ratio of drawn to tried faults, because about a fifth of the faults do not compile.
SPARE = 1.4


def arguments():
    parser = argparse.ArgumentParser(prog="Tests/Harness/Mutations/run")
    parser.add_argument("--count", type=int, default=500, help="how many faults to try (500)")
    parser.add_argument("--seed", type=int, help="the seed of an earlier run; by default, that of an interrupted run "
                        "or a new one")
    parser.add_argument("--new", action="store_true", help="discard the results of an interrupted run")
    parser.add_argument("--least", type=float, default=85, help="the percentage that must be detected (85)")
    parser.add_argument("--least-per-target", type=float, default=80, help="the same in each target (80)")
    parser.add_argument("--target", action="append", choices=TARGETS, help="only faults in this target")
    parser.add_argument("--listed", action="store_true", help="try the faults of the file `list` instead")
    parser.add_argument("--sample", action="store_true", help="20 faults of a fixed seed in two targets, with their suites")
    parser.add_argument("--check", action="store_true", help="only check that `list` and `equivalent` match the sources")
    parser.add_argument("--kinds", action="store_true", help="only print how many faults of each kind exist")
    options = parser.parse_args()
    if options.sample:
        # One fault is five percent, and other suites detect some faults that those of the sample do
        # not.
        options.count, options.seed, options.least, options.least_per_target = 20, 6, 70, 0
        options.target = package.SAMPLED
    return options


class Sources:
    def __init__(self):
        self.known = {}

    def __call__(self, path):
        if path not in self.known:
            self.known[path] = Source(ROOT, path)
        return self.known[path]

    def faults(self, targets):
        for target in targets:
            for path in sorted(glob.glob(f"Sources/{target}/**/*", root_dir=ROOT, recursive=True)):
                if path.endswith((".swift", ".c", ".h")):
                    yield from faults.derived(self(path))


def equivalents():
    """Yields the keys of the faults that have no observable effect."""
    with open(os.path.join(HERE, "equivalent"), encoding="utf-8") as file:
        lines = [line for line in file.read().split("\n") if not line.startswith("#")]
    for block in "\n".join(lines).strip("\n").split("\n\n"):
        key, _, reason = block.partition("\n")
        if key and not reason.strip():
            sys.exit(f"error: Tests/Harness/Mutations/equivalent: this fault has no reason: {key}")
        if key:
            yield key


def check(sources):
    listed = list(faults.listed(os.path.join(HERE, "list"), sources))
    keys = {fault.key for fault in sources.faults(TARGETS)}
    outdated = [key for key in equivalents() if key not in keys]
    for key in outdated:
        print(f"error: Tests/Harness/Mutations/equivalent: this fault no longer exists; remove it: {key}")
    if outdated:
        sys.exit(1)
    print(f"{len(listed)} listed faults can be applied, and {len(keys)} faults can be derived")


def drawn(candidates, seed, count):
    """Returns faults in an order that depends only on the seed and on each fault itself.

    A change of the sources therefore changes little of the draw.
    """
    occurrences = collections.Counter()
    ordered = []
    for fault in candidates:
        occurrences[fault.key] += 1
        text = f"{seed}|{fault.key}|{occurrences[fault.key]}"
        ordered.append((hashlib.sha256(text.encode()).digest(), fault))
    ordered.sort(key=lambda entry: entry[0])
    return [fault for _, fault in ordered[:count]]


def build(copy, chosen):
    """Builds the copy with faults, and leaves out faults that do not compile until it builds."""
    left = list(chosen)
    while True:
        by_path = collections.defaultdict(list)
        for fault in left:
            by_path[fault.path].append(fault)
        woven = {path: weave.Woven(group[0].source, group) for path, group in by_path.items()}
        copy.refresh(woven)
        broken = copy.build(woven)
        if not broken:
            return left
        for fault in left:
            if fault.description and fault.number in broken:
                print(f"does not compile: {describe(fault)}", flush=True)
        left = [fault for fault in left if fault.number not in broken]
        print(f"{len(broken)} faults do not compile, {len(left)} remain", flush=True)


class Record:
    """The results of a run in files, so that an interrupted run can continue."""

    def __init__(self, name, is_new):
        self.folder = os.path.join(WORK, name)
        if is_new:
            shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder, exist_ok=True)

    def kept(self, name, make):
        path = os.path.join(self.folder, name)
        if not os.path.exists(path):
            value = make()
            with open(path + ".new", "w", encoding="utf-8") as file:
                json.dump(value, file)
            os.rename(path + ".new", path)
        with open(path, encoding="utf-8") as file:
            return json.load(file)

    def results(self):
        path = os.path.join(self.folder, "results")
        if not os.path.exists(path):
            return {}
        with open(path, encoding="utf-8") as file:
            # An interruption can leave an incomplete line.
            lines = [line for line in file if line.endswith("\n")]
        return {entry["number"]: entry for entry in map(json.loads, lines)}

    def add(self, entry):
        with open(os.path.join(self.folder, "results"), "a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")


def reach(tests):
    """Returns the faults' bodies that each test reaches, and the test's duration in seconds."""
    names = tests.names()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = dict(zip(names, pool.map(tests.reach, names)))
    failed = [name for name, (_, _, reason) in found.items() if reason]
    # A test can fail because it needs more time or failed by chance, so each failed test runs
    # again.
    for name in failed:
        found[name] = tests.reach(name)
    failed = [name for name in failed if found[name][2]]
    # These are, for example, tests of the sources' text.
    for name in failed:
        print(f"skipped a test that fails without a fault: {name}: {found.pop(name)[2]}", flush=True)
    if len(failed) > 5:
        sys.exit("error: too many tests fail without a fault")
    return found


def run(options, sources):
    tree = package.fingerprint(ROOT)
    if options.listed:
        name, chosen = f"listed-{tree}", list(faults.listed(os.path.join(HERE, "list"), sources))
    else:
        seed = options.seed if options.seed is not None else seed_of_run(options, tree)
        what = "sample" if options.sample else "-".join(options.target or ["all"])
        name = f"seed-{seed}-{options.count}-{what}-{tree}"
        candidates = [fault for fault in sources.faults(options.target or TARGETS)
                      if not options.sample or fault.kind in package.SAMPLED_KINDS]
        chosen = drawn(candidates, seed, round(options.count * SPARE) + 5)
        print(f"seed {seed}: {options.count} of {len(candidates)} faults; continue with --seed {seed}", flush=True)
    record = Record(name, options.new)
    weave.number(chosen)
    copy = package.Copy(ROOT, os.path.join(WORK, "sample" if options.sample else "copy"), options.sample)
    kept = set(record.kept("compiled", lambda: [fault.number for fault in build(copy, chosen)]))
    # Another run can have used the copy in the meantime.
    compiled = build(copy, [fault for fault in chosen if fault.number in kept])
    if options.listed and len(compiled) < len(chosen):
        lost = [fault.description for fault in chosen if fault not in compiled]
        sys.exit("error: listed faults that do not compile: " + "; ".join(lost))
    tests = trial.Tests(copy.test_program(), copy.folder)
    print("finding the faults that each test reaches", flush=True)
    reached = record.kept("reach", lambda: reach(tests))
    # Equivalent faults are drawn with the others, so that a run can continue after a survivor was
    # added to their list.
    same = set(equivalents())
    selected = [fault for fault in compiled if fault.key not in same]
    if options.sample:
        # Suites outside the sample test the rest.
        bodies = {number for entry in reached.values() for number in entry[0]}
        selected = [fault for fault in selected if first_of_body(compiled)[weave.place(fault)] in bodies]
    if not options.listed:
        selected = selected[: options.count]
        if len(selected) < options.count:
            print(f"only {len(selected)} of {options.count} faults compile", flush=True)
    try_all(selected, compiled, record, tests, reached)
    good = report(selected, record.results(), options)
    if options.seed is None and not options.listed:
        remember_seed(seed, tree, is_over=True)
    return good


def seed_of_run(options, tree):
    """Returns the seed of an interrupted run with this tree, and a new seed otherwise."""
    path = os.path.join(WORK, "seed")
    if os.path.exists(path) and not options.new:
        with open(path, encoding="utf-8") as file:
            seed, of_tree, is_over = file.read().split()
        if of_tree == tree and is_over == "no":
            return int(seed)
    seed = random.SystemRandom().randrange(1, 1_000_000)
    remember_seed(seed, tree, is_over=False)
    return seed


def remember_seed(seed, tree, is_over):
    os.makedirs(WORK, exist_ok=True)
    with open(os.path.join(WORK, "seed"), "w", encoding="utf-8") as file:
        file.write(f"{seed} {tree} {'yes' if is_over else 'no'}")


def first_of_body(compiled):
    """Returns the number that each body reports, which is that of its first fault."""
    first = {}
    for fault in compiled:
        place = weave.place(fault)
        first[place] = min(fault.number, first.get(place, fault.number))
    return first


def try_all(selected, compiled, record, tests, reached):
    """Tries the faults that have no result yet, several at a time."""
    first = first_of_body(compiled)
    seconds = {name: entry[1] for name, entry in reached.items()}
    breadth = {name: len(entry[0]) for name, entry in reached.items()}
    by_body = collections.defaultdict(list)
    for name, entry in reached.items():
        for number in entry[0]:
            by_body[number].append(name)

    def attempt(fault):
        # Tests of the same target that reach few other bodies and take little time are the most
        # likely to fail soon.
        own = fault.path.split("/")[1] + "Tests."
        names = sorted(by_body[first[weave.place(fault)]], key=lambda name: (
            not name.startswith(own), breadth[name] * (0.1 + seconds[name]), name))
        reason, taken = tests.detect(fault.number, names, seconds) if names else (None, 0)
        result = "detected" if reason else "survived" if names else "unreached"
        return {"number": fault.number, "result": result, "by": reason, "tests": len(names), "seconds": round(taken, 1)}

    known = record.results()
    left = [fault for fault in selected if fault.number not in known]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        tasks = {pool.submit(attempt, fault): fault for fault in left}
        for task in concurrent.futures.as_completed(tasks):
            entry = task.result()
            record.add(entry)
            print(f"{entry['result']:9} {describe(tasks[task])} [{entry['seconds']} s, {entry['tests']} tests]"
                  + (f" by {entry['by']}" if entry["by"] else ""), flush=True)


def describe(fault):
    return f"{fault.path}:{fault.line}: {fault.description or fault.kind}: {fault.before} -> {fault.after}"


def report(selected, results, options):
    """Prints the undetected faults and the rates; returns True if the rates are high enough."""
    count, detected = collections.Counter(), collections.Counter()
    print()
    for fault in sorted(selected, key=lambda fault: (fault.path, fault.start)):
        target = fault.path.split("/")[1]
        entry = results[fault.number]
        count[target] += 1
        if entry["result"] == "detected":
            detected[target] += 1
        else:
            print(f"{entry['result']} {describe(fault)}")
            print(f"    {fault.key}")
    good = True
    for target in sorted(count):
        rate = 100 * detected[target] / count[target]
        good = good and (options.listed or rate >= options.least_per_target)
        print(f"{target:16} {detected[target]:4} of {count[target]:4} detected, {rate:.1f} %")
    total, all_detected = sum(count.values()), sum(detected.values())
    rate = 100 * all_detected / total
    print(f"{'all':16} {all_detected:4} of {total:4} detected, {rate:.1f} %")
    if not good or rate < options.least:
        print(f"error: the tests must detect at least {options.least:g} % in total and "
              f"{options.least_per_target:g} % in each target")
        return False
    return True


def main():
    options = arguments()
    os.chdir(ROOT)
    sources = Sources()
    if options.check:
        check(sources)
    elif options.kinds:
        kinds = collections.Counter(fault.kind for fault in sources.faults(options.target or TARGETS))
        for kind, number in kinds.most_common():
            print(f"{number:6} {kind}")
    else:
        try:
            sys.exit(0 if run(options, sources) else 1)
        except package.BuildFailure as error:
            sys.exit(str(error))


main()
