"""Prints a row: what one turn of a loop takes, from two runs that differ in their number of turns.

    per_turn.py NAME FUNCTION LESS MORE DIFFERENCE
"""

import sys

from callgrind import costs

name, function, less, more, turns = sys.argv[1:]
turns = int(turns)
(less, less_sum), (more, more_sum) = costs(less), costs(more)


def difference(key):
    return (more.get(key, 0) - less.get(key, 0)) / turns


callers = [key for key in more if key.split("'")[0] == function]
if not callers or more_sum <= less_sum:
    sys.exit(f"error: nothing was counted in {function}")
others = sorted((key for key in set(more) - set(callers) if difference(key) >= 0.5), key=difference, reverse=True)
elsewhere = ", ".join(f"{difference(key):.0f} {key.split('@')[0].split(chr(39))[0][:40]}" for key in others[:4])
print(f"{name:34} {sum(map(difference, callers)):10.0f} {(more_sum - less_sum) / turns:8.0f}  {elsewhere}")
