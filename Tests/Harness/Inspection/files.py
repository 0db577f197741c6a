"""The compared files, all of which come from other projects."""

import os
import pathlib
import subprocess
import sys
import zipfile

# Each entry has a Python version, a platform, and a package. The wheels contain thin and universal
# files, a program, debug symbols, Objective-C, Rust, C++, and chained fixups.
WHEELS = [
    ("3.12", "macosx_14_0_arm64", "numpy==2.1.3"),
    ("3.12", "macosx_11_0_arm64", "psutil==6.1.0"),
    ("3.12", "macosx_11_0_arm64", "pillow==11.0.0"),
    ("3.12", "macosx_10_13_x86_64", "pillow==11.0.0"),
    ("3.12", "macosx_11_0_arm64", "cryptography==43.0.3"),
    ("3.12", "macosx_10_9_universal2", "lxml==5.3.0"),
    ("3.12", "macosx_10_13_universal2", "MarkupSafe==3.0.2"),
    ("3.12", "macosx_10_13_universal2", "pyobjc-core==13.0"),
    ("3.12", "macosx_11_0_arm64", "ruff==0.8.0"),
    ("3.12", "macosx_14_0_arm64", "mlx==0.20.0"),
]
SIZE_LIMIT = 40 << 20


def from_wheels(cache):
    """Returns the Mach-O files of the wheels, and the reason if there are none."""
    kept = cache / "wheels"
    kept.mkdir(parents=True, exist_ok=True)
    paths = []
    for python, platform, package in WHEELS:
        folder = cache / f"{package}-{platform}"
        if not folder.exists():
            wheels = kept / f"{package}-{platform}"
            pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
            pip += ["--only-binary=:all:", "--platform", platform, "--python-version", python, "--dest", str(wheels)]
            result = subprocess.run(pip + [package], capture_output=True, text=True, timeout=300)
            if result.returncode != 0:
                lines = result.stderr.strip().splitlines() or ["pip failed"]
                return [], f"{package} for {platform} cannot be downloaded: {lines[-1]}"
            unfinished = cache / f"unfinished-{os.getpid()}"
            for wheel in wheels.glob("*.whl"):
                zipfile.ZipFile(wheel).extractall(unfinished)
            unfinished.rename(folder)
        paths += [path for path in sorted(folder.rglob("*")) if is_one_of(path, MACH_O)]
    return [str(path) for path in paths], None


def of_this_system(toolchain):
    """Returns ELF files: programs, libraries, objects, and archives, each only once."""
    folders = [
        ("/usr/bin", "*", 120),
        ("/usr/lib/x86_64-linux-gnu", "*.so*", 120),
        ("/usr/lib/aarch64-linux-gnu", "*.so*", 120),
        ("/usr/lib/x86_64-linux-gnu", "*.o", 20),
        ("/usr/lib/aarch64-linux-gnu", "*.o", 20),
        (toolchain / "lib/swift/linux", "*.so", 40),
        (toolchain / "lib/swift/linux", "*/*.o", 10),
        (toolchain / "lib/swift_static/linux", "*/*.o", 10),
    ]
    seen = set()
    for folder, pattern, count in folders:
        chosen = 0
        for path in sorted(pathlib.Path(folder).glob(pattern)):
            path = path.resolve()
            if chosen == count or path in seen or not is_one_of(path, ELF) or path.stat().st_size > SIZE_LIMIT:
                continue
            seen.add(path)
            chosen += 1
    return sorted(map(str, seen))


ELF = [b"\x7fELF"]
MACH_O = [bytes.fromhex(magic) for magic in ("cffaedfe", "cefaedfe", "cafebabe", "cafebabf")]


def is_one_of(path, magics):
    try:
        if not path.is_file():
            return False
        with open(path, "rb") as file:
            return file.read(4) in magics
    except OSError:
        return False
