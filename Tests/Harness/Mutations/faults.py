"""The faults: those derived from the syntax of a file, and those of `listed`."""

import re

from source import named, walk

COMPARISONS = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "===": "!==", "!==": "===",
}
LOGICAL = {"&&": "||", "||": "&&"}
ARITHMETIC = {
    "+": "-", "-": "+", "+=": "-=", "-=": "+=", "++": "--", "--": "++", "<<": ">>", ">>": "<<",
    "|": "&", "&": "|", "|=": "&=", "&=": "|=", "..<": "...", "...": "..<",
}
CONDITIONAL = {
    "if_statement", "guard_statement", "while_statement", "for_statement", "ternary_expression",
    "conditional_expression", "where_clause",
}
SIMPLE_STATEMENTS = {
    "call_expression", "assignment", "try_expression", "await_expression", "expression_statement",
}
TRUTH_VALUES = {
    "comparison_expression", "equality_expression", "conjunction_expression", "disjunction_expression",
}


class Fault:
    """A replacement for a range of a file."""

    def __init__(self, source, kind, start, end, replacement):
        self.source, self.kind, self.start, self.end = source, kind, start, end
        self.replacement = replacement
        self.body = source.body_at(start, end)
        self.number = None

    @property
    def key(self):
        """A key that stays the same when other lines of the file change."""
        line = self.source.lines[self.source.line(self.start) - 1]
        return " | ".join([self.source.path, self.kind, line, self.change])

    @property
    def change(self):
        return f"{shortened(self.source.original[self.start : self.end])} -> {shortened(self.replacement)}"

    def __str__(self):
        return f"{self.source.path}:{self.source.line(self.start)}: {self.kind}: {self.change}"


def shortened(text):
    words = " ".join(text.decode().split())
    return (words if len(words) <= 100 else words[:97] + "...") or "nothing"


# MARK: Derived faults

def derived(source):
    """Returns the faults of a file in the order of their positions."""
    found = {}
    for body in source.bodies:
        nodes = [node for statement in body.statements for node in walk(statement)
                 if source.body_at(node.start_byte, node.end_byte) is body]
        changes = [change for node in nodes for change in changes_at(source, node)]
        if body.implicit_return is not None:
            changes += negated(body.implicit_return, "return")
        lists = [named(node) for node in nodes if node.type in {"statements", "compound_statement"}]
        for statements in [body.statements, *lists]:
            changes += [change for node in statements for change in removed(body, statements, node)]
        for kind, start, end, replacement in changes:
            found.setdefault((start, end, replacement), Fault(source, kind, start, end, replacement))
    return [found[key] for key in sorted(found)]


def changes_at(source, node):
    """Yields changes of operators, conditions, and constants: kind, range, and replacement."""
    where, word = (node.start_byte, node.end_byte), node.text.decode()
    if (not node.is_named or node.type == "custom_operator") and is_infix(node):
        for kind, table in ("comparison", COMPARISONS), ("logic", LOGICAL), ("arithmetic", ARITHMETIC):
            if word in table:
                yield kind, *where, table[word].encode()
    elif node.type in {"integer_literal", "number_literal"} and word.isdigit():
        yield "constant", *where, b"0" if word == "1" else str(int(word) + 1).encode()
    elif node.type in {"boolean_literal", "true", "false"} and node.is_named:
        yield "constant", *where, b"false" if word == "true" else b"true"
    elif node.type in {"prefix_expression", "unary_expression"} and word.startswith("!"):
        yield "logic", *where, b"(" + node.text[1:] + b")"
    elif node.type in CONDITIONAL and not (node.type == "for_statement" and source.is_swift):
        yield from conditions(source, node)
    elif word.startswith("return ") and named(node):
        yield from negated(named(node)[-1], "return")


def is_infix(node):
    """Returns True for an operator between two operands, but not in a type or before one."""
    if node.parent.type in {
        "type_parameters", "type_arguments", "pointer_expression", "unary_expression", "prefix_expression",
        "pointer_declarator", "function_type", "parameter", "catch_block",
    }:
        return node.text in {b"++", b"--"}
    is_between = node.prev_sibling is not None and node.next_sibling is not None
    return is_between or node.parent.type == "postfix_expression"


def conditions(source, node):
    """Yields negations of the conditions of a statement."""
    clauses = [child for index, child in enumerate(node.children)
               if child.is_named and node.field_name_for_child(index) == "condition"]
    if node.type == "where_clause":
        clauses = named(node)[-1:]
    for clause in clauses:
        # A pattern such as `let name = value` has several children, which are no truth values.
        is_first = clause.prev_sibling is not None and clause.prev_sibling.type in {"if", "guard", "while", ","}
        if source.is_swift and node.type.endswith("statement") and not is_first:
            continue
        # Negating `!x` is a fault of its own.
        if clause.type != "value_binding_pattern" and not re.match(rb"\(?!", clause.text):
            yield "condition", clause.start_byte, clause.end_byte, negation(clause)


def negated(node, kind):
    """Yields the negation of an expression if it certainly is a truth value."""
    is_comparison = node.type == "binary_expression" and any(
        child.type in COMPARISONS or child.type in LOGICAL for child in node.children)
    if node.type in TRUTH_VALUES or is_comparison:
        yield kind, node.start_byte, node.end_byte, negation(node)


def negation(node):
    inner = b"!(" + node.text + b")"
    return b"(" + inner + b")" if node.type == "parenthesized_expression" else inner


def removed(body, statements, node):
    """Yields the removal of a statement."""
    is_jump = node.text.rstrip(b";") in {b"return", b"break", b"continue"}
    # The `else` of a `guard` must leave its scope.
    if node.type not in SIMPLE_STATEMENTS and not (is_jump and node.parent.parent.type != "guard_statement"):
        return
    # These calls only save time, or extend a lifetime. A value that is cast to void has no effect.
    if re.match(rb"(_ = )?([\w.]+\.)?(reserveCapacity|withExtendedLifetime)\(|\(void\)|;", node.text):
        return
    # Nothing compiles without the initial value of a property.
    if body.is_initializer and node.type == "assignment":
        return
    is_value = len(statements) == 1 and node.parent.parent.type == "lambda_literal"
    if node is not body.implicit_return and not is_value:
        yield "statement", node.start_byte, node.end_byte, b""


# MARK: Listed faults

def listed(path, sources):
    """Yields the faults of `listed`, and prints those that the sources lack.

    Each has three lines: a description with the file, a pattern, and its replacement. `sources`
    returns the source file for a path.
    """
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"^#.*\n", "", file.read(), flags=re.M)
    for block in re.split(r"\n\n+", text.strip("\n")):
        (title, pattern, replacement) = block.split("\n")
        what, name = title.rsplit(" | ", 1)
        source = sources(f"Sources/{name}")
        matches = list(re.finditer(pattern, source.original.decode(), re.M)) if source else []
        if len(matches) == 1:
            start = len(matches[0].string[: matches[0].start()].encode())
            end = start + len(matches[0][0].encode())
            yield Fault(source, what, start, end, matches[0].expand(replacement).encode())
        else:
            print(f"not tried, because its pattern matches {len(matches)} times: {title}")
