"""Inserts faults into sources so that one build contains all of them, and a number in the
environment selects at most one at run time.

A body that contains faults becomes a `switch` over the original statements and one copy of them for
each fault. Bodies, unlike expressions, can be repeated without changing their types.
"""

import re

# Some tests compile the C sources themselves and accept no warning, which most faults cause.
# Compilers report none in system headers, so every woven C file is one.
SYSTEM_HEADER = b"#pragma GCC system_header\n"
# Each file that includes this has its own copy of the variables, because the tests that compile a C
# file link no other. The function writes the number of each body when the body is first reached.
HEADER = SYSTEM_HEADER + rb"""
#ifndef REGISTRY_MUTANTS_H
#define REGISTRY_MUTANTS_H
/* Later definitions would have no effect on the headers of the system. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
/* <fcntl.h> also defines struct stat, which Swift would then attribute to this module in files that
   do not import it. The flags below have the values of Linux. */
int open(const char *path, int flags, ...);
/// The position of the active fault among `count` faults whose first has the number `first`, from 1; or 0.
static inline int registry_mutant(int first, int count) {
  static int active = -1;
  static const char *trace;
  static char reached[10000];
  if (__atomic_load_n(&active, __ATOMIC_ACQUIRE) < 0) {
    const char *number = getenv("REGISTRY_MUTANT");
    trace = getenv("REGISTRY_MUTANTS_TRACE");
    __atomic_store_n(&active, number ? atoi(number) : 0, __ATOMIC_RELEASE);
  }
  if (trace && !__atomic_exchange_n(&reached[first], 1, __ATOMIC_RELAXED)) {
    int before = errno;
    /* The functions of the standard library that format numbers can allocate memory. */
    char line[6] = {(char)('0' + first / 1000), (char)('0' + first / 100 % 10), (char)('0' + first / 10 % 10),
                    (char)('0' + first % 10), '\n', 0};
    int file = open(trace, 01 | 02000 | 0100 /* O_WRONLY | O_APPEND | O_CREAT */, 0666);
    if (file >= 0) {
      ssize_t written = write(file, line, 5);
      (void)written;
      close(file);
    }
    errno = before;
  }
  return active >= first && active < first + count ? active - first + 1 : 0;
}
#endif
"""


class Woven:
    """The text of a file with faults."""

    def __init__(self, source, faults):
        self.source = source
        self.groups = {}  # The faults of each body, or of each constant outside of bodies.
        for fault in faults:
            self.groups.setdefault(place(fault)[1:], []).append(fault)
        text = self.range(0, len(source.original))
        if source.is_swift:
            self.files = {source.path: b"public import RegistryC; " + text}
        else:
            text = SYSTEM_HEADER + b'#include "registry_mutants.h"\n' + text
            self.files = {source.path: text}
            if source.path.endswith(".c"):
                name = source.path.split("/")[-1]
                self.files[source.path] = b'#include "%s.woven"\n' % name.encode()
                self.files[source.path + ".woven"] = text
        self.lines = text.split(b"\n")

    def range(self, start, end):
        """Returns a range of the file with the faults of the bodies in it.

        If bodies contain each other, only the original statements of the outer one contain the
        inner one with its faults.
        """
        text, position = b"", start
        for (first, last), faults in sorted(self.groups.items()):
            if first >= position and last <= end and (first, last) != (start, end):
                text += self.source.original[position:first]
                text += self.choice(faults) if faults[0].body else self.expression(faults)
                position = last
        return text + self.source.original[position:end]

    def choice(self, faults):
        """Returns a body that selects between its statements and those with a fault."""
        body, original = faults[0].body, self.source.original
        is_swift = self.source.is_swift
        text = (b" switch %s {" if is_swift else b" switch (%s) {") % call(faults)
        for fault in faults:
            variant = original[body.start : fault.start] + fault.replacement + original[fault.end : body.end]
            text += b"\ncase %d: /*fault %d*/" % (fault.number - faults[0].number + 1, fault.number)
            text += self.block(body, variant)
        return text + b"\ndefault: /*original*/" + self.block(body, self.range(body.start, body.end)) + b"\n}"

    def block(self, body, statements):
        if not self.source.is_swift:
            return b" {" + statements + b"\n} break;"
        if body.implicit_return is not None:
            start = body.implicit_return.start_byte - body.start
            statements = statements[:start] + b"return " + statements[start:]
        # A case of a switch must contain a statement.
        return b"\n" + (statements if re.sub(rb"//.*|\s", b"", statements) else b"break")

    def expression(self, faults):
        """Returns an expression that selects a constant outside a body."""
        text = self.source.original[faults[0].start : faults[0].end]
        for fault in faults:
            text = b"(%s == %d ? /*fault %d*/ %s : %s)" % (
                call(faults), fault.number - faults[0].number + 1, fault.number, fault.replacement, text)
        return text

    def faults_at(self, line):
        """Returns the numbers of the faults to which an error in a line can belong."""
        is_original = False
        for text in reversed(self.lines[:line]):
            is_original = is_original or b"/*original*/" in text
            numbers = {int(number) for number in re.findall(rb"/\*fault (\d+)\*/", text)}
            if numbers and is_original:
                # An error in the original statements can have its cause in each fault of the body.
                numbers = {fault.number for faults in self.groups.values() for fault in faults
                           if numbers & {other.number for other in faults}}
            if numbers:
                return numbers
        return set()


def call(faults):
    """Returns a call of the function that selects one of the faults of a body."""
    # Numbers stay the same when a fault turns out not to compile.
    return b"registry_mutant(%d, %d)" % (faults[0].number, faults[-1].number - faults[0].number + 1)


def place(fault):
    """Returns the range that a fault is woven into: a body, or a constant outside of bodies."""
    around = fault.body or fault
    return fault.source.path, around.start, around.end


def number(faults):
    """Numbers the faults so that those of a body are consecutive."""
    order = sorted(faults, key=lambda fault: (*place(fault), fault.start, fault.end, fault.replacement))
    for position, fault in enumerate(order, 1):
        fault.number = position
    return order
