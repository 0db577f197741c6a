"""Prints the percentages of the targets and compares them: judge.py SUMMARY LEAST.

The summary is the output of `llvm-cov export -summary-only`. Each line of the other file is a
target and the percentage that it must reach.
"""

import collections
import json
import sys

SUMMARY, LEAST = sys.argv[1:]


def main():
    with open(SUMMARY, encoding="utf-8") as file:
        files = json.load(file)["data"][0]["files"]
    with open(LEAST, encoding="utf-8") as file:
        least = dict(line.split() for line in file)
    total, run = collections.Counter(), collections.Counter()
    for entry in files:
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


main()
