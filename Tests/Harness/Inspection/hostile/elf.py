"""ELF files that repeat one structure."""

from struct import pack

from cases import case
from formats import *


@case
def sections(size):
    header = elf_header(1, sections=(64, 0), names=0)
    count = size // 64
    return header + section(0, 0, size=count) + section(0, 1) * (count - 1)


@case
def sections_of_32_bits(size):
    header, count = elf_header(1, sections=(52, 0), bits=32), size // 40
    return header + section(0, 0, size=count, bits=32) + section(0, 1, bits=32) * (count - 1)


@case
def sections_with_names(size):
    # Each name is a suffix of the previous one.
    names = b"\0" + b"n" * 40 + b"\0"
    count = size // 64
    header = elf_header(1, sections=(64 + 48, 0), names=0xFFFF)
    tables = section(0, 0, size=count, link=1) + section(0, SHT_STRTAB, 64, 48)
    return header + names + bytes(48 - len(names)) + tables + section(1, 1) * (count - 2)


@case
def sections_of_records_without_bytes(size):
    names = b"\0.note.registry\0"
    count = size // 64
    header = elf_header(1, sections=(64 + 16, 0), names=0xFFFF)
    tables = section(0, 0, size=count, link=1) + section(0, SHT_STRTAB, 64, 16)
    return header + names + tables + b"".join(section(1, SHT_NOTE, 64 + number % 16, 1) for number in range(count - 2))


def elf_segments(size, make):
    count = size // 56
    start = 64 + 64
    header = elf_header(3, segments=(start, 0xFFFF), sections=(64, 1))
    return header + section(0, 0, size=1, info=count) + b"".join(make(number) for number in range(count))


@case
def segments(size):
    return elf_segments(size, lambda number: segment(1, 0, number << 20, 0, 1))


@case
def segments_of_notes(size):
    return elf_segments(
        size, lambda number: segment(4, 64 + 8 * number, 64 + 8 * number, 8) if number else segment(1, 0, 0, size))


def elf_relocations(size, bits, entry, tags):
    # The single record has a pointer to resolve. No relocation applies to its address, so the tool
    # must search all of them.
    notes = record(MODULE, b'{"module":"A.B"}', 1)
    table = repeated(size, lambda number: entry(0x1000 + 24))
    at = 0x1000 + len(notes)
    return elf_image(notes + table, tags(at, len(table)), bits=bits, notes=(0x1000, len(notes)))


@case
def relocations(size):
    entry = pack("<QQq", 0x1000 + 24, 8, 0x1000)
    return elf_relocations(
        size, 64, lambda _: entry,
        lambda at, count: [(7, at), (8, count), (17, at), (18, count), (23, at), (2, count), (20, 7)])


@case
def relocations_of_32_bits(size):
    entry = pack("<II", 0x1000 + 24, 8)
    return elf_relocations(
        size // 24 * 24, 32, lambda _: entry, lambda at, count: [(17, at), (18, count), (23, at), (2, count), (20, 17)])


@case
def relocations_of_an_object(size):
    entry = pack("<QQq", 24, 1, 0)
    return elf_object([
        (1, SHT_NOTE, record(MODULE, b'{"module":"A.B"}', 1), {}),
        (0, SHT_RELA, entry * (size // 24), dict(info=1, entry=24)),
    ])


@case
def tables_of_relocations(size):
    count = size // 88
    return elf_object(
        [(1, SHT_NOTE, record(MODULE, b'{"module":"A.B"}', 1), {})]
        + [(0, SHT_RELA, bytes(24), dict(info=number, entry=24)) for number in range(count)])


@case
def types(size):
    count = size // 20
    at, contexts, names = 0x1000, 0x1000 + 4 * count, 0x1000 + 16 * count
    content = b"".join(pack("<i", contexts + 12 * number - at - 4 * number) for number in range(count))
    content += b"".join(
        pack("<IIi", 0, 0, names + 4 * number - (contexts + 12 * number + 8)) for number in range(count))
    letters = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
    content += b"".join(
        bytes([letters[number % 63], letters[number // 63 % 63], letters[number // 3969 % 63], 0])
        for number in range(count))
    image = elf_image(content, [])
    strings = b"\0swift5_type_metadata\0"
    start = len(image) + len(strings)
    headers = section(0, 0) + section(1, 1, at, 4 * count, at) + section(0, SHT_STRTAB, len(image), len(strings))
    fixed = bytearray(image + strings + headers)
    fixed[40:48] = pack("<Q", start)
    fixed[58:64] = pack("<HHH", 64, 3, 2)
    return bytes(fixed)


# ---- Files with holes, whose length does not tell how much they contain


def hole(size):
    return size << 6


@case
def a_hole_of_sections(size):
    length = hole(size)
    return [(0, elf_header(1, sections=(64, 0))), (64, section(0, 0, size=length // 64 - 2))], length


@case
def a_hole_of_records(size):
    length = hole(size)
    table = section(0, 0) + section(1, SHT_NOTE, 0x1000, length - 0x1000) + section(0, SHT_STRTAB, 64 + 192, 16)
    return [(0, elf_header(1, sections=(64, 3), names=2) + table + b"\0.note.registry\0")], length
