"""Prints an assembly file with C records, half of them services and half modules.

    records.py COUNT
"""

import sys

count = int(sys.argv[1])
records = [("serv", '{"protocol":"Benchmarks.Findable","class":"Benchmarks.Found"}')]
records += [("serv", f'{{"protocol":"A.P{n:05}","class":"A.C{n:05}"}}') for n in range(1, count // 2)]
records += [("modu", f'{{"module":"A.M{n:05}"}}') for n in range(count // 2)]
print('.section .note.registry,"a",%note\n.balign 8')
for kind, json in records:
    room = (len(json) + 8) // 8 * 8
    spelled = json.replace('"', '\\"')
    print(f".long 9, {8 + room}, {int.from_bytes(kind.encode(), 'big')}")
    print('.ascii "Registry\\0\\0\\0\\0"\n.quad 0')
    print(f'.ascii "{spelled}"\n.zero {room - len(json)}')
