package import Registry

package struct HandlerAttributes: JSONMembers {
  package var event = ""
  package var handler = ""
  package var priority = 0
  package var once = false

  package init(_ json: UnsafeRawBufferPointer) throws(JSONError) {
    try read(json)
  }

  package mutating func read(_ key: JSONText, _ reader: inout JSONReader) throws(JSONError) {
    switch key {
    case "event": event = try reader.string()
    case "handler": handler = try reader.string()
    case "priority": priority = try reader.integer()
    case "once": once = try reader.boolean()
    default: try reader.skip()
    }
  }

  package var problem: String? {
    if event.isEmpty { return "missing member 'event'" }
    if handler.isEmpty { return "missing member 'handler'" }
    // No exported module's name contains a slash, so the names of handlers and modules differ.
    if handler.utf8.contains(UInt8(ascii: "/")) { return nil }
    return "malformed handler '\(handler.escapedForDisplay())' (expected 'Module/File.swift:1:1')"
  }
}
