"""Files that contain as many records as fit."""

from struct import pack

from cases import case
from formats import *


@case
def records_of_a_kind_that_nobody_knows(size):
    return of_records(size, lambda _: record(UNKNOWN, b"{}"))


@case
def records_that_are_malformed(size):
    return of_records(size, lambda _: record(MODULE, b"{}"))


@case
def modules_of_one_name(size):
    return of_records(size, lambda _: record(MODULE, b'{"module":"A.B"}'))


@case
def modules_of_many_names(size):
    return of_records(size, lambda number: record(MODULE, b'{"module":"A.B%x"}' % number))


@case
def modules_behind_modules(size):
    return of_records(size, lambda number: record(MODULE, b'{"module":"A.B%x","after":["A.B%x"]}' % (number, number + 1)))


@case
def modules_behind_unknown_ones(size):
    return of_records(
        size, lambda number: record(MODULE, b'{"module":"A%x","after":["B%x","C%x"]}' % (number, number, number)))


@case
def a_module_behind_a_million(size):
    names = repeated(size, lambda number: b',"%x"' % number)
    return of_records(1, lambda _: record(MODULE, b'{"module":"A","after":["A"' + names + b"]}"))


@case
def modules_behind_a_thousand_each(size):
    names = b"".join(b',"%x"' % number for number in range(1000))
    return of_records(
        size, lambda number: record(MODULE, b'{"module":"A%x","after":["A"' % number + names + b"]}"))


@case
def a_record_of_members_that_nobody_knows(size):
    members = repeated(size, lambda number: b'"%x":[[]],' % number)
    return of_records(1, lambda _: record(SERVICE, b"{" + members + b'"protocol":"P","class":"C"}'))


@case
def needs_that_nothing_satisfies(size):
    return of_records(size, lambda number: record(NEED, b'{"module":"%x"}' % number))


@case
def needs_of_many_modules(size):
    return of_records(size, lambda number: record(NEED, b'{"route":"r","dependent":"%x.S"}' % number))


@case
def needs_for_services_with_many_names(size):
    def pair(number):
        service = record(SERVICE, b'{"protocol":"A%x.P","class":"C%x.D"}' % (number, number))
        return service + record(NEED, b'{"protocol":"B%x.P","dependent":"E%x.S"}' % (number, number))

    return of_records(size, pair)


@case
def implementations_of_one_protocol(size):
    return of_records(size, lambda number: record(SERVICE, b'{"protocol":"P","class":"C%x"}' % number))


@case
def implementations_of_many_protocols(size):
    return of_records(size, lambda number: record(SERVICE, b'{"protocol":"P%x","class":"C"}' % number))


@case
def handlers_of_one_route(size):
    return of_records(size, lambda _: record(ROUTE, b'{"route":"a.b","class":"C"}', 1))


@case
def bytes_that_are_no_records(size):
    return of_records(size, lambda _: pack("<III12s", 9, 0xFFFFFFFF, MODULE, b"Registry"))


@case
def sections_with_a_malformed_record_each(size):
    return elf_object([(1, SHT_NOTE, record(MODULE, b"{}"), {})] * (size // (64 + 40)))


@case
def nothing_but_zeros_in_a_section(size):
    return of_records(1, lambda _: bytes(size))
