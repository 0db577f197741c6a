"""The hostile files: each is a function that makes one, of about so many bytes."""

MB = 1 << 20

cases = {}
# What a case is asked for, if that is not the file by itself.
commands = {}


def case(make):
    cases[make.__name__.replace("_", " ")] = make
    return make


def case_of(*those):
    """A case with commands of its own, which name all that they read."""

    def add(make):
        commands[make.__name__.replace("_", " ")] = list(those)
        return case(make)

    return add
