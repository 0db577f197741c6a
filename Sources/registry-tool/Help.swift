/// The texts of the help option.
enum Help {
  static let all = """
    registry-tool lists, checks and draws what binaries register, without running them.

    usage: registry-tool list FILE…
           registry-tool check FILE…
           registry-tool graph FILE…

      list    prints every record
      check   finds what would fail at run time
      graph   draws modules and services

    FILE is a Mach-O or ELF binary (an executable, a library, a bundle, an object), a universal file, a static
    archive, or an .app or .framework folder. Of a universal file all slices are read, or the one of --arch.

    registry-tool COMMAND --help tells a command's options. Exit status: 0; 1 if check finds problems; 2 if a
    file cannot be read or the command is wrong.
    """

  static func text(of command: Command) -> String {
    switch command {
    case .list:
      """
      usage: registry-tool list [--format table|json] [--arch ARCH] FILE…

      Prints every record: its kind, the class or handler, what that is for, its attributes, and where it is.

        --format FORMAT   table, for people (the default), or json, for programs and for check --expect
        --arch ARCH       of universal files this slice alone: arm64, x86_64, …

        registry-tool list Shop.app
        registry-tool list --format json Shop.app > shop-records.json

      Exit status: 0, or 2 if a file cannot be read. What else there is, is listed all the same.
      """
    case .check:
      """
      usage: registry-tool check [--expect LIST] [--arch ARCH] FILE…

      Finds what would fail at run time: malformed records; modules, implementations, routes and actions that
      are there twice; names in `after` that nobody has, and circles of them; classes that the files do not
      have; slices that differ. Give it all files that are in one process together.

        --expect LIST     what must be there: the output of list --format json
        --arch ARCH       of universal files this slice alone: arm64, x86_64, …

        registry-tool check Shop.app
        registry-tool check --expect shop-records.json Shop.app

      Problems are lines `file: error: message` on standard error. Exit status: 0; 1 if there are problems; 2 if a
      file cannot be read, whether or not there are problems.
      """
    case .graph:
      """
      usage: registry-tool graph [--format dot|mermaid] [--arch ARCH] FILE…

      Draws the modules, numbered in the order in which they are set up, what they come after, and the
      protocols with who implements them.

        --format FORMAT   dot, for Graphviz (the default), or mermaid
        --arch ARCH       of universal files this slice alone: arm64, x86_64, …

        registry-tool graph Shop.app | dot -Tsvg > shop.svg
        registry-tool graph --format mermaid Shop.app

      Exit status: 0, or 2 if a file cannot be read.
      """
    }
  }
}
