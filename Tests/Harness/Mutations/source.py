"""Source files: the lines that are compiled on this system, syntax trees, and bodies.

Trees come from tree-sitter, which keeps the position of every token. Positions are byte offsets.
"""

import functools
import os
import re
import subprocess

import tree_sitter_c
import tree_sitter_swift
from tree_sitter import Language, Parser

# The conditions of `canImport`, `os`, and `objectFormat` that are true on Linux.
TRUE_CONDITIONS = {
    "canImport(Glibc)", "canImport(Foundation)", "canImport(FoundationEssentials)", "canImport(Testing)",
    "os(Linux)", "objectFormat(ELF)",
}
# tree-sitter-swift cannot parse these, so spaces replace them.
UNKNOWN_TO_PARSER = re.compile(rb"nonisolated\(nonsending\)|@convention\(\w+\)|#isolation\b")


class Body:
    """The statements between the braces of a function or an accessor."""

    def __init__(self, start, end, statements, returns_value):
        self.start, self.end = start, end  # The range is between the braces.
        self.statements = statements
        self.returns_value = returns_value

    @property
    def implicit_return(self):
        """The expression that is returned without the keyword `return`, if there is one."""
        if not self.returns_value or len(self.statements) != 1:
            return None
        only = self.statements[0]
        return only if only.type not in STATEMENTS and not is_defer(only) else None


STATEMENTS = {
    "control_transfer_statement", "assignment", "property_declaration", "function_declaration", "guard_statement",
    "if_statement", "switch_statement", "for_statement", "while_statement", "repeat_while_statement", "do_statement",
    "return_statement", "class_declaration", "typealias_declaration",
}


def is_defer(node):
    return node.type == "call_expression" and node.text.startswith(b"defer")


class Source:
    """A file without the lines that this system does not compile."""

    def __init__(self, root, path):
        self.path = path
        with open(os.path.join(root, path), "rb") as file:
            self.original = file.read()
        self.is_swift = path.endswith(".swift")
        self.text = blank_swift(self.original) if self.is_swift else blank_c(root, path, self.original)
        self.tree = parser("swift" if self.is_swift else "c").parse(self.text)

    def line(self, position):
        return self.original.count(b"\n", 0, position) + 1

    def line_text(self, position):
        start = self.original.rfind(b"\n", 0, position) + 1
        end = self.original.find(b"\n", position)
        return self.original[start : end if end >= 0 else None].decode().strip()

    @functools.cached_property
    def bodies(self):
        """All bodies, with inner ones after those that contain them."""
        found = []
        for node in walk(self.tree.root_node):
            body = swift_body(node) if self.is_swift else c_body(node)
            if body:
                found.append(body)
        return found

    def function_at(self, position):
        """Returns the name of the function or property around a position, or an empty string."""
        body = self.body_at(position, position)
        if body is None:
            return ""
        before = self.original[max(0, body.start - 1000) : body.start].decode(errors="replace")
        if self.is_swift:
            names = re.findall(r"\b(?:func\s+([^\s(<]+)|(init|subscript|deinit)\b|var\s+(\w+))", before)
        else:
            names = re.findall(r"^[\w*].*?(\w+)\(", before, re.M)
        if not names:
            return ""
        return "".join(names[-1])

    def body_at(self, start, end):
        """Returns the innermost body that contains a range."""
        around = [body for body in self.bodies if body.start <= start and end <= body.end]
        return max(around, key=lambda body: body.start, default=None)


@functools.cache
def parser(language):
    module = tree_sitter_swift if language == "swift" else tree_sitter_c
    return Parser(Language(module.language()))


def walk(node):
    yield node
    for child in node.children:
        yield from walk(child)


def named(node):
    return [child for child in node.named_children if "comment" not in child.type]


def braces(node):
    """Returns the range between the outer braces of a node."""
    opening = next((child for child in node.children if child.type == "{"), None)
    closing = next((child for child in reversed(node.children) if child.type == "}"), None)
    return (opening.end_byte, closing.start_byte) if opening and closing else None


def swift_body(node):
    if node.type not in {
        "function_body", "computed_property", "computed_getter", "computed_setter", "computed_modify", "didset_clause",
        "willset_clause",
    }:
        return None
    statements = next((child for child in node.children if child.type == "statements"), None)
    between = braces(node)
    # A property with accessors has no statements of its own.
    if not statements or not between:
        return None
    returns_value = node.type in {"computed_property", "computed_getter"}
    if node.type == "function_body" and node.parent.type == "function_declaration":
        before = node.parent.text[: node.start_byte - node.parent.start_byte]
        # An unavailable function exists only for its message, and no code can call it.
        if b"*, unavailable" in before:
            return None
        result = re.search(rb"->\s*([^{]+?)\s*(where\b.*)?$", before, re.S)
        returns_value = bool(result) and result[1] not in {b"Void", b"Never", b"()"}
    return Body(*between, named(statements), returns_value)


def c_body(node):
    if node.type != "compound_statement" or node.parent.type != "function_definition":
        return None
    return Body(node.start_byte + 1, node.end_byte - 1, named(node), False)


# MARK: Conditional compilation

def blank(line):
    return b" " * len(line)


def blank_swift(text):
    """Replaces directives, and the lines that they leave out on Linux, with spaces."""
    lines, stack = [], []  # For each `#if`: this part is compiled, this or an earlier one is.
    for line in text.split(b"\n"):
        directive = re.match(rb"\s*#(if|elseif|else|endif)\b(.*)", line)
        if directive:
            word, condition = directive[1], directive[2]
            if word == b"if":
                holds = is_true(condition)
                stack.append([holds, holds])
            elif word == b"endif":
                stack.pop()
            else:
                holds = not stack[-1][1] and (word == b"else" or is_true(condition))
                stack[-1] = [holds, stack[-1][1] or holds]
        is_compiled = not directive and all(part[0] for part in stack)
        lines.append(line if is_compiled else blank(line))
    return UNKNOWN_TO_PARSER.sub(lambda match: blank(match[0]), b"\n".join(lines))


def is_true(condition):
    text = re.sub(rb"//.*", b"", condition).decode()
    words = re.sub(r"\w+\([^)]*\)|\b[A-Z_]\w+\b", lambda match: str(match[0] in TRUE_CONDITIONS), text)
    words = words.replace("&&", " and ").replace("||", " or ").replace("!", " not ")
    return bool(eval(words.strip(), {}))  # Only names of truth values and operators remain.


def blank_c(root, path, text):
    """Keeps the lines that remain after the preprocessor has run."""
    command = ["clang", "-E", "-w", "-D_GNU_SOURCE", "-ISources/RegistryC/include", "-ISources/RegistryC"]
    # The command fails for a header for another language or system. No line of it is compiled here
    # then.
    output = subprocess.run([*command, path], cwd=root, check=False, capture_output=True).stdout
    compiled, number, is_own = set(), 0, False
    for line in output.split(b"\n"):
        marker = re.match(rb'# (\d+) "(.*?)"', line)
        if marker:
            number, is_own = int(marker[1]), marker[2].decode() == path
            continue
        if is_own and line.strip():
            compiled.add(number)
        number += 1
    lines, continues = [], False
    in_call = 0
    for number, line in enumerate(text.split(b"\n"), 1):
        is_directive = continues or re.match(rb"\s*#", line)
        continues = bool(is_directive) and line.endswith(b"\\")
        # The preprocessor writes the call of a macro on one line, even if it spans several lines
        # here.
        kept = not is_directive and (number in compiled or in_call > 0)
        if kept:
            in_call = max(0, in_call + line.count(b"(") - line.count(b")"))
        lines.append(line if kept else blank(line))
    return b"\n".join(lines)
