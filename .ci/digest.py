"""Prints where the time of a run went, and explains its failed steps.

    python3 digest.py FOLDER SECONDS

FOLDER contains `times`, with the lines `NAME RESULT SECONDS PROCESSOR-SECONDS COMMAND`, of which the
last one of a step counts, and for each step its output in logs/NAME and the events of Swift Testing in
events/NAME. For a failed step, the last lines are the first failed expectations or checks and the
command that runs only these. The exit status is 1 if a step failed.
"""

import json
import pathlib
import re
import shlex
import sys

SHOWN = 20
REASONS = 3
BUILD = re.compile(r"^(?:Build complete!|Build of product '(\S+)' complete!) \(([\d.]+)s\)", re.M)
XCTEST = re.compile(r"error: (\w+)[.](test\w+) : (.*)")
CHECK = re.compile(r"^(?:not ok|FAILED|MISSED)\b|\berror: |^AssertionError|Sanitizer: |Fatal error|^[<>] ")
# The line of a compiler's error. The driver's own errors only say that a command failed.
LOCATED = re.compile(r"^\S.*:\d+:\d+: (?:fatal )?error: ")
# A test's description and the names of the programs that it starts can contain any word.
QUOTING = re.compile(r"^(?:[◇✔✘➜↳]|\[\d+/\d+\]|=== )")


class Test:
    """A function with the attribute @Test, and what happened to it."""

    def __init__(self, payload):
        location = payload["sourceLocation"]
        self.id, self.path, self.line = payload["id"], location["_filePath"], location["line"]
        self.start = self.seconds = self.issue = None

    @property
    def filter(self):
        """A regular expression for --filter. The id ends with the location, which --filter rejects."""
        return re.sub(r"[^\w/.` ,:;-]", ".", self.id.rsplit("/", 1)[0])


def read_tests(folder):
    """Returns the tests, and the issues that a thread without a test has recorded."""
    tests, others = {}, []
    for path in sorted(folder.glob("*.json")):
        for line in path.read_text(errors="replace").splitlines():
            try:
                record = json.loads(line)
            except json.JSONDecodeError:
                continue  # The process ended in the middle of the line.
            payload = record["payload"]
            if record["kind"] == "test" and payload["kind"] == "function":
                tests[payload["id"]] = Test(payload)
            test = tests.get(payload.get("testID"))
            if test is None:
                if payload["kind"] == "issueRecorded" and not payload["issue"]["isKnown"]:
                    others.append(described(payload, {"fileID": "a test", "line": 0}))
                continue
            if payload["kind"] == "testStarted":
                test.start = payload["instant"]["absolute"]
            elif payload["kind"] == "testEnded":
                test.seconds = payload["instant"]["absolute"] - test.start
            elif payload["kind"] == "issueRecorded" and test.issue is None and not payload["issue"]["isKnown"]:
                test.issue = described(payload, {"fileID": test.path, "line": test.line})
    return list(tests.values()), others


def described(issue, place):
    place = issue.get("_sourceLocation") or place
    texts = [message["text"] for message in issue["messages"]]
    return f"{place['fileID']}:{place['line']}: {' '.join(texts)}"


def unfinished(tests, log):
    """Returns the tests that ran when the process ended, first those that a stack trace mentions."""
    running = [test for test in tests if test.start is not None and test.seconds is None]
    frames = [(name, int(line)) for name, line in re.findall(r"\b([\w+]{1,99}\.swift):(\d+)", log)]

    def is_mentioned(test):
        following = [other.line for other in tests if other.path == test.path and other.line > test.line]
        end = min(following, default=sys.maxsize)
        return any(test.path.endswith("/" + name) and test.line <= line < end for name, line in frames)

    return sorted(running, key=lambda test: not is_mentioned(test))


def explain(log, tests, others):
    """Returns the reasons of a failure, and the filters of the tests to run again."""
    running = unfinished(tests, log)[:REASONS]
    failed = [test for test in tests if test.issue is not None][:REASONS]
    reasons = [f"did not end: {test.id}" for test in running]
    reasons += [line for line in log.splitlines() if running and "Fatal error" in line][:1]
    reasons += [test.issue for test in failed] + others[:REASONS]
    filters = [test.filter for test in running + failed]
    for suite, name, message in XCTEST.findall(log)[:REASONS]:
        reasons.append(f"{suite}/{name}: {message}")
        filters.append(f"{suite}/{name}$")
    lines = [line for line in log.splitlines() if line.strip() and not QUOTING.match(line)]
    checks = [line for line in lines if CHECK.search(line)]
    if len(reasons) == len(running):
        reasons += list(dict.fromkeys(sorted(checks, key=lambda line: not LOCATED.match(line))))[:REASONS]
    elif checks and "timed out" in checks[-1]:
        reasons.append(checks[-1])
    return reasons or lines[-REASONS:], list(dict.fromkeys(filters))


def command_for(log, filters, step_command):
    """Returns the command of a step, or its last `swift test` with filters instead of its own."""
    announced = re.findall(r"^=== command:(.* test\b.*)", log, re.M)
    if not announced or not filters:
        seeds = re.findall(r"^SEED=\d+$", log, re.M)
        return " ".join(seeds[-1:] + [step_command])
    words, kept = iter(shlex.split(announced[-1])), []
    for word in words:
        if word in ("--filter", "--skip"):
            next(words)
        elif word != "--skip-build":
            # An assignment stays one only if its name is not quoted.
            name, sign, value = word.partition("=")
            kept.append(f"{name}={shlex.quote(value)}" if sign and name.isidentifier() else shlex.quote(word))
    return f"{' '.join(kept)} --filter '{'|'.join(filters)}'"


def print_table(title, rows):
    """Prints the rows with the largest first column."""
    if rows:
        print(f"=== {title}")
    for *seconds, text in sorted(rows, reverse=True)[:SHOWN]:
        numbers = "".join(f"{value:7}" if isinstance(value, int) else f"{value:7.1f}" for value in seconds)
        print(f"{numbers}  {text}"[:150])


def main(folder, total):
    lines = (folder / "times").read_text().splitlines()
    steps = list({line.split()[0]: line.split(" ", 4) for line in lines}.values())
    logs, tests, builds = {}, {}, []
    for name, *_ in steps:
        log = folder / "logs" / name
        text = log.read_text(errors="replace") if log.exists() else ""
        logs[name] = re.sub(r"\x1b\[[0-9;]*m", "", text)
        tests[name] = read_tests(folder / "events" / name)
        builds += [(float(seconds), f"{name} {product}") for product, seconds in BUILD.findall(logs[name])]
    # Tests that run side by side wait for each other, so their times say little.
    ended = [(test.seconds, f"{name}: {test.id}") for name in tests if "--no-parallel" in logs[name]
             for test in tests[name][0] if test.seconds]
    print_table("the slowest tests of the steps that run one at a time, in seconds", ended)
    print_table("the slowest builds, in seconds", builds)
    print_table(f"the slowest steps, in seconds and processor seconds; {total} s in total",
                [(int(seconds), int(used), name) for name, _, seconds, used, _ in steps])
    failed = [(name, result, command) for name, result, _, _, command in steps if result != "ok"]
    for name, result, command in failed:
        reasons, filters = explain(logs[name], *tests[name])
        if result == "MISSING":
            reasons.insert(0, "the step did not run to its end, because the process that runs the lane ended")
        print(f"FAILED: {name}")
        for reason in reasons:
            print(f"  {reason[:200]}")
        print(f"  run it alone: {command_for(logs[name], filters, command)}")
    if not failed:
        print("everything passed")
    return bool(failed)


sys.exit(main(pathlib.Path(sys.argv[1]), sys.argv[2]))
