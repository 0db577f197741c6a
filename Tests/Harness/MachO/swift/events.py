"""Prints a line for each test of a run of Swift Testing, from its event stream.

    events.py STREAM

A test that recorded an issue, that did not end, or that skipped itself failed. Tests in `exceptions` are not part of
the run.
"""

import json
import re
import sys

names, issues, ended, skipped, over = {}, {}, set(), set(), False
for line in open(sys.argv[1], encoding="utf-8"):
    try:
        entry = json.loads(line)
    except json.JSONDecodeError:
        # The process ended in the middle of a line.
        continue
    payload = entry["payload"]
    if entry["kind"] == "test":
        if payload["kind"] == "function":
            names[payload["id"]] = re.sub(r"/[^/]*\.swift:\d+:\d+$", "", payload["id"]).replace("`", "")
        continue
    kind, test = payload["kind"], payload.get("testID")
    if kind == "testEnded":
        ended.add(test)
    elif kind == "testSkipped":
        skipped.add(test)
    elif kind == "runEnded":
        over = True
    elif kind == "issueRecorded" and not payload["issue"]["isKnown"]:
        texts = [message["text"] for message in payload["messages"]]
        place = payload["issue"].get("sourceLocation") or {}
        issues.setdefault(test, []).append(f"{place.get('fileID')}:{place.get('line')}: {' '.join(texts)}")
failed = not over or not names
for test, name in sorted(names.items(), key=lambda pair: pair[1]):
    problems = issues.pop(test, [])
    if test in skipped:
        problems.append("the test skipped itself; list it in exceptions with a reason")
    elif test not in ended:
        problems.append("the test did not end")
    for problem in problems[:5]:
        print("        " + " ".join(problem.split())[:500])
    failed = failed or bool(problems)
    print(f"{'FAILED' if problems else 'ok    '}  {name}")
for test, problems in issues.items():
    failed = True
    print("        " + " ".join(problems[0].split())[:500])
    print(f"FAILED  {test}")
if not over:
    print("FAILED  the run did not end")
sys.exit(1 if failed else 0)
