"""Prints a row: what one turn of a loop takes, from two runs that differ in their number of turns.

    per_turn.py NAME FUNCTION LESS MORE DIFFERENCE
"""

import subprocess
import sys

from callgrind import costs

name, function, less, more, turns = sys.argv[1:]
turns = int(turns)
(less, less_sum), (more, more_sum) = costs(less), costs(more)


def difference(key):
    return (more.get(key, 0) - less.get(key, 0)) / turns


def is_caller(key):
    # Of functions that are the same the compiler makes one, `Tm`, under the name of any of them.
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
    sys.exit(f"error: nothing was counted in {function}")
others = sorted((key for key in set(more) - set(callers) if difference(key) >= 0.5), key=difference, reverse=True)
elsewhere = ", ".join(f"{difference(key):.0f} {shortly(key)}" for key in others[:5])
print(f"{name:34} {sum(map(difference, callers)):10.0f} {(more_sum - less_sum) / turns:8.0f}  {elsewhere}")
