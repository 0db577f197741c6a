"""Prints the percentages of the targets and compares them: judge.py SUMMARY LEAST.

The summary is the output of `llvm-cov export -summary-only`. Each line of the other file is a
target and the percentage that it must reach.
"""

import collections
import json
import pathlib
import sys

summary, least = (pathlib.Path(path).read_text() for path in sys.argv[1:])
least = dict(line.split() for line in least.splitlines())
total, run = collections.Counter(), collections.Counter()
for entry in json.loads(summary)["data"][0]["files"]:
    target = entry["filename"].rpartition("/Sources/")[2].split("/")[0]
    total[target] += entry["summary"]["lines"]["count"]
    run[target] += entry["summary"]["lines"]["covered"]
problems = []
print(f"{'lines':>7} {'run':>7} {'%':>6} {'least':>5}  target")
for target in sorted(total.keys() | least.keys()):
    percentage = 100 * run[target] / max(1, total[target])
    limit = least.get(target, "-")
    print(f"{total[target]:7} {run[target]:7} {percentage:6.1f} {limit:>5}  {target}")
    if limit != "-" and percentage < int(limit):
        problems.append(f"error: the tests run {percentage:.1f} % of {target}, and must run {limit} %")
print("\n".join(problems))
sys.exit(1 if problems else 0)
