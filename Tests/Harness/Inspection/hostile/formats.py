"""Functions that build binaries, archives, and records byte by byte."""

from struct import pack

# ---- ELF

SHT_RELA, SHT_NOTE, SHT_STRTAB = 4, 7, 3


def elf_header(kind, segments=(0, 0), sections=(0, 0), names=0, bits=64, machine=62):
    word = "Q" if bits == 64 else "I"
    identity = b"\x7fELF" + bytes([2 if bits == 64 else 1, 1, 1]) + bytes(9)
    return identity + pack(
        "<HHI" + 3 * word + "IHHHHHH", kind, machine if bits == 64 else 3, 1, 0, segments[0], sections[0], 0,
        64 if bits == 64 else 52, 56 if bits == 64 else 32, segments[1], 64 if bits == 64 else 40, sections[1], names)


def section(name, kind, offset=0, size=0, address=0, flags=2, link=0, info=0, alignment=8, entry=0, bits=64):
    word = "Q" if bits == 64 else "I"
    return pack(
        "<II" + 4 * word + "II" + 2 * word, name, kind, flags, address, offset, size, link, info, alignment, entry)


def segment(kind, offset, address, size, memory=None, flags=6, bits=64):
    memory = size if memory is None else memory
    if bits == 64:
        return pack("<IIQQQQQQ", kind, flags, offset, address, address, size, memory, 8)
    return pack("<IIIIIIII", kind, offset, address, address, size, memory, flags, 8)


def elf_object(parts, names=b"\0.note.registry\0.strings\0"):
    """Returns an object with sections, each as (name's offset, kind, bytes, other members)."""
    start = elf_header(1)
    offset, headers, contents = len(start), [section(0, 0, flags=0, alignment=0)], []
    for name, kind, content, others in parts + [(16, SHT_STRTAB, names, {})]:
        headers.append(section(name, kind, offset, len(content), **others))
        content += bytes(-len(content) % 8)
        contents.append(content)
        offset += len(content)
    if len(headers) < 0xFF00:
        header = elf_header(1, sections=(offset, len(headers)), names=len(headers) - 1)
    else:
        header = elf_header(1, sections=(offset, 0), names=0xFFFF)
        headers[0] = section(0, 0, size=len(headers), link=len(headers) - 1, flags=0, alignment=0)
    return header + b"".join(contents) + b"".join(headers)


def elf_image(content, dynamic, bits=64, notes=None):
    """Returns a shared object with one segment, and a dynamic section of (tag, value) pairs.

    The content begins at 0x1000.
    """
    word, at = ("Q" if bits == 64 else "I"), 0x1000
    table = b"".join(pack("<" + 2 * word, tag, value) for tag, value in dynamic + [(0, 0)])
    size = at + len(content) + len(table)
    segments = segment(1, 0, 0, size, bits=bits) + segment(2, at + len(content), at + len(content), len(table), bits=bits)
    count = 2
    if notes:
        segments += segment(4, notes[0], notes[0], notes[1], bits=bits)
        count += 1
    start = elf_header(3, segments=(64 if bits == 64 else 52, count), bits=bits) + segments
    return start + bytes(at - len(start)) + content + table


# ---- Records, as Documentation/RecordFormat.md describes them

MODULE, SERVICE, ROUTE, NEED, UNKNOWN = 0x6D6F6475, 0x73657276, 0x726F7574, 0x6E656564, 0x6E657721


def record(kind, json, accessor=0):
    json += bytes(8 - len(json) % 8)
    return pack("<III12sQ", 9, 8 + len(json), kind, b"Registry", accessor) + json


def repeated(size, make):
    """Returns the results of `make` for 0, 1, 2, and so on, until they have `size` bytes."""
    pieces, count, number = [], 0, 0
    while count < size:
        pieces.append(make(number))
        count += len(pieces[-1])
        number += 1
    return b"".join(pieces)


def of_records(size, make):
    return elf_object([(1, SHT_NOTE, repeated(size, make), {})])


# ---- Mach-O


def macho(kind, commands, content, start=0x1000):
    size = sum(map(len, commands))
    header = pack("<IIIIIIII", 0xFEEDFACF, 0x01000007, 3, kind, len(commands), size, 0, 0) + b"".join(commands)
    start = max(start, len(header))
    return header + bytes(start - len(header)) + content


def macho_segment(size, sections=b"", count=0, name=b"__DATA"):
    return pack(
        "<II16sQQQQIIII", 0x19, 72 + len(sections), name, 0x10000, size, 0, size, 3, 3, count, 0) + sections


def macho_section(name, offset, size, segment=b"__DATA", relocations=(0, 0), address=None):
    address = 0x10000 + offset if address is None else address
    return pack("<16s16sQQIIIIIIII", name, segment, address, size, offset, 3, relocations[0], relocations[1], 0, 0, 0, 0)


# ---- Archives


def member(name, content):
    return b"%-16s%-12s%-6s%-6s%-8s%-10d`\n" % (name, b"0", b"0", b"0", b"644", len(content)) + content


def archive(size, make):
    return b"!<arch>\n" + repeated(size, make)


def linked(notes, sections, content, dynamic=[]):
    """Returns a shared object with one segment, and with records in a segment of notes.

    The sections are given as (name, offset in the content, size).
    """
    names = b"\0" + b"".join(name + b"\0" for name, _, _ in sections) + b".n\0"
    notes += bytes(-len(notes) % 16)
    image = elf_image(notes + content, dynamic, notes=(0x1000, len(notes)) if notes else None)
    start = len(image) + len(names)
    base = 0x1000 + len(notes)
    headers, at = section(0, 0), 1
    for name, offset, size in sections:
        headers += section(at, 1, base + offset, size, base + offset)
        at += len(name) + 1
    headers += section(at, SHT_STRTAB, len(image), len(names))
    fixed = bytearray(image + names + headers)
    fixed[40:48] = pack("<Q", start)
    fixed[58:64] = pack("<HHH", 64, len(sections) + 2, len(sections) + 1)
    return bytes(fixed)
