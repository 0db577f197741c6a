"""Lists for the option --expect, and folders."""

import os
from struct import pack

from cases import case, case_of
from formats import *


# ---- Lists of expected records


def expected(*records):
    return b'{"version":1,"records":[' + b",".join(records) + b"]}"


def expected_record(attributes, path=b"p"):
    return b'{"source":"registry","kind":"new!","path":"' + path + b'","attributes":' + attributes + b"}"


def program():
    with open("program", "wb") as file:
        file.write(of_records(1, lambda _: record(MODULE, b'{"module":"A.B"}')))


EXPECT = ["check", "--expect", "file", "program"]


@case_of(EXPECT)
def expected_records(size):
    program()
    return expected(*[expected_record(b'{"module":"M%x"}' % number) for number in range(size // 70)])


@case_of(EXPECT)
def expected_records_of_kinds_that_nobody_knows(size):
    program()
    return expected(*[expected_record(b'{"a%x":0}' % number, b"path%x" % number) for number in range(size // 70)])


@case_of(EXPECT)
def an_expected_record_of_one_text(size):
    program()
    return expected(expected_record(b'{"module":"' + "\U000F0000".encode() * (size // 4) + b'"}'))


@case_of(EXPECT)
def an_expected_record_of_many_members(size):
    program()
    members = repeated(size, lambda number: b',"k%x":[[]]' % number)
    return expected(expected_record(b'{"a":0' + members + b"}"))


@case_of(EXPECT)
def a_list_of_what_nobody_knows(size):
    program()
    return b'{"a":0' + repeated(size, lambda number: b',"k%x":0' % number) + b',"version":1,"records":[]}'


@case_of(EXPECT)
def expected_records_with_long_paths(size):
    program()
    return expected(*[
        expected_record(b'{"module":"M%x"}' % number, b"%x" % number + b"p" * 1000) for number in range(size // 1080)])


@case_of(EXPECT)
def expected_records_that_are_longer_when_they_are_shown(size):
    program()
    text = "\U000F0000".encode() * 100
    return expected(*[expected_record(b'{"a":"%x' % number + text + b'"}') for number in range(size // 480)])


# ---- Folders


def in_folder(path, content):
    path = os.path.join("folder", path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content)


APP = [["list", "folder/A.app"]]


@case_of(*APP)
def a_property_list_nested_behind_comments(size):
    # The comment contains text that looks like the end of an element.
    count = (1 << 20) // 25
    in_folder("A.app/Info.plist", b'<?xml version="1.0"?><plist>' + b"<array><!--/>-->" * count)
    return b""


@case_of(*APP)
def a_property_list_of_parentheses(size):
    in_folder("A.app/Info.plist", b"(" * ((1 << 20) - 1))
    return b""


@case_of(*APP)
def a_property_list_of_braces(size):
    in_folder("A.app/Info.plist", b"{a=" * (1 << 18))
    return b""


@case_of(*APP)
def a_property_list_of_many_values(size):
    in_folder("A.app/Info.plist", b'<plist><dict><key>a</key><array>' + b"<real>1</real>" * 74_000 + b"</array></dict></plist>")
    return b""


@case_of(*APP)
def a_property_list_of_many_dictionaries(size):
    in_folder("A.app/Info.plist", b"<plist><dict><key>a</key><array>" + b"<dict/>" * 145_000 + b"</array></dict></plist>")
    return b""


@case_of(*APP)
def a_property_list_of_many_keys(size):
    keys = b"".join(b"<key>%x</key><true/>" % number for number in range(45_000))
    in_folder("A.app/Info.plist", b"<plist><dict>" + keys + b"</dict></plist>")
    return b""


@case_of(*APP)
def a_property_list_of_one_long_key(size):
    # All these keys refer to the same string.
    count = 1 << 18
    string = b"\x6f\x11\x04\x00" + b"\0a" * 1024
    dictionary = b"\xdf\x12" + pack(">I", count) + b"\x01" * count + b"\x01" * count
    start = 8
    content = b"bplist00" + dictionary + string
    table = len(content)
    content += pack(">II", start, start + len(dictionary))
    in_folder("A.app/Info.plist", content + bytes(6) + pack(">BBQQQ", 4, 1, 2, 0, table))
    return b""


@case_of(["check", "folder"], ["graph", "folder"])
def programs_with_a_library_of_mistakes(size):
    # The library's problems concern each of the programs.
    in_folder("library.so", linked(b"".join(
        record(MODULE, b'{"module":"A%x","after":["B%x"]}' % (number, number), 1) for number in range(1000)), [], b""))
    for number in range(1000):
        in_folder("p%d" % number, elf_header(2))
    return b""


@case_of(["check", "folder"])
def programs_with_modules_and_a_library_of_mistakes(size):
    in_folder("library.so", linked(b"".join(
        record(MODULE, b'{"module":"A%x","after":["B%x"]}' % (number, number), 1) for number in range(1000)), [], b""))
    for number in range(300):
        notes = record(MODULE, b'{"module":"P%d"}' % number, 1)
        in_folder("p%d" % number, linked(notes, [], b"").replace(pack("<HH", 3, 62), pack("<HH", 2, 62), 1))
    return b""


@case_of(*[[*command, "folder"] for command in (["list"], ["check"], ["graph"])])
def a_folder_of_many_files(size):
    for number in range(250):
        in_folder("%d.o" % number, of_records(
            size // 250, lambda other: record(MODULE, b'{"module":"A.B%x%x"}' % (number, other))))
    return b""
