"""Measures the memory that registry-tool needs for files that are small but expensive to read.

    python3 measure.py TOOL [MEGABYTES [NAME…]]

Each file repeats one structure as often as it fits. For every command, the tool may use FACTOR
times as much memory as the file has bytes, as Documentation/RegistryTool.md states, in addition to
the memory that it needs for a file of one module. It must end by itself within a time limit. Prints
a line for each file.
"""

import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import threading

sys.dont_write_bytecode = True

from cases import MB, cases
from formats import MODULE, of_records, record

# The maximum memory for a file, in multiples of the file's size.
FACTOR = 48
# Allocators round up, and they do not always return freed memory to the system.
SLACK = 8 * MB
# A command that takes longer does not end, or traverses a list for each of its elements.
SECONDS = 120  # seconds of processor time, because the machine may be busy

SCRIPT = os.path.abspath(__file__)


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
        pathlib.Path("file").write_bytes(cases[sys.argv[2]][0](int(sys.argv[3])))
        return
    tool, size = os.path.abspath(sys.argv[1]), int((sys.argv[2:] or [24])[0]) * MB
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        pathlib.Path("module").write_bytes(of_records(record(MODULE, b'{"module":"A.B"}')))
        nothing = max(run(tool, [command, "module"])[1] for command in ("list", "check", "graph"))
        for name in sys.argv[3:] or cases:
            for other in os.listdir():
                shutil.rmtree(other) if os.path.isdir(other) else os.remove(other)
            length = make(name, size)
            most, worst, faults = 0, "", []
            for command in cases[name][1]:
                status, memory = run(tool, command)
                if memory > most:
                    most, worst = memory, " ".join(command)
                if status not in (0, 1, 2):
                    faults.append(f"{' '.join(command)}: ended with {status}")
            if most > nothing + FACTOR * length + SLACK:
                faults.append("more than the limit")
            failed += bool(faults)
            print(
                f"{'FAILED' if faults else 'ok':7} {name}: {length / MB:.0f} MB, {(most - nothing) / MB:.0f} MB of memory"
                f" ({worst}){''.join('; ' + fault for fault in faults)}", flush=True)
    print(f"{failed} files with too much memory, too much time, or a crash; a file of one module takes {nothing / MB:.0f} MB")
    sys.exit(failed > 0)


main()
