"""The hostile files. Each function returns the contents of one, of approximately the given size."""

import pathlib
from functools import partial
from struct import pack

from formats import *

MB = 1 << 20
COMMANDS = [["list"], ["list", "--format", "json"], ["check"], ["graph"], ["graph", "--format", "mermaid"]]
# The function and the commands of each case, by its name.
cases = {}


def case(make, commands=None, name=None):
    """Registers a case. Its own commands name all the files that they read."""
    cases[name or make.__name__.replace("_", " ")] = (make, commands or [[*command, "file"] for command in COMMANDS])
    return make


# ---- Records

# The kind and JSON of one or two records, in which %x is the number of the record or, in a list of
# `after`, that of the next one.
RECORDS = {
    "records of an unknown kind": [(UNKNOWN, b"{}")],
    "malformed records": [(MODULE, b"{}")],
    "modules of one name": [(MODULE, b'{"module":"A.B"}')],
    "modules of many names": [(MODULE, b'{"module":"A.B%x"}')],
    "modules after modules": [(MODULE, b'{"after":["A.B%x"],"module":"A.B%x0"}')],
    "modules after unknown ones": [(MODULE, b'{"module":"A%x","after":["B%x","C%x"]}')],
    "modules in cycles": [(MODULE, b'{"module":"A%x","after":["A%x"]}')],
    "services of one protocol": [(SERVICE, b'{"protocol":"P","class":"C%x"}')],
    "services of many protocols": [(SERVICE, b'{"protocol":"P%x","class":"C"}')],
    "handlers of one route": [(ROUTE, b'{"route":"a.b","class":"C"}')],
    "needs of many modules": [(NEED, b'{"route":"r","dependent":"%x.S"}')],
    "needs for services with many names": [
        (SERVICE, b'{"protocol":"A%x.P","class":"C%x.D"}'), (NEED, b'{"protocol":"B%x.P","dependent":"E%x.S"}')],
}


def of_table(size, rows):
    return of_records(repeated(size, lambda number: b"".join(
        record(kind, json.replace(b"%x", b"%x" % number), 1) for kind, json in rows)))


for name, rows in RECORDS.items():
    case(lambda size, rows=rows: of_table(size, rows), name=name)


@case
def a_module_after_a_million(size):
    names = repeated(size, lambda number: b',"%x"' % number)
    return of_records(record(MODULE, b'{"module":"A","after":["A"' + names + b"]}"))


@case
def a_record_of_unknown_members(size):
    members = repeated(size, lambda number: b'"%x":[[]],' % number)
    return of_records(record(SERVICE, b"{" + members + b'"protocol":"P","class":"C"}'))


@case
def a_class_of_a_million_parts(size):
    return of_records(record(SERVICE, b'{"protocol":"P","class":"' + b"a." * (size // 32) + b'b"}', 1))


@case
def a_record_that_is_longer_when_it_is_printed(size):
    text = "\U000F0000".encode() * (64 * MB // 4 // 20)
    return of_records(record(UNKNOWN, b'{"a":"' + text + b'"}') + bytes(size))


# ---- ELF

@case
def sections_with_names(size):
    # Each name is a suffix of the previous one.
    names = b"\0" + b"n" * 40 + bytes(7)
    count = size // 64
    tables = section(0, 0, size=count, link=1) + section(0, SHT_STRTAB, 64, 48)
    return elf_header(1, sections=(64 + 48, 0), names=0xFFFF) + names + tables + section(1, 1) * (count - 2)


@case
def segments_of_notes(size):
    # The header cannot count more.
    count = min(size // 56, 0xFFFF)
    notes = b"".join(segment(4, 64 + 8 * number, 8) for number in range(1, count))
    return elf_header(3, segments=(64, count)) + segment(1, 0, 64 + 56 * count) + notes


@case
def relocations(size):
    # The single record has a pointer to resolve, so the tool must search all relocations.
    notes = record(MODULE, b'{"module":"A.B"}', 1)
    table = pack("<QQq", BASE + 24, 8, BASE) * (size // 24)
    at, count = BASE + len(notes), len(table)
    return elf_image(notes + table, [(7, at), (8, count), (17, at), (18, count), (23, at), (2, count), (20, 7)], len(notes))


@case
def tables_of_relocations_of_an_object(size):
    return elf_object([(1, SHT_NOTE, record(MODULE, b'{"module":"A.B"}', 1), {})] + [
        (0, SHT_RELA, pack("<QQq", 0, 1, 0), dict(info=number, entry=24)) for number in range(size // 88)])


# ---- Mach-O

@case
def sections_of_Mach_O(size):
    count = size // 80
    entries = b"".join(macho_section(b"s%015d" % number, 0, 0) for number in range(count))
    return macho(6, [macho_segment(size + 0x2000, entries, count)], b"", size + 0x2000)


@case
def relocations_of_Mach_O(size):
    content = record(MODULE, b'{"module":"A.B"}', 1)
    table = pack("<II", 24, 0x0E000001) * (size // 8)
    part = macho_section(b"__reg_modules", BASE, len(content), (BASE + len(content), size // 8))
    return macho(1, [macho_segment(BASE + len(content), part, 1)], content + table)


@case
def classes_of_Objective_C(size):
    # The reader reads one pointer each of a class and of its data, so these structures can overlap.
    count = size // 32 - 8
    classes, data, names = (0x10000 + BASE + 8 * (count + 8) * part for part in (1, 2, 3))
    content = b"".join(pack("<Q", classes + 8 * number) for number in range(count)) + bytes(96)
    content += b"".join(pack("<Q", data + 8 * number) for number in range(count)) + bytes(56)
    content += b"".join(pack("<Q", names + 8 * number) for number in range(count)) + bytes(40)
    return macho_image(b"__objc_classlist", content + b"".join(b"%07x\0" % number for number in range(count)), 8 * count)


@case
def slices_that_differ(size):
    # Each slice has an unknown architecture and its own records.
    count = 900
    table, contents, start = pack(">II", 0xCAFEBABF, count), b"", (8 + 32 * count + 15) // 16 * 16
    for number in range(count):
        records = repeated(size // count - 4396, lambda other: record(UNKNOWN, b'{"%x":%d}' % (number, other)))
        content = macho_image(b"__reg_modules", records)
        content = content[:4] + pack("<I", 0x01000100 + number) + content[8:] + bytes(-len(content) % 16)
        table += pack(">IIQQII", 0x01000100 + number, 3, start + len(contents), len(content), 4, 0)
        contents += content
    return table + bytes(start - len(table)) + contents


# ---- Archives

MEMBERS = {
    "members without anything": elf_header(1),
    "members of bitcode": b"BC\xc0\xde",
    "members with a record each": of_records(record(MODULE, b'{"module":"A.B"}')),
}


def archive(size, content):
    return b"!<arch>\n" + repeated(size, lambda number: member(b"%x.o/" % number, content))


for name, content in MEMBERS.items():
    case(lambda size, content=content: archive(size, content), name=name)


# ---- Lists for the option --expect

def expected(size, make):
    pathlib.Path("program").write_bytes(of_records(record(MODULE, b'{"module":"A.B"}')))
    rows = repeated(size, lambda number: b',{"kind":"new!","path":"%x","attributes":%s}' % (number, make(number)))
    return b'{"version":1,"records":[' + rows[1:] + b"]}"

EXPECT = [["check", "--expect", "file", "program"]]


@partial(case, commands=EXPECT)
def expected_records(size):
    return expected(size, lambda number: b'{"module":"M%x"}' % number)


@partial(case, commands=EXPECT)
def an_expected_record_of_many_members(size):
    members = repeated(size, lambda number: b',"k%x":[[]]' % number)
    return expected(1, lambda _: b'{"a":0' + members + b"}")


# ---- Folders

def in_folder(path, content):
    path = pathlib.Path("folder", path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return b""

# Property lists of at most a megabyte: nested elements behind comments, many dictionaries, and many
# references to one long key.
KEYS = b"\xdf\x12" + pack(">I", 1 << 18) + b"\x01" * (1 << 19)
PROPERTY_LISTS = {
    "comments": b'<?xml version="1.0"?><plist>' + b"<array><!--/>-->" * (MB // 25),
    "dictionaries": b"<plist><dict><key>a</key><array>" + b"<dict/>" * 145_000 + b"</array></dict></plist>",
    "one key": b"bplist00" + KEYS + b"\x6f\x11\x04\x00" + b"\0a" * 1024 + pack(">II", 8, 8 + len(KEYS))
    + bytes(6) + pack(">BBQQQ", 4, 1, 2, 0, 8 + len(KEYS) + 4 + 2048),
}
for name, content in PROPERTY_LISTS.items():
    case(lambda size, content=content: in_folder("A.app/Info.plist", content), [["list", "folder/A.app"]],
         f"a property list of {name}")


@partial(case, commands=[["check", "folder"], ["graph", "folder"]])
def programs_with_a_library_of_mistakes(size):
    # The library's problems concern each of the programs.
    notes = b"".join(record(MODULE, b'{"module":"A%x","after":["B%x"]}' % (number, number), 1) for number in range(1000))
    for number in range(1000):
        in_folder(f"p{number}", elf_header(2))
    return in_folder("library.so", elf_image(notes, (), len(notes)))


@partial(case, commands=[[command, "folder"] for command in ("list", "check", "graph")])
def a_folder_of_many_files(size):
    for number in range(250):
        in_folder(f"{number}.o", of_table(size // 250, [(MODULE, b'{"module":"A.B%d%%x"}' % number)]))
    return b""
