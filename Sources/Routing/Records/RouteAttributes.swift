package import Registry

/// The contents of the JSON in the record of a route or an action.
package struct RouteAttributes {
  /// The route as it was written in the source, or nil in the record of an action.
  package var route: String?
  package var target: String?
  package var action: String?
  /// The source location of the handler, or the name of the exported type.
  package var location = ""

  /// Reads the JSON of a record.
  ///
  /// A route has the members `route` and `handler`, and an action has `target`, `action`, and
  /// `handler`. The member `class` can replace `handler`. Other members are ignored.
  ///
  /// - Throws: An error if the JSON is malformed or lacks a member.
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
