"""Measures the memory that registry-tool needs for files that are small but expensive to read.

    python3 measure.py TOOL [MEGABYTES]

Each file repeats one structure as often as it fits. For every command, the tool may use FACTOR
times as much memory as the file has bytes, as Documentation/RegistryTool.md states, in addition to
the memory that it needs for an empty file. It must end by itself within a time limit. Prints a line
for each file.
"""

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import threading

sys.dont_write_bytecode = True

import archives
import collections_of_files
import elf
import loops
import macho
import records
from cases import MB, cases, commands
from formats import MODULE, of_records, record

# The maximum memory for a file, in multiples of the file's size.
FACTOR = 48
# Allocators round up, and they do not always return freed memory to the system.
SLACK = 8 * MB
# A command that takes longer does not end, or traverses a list for each of its elements.
SECONDS = 120  # seconds of processor time, because the machine may be busy
COMMANDS = [["list"], ["list", "--format", "json"], ["check"], ["graph"], ["graph", "--format", "mermaid"]]

SCRIPT = os.path.abspath(__file__)


def write(path, content):
    parts, length = content if isinstance(content, tuple) else ([(0, content)], len(content))
    with open(path, "wb") as file:
        for offset, part in parts:
            file.seek(offset)
            file.write(part)
        file.truncate(length)


def run(tool, command):
    """Runs the tool, and returns its exit status and its maximum resident memory in bytes."""
    with open("output", "wb") as output:
        process = subprocess.Popen(
            [tool, *command], stdout=output, stderr=output,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS)))
        timer = threading.Timer(10 * SECONDS, process.kill)
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def make(name, size):
    """Writes a file in a separate process.

    The tool starts from this process, so this process's memory would count as the tool's.
    """
    subprocess.run([sys.executable, SCRIPT, "--make", name, str(size)], check=True)
    return sum(os.stat(os.path.join(folder, file)).st_size for folder, _, files in os.walk(".") for file in files)


def main():
    if sys.argv[1] == "--make":
        content = cases[sys.argv[2]](int(sys.argv[3])) if sys.argv[2] else of_records(
            1, lambda _: record(MODULE, b'{"module":"A.B"}'))
        write("file", content)
        return
    tool, size = os.path.abspath(sys.argv[1]), int(sys.argv[2]) * MB if len(sys.argv) > 2 else 24 * MB
    chosen = sys.argv[3:] or list(cases)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        make("", 0)
        nothing = max(run(tool, [*command, "file"])[1] for command in COMMANDS)
        os.remove("output")
        for name in chosen:
            for other in os.listdir():
                shutil.rmtree(other) if os.path.isdir(other) else os.remove(other)
            length = make(name, size)
            most, worst, faults = 0, "", []
            for command in commands.get(name, [[*command, "file"] for command in COMMANDS]):
                status, memory = run(tool, command)
                if memory > most:
                    most, worst = memory, " ".join(command)
                if status not in (0, 1, 2):
                    faults.append(f"{' '.join(command)}: ended with {status}")
                os.remove("output")
            if most > nothing + FACTOR * length + SLACK:
                faults.append("more than the limit")
            failed += bool(faults)
            print(
                f"{'FAILED' if faults else 'ok':7} {name}: {length / MB:.0f} MB, {(most - nothing) / MB:.0f} MB of memory"
                f" ({worst}){''.join('; ' + fault for fault in faults)}", flush=True)
    print(
        f"{len(chosen)} hostile files, {failed} with too much memory, too much time, or a crash; "
        f"an empty file takes {nothing / MB:.0f} MB")
    sys.exit(failed > 0)


main()
