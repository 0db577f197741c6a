"""Changes the evidence of a correct file in one place at a time, and checks the detection."""

import re

import dumps
from record_format import JSON, MACHO_SECTIONS, encode


def replaced(text, position):
    """Returns a text in which the lowest bit of the byte at a position is inverted."""
    changed = int(text[position:position + 2], 16) ^ 1
    return f"{text[:position]}{changed:02x}{text[position + 2:]}"


def interesting(records):
    """Yields offsets into a run of records.

    These are all bytes of a header, and the first and last bytes of the JSON and the padding. An
    accessor's slot is left out, because another check compares its contents.
    """
    offset = 0
    for record in records:
        size, json = len(encode(record)), len(record.json.encode("utf-8"))
        places = {*range(24), JSON, JSON + json - 1, JSON + json, size - 1}
        places |= set(range(24, JSON)) if record.accessor is None else set()
        yield from (offset + place for place in sorted(places))
        offset += size


def changed_bytes(records, evidence):
    """Yields (description, evidence) for each selected byte, with this byte changed."""
    if "notes" in evidence:
        positions = dumps.elf_positions(evidence["bytes"])
        runs = [("bytes", [positions[offset] for offset in interesting(records)])]
        described = [note[3] for note in dumps.elf_notes(evidence["notes"], ".note.registry")]
        runs.append(("notes", [place for each in described for place in (each[8], each[-1])]))
    else:
        runs = []
        for name in MACHO_SECTIONS:
            if name in evidence:
                positions = dumps.macho_positions(evidence[name])
                there = [record for record in records if record.section == name]
                runs.append((name, [positions[offset] for offset in interesting(there)]))
    for key, places in runs:
        for place in places:
            yield f"{key}, character {place}", {**evidence, key: replaced(evidence[key], place)}


# The changes that a wrong file would cause in a tool's output: the text, a pattern, and its
# replacement.
MACHO_WORDS = [
    ("headers", r"(sectname __reg_modul)es", r"\1ex"),
    ("headers", r"(sectname __reg_services\n *segname) __DATA", r"\1 __TEXT"),
    ("headers", r"(sectname __reg_modules(?:\n.*){7}\n *type) S_REGULAR", r"\1 S_CSTRING_LITERALS"),
    ("headers", r"(sectname __reg_services(?:\n.*){8}\nattributes) NO_DEAD_STRIP", r"\1 (none)"),
    ("headers", r"(sectname __reg_modules(?:\n.*){4}\n *align) 2\^3 \(8\)", r"\1 2^5 (32)"),
    ("headers", r"(sectname __reg_modules(?:\n.*){6}\n *nreloc) \d+", r"\1 77"),
    ("headers", r"(sectname __reg_services\n.*\n *addr 0x\w*)[08]\n", r"\g<1>4\n"),
]
# Records of modules and services are not in this section.
EXPORT_WORDS = [
    ("headers", r"(sectname __reg_expor)ts", r"\1tx"),
    ("headers", r"(sectname __reg_exports\n *segname) __DATA", r"\1 __TEXT"),
    ("headers", r"(sectname __reg_exports(?:\n.*){8}\nattributes) NO_DEAD_STRIP", r"\1 (none)"),
]
ELF_WORDS = [
    ("sections", r"\.note\.registry( +)NOTE", r".note.registry\1PROGBITS"),
    ("sections", r"(\.note\.registry .*) 8\n", r"\1 32\n"),
    ("sections", r"(\.note\.registry .*) WA(o?) ", r"\1 W\2 "),
    ("sections", r"\.note\.registry ", r".note.registrx "),
    ("segments", r"(NOTE .*) 0x8\n", r"\1 0x4\n"),
    ("segments", r"  NOTE ", "  LOAD "),
    ("notes", r"  Registry ( *0x\w*)", r"  Registrz \1"),
    ("notes", r"0x6d6f6475", "0x6d6f6474"),
    ("notes", r"\n  Registry .*\n", "\n"),
    ("relocations", r"R_X86_64_RELATIVE( +)\w+", r"R_X86_64_RELATIVE\g<1>1"),
]


def changed_words(evidence):
    """Yields the evidence with one word of a header changed."""
    changes = ELF_WORDS if "notes" in evidence else MACHO_WORDS
    if "__reg_exports" in evidence:
        changes = changes + EXPORT_WORDS
    for key, pattern, replacement in changes:
        text, count = re.subn(pattern, replacement, evidence[key])
        if count == 0:
            raise ValueError(f"{pattern!r} does not occur in {key}")
        yield f"{key}: {pattern!r}", {**evidence, key: text}


def changed_records(records):
    """Yields lists of records in which one is missing, one is repeated, or two are swapped."""
    for index in range(len(records)):
        yield f"record {index} is not expected", records[:index] + records[index + 1:]
        yield f"record {index} is expected twice", records[:index] + [records[index]] + records[index:]
        for other in range(index + 1, len(records)):
            if records[other].section == records[index].section:
                swapped = list(records)
                swapped[index], swapped[other] = records[other], records[index]
                yield f"records {index} and {other} are expected in reverse order", swapped
                break


def unnoticed(records, evidence, judge):
    """Returns the number of changes tried, and the changes that are not detected."""
    cases = [(what, records, changed) for what, changed in changed_bytes(records, evidence)]
    cases += [(what, records, changed) for what, changed in changed_words(evidence)]
    cases += [(what, changed, evidence) for what, changed in changed_records(records)]
    return len(cases), [what for what, expected, shown in cases if not judge(expected, shown)]
