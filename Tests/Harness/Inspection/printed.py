"""Contents of sections as `llvm-objdump --full-contents` prints them, for files that are small enough."""

import re
import zlib

LIMIT = 100_000
LINE = re.compile(r"^ [0-9a-f]+ (.{35})  ", re.M)


def differences(text, pieces, counts):
    blocks = re.split(r"^Contents of section (.*):$", text, flags=re.M)[1:]
    # A name can be there more than once; then nobody can tell which is which.
    names = blocks[0::2]
    for name, block in zip(names, blocks[1::2]):
        same = [piece for piece in pieces if piece["name"] == name and piece.get("offset") is not None]
        if names.count(name) != 1 or len(same) != 1:
            continue
        contents = bytes.fromhex("".join(LINE.findall(block)))
        counts["contents as printed"] = counts.get("contents as printed", 0) + 1
        if zlib.crc32(contents) != same[0]["crc"]:
            yield f"llvm-objdump prints other contents of {name}: {len(contents)} bytes"
