"""Compares the records in a file with lists of records: compare.py COMMAND FILE RECORDS…

    covers - RECORDS…       checks that the lists cover every case
    macho FILE RECORDS…     compares a Mach-O object or image, as llvm-objdump prints it
    elf FILE RECORDS…       compares an ELF image, as readelf prints it
    tamper FILE RECORDS…    checks that changes in the tools' output for a correct file are detected

Options before the command: --pointer-size 4, --symbols FILE (the image before it was stripped), and
--any-order (ELF). OBJDUMP and READELF name the tools. The exit status is 0 if the records agree, 1
with a line for each difference, and 3 if they could not be compared.
"""

import argparse
import sys

import judge
import record_format
import tamper


def problems(arguments, records):
    """Returns the differences."""
    if arguments.command == "covers":
        return list(record_format.uncovered(records))
    with open(arguments.file, "rb") as file:
        is_elf = file.read(4) == b"\x7fELF"
    if is_elf:
        evidence = judge.gather_elf(arguments.file, arguments.symbols)

        def verdict(expected, shown):
            return judge.judge_elf(expected, shown, arguments.any_order)
    else:
        evidence = judge.gather_macho(arguments.file, arguments.symbols)

        def verdict(expected, shown):
            return judge.judge_macho(expected, shown, arguments.pointer_size)

    if arguments.command == "tamper":
        if verdict(records, evidence):
            raise ValueError("the unchanged file already differs")
        count, missed = tamper.unnoticed(records, evidence, verdict)
        print(f"{count} changes tried")
        return [f"not detected: {what}" for what in missed]
    if is_elf != (arguments.command == "elf"):
        raise ValueError(f"{arguments.file} is not of the format {arguments.command}")
    return verdict(records, evidence)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pointer-size", type=int, default=8, choices=(4, 8))
    parser.add_argument("--symbols")
    parser.add_argument("--any-order", action="store_true")
    parser.add_argument("command", choices=("covers", "macho", "elf", "tamper"))
    parser.add_argument("file")
    parser.add_argument("records", nargs="+")
    arguments = parser.parse_args()
    found = problems(arguments, record_format.read_expected(arguments.records))
    for problem in found:
        print(problem)
    return 1 if found else 0


if __name__ == "__main__":
    try:
        status = main()
    except Exception as error:  # No exception may look like a result of the comparison.
        print(f"compare.py: {type(error).__name__}: {error}", file=sys.stderr)
        status = 3
    sys.exit(status)
