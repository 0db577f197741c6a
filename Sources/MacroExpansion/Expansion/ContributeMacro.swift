/// Expands the macro that contributes a value, or returns nil and adds problems.
///
/// The arguments are in a function, because the compiler infers the actor of a function but not of
/// a closure. The function also reads the point, which can be isolated to that actor.
func expandContribution(
  _ request: HostMessage.FreestandingMacro, _ source: Source, _ configuration: BuildConfiguration,
  _ problems: inout [Problem]
) -> String? {
  let free = FreeRecord(request, source, .contribute, configuration, &problems)
  let arguments = ContributionArguments(source, &problems)
  guard problems.isEmpty else { return nil }
  let call = CallText(source, at: request.syntax.location).statement(calling: "add", of: "__contributions")
  func text(build: String?) -> String {
    var json = JSONObject()
    json.set("point", arguments.point)
    if let key = arguments.key { json.set("key", key) }
    json.set("handler", free.location.name)
    if arguments.priority != 0 { json.set("priority", arguments.priority) }
    if let condition = arguments.condition { json.set("when", condition) }
    if let build { json.set("build", build) }
    return free.text(
      kind: Record.contribution,
      accessor: "return unsafe Registry::__provideContribution(__out, __type, \(free.functionName))", json: json,
      function: """
        (_ __contributions: Registry::__Contributions) {
        \(call)
        }
        """)
  }
  return withBuild(arguments.condition, text)
}

/// Returns the text of a record with a condition.
///
/// A record whose condition is the build states it, so that a report can give the reason why the
/// record is not used. A record that is compiled only in one build would be missing from the
/// report.
func withBuild(_ condition: String?, _ text: (_ build: String?) -> String) -> String {
  guard condition == "debug" || condition == "release" else { return text(nil) }
  return "#if DEBUG\n\(text("debug"))\n#else\n\(text("release"))\n#endif"
}
