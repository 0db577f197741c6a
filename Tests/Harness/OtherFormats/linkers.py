#!/usr/bin/env python3
"""Links records in a program, an archive, a library, and a plug-in with each linker and option.

    linkers.py                       compares the results with BuildSystems.md
    linkers.py --write               writes them to its table
    linkers.py --quick               compares a row for C and three linkers
    linkers.py --cell LINKER OPTION  runs a cell, prints its commands, and keeps its folder
    linkers.py --table FILE          compares or writes the table in a file instead

The features are feature.c and feature.swift. Debug and release builds take turns, so each option and
each linker is tried with both.
"""

import concurrent.futures
import functools
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
SOURCES = ROOT / "Sources/RegistryC"
PAGE = ROOT / "Documentation/BuildSystems.md"
# The library's Swift modules and the compiler plugin.
BUILD = ROOT / ".build-linkers"

LINKERS = {
    "bfd": ["gcc", "-fuse-ld=bfd"],
    "gold": ["gcc", "-fuse-ld=gold"],
    "lld": ["clang-19", "--ld-path=/usr/lib/llvm-19/bin/ld.lld"],
    "mold": ["gcc", "-fuse-ld=mold"],
}
LEVELS = ("debug", "release")
PARTS = ["-ffunction-sections", "-fdata-sections"]
GC = [*PARTS, "-Wl,--gc-sections"]

# The flags of the compiler and the linker, and a command for each file.
OPTIONS = {
    "none": ([], []),
    "`--gc-sections`": (GC, []),
    "`--gc-sections -z nostart-stop-gc`": ([*GC, "-Wl,-z,nostart-stop-gc"], []),
    "`--gc-sections --icf=all`": ([*GC, "-Wl,--icf=all"], []),
    "`-flto`, in Swift `-lto=llvm-full`": (["-flto"], []),
    "`-flto=thin`, in Swift `-lto=llvm-thin`": (["-flto=thin"], []),
    "`-lto=llvm-full -experimental-hermetic-seal-at-link`": (["-flto", "-experimental-hermetic-seal-at-link"], []),
    "`-r` before the link": (["-r"], []),
    "`--strip-all`": (["-Wl,--strip-all"], []),
    "`-fvisibility=hidden`": (["-fvisibility=hidden"], []),
    "`--version-script`, only one function global": (["-Wl,--version-script=SCRIPT"], []),
    "`--exclude-libs=ALL`": (["-Wl,--exclude-libs=ALL"], []),
    "`-static`, in Swift `-static-executable`": (["-static"], []),
    "`-static-stdlib`": (["-static-stdlib"], []),
    "`-no-pie`": (["-no-pie"], []),
    "`-gsplit-dwarf`, `objcopy --strip-debug`": (["-g", "-gsplit-dwarf"], ["objcopy", "--strip-debug"]),
    "`strip`": ([], ["strip"]),
    "`objcopy --remove-section='.note*'`": ([], ["objcopy", "--remove-section=.note*"]),
    "`objcopy --remove-section=.note.gnu.build-id`": ([], ["objcopy", "--remove-section=.note.gnu.build-id"]),
    "`patchelf --shrink-rpath`": ([], ["patchelf", "--shrink-rpath"]),
    "`patchelf --add-rpath`, a longer path": ([], ["patchelf", "--add-rpath", "$ORIGIN/" + "a" * 300]),
    "`--as-needed`, no calls to the library": (["-Wl,--as-needed"], []),
    "`--no-as-needed`, no calls to the library": (["-Wl,--no-as-needed"], []),
    "`--whole-archive`": (["--whole-archive"], []),
}
# The flags that a compiler lacks, and the messages of linkers about flags.
LACKS = {"C": {"-static-stdlib", "-experimental-hermetic-seal-at-link"}, "Swift": {"-fvisibility=hidden"}}
LACKING = ("unrecognized option", "unknown -z option", "unknown command line option")
STATIC = {"-static", "-static-stdlib"}
# Flags that swiftc spells in another way, or needs not.
IN_SWIFT = {
    "-ffunction-sections": ["-Xfrontend", "-function-sections"], "-fdata-sections": [],
    "-flto": ["-lto=llvm-full"], "-flto=thin": ["-lto=llvm-thin"], "-gsplit-dwarf": [],
    "-static": ["-static-executable"], "-no-pie": ["-Xclang-linker", "-no-pie"],
}
TOOLCHAIN = pathlib.Path(shutil.which("swiftc")).resolve().parent
PLACES = ["archive", "library", "plugin", "program"]
# The archive's member that no code refers to.
UNUSED = "unused"


def run(*command, folder):
    command = [str(word) for word in command]
    if IS_CELL and folder != ROOT:
        print("cd", folder, "&&", shlex.join(command))
    result = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    # mold only warns about an unknown option.
    if result.returncode != 0 or LACKING[-1] in result.stdout:
        raise RuntimeError(shlex.join(command) + "\n" + result.stdout)
    return result.stdout


@functools.cache
def registry(language, level):
    """Returns the library's object and the flags that compile code with it."""
    if language == "C":
        sources = [*sorted(SOURCES.glob("elf/*.c")), *(SOURCES / f"{name}.c" for name in ("open", "snapshot", "walker"))]
        library = pathlib.Path(WORK, f"library-{level}.o")
        run("gcc", "-O1", "-fPIC", "-I", SOURCES / "include", "-r", "-nostdlib", *sources, "-o", library, folder=ROOT)
        return library, ["-O2" if level == "release" else "-O0", "-w", "-I", SOURCES / "include"]
    run("swift", "build", "--scratch-path", BUILD, "--target", "Lifecycle", "-c", level, folder=ROOT)
    build = BUILD / level
    objects = (path for name in ("RegistryC", "Registry", "Lifecycle") for path in build.glob(name + ".build/**/*.o"))
    run("ld.bfd", "-r", *sorted(objects), "-o", build / "library.o", folder=ROOT)
    return build / "library.o", [
        "-O" if level == "release" else "-Onone", "-swift-version", "6", "-parse-as-library", "-wmo",
        "-I", build / "Modules", "-Xcc", f"-fmodule-map-file={build}/RegistryC.build/module.modulemap",
        "-load-plugin-executable", f"{build}/RegistryMacros-tool#RegistryMacros"]


def translated(flags):
    """Returns flags of a C compiler as those of swiftc."""
    for flag in flags:
        if flag.startswith("-Wl,"):
            yield from (word for part in flag.split(",")[1:] for word in ("-Xlinker", part))
        else:
            yield from IN_SWIFT.get(flag, [flag])


@functools.cache
def compiled(language, linker, level, flags, is_shared):
    """Compiles the features of all places, and returns the folder of their objects."""
    folder = pathlib.Path(tempfile.mkdtemp(dir=WORK))
    is_swift, position = language == "Swift", [] if STATIC & set(flags) or "-no-pie" in flags else ["-fPIC"]
    flags = [flag for flag in flags if not flag.startswith("-Wl") and flag not in STATIC | {"-no-pie"}]
    compiler = ["swiftc", *translated(flags)] if is_swift else [*LINKERS[linker], *flags]
    for place in [*PLACES, UNUSED]:
        source = f"{place}.swift" if is_swift else f"{place}.c"
        (folder / source).write_text((HERE / source.replace(place, "feature")).read_text().replace("PLACE", place))
        own = ["-module-name", place] if is_swift else ["-fPIC"] if place in ("library", "plugin") else position
        defines = ["-DPROGRAM", *["-DSHARED"] * is_shared] if place == "program" else []
        run(*compiler, *registry(language, level)[1], *own, *defines, "-c", source, "-o", f"{place}.o", folder=folder)
    return folder


def build(language, linker, level, flags, change, folder):
    """Returns the places with records that the program finds."""
    own = [flag for flag in flags if flag not in ("-r", "--whole-archive")]
    static, is_swift = bool(STATIC & set(flags)), language == "Swift"
    is_shared = not static and "as-needed" not in " ".join(flags)
    (folder / "SCRIPT").write_text("{ global: library_fun*; local: *; };")
    run("cp", "-r", f"{compiled(language, linker, level, tuple(own), is_shared)}/.", ".", folder=folder)
    if "-r" in flags:
        for place in [*PLACES, UNUSED]:
            run(*LINKERS[linker], "-r", "-nostdlib", f"{place}.o", "-o", "r.o", folder=folder)
            os.replace(folder / "r.o", folder / f"{place}.o")
    # An archiver must read the compiler's bitcode.
    archiver = TOOLCHAIN / "llvm-ar" if is_swift else "llvm-ar-19" if linker == "lld" else "gcc-ar"
    run(archiver, "rcs", "libarchive.a", "archive.o", "unused.o", folder=folder)
    whole = "--whole-archive" in flags
    inputs = ["-Wl,--whole-archive", "libarchive.a", "-Wl,--no-whole-archive"] if whole else ["libarchive.a"]
    link = ["swiftc", f"-use-ld={linker}"] if is_swift else [*LINKERS[linker], "-pthread"]
    shared = [flag for flag in own if flag != "-no-pie"]
    program = [flag for flag in own if "version-script" not in flag] + ["-Wl,-rpath,$ORIGIN", "-Wl,--export-dynamic"]
    if not static:
        inputs.append("./library.so")
    if is_swift:
        shared, program = list(translated(shared)), list(translated(program))
        if whole or "as-needed" in " ".join(flags):
            # swiftc passes files before the flags for the linker.
            inputs = translated(word if word.startswith("-Wl,") else "-Wl," + word for word in inputs)
    shared += ["-emit-library" if is_swift else "-shared"]
    for place in [] if static else ["library", "plugin"]:
        run(*link, *shared, f"{place}.o", "-o", f"{place}.so", folder=folder)
    run(*link, *program, "program.o", *inputs, registry(language, level)[0], "-o", "program", folder=folder)
    for file in ["program"] + ([] if static else ["library.so", "plugin.so"]):
        if change:
            run(*change, file, folder=folder)
    output = run("./program", *([] if static else ["./plugin.so"]), folder=folder)
    return {place for place in [*PLACES, UNUSED] if f'"module":"{place}' in output
            and (not is_swift or f"\nservice {place}\n" in output)}


def cell(language, linker, level, name):
    """Returns the text of a cell for one language."""
    flags, change = OPTIONS[name]
    # gcc has no thin link-time optimization, and the Swift toolchain no plugin for other linkers.
    flto = {"C": "-flto=thin", "Swift": "-flto"}[language]
    if LACKS[language] & set(flags) or linker != "lld" and flto in " ".join(flags):
        return "–"
    folder = pathlib.Path(tempfile.mkdtemp(dir=WORK))
    try:
        found = build(language, linker, level, flags, change, folder)
    except RuntimeError as error:
        if any(text in str(error) for text in LACKING):
            return "–"
        print(f"{language}, {linker}, {name}: {error}", file=sys.stderr)
        return "fails"
    wanted = set(PLACES) - ({"library", "plugin"} if STATIC & set(flags) else set())
    wanted |= {UNUSED} if "--whole-archive" in flags else set()
    if found > wanted:
        return "too many"
    return "all" if found == wanted else "none" if not found else "all but " + ", ".join(sorted(wanted - found))


def row(name, languages=("C", "Swift"), linkers=tuple(LINKERS)):
    """Returns a line of the table. A cell names a language whose result differs."""
    cells = []
    for linker in linkers:
        level = LEVELS[(list(OPTIONS).index(name) + list(LINKERS).index(linker)) % 2]
        texts = {language: cell(language, linker, level, name) for language in languages}
        kept = {text: language for language, text in texts.items() if text != "–" or len(set(texts.values())) == 1}
        cells.append(next(iter(kept)) if len(kept) == 1 else f"C: {texts['C']}; Swift: {texts['Swift']}")
    return f"| {name} | " + " | ".join(cells) + " |"


def compare(lines):
    """Compares lines with the page's table that begins like them, or writes them there."""
    page = PAGE.read_text()
    start = page.index(lines[0])
    end = page.index("\n\n", start)
    old = page[start:end].splitlines()
    if "--write" in sys.argv:
        PAGE.write_text(page[:start] + "\n".join(lines) + page[end:])
        return 0
    for line in lines:
        if line not in old:
            print(f"FAILED  {PAGE.name} lacks this row, and says how to repeat it: {line}")
    return old != lines


def main():
    if "--table" in sys.argv:
        return compare(pathlib.Path(sys.argv[sys.argv.index("--table") + 1]).read_text().splitlines())
    if IS_CELL:
        name = next(name for name in OPTIONS if name.replace("`", "").split(",")[0] == sys.argv[3])
        print(row(name, linkers=[sys.argv[2]]))
        return 0
    if "--quick" in sys.argv:
        line = row("`--gc-sections`", ["C"], ["bfd", "gold", "lld"])
        print(line)
        return line not in PAGE.read_text()
    for language, level in [(language, level) for language in LACKS for level in LEVELS]:
        registry(language, level)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        lines = ["| Option | " + " | ".join(LINKERS) + " |", "|-|" + "-|" * len(LINKERS)]
        for line in pool.map(row, OPTIONS):
            print(line, flush=True)
            lines.append(line)
    return compare(lines)


IS_CELL = "--cell" in sys.argv
WORK = tempfile.mkdtemp(prefix="linkers-")
try:
    sys.exit(main())
finally:
    if not IS_CELL:
        shutil.rmtree(WORK)
