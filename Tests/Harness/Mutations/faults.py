"""The faults: those that are derived from the syntax of a file, and those that the file `list` describes."""

import re

from source import Body, is_defer, named, walk

COMPARISONS = {"<": ["<="], "<=": ["<"], ">": [">="], ">=": [">"], "==": ["!="], "!=": ["=="], "===": ["!=="],
               "!==": ["==="]}
LOGICAL = {"&&": ["||"], "||": ["&&"]}
ARITHMETIC = {"+": ["-"], "-": ["+"], "+=": ["-="], "-=": ["+="], "++": ["--"], "--": ["++"], "<<": [">>"],
              ">>": ["<<"], "|": ["&"], "&": ["|"], "|=": ["&="], "&=": ["|="], "..<": ["..."], "...": ["..<"]}
# package.py adds `withoutLock`.
NAMES = {"min": "max", "max": "min", "first": "last", "last": "first", "withLock": "withoutLock"}
CONDITIONAL = {"if_statement", "guard_statement", "while_statement", "for_statement"}


class Fault:
    """A replacement for a range of a file."""

    def __init__(self, source, kind, start, end, replacement, description=None):
        self.source, self.kind = source, kind
        self.start, self.end, self.replacement = start, end, replacement
        self.body = source.body_at(start, end)
        self.description = description
        self.number = None

    @property
    def path(self):
        return self.source.path

    @property
    def line(self):
        return self.source.line(self.start)

    @property
    def before(self):
        return shortened(self.source.original[self.start : self.end])

    @property
    def after(self):
        return shortened(self.replacement)

    @property
    def key(self):
        """A key that stays the same when lines before the fault are added or removed."""
        where = f"{self.path} {self.source.function_at(self.start)}".rstrip()
        return " | ".join([where, self.kind, self.source.line_text(self.start), f"{self.before} -> {self.after}"])


def shortened(text):
    words = re.sub(r"\s+", " ", text.decode()).strip()
    return (words if len(words) <= 100 else words[:97] + "...") or "nothing"


def derived(source):
    """Returns all faults that can be made in a file, in the order of their positions."""
    found = {}

    def add(kind, start, end, replacement):
        if isinstance(replacement, str):
            replacement = replacement.encode()
        if source.original[start:end] != replacement:
            found.setdefault((start, end, replacement), Fault(source, kind, start, end, replacement))

    for body in source.bodies:
        for statement in body.statements:
            for node in walk(statement):
                if source.body_at(node.start_byte, node.end_byte) is body:
                    for fault in faults_at(source, body, node):
                        add(*fault)
        if body.implicit_return is not None:
            for fault in conditions(source, body.implicit_return, "return"):
                add(*fault)
        for block in statement_lists(source, body):
            for fault in statement_faults(source, body, block):
                add(*fault)
    if source.is_swift:
        for node in walk(source.tree.root_node):
            for fault in default_faults(source, node):
                add(*fault)
    return [found[place] for place in sorted(found)]


def text_of(source, node):
    return source.original[node.start_byte : node.end_byte]


def faults_at(source, body, node):
    """Yields faults in expressions: operators, conditions, constants, and arguments."""
    where = node.start_byte, node.end_byte
    word = text_of(source, node).decode()
    is_operator = not node.is_named or node.type == "custom_operator"
    if is_operator and is_infix(source, node):
        for table, kind in (COMPARISONS, "comparison"), (LOGICAL, "logic"), (ARITHMETIC, "arithmetic"):
            for other in table.get(word, []):
                yield kind, *where, other
        if word == "??" and node.next_named_sibling is not None:
            value = node.parent.child_by_field_name("value")
            if value is not None:
                default = node.next_named_sibling
                yield "fallback", value.start_byte, default.end_byte, text_of(source, default)
    elif node.type in {"integer_literal", "number_literal"} and re.fullmatch(r"\d+", word):
        yield "constant", *where, "1" if word == "0" else "0" if word == "1" else str(int(word) + 1)
    elif node.type in {"boolean_literal", "true", "false"} and word in {"true", "false"} and node.is_named:
        yield "constant", *where, "false" if word == "true" else "true"
    elif node.type in {"prefix_expression", "unary_expression"} and word.startswith("!"):
        yield "logic", *where, b"(" + text_of(source, node)[1:] + b")"
    elif node.type == "simple_identifier" and word in NAMES:
        yield "name", *where, NAMES[word]
    elif node.type in CONDITIONAL or node.type in {"ternary_expression", "conditional_expression", "where_clause"}:
        yield from condition_faults(source, node)
    elif node.type == "control_transfer_statement" and word.startswith("return ") or node.type == "return_statement":
        if named(node):
            yield from conditions(source, named(node)[-1], "return")
    elif node.type in {"value_arguments", "argument_list"}:
        yield from argument_faults(source, node)


def is_infix(source, node):
    """Returns True for an operator between two operands, but not in a type or before one."""
    parent = node.parent
    if parent.type in {"type_parameters", "type_arguments", "pointer_expression", "unary_expression",
                       "prefix_expression", "pointer_declarator", "function_type", "parameter", "catch_block"}:
        return text_of(source, node) in {b"++", b"--"}
    return node.prev_sibling is not None and node.next_sibling is not None or parent.type == "postfix_expression"


def condition_faults(source, node):
    """Yields faults that negate or leave out the conditions of a statement."""
    if node.type == "for_statement" and source.is_swift:
        return
    clauses = [child for index, child in enumerate(node.children)
               if node.field_name_for_child(index) == "condition" and child.type != ","]
    if node.type == "where_clause":
        clauses = named(node)[-1:]
    # `let name = value` and `case pattern = value` consist of several children, which are no truth
    # values.
    if source.is_swift and any(child.type in {"value_binding_pattern", "case", "="} for child in clauses):
        binding = {b"let", b"var", b"case", b"="}
        clauses = [child for child in clauses if child.type not in {"value_binding_pattern"}
                   and text_of(source, child) not in binding
                   and child.prev_sibling is not None and child.prev_sibling.type in {"if", "guard", "while", ","}]
    for clause in clauses:
        start, end = clause.start_byte, clause.end_byte
        if clause.type == "parenthesized_expression":
            start, end = start + 1, end - 1
        # Negating `!x` is a fault of its own.
        if not source.original[start:end].startswith(b"!"):
            yield from range_conditions(source, start, end, "condition")
        yield from operand_faults(source, clause)


def conditions(source, node, kind):
    """Yields faults that negate an expression if it certainly is a truth value."""
    kinds = {"comparison_expression", "equality_expression", "conjunction_expression", "disjunction_expression"}
    is_logical = node.type == "binary_expression" and any(
        text_of(source, child).decode() in COMPARISONS | LOGICAL for child in node.children if not child.is_named)
    if node.type in kinds or is_logical:
        yield from range_conditions(source, node.start_byte, node.end_byte, kind)
        yield from operand_faults(source, node)


def range_conditions(source, start, end, kind):
    yield kind, start, end, b"!(" + source.original[start:end] + b")"


def operand_faults(source, clause):
    """Yields faults that leave out one operand of `&&` or `||`.

    The tree's precedences are not Swift's, so operators outside parentheses divide the operands.
    """
    parts, operators, start = [], [], clause.start_byte
    if clause.type == "parenthesized_expression":
        start += 1
    limit = clause.end_byte - (1 if clause.type == "parenthesized_expression" else 0)
    depth = 1 if clause.type == "parenthesized_expression" else 0
    level = 0
    for node in leaves(clause):
        word = text_of(source, node)
        if word in {b"(", b"[", b"{"}:
            level += 1
        elif word in {b")", b"]", b"}"}:
            level -= 1
        elif word in {b"&&", b"||"} and level == depth:
            parts.append((start, node.start_byte))
            operators.append(word)
            start = node.end_byte
    if not operators:
        return
    parts.append((start, limit))
    for index in range(len(parts)):
        kept = [part for place, part in enumerate(parts) if place != index]
        between = [word for place, word in enumerate(operators) if place != max(index - 1, 0)]
        text = source.original[kept[0][0] : kept[0][1]]
        for word, part in zip(between, kept[1:]):
            text += b" " + word + b" " + source.original[part[0] : part[1]]
        yield "operand", parts[0][0], limit, b" " + text.strip() + b" "


def leaves(node):
    if not node.children:
        yield node
    for child in node.children:
        yield from leaves(child)


def argument_faults(source, node):
    """Yields faults that swap the values of neighboring arguments."""
    if re.search(rb"\b(min|max|smaller)$", source.original[max(0, node.start_byte - 8) : node.start_byte]):
        return
    values = [argument.child_by_field_name("value") or argument for argument in named(node)]
    for one, other in zip(values, values[1:]):
        swapped = (text_of(source, other) + source.original[one.end_byte : other.start_byte] + text_of(source, one))
        yield "arguments", one.start_byte, other.end_byte, swapped


def statement_lists(source, body):
    """Yields the lists of statements of a body, including those of its closures and blocks."""
    yield body.statements
    for statement in body.statements:
        for node in walk(statement):
            if node.type in {"statements", "compound_statement"}:
                if source.body_at(node.start_byte, node.end_byte) is body:
                    yield named(node)


def statement_faults(source, body, block):
    """Yields faults that leave out a statement or swap two statements."""
    simple = [is_simple(statement) for statement in block]
    for index, statement in enumerate(block):
        # The value of a function or closure is not a statement that can be left out.
        if body.implicit_return is statement or (len(block) == 1 and block is not body.statements
                                                 and statement.parent.parent.type == "lambda_literal"):
            continue
        if simple[index] and not initializes(source, body, statement) and not leaves_guard(statement):
            yield "statement", statement.start_byte, statement.end_byte, b""
    for one, other, both in zip(block, block[1:], zip(simple, simple[1:])):
        if all(both) and not are_independent(one, other):
            swapped = text_of(source, other) + source.original[one.end_byte : other.start_byte] + text_of(source, one)
            yield "order", one.start_byte, other.end_byte, swapped


def are_independent(one, other):
    """Returns True if two statements can certainly be in any order.

    They then have no name in common, or they assign to different variables that the other statement
    does not mention.
    """
    if not words(one) & words(other):
        return True
    targets = [re.match(rb"([\w.\[\]()>*-]+?) = ", statement.text) for statement in (one, other)]
    if not all(targets):
        return False
    return targets[0][1] not in other.text and targets[1][1] not in one.text


def words(statement):
    return set(re.findall(rb"[A-Za-z_]\w*", statement.text)) - {b"self", b"try", b"await"}


def is_simple(statement):
    # These calls only save time, or extend a lifetime that the optimizer might end early.
    if re.match(rb"(_ = )?([\w.]+\.)?(reserveCapacity|withExtendedLifetime)\(", statement.text):
        return False
    if statement.type == "control_transfer_statement":
        return statement.text in {b"return", b"break", b"continue"}
    if statement.type == "expression_statement":
        # A value that is cast to void has no effect.
        return statement.text != b";" and not statement.text.startswith(b"(void)")
    return statement.type in {"call_expression", "assignment", "try_expression", "await_expression", "break_statement",
                              "continue_statement"} or statement.type == "return_statement" and not named(statement)


def leaves_guard(statement):
    """Returns True if a statement ends the `else` of a `guard`, which needs it to compile."""
    return statement.type == "control_transfer_statement" and statement.parent.parent.type == "guard_statement"


def initializes(source, body, statement):
    """Returns True if a statement initializes a stored property, without which nothing compiles."""
    if statement.type != "assignment" or not source.is_swift:
        return False
    before = source.original[max(0, body.start - 400) : body.start]
    return re.search(rb"\binit[?(<][^}]*\{$", before) is not None


def default_faults(source, node):
    """Yields faults in the default values of properties and parameters."""
    if node.type not in {"integer_literal", "boolean_literal"} or source.body_at(node.start_byte, node.end_byte):
        return
    parent = node.parent
    # A macro's plugin reads the arguments as they are written, so nothing reads the defaults.
    if parent.type == "macro_declaration":
        return
    is_property = parent.type == "property_declaration" and node == parent.child_by_field_name("value")
    is_default = node.prev_sibling is not None and node.prev_sibling.type == "=" and parent.type != "enum_entry"
    if not is_property and not is_default:
        return
    word = text_of(source, node).decode()
    if word in {"true", "false"}:
        yield "default", node.start_byte, node.end_byte, "false" if word == "true" else "true"
    elif word.isdigit():
        yield "default", node.start_byte, node.end_byte, "1" if word == "0" else str(int(word) + 1)


# MARK: The list

def listed(path, sources):
    """Yields the faults of `list`.

    Each has three lines: a description with the file, a pattern, and its replacement. `sources`
    returns the source file for a path.
    """
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"^#.*\n", "", file.read(), flags=re.M)
    for block in re.split(r"\n\n+", text.strip("\n")):
        # A replacement can be empty. It is then the empty line at the end.
        lines = block.split("\n")
        if len(lines) != 3 or " | " not in lines[0]:
            raise SystemExit(f"error: {path}: expected 'what | file', a pattern, and a replacement:\n{block}")
        what, name = lines[0].rsplit(" | ", 1)
        source = sources(f"Sources/{name}")
        old = source.original.decode()
        new, count = re.subn(lines[1], lines[2], old, flags=re.M)
        if count != 1 or new == old:
            raise SystemExit(f"error: {path}: the pattern of '{what}' matches {count} times in {name}, not once")
        yield difference(source, new.encode(), what)


def difference(source, new, what):
    """Returns the smallest range of a file that differs from another text."""
    old = source.original
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return Fault(source, "listed", start, len(old) - end, new[start : len(new) - end], what)
