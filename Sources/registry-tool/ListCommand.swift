import BinaryInspection

extension Command {
  static let list = Command(
    name: "list", summary: "prints every record",
    about: "Prints every record: its kind, its class, handler, or dependent code, the service, event, route, or action,"
      + " its attributes, and its location.",
    options: [
      .format(["table", "json"], "table, for people (the default), or json, for programs and for check --expect"),
      .architecture,
    ],
    examples: ["registry-tool list Shop.app", "registry-tool list --format json Shop.app > shop-records.json"],
    status: ", or 2 if a file cannot be read. The records of the other files are listed in both cases."
  ) { arguments in
    try Input.requireBinaries(arguments)
    let inspection = Inspection(of: arguments.files, architecture: arguments["--arch"], readsClasses: false)
    if arguments["--format"] == "json" { inspection.writeList(Output.write) } else { Table.print(inspection) }
    return Output.report(inspection.problems)
  }
}
