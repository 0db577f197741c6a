"""Mach-O files that repeat one structure."""

import base64
from struct import pack

from cases import case
from formats import *


@case
def sections_of_macho(size):
    count = size // 80
    entries = b"".join(macho_section(b"s%015d" % number, 0, 0, address=0x10000) for number in range(count))
    return macho(6, [macho_segment(size + 0x2000, entries, count)], b"", size + 0x2000)


@case
def segments_of_macho(size):
    command = pack("<II16sQQQQIIII", 0x19, 72, b"a segment's name", 0x10000, 0, 0, 0, 3, 3, 0, 0)
    return macho(6, [command] * (size // 72), b"")


@case
def bind_opcodes(size):
    # The opcodes name a symbol, and then set an addend and bind a pointer, again and again.
    pairs = b"\x60\x01\x90\x60\x02\x90" * (size // 16 // 2)
    opcodes = b"\x40a\0\x51\x70\0" + pairs + b"\0"
    section = macho_section(b"__reg_modules", 0x1000, 40)
    content = record(MODULE, b'{"module":"A.B"}', 1)
    start = 0x1000 + len(content)
    info = pack("<12I", 0x80000022, 48, 0, 0, start, len(opcodes), 0, 0, 0, 0, 0, 0)
    section = macho_section(b"__reg_modules", 0x1000, len(content))
    total = max(size, start + len(opcodes))
    content += opcodes
    return macho(6, [macho_segment(total, section, 1), info], content + bytes(total - 0x1000 - len(content)))


@case
def relocations_of_macho(size):
    content = record(MODULE, b'{"module":"A.B"}', 1)
    start, count = 0x1000 + len(content), size // 8
    table = pack("<II", 24, 0x0E000001) * count
    section = macho_section(b"__reg_modules", 0x1000, len(content), relocations=(start, count))
    return macho(1, [macho_segment(0x1000 + len(content), section, 1)], content + table)


@case
def modules_of_BeeHive(size):
    count = size // 16
    texts = 0x1000 + 8 * count
    content = b"".join(pack("<Q", 0x10000 + texts + 8 * number) for number in range(count))
    content += b"".join(b"%07x\0" % number for number in range(count))
    section = macho_section(b"BeehiveMods", 0x1000, 8 * count)
    return macho(6, [macho_segment(0x1000 + len(content), section, 1)], content)


@case
def modules_of_BeeHive_in_one_another(size):
    # Three names share nine bytes, because each is a suffix of the previous one.
    count = size // 33
    texts = 0x11000 + 24 * count
    content = b"".join(pack("<QQQ", *(texts + 9 * number + end for end in range(3))) for number in range(count))
    names = (number * 2654435761 % (1 << 48) for number in range(count))
    content += b"".join(base64.b64encode(name.to_bytes(6, "big")) + b"\0" for name in names)
    section = macho_section(b"BeehiveMods", 0x1000, 24 * count)
    return macho(6, [macho_segment(0x1000 + len(content), section, 1)], content)


@case
def services_of_BeeHive(size):
    count = size // 24
    texts = 0x11000 + 8 * count
    content = b"".join(pack("<Q", texts + 16 * number) for number in range(count))
    content += b"".join(b'{"%07x":"A"}' % number + b"\0" for number in range(count))
    section = macho_section(b"BeehiveServices", 0x1000, 8 * count)
    return macho(6, [macho_segment(0x1000 + len(content), section, 1)], content)


@case
def classes_of_Objective_C(size):
    # The reader reads one pointer each of a class and of its data, so these structures can overlap.
    count = size // 32 - 8
    classes, data, names = (0x1000 + 8 * (count + 8) * part for part in (1, 2, 3))
    content = b"".join(pack("<Q", 0x10000 + classes + 8 * number) for number in range(count)) + bytes(64)
    content += bytes(32) + b"".join(pack("<Q", 0x10000 + data + 8 * number) for number in range(count)) + bytes(32)
    content += bytes(24) + b"".join(pack("<Q", 0x10000 + names + 8 * number) for number in range(count)) + bytes(40)
    content += b"".join(b"%07x\0" % number for number in range(count))
    section = macho_section(b"__objc_classlist", 0x1000, 8 * count)
    return macho(6, [macho_segment(0x1000 + len(content), section, 1)], content)
