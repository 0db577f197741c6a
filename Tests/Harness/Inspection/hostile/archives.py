"""Archives whose members have no records, and archives whose members have one each."""

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
