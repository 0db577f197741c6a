enum Help {
  static let all = """
    registry-tool lists, checks, and draws what binaries register, without running them.

    usage: registry-tool list FILE…
           registry-tool check FILE…
           registry-tool graph FILE…
           registry-tool explain CODE…
           registry-tool --version

      list     prints every record
      check    finds registrations that would fail at run time
      graph    draws modules, services, and handlers
      explain  prints what the code of a message means, and how to fix the problem

    FILE is a Mach-O or ELF binary (an executable, a library, a bundle, or an object), a universal file, a static
    archive, or a folder such as an .app or a .framework. The tool reads all slices of a universal file, or the
    slice that --arch selects.

    Run 'registry-tool COMMAND --help' for the options of a command. Every error, problem, and note ends with a
    code in brackets. Exit status: 0; 1 if check finds problems; 2 if a file cannot be read or the arguments are
    invalid.
    """

  static func text(of command: Command) -> String {
    switch command {
    case .list:
      """
      usage: registry-tool list [--format table|json] [--arch ARCH] FILE…

      Prints every record: its kind, its class, handler, or dependent code, the service, event, route, or action,
      its attributes, and its location.

        --format FORMAT   table, for people (the default), or json, for programs and for check --expect
        --arch ARCH       read only this slice of universal files: arm64, x86_64, …

        registry-tool list Shop.app
        registry-tool list --format json Shop.app > shop-records.json

      Exit status: 0, or 2 if a file cannot be read. The records of the other files are listed in both cases.
      """
    case .check:
      """
      usage: registry-tool check [--expect LIST] [--registered NAME]… [--separate] [--format text|json]
                                 [--arch ARCH] FILE…

      Finds registrations that would fail at run time: malformed records; services, routes, and modules that code
      needs and no file exports; duplicate modules, implementations, routes, and actions; unknown names and cycles
      in 'after'; classes and protocols that no file contains; slices that differ; several copies of the library in
      one process; objects that the linker omitted. Each group of records is checked by itself. Pass all files that are
      in one process together.

        --expect LIST     the records that must be present: the output of list --format json
        --registered NAME the service, route, or module is registered in code, which the tool cannot see, so code
                          can need it; you can repeat the option
        --separate        a library that no file links, or an archive, can belong to another process, so that its copy
                          of the library, or an object that no file contains, is a note and not a problem
        --format FORMAT   text, for people and editors (the default), or json, for programs
        --arch ARCH       read only this slice of universal files: arm64, x86_64, …

        registry-tool check Shop.app
        registry-tool check --registered Clock --registered .orderDetail Shop.app
        registry-tool check --expect shop-records.json Shop.app

      Problems are lines 'FILE: error: SUBJECT: MESSAGE [CODE]' on standard error, or elements of a JSON object on
      standard output. Exit status: 0; 1 if there are problems; 2 if a file cannot be read, whether or not there
      are problems.
      """
    case .graph:
      """
      usage: registry-tool graph [--format dot|mermaid] [--arch ARCH] FILE…

      Draws the modules, numbered in set-up order, the modules that each one lists in 'after', the protocols with
      their implementations, and the events, routes, and actions with their handlers. Each group of records has a
      part of its own. If code states needs, another part draws the Swift modules with what they need from each
      other. Notes on standard error name Swift modules that need each other, and services that no code needs.

        --format FORMAT   dot, for Graphviz (the default), or mermaid
        --arch ARCH       read only this slice of universal files: arm64, x86_64, …

        registry-tool graph Shop.app | dot -Tsvg > shop.svg
        registry-tool graph --format mermaid Shop.app

      Exit status: 0, or 2 if a file cannot be read.
      """
    case .explain:
      """
      usage: registry-tool explain CODE…

      Prints the section of Documentation/Diagnostics.md about the code that is at the end of a message, with or
      without brackets: the meaning, the message, and the fix.

        registry-tool explain no-service

      Exit status: 0, or 2 if a code is unknown.
      """
    }
  }
}
