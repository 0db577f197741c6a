"""Compares the records in a file with lists of records: compare.py COMMAND FILE RECORDS…

    macho FILE RECORDS…     a Mach-O object or image
    elf FILE RECORDS…       an ELF image

The expected bytes are encoded according to Documentation/RecordFormat.md alone, without the headers
and the macros. llvm-readobj and llvm-objdump (READOBJ and OBJDUMP) read the file. The option
--pointer-size 4, before the command, is for processors with such pointers. The exit status is 0 if
the records agree, 1 with a line for each difference, and 3 if they could not be compared.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys

NAME = b"Registry\0"
# "The accessor is at offset 24, and char json[] at offset 32."
SLOT, JSON = 24, 32
SECTIONS = {"modu": "__reg_modules", "serv": "__reg_services"}
OTHER_SECTION = "__reg_exports"
# The relocations that write a pointer of each size, as llvm-readobj prints their lengths.
POINTER_LENGTHS = {4: "2", 8: "3"}
# ARM64_RELOC_AUTHENTICATED_POINTER, for which llvm-readobj has no name, and the signature of a
# function pointer in C and Swift: key IA, discriminator 0, and no address diversity, so that a
# copied record can be called.
AUTHENTICATED, FUNCTION_SCHEME = "Unknown", 1 << 63
# The bits of a pointer in a chain of fixups that contain its target.
CHAINED_TARGET = (1 << 36) - 1


class Record:
    """An expected record: its four-character kind, its accessor's symbol or None, and its JSON."""

    def __init__(self, line):
        self.kind, accessor, self.json = line.split(" ", 2)
        self.accessor = None if accessor == "none" else accessor
        self.section = SECTIONS.get(self.kind, OTHER_SECTION)

    def __str__(self):
        return f"{self.kind} {self.json}"

    def encode(self, slot=0):
        """Returns the record's bytes, with a value for its accessor's slot."""
        def padded(text, multiple):
            return text + bytes(-len(text) % multiple)

        json = padded(self.json.encode() + b"\0", 8)
        kind = int.from_bytes(self.kind.encode(), "big")
        numbers = b"".join(number.to_bytes(4, "little") for number in (len(NAME), 8 + len(json), kind))
        return numbers + padded(NAME, 4) + slot.to_bytes(8, "little") + json


def read_expected(paths):
    """Returns the records listed in files, in order."""
    lines = [line.rstrip("\n") for path in paths for line in open(path, encoding="utf-8")]
    return [Record(line) for line in lines if line and not line.startswith("#")]


def compare_bytes(records, actual, pointer_size):
    """Compares a run of records.

    Returns the problems, and the offset, value, and record of each slot with an accessor.
    """
    slots, offset = [], 0
    for index, record in enumerate(records):
        value = 0
        if record.accessor:
            value = int.from_bytes(actual[offset + SLOT:offset + SLOT + pointer_size], "little")
            slots.append((offset + SLOT, value, record))
        wanted = record.encode(value)
        found = actual[offset:offset + len(wanted)]
        if found != wanted:
            at = next((place for place, pair in enumerate(zip(found, wanted)) if pair[0] != pair[1]), len(found))
            return [f"record {index}, {record}: byte {at} is {found[at:at + 1].hex() or 'missing'}, "
                    f"not {wanted[at:at + 1].hex()}\n  wanted {wanted.hex(' ', 8)}\n  found  {found.hex(' ', 8)}"], slots
        offset += len(wanted)
    return ["bytes follow the last record"] if offset != len(actual) else [], slots


# MARK: Tools


def run(variable, names, *arguments):
    """Returns the output of the first tool that exists."""
    tool = os.environ.get(variable) or next(filter(None, map(shutil.which, names)), names[0])
    return subprocess.run([tool, *arguments], capture_output=True, check=True, text=True, errors="replace").stdout


def blocks(text, name):
    """Yields the parts of llvm-readobj's output with a name: their fields, and their text."""
    for indentation, block in re.findall(rf"^( *){name} \{{\n(.*?)^\1\}}$", text, re.M | re.S):
        yield dict(re.findall(rf"^{indentation}  (\w+): (\S+)", block, re.M)), block


def data(block):
    """Returns the bytes in a part of llvm-readobj's output."""
    return bytes.fromhex("".join(re.findall(r"^ +[0-9A-F]+: ((?:[0-9A-F]+ ?)+)", block, re.M)))


def symbols(text):
    """Returns the addresses of the symbols, by name."""
    return {fields.get("Name"): int(fields["Value"], 16) for fields, _ in blocks(text, "Symbol")}


def relocations(text, section):
    """Returns the relocations of a section as lists of words, in order of their offsets."""
    found = re.search(rf"^  Section {section} \{{\n(.*?)^  \}}$", text, re.M | re.S)
    return sorted((line.split() for line in (found[1] if found else "").splitlines()), key=lambda each: int(each[0], 16))


# MARK: Mach-O


def macho_problems(path, text, records, pointer_size):
    """Yields the problems of the records in a Mach-O file."""
    sections = {(fields["Segment"], fields["Name"]): (fields, block) for fields, block in blocks(text, "Section")}
    wanted = {record.section for record in records}
    for name in sorted(wanted.symmetric_difference(name for _, name in sections if name.startswith("__reg_"))):
        yield f"section {name} is {'missing' if name in wanted else 'unexpected'}"
    code = sections["__TEXT", "__text"][0]
    code = range(int(code["Address"], 16), int(code["Address"], 16) + int(code["Size"], 16))
    is_image = "FileType: DynamicLibrary" in text
    fixups = run("OBJDUMP", ["llvm-objdump", "llvm-objdump-19"], "--macho", "--dyld-info", path) if is_image else ""
    for (segment, name), (fields, block) in sections.items():
        expected = [record for record in records if record.section == name]
        if not expected:
            continue
        wrong, slots = compare_bytes(expected, data(block), pointer_size)
        if segment != "__DATA":
            wrong.append(f"the segment is {segment}")
        if fields["Type"] != "Regular" or "Attributes [ (0x100000)\n" not in block:
            wrong.append("the attributes are not regular,no_dead_strip")
        if fields["Alignment"] != "3" or int(fields["Address"], 16) % 8:
            wrong.append(f"the alignment is 2^{fields['Alignment']}, the address {fields['Address']}")
        if is_image:
            wrong += image_problems(int(fields["Address"], 16), slots, fixups, code, text, name)
        else:
            wrong += object_problems(slots, relocations(text, name), code, pointer_size)
        yield from (f"{name}: {problem}" for problem in wrong)


def object_problems(slots, found, code, pointer_size):
    """Yields the problems of a section's relocations: each accessor has one, and nothing else."""
    wanted = [(offset, POINTER_LENGTHS[pointer_size]) for offset, _, _ in slots]
    if [(int(entry[0], 16), entry[2]) for entry in found] != wanted:
        yield f"the relocations are {found} instead of {wanted}"
        return
    targets = set()
    for (*_, kind, _, symbol), (_, value, record) in zip(found, slots):
        targets.add((symbol, value))
        # For 32-bit Arm, the slot contains the function's address in the file.
        if value not in code if symbol == "__text" else value != (FUNCTION_SCHEME if kind == AUTHENTICATED else 0):
            yield f"the slot of {record} contains {value:#x} before linking"
        if record.accessor != "function" and symbol != f"_{record.accessor}":
            yield f"the slot of {record} gets the address of {symbol}"
    if len(targets) != len(slots) and all(record.accessor == "function" for _, _, record in slots):
        yield "two records have the same accessor"


def image_problems(start, slots, fixups, code, text, name):
    """Yields the problems of the slots of a linked image.

    Each slot is fixed up, nothing else is, and the slot contains its function.
    """
    addresses = symbols(text)
    found = [int(address, 16) - start for address in re.findall(rf"^__DATA +{name} +(0x\w+)", fixups, re.M)]
    if found != [offset for offset, _, _ in slots]:
        yield f"the fixups are at {found} instead of {[offset for offset, _, _ in slots]}"
    for _, value, record in slots:
        target = value & CHAINED_TARGET
        if target not in code or addresses.get(f"_{record.accessor}", target) != target:
            yield f"the slot of {record} contains {value:#x}, which is not its function"


# MARK: ELF


def elf_problems(text, records):
    """Yields the problems of the records in an ELF image."""
    sections = [each for each in blocks(text, "Section") if each[0].get("Name") == ".note.registry"]
    if len(sections) != 1:
        yield f"there are {len(sections)} sections .note.registry"
        return
    (fields, block), = sections
    start, size = int(fields["Address"], 16), int(fields["Size"])
    wrong, slots = compare_bytes(records, data(block), 8)
    yield from wrong
    if fields["Type"] != "SHT_NOTE" or "SHF_ALLOC" not in block or fields["AddressAlignment"] != "8" or start % 8:
        yield f"the section's header is {fields}"
    segments = [each for each, _ in blocks(text, "ProgramHeader") if each["Type"] == "PT_NOTE" and each["Alignment"] == "8"]
    if not any(int(each["VirtualAddress"], 16) <= start and
               start + size <= int(each["VirtualAddress"], 16) + int(each["FileSize"]) for each in segments):
        yield f"none of the segments of notes covers the section with alignment 8: {segments}"
    # A reader of notes must find the same records.
    notes = re.findall(r"Owner: Registry\n *Data size: (0x\w+)\n *Type: Unknown \((0x\w+)\)", text)
    expected = [(len(each.encode()) - SLOT, int.from_bytes(each.kind.encode(), "big")) for each in records]
    if [(int(length, 16), int(kind, 16)) for length, kind in notes] != expected:
        yield f"the notes are {notes}"
    addresses = symbols(text)
    found = [(int(each[0], 16), int(each[3], 16)) for each in relocations(text, r"\(\d+\) .rela.dyn")]
    wanted = [(start + offset, addresses[record.accessor]) for offset, _, record in slots]
    if [each for each in found if start <= each[0] < start + size] != wanted:
        yield f"the relocations are {found} instead of {wanted}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pointer-size", type=int, default=8, choices=(4, 8))
    parser.add_argument("command", choices=("macho", "elf"))
    parser.add_argument("file")
    parser.add_argument("records", nargs="+")
    arguments = parser.parse_args()
    text = run("READOBJ", ["llvm-readobj-19", "llvm-readobj"], "--file-headers", "--sections", "--section-data",
               "--program-headers", "--notes", "--relocs", "--symbols", arguments.file)
    records = read_expected(arguments.records)
    if arguments.command == "elf":
        problems = list(elf_problems(text, records))
    else:
        problems = list(macho_problems(arguments.file, text, records, arguments.pointer_size))
    print(*problems, sep="\n", end="\n" if problems else "")
    return 1 if problems else 0


if __name__ == "__main__":
    try:
        status = main()
    except Exception as error:  # No exception may look like a result of the comparison.
        print(f"compare.py: {type(error).__name__}: {error}", file=sys.stderr)
        status = 3
    sys.exit(status)
