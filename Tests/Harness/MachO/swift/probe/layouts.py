"""Prints a program that checks the layouts of types that code and runtime must agree about.

The compiler chooses the layouts of concrete types when it compiles a program, and the runtime
chooses those of generic ones. For every type, the program compares both, and writes and reads
values on different sides. The program prints a line for each type, and returns 1 if a layout
differs. With --wrong-size, the program compares the first type with a wrong size, and so must
report it.
"""

import sys

PARTS = [
    "Int", "Bool", "UInt8", "Double", "String", "Character", "[Int]", "[Int: String]", "AnyObject", "Node",
    "UnsafeRawPointer", "Any", "any Named", "any Owner", "Any.Type", "(Int) -> String", "Choice", "Weight",
    "Unmanaged<Node>", "ObjectIdentifier", "@convention(c) (Int) -> Int", "Either", "Texts", "Many",
]

# Most types have either as many spare bit patterns as there are invalid addresses, or only a few.
# These have more than 4,096 and fewer than 2^31, so they show which addresses count as invalid.
BETWEEN = f"""
enum Either {{ case one(Node, Node), two(Node, Node) }}
enum Texts {{ case one(String, Node), two(Node, String), three(String) }}
enum Many {{ case {", ".join(f"number{index}" for index in range(300))} }}
"""


def types():
    for part in PARTS:
        part = f"({part})"
        yield from (f"{part}?", f"{part}??", f"{part}???")
    # The part with the most spare bit patterns represents nil.
    for first in PARTS:
        for second in ("Bool", "String", "AnyObject", "Either", "Texts", "Many"):
            yield from (f"({first}, {second})?", f"({second}, {first})?")
    yield from ("Pair?", "Pair??", "(Pair, Int)?", "Nested?", "Nested??", "(Choice?, Node?)?", "Result<Node, Oops>?")


wrong_size = sys.argv[1:] == ["--wrong-size"]
print(BETWEEN + """
protocol Named { var name: String { get } }
protocol Owner: AnyObject {}
final class Node: Owner { weak var next: Node? }
struct Oops: Error {}
struct Weight { unowned let node: Node }
enum Choice { case none, number(Int), text(String), node(Node) }
struct Pair { var count: UInt8; var node: Node; var names: [String] }
enum Nested { case pair(Pair), choice(Choice), none }

@inline(never) func absent<T>(_ type: T.Type) -> T? { nil }
@inline(never) func isAbsent<T>(_ value: T?) -> Bool { value == nil }
@inline(never) func wrapped<T>(_ value: T) -> T? { value }
@inline(never) func sizes<T>(_ type: T.Type) -> [Int] {
  [MemoryLayout<T>.size, MemoryLayout<T>.stride, MemoryLayout<T>.alignment]
}

nonisolated(unsafe) var differences = 0
func report(_ type: String, _ sizes: [Int], _ isSame: Bool) {
  print(isSame ? "same" : "DIFFERENT", type, sizes)
  if !isSame { differences += 1 }
}
""")
count = 0
for type_ in types():
    wrapped = type_[:-1]
    count += 1
    # A value that the runtime writes is read by concrete code, and the reverse.
    print(f"""
@inline(never) func check{count}() {{
  typealias T = {type_}
  let sizes = sizes(T.self)
  let concrete = [MemoryLayout<T>.size{" + 1" if wrong_size and count == 1 else ""}, MemoryLayout<T>.stride, MemoryLayout<T>.alignment]
  let (none, some): (T, T?) = (nil, wrapped(nil as T))
  report("{type_}", sizes, sizes == concrete && isAbsent(none) && absent(({wrapped}).self) == nil
    && some != nil && some! == nil && !isAbsent(.some(none) as T?) && isAbsent(absent(T.self)))
}}""")
print('\n@_cdecl("layouts") public func layouts() -> Int32 {')
for index in range(1, count + 1):
    print(f"  check{index}()")
print("  return differences == 0 ? 0 : 1\n}")
