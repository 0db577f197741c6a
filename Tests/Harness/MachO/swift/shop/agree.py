"""Compares what registry-tool finds in the files of the shop with what the running shop reports.

    agree.py records LIST REPORT    the records: the tool's JSON, and the lines of `report_shop`
    agree.py order GRAPH VISIT      the order of the modules: the tool's graph, and a visit
"""

import json
import os
import re
import sys


def listed(path):
    """Yields the records that the tool lists."""
    with open(path, encoding="utf-8") as file:
        for record in json.load(file)["records"]:
            yield record["kind"], record["accessor"], os.path.basename(record["path"]), json.dumps(record["attributes"])


def reported(path):
    """Yields the records that the process reports."""
    with open(path, encoding="utf-8") as file:
        for line in file:
            kind, source, image, attributes = line.rstrip("\n").split("\t")
            yield kind, source == "accessor", os.path.basename(image), json.dumps(json.loads(attributes))


def compare(first, second):
    """Prints the differences, and returns the exit status."""
    for item in first:
        if item not in second:
            print("only the tool finds", item)
    for item in second:
        if item not in first:
            print("only the process reports", item)
    return 0 if first == second and first else 1


command, tool, process = sys.argv[1:]
if command == "records":
    sys.exit(compare(sorted(listed(tool)), sorted(reported(process))))
with open(tool, encoding="utf-8") as graph, open(process, encoding="utf-8") as visit:
    order = re.findall(r'label="\d+\. ([\w.]+)', graph.read())
    lines = visit.read().split("Modules, in order:\n")[1].split("Services found:")[0]
    sys.exit(compare(order, re.findall(r"^  ([\w.]+) ", lines, re.M)))
