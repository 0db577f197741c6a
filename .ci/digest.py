"""Explains failed steps in few lines, at most thirty in all.

    python3 digest.py [--sources FOLDER] (STEP COMMAND LOG)...

For each step it prints the first failed tests or checks, and the command that runs them alone. That
is `swift test --filter` with the flags and the environment of the step, which the log states in a
line that begins with `=== command:`. If no failed test is known, it is the step's own command.

Swift Testing's log names a test by its display name, but a filter needs the names of its target,
its suite, and its function. The sources of the tests provide them.
"""

import pathlib
import re
import shlex
import sys

LINES = 30
REASONS = 5
WIDTH = 200
# A longer filter is hard to read, and the first failures matter most.
FILTERED = 3

TYPE = re.compile(
    r"^(\s*)(?:@.*\s)?(?:(?:public|package|internal|fileprivate|private|open|final|indirect|nonisolated)\s+)*"
    r"(?:struct|class|actor|enum|extension) (`[^`]+`|[A-Z][\w.]*)")
FUNCTION = re.compile(r"^(\s*)(?:.*\s)?func (`[^`]+`|\w+)")
DISPLAYED = re.compile(r'@(?:Test|Suite)\(\s*"((?:[^"\\]|\\.)*)"')
SOURCE = re.compile(r"((?:[^\s:\"'()]*/)?[^\s:/\"'()]+\.swift):(\d+)")
TEST = r'Test ("(?P<said>.*?)"|(?P<called>\w+)\([^)]*\))(?: with \d+ test cases?)?'
STARTED = re.compile(rf"^◇ {TEST} started")
ENDED = re.compile(rf"^[✔✘➜] {TEST} (?:passed|failed|skipped)")
ISSUE = re.compile(rf"^✘ {TEST} (recorded an issue|failed after)")
# An issue on a thread that a test started belongs to no test, and an issue of a trait belongs to a
# suite.
WITHOUT_TEST = re.compile(r"^✘ (?:Test «unknown»|Suite .+?) (recorded an issue|failed after)")
RUN_ENDED = re.compile(r"^\S+ Test run with \d+ test")
XCTEST = re.compile(r"error: (?:-\[)?(?:\w+\.)?(\w+)[. ](test\w+)\]? : ")
SANITIZER = re.compile(r"(?:WARNING|ERROR|SUMMARY): \w+Sanitizer|runtime error: ")
CRASH = re.compile(r"Fatal error|unexpected signal|Precondition failed|Program crashed|Segmentation fault")
CHECK = re.compile(r"^(?:not ok|FAILED|FAIL|MISSED)\b|^(?:\S+: )?error: |^AssertionError|: error: |^[<>] ")
# These lines quote the tests' subjects, so they can contain any word.
QUOTING = re.compile(r"^(?:[◇✔✘➜↳]|\[\d+/\d+\]|swift-section-registry: |=== )")


class Test:
    """A test function, with the range of its lines from its attribute to the next function."""

    def __init__(self, target, suites, name, displayed, file, first):
        self.target, self.suites, self.name, self.displayed = target, suites, name, displayed
        self.file, self.first, self.last = file, first, None

    def filter(self):
        """Returns a regular expression that selects the test, without single quotes."""
        path = "/".join([*self.suites, self.name])
        return f"{self.target}." + re.sub(r"[^\w/` ,:;-]", ".", path)


def read_tests(folders):
    tests = []
    for folder in folders:
        for path in sorted(pathlib.Path(folder).glob("*Tests/**/*.swift")):
            tests += read_file(path, path.relative_to(folder).parts[0])
    return tests


def read_file(path, target):
    tests, types, displayed, attribute, previous = [], [], None, None, None
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        indentation = len(line) - len(line.lstrip())
        if line.lstrip().startswith("//"):
            continue
        has_attribute = re.match(r"\s*(?:@\w+ )*@Test\b", line)
        if not has_attribute and (match := TYPE.match(line)):
            types = [known for known in types if known[0] < indentation] + [(indentation, match[2])]
            attribute = None
            continue
        if has_attribute:
            attribute, displayed = number, None
        if attribute and (match := re.search(r'^\s*"((?:[^"\\]|\\.)*)",$', line)) and number == attribute + 1:
            displayed = match[1]
        if attribute and (match := DISPLAYED.search(line)):
            displayed = match[1]
        match = FUNCTION.match(line)
        if not match:
            continue
        if previous and indentation <= previous[0]:
            previous[1].last = (attribute or number) - 1
            previous = None
        is_test = attribute is not None or match[2].startswith("test")
        if is_test:
            suites = [suite(name) for position, name in types if position < indentation]
            name = match[2]
            test = Test(target, suites, name, displayed or name.strip("`"), path, attribute or number)
            tests.append(test)
            previous = (indentation, test)
        attribute = displayed = None
    return tests


def suite(name):
    """Returns a type's name as it is in a test's path, with backquotes only if they are needed."""
    return name if re.search(r"[^`\w.]", name) else name.strip("`").replace(".", "/")


class Log:
    def __init__(self, path, tests):
        text = pathlib.Path(path).read_text(encoding="utf-8", errors="replace")
        self.lines = re.sub(r"\x1b\[[0-9;]*m", "", text).split("\n") + [""]
        self.tests = tests
        self.reasons, self.failed = [], []

    def named(self, match, line=""):
        """Returns the tests that a line names, preferably in the file that the line mentions."""
        said = match["said"] if match["said"] is not None else match["called"]
        found = [test for test in self.tests if test.displayed == said or test.name == said]
        files = {pathlib.Path(source[1]).name for source in SOURCE.finditer(line)}
        return [test for test in found if test.file.name in files] or found

    def at(self, lines):
        """Returns the tests whose source lines the lines of a crash or race report mention."""
        found = []
        for line in lines:
            for source in SOURCE.finditer(line):
                path, number = pathlib.Path(source[1]), int(source[2])
                for test in self.tests:
                    # A crash report names the file after its module, and a sanitizer gives its
                    # path.
                    if test.file.name == path.name and (len(path.parts) < 2 or test.target in path.parts):
                        if test.first <= number <= (test.last or number) and test not in found:
                            found.append(test)
        return found

    def unfinished(self):
        """Returns the tests that were running when the process ended, the last one first."""
        running = {}
        for line in self.lines:
            if match := STARTED.match(line):
                running[match[1]] = match
            elif match := ENDED.match(line):
                running.pop(match[1], None)
        return list(reversed(running.values()))

    def explain(self):
        """Collects the reasons, the most specific kind first, and the tests to run again."""
        kinds = {"issue": [], "time": [], "crash": [], "sanitizer": [], "check": []}
        seen, comments, suites = set(), {}, []
        for number, line in enumerate(self.lines):
            if match := ISSUE.match(line):
                file = SOURCE.search(line)
                if not {(match[1], file and file[1]), (match[1], not file)} & seen:
                    # An issue states its file, but the end of its test does not.
                    seen |= {(match[1], file and file[1]), (match[1], True)}
                    kinds["issue"].append(line)
                    comment = self.lines[number + 1]
                    if comment.startswith("↳") and "swift-section-registry: " not in comment:
                        comments[line] = comment
                    self.failed += self.named(match, line)
            elif match := WITHOUT_TEST.match(line):
                if match[1] == "recorded an issue":
                    kinds["issue"].append(line)
                    self.failed += self.at([line])
                else:
                    suites.append(line)
            elif match := XCTEST.search(line):
                kinds["issue"].append(line)
                self.failed += [test for test in self.tests if (test.suites[-1:], test.name) == ([match[1]], match[2])]
            elif QUOTING.match(line):
                continue
            elif line.startswith("timed out after"):
                kinds["time"].append(line)
            elif SANITIZER.search(line):
                kinds["sanitizer"].append(line)
            elif CRASH.search(line):
                kinds["crash"].append(line)
            elif CHECK.search(line):
                kinds["check"].append((number, line))
        # Programs that tests run also print errors. Lines before the tests come from the compiler,
        # and lines after them come from the step.
        first = next((number for number, line in enumerate(self.lines) if STARTED.match(line)), len(self.lines))
        ends = [number for number, line in enumerate(self.lines) if RUN_ENDED.match(line)]
        last = ends[-1] if ends else len(self.lines)
        check = [line for number, line in kinds["check"] if not first < number <= last]
        if len(kinds["issue"]) * 2 <= REASONS:
            kinds["issue"] = [line for issue in kinds["issue"] for line in (issue, comments.get(issue)) if line]
        unfinished = self.unfinished() if kinds["time"] or kinds["crash"] else []
        if not self.failed:
            crash = next((number for number, line in enumerate(self.lines)
                          if not QUOTING.match(line) and (CRASH.search(line) or SANITIZER.search(line))), None)
            if crash is not None:
                self.failed = self.at(self.lines[crash:crash + 120])
            if not self.failed and (kinds["time"] or crash is not None):
                for match in unfinished:
                    self.failed += self.named(match)
        running = []
        if unfinished:
            names = [match[1] for match in unfinished]
            running = [f"running at the end: {', '.join(names[:FILTERED])}"
                       + (f", and {len(names) - FILTERED} more" if len(names) > FILTERED else "")]
        self.reasons = kinds["issue"] + kinds["time"] + running + kinds["sanitizer"] + kinds["crash"] + check
        if not self.reasons:
            # A suite that fails because of its tests adds no information.
            self.reasons = suites
        if not self.reasons:
            self.reasons = [line for line in self.lines if line.strip() and not QUOTING.match(line)][-REASONS:]
        self.reasons = list(dict.fromkeys(line.strip() for line in self.reasons))
        self.failed = list(dict.fromkeys(self.failed))

    def command(self, step_command):
        """Returns the command that runs the failed tests alone."""
        announced = [line for line in self.lines
                     if line.startswith("=== command:") and not line.startswith("=== command: bash ")]
        if not announced or not self.failed:
            return step_command
        try:
            words, kept = iter(shlex.split(announced[-1].split(":", 1)[1])), []
        except ValueError:
            # The log ends in the middle of this line.
            return step_command
        for word in words:
            if word in ("--filter", "--skip"):
                next(words)
            elif word != "--skip-build":
                kept.append(quoted(word))
        return " ".join(kept) + f" --filter '{'|'.join(test.filter() for test in self.failed[:FILTERED])}'"


def quoted(word):
    """Quotes a word for a shell, and keeps an assignment an assignment."""
    if match := re.fullmatch(r"(\w+)=(.*)", word, re.S):
        return f"{match[1]}={shlex.quote(match[2])}"
    return shlex.quote(word)


def cut(line):
    return line if len(line) <= WIDTH else line[:WIDTH - 1] + "…"


def main(arguments):
    folders = ["Tests", "Examples/Shop/Tests"]
    if arguments[:1] == ["--sources"]:
        folders, arguments = [arguments[1]], arguments[2:]
    tests = read_tests(folders)
    steps = [arguments[start:start + 3] for start in range(0, len(arguments), 3)]
    shown = steps[:(LINES - 1) // 3] if len(steps) * 3 > LINES else steps
    reasons = max(1, min(REASONS, LINES // len(shown) - 2))
    for name, command, path in shown:
        print(f"FAILED: {name}")
        try:
            log = Log(path, tests)
            log.explain()
            command = log.command(command)
            lines = log.reasons[:reasons]
        except Exception as error:
            # A log that cannot be explained must not hide the other steps.
            lines = [f"its log cannot be explained: {error!r}"]
        for line in lines:
            print(f"  {cut(line)}")
        print(f"  run it alone: {command}")
    if len(shown) < len(steps):
        print(cut("also FAILED: " + ", ".join(name for name, _, _ in steps[len(shown):])))


main(sys.argv[1:])
