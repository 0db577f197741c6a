"""Inserts faults into sources so that one build contains all of them, and a number in the
environment selects at most one at run time.

A body that contains faults becomes a `switch` over the original statements and one copy of them for
each fault. Bodies, unlike expressions, can be repeated without changing their types.
"""

import re

# Some tests compile C sources themselves. They accept no warning, which most C faults cause, and
# link no other files. So every C file with a fault contains the implementation, whose symbols are
# weak, and the linker keeps one copy.
#
# The implementation reads the environment once. It writes the number of each body when the body is
# first reached.
HEADER = """#ifndef REGISTRY_MUTANTS_H
#define REGISTRY_MUTANTS_H
#if defined(__clang__)
#pragma clang diagnostic ignored "-Weverything"
#elif defined(__GNUC__)
WARNINGS
#endif
#ifdef __cplusplus
extern "C" {
#endif
/// The position of the active fault among `count` faults whose first has the number `first`, from 1; or 0.
int registry_mutant(int first, int count);
/// Notes that a thread is where only one may be, and ends the process if another one is there.
void registry_mutants_enter(int *inside);
void registry_mutants_leave(int *inside);
void registry_mutants_pause(void);
#ifdef __cplusplus
}
#endif
#ifdef REGISTRY_MUTANTS_IMPLEMENTATION
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static int registry_mutant_active = -1;
static const char *registry_mutants_trace;
static char registry_mutants_reached[10000];
__attribute__((weak)) int registry_mutant(int first, int count) {
  if (__atomic_load_n(&registry_mutant_active, __ATOMIC_ACQUIRE) < 0) {
    const char *number = getenv("REGISTRY_MUTANT");
    registry_mutants_trace = getenv("REGISTRY_MUTANTS_TRACE");
    __atomic_store_n(&registry_mutant_active, number ? atoi(number) : 0, __ATOMIC_RELEASE);
  }
  if (registry_mutants_trace && !__atomic_exchange_n(&registry_mutants_reached[first], 1, __ATOMIC_RELAXED)) {
    int before = errno;
    char line[16];
    int size = snprintf(line, sizeof line, "%d\\n", first);
    int file = open(registry_mutants_trace, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (file >= 0) {
      ssize_t written = write(file, line, (size_t)size);
      (void)written;
      close(file);
    }
    errno = before;
  }
  int active = registry_mutant_active;
  return active >= first && active < first + count ? active - first + 1 : 0;
}
__attribute__((weak)) void registry_mutants_enter(int *inside) {
  if (__atomic_exchange_n(inside, 1, __ATOMIC_ACQ_REL)) {
    fprintf(stderr, "two threads are inside a section for one thread\\n");
    abort();
  }
}
__attribute__((weak)) void registry_mutants_leave(int *inside) { __atomic_store_n(inside, 0, __ATOMIC_RELEASE); }
__attribute__((weak)) void registry_mutants_pause(void) { usleep(20); }
#endif
#endif
"""

GCC_WARNINGS = [
    "parentheses", "tautological-compare", "unused-value", "unused-variable", "unused-but-set-variable",
    "unused-parameter", "unused-function", "bool-compare", "bool-operation", "type-limits", "sign-compare",
    "int-in-bool-context", "logical-not-parentheses", "maybe-uninitialized", "uninitialized", "return-type",
    "conversion", "sign-conversion", "pointer-sign", "incompatible-pointer-types", "int-conversion",
    "discarded-qualifiers", "sizeof-pointer-memaccess", "array-bounds", "nonnull", "stringop-overflow",
    "alloc-size-larger-than=", "stringop-overread", "use-after-free", "free-nonheap-object", "dangling-pointer",
    "restrict", "infinite-recursion", "null-dereference", "nonnull-compare", "shift-count-overflow", "div-by-zero",
    "empty-body", "address", "overflow", "mismatched-dealloc", "sequence-point", "misleading-indentation",
]
HEADER = HEADER.replace("WARNINGS", "\n".join(f'#pragma GCC diagnostic ignored "-W{name}"' for name in GCC_WARNINGS))

WITH_IMPLEMENTATION = """#define REGISTRY_MUTANTS_IMPLEMENTATION
#include "registry_mutants.h"
"""


class Woven:
    """The text of a file with faults, and the lines that belong to each fault."""

    def __init__(self, source, faults):
        self.source = source
        self.lines = []  # (first line, last line, fault): errors here belong to the fault.
        groups = {}
        for fault in sorted(faults, key=lambda fault: fault.number):
            groups.setdefault(place(fault)[1:], []).append(fault)
        # If bodies contain each other, the outer one is woven as if the inner one had no faults.
        # Its original statements contain the inner body with its faults.
        self.groups = groups
        text = self.woven(0, len(source.original), is_original=True)
        if source.is_swift:
            text = b"public import RegistryC; " + text
        elif source.path.endswith(".c"):
            text = WITH_IMPLEMENTATION.encode() + text
        else:
            text = b'#include "registry_mutants.h"\n' + text
        self.text = self.resolved(text)

    def woven(self, start, end, is_original):
        """Returns a range of the file with the faults of the bodies in it."""
        text, position = b"", start
        for (first, last), faults in sorted(self.groups.items()):
            if first < position or last > end or (first, last) == (start, end) and not is_original:
                continue
            text += self.source.original[position:first]
            text += self.choice(faults) if faults[0].body else self.expression(faults)
            position = last
        return text + self.source.original[position:end]

    def choice(self, faults):
        """Returns a body that selects between its statements and those with a fault."""
        body = faults[0].body
        # Numbers stay the same when a fault turns out not to compile.
        first, count = faults[0].number, faults[-1].number - faults[0].number + 1
        prefix = b""
        original = self.woven(body.start, body.end, is_original=False)
        if body.implicit_return is not None:
            prefix = b"return "
            original = self.with_return(original, body)
        text = b" switch %sregistry_mutant(%d, %d)%s {" % (
            (b"", first, count, b"") if self.source.is_swift else (b"(", first, count, b")"))
        for fault in faults:
            variant = self.variant(fault, prefix)
            text += b"\ncase %d:\x01%d\x02" % (fault.number - first + 1, fault.number) + self.block(variant) + b"\x03"
        return text + b"\ndefault:" + self.block(original) + b"\n}"

    def block(self, statements):
        if not self.source.is_swift:
            return b" {" + statements + b"\n} break;"
        # A case of a switch must contain a statement.
        code = re.sub(rb"//[^\n]*|\s", b"", statements)
        return b"\n" + (statements if code else b"break")

    def variant(self, fault, prefix):
        body, original = fault.body, self.source.original
        text = original[body.start : fault.start] + fault.replacement + original[fault.end : body.end]
        if not prefix:
            return text
        start = body.implicit_return.start_byte
        return original[body.start : start] + prefix + text[start - body.start :]

    def with_return(self, text, body):
        """Inserts `return` before the original expression, which can contain woven closures."""
        start = body.implicit_return.start_byte - body.start
        return text[:start] + b"return " + text[start:]

    def expression(self, faults):
        """Returns an expression that selects a constant outside a body."""
        text = self.source.original[faults[0].start : faults[0].end]
        first, count = faults[0].number, faults[-1].number - faults[0].number + 1
        for fault in faults:
            numbers = (first, count, fault.number - first + 1, fault.number)
            text = b"(registry_mutant(%d, %d) == %d ? \x01%d\x02" % numbers + fault.replacement + b"\x03 : " + text + b")"
        return text

    def resolved(self, text):
        """Removes the marks around the variants, and records the lines between them."""
        result, line, position = [], 1, 0
        open_fault = None
        for mark in re.finditer(rb"\x01(\d+)\x02|\x03", text):
            part = text[position : mark.start()]
            result.append(part)
            line += part.count(b"\n")
            position = mark.end()
            if mark[1]:
                open_fault = (line, int(mark[1]))
            else:
                self.lines.append((open_fault[0], line, open_fault[1]))
        result.append(text[position:])
        return b"".join(result)

    def faults_at(self, line):
        """Returns the numbers of the faults to which an error in a line belongs.

        That is one fault, or all faults of a body.
        """
        exact = [number for first, last, number in self.lines if first <= line <= last]
        return exact or [fault.number for fault in self.nearest(line)]

    def nearest(self, line):
        """Returns all faults of the body whose variants are closest to a line."""
        def distance(entry):
            return min(abs(entry[0] - line), abs(entry[1] - line))
        closest = min(self.lines, key=distance)[2]
        return next(faults for faults in self.groups.values() if any(fault.number == closest for fault in faults))


def place(fault):
    """Returns the range that a fault is woven into: a body, or a constant outside of bodies."""
    around = fault.body or fault
    return fault.path, around.start, around.end


def number(faults):
    """Numbers the faults so that those of a body are consecutive."""
    order = sorted(faults, key=lambda fault: (*place(fault), fault.start, fault.end, fault.replacement))
    for index, fault in enumerate(order, 1):
        fault.number = index
