"""Prints a row with the instructions of one iteration of a loop.

It compares two runs that differ in their number of iterations.

    per_turn.py NAME FUNCTION LESS MORE DIFFERENCE
"""

import subprocess
import sys

from callgrind import costs

name, function, less, more, iterations = sys.argv[1:]
iterations = int(iterations)
(less, less_sum), (more, more_sum) = costs(less), costs(more)


def difference(key):
    return (more.get(key, 0) - less.get(key, 0)) / iterations


def is_caller(key):
    # The compiler merges identical functions into one, whose name is that of any of them and ends
    # with `Tm`.
    return key == function or key.startswith("$s10Benchmarks") and key.endswith("Tm")


def shortly(key):
    key = key.split("'")[0]
    if not key.startswith("$s"):
        return key.split("(")[0].split("<")[0].split(" ")[-1]
    command = ["swift", "demangle", "--simplified", "--compact", key]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    for kind in ("protocol witness", "thunk", "closure"):
        if kind in text:
            return "a " + kind
    return text.split("(")[0].split("<")[0]


callers = [key for key in more if is_caller(key)]
if not callers or more_sum <= less_sum:
    sys.exit(f"error: callgrind counted no instructions in {function}")
others = sorted((key for key in set(more) - set(callers) if difference(key) >= 0.5), key=difference, reverse=True)
elsewhere = ", ".join(f"{difference(key):.0f} {shortly(key)}" for key in others[:5])
print(f"{name:34} {sum(map(difference, callers)):10.0f} {(more_sum - less_sum) / iterations:8.0f}  {elsewhere}")
