package import Registry

package struct RouteAttributes {
  /// The route as the source spells it, or nil for an action.
  package var route: String?
  package var target: String?
  package var action: String?
  /// The source location of the handler, or the name of the exported type.
  package var location = ""

  /// Reads a record's JSON, ignoring unknown members. `class` is accepted in place of `handler`.
  ///
  /// - Throws: An error if the JSON is malformed or lacks a required member.
  package init(_ json: UnsafeRawBufferPointer, _ kind: RecordKind) throws(JSONError) {
    var reader = JSONReader(json)
    var keys = try reader.object()
    while let key = try reader.key(&keys) {
      switch key {
      case "route": route = try reader.string()
      case "target": target = try reader.string()
      case "action": action = try reader.string()
      case "handler", "class": location = try reader.string()
      default: try reader.skip()
      }
    }
    try reader.end()
    let names = kind == .action ? [("target", target), ("action", action)] : [("route", route)]
    for (name, value) in names where value?.isEmpty ?? true { throw reader.error("missing member '\(name)'") }
    if location.isEmpty { throw reader.error("missing member 'handler' or 'class'") }
  }
}
