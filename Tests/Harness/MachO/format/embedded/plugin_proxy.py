"""Stands between the compiler and the plugin and changes what it expands to: plugin_proxy.py PLUGIN PATTERN REPLACEMENT

Messages are JSON in frames: eight bytes of size, little-endian, and the text. Each request has one answer; a frame
of length zero is the end.
"""

import json
import re
import subprocess
import sys


def read(stream):
    """The next frame; empty at the end."""
    size = int.from_bytes(stream.read(8), "little")
    return stream.read(size)


def write(stream, text):
    """Sends a frame."""
    stream.write(len(text).to_bytes(8, "little") + text)
    stream.flush()


def main():
    plugin, pattern, replacement = sys.argv[1:]
    with subprocess.Popen([plugin], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        while request := read(sys.stdin.buffer):
            write(child.stdin, request)
            answer = json.loads(read(child.stdout))
            result = answer.get("expandMacroResult")
            if result and result.get("expandedSource"):
                result["expandedSource"] = re.sub(pattern, replacement, result["expandedSource"])
            write(sys.stdout.buffer, json.dumps(answer).encode())
        child.stdin.close()


main()
