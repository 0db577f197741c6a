"""Encodes the bytes of a record according to Documentation/RecordFormat.md alone.

This module does not read the headers or the macros, because their output is compared with its own.
"""

# "9: the name with its NUL"
NAME = b"Registry\0"
# "char json[]" is at offset 32, and the accessor is at offset 24.
SLOT = 24
JSON = 32

SECTIONS = {"modu": "__reg_modules", "serv": "__reg_services"}
OTHER_SECTION = "__reg_exports"
MACHO_SECTIONS = ["__reg_modules", "__reg_services", "__reg_exports"]


class Expected:
    """An expected record: its four-character kind, its accessor's symbol or None, and its JSON."""

    def __init__(self, kind, accessor, json, line=0):
        self.kind, self.accessor, self.json, self.line = kind, accessor, json, line

    @property
    def section(self):
        """The record's section in a Mach-O file."""
        return SECTIONS.get(self.kind, OTHER_SECTION)

    def __str__(self):
        return f"{self.kind} {self.json}"


def number(value, size):
    """Returns the little-endian bytes of an integer."""
    return bytes((value >> (8 * place)) & 0xFF for place in range(size))


def kind_value(kind):
    """"The four characters, first one highest"."""
    first, second, third, fourth = (ord(character) for character in kind)
    return first << 24 | second << 16 | third << 8 | fourth


def encode(record, slot=0):
    """Returns a record's bytes, with a value for its accessor's slot."""
    json = record.json.encode("utf-8") + b"\0"
    while len(json) % 8:
        json += b"\0"
    name = NAME
    while len(name) < 12:
        name += b"\0"
    payload = 8 + len(json)
    header = number(len(NAME), 4) + number(payload, 4) + number(kind_value(record.kind), 4) + name
    return header + number(slot, 8) + json


def read_expected(paths):
    """Returns the records listed in files, in order; raises an error if there are none."""
    records = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            for count, line in enumerate(file, 1):
                line = line.rstrip("\n")
                if not line or line.startswith("#"):
                    continue
                kind, accessor, json = line.split(" ", 2)
                if len(kind) != 4 or not json.startswith("{"):
                    raise ValueError(f"{path}:{count}: expected: kind accessor {{JSON}}")
                records.append(Expected(kind, None if accessor == "none" else accessor, json, count))
    if not records:
        raise ValueError(f"{', '.join(paths)} list no records")
    return records


def uncovered(records):
    """Yields the cases that a list of records does not cover."""
    for kind in SECTIONS:
        lengths = {len(record.json.encode("utf-8")) % 8 for record in records if record.kind == kind}
        for missing in sorted(set(range(8)) - lengths):
            yield f"no {kind} has JSON of length {missing} modulo 8"
    if all(record.json.isascii() for record in records):
        yield "all names are ASCII"
