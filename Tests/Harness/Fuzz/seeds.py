"""Writes the seed corpus, which has a folder for each fuzzer, and the dictionaries for text.

    seeds.py FOLDER

The texts are those in the tests. The records and binaries come from seeds.c and seeds.swift, with
the compilers, linkers, and archivers that are installed.
"""

import pathlib
import re
import shutil
import subprocess
import sys

folder, here = pathlib.Path(sys.argv[1]), pathlib.Path(__file__).resolve().parent
root = here.parents[2]
count = 0


def write(fuzzer, data):
    global count
    (folder / fuzzer).mkdir(parents=True, exist_ok=True)
    (folder / fuzzer / f"seed-{count:04}").write_bytes(data)
    count += 1


def texts(suites, pattern):
    for suite in suites:
        for path in sorted((root / "Tests" / suite).rglob("*.swift")):
            yield from re.findall(pattern, path.read_text())


# ---- Texts: objects in raw strings without interpolation, and URLs and patterns

OBJECTS = [*texts(["RegistryTests", "LifecycleTests"], r'#"(\{[^\n#]*\})"#')]
# These keys are canonically equivalent, but not the same.
OBJECTS += ['{"é":1,"e\u0301":2,"module":"A.B"}', '{"e\u0301":2,"\u00e9":1}']
URLS = [*texts(["RoutePatternsTests", "RoutingTests", "Harness/Fuzz"], r'"([a-z]+:[^"\\\n]*)"')]
URLS += ["shop://order/%zz.html", "shop://order/%zz/%ff", "shop://order/a/%zz/c/y", "shop://%zz.example/a"]
# The keys, words, escapes, numbers, and other characters of these texts are the dictionary.
PART = re.compile(r'"\w+":|\\u\w{4}|(?:%\w\w)+|\(\w+\)|\w+://\w*|[-.:]?\w+(?:-\w+)*\(?|[^\x00-\x7f]+|\W+')
for fuzzers, found in ((["json", "attributes"], sorted(set(OBJECTS))), (["routes"], sorted(set(URLS)))):
    tokens = {part.encode() for text in found for part in PART.findall(text) if len(part) <= 40}
    entries = ["".join(f"\\x{byte:02x}" for byte in token) for token in sorted(tokens)]
    for fuzzer in fuzzers:
        for text in found:
            write(fuzzer, text.encode())
        (folder / f"{fuzzer}.dict").write_text("".join(f'"{entry}"\n' for entry in entries))

# ---- Binaries

work = folder / "work"
work.mkdir(parents=True)


def run(output, *command):
    """Runs a program that writes a file, writes the file as a seed, and returns its name.

    Not every compiler has every target, and not every system has the linkers, so programs may fail.
    """
    result = subprocess.run(list(map(str, command)), cwd=work, capture_output=True)
    if result.returncode != 0:
        return None
    write("binaries", (work / output).read_bytes())
    return output


def tool(name):
    """Returns LLVM 19's tool, because the toolchain's own linker links nothing for Apple's systems."""
    return shutil.which(f"{name}-19") or shutil.which(name, path="/usr/lib/llvm-19/bin") or shutil.which(name) or name


images = []
for target in ("x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu", "armv7-unknown-linux-gnueabihf",
               "x86_64-apple-macos13", "arm64-apple-macos13", "arm64_32-apple-watchos9"):
    machine, is_elf = target.split("-")[0], "linux" in target
    name = f"{machine}{'-elf' if is_elf else ''}"
    objects = [
        run(f"{name}.o", "clang", "-target", target, "-ffreestanding", "-nostdlibinc", "-Os", "-fPIC",
            "-I", root / "Sources/RegistryC/include", "-c", here / "seeds.c", "-o", f"{name}.o"),
        run(f"{name}-swift.o", "swiftc", "-frontend", "-emit-object", "-parse-as-library", "-parse-stdlib", "-O",
            "-module-name", "Cart", "-target", target, here / "seeds.swift", "-o", f"{name}-swift.o"),
    ]
    objects = [made for made in objects if made]
    if is_elf:
        link = [tool("ld.lld"), "-shared", "-z", "max-page-size=4096", "-z", "noseparate-code", *objects]
        forms = [[], ["-s", "-z", "nosectionheader"]]
    else:
        versions = ["watchos", "9.0", "9.0"] if machine == "arm64_32" else ["macos", "13.0", "13.0"]
        link = [tool("ld64.lld"), "-arch", machine, "-platform_version", *versions, "-dylib", *objects]
        link += ["-undefined", "dynamic_lookup"]
        forms = [[], ["-no_fixup_chains"]]
    for number, form in enumerate(forms):
        made = run(f"{name}-{number}", *link, *form, "-o", f"{name}-{number}")
        images += [made] if made and not is_elf else []
for form in ("gnu", "darwin"):
    run(f"{form}.a", tool("llvm-ar"), f"--format={form}", "rcs", f"{form}.a", "x86_64-elf.o", "x86_64.o")
run("universal", tool("llvm-lipo"), "-create", *images[:1], *images[2:3], "-output", "universal")

# ---- Records

subprocess.run([tool("llvm-objcopy"), "-O", "binary", "--only-section=.note.registry", "x86_64-elf.o", "section"],
               cwd=work, check=True)
section = (work / "section").read_bytes()
# The bytes in front of the section are the choices that the fuzzers read first: alignment and
# neighbors, or the headers of one image or two.
for choices in (b"\x1c", b"\x1d", b"\x1e"):
    write("walker", choices + section)
size = min(len(section), 255)
write("images", bytes([0, 1, 1, 0, size, 0, 0, 0, 0, size, 1]) + section)
write("images", bytes([4, 0, 1, 0, 48, 0, 0, 0, 0, 48, 1, 1, 0, 56, 1, 0, 0, 8, 40, 0]) + section)
shutil.rmtree(work)
