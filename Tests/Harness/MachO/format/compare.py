"""Checks the records in a file: compare.py COMMAND FILE RECORDS…

    covers - RECORDS…       the lists leave nothing untried
    macho FILE RECORDS…     a Mach-O object or image holds these records, as llvm-objdump sees it
    elf FILE RECORDS…       an ELF image does, as readelf sees it
    tamper FILE RECORDS…    changes in what the tools say of a right file are noticed

Options in front: --pointer-size 4, --symbols FILE (the image before it was stripped), --any-order (ELF). OBJDUMP and
READELF name the tools. Exits 0 when all is well, 1 when something is wrong, with a line for each, 3 when it could not be found out.
"""

import argparse
import sys

import judge
import record_format
import tamper


def problems(arguments, records):
    """What is wrong."""
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
            raise ValueError("the file is wrong to begin with")
        count, missed = tamper.unnoticed(records, evidence, verdict)
        print(f"{count} changes tried")
        return [f"not noticed: {what}" for what in missed]
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
    except Exception as error:  # Whatever it is: not to be taken for a verdict.
        print(f"compare.py: {type(error).__name__}: {error}", file=sys.stderr)
        status = 3
    sys.exit(status)
