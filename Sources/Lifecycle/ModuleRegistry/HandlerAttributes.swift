package import Registry

/// The contents of a handler's record. Missing members have their defaults.
package struct HandlerAttributes {
  package var event = ""
  package var handler = ""
  package var priority = 0
  package var once = false

  /// Reads the JSON of a record and ignores unknown members.
  ///
  /// The known members are `event`, `handler`, `priority`, and `once`.
  package init(_ json: UnsafeRawBufferPointer) throws(JSONError) {
    var reader = JSONReader(json)
    var keys = try reader.object()
    while let key = try reader.key(&keys) {
      switch key {
      case "event": event = try reader.string()
      case "handler": handler = try reader.string()
      case "priority": priority = try reader.integer()
      case "once": once = try reader.boolean()
      default: try reader.skip()
      }
    }
    try reader.end()
    if event.isEmpty { throw reader.error("missing member 'event'") }
    if handler.isEmpty { throw reader.error("missing member 'handler'") }
    // No module's name contains a slash, so a handler cannot replace a module.
    guard handler.utf8.contains(UInt8(ascii: "/")) else {
      throw reader.error("malformed handler '\(handler.escapedForDisplay())' (expected 'Module/File.swift:1:1')")
    }
  }

  init(of record: ExportedRecord) throws(JSONError) {
    self = try record.withJSON { bytes throws(JSONError) in try HandlerAttributes(bytes) }
  }
}
