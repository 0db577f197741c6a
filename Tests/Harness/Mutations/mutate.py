"""Selects faults, builds the package with them, and reports which the tests miss. See `run`."""

import argparse
import collections
import concurrent.futures
import functools
import glob
import hashlib
import os
import random
import signal

import faults
import package
import trial
import weave
from source import Source

TARGETS = [
    "RegistryC", "Registry", "Lifecycle", "RegistryReports", "LifecycleTracing", "ProcessHost", "Manifests", "AppHost",
    "Routing", "RoutePatterns", "MacroExpansion",
]
LISTED = os.path.join(os.path.dirname(__file__), "listed")
# The ratio of drawn to tried faults, because some do not compile.
SPARE = 1.3


def arguments():
    parser = argparse.ArgumentParser(prog="Tests/Harness/Mutations/run")
    seed = os.environ.get("SEED") or random.SystemRandom().randrange(1_000_000)
    parser.add_argument("--seed", type=int, default=seed, help="selects the faults (SEED, or random)")
    parser.add_argument("--count", type=int, default=100, help="how many faults to draw (100)")
    parser.add_argument("--target", action="append", choices=TARGETS, help="only faults in this target")
    parser.add_argument("--least", type=float, default=85, help="the percentage that must be detected (85)")
    return parser.parse_args()


@functools.cache
def source(path):
    return Source(path) if os.path.exists(path) else None


def chosen(options):
    """Returns the faults that must all be tried, and those of which a number is tried."""
    given = [] if options.target else list(faults.listed(LISTED, source))
    paths = [path for target in options.target or TARGETS
             for path in sorted(glob.glob(f"Sources/{target}/**/*.[ch]", recursive=True)
                                + glob.glob(f"Sources/{target}/**/*.swift", recursive=True))]
    candidates = [fault for path in paths for fault in faults.derived(source(path))]
    print(f"seed {options.seed}: {options.count} of {len(candidates)} faults", flush=True)
    return given, drawn(candidates, options)


def drawn(candidates, options):
    """Returns faults in an order that depends only on the seed and on each fault itself.

    A change of the sources therefore changes little of the draw.
    """
    seen, ordered = collections.Counter(), []
    for fault in candidates:
        seen[fault.key] += 1
        text = f"{options.seed}|{fault.key}|{seen[fault.key]}"
        ordered.append((hashlib.sha256(text.encode()).digest(), fault))
    ordered.sort(key=lambda entry: entry[0])
    return [fault for _, fault in ordered[: round(options.count * SPARE)]]


def reach(suites):
    """Returns the bodies that each suite reaches, and its duration in seconds."""
    names = suites.names()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        found = dict(zip(names, pool.map(suites.reach, names)))
    for name in [name for name in names if found[name][2]]:
        # A test can fail by chance, so each failed suite runs again.
        found[name] = suites.reach(name)
        if found[name][2]:
            print(f"not used, because it fails without a fault: {name}", flush=True)
            del found[name]
    return found


def try_all(selected, compiled, suites):
    """Tries several faults at a time.

    Returns for each what detected it, None if nothing did, or "" if no test reaches it.
    """
    reached = reach(suites)
    seconds = {name: entry[1] for name, entry in reached.items()}
    # A body reports the number of its first fault.
    first = {}
    for fault in compiled:
        first.setdefault(weave.place(fault), fault.number)

    def attempt(fault):
        # Fast suites of the same target that reach few other bodies are the most likely to fail.
        own = fault.source.path.split("/")[1] + "Tests."
        names = [name for name, entry in reached.items() if first[weave.place(fault)] in entry[0]]
        names.sort(key=lambda name: (
            not name.startswith(own), len(reached[name][0]) * (0.1 + seconds[name]), name))
        return suites.detect(fault, names, seconds) if names else ""

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip(selected, pool.map(attempt, selected)))


def main():
    options = arguments()
    # Programs that run in the background ignore these signals, and the tests would inherit that.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGQUIT, signal.SIG_DFL)
    given, others = chosen(options)
    compiled = package.build(weave.number([*given, *others]))
    selected = [fault for fault in given if fault in compiled]
    selected += [fault for fault in others if fault in compiled][: options.count]
    for fault in given:
        if fault not in compiled:
            print(f"not tried, because it does not compile: {fault}")
    print(f"trying {len(selected)} faults", flush=True)
    results = try_all(selected, compiled, trial.Suites())
    for fault, reason in results.items():
        if not reason:
            print(f"not detected: {fault}" if reason is None else f"no test reaches: {fault}")
    detected = sum(1 for reason in results.values() if reason)
    rate = 100 * detected / len(results)
    print(f"{len(results)} faults: {detected} detected, {len(results) - detected} undetected, {rate:.1f} %")
    if rate < options.least:
        raise SystemExit(f"error: the tests must detect at least {options.least:g} %")


main()
