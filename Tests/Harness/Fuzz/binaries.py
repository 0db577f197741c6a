"""Writes the seeds of the fuzzer of binaries: small images from compilers, linkers, and archivers.

usage: binaries.py FOLDER INCLUDE, where INCLUDE is the folder of registry_export.h
"""

import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

folder, include = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
folder.mkdir(parents=True)
here = pathlib.Path(__file__).parent
work = pathlib.Path(tempfile.mkdtemp())
count = 0


def run(*command):
    return subprocess.run(list(map(str, command)), cwd=work, capture_output=True, text=True)


def tool(*names):
    return next((name for name in names if shutil.which(name)), None)


def write(data):
    global count
    (folder / f"seed-{count:03}").write_bytes(data)
    count += 1


def made(name, *command, needed=True):
    """Runs a program that creates a file, and writes the file as a seed.

    Returns None if the program fails and the file is not needed.
    """
    result = run(*command)
    place = work / name
    if result.returncode != 0 or not place.exists():
        if needed:
            sys.exit(f"binaries.py: {' '.join(map(str, command))}: {result.stderr}")
        return None
    write(place.read_bytes())
    return place


# The sources contain a module's record, an Objective-C class, pointers into this and other images,
# and nested Swift types.
(work / "record.c").write_text(
    """
#include "registry_export.h"
REGISTRY_EXPORT_MODULE(Shop.CartModule)
REGISTRY_EXPORT_SERVICE(ShopAPI.Cart, Shop.Cart, scope(shared))
extern int elsewhere;
int *pointers[] = {&elsewhere, 0, (int *)&pointers};
"""
)
(work / "class.m").write_text(
    """
__attribute__((objc_root_class)) @interface Cart @end
@implementation Cart + (int)total { return 1; } @end
@interface Basket : Cart @end
@implementation Basket @end
"""
)
(work / "types.swift").write_text(
    """
public struct Outer { public final class Inner {} }
class Base {}
private class Hidden { struct Deep {} }
struct Generic<T> { struct Nested {} }
protocol Priced {}
extension Outer { enum Extended { case one } }
"""
)
swift = ["swiftc", "-frontend", "-emit-object", "-parse-as-library", "-parse-stdlib", "-O", "-module-name", "Cart"]
c = ["clang", "-ffreestanding", "-nostdlibinc", "-I", include, "-Os"]

# Mach-O.
linker = tool("ld64.lld-19", "/usr/lib/llvm-19/bin/ld64.lld")
slices = []
for target in ("x86_64-apple-macos13", "arm64-apple-macos13", "arm64_32-apple-watchos9", "i386-apple-macos10.14"):
    machine = target.split("-")[0]
    objects = [
        made(f"{machine}.o", *c, "-target", target, "-c", "record.c", "-o", f"{machine}.o"),
        made(f"{machine}-class.o", *c, "-target", target, "-c", "class.m", "-o", f"{machine}-class.o", needed=False),
    ]
    if machine in ("x86_64", "arm64"):
        objects.append(
            made(f"{machine}-swift.o", *swift, "-target", target + ".0", "types.swift", "-o", f"{machine}-swift.o", needed=False))
    slices.append(objects[0])
    if linker is None or machine == "i386":
        continue
    versions = ["watchos", "9.0", "9.0"] if machine == "arm64_32" else ["macos", "13.0", "13.0"]
    link = [linker, "-arch", machine, "-platform_version", *versions, "-dylib", "-undefined", "dynamic_lookup"]
    objects = [place for place in objects if place]
    for name, options in (("chained", []), ("classic", ["-no_fixup_chains"]), ("stripped", ["-x"])):
        place = made(f"{machine}-{name}", *link, *options, *objects, "-o", f"{machine}-{name}", needed=False)
        if place and machine == "x86_64":
            slices.append(place)


def universal(places, is64Bit, nested=False):
    data = bytearray(struct.pack(">II", 0xCAFEBABF if is64Bit else 0xCAFEBABE, len(places)) + bytes(32 * len(places)))
    for number, place in enumerate(places):
        data += bytes(-len(data) % 16)
        contents = place.read_bytes()
        kind = struct.unpack("<II", contents[4:12])
        form, size = (">IIQQII", 32) if is64Bit else (">IIIII", 20)
        entry = (*kind, len(data), len(contents), 4) + ((0,) if is64Bit else ())
        struct.pack_into(form, data, 8 + size * number, *entry)
        data += contents
    return bytes(data)


for places, is64Bit in ((slices[:2], False), (slices[:2], True), (slices[-2:], False)):
    write(universal(places, is64Bit))
inner = work / "inner"
inner.write_bytes(struct.pack("<IIII", 0xBEBAFECA, 7, 3, 0))
write(universal([inner], False))

# Records are little-endian, so this source for big-endian targets contains none.
(work / "pointers.c").write_text(
    """
extern int elsewhere;
int *pointers[] = {&elsewhere, 0, (int *)&pointers};
__attribute__((section(".note.registry"))) const int note[] = {4, 4, 1, 0x41424300, 7};
"""
)

# ELF files of both classes and byte orders: an object for each target, and linked images if there
# is a linker. The toolchain's own compiler lacks some of the targets.
c[0] = tool("clang-19", "/usr/lib/llvm-19/bin/clang", "clang")
elf_linker = tool("/usr/lib/llvm-19/bin/ld.lld", "ld.lld-19", "ld.lld")
for target in ("x86_64-linux-gnu", "aarch64-linux-gnu", "i386-linux-gnu", "armv7-linux-gnueabi", "powerpc64-linux-gnu",
               "powerpc-linux-gnu", "mips-linux-gnu", "riscv64-linux-gnu", "s390x-linux-gnu"):
    machine = target.split("-")[0]
    source = "pointers.c" if machine.startswith(("powerpc", "mips", "s390")) else "record.c"
    place = made(f"{machine}.elf.o", *c, "-target", target, "-fPIC", "-c", source, "-o", f"{machine}.elf.o", needed=False)
    if place is None:
        continue
    # Small pages keep the gaps between segments small.
    if elf_linker is None:
        continue
    link = [elf_linker, "-z", "max-page-size=4096", "-z", "noseparate-code", "--no-rosegment"]
    made(f"{machine}.so", *link, "-shared", place, "-o", f"{machine}.so", needed=False)
    made(f"{machine}.relr", *link, "-shared", "-s", "--pack-dyn-relocs=relr", place, "-o", f"{machine}.relr", needed=False)
    made(f"{machine}.exe", *link, "-pie", "--unresolved-symbols=ignore-all", "-e", "0", place, "-o", f"{machine}.exe", needed=False)
    made(f"{machine}.bare", *link, "-shared", "-s", "-z", "nosectionheader", place, "-o", f"{machine}.bare", needed=False)
made("gnu.so", "gcc", "-I", include, "-Os", "-nostdlib", "-fPIC", "-shared", "record.c", "-o", "gnu.so", needed=False)
swift_elf = made(
    "swift.elf.o", *swift, "-target", "x86_64-unknown-linux-gnu", "-function-sections", "types.swift", "-o", "swift.elf.o",
    needed=False)
if swift_elf and elf_linker:
    made("swift.so", elf_linker, "-shared", "-z", "noseparate-code", "-z", "max-page-size=4096", swift_elf, "-o", "swift.so",
         needed=False)

# Archives.
archiver = tool("llvm-ar")
if archiver:
    shutil.copy(work / "x86_64.o", work / "a-member-with-a-long-name.o")
    for form in ("gnu", "bsd", "darwin"):
        made(f"{form}.a", archiver, f"--format={form}", "rcs", f"{form}.a", "x86_64.o", "a-member-with-a-long-name.o",
             "x86_64.elf.o", needed=False)
    made("thin.a", archiver, "--thin", "rcs", "thin.a", "x86_64.elf.o", needed=False)
shutil.rmtree(work)
# These seeds are too short to be files of any format.
for data in (b"", b"\x7fELF", b"!<arch>\n", b"!<thin>\n", bytes.fromhex("cafebabe00000001"), bytes.fromhex("cffaedfe")):
    write(data)
if count < 30:
    sys.exit(f"binaries.py: only {count} seeds could be created")
