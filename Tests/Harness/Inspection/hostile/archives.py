"""Archives of members that are nothing, and of ones that are one."""

from struct import pack

from cases import case
from formats import *


@case
def members_without_anything(size):
    return archive(size, lambda number: member(b"%x.o/" % number, elf_header(1)))


@case
def members_that_are_programs(size):
    return archive(size, lambda number: member(b"%x.o/" % number, elf_header(2 if number % 2 else 3)))


@case
def members_that_cannot_be_read(size):
    return archive(size, lambda number: member(b"%x.o/" % number, b"\x7fELF"))


@case
def members_that_are_bitcode(size):
    return archive(size, lambda number: member(b"%x.o/" % number, b"BC\xc0\xde"))


@case
def members_that_are_texts(size):
    return archive(size, lambda number: member(b"%x.txt/" % number, b"text"))


@case
def members_with_a_record_each(size):
    content = elf_object([(1, SHT_NOTE, record(MODULE, b'{"module":"A.B"}'), {})])
    return archive(size, lambda number: member(b"%x.o/" % number, content))


@case
def a_thin_archive_of_one_file(size):
    # All of its members are one file, by paths of which each lies in the one before.
    with open("one.o", "wb") as file:
        file.write(elf_object([(1, SHT_NOTE, record(MODULE, b'{"module":"A.B"}'), {})]))
    count = size // 66
    names = b"./" * 1_000 + b"one.o/\n"
    names += bytes(len(names) % 2)
    members = b"".join(member(b"/%d" % (number % 1_000 * 2), b"") for number in range(count))
    others = b"".join(member(b"/0:%d" % number, b"") for number in range(count // 2))
    return b"!<thin>\n" + member(b"//", names) + members[: size // 2] + others[: size // 2]
