"""Writes the seed corpus, which has a folder for each fuzzer.

The seeds are records from the export macros, and malformed records of every documented kind.

usage: seeds.py FOLDER SECTION, where SECTION is the contents of a `.note.registry` section
"""

import pathlib
import struct
import sys

folder, section = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).read_bytes()


def write(fuzzer, seeds):
    place = folder / fuzzer
    place.mkdir(parents=True)
    for number, seed in enumerate(seeds):
        (place / f"seed-{number:03}").write_bytes(seed)


def header(name_size=9, payload=24, kind=b"udom", name=b"Registry"):
    return struct.pack("<II4s12s", name_size, payload, kind, name)


def record(json=b"{}", accessor=0, **fields):
    room = json + bytes(8 - len(json) % 8)
    fields.setdefault("payload", 8 + len(room))
    return header(**fields) + struct.pack("<Q", accessor) + room


def encoded():
    """Yields the records of the section, one by one."""
    at = 0
    while at + 24 <= len(section):
        name_size, payload = struct.unpack_from("<II", section, at)
        if name_size == 0:
            at += 8
            continue
        yield section[at : at + 24 + payload]
        at += 24 + payload


records = list(encoded())
if len(records) != 4:
    sys.exit(f"seeds.py: {sys.argv[2]} has {len(records)} records instead of 4; see Tests/Harness/Fuzz/encoded.c")
objects = [record[32:].rstrip(b"\0") for record in records]

broken_records = [
    b"",
    record(),
    record(b""),
    record(accessor=0x1234),
    # These are cut off in the header, after it, and in the JSON.
    record()[:12],
    record()[:24],
    header(payload=24) + record(),
    header(payload=32) + record(b'{"module":"A.B"}'),
    record(b'{"module":"A.B"}')[:40],
    # These sizes overflow, extend past the section, are too small, or are not multiples of eight.
    *[record(payload=size) for size in (0, 8, 15, 16, 20, 32, 4096, 0xFFFFFFF8, 0xFFFFFFFF)],
    *[record(name_size=size) for size in (0, 8, 10, 64, 65, 0xFFFFFFFF)],
    # These have no terminator, bytes after the terminator, or a name without padding.
    record(b"{}")[:34] + b"xxxxxx",
    record(b"{}")[:39] + b"x",
    record(name=b"Registry\0\0\0x"),
    # These have other versions, valid and malformed.
    record(name_size=10, name=b"Registry2"),
    record(name_size=10, name=b"Registry2", payload=0),
    record(name_size=10, name=b"Registry2", payload=0xFFFFFFFF),
    # These are other notes, padded to four and to eight bytes, and one that would contain a record.
    struct.pack("<III4s", 4, 16, 3, b"GNU") + bytes(range(1, 17)),
    struct.pack("<III4s", 4, 5, 3, b"GNU") + b"12345" + bytes(7),
    struct.pack("<III4s", 4, 80, 3, b"GNU") + record(),
    bytes(64) + record() + bytes(8),
    b"\xee" * 40,
]
runs = broken_records + records + [section]

# The first byte selects the alignment and the valid records around the seed.
write("walker", [bytes([choices]) + run for run in runs for choices in (0x1C, 0x1D, 0x1E)])
write("copy", [bytes([shift, 8, 3, 1, 4]) + b"/lib" + run for run in runs for shift in (0, 4, 7)])


def image(size, notes, distance=0):
    """Returns an image with one readable segment, and notes as (offset, size, alignment index)."""
    seed = bytes([len(notes), 0, size, distance, 0])
    for offset, length, alignment in notes:
        seed += bytes([0, offset, length, alignment])
    return seed


whole = len(section) if len(section) < 256 else 255
write(
    "images",
    [
        # These are one image, two images with one that is loaded late, overlapping notes as gold
        # writes them, and notes outside the segment.
        bytes([0, 0]) + image(48, [(0, 48, 1)]) + record(),
        bytes([0, 1]) + image(whole, [(0, whole, 1)]) + section,
        bytes([4, 0]) + image(48, [(0, 48, 1)]) + image(56, [(8, 40, 0)], 1) + record() + bytes(8) + bytes(8) + record(),
        bytes([18, 0]) + image(96, [(0, 48, 1), (40, 56, 0), (48, 48, 1)]) + record() + bytes(8) + record(),
        bytes([0, 0]) + image(48, [(0, 49, 1), (200, 48, 1), (40, 48, 1)]) + record(),
        bytes([0, 0, 1, 0, 48, 2, 0, 0x28]) + b"\xff" * 8 + bytes([48, 1]) + record(),
        bytes([0, 0, 1, 0, 48, 2, 0, 0x20, 0]) + b"\xff" * 8 + bytes([1]) + record(),
    ],
)

broken_objects = [
    b"",
    b"{}",
    b"[]",
    b"{} x",
    b'{"a":1',
    b'["module"]',
    # These are not UTF-8, have a byte order mark, or use another encoding.
    b'{"module":"\xff\xfe"}',
    b'{"module":"\xed\xa0\x80"}',
    b'{"module":"\xc0\xaf"}',
    b'\xef\xbb\xbf{"module":"A.B"}',
    '{"module":"A.B"}'.encode("utf-16"),
    '{"module":"A.B"}'.encode("utf-32-le"),
    # These have duplicate keys: identical ones, two spellings of one key, and two keys that are
    # only canonically equivalent.
    b'{"module":"A.B","module":"A.C"}',
    b'{"module":"A.B","m\\u006fdule":"A.C"}',
    '{"é":1,"e\u0301":2,"module":"A.B"}'.encode(),
    b"{" + b",".join(b'"%d":%d' % (number, number) for number in range(20)) + b',"0":0}',
    # These have deep nesting.
    *[b'{"a":' + b"[" * depth + b"]" * depth + b"}" for depth in (62, 63, 64, 100)],
    b'{"a":' * 64 + b"1" + b"}" * 64,
    b'{"a":' * 65 + b"1" + b"}" * 65,
    b'{"a":' * 100,
    # These have values of the wrong type.
    b'{"protocol":1,"class":"C.D"}',
    b'{"protocol":"A.B","class":"C.D","priority":"5"}',
    b'{"protocol":"A.B","class":"C.D","priority":1.5}',
    b'{"protocol":"A.B","class":"C.D","priority":9223372036854775808}',
    b'{"protocol":"A.B","class":"C.D","priority":-9223372036854775808,"scope":"weak"}',
    b'{"protocol":"A.B","class":"C.D","scope":"global"}',
    b'{"protocol":"","class":"C.D"}',
    b'{"module":"A.B","level":"highest"}',
    b'{"module":"A.B","level":"basic","after":"C.D"}',
    b'{"module":"A.B","after":["C.D",{"E":null}]}',
    b'{"module":null}',
    # These use every part of JSON's syntax.
    b' {"a" : -0.5e+10 ,\t"b":[1,[2,{}],"x"],\r\n"c":null,"d":true,"e":false,"f":1E400,"g":-0} ',
    rb'{"a":"\u00e9\ud83d\ude00\n\\\"\/\b\f\r\t"}',
    rb'{"a":"\ud800"}',
    rb'{"a":"\udc00\ud800"}',
    rb'{"a":"\ud800\ue000"}',
    rb'{"a":"\ud800\u0041"}',
    b'{"a":"\x1f"}',
    b'{"a":"\x00"}',
    b'{"a":[1,],}',
    b'{"a":01}',
]
for fuzzer in ("json", "attributes"):
    write(fuzzer, objects + broken_objects)

write(
    "routes",
    [
        text.encode()
        for text in [
            "shop://order/7",
            "shop://order/new/",
            "shop://order/7.html?x=shop://a/b#c",
            "SHOP://ORDER/%6Eew",
            "shop://order/a%2Fb",
            "shop://order/a/x/c/y",
            "shop://order//a",
            "shop://order/../a",
            "shop://order/%2e%2E/a",
            "shop://order/%zz/%ff",
            "shop://order/%zz.html",
            "shop://order/.html",
            "shop://user:secret@order:8080/a",
            "shop://[::1]:8080/a",
            "shop://\u00dc/\u00e9",
            "shop://7.example/a",
            "shop:order/7",
            "https://shop.example:443/orders/7",
            "http://shop.example/a/b/c",
            # The following texts are patterns.
            "shop://order/:id(Int).html",
            "shop://:a.example:80/:b/*/**",
            "shop://order/%3Aid/%2A/",
            "shop:**",
        ]
    ],
)
