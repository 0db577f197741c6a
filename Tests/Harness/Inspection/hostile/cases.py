"""The hostile files. Each function creates the contents of one, of approximately the given size."""

MB = 1 << 20

cases = {}
# The commands of the cases that do not use the default ones.
commands = {}


def case(make):
    cases[make.__name__.replace("_", " ")] = make
    return make


def case_of(*those):
    """Registers a case with its own commands, which name all the files that they read."""

    def add(make):
        commands[make.__name__.replace("_", " ")] = list(those)
        return case(make)

    return add
