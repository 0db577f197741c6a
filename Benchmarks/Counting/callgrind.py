"""Reads the output files of callgrind."""

import re


def costs(path, is_counted=lambda image: True):
    """Returns the instructions of each function without its callees, and the sum of all functions.

    Only images for which `is_counted` returns true are included.
    """
    names = {}
    images = {}
    image = ""
    own = {}
    function = None
    is_call = False
    for line in open(path):
        line = line.rstrip("\n")
        if match := re.match(r"fn=\((\d+)\)(?: (.*))?$", line):
            if match[2] is not None:
                names[match[1]] = match[2]
            function = match[1]
        elif match := re.match(r"cfn=\((\d+)\)(?: (.*))?$", line):
            if match[2] is not None:
                names[match[1]] = match[2]
        elif match := re.match(r"c?ob=\((\d+)\)(?: (.*))?$", line):
            if match[2] is not None:
                images[match[1]] = match[2]
            # A line with `cob=` names the image of the function that is called next.
            if line.startswith("ob="):
                image = images[match[1]]
        elif line.startswith("calls="):
            # The next line has the cost of the call. Skip it, because the called function has lines
            # of its own.
            is_call = True
        elif re.match(r"[+\-*\d]", line) and function is not None:
            fields = line.split()
            if not is_call and len(fields) > 1 and is_counted(image):
                own[function] = own.get(function, 0) + int(fields[1])
            is_call = False
    by_name = {}
    for number, cost in own.items():
        by_name[names[number]] = by_name.get(names[number], 0) + cost
    return by_name, sum(by_name.values())
