/// Expands a use of `#contribute`, or returns nil and adds problems.
///
/// The arguments are in a function, because the compiler infers the actor of a function, but not of
/// a closure. The function also reads the point, which can be isolated to the same actor.
func expandContribution(_ use: MacroUse) -> String? {
  var json = JSONObject()
  json.set("point", use.required().map { use.source.normalized($0) })
  json.set("key", use.text("key"))
  json.set("handler", use.place)
  json.set("priority", use.integer("priority"))
  let condition = use.condition()
  json.set("when", condition)
  json.setGroup(use.text("group"))
  // Skip a closure inside the parentheses, because it isn't part of the record.
  use.skip("make")
  guard use.isValid() else { return nil }
  let accessor = "return unsafe Registry::__provideContribution(__out, __type, \(use.functionName))"
  let function = use.function("__contributions", "Registry::__Contributions", calling: "add")
  return withBuild(condition, json) { use.freeRecords(.contribution, [(accessor, $0)], function: function) }
}

/// Returns the text of a record with a condition.
///
/// Debug builds contain the records for release builds and vice versa, so that reports can list all
/// records. Each record states its own build, so that a report can explain why it isn't used.
func withBuild(_ condition: String?, _ json: JSONObject, _ record: (JSONObject) -> String) -> String {
  guard condition == "debug" || condition == "release" else { return record(json) }
  var (debug, release) = (json, json)
  debug.set("build", "debug")
  release.set("build", "release")
  return "#if DEBUG\n\(record(debug))\n#else\n\(record(release))\n#endif"
}
