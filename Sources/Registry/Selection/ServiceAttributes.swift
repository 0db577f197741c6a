/// The attributes of a service's record, which are valid only while the record's JSON exists.
///
/// A class, because the functions that copy a structure of this size would take two kilobytes.
// Unchecked, because the checks would take 500 instructions for each record, and no accesses
// overlap: each assignment follows the call that reads the value.
package final class ServiceAttributes: JSONMembers {
  @exclusivity(unchecked) package var service: JSONText
  @exclusivity(unchecked) package var implementation: JSONText
  @exclusivity(unchecked) package var scope: ServiceScope
  @exclusivity(unchecked) package var name: String?
  @exclusivity(unchecked) package var priority: Int
  @exclusivity(unchecked) package var separateInstance: Bool
  @exclusivity(unchecked) package var replaces: String?
  /// The type that this implementation replaces, as the source spells it.
  @exclusivity(unchecked) package var replacesType: String?
  @exclusivity(unchecked) package var condition: ServiceCondition?
  /// The build of the exporting module, `.debug` or `.release`; nil if no condition depends on it.
  @exclusivity(unchecked) package var build: ServiceCondition?

  init() {
    (service, implementation, scope) = (JSONText(""), JSONText(""), .transient)
    (priority, separateInstance) = (0, false)
  }

  package convenience init(_ json: UnsafeRawBufferPointer) throws(JSONError) {
    self.init()
    // Use a variable, because `read` is mutating: other conforming types are structures.
    var attributes = self
    try attributes.read(json)
  }

  package var problem: String? {
    if service.isEmpty { return "missing member 'protocol'" }
    if implementation.isEmpty { return "missing member 'class'" }
    return (condition == .debug || condition == .release) && build == nil ? "missing member 'build'" : nil
  }

  package func read(_ key: JSONText, _ reader: inout JSONReader) throws(JSONError) {
    switch key {
    case "protocol": service = try reader.text()
    case "class": implementation = try reader.text()
    case "name": name = try reader.string()
    case "priority": priority = try reader.integer()
    case "scope": scope = try reader.word("scope") { "shared" ~= $0 ? .shared : ServiceScope(recordText: $0.string) }
    case "separateInstance": separateInstance = try reader.boolean()
    case "replaces": replaces = try reader.string()
    case "replacesType": replacesType = try reader.string()
    case "when": condition = try reader.condition()
    case "build": build = try reader.build()
    default: try reader.skip()
    }
  }
}

extension JSONReader {
  mutating func condition() throws(JSONError) -> ServiceCondition {
    try word("condition") { ServiceCondition(recordText: $0.string) }
  }

  mutating func build() throws(JSONError) -> ServiceCondition {
    try word("build") { "debug" ~= $0 ? .debug : "release" ~= $0 ? .release : nil }
  }
}
