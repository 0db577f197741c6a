"""Marks in a module's interface, on standard input, what the oldest supported systems lack: to use it is a warning then.

Linux has all of it and takes no notice of versions of Apple's systems.
"""

import re
import sys

# The oldest iOS that Package.swift names; the other systems of its year go with it.
OLDEST = (15, 0)


def mark(match):
    versions = dict(re.findall(r"(\w+) ([\d.]+)", match[1]))
    if "iOS" not in versions or tuple(map(int, versions["iOS"].split("."))) <= OLDEST:
        return match[0]
    return f'@available(*, deprecated, message: "it came with iOS {versions["iOS"]}, and the package is for older ones, too")'


# Not on conformances, nor on what `for await` calls, nor on the operator that became a requirement besides the function of an extension
# that every system has: the compiler does without those that an old system lacks, and does not take a mark for that.
AVAILABLE = (
    r"@available\(((?:macOS|iOS|watchOS|tvOS|visionOS) [^)]*)\)"
    r"(?!\s+extension [\w.]+ : )(?!\s+[^\n]*func next\(isolation)"
    r"(?!\s+static func &\* \(lhs: Self, rhs: Self\) -> Self\n)"
)
sys.stdout.write(re.sub(AVAILABLE, mark, sys.stdin.read()))
