"""Compares sections, contents, notes, pointers, and Swift types of ELF files with readelf."""

import os
import re
import subprocess
import zlib

import printed

WORD = 8


def run(program, *arguments):
    return subprocess.run(
        [os.environ.get(program, program), *arguments], capture_output=True, text=True, errors="replace", timeout=120
    ).stdout


def differences(path, rows, counts):
    if len(rows) != 1 or "member" in rows[0]:
        yield f"the reader finds {len(rows)} binaries instead of one"
        return
    row = rows[0]
    with open(path, "rb") as file:
        data = file.read()
    text = run("READELF", "-W", "--sections", "--segments", "--relocs", "--file-header", path)
    yield from sections(row, text, data, counts)
    if len(data) <= printed.LIMIT:
        yield from printed.differences(run("OBJDUMP", "--full-contents", path), row["sections"], counts)
    yield from notes(path, row, text, data, counts)
    yield from pointers(row, text, data, counts)
    yield from swift(path, row, data, counts)


SECTION = re.compile(
    r"^  \[ *(\d+)\] (.*?) +([A-Z_0-9]+|[0-9a-f]+: <unknown>|LOOS\S*) +([0-9a-f]{8,16}) ([0-9a-f]{6,}) ([0-9a-f]{6,}) ", re.M
)


def sections(row, text, data, counts):
    stated = [
        [name.strip(), int(address, 16), int(size, 16), int(offset, 16) if kind != "NOBITS" and int(size, 16) else None]
        for number, name, kind, address, offset, size in SECTION.findall(text)
        if number != "0"
    ]
    number = re.search(r"Number of section headers: +(\d+)", text)
    if number and int(number[1]) not in (0, len(stated) + 1):
        yield f"readelf reports {number[1]} sections, but only {len(stated)} could be parsed"
        return
    # The first section header is a placeholder.
    ours = row["sections"][1:]
    isObject = row["type"] == "object"
    if len(ours) != len(stated):
        yield f"{len(ours)} sections, readelf: {len(stated)}"
        return
    counts["sections"] = counts.get("sections", 0) + len(stated)
    for piece, (name, address, size, offset) in zip(ours, stated):
        # Objects have no addresses, so the reader assigns some.
        mine = [piece["name"], address if isObject else piece["address"], piece["size"], piece.get("offset")]
        if size == 0:
            # The offset of a section without bytes has no meaning.
            mine[3] = None
        if mine != [name, address, size, offset]:
            yield f"section {mine}, readelf: {[name, address, size, offset]}"
        elif offset is not None:
            counts["contents"] = counts.get("contents", 0) + 1
            crc = zlib.crc32(data[offset : offset + size])
            if piece.get("crc") != crc or piece.get("crcByAddress", crc) != crc:
                yield f"the contents of {name} differ"


def notes(path, row, text, data, counts):
    """Checks that the reader searches all notes that a loader maps."""
    if row["type"] == "object":
        return
    segments = re.findall(r"^  NOTE +0x([0-9a-f]+) 0x[0-9a-f]+ 0x[0-9a-f]+ 0x([0-9a-f]+) ", text, re.M)
    covered = set()
    for piece in row["records"]:
        covered.update(range(piece["offset"], piece["offset"] + piece["size"], 4))
        crc = zlib.crc32(data[piece["offset"] : piece["offset"] + piece["size"]])
        if piece["crc"] != crc:
            yield f"the contents of {piece['name']} differ"
    for offset, size in segments:
        missing = set(range(int(offset, 16), int(offset, 16) + int(size, 16), 4)) - covered
        if missing:
            yield f"the reader does not search the notes at {min(missing):#x}"
    # Compare the notes one by one, as readelf prints them. Notes in sections outside these segments
    # are only for tools.
    for block in run("READELF", "-W", "--notes", path).split("Displaying notes found in: ")[1:]:
        name = block.split("\n")[0]
        places = [piece["offset"] for piece in row["sections"] if piece["name"] == name and "offset" in piece]
        if not any(int(offset, 16) <= place < int(offset, 16) + int(size, 16) for place in places for offset, size in segments):
            continue
        for owner in re.findall(r"^  (\S+) +0x[0-9a-f]{8}\t", block, re.M):
            counts["notes"] = counts.get("notes", 0) + 1
            if not any(owner.encode() + b"\0" in data[p["offset"] : p["offset"] + p["size"]] for p in row["records"]):
                yield f"the note of {owner} is not in the searched ranges"


RELOCATION = re.compile(r"^([0-9a-f]{8,16})  [0-9a-f]{8,16} (R_\S+) +(.*)$", re.M)


def pointers(row, text, data, counts):
    if row["type"] == "object" or not row["is64Bit"]:
        return
    relocated = {int(place, 16): (kind, rest.split()) for place, kind, rest in RELOCATION.findall(text)}
    given = {pointer["at"]: pointer for pointer in row["pointers"]}
    for piece in row["sections"]:
        if piece["name"] not in (".init_array", ".fini_array", ".data.rel.ro", ".got", ".got.plt", ".data"):
            continue
        if piece.get("offset") is None or not piece["address"]:
            continue
        for place in range(piece["address"], piece["address"] + min(piece["size"] // WORD, 2000) * WORD, WORD):
            pointer = given.get(place, {})
            kind, words = relocated.get(place, (None, []))
            offset = piece["offset"] + place - piece["address"]
            raw = int.from_bytes(data[offset : offset + WORD], "little")
            if kind is None:
                expected = ("address", raw)
            elif kind.endswith("_RELATIVE"):
                expected = ("address", int(words[-1], 16) % 2**64)
            elif kind.endswith(("_GLOB_DAT", "_JUMP_SLOT", "_JUMP_SLO", "_64", "_ABS64")) and len(words) > 2:
                # A function that selects an implementation at load time has a name here instead of
                # a value.
                value = int(words[0], 16) if re.fullmatch("[0-9a-f]+", words[0]) else 0
                expected = ("symbol", words[1].split("@")[0], value, words[3:] and int("".join(words[2:]), 16) or 0)
            else:
                continue
            counts["pointers of ELF"] = counts.get("pointers of ELF", 0) + 1
            if "error" in pointer:
                yield f"pointer at {place:#x}: {pointer['error']}"
            elif expected[0] == "address":
                if "symbol" in pointer or pointer.get("address", 0) != expected[1]:
                    yield f"pointer at {place:#x}: {pointer}, readelf: {expected[1]:#x} {kind or 'not relocated'}"
            else:
                _, name, value, addend = expected
                isSymbol = (pointer.get("symbol"), pointer.get("addend")) == (name, addend)
                # The reader can also give the address of a symbol that the image itself defines.
                isAddress = value != 0 and "symbol" not in pointer and pointer.get("address") == value + addend
                counts["pointers of ELF to symbols"] = counts.get("pointers of ELF to symbols", 0) + 1
                if not isSymbol and not isAddress:
                    yield f"pointer at {place:#x}: {pointer}, readelf: {kind} {name} + {addend}"


NOMINAL = re.compile(r"^nominal type descriptor for (.+)$")


def swift(path, row, data, counts):
    """Compares the types that the section lists with those whose descriptors have symbols."""
    types = row.get("swiftTypes")
    if not types:
        return
    counts["Swift types"] = counts.get("Swift types", 0) + len(types)
    listed = set()
    for piece in row["sections"]:
        if piece["name"].startswith("swift5_type_metadata"):
            for at in range(0, piece["size"], 4):
                offset = int.from_bytes(data[piece["offset"] + at :][:4], "little", signed=True)
                listed.add(piece["address"] + at + (offset & ~3))
    names = {}
    for line in run("READELF", "-W", "--syms", path).splitlines():
        words = line.split()
        if len(words) == 8 and words[7].startswith("$s") and words[7].endswith("Mn") and int(words[1], 16) in listed:
            names[words[7]] = None
    demangled = subprocess.run(
        ["swift", "demangle", "--compact"], input="\n".join(names), capture_output=True, text=True, check=True
    ).stdout
    found = [NOMINAL.match(line) for line in demangled.splitlines()]
    stated = {plain(match[1]) for match in found if match}
    # Types that are local to functions have no plain name, and imported C types have another name
    # in symbols.
    stated = {name for name in stated if name and not name.startswith("__C.")}
    missing = sorted(stated - set(types))
    if missing:
        yield f"{len(missing)} Swift types are missing: {missing[:5]}"
    # If every type has a symbol, the reader must not find more types.
    if row["type"] != "object" and len(names) == len(listed):
        more = sorted(name for name in set(types) - stated if not name.startswith("__C."))
        if len(more) > len([match for match in found if match and not plain(match[1])]):
            yield f"Swift types that no symbol has: {more[:5]}"
    counts["Swift types with a symbol"] = counts.get("Swift types with a symbol", 0) + len(stated)


def plain(name):
    """Returns a type's path, or None if the type is local to a function or has no plain name."""
    while True:
        shorter = re.sub(r"\(extension in [^()]+\):", "", name)
        shorter = re.sub(r"\((\w+) in [^()]+\)", r"\1", shorter)
        shorter = re.sub(r"<[^<>]*>", "", shorter)
        if shorter == name:
            return name if re.fullmatch(r"[\w.]+", name) else None
        name = shorter
