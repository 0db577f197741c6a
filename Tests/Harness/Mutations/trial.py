"""Runs suites of the copy, to find the faults that each reaches and those that it detects."""

import os
import re
import signal
import subprocess
import tempfile
import time

import package

# The time limit of a batch is the sum of its suites' durations without a fault, three times the
# longest of these durations, and this number of seconds.
LEAST_LIMIT = 10
FAILED = re.compile(r'✘ Test (?:case passing .* to )?("[^"]*"|\S+).* (?:recorded an issue|failed after)')
BATCH_SIZES = [2, 6, 20]
# A fault that makes a loop endless must not exhaust the memory. A limit of the process would not
# work, because programs with a sanitizer, which some tests run, reserve terabytes without using
# them.
MOST_KILOBYTES = 6 << 20


class Suites:
    def __init__(self):
        self.command = [package.test_program(), "--testing-library", "swift-testing"]
        # Random tests repeat the same code, so short runs are sufficient here.
        self.environment = os.environ | {
            "REGISTRY_GRAPHS": "1000", "REGISTRY_SEQUENCES": "100", "REGISTRY_ROUNDS": "2000", "NO_COLOR": "1",
        }

    def names(self):
        output = subprocess.run(
            [*self.command, "--list-tests"], check=True, cwd=package.FOLDER, env=self.environment,
            capture_output=True, text=True).stdout
        # The compiler starts its plugin with an empty environment, so no fault is active there.
        tests = [name for name in output.split("\n") if name and not name.startswith("CompileTests.")]
        return sorted({re.match(r"[^/]*/?", name)[0] for name in tests})

    def run(self, names, limit, **environment):
        """Runs suites until the first failure, and returns its description or None."""
        filters = []
        for name in names:
            filters += ["--filter", "^" + re.sub(r"([.^$*+?()\[\]{}|\\/])", r"\\\1", name)]
        began = looked = time.monotonic()
        with tempfile.NamedTemporaryFile() as output:
            process = subprocess.Popen(
                [*self.command, *filters], cwd=package.FOLDER, env=self.environment | environment,
                start_new_session=True, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)
            try:
                while process.poll() is None:
                    time.sleep(0.1)
                    if failure := FAILED.search(text(output.name)):
                        return failure[1]
                    if time.monotonic() > began + limit:
                        return "the time limit"
                    if time.monotonic() > looked + 1:
                        looked = time.monotonic()
                        if sum(each("rss", process.pid)) > MOST_KILOBYTES:
                            return "the limit of memory"
            finally:
                end_session(process)
            if failure := FAILED.search(text(output.name)):
                return failure[1]
            if process.returncode != 0 or "Test run with" not in text(output.name):
                return f"the status {process.returncode}"
            return None

    def reach(self, name):
        """Runs one suite; returns the bodies that it reaches, its seconds, and why it failed."""
        began = time.monotonic()
        with tempfile.NamedTemporaryFile() as trace:
            reason = self.run([name], 300, REGISTRY_MUTANTS_TRACE=trace.name)
            return {int(line) for line in text(trace.name).split()}, time.monotonic() - began, reason

    def detect(self, fault, names, seconds):
        """Runs the suites that reach a fault until one fails, and returns the reason or None."""
        sizes = BATCH_SIZES + [BATCH_SIZES[-1]] * (len(names) // BATCH_SIZES[-1])
        while names:
            size = sizes.pop(0)
            batch, names = names[:size], names[size:]
            durations = [seconds[name] for name in batch]
            limit = LEAST_LIMIT + 3 * max(durations) + sum(durations)
            if reason := self.run(batch, limit, REGISTRY_MUTANT=str(fault.number)):
                return reason
        return None


def text(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def end_session(process):
    """Ends the processes that tests started, including those that left the process group."""
    for number in each("pid", process.pid):
        try:
            os.kill(number, signal.SIGKILL)
        except ProcessLookupError:
            pass
    process.wait()


def each(what, session):
    """Returns a number of each process of a session, by its name in `ps`."""
    command = ["ps", "-o", what + "=", "-s", str(session)]
    return map(int, subprocess.run(command, capture_output=True, text=True).stdout.split())
