"""Source files: their syntax trees, and the bodies of their functions.

Trees come from tree-sitter, which keeps the position of every token. Positions are byte offsets.
"""

import functools
import re
import subprocess

import tree_sitter_c
import tree_sitter_swift
from tree_sitter import Language, Parser

SWIFT, C = (Parser(Language(module.language())) for module in (tree_sitter_swift, tree_sitter_c))
# tree-sitter-swift cannot parse these, so spaces replace them.
UNKNOWN_TO_PARSER = re.compile(rb"nonisolated\(nonsending\)|@convention\(\w+\)|#isolation\b")
SWIFT_BODIES = {
    "function_body", "computed_property", "computed_getter", "computed_setter", "computed_modify",
    "didset_clause", "willset_clause",
}
STATEMENTS = {
    "control_transfer_statement", "assignment", "property_declaration", "function_declaration",
    "guard_statement", "if_statement", "switch_statement", "for_statement", "while_statement",
    "repeat_while_statement", "do_statement", "return_statement", "class_declaration",
    "typealias_declaration",
}


class Body:
    """The statements between the braces of a function or an accessor."""

    def __init__(self, start, end, statements, returns_value=False, is_initializer=False):
        self.start, self.end = start, end  # The range is between the braces.
        self.statements = statements
        self.returns_value, self.is_initializer = returns_value, is_initializer

    @property
    def implicit_return(self):
        """The expression that is returned without the keyword `return`, if there is one."""
        if not self.returns_value or len(self.statements) != 1:
            return None
        only = self.statements[0]
        is_defer = only.type == "call_expression" and only.text.startswith(b"defer")
        return None if only.type in STATEMENTS or is_defer else only


class Source:
    """A file, and its syntax tree without the lines that this system does not compile."""

    def __init__(self, path):
        self.path = path
        with open(path, "rb") as file:
            self.original = file.read()
        self.is_swift = path.endswith(".swift")
        text = unconditional(self.original) if self.is_swift else compiled(path, self.original)
        self.tree = (SWIFT if self.is_swift else C).parse(text)

    def line(self, position):
        return self.original.count(b"\n", 0, position) + 1

    @functools.cached_property
    def lines(self):
        return self.original.decode().split("\n")

    @functools.cached_property
    def bodies(self):
        make = swift_body if self.is_swift else c_body
        return [body for node in walk(self.tree.root_node) if (body := make(node))]

    def body_at(self, start, end):
        """Returns the innermost body that contains a range."""
        around = [body for body in self.bodies if body.start <= start and end <= body.end]
        return max(around, key=lambda body: body.start, default=None)


def walk(node):
    yield node
    for child in node.children:
        yield from walk(child)


def named(node):
    return [child for child in node.named_children if "comment" not in child.type]


def swift_body(node):
    if node.type not in SWIFT_BODIES:
        return None
    statements = next((child for child in node.children if child.type == "statements"), None)
    opening = next((child for child in node.children if child.type == "{"), None)
    # A property with accessors has no statements of its own.
    if not statements or not opening or node.children[-1].type != "}":
        return None
    returns_value = node.type in {"computed_property", "computed_getter"}
    if node.type == "function_body" and node.parent.type == "function_declaration":
        before = node.parent.text[: node.start_byte - node.parent.start_byte]
        # An unavailable function exists only for its message, and no code can call it.
        if b"*, unavailable" in before:
            return None
        result = re.search(rb"->\s*([^{]+?)\s*(where\b.*)?$", before, re.S)
        returns_value = bool(result) and result[1] not in {b"Void", b"Never", b"()"}
    start, end = opening.end_byte, node.children[-1].start_byte
    return Body(start, end, named(statements), returns_value, node.parent.type == "init_declaration")


def c_body(node):
    if node.type != "compound_statement" or node.parent.type != "function_definition":
        return None
    return Body(node.start_byte + 1, node.end_byte - 1, named(node))


# MARK: Conditional compilation

def blank(match):
    return b" " * len(match[0])


def unconditional(text):
    """Replaces the Swift code in `#if` with spaces, because little of it is compiled on Linux."""
    lines, depth = [], 0
    for line in text.split(b"\n"):
        directive = re.match(rb"\s*#(if|endif)\b", line)
        depth += directive is not None and directive[1] == b"if"
        lines.append(re.sub(rb".+", blank, line) if depth else line)
        depth -= directive is not None and directive[1] == b"endif"
    return UNKNOWN_TO_PARSER.sub(blank, b"\n".join(lines))


def compiled(path, text):
    """Replaces directives and the C code that this system does not compile with spaces."""
    command = ["gcc", "-E", "-fdirectives-only", "-w", "-D_GNU_SOURCE", "-ISources/RegistryC/include", path]
    # The command fails for a header for another language or system. None of it is compiled here.
    output = subprocess.run(command, check=False, capture_output=True).stdout
    kept, number, is_own = set(), 0, False
    for line in output.split(b"\n"):
        marker = re.match(rb'# (\d+) "(.*?)"', line)
        if marker:
            number, is_own = int(marker[1]), marker[2].decode() == path
            continue
        if is_own and not re.match(rb"\s*(#|$)", line):
            kept.add(number)
        number += 1
    lines = enumerate(text.split(b"\n"), 1)
    return b"\n".join(line if number in kept else re.sub(rb".+", blank, line) for number, line in lines)
