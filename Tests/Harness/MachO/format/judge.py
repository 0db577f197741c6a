"""Compares the output of tools for a file with the records that the file must contain.

The evidence is a dictionary of texts that tools printed. The functions that judge it read nothing
else, so that a test can change a text and check that they detect the change.
"""

import os
import re

import dumps
from record_format import JSON, MACHO_SECTIONS, NAME, SLOT, encode, kind_value

OBJDUMP = os.environ.get("OBJDUMP", "llvm-objdump")
READELF = os.environ.get("READELF", "readelf")
CHAINED_TARGET = (1 << 36) - 1
# ARM64_RELOC_AUTHENTICATED_POINTER, for which llvm-objdump has no name, and the signature of a
# function pointer in C and Swift: key IA, discriminator 0, and no address diversity, so that a
# copied record can be called.
AUTHENTICATED, FUNCTION_SCHEME = "11 (?)", 1 << 63


def compare_bytes(records, actual, pointer_size):
    """Compares a run of records.

    Returns the problems, and the offset, value, and record of each slot with an accessor.
    """
    problems, slots = [], []
    offset = 0
    for index, record in enumerate(records):
        value = 0
        if record.accessor is not None:
            value = int.from_bytes(actual[offset + SLOT:offset + SLOT + pointer_size], "little")
            slots.append((offset + SLOT, value, record))
        wanted = encode(record, value)
        found = actual[offset:offset + len(wanted)]
        if found != wanted:
            at = next((place for place, pair in enumerate(zip(found, wanted)) if pair[0] != pair[1]), len(found))
            problems.append(
                f"record {index}, {record}: byte {at} is {found[at:at + 1].hex() or 'missing'}, "
                f"not {wanted[at:at + 1].hex()}\n  wanted {wanted.hex(' ', 8)}\n  found  {found.hex(' ', 8)}")
            break
        offset += len(wanted)
    else:
        if offset != len(actual):
            problems.append(f"{len(actual) - offset} bytes follow the last record: {actual[offset:].hex(' ', 8)}")
    return problems, slots


def arranged(records, actual):
    """Returns the records in the order of a run of bytes, which compilers can change."""
    left, result = list(records), []
    offset = 0
    while left:
        for record in left:
            slot = int.from_bytes(actual[offset + SLOT:offset + JSON], "little") if record.accessor is not None else 0
            wanted = encode(record, slot)
            if actual[offset:offset + len(wanted)] == wanted:
                break
        else:
            return result + left
        left.remove(record)
        result.append(record)
        offset += len(wanted)
    return result


# MARK: Mach-O


def gather_macho(path, symbols_of=None):
    """Returns llvm-objdump's output for a file; a stripped file needs another one's symbols."""
    def say(*options, of=path):
        return dumps.run([OBJDUMP, "--macho", *options, of])

    evidence = {"headers": say("--private-headers"), "relocations": say("-r"),
                "symbols": say("-t", of=symbols_of or path), "image": "", "chained": "", "rebases": ""}
    if re.search(r"\b(DYLIB|EXECUTE)\b", say("--private-header")):
        evidence["image"] = "image"
        evidence["chained"], evidence["rebases"] = say("--dyld-info"), say("--rebase")
    for name in MACHO_SECTIONS:
        if f"sectname {name}\n" in evidence["headers"]:
            evidence[name] = say(f"--section=__DATA,{name}")
    return evidence


def judge_macho(records, evidence, pointer_size=8):
    """Returns the problems of the records in a Mach-O file."""
    problems = []
    everything = dumps.macho_sections(evidence["headers"])
    sections = [each for each in everything if each["sectname"].startswith("__reg_")]
    text = next((range(each["addr"], each["addr"] + each["size"]) for each in everything
                 if (each["segname"], each["sectname"]) == ("__TEXT", "__text")), range(0))
    wanted_names = {record.section for record in records}
    for name in sorted(wanted_names.symmetric_difference(each["sectname"] for each in sections)):
        problems.append(f"section {name} is {'missing' if name in wanted_names else 'unexpected'}")
    if len(sections) != len({each["sectname"] for each in sections}):
        problems.append("a section occurs twice")
    fixed = dumps.macho_fixups(evidence["chained"], evidence["rebases"])
    relocations = dumps.macho_relocations(evidence["relocations"])
    for section in sections:
        name = section["sectname"]
        there = [record for record in records if record.section == name]
        if not there or name not in evidence:
            continue
        positions = dumps.macho_positions(evidence[name])
        wrong, slots = compare_bytes(there, dumps.value(evidence[name], positions), pointer_size)
        wrong += attributes_problems(section, len(positions))
        if evidence["image"]:
            wrong += image_problems(section, slots, fixed, text, evidence)
        else:
            wrong += object_problems(section, slots, relocations, text, pointer_size)
        problems += [f"{name}: {problem}" for problem in wrong]
    return problems


def attributes_problems(section, size):
    """Yields the problems of a section's header."""
    if section["segname"] != "__DATA":
        yield f"the segment is {section['segname']}"
    if section["type"] != "S_REGULAR":
        yield f"the type is {section['type']}"
    if section["attributes"] != ["NO_DEAD_STRIP"]:
        yield f"the attributes are {' '.join(section['attributes'])}"
    if section["align"] != "2^3 (8)":
        yield f"the alignment is {section['align']}"
    if section["addr"] % 8:
        yield f"the address is {section['addr']:#x}"
    if section["size"] != size:
        yield f"the header states {section['size']} bytes, but the dump has {size}"


def object_problems(section, slots, relocations, text, pointer_size):
    """Yields the problems of a section's relocations: each accessor has one, and nothing else."""
    found = sorted(entry[1:] for entry in relocations if entry[0] == section["sectname"])
    length = {4: "long", 8: "quad"}[pointer_size]
    if int(section["nreloc"]) != len(slots):
        yield f"there are {section['nreloc']} relocations instead of {len(slots)}"
    if [entry[:2] for entry in found] != [(offset, length) for offset, _, _ in slots]:
        yield f"the relocations are {found} instead of {length} at {[offset for offset, _, _ in slots]}"
        return
    for (_, _, kind, symbol), (_, value, record) in zip(found, slots):
        # For 32-bit Arm, the slot contains the function's address in the file.
        is_local = symbol.endswith("(__TEXT,__text)")
        if value not in text if is_local else value != (FUNCTION_SCHEME if kind == AUTHENTICATED else 0):
            yield f"the slot of {record} contains {value:#x} before linking"
        if record.accessor != "function" and symbol != f"_{record.accessor}":
            yield f"the slot of {record} gets the address of {symbol}"
    if len({(symbol, value) for (*_, symbol), (_, value, _) in zip(found, slots)}) != len(slots):
        if all(record.accessor == "function" for _, _, record in slots):
            yield "two records have the same accessor"


def image_problems(section, slots, fixed, text, evidence):
    """Yields the problems of the slots of a linked image.

    Each slot is fixed up, nothing else is, and the slot contains its function.
    """
    symbols = dumps.macho_symbols(evidence["symbols"])
    start, end = section["addr"], section["addr"] + section["size"]
    places = [address for address in fixed if start <= address < end]
    if places != [start + offset for offset, _, _ in slots]:
        found = [hex(place - start) for place in places]
        yield f"the fixups are at {found} instead of the slots {[hex(slot[0]) for slot in slots]}"
    if section["nreloc"] != "0":
        yield f"a linked image has {section['nreloc']} relocations"
    chained = dumps.macho_fixups(evidence["chained"], "") != []
    for _, value, record in slots:
        target = value & CHAINED_TARGET if chained and value >> 63 == 0 else value
        if target not in text:
            yield f"the slot of {record} contains {value:#x}, which is not in the code"
        if record.accessor != "function" and target != symbols.get(f"_{record.accessor}"):
            yield f"the slot of {record} contains {value:#x} instead of {record.accessor}"


# MARK: ELF


def gather_elf(path, symbols_of=None):
    """Returns readelf's output for an image."""
    def say(*options, of=path, may_fail=False):
        return dumps.run([READELF, "-W", *options, of], may_fail)

    # readelf fails for malformed notes. Its output then has too few of them.
    return {"sections": say("-S"), "segments": say("-l"), "notes": say("-n", may_fail=True),
            "bytes": say("-x", ".note.registry"), "relocations": say("-r"),
            "symbols": say("-s", of=symbols_of or path)}


def judge_elf(records, evidence, any_order=False):
    """Returns the problems of the records in an ELF image."""
    sections = [each for each in dumps.elf_sections(evidence["sections"]) if each["name"] == ".note.registry"]
    if len(sections) != 1:
        return [f"there are {len(sections)} sections .note.registry"]
    section = sections[0]
    problems = list(section_problems(section, dumps.elf_note_segments(evidence["segments"])))
    actual = dumps.value(evidence["bytes"], dumps.elf_positions(evidence["bytes"]))
    if any_order:
        records = arranged(records, actual)
    wrong, slots = compare_bytes(records, actual, 8)
    problems += wrong
    if len(actual) != section["size"]:
        problems.append(f"the header states {section['size']} bytes, but the dump has {len(actual)}")
    problems += notes_problems(records, evidence["notes"])
    symbols = dumps.elf_symbols(evidence["symbols"])
    start, end = section["addr"], section["addr"] + section["size"]
    relocations = sorted(each for each in dumps.elf_relocations(evidence["relocations"]) if start <= each[0] < end)
    wanted = [(start + offset, symbols.get(record.accessor)) for offset, _, record in slots]
    if [(place, addend) for place, _, addend in relocations] != wanted or None in dict(wanted).values():
        problems.append(f"the relocations are {relocations} instead of one at each slot with its function: {wanted}")
    for offset, found, record in slots:
        # A linker can also write the addend into the slot.
        if found not in (0, symbols.get(record.accessor)):
            problems.append(f"the slot of {record} contains {found:#x}")
    return problems


def section_problems(section, segments):
    """Yields the problems of the section's header and of the segment around it."""
    if section["type"] != "NOTE":
        yield f"the section's type is {section['type']}"
    if "A" not in section["flags"]:
        yield f"the section's flags are {section['flags']}: it is not loaded"
    if section["align"] != 8 or section["addr"] % 8:
        yield f"the section's alignment is {section['align']}, its address {section['addr']:#x}"
    covering = [
        each for each in segments
        if each["addr"] <= section["addr"] and section["addr"] + section["size"] <= each["addr"] + each["size"]
        and each["addr"] - each["offset"] == section["addr"] - section["offset"]]
    if not any(each["align"] == 8 for each in covering):
        yield f"none of the PT_NOTE segments covers the section with alignment 8: {segments}"


def notes_problems(records, text):
    """Yields the problems of the notes, one for each record: owner, size, type, and description."""
    notes = dumps.elf_notes(text, ".note.registry")
    if len(notes) != len(records):
        yield f"there are {len(notes)} notes instead of {len(records)}"
    for index, ((owner, size, kind, positions), record) in enumerate(zip(notes, records)):
        description = dumps.value(text, positions)
        slot = int.from_bytes(description[:JSON - SLOT], "little") if record.accessor is not None else 0
        wanted = encode(record, slot)[SLOT:]
        if (owner, size, kind) != (NAME[:-1].decode(), len(wanted), kind_value(record.kind)):
            yield f"note {index}, {record}: owner {owner}, size {size}, type {kind:#x}"
        if description != wanted:
            yield f"note {index}, {record}: description {description.hex(' ', 8)}, expected {wanted.hex(' ', 8)}"
