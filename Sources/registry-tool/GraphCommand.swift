import BinaryInspection

extension Command {
  static let graph = Command(
    name: "graph", summary: "draws modules, services, and handlers",
    about: "Draws the modules, numbered in setup order, the modules that each one lists in 'after', the protocols with"
      + " their implementations, and the events, routes, and actions with their handlers. Each group of records has a"
      + " part of its own. If code states needs, another part draws the Swift modules with what they need from each"
      + " other. Notes on standard error name Swift modules that need each other, and services that no code needs.",
    options: [
      .format(GraphFormat.allCases.map(\.rawValue), "dot, for Graphviz (the default), or mermaid"), .architecture,
    ],
    examples: [
      "registry-tool graph Shop.app | dot -Tsvg > shop.svg", "registry-tool graph --format mermaid Shop.app",
    ],
    status: ", or 2 if a file cannot be read."
  ) { arguments in
    _ = try Input.snapshot(in: arguments, isAccepted: false)
    let inspection = Inspection(of: arguments.files, architecture: arguments["--arch"])
    inspection.writeGraph(arguments["--format"].flatMap(GraphFormat.init) ?? .dot, Output.write)
    // The graph itself shows unmet needs, and `check` reports the other problems.
    let notes = inspection.check().filter {
      $0.severity == .note
        && [.featureCycle, .unusedService, .unusedContribution, .nothingSelected].contains($0.code)
    }
    return Output.report(inspection.problems.filter { $0.code != .unreadClasses } + notes)
  }
}
