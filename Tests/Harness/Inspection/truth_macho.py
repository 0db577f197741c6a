"""Compares slices, sections, contents, pointers, and classes of Mach-O files with llvm-objdump."""

import os
import re
import subprocess
import zlib

import printed


def objdump(*arguments):
    command = [os.environ["OBJDUMP"], "--macho", *arguments]
    return subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=120, check=True).stdout


def differences(path, rows, counts):
    with open(path, "rb") as file:
        data = file.read()
    slices = universal(path)
    if slices is None:
        if len(rows) != 1 or (rows[0]["start"], rows[0]["size"]) != (0, len(data)):
            yield f"the file is thin, but the reader finds {len(rows)} binaries"
            return
    else:
        ours = [(row["architecture"], row["start"], row["size"]) for row in rows]
        if ours != slices:
            yield f"slices: {ours}, llvm-objdump: {slices}"
            return
        counts["slices"] = counts.get("slices", 0) + len(slices)
    for row in rows:
        arch = ["--arch=" + row["architecture"]]
        name = row["architecture"]
        for difference in sections(path, row, arch, data, counts):
            yield f"{name}: {difference}"
        for difference in pointers(path, row, arch, data, counts):
            yield f"{name}: {difference}"
        for difference in classes(path, row, arch, counts):
            yield f"{name}: {difference}"


def universal(path):
    """Returns the name, offset, and size of each slice, or None if the file is thin."""
    text = objdump("--universal-headers", path)
    if "Fat headers" not in text:
        return None
    fields = {key: re.findall(rf"^ *{key} (.+)$", text, re.M) for key in ("architecture", "offset", "size")}
    return list(zip(fields["architecture"], map(int, fields["offset"]), map(int, fields["size"])))


def stated_sections(path, arch):
    """Returns each section's segment and name, address, size, and offset.

    The offset is None if the section has no bytes in the file.
    """
    found = []
    fileless = False
    for block in re.split(r"^(?=Load command|Section$)", objdump("--private-headers", *arch, path), flags=re.M):
        field = dict(re.findall(r"^ *(\w+) (.+)$", block, re.M))
        if block.startswith("Section"):
            # In files of debug symbols, most sections have no bytes. A section cannot be at the
            # offset of the header.
            offset = int(field["offset"])
            if "ZEROFILL" in field["type"] or fileless or offset == 0:
                offset = None
            name = f"{field['segname']},{field['sectname']}"
            found.append([name, int(field["addr"], 16), int(field["size"], 16), offset])
        elif field.get("cmd", "").startswith("LC_SEGMENT"):
            fileless = field["filesize"] == "0"
    return found


def sections(path, row, arch, data, counts):
    stated = stated_sections(path, arch)
    ours = [[piece["name"], piece["address"], piece["size"], piece.get("offset")] for piece in row["sections"]]
    counts["sections"] = counts.get("sections", 0) + len(stated)
    if ours != stated:
        for one, other in zip(ours, stated):
            if one != other and not (one[:3] == other[:3] and one[2] == 0):
                yield f"section {one}, llvm-objdump: {other}"
        if len(ours) != len(stated):
            yield f"{len(ours)} sections, llvm-objdump: {len(stated)}"
            return
    for piece, (name, address, size, offset) in zip(row["sections"], stated):
        if offset is None:
            continue
        start = row["start"] + offset
        crc = zlib.crc32(data[start : start + size])
        given = [piece.get("crc")]
        if row["type"] != "other":
            # Files of debug symbols are not loaded, so their addresses refer to nothing.
            given.append(piece.get("crcByAddress", crc))
        if given.count(crc) != len(given):
            yield f"the contents of {name} differ"
        counts["contents"] = counts.get("contents", 0) + 1
    if row["size"] <= printed.LIMIT:
        text = objdump(*arch, "--full-contents", path)
        yield from printed.differences(text, row["sections"], counts)


LINE = re.compile(r"^(\S+) +(\S+) +0x([0-9A-Fa-f]+) +(.*)$", re.M)


def pointers(path, row, arch, data, counts):
    """Compares each pointer of the reader with the rebases and binds that llvm-objdump prints.

    A pointer that the reader skipped must be null.
    """
    if row["type"] not in ("executable", "library", "bundle"):
        return
    rebased, bound, maybe, values = set(), {}, {}, {}
    size = 8 if row["is64Bit"] else 4
    for segment, section, address, rest in LINE.findall(objdump("--dyld-info", *arch, path)):
        # With chained fixups, a line has the pointer and its type, and then the addend, library,
        # and symbol, or the address.
        words = rest.split()
        if words[1] == "bind":
            bound[int(address, 16)] = (words[4], int(words[2], 16))
        elif words[1] == "rebase":
            # The highest byte is a tag and not part of the address.
            values[int(address, 16)] = int(words[-1], 16) & 0xFFFFFFFFFFFFFF
    for segment, section, address, rest in LINE.findall(objdump("--rebase", *arch, path)):
        rebased.add(int(address, 16))
    for segment, section, address, rest in LINE.findall(objdump("--bind", *arch, path)):
        words = rest.split()
        bound[int(address, 16)] = (words[3], int(words[1]))
    for segment, section, address, rest in LINE.findall(objdump("--lazy-bind", *arch, path)):
        maybe[int(address, 16)] = (rest.split()[1], 0)
    for segment, section, address, rest in LINE.findall(objdump("--weak-bind", *arch, path)):
        if rest.split()[0] == "pointer":
            maybe[int(address, 16)] = (rest.split()[2], int(rest.split()[1]))

    given = {pointer["at"]: pointer for pointer in row["pointers"]}
    ranges = []
    for piece in row["sections"]:
        if piece.get("offset") and piece["address"] and piece["name"].startswith(("__DATA", "__AUTH")):
            ranges.append((piece, range(piece["address"], piece["address"] + min(piece["size"] // size, 2000) * size, size)))
    for piece, places in ranges:
        for place in places:
            pointer = given.get(place, {})
            if "error" in pointer:
                yield f"pointer at {place:#x}: {pointer['error']}"
                continue
            offset = row["start"] + piece["offset"] + place - piece["address"]
            raw = int.from_bytes(data[offset : offset + size], "little")
            symbol = (pointer.get("symbol"), pointer.get("addend"))
            address = pointer.get("address", 0)
            counts["pointers of Mach-O"] = counts.get("pointers of Mach-O", 0) + 1
            if place in bound:
                counts["pointers of Mach-O to other images"] = counts.get("pointers of Mach-O to other images", 0) + 1
                agrees = symbol == bound[place]
                expected = bound[place]
            elif place in maybe:
                agrees = symbol == maybe[place] or (symbol[0] is None and address == raw)
                expected = maybe[place]
            elif place in values:
                counts["pointers of Mach-O in chains"] = counts.get("pointers of Mach-O in chains", 0) + 1
                agrees = symbol[0] is None and address == values[place]
                expected = hex(values[place])
            else:
                agrees = symbol[0] is None and address == raw
                expected = hex(raw)
            if not agrees:
                yield f"pointer at {place:#x}: {symbol if symbol[0] else hex(address)}, llvm-objdump: {expected}"


def classes(path, row, arch, counts):
    if not any(piece["name"].endswith(",__objc_classlist") for piece in row["sections"]):
        return
    if row["type"] not in ("executable", "library", "bundle"):
        return
    names, seen = set(), False
    for line in objdump("--objc-meta-data", *arch, path).splitlines():
        if line.startswith("Contents of"):
            seen = ",__objc_classlist)" in line
        # This is the class's own name, not that of a method or of its metaclass, which has the same
        # name.
        found = seen and re.match(r"^ {20,} name 0x[0-9a-f]+ (\S+)$", line)
        if found:
            names.add(found[1])
    ours = set(row.get("objectiveCClasses") or [])
    counts["classes of Objective-C"] = counts.get("classes of Objective-C", 0) + len(names)
    if ours != names:
        yield f"classes: only the reader has {sorted(ours - names)[:5]}, only llvm-objdump {sorted(names - ours)[:5]}"
