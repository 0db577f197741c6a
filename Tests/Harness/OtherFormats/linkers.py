#!/usr/bin/env python3
"""Links records in a program, an archive, a library, and a plug-in with each linker and option.

    Tests/Harness/OtherFormats/linkers.py           compares the results with BuildSystems.md
    Tests/Harness/OtherFormats/linkers.py --write   writes them to its table
"""

import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
SOURCES = ROOT / "Sources/RegistryC"
PAGE = ROOT / "Documentation/BuildSystems.md"

LINKERS = {
    "bfd": ["gcc", "-fuse-ld=bfd"],
    "gold": ["gcc", "-fuse-ld=gold"],
    "lld": ["clang-19", "--ld-path=/usr/lib/llvm-19/bin/ld.lld"],
    "mold": ["gcc", "-fuse-ld=mold"],
}
PARTS = ["-ffunction-sections", "-fdata-sections"]
GC = [*PARTS, "-Wl,--gc-sections"]

# The flags of the compiler and the linker, and a command for each file.
OPTIONS = {
    "none": ([], []),
    "`--gc-sections`": (GC, []),
    "`--gc-sections -z nostart-stop-gc`": ([*GC, "-Wl,-z,nostart-stop-gc"], []),
    "`--gc-sections --icf=all`": ([*GC, "-Wl,--icf=all"], []),
    "`-flto`": (["-O2", "-flto"], []),
    "`-flto=thin`": (["-O2", "-flto=thin"], []),
    "`-r` before the link": (["-r"], []),
    "`--strip-all`": (["-Wl,--strip-all"], []),
    "`-fvisibility=hidden`": (["-fvisibility=hidden"], []),
    "`--version-script`, all local but one function": (["-Wl,--version-script=SCRIPT"], []),
    "`--exclude-libs=ALL`": (["-Wl,--exclude-libs=ALL"], []),
    "`-static`": (["-static"], []),
    "`-no-pie`": (["-no-pie"], []),
    "`-gsplit-dwarf`, `objcopy --strip-debug`": (["-g", "-gsplit-dwarf"], ["objcopy", "--strip-debug"]),
    "`strip`": ([], ["strip"]),
    "`objcopy --remove-section='.note*'`": ([], ["objcopy", "--remove-section=.note*"]),
    "`objcopy --remove-section=.note.gnu.build-id`": ([], ["objcopy", "--remove-section=.note.gnu.build-id"]),
    "`patchelf --set-rpath`": ([], ["patchelf", "--set-rpath", "$ORIGIN/" + "a" * 300]),
    "`--as-needed`, no function of the library used": (["-Wl,--as-needed"], []),
    "`--no-as-needed`, no function of the library used": (["-Wl,--no-as-needed"], []),
    "`--whole-archive`": (["--whole-archive"], []),
}
PLACES = {"program", "archive", "library", "plugin"}
# The archive's member that no code refers to.
UNUSED = "unused"


def run(*command, folder):
    command = [str(word) for word in command]
    result = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if result.returncode != 0:
        raise RuntimeError(shlex.join(command) + "\n" + result.stdout)
    return result.stdout


def build(linker, flags, change, objects, folder):
    """Returns the places with records that the program finds, or None if the linker lacks a flag."""
    compiler = [*LINKERS[linker], "-w", "-I", SOURCES / "include"]
    own = [flag for flag in flags if flag not in ("-r", "--whole-archive")]
    static, shared = "-static" in flags, [flag for flag in own if flag != "-no-pie"]
    (folder / "SCRIPT").write_text("{ global: library_fun*; local: *; };")
    position = [] if static or "-no-pie" in flags else ["-fPIC"]
    compile_flags = [flag for flag in own if not flag.startswith("-Wl") and flag not in ("-static", "-no-pie")]
    for place in [*sorted(PLACES), UNUSED]:
        extra = ["-DPROGRAM"] + ([] if static or "as-needed" in " ".join(flags) else ["-DSHARED"]) if place == "program" else []
        mode = ["-fPIC"] if place in ("library", "plugin") else position
        run(*compiler, *compile_flags, *mode, f"-DPLACE={place}", *extra, "-c", HERE / "feature.c", "-o",
            place + ".o", folder=folder)
        if "-r" in flags:
            run(*compiler, "-r", "-nostdlib", place + ".o", "-o", "r.o", folder=folder)
            os.replace(folder / "r.o", folder / (place + ".o"))
    archiver = "llvm-ar-19" if linker == "lld" else "gcc-ar"
    run(archiver, "rcs", "libarchive.a", "archive.o", "unused.o", folder=folder)
    whole = "--whole-archive" in flags
    archive = ["-Wl,--whole-archive"] * whole + ["libarchive.a"] + ["-Wl,--no-whole-archive"] * whole
    try:
        if not static:
            run(*compiler, *shared, "-shared", "library.o", "-o", "library.so", folder=folder)
            run(*compiler, *shared, "-shared", "plugin.o", "-o", "plugin.so", folder=folder)
        program = [flag for flag in own if "version-script" not in flag]
        run(*compiler, *program, "-pthread", "program.o", *archive, *objects,
            *([] if static else ["./library.so"]), "-o", "program", folder=folder)
    except RuntimeError as error:
        if any(text in str(error) for text in ("unrecognized", "unknown", "ambiguous use")):
            return None
        raise
    for file in ["program"] + ([] if static else ["library.so", "plugin.so"]):
        if change:
            run(*change, file, folder=folder)
    output = run("./program", *([] if static else ["./plugin.so"]), folder=folder)
    return {place for place in [*PLACES, UNUSED] if f'"module":"{place}"' in output}


def cell(flags, found):
    if found is None:
        return "–"
    wanted = PLACES - ({"library", "plugin"} if "-static" in flags else set())
    wanted |= {UNUSED} if "--whole-archive" in flags else set()
    if found > wanted:
        return "too many"
    return "all" if found == wanted else "none" if not found else "not the " + ", ".join(sorted(wanted - found))


def table():
    yield "| Option | " + " | ".join(LINKERS) + " |"
    yield "|-|" + "-|" * len(LINKERS)
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        objects = []
        for source in [*sorted(SOURCES.glob("elf/*.c")), *(SOURCES / (n + ".c") for n in ("open", "snapshot", "walker"))]:
            objects.append(work / (source.stem + ".o"))
            run("gcc", "-O1", "-fPIC", "-I", SOURCES / "include", "-c", source, "-o", objects[-1], folder=work)
        for name, (flags, change) in OPTIONS.items():
            cells = []
            for linker in LINKERS:
                folder = work / f"{len(list(work.iterdir()))}"
                folder.mkdir()
                thin = "-flto=thin" in flags and linker != "lld"
                cells.append("–" if thin else cell(flags, build(linker, flags, change, objects, folder)))
            yield f"| {name} | " + " | ".join(cells) + " |"


def main():
    lines = []
    for line in table():
        print(line, flush=True)
        lines.append(line)
    page = PAGE.read_text()
    start = page.index(lines[0])
    end = page.index("\n\n", start)
    if "--write" in sys.argv:
        PAGE.write_text(page[:start] + "\n".join(lines) + page[end:])
    elif page[start:end] != "\n".join(lines):
        print(f"FAILED  the table of {PAGE.name} differs; write it with '{sys.argv[0]} --write'")
        return 1
    return 0


sys.exit(main())
