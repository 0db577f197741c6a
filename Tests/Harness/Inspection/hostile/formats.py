"""Functions that build binaries, archives, and records byte by byte."""

from struct import pack

SHT_RELA, SHT_NOTE, SHT_STRTAB = 4, 7, 3
BASE = 0x1000

# ---- ELF


def elf_header(kind, segments=(0, 0), sections=(0, 0), names=0):
    return b"\x7fELF\2\1\1" + bytes(9) + pack(
        "<HHIQQQIHHHHHH", kind, 62, 1, 0, segments[0], sections[0], 0, 64, 56, segments[1], 64, sections[1], names)


def section(name, kind, offset=0, size=0, address=0, flags=2, link=0, info=0, alignment=8, entry=0):
    return pack("<IIQQQQIIQQ", name, kind, flags, address, offset, size, link, info, alignment, entry)


def segment(kind, offset, size):
    return pack("<IIQQQQQQ", kind, 6, offset, offset, offset, size, size, 8)


def elf_object(parts, names=b"\0.note.registry\0.strings\0"):
    """Returns an object with sections, each as (name's offset, kind, bytes, other members)."""
    offset, headers, contents = len(elf_header(1)), [section(0, 0, flags=0, alignment=0)], []
    for name, kind, content, others in parts + [(16, SHT_STRTAB, names, {})]:
        headers.append(section(name, kind, offset, len(content), **others))
        contents.append(content + bytes(-len(content) % 8))
        offset += len(contents[-1])
    count, last = len(headers), len(headers) - 1
    if count >= 0xFF00:
        headers[0] = section(0, 0, size=count, link=last, flags=0, alignment=0)
        count, last = 0, 0xFFFF
    return elf_header(1, sections=(offset, count), names=last) + b"".join(contents) + b"".join(headers)


def elf_image(content, dynamic=(), notes=0):
    """Returns a shared object with one segment, whose content begins at BASE.

    `dynamic` has pairs of a tag and a value. `notes` is the size of the records in the content.
    """
    table = b"".join(pack("<QQ", *entry) for entry in [*dynamic, (0, 0)])
    end = BASE + len(content)
    segments = segment(1, 0, end + len(table)) + segment(2, end, len(table)) + segment(4, BASE, notes)
    start = elf_header(3, (64, 3)) + segments
    return start + bytes(BASE - len(start)) + content + table


# ---- Mach-O


def macho(kind, commands, content, start=BASE):
    size = sum(map(len, commands))
    header = pack("<IIIIIIII", 0xFEEDFACF, 0x01000007, 3, kind, len(commands), size, 0, 0) + b"".join(commands)
    start = max(start, len(header))
    return header + bytes(start - len(header)) + content


def macho_segment(size, sections=b"", count=0):
    return pack("<II16sQQQQIIII", 0x19, 72 + len(sections), b"__DATA", 0x10000, size, 0, size, 3, 3, count, 0) + sections


def macho_section(name, offset, size, relocations=(0, 0)):
    return pack("<16s16sQQIIIIIIII", name, b"__DATA", 0x10000 + offset, size, offset, 3, *relocations, 0, 0, 0, 0)


def macho_image(name, content, size=None):
    """Returns a library whose content is in a section of that name."""
    part = macho_section(name, BASE, len(content) if size is None else size)
    return macho(6, [macho_segment(BASE + len(content), part, 1)], content)


# ---- Records, as Documentation/RecordFormat.md describes them, and archives

MODULE, SERVICE, ROUTE, NEED, UNKNOWN = 0x6D6F6475, 0x73657276, 0x726F7574, 0x6E656564, 0x6E657721


def record(kind, json, accessor=0):
    json += bytes(8 - len(json) % 8)
    return pack("<III12sQ", 9, 8 + len(json), kind, b"Registry", accessor) + json


def repeated(size, make):
    """Returns the results of `make` for 0, 1, 2, and so on, until they have `size` bytes."""
    pieces, count = [], 0
    while count < size:
        pieces.append(make(len(pieces)))
        count += len(pieces[-1])
    return b"".join(pieces)


def of_records(content):
    return elf_object([(1, SHT_NOTE, content, {})])


def member(name, content):
    return b"%-16s%-12s%-6s%-6s%-8s%-10d`\n" % (name, b"0", b"0", b"0", b"644", len(content)) + content
