package import Registry

/// What the record of a route or an action says, read from its JSON.
package struct RouteAttributes {
  /// The route as it was written; nil in an action's record.
  package var route: String?
  package var target: String?
  package var action: String?
  /// The source location of the handler, or the name of the exported type.
  package var location = ""

  /// Reads `{"route":…,"handler":…}`, with `class` for `handler`, or `{"target":…,"action":…,"handler":…}`; other members are
  /// passed over.
  package init(_ json: UnsafeRawBufferPointer, _ kind: RecordKind) throws(JSONError) {
    var reader = JSONReader(json)
    try reader.object { reader, key throws(JSONError) in
      switch key {
      case "route": route = try reader.string()
      case "target": target = try reader.string()
      case "action": action = try reader.string()
      case "handler", "class": location = try reader.string()
      default: try reader.skip()
      }
    }
    try reader.end()
    switch kind {
    case .action:
      if target?.isEmpty ?? true { throw reader.error("no \"target\"") }
      if action?.isEmpty ?? true { throw reader.error("no \"action\"") }
    default:
      if route?.isEmpty ?? true { throw reader.error("no \"route\"") }
    }
    if location.isEmpty { throw reader.error("no \"handler\" and no \"class\"") }
  }

  init(of record: ExportedRecord) throws(JSONError) {
    let kind = record.kind
    self = try record.withJSON { bytes throws(JSONError) in try RouteAttributes(bytes, kind) }
  }
}
