"""Files that make the tool read one structure many times."""

from struct import pack

from cases import MB, case
from formats import *


@case
def a_class_of_a_million_parts(size):
    return of_records(1, lambda _: record(
        SERVICE, b'{"protocol":"P","class":"' + b"a." * (size // 32) + b'b"}', 1))


@case
def a_record_that_is_longer_when_it_is_shown(size):
    text = "\U000F0000".encode() * (64 * MB // 4 // 20)
    return of_records(size, lambda number: record(UNKNOWN, b'{"a":"' + text + b'"}') if number == 0 else bytes(size))


@case
def a_record_with_an_error_at_its_end(size):
    text = "\U000F0000".encode() * (64 * MB // 4 // 20)
    return of_records(size, lambda number: record(SERVICE, b'{"protocol":"' + text + b'"') if number == 0 else bytes(size))


@case
def protocols_of_one_name(size):
    # Each protocol is in its own module, and the services specify only its name.
    count, services = size // 500, size // 1500
    records = b"".join(record(SERVICE, b'{"protocol":"P","class":"C%x"}' % number, 1) for number in range(services))
    contexts, names = 4 * count, 4 * count + 24 * count
    content = b"".join(pack("<i", contexts + 24 * number + 12 - 4 * number) for number in range(count))
    last = names + 8 * count
    content += b"".join(
        pack("<IIiIii", 0, 0, names - 16 * number - contexts - 8, 3, -16, last - contexts - 24 * number - 20)
        for number in range(count))
    content += b"".join(b"M%06x\0" % number for number in range(count)) + b"P\0"
    content += bytes(size - len(records) - len(content))
    return linked(records, [(b"swift5_protocols", 0, 4 * count)], content)


@case
def types_by_one_pointer(size):
    # Each entry refers to the same pointer, which is bound to a symbol with a long name.
    count = size // 4
    notes = b""
    pointer = 4 * count + 8 - 4 * count % 8
    at = 0x1000
    content = b"".join(pack("<i", pointer - 4 * number + 1) for number in range(count))
    content += bytes(pointer - len(content)) + bytes(8)
    name = b"$s" + b"1a" * 2000 + b"\0"
    relocation, symbols = pointer + 8, pointer + 8 + 24
    content += pack("<QQq", at + pointer, 1 << 32 | 1, 0) + bytes(24) + pack("<IBBHQQ", 1, 0, 0, 0, 0, 0) + b"\0" + name
    dynamic = [(7, at + relocation), (8, 24), (9, 24), (6, at + symbols), (5, at + symbols + 48), (10, len(name) + 1)]
    return linked(notes, [(b"swift5_type_metadata", 0, 4 * count)], content, dynamic)


@case
def types_by_many_pointers(size):
    count = size // 36
    pointer = 4 * count + 8 - 4 * count % 8
    at = 0x1000
    content = b"".join(pack("<i", pointer + 8 * number - 4 * number + 1) for number in range(count))
    content += bytes(pointer - len(content)) + bytes(8 * count)
    name = b"$s" + b"1a" * 2000 + b"\0"
    relocation, symbols = pointer + 8 * count, pointer + 32 * count
    content += b"".join(pack("<QQq", at + pointer + 8 * number, 1 << 32 | 1, 0) for number in range(count))
    content += bytes(24) + pack("<IBBHQQ", 1, 0, 0, 0, 0, 0) + b"\0" + name
    dynamic = [
        (7, at + relocation), (8, 24 * count), (9, 24), (6, at + symbols), (5, at + symbols + 48), (10, len(name) + 1)]
    return linked(b"", [(b"swift5_type_metadata", 0, 4 * count)], content, dynamic)


@case
def extensions_of_what_many_relocations_are_for(size):
    count, many = size // 120, size // 80
    names = b"\0.note.registry\0.strings\0swift5_type_metadata\0"
    entries = 4 * count
    # Sections have addresses from 0x1000 on. Each address range is one byte longer than its
    # section.
    contexts = (0x1000 + entries + 1 + 7) // 8 * 8
    place = (contexts + 12 * count + 1 + 7) // 8 * 8
    kinds = [
        (25, 1, b"".join(pack("<i", contexts + 12 * number - 0x1000 - 4 * number) for number in range(count)), {}),
        (0, 1, b"".join(pack("<IIi", 1, 0, place - (contexts + 12 * number + 8)) for number in range(count)), {}),
        (0, 1, b"\x01" + bytes(15), {}),
        (0, SHT_RELA, pack("<QQq", 1, 0, 0) * many, dict(info=3, entry=24)),
    ]
    return elf_object(kinds, names)


@case
def relocations_near_records_that_are_too_many(size):
    notes = repeated(size // 6, lambda number: record(UNKNOWN, b"{}", 1))
    table = pack("<II", 0x1000 + 24, 8) * (size * 5 // 6 // 8)
    at = 0x1000 + len(notes)
    return elf_image(notes + table, [(17, at), (18, len(table))], bits=32, notes=(0x1000, len(notes)))


@case
def a_dynamic_section_that_is_wrong_at_its_end(size):
    notes = repeated(size // 2, lambda number: record(UNKNOWN, b"{}", 1))
    dynamic = [(1, 1)] * (size // 2 // 16)
    return elf_image(notes, dynamic + [(9, 77)], notes=(0x1000, len(notes)))


@case
def records_and_many_segments(size):
    notes = repeated(size // 2, lambda number: record(UNKNOWN, b"{}", 1))
    count = size // 2 // 56 // 2
    start = 128 + len(notes)
    header = elf_header(3, segments=(start, 0xFFFF), sections=(64, 1))
    length = start + count * 56
    segments = segment(1, 0, 0, length) + segment(4, 128, 128, len(notes))
    return header + section(0, 0, size=1, info=count) + notes + segments + segment(5, 0, 0, 0) * (count - 2)


@case
def modules_of_BeeHive_that_lead_nowhere(size):
    content = pack("<Q", 0xFFFFFFFFFF) * (size // 8)
    section = macho_section(b"BeehiveMods", 0x1000, len(content))
    return macho(6, [macho_segment(0x1000 + len(content), section, 1)], content)


@case
def encrypted_sections_and_texts(size):
    count, pointers = size // 6 // 80, size // 2 // 8
    room = 0x1000 + 80 * (count + 1)
    content = pack("<Q", 0xFFFFFFFFFF) * pointers
    start = (room + count + 0xFFF) // 0x1000 * 0x1000
    sections = macho_section(b"BeehiveMods", start, len(content))
    sections += b"".join(macho_section(b"s%x" % number, room + number, 1) for number in range(count))
    command = macho_segment(start + len(content), sections, count + 1)
    encryption = pack("<IIIIII", 0x2C, 24, room, count, 1, 0)
    return macho(6, [command, encryption], content, start)


@case
def classes_by_one_symbol_with_a_long_name(size):
    count = size // 9
    pointers, name = 0x1000, b"a" * 4000
    content = bytes(8 * count)
    section = macho_section(b"__objc_classlist", 0x1000, len(content))
    opcodes = b"\x40" + name + b"\0\x51\x70" + uleb(pointers) + b"\xc0" + uleb(count) + uleb(0) + b"\0"
    start = 0x1000 + len(content)
    info = pack("<12I", 0x80000022, 48, 0, 0, start, len(opcodes), 0, 0, 0, 0, 0, 0)
    content += opcodes
    return macho(6, [macho_segment(0x1000 + len(content), section, 1), info], content)


def uleb(number):
    result = b""
    while number > 0x7F:
        result += bytes([number & 0x7F | 0x80])
        number >>= 7
    return result + bytes([number])


@case
def slices_that_differ(size):
    # Each slice has an unknown architecture and its own records.
    count = 900
    each = size // count // 16 * 16
    table, contents = pack(">II", 0xCAFEBABF, count), b""
    start = (8 + 32 * count + 15) // 16 * 16
    for number in range(count):
        records = repeated(each - 300, lambda other: record(UNKNOWN, b'{"%x":%d}' % (number, other)))
        section = macho_section(b"__reg_modules", 0x100, len(records))
        content = bytearray(macho(6, [macho_segment(0x100 + len(records), section, 1)], records, 0x100))
        content[4:8] = pack("<I", 0x01000100 + number)
        content += bytes(-len(content) % 16)
        table += pack(">IIQQII", 0x01000100 + number, 3, start + len(contents), len(content), 4, 0)
        contents += content
    return table + bytes(start - len(table)) + contents


@case
def members_behind_what_takes_all(size):
    half = of_records(size // 2, lambda number: record(MODULE, b'{"module":"A.B%x"}' % number))
    return b"!<arch>\n" + member(b"a.o/", half + bytes(len(half) % 2)) + archive(
        size // 2, lambda number: member(b"%x.o/" % number, elf_header(1)))[8:]
