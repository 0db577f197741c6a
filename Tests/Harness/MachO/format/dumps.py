"""Parses the output of llvm-objdump and GNU readelf, which read the records independently.

Bytes are given as the positions of their hexadecimal digits in the output, so that a test can
change one of them there.
"""

import re
import subprocess

HEX = "[0-9a-f]"


def run(command, may_fail=False):
    """Returns a tool's output; raises an error if the tool fails and is not allowed to."""
    result = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", errors="replace")
    if result.returncode != 0 and not may_fail:
        raise RuntimeError(f"{' '.join(command)}: {result.stderr.strip() or result.returncode}")
    return result.stdout


def value(text, positions):
    """Returns the bytes at positions in a text."""
    return bytes(int(text[position:position + 2], 16) for position in positions)


# MARK: Mach-O, llvm-objdump


def macho_sections(text):
    """Returns the sections in `--private-headers` as dictionaries of the printed fields."""
    sections = []
    for block in re.split(r"^Section\n", text, flags=re.M)[1:]:
        block = re.split(r"^Load command", block, flags=re.M)[0]
        fields = dict(re.findall(r"^ *(sectname|segname|addr|size|align|nreloc|type|attributes) (.*)$", block, re.M))
        fields["addr"], fields["size"] = int(fields["addr"], 16), int(fields["size"], 16)
        fields["attributes"] = fields["attributes"].split()
        sections.append(fields)
    return sections


def macho_positions(text):
    """Returns the positions of the bytes in `--section=…`.

    The output has pairs of digits for Intel, and words with the highest byte first for Arm.
    """
    positions = []
    for line in re.finditer(rf"^{HEX}{{8,16}}\t(.*)$", text, re.M):
        for token in re.finditer(rf"{HEX}+", line[1]):
            start = line.start(1) + token.start()
            size = len(token[0])
            if size not in (2, 8):
                raise ValueError(f"unexpected word of {size} digits in {line[0]!r}")
            positions += range(start + size - 2, start - 2, -2)
    return positions


def macho_relocations(text):
    """Returns the relocations in `-r` as (section, offset, length, type, symbol).

    The length, the type, and the symbol are as the tool prints them.
    """
    result = []
    section = None
    for line in text.splitlines():
        if header := re.match(r"Relocation information \((\w+),(\w+)\)", line):
            section = header[2]
        elif entry := re.match(rf"({HEX}{{8}}) +\w+ +(\?\( ?\d\)|\w+) +\w+ +(\d+ \(\?\)|\w+) +\w+ +(.*)$", line):
            length = {"?( 3)": "quad"}.get(entry[2], entry[2])
            result.append((section, int(entry[1], 16), length, entry[3], entry[4].strip()))
    return result


def macho_symbols(text):
    """Returns the addresses of the symbols in `-t`, by name."""
    return {name: int(address, 16) for address, name in re.findall(rf"^({HEX}{{16}}) .* (\S+)$", text, re.M)}


def macho_fixups(chained, rebases):
    """Returns the addresses that are fixed up, from `--dyld-info` and `--rebase`."""
    return sorted(
        [int(address, 16) for address in re.findall(r"^__\w+ +\w+ +0x([0-9A-Fa-f]+) +0x", chained, re.M)]
        + [int(address, 16) for address in re.findall(r"^__\w+ +\w+ +0x([0-9A-Fa-f]+) +pointer", rebases, re.M)])


# MARK: ELF, readelf


def elf_sections(text):
    """Returns the sections in `-S -W` as dictionaries."""
    pattern = rf"^ *\[ *\d+\] (\S+) +(\S+) +({HEX}+) ({HEX}+) ({HEX}+) {HEX}+ +([A-Za-z]*) +\d+ +\d+ +(\d+)$"
    return [
        dict(name=name, type=kind, addr=int(address, 16), offset=int(offset, 16), size=int(size, 16), flags=flags,
             align=int(align))
        for name, kind, address, offset, size, flags, align in re.findall(pattern, text, re.M)]


def elf_note_segments(text):
    """Returns the PT_NOTE segments in `-l -W` as dictionaries."""
    pattern = rf"^ *NOTE +0x({HEX}+) 0x({HEX}+) 0x{HEX}+ 0x({HEX}+) 0x({HEX}+) .*? 0x({HEX}+)$"
    return [
        dict(offset=int(offset, 16), addr=int(address, 16), size=min(int(size, 16), int(memory, 16)),
             align=int(align, 16))
        for offset, address, size, memory, align in re.findall(pattern, text, re.M)]


def elf_notes(text, section):
    """Returns a section's notes in `-n -W` as (owner, size, type, positions of the description)."""
    start = text.find(f"Displaying notes found in: {section}\n")
    if start < 0:
        return []
    end = text.find("Displaying notes found in:", start + 1)
    notes = []
    for line in re.finditer(rf"^  (\S+) +0x({HEX}{{8}})\t(.*)$", text[start:end if end >= 0 else None], re.M):
        described = re.match(
            rf"Unknown note type: \(0x({HEX}{{8}})\)\t *description data: ((?:{HEX}{{2}} )*)$", line[3])
        if not described:
            raise ValueError(f"unexpected note in the output of readelf: {line[0]!r}")
        first = start + line.start(3) + described.start(2)
        positions = range(first, first + len(described[2]), 3)
        notes.append((line[1], int(line[2], 16), int(described[1], 16), positions))
    return notes


def elf_positions(text):
    """Returns the positions of the bytes in `-x …`."""
    positions = []
    for line in re.finditer(rf"^  0x{HEX}{{8}} ((?:{HEX}{{2,8}} ){{1,4}})", text, re.M):
        for token in re.finditer(rf"{HEX}+", line[1]):
            start = line.start(1) + token.start()
            positions += range(start, start + len(token[0]), 2)
    return positions


def elf_relocations(text):
    """Returns the relocations in `-r -W` as (address, type, addend)."""
    return [
        (int(address, 16), kind, int(addend, 16))
        for address, kind, addend in re.findall(rf"^({HEX}+)  {HEX}+ (R_\w+) +(?:.* \+ )?({HEX}+)$", text, re.M)]


def elf_symbols(text):
    """Returns the addresses of the symbols in `-s -W`, by name."""
    return {
        name: int(address, 16)
        for address, name in re.findall(rf"^ *\d+: ({HEX}+) +\d+ \w+ +\w+ +\w+ +\w+ (\S+)$", text, re.M)}
