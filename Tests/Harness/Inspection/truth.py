"""Compares InspectionProbe's output with what LIEF and other tools read from the same files.

    truth.py PROBE TOOLCHAIN CACHE

The script `truth` starts this program, with LIEF.
"""

import collections
import json
import multiprocessing
import pathlib
import re
import subprocess
import sys
import zipfile
import zlib

import lief

lief.logging.disable()
LEAST = 300
SIZE_LIMIT = 40 << 20
# The number of pointers that the probe reads in each section.
POINTER_LIMIT = 2_000

# MARK: - Files

# Each entry has a platform and a package. The wheels contain thin and universal files, a program,
# debug symbols, Objective-C, Rust, C++, and chained fixups.
WHEELS = [
    ("macosx_14_0_arm64", "numpy==2.1.3"),
    ("macosx_11_0_arm64", "psutil==6.1.0"),
    ("macosx_11_0_arm64", "pillow==11.0.0"),
    ("macosx_10_13_x86_64", "pillow==11.0.0"),
    ("macosx_11_0_arm64", "cryptography==43.0.3"),
    ("macosx_10_9_universal2", "lxml==5.3.0"),
    ("macosx_10_13_universal2", "MarkupSafe==3.0.2"),
    ("macosx_10_13_universal2", "pyobjc-core==13.0"),
    ("macosx_11_0_arm64", "ruff==0.8.0"),
    ("macosx_14_0_arm64", "mlx==0.20.0"),
]


def mach_o_files(cache):
    """Returns the Mach-O files of the wheels."""
    paths = []
    for platform, package in WHEELS:
        folder = cache / f"{package}-{platform}"
        if not folder.exists():
            wheels = cache / "wheels" / folder.name
            subprocess.run(
                [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "--platform",
                 platform, "--python-version", "3.12", "--dest", str(wheels), package], check=True)
            for wheel in wheels.glob("*.whl"):
                zipfile.ZipFile(wheel).extractall(folder)
        paths += [str(path) for path in sorted(folder.rglob("*")) if path.is_file() and lief.is_macho(str(path))]
    return paths


def elf_files(toolchain):
    """Returns ELF files of this system and the toolchain, each only once."""
    libraries = [pathlib.Path(f"/usr/lib/{machine}-linux-gnu") for machine in ("x86_64", "aarch64")]
    groups = [(pathlib.Path("/usr/bin"), "*", 120), (toolchain / "lib/swift/linux", "*.so", 40)]
    groups += [(folder, pattern, count) for folder in libraries for pattern, count in (("*.so*", 120), ("*.o", 20))]
    groups += [(toolchain / f"lib/{name}/linux", "*/*.o", 10) for name in ("swift", "swift_static")]
    seen = {}
    for folder, pattern, count in groups:
        paths = (path.resolve() for path in sorted(folder.glob(pattern)))
        chosen = [str(path) for path in paths
                  if path.is_file() and path.stat().st_size <= SIZE_LIMIT and lief.is_elf(str(path))]
        seen.update(dict.fromkeys(chosen[:count]))
    return sorted(seen)


# MARK: - Comparison

def compare(arguments):
    """Returns the differences in a file, and the numbers of compared items."""
    path, rows = arguments
    counts = collections.Counter()
    if not rows or "error" in rows[0]:
        return path, [f"the reader finds nothing: {rows}"], counts
    data = pathlib.Path(path).read_bytes()
    judge = mach_o if rows[0]["format"] == "Mach-O" else elf
    return path, list(judge(path, rows, data, counts)), counts


def sections(row, stated, data, counts):
    """Compares sections with the stated ones, whose offset is None if they have no bytes."""
    counts["sections"] += len(stated)
    if len(row["sections"]) != len(stated):
        yield f"{len(row['sections'])} sections, LIEF: {len(stated)}"
        return
    for ours, (name, address, size, offset) in zip(row["sections"], stated):
        # Objects of ELF have no addresses. The offset of a section without bytes has no meaning.
        mine = (ours["name"], address if address is None else ours["address"], ours["size"], ours.get("offset") if size else None)
        if mine != (name, address, size, offset):
            yield f"section {mine}, LIEF: {(name, address, size, offset)}"
        elif offset is not None:
            counts["contents"] += 1
            wanted = zlib.adler32(data[row["start"] + offset : row["start"] + offset + size])
            if (ours["sum"], ours.get("sumByAddress", wanted)) != (wanted, wanted):
                yield f"the contents of {name} differ"


def pointers(row, isPointers, data, expected, counts, what):
    """Compares each pointer in some sections with the ones that `expected` allows.

    `expected` returns a list of addresses and of pairs of a symbol and an addend, or None if any
    pointer is correct. The reader does not list null pointers.
    """
    size = 8 if row["is64Bit"] else 4
    given = {pointer["at"]: pointer for pointer in row["pointers"]}
    for section in row["sections"]:
        if not section.get("offset") or not section["address"] or not isPointers(section["name"]):
            continue
        for index in range(min(section["size"] // size, POINTER_LIMIT)):
            address = section["address"] + index * size
            start = row["start"] + section["offset"] + index * size
            allowed = expected(address, int.from_bytes(data[start : start + size], "little"))
            if allowed is None:
                continue
            pointer = given.get(address, {"address": 0})
            ours = (pointer["symbol"], pointer["addend"]) if "symbol" in pointer else pointer.get("address")
            counts[what] += 1
            counts[f"{what} to symbols"] += "symbol" in pointer
            if ours not in allowed:
                yield f"pointer at {address:#x}: {pointer}, LIEF: {allowed}"


# MARK: - Mach-O

def mach_o(path, rows, data, counts):
    # The slices are valid as long as the file's object.
    file = lief.MachO.parse(path)
    slices = list(file)
    ours = [(row["architecture"], row["start"], row["size"]) for row in rows]
    # LIEF's names of processors have no variants.
    stated = [(next((row["architecture"] for row in rows if row["architecture"].upper().startswith(slice.header.cpu_type.name)
                     and row["start"] == slice.fat_offset), slice.header.cpu_type.name), slice.fat_offset, slice.original_size)
              for slice in slices]
    if ours != stated:
        yield f"slices: {ours}, LIEF: {stated}"
        return
    counts["slices"] += len(slices)
    for row, slice in zip(rows, slices):
        found = []
        for section in slice.sections:
            # In files of debug symbols, most sections have no bytes. A section cannot be at the
            # offset of the header.
            isEmpty = "ZEROFILL" in section.type.name or section.segment.file_size == 0 or section.offset == 0
            found.append((f"{section.segment_name},{section.name}", section.virtual_address, section.size,
                          None if isEmpty or section.size == 0 else section.offset))
        yield from sections(row, found, data, counts)
        if row["type"] in ("executable", "library", "bundle"):
            yield from mach_o_pointers(row, slice, data, counts)
            yield from classes(path, row, counts)


def mach_o_pointers(row, slice, data, counts):
    bound, chained = {}, {}
    for binding in slice.bindings:
        # The reader does not interpret the opcodes of dyld.
        if isinstance(binding, lief.MachO.ChainedBindingInfo):
            bound[binding.address] = (binding.symbol.name, binding.sign_extended_addend)
    for relocation in slice.relocations:
        if isinstance(relocation, lief.MachO.RelocationFixup):
            # The highest byte is a tag and not part of the address.
            chained[relocation.address] = relocation.target & 0xFFFFFFFFFFFFFF

    def expected(address, raw):
        if address in bound:
            return [bound[address]]
        counts["pointers of Mach-O in chains"] += address in chained
        # The reader decodes every word of an image with chained fixups, also one that is no pointer.
        return [chained.get(address)] if address in chained else None if bound or chained else [raw]

    yield from pointers(
        row, lambda name: name.startswith(("__DATA", "__AUTH")), data, expected, counts, "pointers of Mach-O")


def classes(path, row, counts):
    if not any(section["name"].endswith(",__objc_classlist") for section in row["sections"]):
        return
    text = subprocess.run(["llvm-objdump", "--macho", "--objc-meta-data", f"--arch={row['architecture']}", path],
                          capture_output=True, text=True, errors="replace", check=True).stdout
    # These are the classes' own names, not those of methods or of metaclasses, which have the same
    # names.
    lists = [part for part in text.split("Contents of") if ",__objc_classlist)" in part.split("\n")[0]]
    names = set(re.findall(r"^ {20,} name 0x[0-9a-f]+ (\S+)$", "".join(lists), re.M))
    counts["classes of Objective-C"] += len(names)
    ours = set(row.get("objectiveCClasses") or [])
    if ours != names:
        yield f"classes: only the reader has {sorted(ours - names)[:5]}, only llvm-objdump {sorted(names - ours)[:5]}"


# MARK: - ELF

def elf(path, rows, data, counts):
    binary, row = lief.ELF.parse(path), rows[0]
    isObject = row["type"] == "object"
    yield from sections(
        row, [(section.name, None if isObject else section.virtual_address, section.size,
               section.offset if section.type != lief.ELF.Section.TYPE.NOBITS and section.size else None)
              for section in binary.sections], data, counts)
    yield from swift_types(row, binary, data, counts)
    if isObject:
        return
    # The reader searches all notes that a loader maps.
    covered = set()
    for section in row["records"]:
        covered.update(range(section["offset"], section["offset"] + section["size"], 4))
    for segment in binary.segments:
        if segment.type == lief.ELF.Segment.TYPE.NOTE:
            counts["segments of notes"] += 1
            missing = set(range(segment.file_offset, segment.file_offset + segment.physical_size, 4)) - covered
            if missing:
                yield f"the reader does not search the notes at {min(missing):#x}"
    if not row["is64Bit"]:
        return
    relocated = {relocation.address: relocation for relocation in binary.relocations}

    def expected(address, raw):
        relocation = relocated.get(address)
        # The words of a compact table already have their values.
        if relocation is None or relocation.encoding == lief.ELF.Relocation.ENCODING.RELR:
            return [raw]
        kind = relocation.type.name.split("_", 2 if relocation.type.name.startswith("X86_64") else 1)[-1]
        if kind == "RELATIVE":
            return [relocation.addend % 2**64]
        if kind not in ("GLOB_DAT", "64", "ABS64") or not relocation.has_symbol:
            return None
        symbol = relocation.symbol
        # The reader can also give the address of a symbol that the image itself defines.
        return [(symbol.name.split("@")[0], relocation.addend)] + (
            [symbol.value + relocation.addend] if symbol.value else [])

    names = (".init_array", ".fini_array", ".data.rel.ro", ".got", ".data")
    yield from pointers(row, lambda name: name in names, data, expected, counts, "pointers of ELF")


def swift_types(row, binary, data, counts):
    """Compares the types that the section lists with those whose descriptors have symbols."""
    types = set(row.get("swiftTypes") or [])
    if not types:
        return
    counts["Swift types"] += len(types)
    listed = set()
    for section in row["sections"]:
        if section["name"].startswith("swift5_type_metadata"):
            for at in range(0, section["size"], 4):
                offset = int.from_bytes(data[section["offset"] + at :][:4], "little", signed=True)
                listed.add(section["address"] + at + (offset & ~3))
    names = {symbol.name for symbol in binary.symbols if symbol.value in listed and re.fullmatch(r"\$s.*Mn", symbol.name)}
    demangled = subprocess.run(
        ["swift", "demangle", "--compact"], input="\n".join(names), capture_output=True, text=True, check=True).stdout
    stated = re.findall(r"^nominal type descriptor for (.+)$", demangled, re.M)
    plain = {plain_name(name) for name in stated} - {None}
    counts["Swift types with a symbol"] += len(plain)
    if not plain <= types:
        yield f"Swift types are missing: {sorted(plain - types)[:5]}"
    # If every type has a symbol, the reader must not find more types.
    more = sorted(name for name in types - plain if not name.startswith("__C."))
    if len(names) == len(listed) and len(more) > len(stated) - len(plain):
        yield f"Swift types that no symbol has: {more[:5]}"


def plain_name(name):
    """Returns a type's path, or None if the type has no plain name.

    Types that are local to functions have none, and imported C types have another name in symbols.
    """
    while True:
        shorter = re.sub(r"\(extension in [^()]+\):|<[^<>]*>", "", re.sub(r"\((\w+) in [^()]+\)", r"\1", name))
        if shorter == name:
            return name if re.fullmatch(r"(?!__C\.)[\w.]+", name) else None
        name = shorter


# MARK: - Report

def main(probe, toolchain, cache):
    wheels = mach_o_files(pathlib.Path(cache))
    own = elf_files(pathlib.Path(toolchain))
    paths = wheels + own
    print(f"{len(wheels)} Mach-O files from wheels, {len(own)} ELF files of this system")
    output = subprocess.run([probe], input="\n".join(paths) + "\n", stdout=subprocess.PIPE, text=True, check=True).stdout
    seen = {path: [] for path in paths}
    for line in output.splitlines():
        row = json.loads(line)
        seen[row["file"]].append(row)
    counts, errors = collections.Counter(), []
    with multiprocessing.Pool(2) as pool:
        for path, found, counted in pool.imap(compare, seen.items()):
            errors += [f"{path}: error: {message}" for message in found]
            counts.update(counted)
    for what in sorted(counts):
        print(f"  {counts[what]:>9} {what}")
    # A comparison of nothing would always agree.
    wanted = ["sections", "contents", "segments of notes", "pointers of ELF", "Swift types", "slices",
              "pointers of Mach-O", "pointers of Mach-O in chains", "classes of Objective-C"]
    if len(paths) < LEAST:
        errors.append(f"error: there are only {len(paths)} files; at least {LEAST} are required")
    errors += [f"error: no {what} were compared" for what in wanted if not counts[what]]
    print(*errors[:100], sep="\n")
    print(f"FAILED: {len(errors)} differences" if errors else "no differences")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
