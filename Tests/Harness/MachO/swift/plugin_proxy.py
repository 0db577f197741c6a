"""Changes the plugin's expansions before the compiler reads them.

    plugin_proxy.py PLUGIN PATTERN REPLACEMENT

Messages are JSON in frames: the size in eight little-endian bytes, and then the text. Each request
has one answer. A frame of length zero ends the conversation.
"""

import json
import re
import subprocess
import sys


def read(stream):
    """Returns the next frame, which is empty at the end."""
    return stream.read(int.from_bytes(stream.read(8), "little"))


def write(stream, text):
    """Sends a frame."""
    stream.write(len(text).to_bytes(8, "little") + text)
    stream.flush()


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
