"""Marks declarations that the oldest supported systems lack, so that uses of them are warnings.

Reads a module's interface from standard input and writes it to standard output. Linux has all
declarations, and the compiler ignores the versions of Apple's systems there.
"""

import re
import sys

# The oldest iOS version in Package.swift. The other systems' versions of the same year correspond
# to it.
OLDEST = (15, 0)


def mark(match):
    versions = dict(re.findall(r"(\w+) ([\d.]+)", match[1]))
    if "iOS" not in versions or tuple(map(int, versions["iOS"].split("."))) <= OLDEST:
        return match[0]
    return f'@available(*, deprecated, message: "it is new in iOS {versions["iOS"]}, but the package supports older ones")'


# The expression skips conformances, the function that `for await` calls, and an operator that
# became a requirement in addition to an extension's function, which every system has. The compiler
# itself avoids those that an old system lacks, but it decides by their versions and not by this
# mark.
AVAILABLE = (
    r"@available\(((?:macOS|iOS|watchOS|tvOS|visionOS) [^)]*)\)"
    r"(?!\s+extension [\w.]+ : )(?!\s+[^\n]*func next\(isolation)"
    r"(?!\s+static func &\* \(lhs: Self, rhs: Self\) -> Self\n)"
)
sys.stdout.write(re.sub(AVAILABLE, mark, sys.stdin.read()))
