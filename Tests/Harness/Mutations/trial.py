"""Runs tests of the copy, to find the faults that each test reaches and those that it detects."""

import os
import re
import selectors
import signal
import subprocess
import tempfile
import time

# The time limit of a batch is the sum of its tests' durations without a fault, three times the
# longest of these durations, and this number of seconds.
LEAST_LIMIT = 10
FAILED = re.compile(r'✘ Test (?:case passing .* to )?("[^"]*"|\S+).* (?:recorded an issue|failed after)')
STARTED = re.compile(r'◇ Test ("[^"]*"|\S+\(.*?\)) started')
ENDED = re.compile(r'[✔✘➜] Test ("[^"]*"|\S+\(.*?\)) (?:passed|failed|skipped)')
# Swift Testing writes colors if it detects a terminal.
COLOR = re.compile(r"\x1b\[[0-9;]*m")
BATCH_SIZES = [20, 80, 200]
# A fault that makes a loop endless must not exhaust the memory. A limit of the process would not
# work, because programs with a sanitizer, which some tests run, reserve terabytes without using
# them.
MOST_KILOBYTES = 6 << 20


def prepare():
    """Prepares a process for tests."""
    # Programs that run in the background or with nohup ignore these signals, and the tests'
    # programs would inherit that.
    for number in signal.SIGHUP, signal.SIGINT, signal.SIGQUIT:
        signal.signal(number, signal.SIG_DFL)


class Tests:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("REGISTRY_")}
        # Random tests repeat the same code, so short runs are sufficient here.
        self.environment |= {"REGISTRY_GRAPHS": "1000", "REGISTRY_SEQUENCES": "100", "REGISTRY_ROUNDS": "2000"}
        self.environment["NO_COLOR"] = "1"

    def names(self):
        output = subprocess.run([self.program, "--testing-library", "swift-testing", "--list-tests"], check=True,
                                cwd=self.folder, env=self.environment, capture_output=True, text=True).stdout
        # The compiler starts its plugin with an empty environment, so no fault is active there.
        return [name for name in output.split("\n") if name and not name.startswith("CompileTests.")]

    def run(self, names, limit, **environment):
        """Runs tests until the first failure; returns the reason or None, and the seconds."""
        command = [self.program, "--testing-library", "swift-testing"]
        for name in names:
            command += ["--filter", "^" + re.sub(r"([.^$*+?()\[\]{}|\\/])", r"\\\1", name)]
        began = time.monotonic()
        process = subprocess.Popen(command, cwd=self.folder, env=self.environment | environment, start_new_session=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   preexec_fn=prepare)
        try:
            reason = self.watch(process, began + limit)
        finally:
            end_session(process.pid)
            process.wait()
            process.stdout.close()
        if reason is None and process.returncode != 0:
            reason = f"the process ended with {status(process.returncode)}"
        return reason, time.monotonic() - began

    def watch(self, process, deadline):
        running, last, rest, has_ended = {}, None, b"", False
        looked = time.monotonic()
        selector = selectors.DefaultSelector()
        selector.register(process.stdout, selectors.EVENT_READ)
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                return "timed out: " + ", ".join(list(running)[:3] or [str(last)])
            if time.monotonic() - looked > 1:
                looked = time.monotonic()
                if sum(each("rss", process.pid)) > MOST_KILOBYTES:
                    return "too much memory: " + ", ".join(list(running)[:3] or [str(last)])
            if not selector.select(min(left, 1)):
                # A child that outlives the tests can keep the pipe open.
                if process.poll() is not None:
                    break
                continue
            part = os.read(process.stdout.fileno(), 1 << 16)
            if not part:
                break
            *lines, rest = (rest + part).split(b"\n")
            for line in lines:
                text = COLOR.sub("", line.decode(errors="replace"))
                if match := FAILED.search(text):
                    return match[1]
                if match := STARTED.search(text):
                    running[match[1]] = True
                elif match := ENDED.search(text):
                    running.pop(match[1], None)
                    last = match[1]
                has_ended = has_ended or "Test run with" in text
        try:
            process.wait(max(0.1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            return "the process did not end after its tests"
        if process.returncode < 0 or not has_ended:
            return f"{status(process.returncode)} in " + ", ".join(list(running)[:3] or ["no test"])
        return None

    def reach(self, name):
        """Runs one test; returns the bodies that it reaches, its seconds, and why it failed."""
        with tempfile.NamedTemporaryFile() as trace:
            reason, seconds = self.run([name], 300, REGISTRY_MUTANTS_TRACE=trace.name)
            with open(trace.name, encoding="utf-8") as file:
                return sorted({int(line) for line in file.read().split()}), seconds, reason

    def detect(self, number, names, seconds):
        """Runs the tests that reach a fault until one fails, the most specific ones first."""
        began, start = time.monotonic(), 0
        for size in BATCH_SIZES + [BATCH_SIZES[-1]] * (len(names) // BATCH_SIZES[-1]):
            batch = names[start : start + size]
            if not batch:
                break
            start += size
            limit = LEAST_LIMIT + 3 * max(seconds[name] for name in batch) + sum(seconds[name] for name in batch)
            reason, _ = self.run(batch, limit, REGISTRY_MUTANT=str(number))
            if reason is not None:
                return reason, time.monotonic() - began
        return None, time.monotonic() - began


def status(code):
    return f"signal {signal.Signals(-code).name}" if code < 0 else f"status {code}"


def end_session(session):
    """Ends the processes that tests started, including those that left the process group."""
    for process in each("pid", session):
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            pass


def each(what, session):
    """Returns a number of each process of a session, by its name in `ps`."""
    return map(int, subprocess.run(["ps", "-o", what + "=", "-s", str(session)], capture_output=True, text=True).stdout.split())
