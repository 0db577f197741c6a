#!/usr/bin/env python3
"""Compares a list of records in files with the records that a running process reports.

    compare.py shop|images LIST OUTPUT

LIST is the output of `registry-tool list --format json`. OUTPUT is that of the example's --report
option, or of the Mach-O tests' runner with --print. Prints the differences.
"""
import json
import os
import sys
from collections import Counter


def canonical(text):
    """Returns JSON in a canonical form, and any other text unchanged."""
    try:
        return json.dumps(json.loads(text, object_pairs_hook=lambda pairs: {"members": pairs}))
    except ValueError:
        return text


def listed(kind, path):
    data = json.load(open(path), object_pairs_hook=lambda pairs: dict(pairs))
    assert data["version"] == 1, data["version"]
    # This pass keeps the order of the attributes' members.
    ordered = json.load(open(path), object_pairs_hook=lambda pairs: {"members": pairs})
    raw = [dict(row["members"])["attributes"] for row in dict(ordered["members"])["records"]]
    records = Counter()
    for row, attributes in zip(data["records"], raw):
        assert row["source"] == "registry", row
        said = json.dumps(attributes) if attributes is not None else row["text"]
        records[(os.path.realpath(row["path"]), row["kind"], row["accessor"] if kind == "images" else None, said)] += 1
    counts = {os.path.realpath(image["path"]): image["records"] for image in data["images"]}
    return records, counts


def said(kind, path):
    records = Counter()
    for line in open(path, encoding="utf-8").read().split("\n"):
        fields = line.split("\t")
        if kind == "shop" and len(fields) == 3:
            name, image, text = fields
            source = None
        elif kind == "images" and len(fields) == 4:
            image, name, source, text = fields
        else:
            assert not line or fields[1] == "problem", f"neither a record nor a problem: {line}"
            continue
        records[(os.path.realpath(image), name, source and source == "accessor", canonical(text))] += 1
    return records


kind, list_path, output_path = sys.argv[1:]
(files, counts), process = listed(kind, list_path), said(kind, output_path)
for record in sorted((files - process).elements()):
    print("found only in the files:", *record)
for record in sorted((process - files).elements()):
    print("found only in the process:", *record)
images = {record[0] for record in process}
print(f"{sum(files.values())} records in {len(images)} of {len(counts)} images")
# Two empty sets of records would prove nothing.
sys.exit(0 if files == process and files and images <= set(counts) else 1)
