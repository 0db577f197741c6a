"""Compares what registry-tool finds in the files of the shop with what the running shop reports.

    agree.py list OUTPUT REPORT     the records: the tool's JSON, and the output of `report_shop`
    agree.py check OUTPUT REPORT    the problems, by code and subject: the tool's JSON
    agree.py graph OUTPUT REPORT    the order of the modules, and the edges of modules, services, and events: DOT

The exit status is 1 if they differ.
"""

import json
import os
import re
import sys


def lines(path):
    """Returns the lines of a file."""
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


def listed(path):
    """Yields the records that the tool lists."""
    with open(path, encoding="utf-8") as file:
        for record in json.load(file)["records"]:
            yield record["kind"], record["accessor"], os.path.basename(record["path"]), json.dumps(record["attributes"])


def reported(path):
    """Yields the records that the process reports."""
    for line in lines(path):
        if line.startswith("record\t"):
            _, kind, source, image, _, attributes = line.split("\t")
            yield kind, source == "accessor", os.path.basename(image), json.dumps(json.loads(attributes))


def problems_of_files(path):
    """Yields the problems that the tool finds, without needs, which the process checks only when it starts."""
    with open(path, encoding="utf-8") as file:
        for problem in json.load(file)["problems"]:
            if problem["severity"] == "error" and problem["code"] != "unmet-need":
                yield problem["code"], problem["subject"]


def problems_of_process(path):
    """Yields the diagnostics of the process, without the one that results from the time of opening a plug-in."""
    for line in lines(path):
        if line.startswith("diagnostic\t") and not line.startswith("diagnostic\ttakeover\t"):
            yield tuple(line.split("\t")[1:])


def unqualified(name):
    """Returns the last part of a name, because records name protocols and events as their code does."""
    return name.rpartition(".")[2]


def drawn(path):
    """Yields the modules with their numbers, and the edges, of a graph."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    # The first line of a node's label is its name.
    names = dict(re.findall(r'^ +(\w+) \[label="([^"\\]+)', text, re.M))
    for name in names.values():
        if numbered := re.match(r"(\d+)\. (.*)", name):
            yield "module", *numbered.groups()
    for first, second, relation in re.findall(r'^ +(\w+) -> (\w+) \[label="(\w+)"', text, re.M):
        first, second = (re.sub(r"^\d+\. ", "", names[node]) for node in (first, second))
        # The part of the graph about needs has the names of Swift modules, not the locations of handlers.
        if relation == "implements" or relation == "handles" and ":" in first:
            yield relation, first, unqualified(second)
        elif relation == "after":
            yield relation, first, second


def section(path, title):
    """Yields the lines of a section of the report, which are indented."""
    everything = lines(path)
    for line in everything[everything.index(title + ":") + 1:]:
        if not line.startswith(" "):
            return
        yield line[2:]


def described(path):
    """Yields the same from the report of the process."""
    for line in section(path, "Modules, in set-up order"):
        number, name, after = re.match(r"(\d+)\. '([^']*)'[^,]*, \w+, priority -?\d+(?:, after (.*))?:", line).groups()
        yield "module", number, name
        for other in re.findall(r"'([^']*)'", after or ""):
            yield "after", name, other
    service = None
    for line in section(path, "Services"):
        if implementation := re.match(r"  .*selected: '([^']*)'", line):
            yield "implements", implementation[1], unqualified(service)
        else:
            service = line
    # Modules subscribe in code, which the files do not show.
    event = None
    for line in section(path, "Events, with their subscribers in calling order"):
        if handler := re.match(r"  \d+\. '([^']*:\d+)[^']*'", line):
            yield "handles", handler[1], unqualified(event)
        elif not line.startswith(" "):
            event = line


def compare(first, second):
    """Prints the differences, and returns the exit status."""
    for item in first:
        if item not in second:
            print("only the tool finds", item)
    for item in second:
        if item not in first:
            print("only the process reports", item)
    return 0 if first == second else 1


command, tool, process = sys.argv[1:]
sources = {
    "list": (listed, reported), "check": (problems_of_files, problems_of_process), "graph": (drawn, described)}
files, running = sources[command]
found = sorted(files(tool))
# A file without records has no problems, but not the reverse.
if not found and command != "check":
    sys.exit("the tool finds nothing")
sys.exit(compare(found, sorted(running(process))))
