package final class ContributionAttributes: JSONMembers {
  /// The contribution point as Swift code spells it, or its identifier in C code.
  package private(set) var point: String
  /// The name of the pointer type in C code; nil for contributions in Swift code.
  package private(set) var cType: String?
  package private(set) var key: String?
  /// The source location, or the expression for the address in C code.
  package private(set) var location: String
  package private(set) var priority: Int
  package private(set) var condition: ServiceCondition?
  /// The build of the exporting module, `.debug` or `.release`; nil if no condition depends on it.
  package private(set) var build: ServiceCondition?

  package init(_ json: UnsafeRawBufferPointer) throws(JSONError) {
    (point, location, priority) = ("", "", 0)
    // Use a variable, because `read` is mutating: other conforming types are structures.
    var members = self
    try members.read(json)
  }

  package var problem: String? {
    if point.isEmpty { return "missing member 'point'" }
    if location.isEmpty { return "missing member 'handler'" }
    return (condition == .debug || condition == .release) && build == nil ? "missing member 'build'" : nil
  }

  package func read(_ key: JSONText, _ reader: inout JSONReader) throws(JSONError) {
    switch key {
    case "point": point = try reader.string()
    case "type": cType = try reader.string()
    case "key": self.key = try reader.string()
    case "handler": location = try reader.string()
    case "priority": priority = try reader.integer()
    case "when": condition = try reader.condition()
    case "build": build = try reader.build()
    default: try reader.skip()
    }
  }
}
