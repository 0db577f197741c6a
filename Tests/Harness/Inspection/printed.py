"""Compares the contents of sections in small files with the output of llvm-objdump."""

import re
import zlib

LIMIT = 100_000
LINE = re.compile(r"^ [0-9a-f]+ (.{35})  ", re.M)


def differences(text, pieces, counts):
    blocks = re.split(r"^Contents of section (.*):$", text, flags=re.M)[1:]
    # If a name occurs more than once, the output does not tell which section is meant.
    names = blocks[0::2]
    for name, block in zip(names, blocks[1::2]):
        same = [piece for piece in pieces if piece["name"] == name and piece.get("offset") is not None]
        if names.count(name) != 1 or len(same) != 1:
            continue
        contents = bytes.fromhex("".join(LINE.findall(block)))
        counts["contents as printed"] = counts.get("contents as printed", 0) + 1
        if zlib.crc32(contents) != same[0]["crc"]:
            yield f"llvm-objdump prints different contents of {name}: {len(contents)} bytes"
